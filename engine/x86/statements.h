// Statements of a function as machine code: searches, actions, rules and groups.
#pragma once

#include "engine/x86/values.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace croupier::engine::x86 {

// ---- searches: tests that fail backtrack to the innermost loop, results are taken at once ----

// Writes the code for a result of a search, which then continues at `next`.
using Taker = std::function<void(const Node& yield, Label next)>;
void search(Context& c, BlockId block, Label fail, const Taker& taker);
void count_match(Context& c, const Gp& found);
void count_only_match(Context& c);
void count_firing(Context& c);

// ---- changes of the block by actions ----

void store(Context& c, Id id);
void ensure(Context& c, Id id);
void erase(Context& c, Id id);
std::size_t erase_fields(Context& c, std::span<const Id> statements);
void write_rows(Context& c, Id id);
std::size_t write_together(Context& c, std::span<const Id> statements);
std::vector<SchemaId> count_along(Context& c, BlockId action);
void stop_counting(Context& c, const std::vector<SchemaId>& maps);

// ---- matches between a search and the actions: in registers, or waiting in the buffer ----

[[nodiscard]] std::uint32_t width_of_match(const Context& c, const Node& apply);
void put_in_buffer(Context& c, const Node& apply, const Node& yield, const Gp& top,
                   std::uint32_t width);
// Sets the variables that the action reads.
void set_match(Context& c, const Node& apply, const Node& yield);
void copy_match(Context& c, const Node& apply, const Gp& place, bool to_buffer);

// ---- rules and groups: the order of searches and actions ----

void block(Context& c, BlockId id);
void enter_rule(Context& c, RuleId rule);
enum class Mode { Once, Rows, Buffered };
[[nodiscard]] Mode mode_of(const Context& c, const Node& apply);
void apply(Context& c, Id id);
void collect(Context& c, const Node& apply, const Gp& begin, const Gp& found);
void act(Context& c, const Node& apply, const Gp& begin, const Gp& found);
void act_otherwise(Context& c, const Node& apply);
void fire(Context& c, const Node& apply);
[[nodiscard]] bool takes_rows(const Context& c, const Node& apply);
void take_rows(Context& c, const Node& apply, const Node& yield, const Gp& found, Label next);
void act_on_rows(Context& c, const Node& apply, const Gp& found);
[[nodiscard]] Label beyond(const Context& c, BlockId action, Label otherwise);

} // namespace croupier::engine::x86
