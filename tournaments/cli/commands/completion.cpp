// croupier completion: scripts that let a shell complete the command line, and what they ask.
#include "tournaments/cli/complete.h"

#include "tournaments/cli/command.h"
#include "tournaments/cli/options.h"
#include "tournaments/cli/surface.h"

#include <fmt/format.h>

namespace croupier::cli {
namespace {

// All three ask `croupier completion SHELL --words -- WORD...` and get a candidate a line, its text
// behind a tab; ":files" and ":folders" are for the shell to do. A first column ">" instead of "="
// says that more follows the word. Errors are not shown: a line that is not finished has some.

// readline replaces what follows the last of its word breaks, so candidates lose what is before.
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
        options.add("WORD", words_, "Words of a command line, behind --").needs(words);
    }

    int run(Context& context) override {
        if (!asks_) {
            context.out().raw(shell_ == "bash" ? kBash : shell_ == "zsh" ? kZsh : kFish);
            return kGood;
        }
        const Surface surface = context.surface();
        const Completion found = complete(surface, words_, context);
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
