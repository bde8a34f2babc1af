// Follows the search of a condition: where its entries are, what is bound, which match came
// nearest.
#include "engine/explain/near_miss.h"

#include "engine/language/print.h"
#include "engine/language/words.h"
#include "engine/run/runtime.h"

#include <fmt/format.h>

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
    const std::string name(word_of(kind).substr(1));
    return kind == KeyKind::Min || kind == KeyKind::Max ? name + "imum" : name;
}

std::optional<double> number(const Scalar& scalar) {
    if (const auto* integer = std::get_if<std::int64_t>(&scalar))
        return static_cast<double>(*integer);
    if (const auto* real = std::get_if<double>(&scalar)) return *real;
    return std::nullopt;
}

// Numbers differ by their distance, texts by the share of the longer one after the common prefix.
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

// ---- where a partial match ended, in words ---------------------------------------------------

bool same(const Scalar& a, const Scalar& b) {
    return show(a) == show(b);
}

// "is 5, not > 7": the value found, and the value it was compared with.
std::string is_not_other(const WhyStop& stop) {
    const auto& [left, right] = *stop.sides;
    const std::string text = "is " + show(*stop.found);
    const std::string wanted = show(same(left, *stop.found) ? right : left);
    if (stop.compare == ExprOp::NotEqual) return text + ", which it must not be";
    if (stop.compare == ExprOp::Equal) return fmt::format("{}, not {}", text, wanted);
    return fmt::format("{}, not {} {}", text, operator_of(stop.compare).text, wanted);
}

// "`$B > 10`"
std::string quoted_test(const WhyStop& stop, const Sources& sources) {
    std::string test = excerpt(sources, stop.test, 48);
    if (test.size() > 1 && test.front() == '"' && test.back() == '"')
        test = test.substr(1, test.size() - 2);
    return '`' + test + '`';
}

// "`$B > 10` does not hold: 4 > 10"
std::string test_text(const WhyStop& stop, const Sources& sources) {
    std::string text = quoted_test(stop, sources) + " does not hold";
    if (stop.sides)
        text += fmt::format(": {} {} {}", show(stop.sides->first), operator_of(stop.compare).text,
                            show(stop.sides->second));
    return text;
}

std::string value_text(const WhyStop& stop, const Sources& sources) {
    const bool compares_it =
        stop.sides && stop.found &&
        (same(stop.sides->first, *stop.found) || same(stop.sides->second, *stop.found));
    if (!stop.found) return stop.node + " has no value";
    // "$this > 3" compares the value itself.
    const bool is_plain = compares_it && same(stop.sides->first, *stop.found) &&
                          excerpt(sources, stop.test)
                              .starts_with("$this " + std::string(operator_of(stop.compare).text));
    if (stop.test.end != 0 && !is_plain)
        return fmt::format("{} is {}: {}", stop.node, show(*stop.found), test_text(stop, sources));
    if (compares_it) return fmt::format("{} {}", stop.node, is_not_other(stop));
    if (stop.sides)
        return fmt::format("{} is {}, and {} is not {}", stop.node, show(*stop.found),
                           show(stop.sides->first), show(stop.sides->second));
    return fmt::format("{} is {}{}", stop.node, show(*stop.found),
                       stop.wanted.empty() ? ", which does not match" : ", not " + stop.wanted);
}

std::string with(const NamedValues& values) {
    return values.empty() ? "" : " with " + to_text(values);
}

std::string nearest_text(const WhyStop& stop, const Sources& sources) {
    if (stop.nearest.empty()) return {};
    const WhyStop& nearest = stop.nearest[0];
    const bool tells_inside = nearest.reason == Reason::Match || nearest.reason == Reason::Counter;
    return fmt::format("; nearest{}: {}", tells_inside ? "" : with(nearest.inside),
                       to_sentence(nearest, sources));
}

