// What tests of runs have in common.
#pragma once

#include "engine/run/observer.h"

#include <string>

namespace croupier::engine {

// The lines of @print, one after the other.
class Lines : public Log {
  public:
    void line(const std::string& text) override { all += text + ' '; }
    std::string all;
};

} // namespace croupier::engine
