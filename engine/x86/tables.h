// Tables that machine code reads.
#pragma once

#include "engine/form/form.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace croupier::engine::x86 {

// Memory that machine code reads, whose addresses fit into an instruction where that can be had.

// Pieces stay where they are until all go.
class LowMemory {
  public:
    LowMemory() = default;
    LowMemory(const LowMemory&) = delete;
    LowMemory& operator=(const LowMemory&) = delete;
    ~LowMemory();

    // Zeroed, and aligned as words are.
    std::uint8_t* take(std::size_t bytes);

  private:
    void add_room(std::size_t bytes);

    std::uint8_t* next_ = nullptr;
    std::size_t left_ = 0;
    std::vector<std::pair<void*, std::size_t>> mapped_;
    std::vector<std::unique_ptr<std::uint64_t[]>> allocated_; // where the system has none
};

// Tables of the module as machine code reads them. They stay where they are, so they must live as
// long as that.
class Tables {
  public:
    explicit Tables(const form::Module& module) : module_(module) {}

    // Bytes, or pairs of bytes where codes are larger: the codes, or 0 and 1, of a Table.
    struct Entries {
        const void* data = nullptr;
        std::uint32_t width = 1;
    };
    Entries entries(std::uint32_t table, const form::Type& type);
    // The codes with which a leaf holds the values of a list, by theirs; null where they are the
    // same.
    Entries held(std::uint32_t list, const SchemaNode& leaf);
    const Value* values(std::uint32_t table);        // of a Table of any values
    const std::uint64_t* words(std::uint32_t table); // of TableRows
    // How the sets of a table lie to the rows that have them, each with its rows in pairs of words.
    struct Steps {
        form::Shifts shifts;
        std::unique_ptr<std::uint64_t[]> masks;
        std::unique_ptr<std::uint64_t[]> wide; // the same, eight words each
    };
    const Steps& steps(std::uint32_t table, std::uint32_t rows);
    // Eight words with the rows of a domain, which has no more.
    const std::uint64_t* all_rows(std::uint32_t size);
    const Value* list(std::uint32_t list); // by code; of code 0 none

  private:
    const form::Module& module_;
    struct Bytes {
        std::uint32_t table;
        form::Type type;
        std::uint32_t width;
        const std::uint8_t* data;
    };
    LowMemory memory_;
    std::vector<Bytes> bytes_;
    std::unordered_map<std::uint32_t, const std::uint64_t*> words_;
    std::unordered_map<std::uint32_t, Steps> steps_;
    std::unordered_map<std::uint32_t, std::unique_ptr<std::uint64_t[]>> all_rows_;
    std::vector<std::pair<std::string, const void*>> held_; // by their bytes
    std::vector<std::unique_ptr<Value[]>> lists_;
    std::unordered_map<std::uint32_t, std::unique_ptr<Value[]>> values_;
};

} // namespace croupier::engine::x86
