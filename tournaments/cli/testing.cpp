// String streams in the place of the real ones.
#include "tournaments/cli/testing.h"

#include "tournaments/cli/run.h"

#include <sstream>

namespace croupier::cli {

Ran run_in_process(const std::vector<std::string>& arguments, const std::string& input,
                   const TerminalFacts& facts) {
    std::istringstream in(input);
    std::ostringstream out;
    std::ostringstream err;
    Terminal terminal(out, err, facts);
    Context context{terminal, in};
    const int code = run(arguments, context);
    return {code, out.str(), err.str()};
}

} // namespace croupier::cli
