// Translates ops one by one: each becomes a few instructions, or a call of what the machine does.
#pragma once

#include "engine/native/assembler.h"
#include "engine/native/code.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace croupier::engine::native {

// Registers that keep what they hold between ops: Bx the frame, R12 the state's block, R13 the
// value registers, R14 the program's values, R15 its masks, Bp the rows at hand. An op uses Ax, Cx
// and Dx as it likes. The stack is aligned at each op, so that it can call.
class Translator {
  public:
    explicit Translator(const Program& program);
    std::shared_ptr<const Code> run();

  private:
    static constexpr Reg kFrame = Reg::Bx;
    static constexpr Reg kBlock = Reg::R12;
    static constexpr Reg kValues = Reg::R13;
    static constexpr Reg kConstants = Reg::R14;
    static constexpr Reg kMasks = Reg::R15;
    static constexpr Reg kMask = Reg::Bp;

    void entry();
    void translate(std::uint32_t pc);
    // One kind of ops each; false: the op is not of the kind, or is done apart.
    bool translate_test(std::uint32_t pc);
    bool translate_mask(std::uint32_t pc);
    bool translate_bytes(std::uint32_t pc);
    bool translate_control(std::uint32_t pc);
    bool translate_action(std::uint32_t pc);

    // -- places --
    [[nodiscard]] Label label(std::uint32_t pc) const { return labels_[pc]; }
    [[nodiscard]] Label fail_of(const Op& op) const { return labels_[op.fail]; }
    [[nodiscard]] static Mem in_frame(std::size_t offset) {
        return {kFrame, static_cast<std::int32_t>(offset)};
    }
    [[nodiscard]] static Mem in_block(std::size_t offset, Reg index = Reg::Sp) {
        return {kBlock, static_cast<std::int32_t>(offset), index};
    }
    [[nodiscard]] static Mem value(std::uint16_t reg, std::size_t field = 0);
    [[nodiscard]] static Mem tag(std::uint16_t reg) { return value(reg); }
    [[nodiscard]] static Mem row(std::uint16_t reg) { return value(reg, offsetof(Value, row)); }
    [[nodiscard]] static Mem domain(std::uint16_t reg) {
        return value(reg, offsetof(Value, domain));
    }
    [[nodiscard]] static Mem integer(std::uint16_t reg) {
        return value(reg, offsetof(Value, integer));
    }
    [[nodiscard]] static Mem constant(std::size_t place, Reg index = Reg::Sp) {
        return {kConstants, static_cast<std::int32_t>(place * sizeof(Value)), index};
    }
    [[nodiscard]] static Mem mask_at(std::size_t place, Reg index) {
        return {kMasks, static_cast<std::int32_t>(place * 8), index, 8};
    }
    // `to` is the register's row times the stride.
    void scaled_row(Reg to, std::uint16_t reg, std::uint32_t stride);
    // Rows add to the op's address.
    [[nodiscard]] static bool by_rows(const Op& op);
    // Ax is what rows add to the op's address, times `width`; false: they add nothing.
    bool offset_of_rows(const Op& op, std::uint32_t width = 1);
    // The byte that the op addresses; uses Ax.
    Mem addressed(const Op& op);

    // -- what an op does elsewhere --
    void call_apart(const Op& op, std::size_t apart);
    // Calls and goes on, or to the op's fail.
    void test_apart(const Op& op);
    // As test_apart, with the rows at hand read and changed.
    void test_apart_with_mask(const Op& op);
    // Code behind all ops, for what is rare.
    Label aside(std::function<void()> write);
    // The op at pc is done apart, and goes on behind it or at its fail.
    Label apart_aside(std::uint32_t pc);
    // The same, but it fails where the register has no value.
    Label apart_aside_if_some(std::uint32_t pc, std::uint16_t reg);
    // The op is done apart with the rows at hand, and goes on at `next` or its fail.
    Label mask_aside(const Op& op, Label next);
    Label fault_aside(const Op& op, Extra extra);

    void set_value(std::uint16_t reg, Tag tag, Reg integer);
    void count_firing(const Op& op);
    void count_step(const Op& op);
    void copy_value(std::uint16_t to, std::uint16_t from);
    // Cx is the row in the domain of the text in the register; uses Ax and Dx.
    void row_of_text(std::uint16_t reg, const DomainTable& domain, Label no_text, Label no_member);
    void find_row(std::uint32_t pc);
    // Jumps unless the tag is that of a text; uses Ax.
    void jump_if_no_text(std::uint16_t reg, Label to);
    void read_code(const Op& op);
    void read_table(const Op& op);
    bool read_leaf(const Op& op);
    bool test_presence(const Op& op);
    void test_bit(const Op& op);
    void compare_with(std::uint32_t pc, ExprOp how, std::uint16_t reg, const Value& literal);
    void compare_registers(std::uint32_t pc, ExprOp how, std::uint16_t found, std::uint16_t other);
    bool compare(std::uint32_t pc, ExprOp how, ExprId with);
    bool one_of(std::uint32_t pc);
    bool test_truth(std::uint32_t pc);
    bool bind(std::uint32_t pc);
    bool gather(std::uint32_t pc);
    void fail_if_zeros(const Op& op);
    void mask_all(std::uint32_t pc);
    void mask_limit(std::uint32_t pc);
    void or_rows(const Op& op);
    bool or_words(std::uint32_t pc);
    // The root's map is there.
    void ensure_map(SchemaId map);
    void byte_rows(const Op& op, Label fail);
    // Counts as many firings as Ax says; goes to `apart` where the budgets do not allow them.
    void count_rows(Label apart);
    void set_rows(const Op& op, Label fail);
    void clear_rows(const Op& op);
    void each_row(const Op& op); // the first of the rows in Si
    void act(const Op& op);
    void run_chain(std::uint32_t chain);
    void leave(std::int32_t answer);

