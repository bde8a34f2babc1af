// Hash tables of texts and multifields.
#include "engine/clips/interner.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

namespace croupier::engine::clips {
namespace {

std::size_t bytes_of(std::size_t fields) {
    return sizeof(Multifield) + fields * sizeof(Value);
}

} // namespace

Interner::Interner() : table_(64, nullptr) {
    no_ = symbol("FALSE");
    yes_ = symbol("TRUE");
    nil_ = symbol("nil");
    empty_ = multifield({});
}

Interner::~Interner() {
    for (Multifield* fields : table_)
        ::operator delete(fields);
}

const Text* Interner::text(std::string_view text) {
    if (const auto found = by_text_.find(text); found != by_text_.end()) return found->second;
    texts_.push_back({std::string(text)});
    const Text* made = &texts_.back();
    by_text_.emplace(made->text, made);
    bytes_ += sizeof(Text) + text.size() + 64;
    return made;
}

Value Interner::multifield(std::span<const Value> fields) {
    std::uint64_t hash = fields.size();
    for (const Value& value : fields)
        hash = hash_of(hash, value);
    const std::size_t mask = table_.size() - 1;
    std::size_t at = hash & mask;
    for (; table_[at] != nullptr; at = (at + 1) & mask) {
        const Multifield& there = *table_[at];
        if (there.hash == hash && there.size == fields.size() &&
            std::equal(fields.begin(), fields.end(), there.begin()))
            return Value::multi(table_[at]);
    }
    auto* made = new (::operator new(bytes_of(fields.size())))
        Multifield{static_cast<std::uint32_t>(fields.size()), false, hash};
    std::uninitialized_copy(fields.begin(), fields.end(), reinterpret_cast<Value*>(made + 1));
    table_[at] = made;
    bytes_ += bytes_of(fields.size());
    multifield_bytes_ += bytes_of(fields.size());
    if (++multifields_ * 2 > table_.size()) grow();
    return Value::multi(made);
}

void Interner::grow() {
    std::vector<Multifield*> old(table_.size() * 2, nullptr);
    old.swap(table_);
    const std::size_t mask = table_.size() - 1;
    for (Multifield* fields : old) {
        if (fields == nullptr) continue;
        std::size_t at = fields->hash & mask;
        while (table_[at] != nullptr)
            at = (at + 1) & mask;
        table_[at] = fields;
    }
}

void Interner::mark(const Value& value) {
    if (value.type != Type::Multifield) return;
    auto& fields = const_cast<Multifield&>(value.fields());
    fields.marked = true;
}

void Interner::sweep() {
    mark(empty_);
    std::vector<Multifield*> old(table_.size(), nullptr);
    old.swap(table_);
    const std::size_t mask = table_.size() - 1;
    for (Multifield* fields : old) {
        if (fields == nullptr) continue;
        if (!fields->marked) {
            bytes_ -= bytes_of(fields->size);
            multifield_bytes_ -= bytes_of(fields->size);
            --multifields_;
            ::operator delete(fields);
            continue;
        }
        fields->marked = false;
        std::size_t at = fields->hash & mask;
        while (table_[at] != nullptr)
            at = (at + 1) & mask;
        table_[at] = fields;
    }
}

} // namespace croupier::engine::clips
