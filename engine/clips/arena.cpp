// Blocks of memory, saved and restored.
#include "engine/clips/arena.h"

#include <algorithm>

namespace croupier::engine::clips {

void* Arena::take_new(std::size_t bytes) {
    while (current_ < blocks_.size()) {
        Block& block = blocks_[current_];
        if (block.size - block.used >= bytes) {
            void* piece = block.memory.get() + block.used;
            block.used += bytes;
            used_ += bytes;
            return piece;
        }
        if (current_ + 1 == blocks_.size()) break;
        ++current_;
    }
    const std::size_t size = std::max(kBlock, bytes);
    if (used_ + size > limit_) throw MemoryLimit();
    blocks_.push_back({std::make_unique<std::byte[]>(size), size, bytes});
    current_ = blocks_.size() - 1;
    used_ += bytes;
    return blocks_.back().memory.get();
}

void Arena::fence() {
    fenced_free_ = free_;
    free_ = {};
    fenced_used_ = used_;
    fence_ = blocks_.size();
    current_ = fence_; // take_new makes the first
}

void Arena::unfence() {
    blocks_.resize(fence_);
    current_ = fence_ == 0 ? 0 : fence_ - 1;
    fence_ = 0;
    free_ = fenced_free_;
    used_ = fenced_used_;
    forget();
}

void Arena::save() {
    saved_bytes_.clear();
    saved_used_.clear();
    for (std::size_t i = fence_; i < blocks_.size(); ++i) {
        const Block& block = blocks_[i];
        saved_used_.push_back(block.used);
        saved_bytes_.insert(saved_bytes_.end(), block.memory.get(),
                            block.memory.get() + block.used);
    }
    saved_free_ = free_;
    saved_total_ = used_;
    saved_current_ = current_;
    has_saved_ = true;
}

void Arena::restore() {
    const std::byte* from = saved_bytes_.data();
    for (std::size_t i = fence_; i < blocks_.size(); ++i) {
        Block& block = blocks_[i];
        block.used = i - fence_ < saved_used_.size() ? saved_used_[i - fence_] : 0;
        std::memcpy(block.memory.get(), from, block.used);
        from += block.used;
    }
    free_ = saved_free_;
    used_ = saved_total_;
    current_ = saved_current_;
}

} // namespace croupier::engine::clips
