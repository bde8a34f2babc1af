// Actions: changes of the state, calls, lines of the log.
#include "engine/ir/probe.h"
#include "engine/run/interpreter.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace croupier::engine {

// ---- nodes by keys and paths -----------------------------------------------------------------

Interpreter::Flow Interpreter::run(Is<Kind::Inner>, const Node& node, const Taker&) {
    runtime_.state().make_inner(this->node(node.operands[0]));
    return Flow::GoesOn;
}

Slot Interpreter::run(Is<Kind::MakeChild>, const Node& node, Nothing) {
    const NodeRef above = this->node(node.operands[0]);
    return Slot(runtime_.make_child(above, key(node.operands[1]), span_of(node)));
}

Slot Interpreter::run(Is<Kind::MakePath>, const Node& node, Nothing) {
    return Slot(runtime_.make(path(node), span_of(node)));
}

Interpreter::Flow Interpreter::run(Is<Kind::SetChild>, const Node& node, const Taker&) {
    const NodeRef above = this->node(node.operands[0]);
    const Symbol key = this->key(node.operands[1]);
    const Value value = this->value(node.operands[2]);
    runtime_.set_child(above, key, value, span_of(node));
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::SetPath>, const Node& node, const Taker&) {
    const Path path = this->path(node, 1);
    runtime_.check_base(path, span_of(node));
    const Value value = this->value(node.operands[0]);
    runtime_.set(path, value, span_of(node));
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::RemoveChild>, const Node& node, const Taker&) {
    const NodeRef above = this->node(node.operands[0]);
    runtime_.remove_child(above, key(node.operands[1]), span_of(node));
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::RemovePath>, const Node& node, const Taker&) {
    runtime_.remove(path(node), span_of(node));
    return Flow::GoesOn;
}

// ---- data, which is computed for a place; only then it counts whether the place may hold any ----

Interpreter::Flow Interpreter::run(Is<Kind::PutChild>, const Node& node, const Taker&) {
    const NodeRef above = this->node(node.operands[0]);
    const Symbol key = this->key(node.operands[1]);
    const Document document = data(node.operands[2], runtime_.allowed_below(above, key));
    runtime_.put_child(above, key, document, span_of(node));
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::PutPath>, const Node& node, const Taker&) {
    const Path path = this->path(node, 1);
    const Document document = data(node.operands[0], runtime_.allowed_at(path, span_of(node)));
    runtime_.put(path, document, span_of(node));
    return Flow::GoesOn;
}

Document Interpreter::run(Is<Kind::DataValue>, const Node& node, const Runtime::Allowed& place) {
    return runtime_.leaf(value(node.operands[0]), place);
}

Document Interpreter::run(Is<Kind::DataList>, const Node& node, const Runtime::Allowed& place) {
    Document document;
    document.kind = Document::Kind::Array;
    for (const ir::Id element : node.operands) {
        const std::string name = std::to_string(document.members.size());
        const Symbol key = runtime_.symbols().intern(name);
        document.members.push_back({name, {}, data(element, runtime_.allowed_below(place, key))});
    }
    return document;
}

// Of members with the same key the last counts, in the place of the first.
Document Interpreter::run(Is<Kind::DataObject>, const Node& node, const Runtime::Allowed& place) {
    Document document;
    document.kind = Document::Kind::Object;
    for (const ir::Id operand : node.operands) {
        Member made = member(operand, place);
        const auto same = std::find_if(document.members.begin(), document.members.end(),
                                       [&](const Member& each) { return each.key == made.key; });
        if (same != document.members.end()) {
            if (!CROUPIER_MISTAKE(FirstMemberCounts)) same->value = std::move(made.value);
        } else {
            document.members.push_back(std::move(made));
        }
    }
    return document;
}

Member Interpreter::run(Is<Kind::DataMember>, const Node& node, const Runtime::Allowed& place) {
    const Symbol key = this->key(node.operands[0]);
    std::string name(runtime_.symbols().text(key));
    Document below = data(node.operands[1], runtime_.allowed_below(place, key));
    return {std::move(name), {}, std::move(below)};
}

// ---- other statements ------------------------------------------------------------------------

Interpreter::Flow Interpreter::run(Is<Kind::Do>, const Node& node, const Taker&) {
    slot(node.operands[0]);
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::If>, const Node& node, const Taker&) {
    perform(node.blocks[truth(node.operands[0]) ? 0 : 1]);
    return Flow::GoesOn;
}

