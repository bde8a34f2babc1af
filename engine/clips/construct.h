// A construct as a form -> the program. One object a construct.
#pragma once

#include "engine/clips/session.h"

namespace croupier::engine::clips {

class ConstructReader {
  public:
    ConstructReader(Session& session, const Form& form, std::string_view source)
        : session_(session), form_(form), source_(source) {}

    bool define_template();
    bool define_facts();
    bool define_globals();
    bool define_function();
    bool define_rule();

  private:
    bool wrong(Span span, std::string message, std::string hint = {});
    // The name, and where what follows begins: behind the comment if there is one.
    bool begin();
    bool logical_first(const std::vector<Ce>& conditions);
    bool wrong_global(std::size_t at);
    void collect_binds(const Form& form, const Scope& lhs, std::vector<const Text*>& names) const;

    Session& session_;
    const Form& form_;
    std::string_view source_;
    const Text* text_ = nullptr;
    std::string name_;
    std::size_t at_ = 2;
};

} // namespace croupier::engine::clips
