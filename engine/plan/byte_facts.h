// What is known of bytes of the state at a place in a chain: from the tests on the way there, and
// from what its actions write.
#pragma once

#include "engine/plan/program.h"

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace croupier::engine {

// Of a column of one byte: some of the codes that it may hold, 0 for none.
using Codes = std::bitset<256>;

// How many codes there are for each byte of a column of bytes.
std::map<std::uint32_t, std::uint32_t> codes_of_bytes(const Layout& layout);

// Tests that have no effect but to fail, or to narrow the mask.
bool only_tests(OpCode code);

// What a test needs in order to hold: for each of these bytes one of those codes, and a flag.
struct Demand {
    std::vector<std::pair<std::uint32_t, Codes>> bytes;
    // The place of a flag among the state's bits, and whether it must be set.
    std::optional<std::pair<std::uint32_t, bool>> flag;
    bool is_whole = false; // it needs nothing else
};
Demand demand_of(const Op& op, const std::vector<std::uint64_t>& masks,
                 const std::map<std::uint32_t, std::uint32_t>& codes);

class ByteFacts {
  public:
    // The demand is met; or, of one that is whole, it is not.
    void hold(const Demand& demand);
    void fail(const Demand& demand);
    // Whether the test holds, if that is known.
    [[nodiscard]] std::optional<bool> outcome(const Demand& demand) const;
    // What holds on both of two ways.
    void meet(const ByteFacts& other);
    // What an op of a chain may write; with `surely`, what it has then written.
    void write(const Op& op, const Program& program, bool surely);

  private:
    void forget(std::uint32_t begin, std::uint32_t size);
    void forget_node(const Layout& layout, SchemaId schema);
    void forget_below(const Layout& layout, SchemaId schema);
    void forget_above(const Layout& layout, SchemaId schema);
    void write_action(std::uint32_t pc, const Program& program, bool surely);
    void write_change(const Op& op, const Program& program, bool surely);
    void write_path(const PathPlan& path, const Program& program);
    void write_rule(const RulePlan& rule, const Program& program);
    void clear();

    std::map<std::uint32_t, Codes> bytes_;
    std::map<std::uint32_t, bool> flags_; // by bit
};

} // namespace croupier::engine
