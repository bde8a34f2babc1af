// croupier export: writes rule files as one strict JSON file, for other programs.
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/files.h"

#include <optional>

namespace croupier::cli {
namespace {

class Export : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "export", "A ruleset as one file of strict JSON",
            "Rule files may have comments and include others, which jq, pandas and similar "
            "programs do not read. Prints the same rules without comments and with all includes "
            "resolved; several FILEs are merged in order, as a revision is merged into its "
            "ruleset. Agents and parts of rulesets are exported alike. The order of keys, "
            "numbers and texts stay as they are written; what is "
            "printed is a ruleset again. With --schema it prints a JSON Schema instead, for an "
            "editor in which revisions are written: the schema of all rule files, with the names, "
            "defaults and values of these files' options.",
            "croupier export belote:contest > contest.json\n"
            "croupier export rules.json revision.json | jq .options\n"
            "croupier export belote --schema > belote.schema.json"};
    }

    void declare(Options& options) override {
        options.add("FILE", files_, "Rule files, or games by name or folder")
            .required()
            .offers(Offers::Rules);
        options.add_flag("--schema", schema_,
                         "Print a JSON Schema that knows the options of these files");
        add_games_folder(options, folder_);
    }

    int run(Context& context) override {
        std::vector<std::string> paths;
        for (const std::string& file : files_) {
            paths.push_back(rules_file(file, folder_, context));
            context.include_roots->name(paths.back());
        }
        if (schema_) return print_schema(paths, context);
        const engine::Exported exported = engine::export_rules(paths, file_opener(context));
        context.diagnose(exported.diagnostics, exported.sources);
        if (!exported.document) throw UserError(tournaments::errors_in(exported.diagnostics));
        context.out().raw(engine::write_json(*exported.document) + "\n");
        return kGood;
    }

  private:
    static int print_schema(const std::vector<std::string>& paths, Context& context) {
        const engine::Loaded loaded = engine::load_ruleset(paths, file_opener(context));
        context.diagnose(loaded.diagnostics, loaded.sources);
        if (!loaded.ruleset) throw UserError(tournaments::errors_in(loaded.diagnostics));
        engine::Sources sources;
        engine::Diagnostics diagnostics;
        const std::string file = context.shipped("ruleset.schema.json");
        std::optional<engine::Document> schema = engine::read_json(
            sources, sources.add(file, tournaments::read_input(file, context.in)), diagnostics);
        context.diagnose(diagnostics, sources);
        if (!schema) throw UserError(tournaments::errors_in(diagnostics));
        const engine::Document made =
            engine::schema_for(*loaded.ruleset, loaded.sources, *std::move(schema));
        context.out().raw(engine::write_json(made) + "\n");
        return kGood;
    }

    std::vector<std::string> files_;
    std::string folder_;
    bool schema_ = false;
};

} // namespace

std::unique_ptr<Command> make_export() {
    return std::make_unique<Export>();
}

} // namespace croupier::cli
