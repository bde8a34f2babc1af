// What the constructs of a session are called.
#include "engine/clips/session.h"

namespace croupier::engine::clips {

Template* Session::find_template(const Text* name) {
    const auto found = templates_by_name_.find(name);
    return found == templates_by_name_.end() ? nullptr : found->second;
}

Template& Session::add_template(Template&& made) {
    defined_.templates.push_back(std::move(made));
    templates_by_name_[defined_.templates.back().name] = &defined_.templates.back();
    return defined_.templates.back();
}

Template& Session::ordered_template(const Text* name) {
    Template made;
    made.name = name;
    made.implied = true;
    Slot fields;
    fields.name = interner_.text("implied");
    fields.multi = true;
    fields.value = interner_.empty();
    made.slots.push_back(std::move(fields));
    return add_template(std::move(made));
}

Function* Session::find_function(const Text* name) {
    for (Function& function : defined_.functions) {
        if (function.name == name) return &function;
    }
    return nullptr;
}

Global* Session::find_global(const Text* name) {
    for (Global& global : defined_.globals) {
        if (global.name == name) return &global;
    }
    return nullptr;
}

Rule* Session::find_rule(std::string_view name) {
    for (Rule& rule : defined_.rules) {
        if (rule.last != nullptr && rule.name->text == name) return &rule;
    }
    return nullptr;
}

bool Session::remove_rule(std::string_view name) {
    bool found = false;
    for (Rule& rule : defined_.rules) {
        if (rule.last == nullptr || rule.name->text != name) continue;
        network_.remove(rule);
        found = true;
    }
    return found;
}

} // namespace croupier::engine::clips
