// How nodes of the intermediate form are run: each by the function of its kind, as nodes.def has
// it.
#include "engine/run/interpreter.h"

#include "engine/ir/probe.h"

#include <stdexcept>
#include <string>
#include <string_view>

namespace croupier::engine {

namespace {

// What the table says of the results and the effects of a kind.
struct Facts {
    char result;
    std::string_view effects;
};
constexpr Facts kFacts[] = {
#define NODE(name, operands, result, blocks, effects, meaning) {(result)[0], effects},
#include "engine/ir/nodes.def"
};

constexpr const Facts& facts_of(ir::Kind kind) {
    return kFacts[static_cast<std::size_t>(kind)];
}

constexpr bool is_written(ir::Kind kind) {
    return facts_of(kind).effects.find('W') != std::string_view::npos;
}

// Whether a kind with that result is run where `wanted` is.
constexpr bool gives(char result, char wanted) {
    const bool is_slot = std::string_view("ticavkn").find(result) != std::string_view::npos;
    return result == wanted || (wanted == 'x' && is_slot);
}

} // namespace

template <char wanted, ir::Kind kind>
typename Interpreter::Way<wanted>::Gives Interpreter::give_as(const Node& node,
                                                              typename Way<wanted>::Told told) {
    if constexpr (!gives(facts_of(kind).result, wanted)) {
        throw std::logic_error("no place for a node of kind " +
                               std::string(ir::info_of(kind).name));
    } else if constexpr (is_written(kind)) {
        try {
            return run(Is<kind>{}, node, told);
        } catch (const ShapeFault& fault) {
            runtime_.fail(RunErrorKind::Shape, span_of(node), fault.what());
        }
    } else {
        return run(Is<kind>{}, node, told);
    }
}

template <char wanted>
typename Interpreter::Way<wanted>::Gives Interpreter::give(ir::Id id,
                                                           typename Way<wanted>::Told told) {
    const Node& node = at(id);
    CROUPIER_INTERPRETED(node.kind);
    switch (node.kind) {
#define NODE(name, operands, result, blocks, effects, meaning)                                     \
    case Kind::name:                                                                               \
        return give_as<wanted, Kind::name>(node, told);
#include "engine/ir/nodes.def"
    }
    throw std::logic_error("a node of no kind");
}

Interpreter::Slot Interpreter::slot(ir::Id id) {
    return give<'x'>(id, {});
}

Interpreter::Rows Interpreter::rows(ir::Id id) {
    return give<'s'>(id, {});
}

Document Interpreter::data(ir::Id id, const Runtime::Allowed& place) {
    return give<'d'>(id, place);
}

Member Interpreter::member(ir::Id id, const Runtime::Allowed& place) {
    return give<'w'>(id, place);
}

Argument Interpreter::argument(ir::Id id) {
    return give<'q'>(id, {});
}

Interpreter::Flow Interpreter::step(ir::Id id, const Taker& taker) {
    return give<'-'>(id, taker);
}

Interpreter::Flow Interpreter::search(ir::BlockId id, const Taker& taker) {
    for (const ir::Id statement : block(id).statements) {
        if (const Flow flow = step(statement, taker); flow != Flow::GoesOn) {
            return flow;
        }
    }
    return Flow::GoesBack;
}

bool Interpreter::has_result(ir::BlockId block) {
    auto enough = [](const Node&) { return false; };
    return search(block, Taker(enough)) == Flow::Ends;
}

void Interpreter::perform(ir::BlockId id) {
    for (const ir::Id statement : block(id).statements) {
        step(statement, Taker());
    }
}

Span Interpreter::span_of(const Node& node) const {
    return node.note == ir::kNothing ? runtime_.span_of_rule() : module_.notes[node.note].span;
}

void Interpreter::set(ir::VarId var, const Slot& slot) {
    slots_[var] = slot;
    if (tells_entries_ && (*shown_as_)[var] != kNone) {
        shown_[(*shown_as_)[var]] = value_of(function_->vars[var].type, slot);
    }
}

} // namespace croupier::engine
