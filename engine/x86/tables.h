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

// Memory that machine code reads, at addresses that fit into an instruction, if possible.

// Memory is freed only all at once.
class LowMemory {
  public:
    LowMemory() = default;
    LowMemory(const LowMemory&) = delete;
    LowMemory& operator=(const LowMemory&) = delete;
    ~LowMemory();

    // Returns zeroed memory, aligned for words.
    std::uint8_t* take(std::size_t bytes);

  private:
    void add_room(std::size_t bytes);

    std::uint8_t* next_ = nullptr;
    std::size_t left_ = 0;
    std::vector<std::pair<void*, std::size_t>> mapped_;
    std::vector<std::unique_ptr<std::uint64_t[]>> allocated_; // if the system has no low memory
};

// Tables of the module as machine code reads them, at fixed addresses: they must live as long as
// the code.
class Tables {
  public:
    explicit Tables(const form::Module& module) : module_(module) {}

    // The codes, or 0 and 1, of a Table: in bytes, or in pairs of bytes for larger codes.
    struct Entries {
        const void* data = nullptr;
        std::uint32_t width = 1;
    };
    Entries entries(std::uint32_t table, const form::Type& type);
    // The leaf's codes for the values of a list, by their codes in the list; null if they are the
    // same.
    Entries held(std::uint32_t list, const SchemaNode& leaf);
    const Value* values(std::uint32_t table);        // of a Table of any values
    const std::uint64_t* words(std::uint32_t table); // of TableRows
    // The shifts of a table of sets, each with its rows in pairs of words.
    struct Steps {
        form::Shifts shifts;
        std::unique_ptr<std::uint64_t[]> masks;
        std::unique_ptr<std::uint64_t[]> wide; // the same, eight words each
    };
    const Steps& steps(std::uint32_t table, std::uint32_t rows);
    // Eight words with all rows of a domain, which must fit.
    const std::uint64_t* all_rows(std::uint32_t size);
    const Value* list(std::uint32_t list); // by code; none for code 0

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