// Names the match that must not exist.
std::string match_text(const WhyStop& stop, const Sources& sources) {
    if (stop.test.end != 0)
        return fmt::format("{} holds{}, which it must not", quoted_test(stop, sources),
                           with(stop.inside));
    if (stop.node.empty() && stop.inside.empty() && !stop.nearest.empty())
        return to_sentence(stop.nearest[0], sources);
    std::string text = "a forbidden match exists";
    if (!stop.node.empty()) {
        text += fmt::format(": {} is {}{}", stop.node,
                            stop.absent  ? "not there"
                            : stop.found ? show(*stop.found)
                                         : "there",
                            with(stop.inside));
    } else if (!stop.inside.empty()) {
        text += ": " + to_text(stop.inside);
    }
    for (const WhyStop& nothing : stop.nearest)
        text += ", and nothing fits the @not inside" + nearest_text(nothing, sources);
    return text;
}

} // namespace

bool is_nearer(const WhyStop& one, const WhyStop& other) {
    if (one.entry != other.entry) return one.entry > other.entry;
    const bool compares_inside =
        !one.nearest.empty() && !other.nearest.empty() && one.reason != Reason::NoAlternative;
    if (compares_inside) {
        if (is_nearer(one.nearest[0], other.nearest[0])) return true;
        if (is_nearer(other.nearest[0], one.nearest[0])) return false;
    }
    if (one.shared != other.shared) return one.shared > other.shared;
    return one.distance < other.distance;
}

std::string to_sentence(const WhyStop& stop, const Sources& sources) {
    switch (stop.reason) {
    case Reason::NoNode:
        return fmt::format("there is no {}", stop.node);
    case Reason::IsThere:
        return fmt::format("{} is there{}", stop.node,
                           stop.found ? ": " + show(*stop.found) : std::string());
    case Reason::NoValue:
        return fmt::format("{} has no value", stop.node);
    case Reason::Value:
        return value_text(stop, sources);
    case Reason::Type:
        return fmt::format("{} is {}, not of type {}", stop.node,
                           stop.found ? show(*stop.found) : "nothing", stop.wanted);
    case Reason::Test:
        return test_text(stop, sources);
    case Reason::Total:
        if (stop.sides && stop.found && stop.test.end == 0)
            return fmt::format("the {} {}", stop.wanted, is_not_other(stop));
        return fmt::format("the {} is {}{}", stop.wanted, stop.found ? show(*stop.found) : "none",
                           stop.test.end == 0 ? ", which does not match"
                                              : ": " + test_text(stop, sources));
    case Reason::NoTotal:
        return fmt::format("there is nothing to take the {} of", stop.wanted);
    case Reason::Match:
        return match_text(stop, sources);
    case Reason::NoMatch:
        return "nothing there fits" + nearest_text(stop, sources);
    case Reason::Counter:
        return fmt::format("it does not hold{}{}",
                           stop.inside.empty() ? " for all" : " for " + to_text(stop.inside),
                           stop.nearest.empty() ? ""
                                                : ": " + to_sentence(stop.nearest[0], sources));
    case Reason::NoAlternative: {
        std::string text = "no alternative holds";
        for (std::size_t i = 0; i < stop.nearest.size(); ++i)
            text += fmt::format("{} {}",
                                i == 0 ? ":" : "; nor:", to_sentence(stop.nearest[i], sources));
        return text;
    }
    case Reason::NoChild:
        return stop.wanted.empty()
                   ? fmt::format("{} has no children", stop.node)
                   : fmt::format("no child of {} is of type {}", stop.node, stop.wanted);
    }
    return {};
}

std::string show(const Scalar& scalar) {
    return scalar_json(scalar);
}

std::string to_text(const NamedValues& values) {
    std::string text;
    for (const auto& [name, value] : values) {
        const bool plain = std::holds_alternative<std::string>(value);
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", name,
                            plain ? std::get<std::string>(value) : show(value));
    }
    return text;
}

std::string excerpt(const Sources& sources, Span span, std::size_t longest) {
    std::string text;
    bool space = false;
    for (const char c : sources.text(span.file).substr(span.begin, span.end - span.begin)) {
        const bool blank = c == ' ' || c == '\n' || c == '\t' || c == '\r';
        if (!blank) {
            text += space && !text.empty() ? " " : "";
            text += c;
        }
        space = blank;
        if (text.size() > longest) {
            // Do not cut inside a character.
            while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80)
                text.pop_back();
            return text + "..";
        }
    }
    return text;
}

// The pattern that the entry's value must match.
const Pattern& NearMiss::asked_of(const Entry& entry) const {
    return form_of(entry.kind) == EntryForm::Total ? entry.into[0] : entry.patterns[part_];
}

