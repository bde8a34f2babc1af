// The slots of a deftemplate: types, allowed values, ranges, defaults.
#include "engine/clips/slot_read.h"

#include "engine/clips/codes.h"
#include "engine/clips/function.h"
#include "engine/text/nearest.h"

#include <fmt/format.h>

#include <algorithm>

namespace croupier::engine::clips {
namespace {

class SlotReader {
  public:
    SlotReader(Session& session, std::string_view name) : session_(session), name_(name) {}

    bool read(const Form& form, Template& of);

  private:
    bool wrong(Span span, std::string message, std::string hint = {}) {
        session_.mistake(code::kClipsSyntax, span, std::move(message), std::move(hint), name_);
        return false;
    }
    bool syntax(const Form& form, std::string message) {
        session_.refuse_syntax("deftemplate",
                               form.head().empty() ? form.span.end : form.items[0].span.end);
        return wrong(form.span, std::move(message));
    }
    bool read_constraint(const Form& attribute, Slot& slot);
    bool read_default(const Form& attribute, Slot& slot);
    void derive_default(Slot& slot);

    Session& session_;
    std::string_view name_;
};

const std::vector<std::pair<std::string_view, std::uint32_t>> kTypes = {
    {"SYMBOL", Constraint::bit(Type::Symbol)},
    {"STRING", Constraint::bit(Type::String)},
    {"LEXEME", Constraint::bit(Type::Symbol) | Constraint::bit(Type::String)},
    {"INTEGER", Constraint::bit(Type::Integer)},
    {"FLOAT", Constraint::bit(Type::Float)},
    {"NUMBER", Constraint::bit(Type::Integer) | Constraint::bit(Type::Float)},
    {"INSTANCE-NAME", Constraint::bit(Type::InstanceName)},
    {"INSTANCE-ADDRESS", 0},
    {"INSTANCE", Constraint::bit(Type::InstanceName)},
    {"FACT-ADDRESS", Constraint::bit(Type::FactAddress)},
    {"EXTERNAL-ADDRESS", 0},
};

const std::vector<std::pair<std::string_view, std::uint32_t>> kAllowed = {
    {"allowed-symbols", Constraint::bit(Type::Symbol)},
    {"allowed-strings", Constraint::bit(Type::String)},
    {"allowed-lexemes", Constraint::bit(Type::Symbol) | Constraint::bit(Type::String)},
    {"allowed-integers", Constraint::bit(Type::Integer)},
    {"allowed-floats", Constraint::bit(Type::Float)},
    {"allowed-numbers", Constraint::bit(Type::Integer) | Constraint::bit(Type::Float)},
    {"allowed-values", ~0u},
};

bool SlotReader::read_constraint(const Form& attribute, Slot& slot) {
    Constraint& constraint = slot.constraint;
    const std::string_view head = attribute.head();
    if (head == "type") {
        constraint.types = 0;
        constraint.types_given = true;
        for (std::size_t i = 1; i < attribute.items.size(); ++i) {
            const Form& item = attribute.items[i];
            if (item.kind == Form::Kind::Variable && item.name->text == "VARIABLE") {
                constraint.types = ~0u;
                continue;
            }
            const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& type) {
                return item.is_symbol(type.first);
            });
            if (found == kTypes.end()) return wrong(item.span, "there is no such type");
            constraint.types |= found->second;
        }
        return true;
    }
    if (head == "range") {
        if (attribute.items.size() != 3) return wrong(attribute.span, "range takes two numbers");
        for (const int which : {1, 2}) {
            const Form& item = attribute.items[static_cast<std::size_t>(which)];
            if (item.kind == Form::Kind::Constant && item.value.is_number())
                (which == 1 ? constraint.least : constraint.most) = item.value;
            else if (!(item.kind == Form::Kind::Variable && item.name->text == "VARIABLE"))
                return wrong(item.span, "range takes two numbers, or ?VARIABLE");
        }
        constraint.range_text =
            fmt::format("{} to {}", constraint.least ? number_text(*constraint.least) : "-oo",
                        constraint.most ? number_text(*constraint.most) : "+oo");
        return true;
    }
    if (head == "cardinality") return true;
    const auto found = std::find_if(kAllowed.begin(), kAllowed.end(),
                                    [&](const auto& allowed) { return head == allowed.first; });
    if (found == kAllowed.end()) {
        std::vector<std::string> known = {"type", "range", "cardinality", "default",
                                          "default-dynamic"};
        for (const auto& allowed : kAllowed)
            known.emplace_back(allowed.first);
        const auto near = nearest(head, known);
        session_.refuse_syntax("slot attributes", attribute.items.empty()
                                                      ? attribute.span.end
                                                      : attribute.items[0].span.end);
        return wrong(attribute.span, fmt::format("a slot has no attribute {}", head),
                     near ? fmt::format("did you mean {}?", *near) : "");
    }
    for (std::size_t i = 1; i < attribute.items.size(); ++i) {
        const Form& item = attribute.items[i];
        if (item.kind == Form::Kind::Variable && item.name->text == "VARIABLE") return true;
        if (item.kind != Form::Kind::Constant) return wrong(item.span, "expected a constant");
        constraint.allowed.push_back(item.value);
    }
    constraint.allowed_types |= found->second;
    return true;
}

