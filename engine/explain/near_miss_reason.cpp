// Finds out, where a partial match stops, what was looked at and what it should have been.
#include "engine/explain/near_miss.h"

#include "engine/run/runtime.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace croupier::engine {
namespace {

using Reason = WhyStop::Reason;

constexpr double kFar = std::numeric_limits<double>::max();

bool has_value(const Value* value) {
    return value != nullptr && value->tag != Tag::None;
}

std::string total_name(KeyKind kind) {
    switch (kind) {
    case KeyKind::Sum:
        return "sum";
    case KeyKind::Min:
        return "minimum";
    case KeyKind::Max:
        return "maximum";
    default:
        return "count";
    }
}

bool is_total(KeyKind kind) {
    return kind >= KeyKind::Count && kind <= KeyKind::Max;
}

std::optional<double> number(const Scalar& scalar) {
    if (const auto* integer = std::get_if<std::int64_t>(&scalar))
        return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&scalar)) return *real;
    return std::nullopt;
}

// Numbers by their difference; texts by how much of the longer one differs, from its beginning.
double distance_between(const Scalar& a, const Scalar& b) {
    const auto first = number(a);
    const auto second = number(b);
    if (first && second) return std::abs(*first - *second);
    const auto* const one = std::get_if<std::string>(&a);
    const auto* const other = std::get_if<std::string>(&b);
    if (one == nullptr || other == nullptr) return kFar / 4;
    std::size_t shared = 0;
    while (shared < std::min(one->size(), other->size()) && (*one)[shared] == (*other)[shared])
        ++shared;
    const auto longer = static_cast<double>(std::max(one->size(), other->size()));
    return longer == 0 ? 0 : 1 - static_cast<double>(shared) / longer;
}

} // namespace

// What the entry's value asks of a node.
const Pattern& NearMiss::asked_of(const Entry& entry) const {
    return is_total(entry.kind) ? entry.into[0] : entry.patterns[part_];
}

// ---- why it stopped ----------------------------------------------------------------------------

WhyStop NearMiss::make_stop(const Stopped& stopped) {
    const EntryPlace& place = places_[stopped.note.entry];
    WhyStop stop;
    stop.entry = stopped.note.entry;
    stop.span = place.span;
    stop.bound = bound_at(stopped);
    stop.distance = kFar;
    if (has_value(stopped.found)) stop.found = to_scalar(*stopped.found, runtime_->symbols());
    find_reason(*place.entry, stopped, stop);
    return stop;
}

void NearMiss::find_reason(const Entry& entry, const Stopped& stopped, WhyStop& stop) {
    switch (entry.kind) {
    case KeyKind::Test:
        stop.reason = Reason::Test;
        stop.test = asked_of(entry).kind == PatternKind::Expression && stopped.test.end != 0
                        ? stopped.test
                        : asked_of(entry).span;
        compare(entry, stopped, stop);
        break;
    case KeyKind::Not:
    case KeyKind::Exists:
    case KeyKind::Forall:
    case KeyKind::AnyOf:
        if (stopped.one_of_many) {
            find_reason_at_node(entry, stopped, stop);
        } else {
            find_reason_inside(entry, stop);
        }
        break;
    case KeyKind::Count:
    case KeyKind::Sum:
    case KeyKind::Min:
    case KeyKind::Max:
        stop.reason = stop.found ? Reason::Total : Reason::NoTotal;
        stop.wanted = total_name(entry.kind);
        compare(entry, stopped, stop);
        break;
    default:
        find_reason_at_node(entry, stopped, stop);
        break;
    }
}

void NearMiss::find_reason_at_node(const Entry& entry, const Stopped& stopped, WhyStop& stop) {
    const Standing& standing = standing_[entry.id];
    if (is_loop(entry) && !stopped.one_of_many) {
        stop.reason = Reason::NoChild;
        stop.node = path_of(standing.at);
        if (runtime_->first_child(standing.at)) stop.wanted = entry.type.name;
        stop.found.reset();
        return;
    }
    const Place place = place_of(entry);
    const Pattern& asked = asked_of(entry);
    stop.node = place.path;
    const Value held = runtime_->value(place.node);
    if (held.tag != Tag::None && !stop.found) stop.found = to_scalar(held, runtime_->symbols());
    if (asked.kind == PatternKind::Absent) {
        stop.reason = Reason::IsThere;
    } else if (!place.node) {
        stop.reason = Reason::NoNode;
    } else if (entry.kind == KeyKind::Variable && !is_loop(entry) && !entry.type.name.empty() &&
               stopped.left == nullptr && asked.kind == PatternKind::Object) {
        stop.reason = Reason::Type;
        stop.node = "$" + entry.variable;
        stop.found = to_scalar(*variable(entry.variable), runtime_->symbols());
        stop.wanted = entry.type.name;
    } else if (!stop.found) {
        stop.reason = Reason::NoValue;
    } else {
        stop.reason = Reason::Value;
        compare(entry, stopped, stop);
    }
}

