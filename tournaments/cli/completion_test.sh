#!/usr/bin/env bash
# Completion as shells do it, and the man page as man(1) reads it.
# completion_test.sh CROUPIER
set -uo pipefail
croupier=$1
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/bin" "$scratch/games/mygame" "$scratch/agents/rules/mygame" "$scratch/here/folder"
ln -s "$croupier" "$scratch/bin/croupier"
export PATH="$scratch/bin:$PATH"
printf '{}' >"$scratch/games/mygame/rules.json"
printf '{}' >"$scratch/games/mygame/harder.json"
printf '{}' >"$scratch/agents/rules/mygame/clever.json"
touch "$scratch/here/state.json"
cd "$scratch/here" || exit 1
croupier completion bash >"$scratch/completion"

# completed LINE: what bash would offer for its last word, as it would insert it.
completed() {
    COMP_LINE=$1 COMP_POINT=${#1} bash --norc --noprofile -c '
        source "$1"
        COMP_WORDBREAKS=${2:-$COMP_WORDBREAKS}
        _croupier
        printf "%s\n" "${COMPREPLY[@]}"' bash "$scratch/completion" "${2-}" | sort | xargs
}

expect "a subcommand" "version" "$(completed 'croupier ver')"
expect "subcommands" "merge" "$(completed 'croupier me')"
expect "all of them" "$(croupier --help | awk '/^Options/ {exit} /^  [a-z]/ {print $1}' | sort | xargs)" \
    "$(completed 'croupier ')"
expect "a flag" "--seed" "$(completed 'croupier play life --see')"
expect "a flag that is there already" "" "$(completed 'croupier play life --seed 1 --see')"
expect "one that may be repeated" "--set" "$(completed 'croupier play life --set a=1 --set')"
expect "an option of all" "--color" "$(completed 'croupier play --col')"
expect "its values" "always auto" "$(completed 'croupier --color a')"
expect "behind it" "version" "$(completed 'croupier --color never ver')"
expect "a value" "markdown" "$(completed 'croupier report x --format ma')"
expect "a value behind =" "markdown" "$(completed 'croupier report x --format=ma')"
expect "the last of a list" "win,length" "$(completed 'croupier compare a b --metric win,len')"
expect "a game" "life:mutant" "$(completed 'croupier play life:mu' ' ')"
expect "games and their revisions" "$(croupier games | grep -o '^coinche[^ ]*' | sort | xargs)" \
    "$(completed 'croupier play coi' ' ')"
expect "a game as bash breaks words" "previous" "$(completed 'croupier play oldmaid:pre')"
expect "a game where : breaks nothing" "oldmaid:previous" "$(completed 'croupier play oldmaid:pre' ' =')"
expect "a game of an option" "oldmaid" "$(completed 'croupier run --game oldmai' | cut -d: -f1 | cut -d' ' -f1)"
expect "a game, or a file" "state.json" "$(completed 'croupier run stat')"
expect "short names" "-V -h -j -o -q" "$(completed 'croupier run -' | tr ' ' '\n' | grep -x -e '-.' | LC_ALL=C sort -u | xargs)"
expect "what a short name takes" "folder" "$(completed 'croupier run life -o ')"
expect "the second game" "whist" "$(completed 'croupier compare belote whi')"
expect "a folder of games" "mygame mygame:harder" \
    "$(completed "croupier play --games-folder $scratch/games my" ' ')"
expect "an agent" "random" "$(completed 'croupier play belote --agents rand')"
expect "an agent of the game" "table" "$(completed 'croupier play belote --agents rules:ta')"
expect "the second, with a name" "naive" "$(completed 'croupier play belote --agents random,Good=rules:nai')"
expect "a folder of agents" "rules:clever" \
    "$(completed "croupier play mygame --agents-folder $scratch/agents --agents rules:" ' ')"
expect "a table of advice" "fixed published" "$(completed 'croupier play krk --agents advice:')"
expect "an option of the game" "max_plies=" "$(completed 'croupier play life --set max')"
expect "what it may be" "next previous" "$(completed 'croupier play oldmaid --set draw_from=')"
expect "a rule" "pair" "$(completed 'croupier profile oldmaid --rule pai')"
expect "a file" "state.json" "$(completed 'croupier moves life --state st')"
expect "a folder" "folder" "$(completed 'croupier run life --out ')"
expect "a file of rules, or a game" "state.json" "$(completed 'croupier check stat')"
expect "a shell" "bash" "$(completed 'croupier completion b')"
expect "nothing of an unknown subcommand" "" "$(completed 'croupier versoin --')"

# On a terminal, with the key. Each line is typed once the screen shows the prompt or output before it.
screen=$scratch/screen
printf "source %q\nPS1='ready> '\n" "$scratch/completion" >"$scratch/rc"
: >"$screen"
# await TEXT: five minutes at most
await() { for _ in $(seq 6000); do grep -q -e "$1" "$screen" && break; sleep 0.05; done; }
# The typist must not be a child of script, which would wait for it as well.
timeout 600 script -qefc "bash --noprofile --rcfile '$scratch/rc' -i" "$screen" >/dev/null 2>&1 < <(
    await 'ready> '; printf 'croupier vers\t'
    await 'croupier version '; printf '\n'
    await '^compiler'; printf 'exit\n'
    # At the end of its input script types one of its own.
    while [ -d "$scratch" ] && ! [ -e "$scratch/over" ]; do sleep 0.05; done)
touch "$scratch/over"
expect "Tab completes" yes "$(grep -q '^compiler' "$screen" && echo yes)"

if command -v zsh >/dev/null; then
    croupier completion zsh >"$scratch/bin/_croupier"
    expect "zsh reads its script" "" "$(zsh -fc "autoload -U compinit; compinit -D; source $scratch/bin/_croupier" 2>&1)"
fi
if command -v fish >/dev/null; then
    croupier completion fish >"$scratch/croupier.fish"
    expect "fish completes" "version" "$(HOME=$scratch fish --no-config -c \
        "source $scratch/croupier.fish; complete -C 'croupier ver'" | cut -f1)"
    expect "fish completes games" "oldmaid:previous" "$(HOME=$scratch fish --no-config -c \
        "source $scratch/croupier.fish; complete -C 'croupier play oldmaid:p'" | cut -f1)"
fi

croupier help --man >"$scratch/croupier.1"
expect "the man page has every subcommand" "$(completed 'croupier ')" \
    "$(sed -n 's/^\.SS //p' "$scratch/croupier.1" | sort | xargs)"
if command -v man >/dev/null; then
    expect "man has nothing to warn of" "" \
        "$(MANWIDTH=80 LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$scratch/croupier.1" 2>&1 >/dev/null)"
    expect "man shows an option as it is typed" 1 "$(MANWIDTH=80 LC_ALL=C.UTF-8 man -E UTF-8 -P cat -l \
        "$scratch/croupier.1" | col -bx | grep -c '^  *--starts FILE\[,order=random\]' | head -1 | awk '{print ($1 > 0)}')"
fi
conclude
