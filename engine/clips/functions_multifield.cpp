// Multifields: making, taking apart, searching.
#include "engine/clips/function.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {

bool multifield(Session& session, const Expr& expr, std::size_t at, Value& into) {
    into = session.call(expr.args[at]);
    if (session.stopped()) return false;
    if (into.type == Type::Multifield) return true;
    wrong_type(session, expr, at, "multifield");
    return false;
}

namespace {

using Fields = std::vector<Value>;

// The arguments from one on, multifields taken apart.
bool gather(Session& session, const Expr& expr, std::size_t from, Fields& into) {
    for (std::size_t i = from; i < expr.args.size(); ++i) {
        const Value value = session.call(expr.args[i]);
        if (session.stopped()) return false;
        flatten(value, into);
    }
    return true;
}

Fields copy(const Value& value) {
    return {value.fields().begin(), value.fields().end()};
}

Value create(Session& session, const Expr& expr) {
    Fields fields;
    if (!gather(session, expr, 0, fields)) return session.interner().no();
    return session.interner().multifield(fields);
}

Value nth(Session& session, const Expr& expr) {
    std::int64_t at = 0;
    Value list;
    if (!integer(session, expr, 0, at) || !multifield(session, expr, 1, list))
        return session.interner().nil();
    if (at < 1 || at > list.fields().size) return session.interner().nil();
    return list.fields()[static_cast<std::size_t>(at - 1)];
}

Value length(Session& session, const Expr& expr) {
    const Value value = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    if (value.type == Type::Multifield) return Value::integer(value.fields().size);
    if (value.is_lexeme()) return Value::integer(static_cast<std::int64_t>(value.text().size()));
    wrong_type(session, expr, 0, "string, symbol, or multifield");
    return Value::integer(-1);
}

Value first(Session& session, const Expr& expr) {
    Value list;
    if (!multifield(session, expr, 0, list)) return session.interner().no();
    return session.interner().multifield(
        {list.fields().begin(), std::min<std::size_t>(1, list.fields().size)});
}
Value rest(Session& session, const Expr& expr) {
    Value list;
    if (!multifield(session, expr, 0, list)) return session.interner().no();
    const std::size_t skip = std::min<std::size_t>(1, list.fields().size);
    return session.interner().multifield({list.fields().begin() + skip, list.fields().size - skip});
}

Value member(Session& session, const Expr& expr) {
    const Value what = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    Value list;
    if (!multifield(session, expr, 1, list)) return session.interner().no();
    const Multifield& in = list.fields();
    if (what.type != Type::Multifield) {
        const auto* found = std::find(in.begin(), in.end(), what);
        return found == in.end() ? session.interner().no() : Value::integer(found - in.begin() + 1);
    }
    const Multifield& wanted = what.fields();
    const auto* found = std::search(in.begin(), in.end(), wanted.begin(), wanted.end());
    if (found == in.end() || wanted.size == 0) return session.interner().no();
    const std::int64_t start = found - in.begin() + 1;
    if (wanted.size == 1) return Value::integer(start);
    const Value ends[] = {Value::integer(start), Value::integer(start + wanted.size - 1)};
    return session.interner().multifield(ends);
}

Value subset(Session& session, const Expr& expr) {
    Value part;
    Value whole;
    if (!multifield(session, expr, 0, part) || !multifield(session, expr, 1, whole))
        return session.interner().no();
    const Multifield& in = whole.fields();
    const bool all = std::all_of(part.fields().begin(), part.fields().end(), [&](const Value& one) {
        return std::find(in.begin(), in.end(), one) != in.end();
    });
    return session.interner().boolean(all);
}

Value out_of_range(Session& session, const Expr& expr, std::int64_t from, std::int64_t to,
                   std::size_t size) {
    return session.fail(
        fmt::format("[MULTIFUN1] Multifield index {} out of range 1..{} in function {}\n",
                    from == to ? fmt::format("{}", from) : fmt::format("range {}..{}", from, to),
                    size, name_of(expr)));
}

// The first three arguments of a function on part of a list: the list, first and last field.
struct ListRange {
    Value list;
    std::int64_t from = 0;
    std::int64_t to = 0;

