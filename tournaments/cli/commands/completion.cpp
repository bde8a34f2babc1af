// croupier completion: prints completion scripts for shells, and answers their requests.
#include "agents/registry.h"
#include "engine/api/ruleset.h"
#include "engine/api/text.h"
#include "games/ruleset/ruleset_game.h"
#include "tournaments/cli/command.h"
#include "tournaments/cli/command_line.h"
#include "tournaments/cli/common_options.h"
#include "tournaments/cli/options.h"
#include "tournaments/run/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace croupier::cli {

namespace {

// Possible continuations of an unfinished command line.
struct Completion {
    struct Word {
        std::string word;
        std::string text;  // a description on one line; may be empty
        bool open = false; // it continues, so the shell adds no space
    };
    std::vector<Word> words; // all begin with the last word given
    bool files = false;      // paths are possible as well
    bool folders = false;    // paths of folders are possible
};

// Parses the words by the options of a subcommand, then lists completions of the last one.
class Completer {
  public:
    // `words` follow the program's name; the last one is to be completed, and may be empty.
    Completer(const Surface& surface, std::span<const std::string> words, Context& context)
        : surface_(surface), context_(context), last_(words.empty() ? "" : words.back()) {
        follow(words.first(words.empty() ? 0 : words.size() - 1));
    }

    Completion complete() {
        if (unknown_) return {}; // nothing can be offered
        if (value_of_ != nullptr) {
            add_values(*value_of_, {}, last_);
        } else if (last_.starts_with("-") && !only_arguments_) {
            const std::size_t equals = last_.find('=');
            if (equals == std::string::npos)
                add_options();
            else if (const ShownOption* option = find(last_.substr(0, equals)))
                add_values(*option, last_.substr(0, equals + 1), last_.substr(equals + 1));
        } else if (command_ == nullptr) {
            add_commands();
        } else if (const ShownOption* argument = next_argument()) {
            add_values(*argument, {}, last_);
        }
        return std::move(made_);
    }

  private:
    // ---- words already given -----------------------------------------------------------------

    void follow(std::span<const std::string> words) {
        for (const std::string& word : words) {
            if (value_of_ != nullptr) {
                note(*std::exchange(value_of_, nullptr), word);
            } else if (word == "--") {
                only_arguments_ = true;
            } else if (word.starts_with("-") && word != "-" && !only_arguments_) {
                follow_option(word);
            } else if (command_ == nullptr) {
                command_ = surface_.find(word);
                unknown_ = command_ == nullptr;
                if (unknown_) return;
            } else if (const ShownOption* argument = next_argument()) {
                note(*argument, word);
                ++arguments_;
            }
        }
    }

    void follow_option(const std::string& word) {
        const std::size_t equals = word.find('=');
        const ShownOption* option = find(word.substr(0, equals));
        if (option == nullptr) return;
        given_.push_back(option);
        if (equals != std::string::npos)
            note(*option, word.substr(equals + 1));
        else if (!option->placeholder.empty())
            value_of_ = option;
    }

    // Remembers values that affect later completions.
    void note(const ShownOption& option, const std::string& value) {
        const Offers what = option.facts.offers;
        if ((what == Offers::Games || what == Offers::Rules) && game_.empty()) game_ = value;
        if (option.named("--games-folder")) games_folder_ = value;
        if (option.named("--agents-folder")) agents_folder_ = value;
    }

    [[nodiscard]] const ShownOption* find(std::string_view name) const {
        const auto in = [&](const std::vector<ShownOption>& options) -> const ShownOption* {
            for (const ShownOption& option : options)
                if (option.named(name)) return &option;
            return nullptr;
        };
        const ShownOption* own = command_ == nullptr ? nullptr : in(command_->options);
        return own != nullptr ? own : in(surface_.options);
    }

    [[nodiscard]] const ShownOption* next_argument() const {
        const std::vector<ShownOption>& all = command_->arguments;
        if (arguments_ < all.size()) return &all[arguments_];
        return !all.empty() && all.back().facts.repeats ? &all.back() : nullptr;
    }

    // ---- completions -------------------------------------------------------------------------

    void add(std::string word, std::string_view text = {}, bool open = false) {
        if (word.starts_with(last_))
            made_.words.push_back({std::move(word), std::string(text), open});
    }

    void add_commands() {
        for (const ShownCommand& command : surface_.commands)
            add(std::string(command.description.name), command.description.summary);
    }

    void add_options() {
        const auto add_all = [&](const std::vector<ShownOption>& options) {
            for (const ShownOption& option : options) {
                const bool again = std::find(given_.begin(), given_.end(), &option) != given_.end();
                if (again && !option.facts.repeats) continue;
                for (const std::string& name : option.names)
                    add(name, option.text);
            }
        };
        if (command_ != nullptr) add_all(command_->options);
        add_all(surface_.options);
    }