// ---- why it stopped --------------------------------------------------------------------------

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
    switch (form_of(entry.kind)) {
    case EntryForm::Test:
        stop.reason = Reason::Test;
        stop.test = asked_of(entry).kind == PatternKind::Expression && stopped.test.end != 0
                        ? stopped.test
                        : asked_of(entry).span;
        compare(entry, stopped, stop);
        break;
    case EntryForm::Inner:
    case EntryForm::Ways:
        if (stopped.one_of_many)
            find_reason_at_node(entry, stopped, stop);
        else
            find_reason_inside(entry, stop);
        break;
    case EntryForm::Total:
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
    const NodePath place = place_of(entry);
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

// Fills in what was compared and how far it is from a match.
void NearMiss::compare(const Entry& entry, const Stopped& stopped, WhyStop& stop) const {
    const Pattern& asked = asked_of(entry);
    if (has_value(stopped.left) && has_value(stopped.right)) {
        stop.sides = {to_scalar(*stopped.left, runtime_->symbols()),
                      to_scalar(*stopped.right, runtime_->symbols())};
        stop.compare = stopped.compare;
    }
    if (asked.kind == PatternKind::Expression && entry.kind != KeyKind::Test) {
        // An equality is shown for the whole entry.
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
    const bool several = stop.found && !same(*stop.found, std::int64_t{0});
    if (entry.kind == KeyKind::Unique && several) {
        stop.reason = Reason::Total;
        stop.wanted = "number of matches";
        stop.sides = {*stop.found, std::int64_t{1}};
        return;
    }
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
        stop.reason = entry.kind == KeyKind::AnyOf ? Reason::NoAlternative : Reason::NoMatch;
        for (const auto& [part, nearest] : inside.nearest)
            stop.nearest.push_back(nearest);
        break;
    }
}

// Fills in what the search found: the last node it reached or the test that held, and the nearest
// partial matches of the @nots inside, which found nothing.
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
    if (kind == KeyKind::Exists || kind == KeyKind::Unique || kind == KeyKind::AnyOf) {
        find_match(*tried, stop);
    } else if (kind == KeyKind::Test || (searches_inside(kind) && kind != KeyKind::Not)) {
        stop.node.clear();
        if (kind != KeyKind::Test || stop.inside.empty())
            stop.test = kind == KeyKind::Test ? tried->patterns[0].span : tried->span;
    } else if (tried != nullptr && inside.last == kNone) {
        stop.node.clear();
    } else {
        const NodePath last =
            tried != nullptr ? place_of(*places_[inside.last].entry) : place_of(search);
        stop.node = last.path;
        stop.absent = !last.node;
        const Value value = runtime_->value(last.node);
        if (value.tag != Tag::None) stop.found = to_scalar(value, runtime_->symbols());
    }
}

// ---- what else would hold --------------------------------------------------------------------

// The value of an expression that needs no computing, or nullopt.
std::optional<Value> NearMiss::plain_value(const Expr& expr) const {
    if (expr.op == ExprOp::Literal) return to_value(expr.literal, runtime_->symbols());
    if (expr.op != ExprOp::Variable) return std::nullopt;
    const Value* const value = variable(expr.variable);
    return has_value(value) ? std::optional(*value) : std::nullopt;
}

