// The arguments of a spec string: "word,name=value,name=value".
#pragma once

#include "agents/registry.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::agents {

// Each kind asks for what it knows; `error` then says what is wrong, or what nobody has asked for.
class Arguments {
  public:
    explicit Arguments(const AgentSpec& spec);

    // The first argument that is no name=value; empty if there is none.
    std::string word();
    // Whether it is there; then `value` is what it says, if that is from `least` to `most`.
    bool number(std::string_view name, std::uint64_t& value, std::uint64_t least,
                std::uint64_t most);
    bool text(std::string_view name, std::string& value);
    // Empty if all is well.
    [[nodiscard]] std::string error() const;

  private:
    struct Argument {
        std::string name; // empty: a word
        std::string value;
        bool used = false;
    };
    Argument* find(std::string_view name);

    std::string kind_;
    std::vector<Argument> arguments_;
    std::vector<std::string> known_;
    std::string error_; // the first mistake in a value
};

} // namespace croupier::agents