    bool read(Session& session, const Expr& expr) {
        return multifield(session, expr, 0, list) && integer(session, expr, 1, from) &&
               integer(session, expr, 2, to);
    }
    [[nodiscard]] bool lies_within() const {
        return from >= 1 && to >= from && to <= static_cast<std::int64_t>(list.fields().size);
    }
};

Value erase(Session& session, const Expr& expr) {
    ListRange range;
    if (!range.read(session, expr)) return session.interner().no();
    if (!range.lies_within())
        return out_of_range(session, expr, range.from, range.to, range.list.fields().size);
    Fields fields = copy(range.list);
    fields.erase(fields.begin() + (range.from - 1), fields.begin() + range.to);
    return session.interner().multifield(fields);
}

Value subsequence(Session& session, const Expr& expr) {
    ListRange range;
    if (!range.read(session, expr)) return session.interner().no();
    const Multifield& in = range.list.fields();
    const std::int64_t from = std::max<std::int64_t>(range.from, 1);
    const std::int64_t to = std::min<std::int64_t>(range.to, in.size);
    if (from > to) return session.interner().empty();
    return session.interner().multifield(
        {in.begin() + (from - 1), static_cast<std::size_t>(to - from + 1)});
}

Value replace(Session& session, const Expr& expr) {
    ListRange range;
    if (!range.read(session, expr)) return session.interner().no();
    Fields by;
    if (!gather(session, expr, 3, by)) return session.interner().no();
    if (!range.lies_within())
        return out_of_range(session, expr, range.from, range.to, range.list.fields().size);
    Fields fields = copy(range.list);
    const auto at = fields.erase(fields.begin() + (range.from - 1), fields.begin() + range.to);
    fields.insert(at, by.begin(), by.end());
    return session.interner().multifield(fields);
}

Value insert(Session& session, const Expr& expr) {
    Value list;
    std::int64_t at = 0;
    if (!multifield(session, expr, 0, list) || !integer(session, expr, 1, at))
        return session.interner().no();
    Fields what;
    if (!gather(session, expr, 2, what)) return session.interner().no();
    Fields fields = copy(list);
    if (at < 1) return out_of_range(session, expr, at, at, fields.size() + 1);
    const auto place = std::min<std::size_t>(static_cast<std::size_t>(at - 1), fields.size());
    fields.insert(fields.begin() + static_cast<std::ptrdiff_t>(place), what.begin(), what.end());
    return session.interner().multifield(fields);
}

Value delete_member(Session& session, const Expr& expr) {
    Value list;
    if (!multifield(session, expr, 0, list)) return session.interner().no();
    Fields fields = copy(list);
    for (std::size_t i = 1; i < expr.args.size(); ++i) {
        const Value what = session.call(expr.args[i]);
        if (session.stopped()) return session.interner().no();
        if (what.type != Type::Multifield) {
            std::erase(fields, what);
            continue;
        }
        const Multifield& wanted = what.fields();
        for (;;) {
            const auto found =
                std::search(fields.begin(), fields.end(), wanted.begin(), wanted.end());
            if (found == fields.end() || wanted.size == 0) break;
            fields.erase(found, found + wanted.size);
        }
    }
    return session.interner().multifield(fields);
}

Value replace_member(Session& session, const Expr& expr) {
    Value list;
    if (!multifield(session, expr, 0, list)) return session.interner().no();
    const Value by = session.call(expr.args[1]);
    Fields wanted;
    if (!gather(session, expr, 2, wanted)) return session.interner().no();
    Fields fields;
    for (const Value& one : list.fields()) {
        if (std::find(wanted.begin(), wanted.end(), one) != wanted.end())
            flatten(by, fields);
        else
            fields.push_back(one);
    }
    return session.interner().multifield(fields);
}

// (sort > list): the function says whether its first argument goes behind its second.
Value sort(Session& session, const Expr& expr) {
    const Value name = session.call(expr.args[0]);
    if (session.stopped()) return session.interner().no();
    Fields fields;
    if (!gather(session, expr, 1, fields)) return session.interner().no();
    if (!name.is_lexeme()) return wrong_type(session, expr, 0, "symbol");
    const auto after = session.callable(name.as_text(), 2);
    if (!after)
        return session.fail(fmt::format("[SORTFUN1] Function sort expected argument #1 to be of "
                                        "type function name, deffunction "
                                        "name, or defgeneric name\n"));
    // A merge sort of its own: std::stable_sort may not be given an order that contradicts itself.
    Fields other(fields.size());
    for (std::size_t width = 1; width < fields.size() && !session.stopped(); width *= 2) {
        for (std::size_t begin = 0; begin < fields.size(); begin += 2 * width) {
            const std::size_t middle = std::min(begin + width, fields.size());
            const std::size_t end = std::min(begin + 2 * width, fields.size());
            std::size_t a = begin;
            std::size_t b = middle;
            for (std::size_t at = begin; at < end; ++at) {
                bool right = a == middle;
                if (!right && b < end) {
                    const Value pair[] = {fields[a], fields[b]};
                    right = after(pair) != session.interner().no();
                }
                other[at] = right ? fields[b++] : fields[a++];
            }
        }
        fields.swap(other);
    }
    if (session.stopped()) return session.interner().no();
    return session.interner().multifield(fields);
}

Value expand(Session& session, const Expr& expr) {
    return session.call(expr.args[0]);
}

constexpr Builtin kMultifieldFunctions[] = {
    {"create$", 0, -1, create},
    {"mv-append", 0, -1, create},
    {"nth$", 2, 2, nth},
    {"nth", 2, 2, nth},
    {"length$", 1, 1, length},
    {"length", 1, 1, length},
    {"first$", 1, 1, first},
    {"rest$", 1, 1, rest},
    {"member$", 2, 2, member},
    {"member", 2, 2, member},
    {"subsetp", 2, 2, subset},
    {"subset", 2, 2, subset},
    {"delete$", 3, 3, erase},
    {"subseq$", 3, 3, subsequence},
    {"replace$", 4, -1, replace},
    {"insert$", 3, -1, insert},
    {"delete-member$", 2, -1, delete_member},
    {"replace-member$", 3, -1, replace_member},
    {"sort", 1, -1, sort},
    {"expand$", 1, 1, expand},
};

} // namespace

std::span<const Builtin> multifield_functions() {
    return kMultifieldFunctions;
}

} // namespace croupier::engine::clips