bool SlotReader::read_default(const Form& attribute, Slot& slot) {
    slot.kind = attribute.head() == "default" ? Slot::Default::Given : Slot::Default::Dynamic;
    if (attribute.items.size() == 2 && attribute.items[1].kind == Form::Kind::Variable) {
        const std::string& word = attribute.items[1].name->text;
        if (word == "NONE") {
            slot.kind = Slot::Default::None;
            return true;
        }
        if (word == "DERIVE") {
            slot.kind = Slot::Default::Derived;
            return true;
        }
    }
    Scope scope;
    scope.what = "deftemplate";
    scope.rule = name_;
    const std::size_t errors = session_.diagnostics().count();
    Expr all;
    for (std::size_t i = 1; i < attribute.items.size(); ++i)
        all.args.push_back(session_.compile(attribute.items[i], scope));
    if (session_.diagnostics().count() != errors) return false;
    const bool multi = slot.multi;
    if (!multi && all.args.size() != 1)
        return wrong(attribute.span, "a slot that is no multislot has one default value");
    all.a = multi ? 1 : 0;
    all.eval = [](Session& session, const Expr& e) {
        if (e.a == 0) return session.call(e.args[0]);
        std::vector<Value> fields;
        for (const Expr& one : e.args)
            flatten(session.call(one), fields);
        return session.interner().multifield(fields);
    };
    if (slot.kind == Slot::Default::Given) {
        slot.value = session_.call(all);
        session_.go_on();
        session_.keep(slot.value);
    } else {
        slot.dynamic = std::move(all);
    }
    return true;
}

void SlotReader::derive_default(Slot& slot) {
    if (slot.multi) {
        slot.value = session_.interner().empty();
        return;
    }
    const Constraint& constraint = slot.constraint;
    const auto first_allowed = [&](Type type, Value otherwise) {
        if ((constraint.allowed_types & Constraint::bit(type)) != 0) {
            for (const Value& value : constraint.allowed) {
                if (value.type == type) return value;
            }
        }
        return otherwise;
    };
    const auto may = [&](Type type) {
        if ((constraint.types & Constraint::bit(type)) == 0) return false;
        if ((constraint.allowed_types & Constraint::bit(type)) == 0) return true;
        return constraint.allowed_types != ~0u ||
               std::any_of(constraint.allowed.begin(), constraint.allowed.end(),
                           [&](const Value& value) { return value.type == type; });
    };
    const auto in_range = [&](Value zero) {
        std::optional<Value> limit = constraint.least ? constraint.least : constraint.most;
        if (!limit) return zero;
        return zero.type == Type::Integer ? Value::integer(truncated(limit->to_real()))
                                          : Value::real(limit->to_real());
    };
    Interner& interner = session_.interner();
    if (may(Type::Symbol))
        slot.value = first_allowed(Type::Symbol, interner.nil());
    else if (may(Type::String))
        slot.value = first_allowed(Type::String, interner.string(""));
    else if (may(Type::Integer))
        slot.value = first_allowed(Type::Integer, in_range(Value::integer(0)));
    else if (may(Type::Float))
        slot.value = first_allowed(Type::Float, in_range(Value::real(0.0)));
    else
        slot.value = interner.nil();
}

bool SlotReader::read(const Form& form, Template& of) {
    const std::string_view head = form.head();
    if (head != "slot" && head != "field" && head != "multislot" && head != "multifield")
        return syntax(form, "expected (slot name ..) or (multislot name ..)");
    if (form.items.size() < 2 || !form.items[1].is_symbol())
        return wrong(form.span, "a slot needs a name");
    Slot slot;
    slot.name = form.items[1].value.as_text();
    slot.multi = head.starts_with("multi");
    if (of.slot(slot.name) >= 0) {
        session_.refuse(
            fmt::format("\n[PRNTUTIL5] The slot {} has already been parsed.\n", slot.name->text),
            form.items[1].span.end);
        return wrong(form.items[1].span,
                     fmt::format("the slot {} is declared twice", slot.name->text));
    }
    const Form* default_form = nullptr;
    for (std::size_t i = 2; i < form.items.size(); ++i) {
        const Form& attribute = form.items[i];
        if (attribute.head() == "default" || attribute.head() == "default-dynamic")
            default_form = &attribute;
        else if (!read_constraint(attribute, slot))
            return false;
    }
    if (default_form != nullptr && !read_default(*default_form, slot)) return false;
    if (slot.kind == Slot::Default::Given && !slot.multi) {
        const std::string problem = slot.constraint.problem_with(slot.value);
        if (!problem.empty()) {
            session_.refuse(fmt::format("\n[CSTRNCHK1] An expression found in the default "
                                        "attribute\n{} for slot {}.\n",
                                        problem, slot.name->text),
                            form.span.end);
            return wrong(default_form->span,
                         fmt::format("the default {} for slot {}", problem, slot.name->text));
        }
    }
    if (slot.kind == Slot::Default::Derived) derive_default(slot);
    of.slots.push_back(std::move(slot));
    return true;
}

} // namespace

bool read_slot(Session& session, const Form& form, Template& of) {
    return SlotReader(session, of.name->text).read(form, of);
}

} // namespace croupier::engine::clips