// The number of entries after this one in the same object that hold too, as far as can be told
// without a search.
std::uint32_t NearMiss::shared_beside(const Entry& entry) const {
    const EntryPlace& place = places_[entry.id];
    std::uint32_t shared = 0;
    for (const Entry& other : place.among->entries)
        if (other.id > entry.id && surely_holds(other, standing_[entry.id].at)) ++shared;
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

// ---- events ----------------------------------------------------------------------------------

void NearMiss::begins(Around around) {
    around_ = std::move(around);
    inside_.clear();
    nearest_.reset();
    nearest_asked_.reset();
}

void NearMiss::entry_stands(const Note& note, NodeRef at, bool child, std::span<const Value> values,
                            const Runtime& runtime) {
    values_ = values;
    runtime_ = &runtime;
    Standing& standing = standing_[note.entry];
    (child ? standing.child : standing.at) = at;
}

void NearMiss::entry_tried(std::uint32_t entry) {
    inside_.erase(entry);
    const EntryPlace& place = places_[entry];
    if (place.scope == kNone) return;
    const EntryForm form = form_of(place.entry->kind);
    Inside& inside = inside_[place.scope];
    if (form != EntryForm::Use && form != EntryForm::Log) inside.tried = entry;
    if (form == EntryForm::Node) inside.last = entry;
    entry_passed(entry);
}

// The search for a failing match of @forall starts again with each match.
void NearMiss::entry_passed(std::uint32_t entry) {
    const EntryPlace& place = places_[entry];
    if (place.scope != kNone && place.part == 0 &&
        places_[place.scope].entry->kind == KeyKind::Forall)
        inside_[place.scope].nearest.erase(1);
}

void NearMiss::keep_nearer(std::optional<WhyStop>& kept, const WhyStop& stop) {
    if (!kept || is_nearer(stop, *kept)) kept = stop;
}

void NearMiss::entry_stopped(const Stopped& stopped) {
    values_ = stopped.values;
    runtime_ = &stopped.runtime;
    const std::uint32_t id = stopped.note.entry;
    if (id >= places_.all().size()) return;
    const EntryPlace& place = places_[id];
    const bool inside = stopped.one_of_many && searches_inside(place.entry->kind);
    if (place.scope == kNone && !inside) {
        const bool about = !asked_.empty() && holds_asked(stopped);
        // Do not build a stop that cannot be nearer than the known one.
        if (nearest_ && nearest_->entry > id &&
            (!about || (nearest_asked_ && nearest_asked_->entry > id)))
            return;
        const WhyStop stop = make_stop(stopped);
        keep_nearer(nearest_, stop);
        if (about) keep_nearer(nearest_asked_, stop);
        return;
    }
    const std::uint32_t scope = inside ? id : place.scope;
    Inside& search = inside_[scope];
    std::uint32_t part = place.part;
    if (inside) {
        // Alternatives are tried in order, and one that is a value fails once.
        const auto tried = static_cast<std::uint32_t>(search.nearest.size());
        const auto last = static_cast<std::uint32_t>(place.entry->patterns.size() - 1);
        part = place.entry->kind == KeyKind::AnyOf ? std::min(tried, last) : last;
        part_ = part;
    }
    WhyStop stop = make_stop(stopped);
    part_ = 0;
    // The next alternative starts without what this one tried.
    if (places_[scope].entry->kind == KeyKind::AnyOf && !stopped.one_of_many)
        search.tried = search.last = kNone;
    NamedValues bound;
    add_inside(bound, scope, part, &stopped);
    bound.insert(bound.end(), stop.inside.begin(), stop.inside.end());
    stop.inside = std::move(bound);
    const auto [known, is_new] = search.nearest.try_emplace(part, stop);
    if (!is_new && is_nearer(stop, known->second)) known->second = std::move(stop);
}

bool NearMiss::holds_asked(const Stopped& stopped) const {
    return std::any_of(rule_.variables.begin(), rule_.variables.end(),
                       [&](const Variable& variable) {
                           return is_bound(variable, stopped, true) &&
                                  runtime_->text(values_[variable.place]) == asked_;
                       });
}

// ---- variables and places --------------------------------------------------------------------

const Value* NearMiss::variable(const std::string& name) const {
    for (const auto* const variables : {&rule_.variables, &rule_.inner}) {
        for (const Variable& each : *variables)
            if (each.name == name) return &values_[each.place];
    }
    for (const auto& [known, value] : around_)
        if (known == name) return &value;
    return nullptr;
}

// Checks the scope too: values remain from other alternatives and earlier rules.
bool NearMiss::is_bound(const Variable& variable, const Stopped& stopped, bool in_each) const {
    const std::uint32_t entry = stopped.note.entry;
    // A loop's key is bound while it is at a child.
    const bool is_key = variable.entry == entry && stopped.one_of_many &&
                        places_[entry].entry->variable == variable.name;
    return (is_key || places_.is_known_at(entry, variable.entry, in_each)) &&
           values_[variable.place].tag != Tag::None && !is_hidden(variable.name);
}

NamedValues NearMiss::bound_at(const Stopped& stopped) const {
    NamedValues bound;
    for (const auto& [name, value] : around_)
        if (!is_hidden(name)) bound.emplace_back(name, to_scalar(value, runtime_->symbols()));
    for (const Variable& each : rule_.variables)
        if (is_bound(each, stopped, true))
            bound.emplace_back(each.name, to_scalar(values_[each.place], runtime_->symbols()));
    return bound;
}

// Adds what that part of an inner search had bound where it stopped, or, with null, what its match
// binds.
void NearMiss::add_inside(NamedValues& bound, std::uint32_t scope, std::uint32_t part,
                          const Stopped* stopped) const {
    for (const Variable& each : rule_.inner) {
        if (each.entry == scope || !places_.is_inside(each.entry, scope)) continue;
        const EntryPlace& place = places_[each.entry];
        if (stopped != nullptr ? !is_bound(each, *stopped, false)
                               : place.scope != scope || place.part != part)
            continue;
        const Value& value = values_[each.place];
        const bool known = std::any_of(bound.begin(), bound.end(),
                                       [&](const auto& one) { return one.first == each.name; });
        if (!known && value.tag != Tag::None && !is_hidden(each.name))
            bound.emplace_back(each.name, to_scalar(value, runtime_->symbols()));
    }
}

std::string NearMiss::key_text(const KeyTemplate& key) const {
    std::string text;
    for (const KeyPart& part : key.parts) {
        const Value* const value = part.variable ? variable(part.text) : nullptr;
        text += value != nullptr ? runtime_->text(*value) : part.text;
    }
    return text;
}

std::string NearMiss::path_of(NodeRef node) const {
    std::string path;
    for (; node; node = runtime_->parent(node)) {
        const NodeRef above = runtime_->parent(node);
        if (!above) break;
        const std::string key = runtime_->text(runtime_->key(node));
        path.insert(0, path.empty() ? key : key + ".");
    }
    return path.empty() ? "the root" : path;
}

NearMiss::NodePath NearMiss::child(const NodePath& above, const std::string& key) const {
    const Symbol symbol = runtime_->symbols().find(key);
    return {symbol == kNoSymbol ? NodeRef{} : runtime_->child(above.node, symbol),
            above.path == "the root" ? key : above.path + "." + key};
}

bool NearMiss::is_loop(const Entry& entry) const {
    if (entry.kind == KeyKind::Wildcard) return true;
    if (entry.kind != KeyKind::Variable) return false;
    for (const auto* const variables : {&rule_.variables, &rule_.inner}) {
        for (const Variable& each : *variables)
            if (each.entry == entry.id && each.name == entry.variable) return true;
    }
    return false;
}

// The node that the entry tests; for a path the first missing one.
NearMiss::NodePath NearMiss::place_of(const Entry& entry) const {
    const Standing& standing = standing_[entry.id];
    NodePath at{standing.at, path_of(standing.at)};
    switch (entry.kind) {
    case KeyKind::Name:
        return child(at, key_text(entry.key));
    case KeyKind::Variable:
        if (is_loop(entry)) return {standing.child, path_of(standing.child)};
        return child(at, runtime_->text(*variable(entry.variable)));
    case KeyKind::Wildcard:
        return {standing.child, path_of(standing.child)};
    case KeyKind::Parent: {
        const NodeRef above = runtime_->parent(standing.at);
        return {above, above ? path_of(above) : "parent of " + at.path};
    }
    case KeyKind::Root:
        return {runtime_->root(), "the root"};
    case KeyKind::Path: {
        // The first entry of a condition is at the root of the group.
        NodePath place{standing_[0].at, path_of(standing_[0].at)};
        for (const KeyTemplate& segment : entry.path.segments) {
            if (!place.node) break;
            place = child(place, key_text(segment));
        }
        return place;
    }
    default:
        return at;
    }
}

std::optional<std::string> NearMiss::node_of(std::uint32_t entry, std::span<const Value> values) {
    const Entry& asked = *places_[entry].entry;
    const bool leads = asked.kind <= KeyKind::Wildcard || asked.kind == KeyKind::Path;
    if (!leads || runtime_ == nullptr) return std::nullopt;
    values_ = values;
    const NodePath place = place_of(asked);
    return place.node ? std::optional(place.path) : std::nullopt;
}

} // namespace croupier::engine
