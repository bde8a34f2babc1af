// The functions of a module as instructions of the machine that runs them.
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

// Which rules the instructions of a function come from.

// What an instruction is for.
struct Origin {
    enum class Part : std::uint8_t { Search, Action };

    std::vector<RuleId> rules;   // several share its work; none: it leads from rule to rule
    Part part = Part::Search;    // of the rule
    std::uint32_t entry = kNone; // of the condition, where it is for one

    friend auto operator<=>(const Origin&, const Origin&) = default;
};

// The origins of all instructions of a function, by how many bytes they stand behind its first.
// Filled while it is written, then only read.
class Origins {
  public:
    // The number of an origin, the same for equal ones.
    std::uint32_t number_of(const Origin& origin);
    // Instructions from there on are of that origin; offsets come in ascending order.
    void begin(std::uint32_t offset, std::uint32_t number);
    // Where the function ends.
    void end(std::uint32_t offset) { end_ = offset; }

    [[nodiscard]] std::uint32_t size() const { return end_; }
    // Null behind the end.
    [[nodiscard]] const Origin* at(std::uint32_t offset) const;
    // `piece` is told offset, size and origin of what stands together, from the beginning on.
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

// Instructions that stand together and are for the same.
struct CodePiece {
    std::uintptr_t address;
    std::uint32_t bytes;
    const Origin* origin; // as long as the code lives
};

// An instruction: by how many bytes it stands behind the first of its function.
struct CodePlace {
    std::size_t function; // of the module
    std::uint32_t offset;
    const Origin* origin; // as long as the code lives
};

// Shared by threads, to which it is always the same. Owns the memory of the instructions and the
// tables that they read.
class Code {
  public:
    Code() = default;
    Code(const Code&) = delete;
    Code& operator=(const Code&) = delete;
    virtual ~Code() = default;

    // Runs a function; kThrown where an error waits.
    using Entry = std::int32_t (*)(Frame* frame);
    // The entry of the function at that place in the module; null where it has no code: it is to
    // be interpreted.
    [[nodiscard]] virtual Entry entry(std::size_t function) const = 0;
    [[nodiscard]] bool has(std::size_t function) const { return entry(function) != nullptr; }
    // The bytes of all functions.
    [[nodiscard]] virtual std::size_t bytes() const = 0;
    // The instruction there; absent where none of this code stands. Also while other threads
    // compile.
    [[nodiscard]] virtual std::optional<CodePlace> place(std::uintptr_t address) const = 0;
    // What it is for; null likewise.
    [[nodiscard]] const Origin* origin(std::uintptr_t address) const {
        const std::optional<CodePlace> found = place(address);
        return found ? found->origin : nullptr;
    }
    // What has been compiled so far.
    [[nodiscard]] virtual std::vector<CodePiece> pieces() const = 0;
};

// Whether there is machine code at all: for x86-64, where the library that writes it was there.
bool can_emit();
// Null on processors of other kinds, and where the system does not let a program run what it has
// written.
// The module must outlive it: a function is compiled when somebody first asks for it.
// The same comes of it with fewer kinds of registers.
enum class Registers : std::uint8_t { Oldest, All };
std::shared_ptr<const Code> emit(const form::Module& module, Registers registers = Registers::All);
// An instruction, or what is told of the one that follows: a statement that it comes from, a label.
struct CodeLine {
    std::uint32_t offset; // of the instruction, in the code that `emit` makes
    std::string text;

    [[nodiscard]] bool is_instruction() const { return text.starts_with(' '); }
};
// The function's machine code as text; empty where there is none.
std::vector<CodeLine> listing(const form::Module& module, std::size_t function);

} // namespace croupier::engine::x86