    // `value` is the part after `front` that is already written.
    void add_values(const ShownOption& option, std::string front, std::string_view value) {
        const OptionFacts& facts = option.facts;
        if (facts.separator != '\0') {
            const std::size_t end = value.rfind(facts.separator);
            front += value.substr(0, end == std::string::npos ? 0 : end + 1);
        }
        for (const std::string& word : facts.words)
            add(front + word);
        switch (facts.offers) {
        case Offers::Files:
            made_.files = true;
            break;
        case Offers::Folders:
            made_.folders = true;
            break;
        case Offers::Games:
        case Offers::Rules:
            add_games(front);
            made_.files = facts.offers == Offers::Rules || is_path(value) || made_.words.empty();
            break;
        case Offers::RuleName:
            add_rule_names(front);
            break;
        case Offers::Setting:
            add_settings(front, value);
            break;
        case Offers::Agents:
            add_agents(std::move(front), value);
            break;
        case Offers::Commands:
            for (const ShownCommand& command : surface_.commands)
                add(front + std::string(command.description.name), command.description.summary);
            break;
        case Offers::Nothing:
            break;
        }
    }

    static bool is_path(std::string_view value) {
        return value.starts_with('.') || value.find('/') != std::string_view::npos;
    }

    void add_games(const std::string& front) {
        const games::Registry registry = open_registry(games_folder_, context_);
        for (const games::GameEntry& entry : registry.entries())
            add(front + entry.title());
    }

    // The game that the line names, opened without messages.
    [[nodiscard]] games::OpenedGame opened_game() const {
        if (game_.empty()) return {};
        const games::Registry registry = open_registry(games_folder_, context_);
        const games::GameName name = games::parse_game_name(game_);
        name_game(registry, name, context_);
        return registry.open(name);
    }

    void add_rule_names(const std::string& front) {
        const games::OpenedGame opened = opened_game();
        if (opened.game == nullptr || opened.game->ruleset_game() == nullptr) return;
        for (const engine::Group& group : opened.game->ruleset_game()->ruleset().groups)
            for (const engine::Rule& rule : group.rules)
                if (rule.name.find('/') == std::string::npos) add(front + rule.name, group.name);
    }

    void add_settings(const std::string& front, std::string_view value) {
        const games::OpenedGame opened = opened_game();
        if (opened.game == nullptr) return;
        const games::Facts& facts = opened.game->facts();
        const std::size_t equals = value.find('=');
        if (equals == std::string_view::npos) {
            for (const games::GameOption& option : facts.options)
                add(front + option.name + "=", "now " + engine::scalar_json(option.value), true);
            return;
        }
        const std::string name(value.substr(0, equals));
        const engine::Member* values = facts.option_values.find(name);
        if (values == nullptr || !values->value.is_array()) return;
        for (const engine::Member& each : values->value.members)
            add(fmt::format("{}{}={}", front, name,
                            each.value.is_string() ? std::string(each.value.text())
                                                   : engine::write_json(each.value, -1)));
    }

    // Completes the last of a list of agents: "eval,Good=rules:ta".
    void add_agents(std::string front, std::string_view value) {
        const std::string_view one = agents::split_agent_specs(value).back();
        front += value.substr(0, value.size() - one.size());
        const std::size_t equals = one.find('=');
        if (equals < one.find(':')) front += one.substr(0, equals + 1);
        const std::string game = games::parse_game_name(game_).game;
        for (const agents::AgentKind& kind : agents::agent_kinds()) {
            const std::string name = front + std::string(kind.kind);
            const std::vector<std::string> files = agent_files(kind.kind, game);
            for (const std::string& file : files)
                add(name + ":" + file, kind.doc);
            if (files.empty() || !kind.needs_word)
                add(kind.needs_word ? name + ":" : name, kind.doc, kind.needs_word);
        }
        const std::size_t colon = one.find(':');
        if (colon != std::string_view::npos && is_path(one.substr(colon + 1))) made_.files = true;
    }

    // Names of file agents that come with the game.
    [[nodiscard]] std::vector<std::string> agent_files(std::string_view kind,
                                                       const std::string& game) const {
        if (agents::ships(kind)) {
            const auto shipped =
                tournaments::shipped_agents(agents_folder(agents_folder_, context_), kind);
            const auto of_game = shipped.find(game);
            return of_game == shipped.end() ? std::vector<std::string>{} : of_game->second;
        }
        if (kind != "advice" || game.empty()) return {};
        const std::string folder = games_folder(games_folder_, context_);
        return tournaments::rule_files(std::filesystem::path(folder) / game / "advice");
    }

