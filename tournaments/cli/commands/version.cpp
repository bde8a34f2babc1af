// croupier version: shows the build, for bug reports and published figures.
#include "engine/api/program.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/commit.h"
#include "tournaments/cli/options.h"
#include "tournaments/cluster/ranks.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <string_view>

namespace croupier::cli {
namespace {

std::string compiler() {
#if defined(__clang__)
    return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
    return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
}

constexpr std::string_view kProcessor =
#if defined(__x86_64__)
    "x86-64";
#elif defined(__aarch64__)
    "AArch64";
#else
    "other";
#endif

class Version : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {"version", "What was built, and how",
                "Says which croupier this is, the compiler and the build type, and what of this "
                "machine it uses: what a bug report or a published figure needs. Games and agents "
                "are looked for in the folders that --games-folder and --agents-folder name, else "
                "below the one that CROUPIER_DATA names, else in " CROUPIER_INSTALLED
                " of the program's own folder (a build tree) or of one above it (an installation).",
                "croupier version --json"};
    }

    void declare(Options& options) override { options.add_json_flag(json_); }

    int run(Context& context) override {
        const std::string_view rules = engine::runs_machine_code() ? "machine code" : "interpreted";
        if (json_) {
            nlohmann::ordered_json facts;
            facts["croupier"] = CROUPIER_VERSION;
            if (!commit().empty()) facts["commit"] = commit();
            facts["compiler"] = compiler();
            facts["build"] = CROUPIER_BUILD;
            facts["mpi"] = tournaments::has_ranks();
            facts["processor"] = kProcessor;
            facts["rules"] = rules;
            facts["games"] = context.shipped("games");
            context.out().raw(facts.dump(2) + "\n");
            return kGood;
        }
        TextTable table{{{""}, {""}}, {{"croupier", CROUPIER_VERSION}}};
        if (!commit().empty()) table.rows.push_back({"commit", std::string(commit())});
        table.rows.insert(table.rows.end(), {{"compiler", compiler()},
                                             {"build", CROUPIER_BUILD},
                                             {"MPI", tournaments::has_ranks() ? "yes" : "no"},
                                             {"processor", std::string(kProcessor)},
                                             {"rules", std::string(rules)},
                                             {"games", context.shipped("games")}});
        context.out().table(table);
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
