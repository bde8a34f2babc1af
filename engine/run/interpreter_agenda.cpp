// Agenda groups: matches are kept from firing to firing, and one of them fires at a time.
#include "engine/ir/probe.h"
#include "engine/run/interpreter.h"
#include "engine/tree/journal.h"

namespace croupier::engine {

int Interpreter::Saliences::of(std::uint32_t rule, std::span<const Value> match) {
    return interpreter_.salience_of(interpreter_.apply_in(group_.blocks[rule]), match);
}

// Where the rule of a group's block is applied.
const PreparedNode& Interpreter::apply_in(ir::BlockId id) const {
    for (const ir::Id statement : statements(id)) {
        if (at(statement).kind == Kind::Apply) {
            return at(statement);
        }
    }
    throw std::logic_error("the block of a rule does not apply it");
}

// 1. Rules that look at something that was touched are searched again.
// 2. The strategy picks one activation, or chance among those of the highest salience.
// 3. Its action runs, and what it touches is noted.
void Interpreter::run_agenda(const Node& node) {
    const GroupPlan& group = catalogue_.groups[node.x];
    if (recognizer_ == nullptr) {
        recognizer_ = std::make_unique<Recognizer>();
    }
    Recognizer& recognizer = *recognizer_;
    Saliences saliences(*this, node);
    recognizer.begin(catalogue_, group, runtime_.state());
    const Journaling journaling(runtime_.state(), recognizer.journal());
    for (std::uint64_t firing = 0;; ++firing) {
        for (const std::uint32_t rule : recognizer.outdated()) {
            // Who watches sees every search.
            if (observer_ == nullptr && recognizer.is_ruled_out(rule)) {
                if (recognizer.has_matches(rule) && !CROUPIER_MISTAKE(OldMatchesStay)) {
                    recognizer.update(rule, {}, 0, saliences);
                }
                continue;
            }
            const Node& apply = reach_apply(node.blocks[rule]);
            tell_begins(apply.x);
            const std::uint64_t count = find_matches(apply);
            tell_matches(apply.x, 0, count);
            tell_ends(apply.x);
            recognizer.update(rule, buffer_, count, saliences);
            buffer_.clear();
        }
        recognizer.updated();
        if (observer_ != nullptr) {
            observer_->agenda_stands(group, recognizer);
        }
        const std::uint64_t choices = recognizer.choices();
        if (choices == 0 || firing >= group.agenda->limit.value_or(UINT64_MAX)) {
            break;
        }
        const bool by_chance = group.agenda->strategy == Strategy::Random;
        const Recognizer::Activation next =
            recognizer.pick(by_chance ? runtime_.random().below(choices) : 0);
        const Node& apply = apply_in(node.blocks[next.rule]);
        tell_begins(apply.x);
        act_on(apply, next.values);
        tell_ends(apply.x);
    }
    runtime_.set_rule(kNone);
}

int Interpreter::salience_of(const Node& apply, std::span<const Value> match) {
    load_match(apply, match);
    runtime_.set_rule(apply.x);
    int salience = 0;
    auto take = [&](const Node& yield) {
        const Value given = value(yield.operands[0]);
        const Value number = as_number(given, runtime_.symbols());
        if (number.tag != Tag::Int || number.integer < INT32_MIN || number.integer > INT32_MAX) {
            runtime_.fail(RunErrorKind::Type, span_of(at(yield.operands[0])),
                          "a salience is an integer of at most 32 bits");
        }
        salience = static_cast<int>(number.integer);
        return false;
    };
    search(apply.blocks[3], Taker(take));
    return salience;
}

} // namespace croupier::engine
