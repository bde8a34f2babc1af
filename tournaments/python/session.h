// The services of the command line for one call of Python; its output is kept.
#pragma once

#include "tournaments/cli/command.h"
#include "tournaments/cli/terminal.h"

#include <cstddef>
#include <functional>
#include <ostream>
#include <sstream>
#include <string>

namespace croupier::python {

// Keeps all text, and passes it on when it is flushed, as progress to the user.
class Notes : public std::stringbuf {
  public:
    std::function<void(const std::string&)> told; // null for nobody

  protected:
    int sync() override;

  private:
    std::size_t passed_on_ = 0;
};

struct Session {
    Session();

    std::istringstream in;
    std::ostringstream out;
    Notes notes;
    std::ostream err{&notes};
    cli::Terminal terminal{out, err, {}};
    cli::Context context;
};

} // namespace croupier::python