    const Surface& surface_;
    Context& context_;
    std::string last_;
    const ShownCommand* command_ = nullptr;
    const ShownOption* value_of_ = nullptr; // its value comes next
    std::vector<const ShownOption*> given_;
    std::size_t arguments_ = 0; // number of complete ones
    bool only_arguments_ = false;
    bool unknown_ = false; // the subcommand is unknown
    std::string game_;
    std::string games_folder_;
    std::string agents_folder_;
    Completion made_;
};

// All three scripts call `croupier completion SHELL --words -- WORD...` and get a candidate per
// line, with its description after a tab; ":files" and ":folders" are left to the shell. A first
// column ">" instead of "=" means that the word continues. Errors are hidden: an unfinished line
// has some.

// readline replaces only the text after the last word break, so candidates omit the part before it.
constexpr std::string_view kBash = R"--(# Completion of croupier for bash: source it, or keep it as
# ~/.local/share/bash-completion/completions/croupier
_croupier()
{
    local line=${COMP_LINE:0:COMP_POINT} breaks= before= current candidate
    local -a typed
    read -ra typed <<<"$line"
    [[ $line == *[[:space:]] ]] && typed+=("")
    current=${typed[${#typed[@]} - 1]}
    [[ $COMP_WORDBREAKS == *:* ]] && breaks+=:
    [[ $COMP_WORDBREAKS == *=* ]] && breaks+==
    [[ -n $breaks ]] && before=${current%"${current##*["$breaks"]}"}
    COMPREPLY=()
    while IFS= read -r candidate; do
        case $candidate in
        :files | :folders)
            local kind=-f path
            [[ $candidate == :folders ]] && kind=-d
            compopt -o filenames 2>/dev/null
            while IFS= read -r path; do
                COMPREPLY+=("$path")
            done < <(compgen $kind -- "${current#"$before"}")
            ;;
        *)
            [[ $candidate == ">"* ]] && compopt -o nospace 2>/dev/null
            candidate=${candidate%%$'\t'*}
            candidate=${candidate:1}
            COMPREPLY+=("${candidate#"$before"}")
            ;;
        esac
    done < <("${typed[0]}" completion bash --words -- "${typed[@]:1}" 2>/dev/null)
}
complete -F _croupier croupier
)--";

constexpr std::string_view kZsh = R"--(#compdef croupier
# Completion of croupier for zsh: keep it as _croupier in a folder of $fpath
_croupier()
{
    local line word
    local -a plain open shown_plain shown_open
    while IFS= read -r line; do
        case $line in
        :files) _files ;;
        :folders) _files -/ ;;
        *)
            word=${${line%%$'\t'*}[2,-1]}
            if [[ $line == ">"* ]]; then
                open+=("$word")
                shown_open+=("$word  ${line#*$'\t'}")
            else
                plain+=("$word")
                shown_plain+=("$word  ${line#*$'\t'}")
            fi
            ;;
        esac
    done < <("${(Q)words[1]}" completion zsh --words -- "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
    (( $#plain )) && compadd -l -d shown_plain -a plain
    (( $#open )) && compadd -S '' -l -d shown_open -a open
}
if [[ $funcstack[1] == _croupier ]]; then
    _croupier "$@"
else
    compdef _croupier croupier
fi
)--";

constexpr std::string_view kFish = R"--(# Completion of croupier for fish: keep it as
# ~/.config/fish/completions/croupier.fish
function __croupier_complete
    set -l typed (commandline -opc)
    set -l current (commandline -ct)
    $typed[1] completion fish --words -- $typed[2..-1] "$current" 2>/dev/null | while read -l line
        switch $line
            case :files
                __fish_complete_path "$current"
            case :folders
                __fish_complete_directories "$current" ''
            case '*'
                string sub -s 2 -- $line
        end
    end
end
complete -c croupier -f -a '(__croupier_complete)'
)--";

class CompletionCommand : public Command {
  public:
    [[nodiscard]] Description describe() const override {
        return {
            "completion", "Completion of the command line in bash, zsh and fish",
            "Prints the script that makes the shell complete subcommands, options, their "
            "values, and the names of games and agents, also of those in --games-folder and "
            "--agents-folder. Installing croupier puts the scripts where the shells look for them.",
            "source <(croupier completion bash)\n"
            "croupier completion zsh > ~/.zfunc/_croupier\n"
            "croupier completion fish > ~/.config/fish/completions/croupier.fish"};
    }

    void declare(Options& options) override {
        options.add("SHELL", shell_, "For which shell").required().one_of({"bash", "zsh", "fish"});
        const Option words = options.add_flag(
            "--words", asks_, "Print what the last WORD may become; the scripts ask this");
        options.add("WORD", words_, "Words of a command line, after --").needs(words);
    }

    int run(Context& context) override {
        if (!asks_) {
            context.out().raw(shell_ == "bash" ? kBash : shell_ == "zsh" ? kZsh : kFish);
            return kGood;
        }
        const Surface surface = context.surface();
        const Completion found = Completer(surface, words_, context).complete();
        std::string text;
        for (const Completion::Word& each : found.words)
            text += fmt::format("{}{}\t{}\n", each.open ? '>' : '=', each.word, each.text);
        if (found.folders) text += ":folders\n";
        if (found.files) text += ":files\n";
        context.out().raw(text);
        return kGood;
    }

  private:
    std::string shell_;
    bool asks_ = false;
    std::vector<std::string> words_;
};

} // namespace

std::unique_ptr<Command> make_completion() {
    return std::make_unique<CompletionCommand>();
}

} // namespace croupier::cli
