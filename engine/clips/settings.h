// What the commands of a CLIPS program switch on and off.
#pragma once

#include <cstdint>

namespace croupier::engine::clips {

// When a salience that is an expression is evaluated.
enum class SalienceWhen : std::uint8_t { Defined, Activated, EveryCycle };

struct Settings {
    bool fact_duplication = false;
    bool reset_globals = true;
    SalienceWhen salience_when = SalienceWhen::Defined;
};

// What `watch` shows of all rules and templates; single ones have switches of their own.
struct Watches {
    bool facts = false;
    bool rules = false;
    bool activations = false;
    bool globals = false;
    bool focus = false;
    bool statistics = false;
    bool functions = false;
    bool instances = false;
    bool messages = false;
    bool handlers = false;
    bool compilations = true;
};

} // namespace croupier::engine::clips
