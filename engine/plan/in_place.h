// Ops of a chain that read columns of the root by way of registers become ops that read the bytes
// where they stand: a test of what one byte stands for, or two, is a bit of a table.
#pragma once

#include "engine/plan/byte_facts.h"
#include "engine/plan/program.h"

#include <cstdint>
#include <functional>
#include <map>
#include <vector>

namespace croupier::engine {

class InPlace {
  public:
    // `tables` says how many codes the tables at those places of `program.values` have, `codes`
    // the same of bytes.
    InPlace(Program& program, const std::map<std::uint32_t, std::uint32_t>& tables,
            const std::map<std::uint32_t, std::uint32_t>& codes)
        : program_(program), tables_(tables), codes_(codes) {}

    void rewrite(std::uint32_t begin);

  private:
    // What a register holds, by the code of the byte that decides it: a column's value, or what
    // tables give for it.
    struct Source {
        std::uint32_t byte = 0;
        std::vector<Value> values;
        bool is_column = false;
        std::uint32_t base = 0; // of a column's values in Program::values
    };
    using Fits = std::function<bool(const Value&)>;
    using Agree = std::function<bool(const Value&, const Value&)>;

    void rewrite(Op& op, Op* before);
    [[nodiscard]] const Source* source(std::uint16_t reg) const;
    [[nodiscard]] const Source* column(std::uint16_t reg) const;
    void note_source(const Op& op);
    void note_table(const Op& op, const Source& index);
    void test(Op& op, std::uint16_t reg, const Fits& fits);
    void bind(Op& op, Op* before);
    void compare(Op& op, std::uint16_t other, ExprId expr, const Agree& agree);
    void pair(Op& op, const Source& a, const Source& b, const Agree& agree);
    void same_code(Op& op);
    void choose(Op& op);
    void set_test(Op& op, std::uint32_t byte, const Codes& codes);
    std::uint32_t table(const std::vector<std::uint64_t>& words);
    void address_set(Op& op) const;
    static void address_byte(Op& op);

    Program& program_;
    const std::map<std::uint32_t, std::uint32_t>& tables_;
    const std::map<std::uint32_t, std::uint32_t>& codes_;             // by byte
    std::map<std::uint16_t, Source> sources_;                         // by register
    std::map<std::vector<std::uint64_t>, std::uint32_t> known_masks_; // where they stand
};

} // namespace croupier::engine
