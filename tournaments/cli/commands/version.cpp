// croupier version: what was built and how, for bug reports and published figures.
#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cluster/ranks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>

namespace croupier::cli {
namespace {

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

class Version : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"version", "What was built, and how",
                "Says which croupier this is, the compiler and the build type: what a bug report "
                "or a published figure needs.",
                "croupier version --json"};
    }

    void declare(Options& options) override { options.add_json_flag(json_); }

    int run(Context& context) override {
        if (json_) {
            nlohmann::ordered_json facts;
            facts["croupier"] = CROUPIER_VERSION;
            facts["compiler"] = compiler();
            facts["build"] = CROUPIER_BUILD;
            facts["mpi"] = tournaments::has_ranks();
            context.out().raw(facts.dump(2) + "\n");
            return kGood;
        }
        context.out().table({{{""}, {""}},
                             {{"croupier", CROUPIER_VERSION},
                              {"compiler", compiler()},
                              {"build", CROUPIER_BUILD},
                              {"MPI", tournaments::has_ranks() ? "yes" : "no"}}});
        return kGood;
    }

  private:
    bool json_ = false;
};

} // namespace

std::unique_ptr<Command> make_version() {
    return std::make_unique<Version>();
}

} // namespace croupier::cli