PreparedCall& Interpreter::prepared(const Node& call) {
    PreparedCall& made = calls_[call.x];
    const ir::Node& written = walked_->written(call);
    if (made.node() != &written) {
        made = PreparedCall(module_, *function_, written);
    }
    return made;
}

Interpreter::Flow Interpreter::run(Is<Kind::Call>, const Node& node, const Taker&) {
    const ir::CallInfo& info = module_.calls[node.x];
    const auto name = [&](const Node& argument) -> std::string_view {
        return info.arguments[static_cast<std::size_t>(argument.number)];
    };
    std::vector<Argument> arguments;
    if (PreparedCall& call = prepared(node); call.is_known()) {
        const std::size_t begin = operands_.size();
        for (const ir::Id operand : node.operands) {
            const bool is_value = at(operand).kind == Kind::ArgumentValue;
            operands_.push_back(is_value ? value(at(operand).operands[0]) : Value{});
        }
        if (call.run(runtime_, std::span(operands_).subspan(begin))) {
            operands_.resize(begin);
            return Flow::GoesOn;
        }
        for (std::size_t i = 0; i < node.operands.size(); ++i) {
            const Node& argument = at(node.operands[i]);
            const bool is_path = argument.kind == Kind::ArgumentPath;
            arguments.push_back(
                {name(argument), is_path, is_path ? path(argument) : Path(), operands_[begin + i]});
        }
        operands_.resize(begin);
    } else {
        for (const ir::Id operand : node.operands) {
            arguments.push_back(argument(operand));
            arguments.back().name = name(at(operand));
        }
    }
    Call(runtime_, info.function, arguments, span_of(node)).run();
    return Flow::GoesOn;
}

Argument Interpreter::run(Is<Kind::ArgumentPath>, const Node& node, Nothing) {
    return {.is_path = true, .path = path(node)};
}

Argument Interpreter::run(Is<Kind::ArgumentValue>, const Node& node, Nothing) {
    return {.value = value(node.operands[0])};
}

Interpreter::Flow Interpreter::run(Is<Kind::Print>, const Node& node, const Taker&) {
    std::string line;
    for (const ir::Id part : node.operands) {
        line += runtime_.text(value(part));
    }
    if (log_ != nullptr) {
        log_->line(line);
    }
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::Before>, const Node& node, const Taker&) {
    if (tells_entries_) {
        observer_->change_begins(module_.notes[node.x], runtime_.state());
    }
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::After>, const Node& node, const Taker&) {
    if (tells_entries_) {
        observer_->change_ends(module_.notes[node.x], runtime_.state());
    }
    return Flow::GoesOn;
}

// ---- declared nodes --------------------------------------------------------------------------

Interpreter::Flow Interpreter::run(Is<Kind::Ensure>, const Node& node, const Taker&) {
    runtime_.ensure(instance(node), span_of(node));
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::Store>, const Node& node, const Taker&) {
    const Value value = this->value(node.operands[0]);
    runtime_.store(instance(node, 1), value);
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::Erase>, const Node& node, const Taker&) {
    runtime_.erase(instance(node));
    return Flow::GoesOn;
}

// The instances that the rows of the set, an operand, have in the innermost map get the value, or
// go if there is none; the operands behind the set are the codes of the maps around.
void Interpreter::write_rows(const Node& node, std::size_t set, const Value* value) {
    const std::span<const std::uint32_t> scales = node.place->scales;
    std::uint32_t first = 0;
    for (std::size_t i = set + 1; i < node.operands.size(); ++i) {
        const std::uint32_t code = this->code(node.operands[i]);
        if (code == 0) {
            return;
        }
        first += (code - 1) * scales[i - set - 1];
    }
    const Rows rows = this->rows(node.operands[set]);
    for (std::uint32_t word = 0; word < rows.size(); ++word) {
        for (std::uint64_t left = rows[word]; left != 0; left &= left - 1) {
            const std::uint32_t row =
                word * kWordRows + static_cast<std::uint32_t>(std::countr_zero(left));
            const NodeRef instance{node.place->schema, first + row};
            value != nullptr ? runtime_.store(instance, *value) : runtime_.erase(instance);
        }
    }
}

Interpreter::Flow Interpreter::run(Is<Kind::StoreRows>, const Node& node, const Taker&) {
    const Value value = this->value(node.operands[0]);
    write_rows(node, 1, &value);
    return Flow::GoesOn;
}

Interpreter::Flow Interpreter::run(Is<Kind::EraseRows>, const Node& node, const Taker&) {
    write_rows(node, 0, nullptr);
    return Flow::GoesOn;
}

} // namespace croupier::engine