// What was compared, and how far it is from what would do.
void NearMiss::compare(const Entry& entry, const Stopped& stopped, WhyStop& stop) const {
    const Pattern& asked = asked_of(entry);
    if (has_value(stopped.left) && has_value(stopped.right)) {
        stop.sides = {to_scalar(*stopped.left, runtime_->symbols()),
                      to_scalar(*stopped.right, runtime_->symbols())};
        stop.compare = stopped.compare;
    }
    if (asked.kind == PatternKind::Expression && entry.kind != KeyKind::Test) {
        // Equality is a matter of the whole entry.
        const bool is_test = stopped.test != stop.span && stopped.test.end != 0;
        if (is_test || !stop.sides) stop.test = is_test ? stopped.test : asked.span;
    }
    if (!stop.sides && (asked.kind == PatternKind::Bind || asked.kind == PatternKind::Assign) &&
        !asked.type.name.empty() && entry.kind != KeyKind::Test) {
        stop.reason = Reason::Type;
        stop.wanted = asked.type.name;
    }
    if (asked.kind == PatternKind::OneOf) {
        for (const Expr& choice : asked.choices) {
            const std::optional<Value> value = plain_value(choice);
            if (value)
                stop.wanted += (stop.wanted.empty() ? "" : " or ") +
                               show(to_scalar(*value, runtime_->symbols()));
        }
        stop.sides.reset();
    }
    stop.distance = distance_to(asked, stop);
    const bool equality =
        asked.kind == PatternKind::OneOf || (stop.sides && stop.compare == ExprOp::Equal);
    if (equality) stop.shared = shared_beside(entry);
}

double NearMiss::distance_to(const Pattern& pattern, const WhyStop& stop) const {
    if (stop.sides) return distance_between(stop.sides->first, stop.sides->second);
    double least = kFar / 2;
    if (pattern.kind == PatternKind::OneOf && stop.found) {
        for (const Expr& choice : pattern.choices) {
            const std::optional<Value> value = plain_value(choice);
            if (value)
                least = std::min(
                    least, distance_between(*stop.found, to_scalar(*value, runtime_->symbols())));
        }
    }
    return least;
}

void NearMiss::find_reason_inside(const Entry& entry, WhyStop& stop) {
    const Inside& inside = inside_[entry.id];
    stop.node = path_of(standing_[entry.id].at);
    stop.found.reset();
    switch (entry.kind) {
    case KeyKind::Not:
        stop.reason = Reason::Match;
        find_match(entry, stop);
        break;
    case KeyKind::Forall:
        stop.reason = Reason::Counter;
        add_inside(stop.inside, entry.id, 0, nullptr);
        if (const auto found = inside.nearest.find(1); found != inside.nearest.end())
            stop.nearest.push_back(found->second);
        break;
    default:
        stop.reason = entry.kind == KeyKind::Exists ? Reason::NoMatch : Reason::NoAlternative;
        for (const auto& [part, nearest] : inside.nearest)
            stop.nearest.push_back(nearest);
        break;
    }
}

// What the search has found: the node that it came to last, or which test has held; and what came
// nearest in the @nots inside, which have found nothing.
void NearMiss::find_match(const Entry& search, WhyStop& stop) {
    const Inside& inside = inside_[search.id];
    const Entry* const tried = inside.tried == kNone ? nullptr : places_[inside.tried].entry;
    const std::uint32_t part = tried == nullptr ? 0 : places_[tried->id].part;
    add_inside(stop.inside, search.id, part, nullptr);
    for (const EntryPlace& place : places_.all()) {
        if (place.scope != search.id || place.part != part || place.entry->kind != KeyKind::Not)
            continue;
        WhyStop& nothing = stop.nearest.emplace_back();
        nothing.entry = place.entry->id;
        nothing.span = place.span;
        nothing.reason = Reason::NoMatch;
        nothing.node = path_of(standing_[place.entry->id].at);
        for (const auto& [ignored, nearest] : inside_[place.entry->id].nearest)
            nothing.nearest.push_back(nearest);
    }
    const KeyKind kind = tried == nullptr ? KeyKind::Name : tried->kind;
    if (kind == KeyKind::Exists || kind == KeyKind::AnyOf) {
        find_match(*tried, stop);
    } else if (kind == KeyKind::Test || (searches_inside(kind) && kind != KeyKind::Not)) {
        stop.node.clear();
        if (kind != KeyKind::Test || stop.inside.empty())
            stop.test = kind == KeyKind::Test ? tried->patterns[0].span : tried->span;
    } else if (tried != nullptr && inside.last == kNone) {
        stop.node.clear();
    } else {
        const Place last =
            tried != nullptr ? place_of(*places_[inside.last].entry) : place_of(search);
        stop.node = last.path;
        stop.absent = !last.node;
        const Value value = runtime_->value(last.node);
        if (value.tag != Tag::None) stop.found = to_scalar(value, runtime_->symbols());
    }
}

// ---- what else would hold ----------------------------------------------------------------------

// A value that is known without computing.
std::optional<Value> NearMiss::plain_value(const Expr& expr) const {
    if (expr.op == ExprOp::Literal) return to_value(expr.literal, runtime_->symbols());
    if (expr.op != ExprOp::Variable) return std::nullopt;
    const Value* const value = variable(expr.variable);
    return has_value(value) ? std::optional(*value) : std::nullopt;
}

// How many of the entries that stand behind it in its object hold as well, as far as that can be
// told without a search.
std::uint32_t NearMiss::shared_beside(const Entry& entry) const {
    const EntryPlace& place = places_[entry.id];
    std::uint32_t shared = 0;
    for (const Entry& other : place.among->entries) {
        if (other.id > entry.id && surely_holds(other, standing_[entry.id].at)) ++shared;
    }
    return shared;
}

bool NearMiss::surely_holds(const Entry& entry, NodeRef at) const {
    if (entry.kind != KeyKind::Name || !entry.key.is_name()) return false;
    const Pattern& asked = entry.patterns[0];
    const NodeRef node = child({at, {}}, entry.key.parts[0].text).node;
    if (asked.kind == PatternKind::Absent) return !node;
    const Value value = runtime_->value(node);
    if (asked.kind != PatternKind::Value && asked.kind != PatternKind::Compare) return false;
    const std::optional<Value> other = plain_value(asked.expr);
    if (value.tag == Tag::None || !other) return false;
    return runtime_->compares(asked.kind == PatternKind::Value ? ExprOp::Equal : asked.compare,
                              value, *other);
}

} // namespace croupier::engine
