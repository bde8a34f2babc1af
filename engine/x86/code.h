// The functions of a module as machine code.
#pragma once

#include "engine/catalogue/catalogue.h"
#include "engine/form/form.h"
#include "engine/x86/frame.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace croupier::engine::x86 {

// The rules that the instructions of a function come from.

// The purpose of an instruction.
struct Origin {
    enum class Part : std::uint8_t { Search, Action };

    std::vector<RuleId> rules;   // several if they share it; none between rules
    Part part = Part::Search;    // of the rule
    std::uint32_t entry = kNone; // of the condition, if it is for one

    friend auto operator<=>(const Origin&, const Origin&) = default;
};

// The origins of all instructions of a function, by their offset in bytes. Filled while the
// function is written, then only read.
class Origins {
  public:
    // The number of an origin, the same for equal ones.
    std::uint32_t number_of(const Origin& origin);
    // Instructions from `offset` on have that origin; offsets must ascend.
    void begin(std::uint32_t offset, std::uint32_t number);
    // Sets where the function ends.
    void end(std::uint32_t offset) { end_ = offset; }

    [[nodiscard]] std::uint32_t size() const { return end_; }
    // Null after the end.
    [[nodiscard]] const Origin* at(std::uint32_t offset) const;
    // Calls `piece` with offset, size and origin of each range of one origin, in order.
    template <typename Piece>
    void each(Piece piece) const {
        std::uint32_t begin = 0;
        const Origin* origin = at(0);
        for (const auto& [next, number] : begins_) {
            if (next > begin) piece(begin, next - begin, origin);
            begin = next;
            origin = origins_[number];
        }
        if (end_ > begin) piece(begin, end_ - begin, origin);
    }

  private:
    std::map<Origin, std::uint32_t> numbers_;
    std::vector<const Origin*> origins_;                          // by number
    std::vector<std::pair<std::uint32_t, std::uint32_t>> begins_; // offset and number
    std::uint32_t end_ = 0;
};

// Adjacent instructions of the same origin.
struct CodePiece {
    std::uintptr_t address;
    std::uint32_t bytes;
    const Origin* origin; // lives as long as the code
};

// The place of an instruction: its function, and its offset there in bytes.
struct CodePlace {
    std::size_t function; // of the module
    std::uint32_t offset;
    const Origin* origin; // lives as long as the code
};

// Threads may share it: all get the same code. Owns the memory of the instructions and the tables
// that they read.
class Code {
  public:
    Code() = default;
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    virtual ~Code() = default;

    // Runs a function; returns kThrown if an error is pending.
    using Entry = std::int32_t (*)(Frame* frame);
    // The entry of that function of the module, compiled if needed; null if it has no code and must
    // be interpreted.
    [[nodiscard]] virtual Entry entry(std::size_t function) const = 0;
    [[nodiscard]] bool has(std::size_t function) const { return entry(function) != nullptr; }
    // The bytes of all functions.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    // The instruction at the address; nullopt if it is not in this code. May be called while other
    // threads compile.
    [[nodiscard]] virtual std::optional<CodePlace> place(std::uintptr_t address) const = 0;
    // Its origin; null if it is not in this code.
    [[nodiscard]] const Origin* origin(std::uintptr_t address) const {
        const std::optional<CodePlace> found = place(address);
        return found ? found->origin : nullptr;
    }
    // The code that has been compiled so far.
    [[nodiscard]] virtual std::vector<CodePiece> pieces() const = 0;
};

// Whether this build writes machine code: for x86-64, if the library for it was found.
bool can_emit();
// The registers and instructions that code may use; its results are the same.
enum class Registers : std::uint8_t { Oldest, All };
// Returns null on other processors, and if the system does not let a program run code that it
// wrote. A function is compiled when it is first needed, so the module must outlive the code.
std::shared_ptr<const Code> emit(const form::Module& module, Registers registers = Registers::All);
// An instruction, or a line for the one that follows: a statement that it comes from, a label.
struct CodeLine {
    std::uint32_t offset; // of the instruction, in the code that `emit` makes
    std::string text;

    [[nodiscard]] bool is_instruction() const { return text.starts_with(' '); }
};
// The function's machine code as text; empty if it has none.
std::vector<CodeLine> listing(const form::Module& module, std::size_t function);

} // namespace croupier::engine::x86
