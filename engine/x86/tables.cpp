// Tables of a module as machine code reads them.
#include "engine/x86/tables.h"

#include "engine/form/form.h"
#include "engine/state/layout.h"

#include <algorithm>
#include <cstring>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace croupier::engine::x86 {

// Maps memory in the lowest two gigabytes.

constexpr std::size_t kRoom = std::size_t{64} << 10;
constexpr std::size_t kWord = sizeof(std::uint64_t);

LowMemory::~LowMemory() {
#if defined(__linux__)
    for (const auto& [begin, bytes] : mapped_)
        munmap(begin, bytes);
#endif
}

std::uint8_t* LowMemory::take(std::size_t bytes) {
    bytes = (bytes + kWord - 1) / kWord * kWord;
    if (bytes > left_) add_room(std::max(bytes, kRoom));
    left_ -= bytes;
    return std::exchange(next_, next_ + bytes);
}

void LowMemory::add_room(std::size_t bytes) {
    left_ = bytes;
#if defined(__linux__) && defined(MAP_32BIT)
    void* const begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
    if (begin != MAP_FAILED) {
        mapped_.emplace_back(begin, bytes);
        next_ = static_cast<std::uint8_t*>(begin);
        return;
    }
#endif
    allocated_.push_back(std::make_unique<std::uint64_t[]>(bytes / kWord));
    next_ = reinterpret_cast<std::uint8_t*>(allocated_.back().get());
}

Tables::Entries Tables::entries(std::uint32_t table, const form::Type& type) {
    for (const Bytes& each : bytes_)
        if (each.table == table && each.type == type) return {each.data, each.width};
    const form::Entries& values = module_.tables[table].values;
    const bool codes = type.kind == form::TypeKind::Code;
    const std::size_t largest = codes ? module_.lists[type.list].values.size() : 1;
    Bytes made{table, type, largest < 256 ? 1u : 2u, nullptr};
    std::uint8_t* const data = memory_.take(values.size() * made.width);
    std::vector<std::uint32_t> entries;
    for (const Value& each : values.different())
        entries.push_back(codes ? form::code_of(module_, type.list, each) : each.truth() ? 1 : 0);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::memcpy(data + i * made.width, &entries[values.places()[i]], made.width);
    made.data = data;
    bytes_.push_back(made);
    return {made.data, made.width};
}

Tables::Entries Tables::held(std::uint32_t list, const SchemaNode& leaf) {
    const std::vector<Value>& values = module_.lists[list].values;
    const std::uint32_t width = leaf.column == Column::Code8 ? 1 : 2;
    std::string made((values.size() + 1) * width, '\0');
    bool same = true;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const std::uint32_t code = module_.catalogue->layout->code_of(leaf, values[i]);
        same = same && code == i + 1;
        std::memcpy(made.data() + (i + 1) * width, &code, width);
    }
    if (same) return {};
    auto known = std::find_if(held_.begin(), held_.end(),
                              [&](const auto& each) { return each.first == made; });
    if (known == held_.end()) {
        std::uint8_t* const data = memory_.take(made.size());
        std::copy(made.begin(), made.end(), data);
        known = held_.emplace(held_.end(), std::move(made), data);
    }
    return {known->second, width};
}

const Value* Tables::values(std::uint32_t table) {
    std::unique_ptr<Value[]>& all = values_[table];
    if (all == nullptr) {
        const form::Entries& values = module_.tables[table].values;
        all = std::make_unique<Value[]>(values.size());
        for (std::size_t i = 0; i < values.size(); ++i)
            all[i] = values[i];
    }
    return all.get();
}

const std::uint64_t* Tables::words(std::uint32_t table) {
    const std::uint64_t*& known = words_[table];
    if (known == nullptr) {
        const std::vector<std::uint64_t>& words = module_.tables[table].words;
        std::uint8_t* const data = memory_.take(words.size() * sizeof(std::uint64_t));
        std::memcpy(data, words.data(), words.size() * sizeof(std::uint64_t));
        known = reinterpret_cast<const std::uint64_t*>(data);
    }
    return known;
}

const Value* Tables::list(std::uint32_t list) {
    if (lists_.size() <= list) lists_.resize(list + std::size_t{1});
    if (lists_[list] == nullptr) {
        const std::vector<Value>& values = module_.lists[list].values;
        lists_[list] = std::make_unique<Value[]>(values.size() + 1);
        std::copy(values.begin(), values.end(), lists_[list].get() + 1);
    }
    return lists_[list].get();
}

} // namespace croupier::engine::x86
