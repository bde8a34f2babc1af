// How nodes of the intermediate form are run: each by the function of its kind, as nodes.def has
// it.
#include "engine/run/interpreter.h"

#include "engine/ir/probe.h"

#include <algorithm>
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
typename Interpreter::Way<wanted>::Gives Interpreter::give(const Node& node,
                                                           typename Way<wanted>::Told told) {
    CROUPIER_INTERPRETED(node.kind);
    switch (node.kind) {
#define NODE(name, operands, result, blocks, effects, meaning)                                     \
    case Kind::name:                                                                               \
        return give_as<wanted, Kind::name>(node, told);
#include "engine/ir/nodes.def"
    }
    throw std::logic_error("a node of no kind");
}

Slot Interpreter::slot_of_others(const Node& node) {
    return give<'x'>(node, {});
}

Interpreter::Rows Interpreter::rows(ir::Id id) {
    return give<'s'>(at(id), {});
}

Document Interpreter::data(ir::Id id, const Runtime::Allowed& place) {
    return give<'d'>(at(id), place);
}

Member Interpreter::member(ir::Id id, const Runtime::Allowed& place) {
    return give<'w'>(at(id), place);
}

Argument Interpreter::argument(ir::Id id) {
    return give<'q'>(at(id), {});
}

Interpreter::Flow Interpreter::step(ir::Id id, const Taker& taker) {
    return give<'-'>(at(id), taker);
}

Interpreter::Flow Interpreter::search(ir::BlockId id, const Taker& taker) {
    for (const ir::Id statement : statements(id)) {
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
    for (const ir::Id statement : statements(id)) {
        step(statement, Taker());
    }
}

void Interpreter::walk_another() {
    const auto known =
        std::find_if(prepared_.begin(), prepared_.end(),
                     [&](const PreparedFunction& each) { return &each.written() == function_; });
    walked_ = known != prepared_.end()
                  ? &*known
                  : &prepared_.emplace_back(module_, *function_, slots_.data());
    nodes_ = walked_->nodes();
}

Span Interpreter::span_of(const Node& node) const {
    const ir::NoteId note = walked_->written(node).note;
    return note == ir::kNothing ? runtime_.span_of_rule() : module_.notes[note].span;
}

// For who watches.
void Interpreter::note_value(ir::VarId var) {
    if (const std::uint32_t place = (*shown_as_)[var]; place != kNone) {
        shown_[place] = value_of(function_->vars[var].type, slots_[var]);
    }
}

} // namespace croupier::engine