    // -- leaves (leaves.cpp) --
    // A declared leaf at an instance: `index`, and what rows add to it, in Si.
    struct Leaf {
        const SchemaNode* node = nullptr;
        std::uint32_t index = 0;
        bool by_rows = false;
    };
    struct Bit {
        std::size_t byte;
        std::uint8_t bits;
    };
    [[nodiscard]] static Bit presence_bit(const SchemaNode& node, std::uint32_t index);
    // None where that is nothing that one test can tell.
    [[nodiscard]] std::optional<Leaf> leaf_at(const Op& op, SchemaId schema) const;
    void load_rows(const Op& op, const Leaf& leaf); // to Si
    [[nodiscard]] static Mem place_of(const Leaf& leaf);
    void append_entry(std::size_t order, std::uint16_t slot);
    void append_to_record(const Leaf& leaf);
    // Of a leaf at one place: what follows finds zero where it is absent.
    void test_presence(const Leaf& leaf);
    // Its presence bit is set, and the record above lists it.
    void make_present(const Leaf& leaf);
    [[nodiscard]] static std::int64_t low_of(const SchemaNode& node);
    [[nodiscard]] bool holds_integers(const SchemaNode& node) const;
    // The integer that it holds.
    void load_leaf(Reg to, const Leaf& leaf, Label missing);
    // Ax, which it can hold; uses Cx and Dx.
    void store_leaf(const Leaf& leaf);

    // -- expressions (expressions.cpp): `here` is what `$this` stands for, `waiting` how many left
    // sides of operations wait for their right ones; `other` is for values of other kinds --
    // When what was compared compares so.
    [[nodiscard]] static If when(ExprOp how);
    [[nodiscard]] ExprId arg(const ExprNode& node, std::uint32_t i) const;
    [[nodiscard]] bool is_integer(ExprId expr, const Leaf* here, std::size_t waiting = 0) const;
    [[nodiscard]] bool is_operand(ExprId expr, const Leaf* here) const;
    [[nodiscard]] bool is_truth(ExprId expr, const Leaf* here, std::size_t waiting = 0) const;
    [[nodiscard]] bool is_right_side(ExprId expr, const Leaf* here, std::size_t waiting) const;
    [[nodiscard]] bool is_variable(ExprId expr) const;
    [[nodiscard]] bool is_text(ExprId expr) const;
    // Of any kind, as a variable gets it.
    [[nodiscard]] bool is_value(ExprId expr) const;
    // Ax is the integer; uses Cx and Dx.
    void evaluate(ExprId expr, const Leaf* here, Label other, std::size_t waiting = 0);
    void evaluate_right(ExprId expr, const Leaf* here, Label other, std::size_t waiting);
    void floor_of(const ExprNode& quotient, const Leaf* here, Label other, std::size_t waiting);
    void load_operand(Reg to, ExprId expr, const Leaf* here, Label other);
    void jump_if(bool truth, ExprId expr, const Leaf* here, Label to, Label other,
                 std::size_t waiting = 0);
    // `write` writes what the conditional's branches do.
    void choose(const ExprNode& conditional, const Leaf* here, Label other,
                const std::function<void(ExprId)>& write, std::size_t waiting = 0);
    void compare_alike(std::uint16_t one, std::uint16_t two, Label other);
    void assign_value(std::uint16_t to, ExprId expr, Label other);
    bool assign(std::uint32_t pc);
    void compare_integer(Reg with, std::int64_t value);

    // -- changes (changes.cpp) --
    void address_bit(const Op& op);
    void change_bit(const Op& op, bool set);
    void ensure_bit(std::uint32_t pc, bool hangs);
    bool set_code(std::uint32_t pc, bool hangs);
    bool set_leaf(std::uint32_t pc);
    bool set_member(std::uint32_t pc, const Leaf& leaf);
    [[nodiscard]] bool is_member(ExprId expr, const SchemaNode& node) const;
    void code_of_member(ExprId expr, const SchemaNode& node, Label other);
    bool remove(const Op& op);
    void erase_entry(std::size_t order, std::uint16_t slot);
    void erase_routine();

    const Program& program_;
    Assembler code_;
    std::vector<Label> labels_; // of the ops
    std::vector<LimitTable> limits_;
    Label thrown_ = 0;
    Label erase_ = 0;
    std::vector<std::pair<Label, std::function<void()>>> asides_;
};

} // namespace croupier::engine::native
