#!/usr/bin/env bash
# layers.sh must accept a tree that keeps the rules and refuse each way of breaking one.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# verdict WANTED NAME FILE [TEXT]: a tree with that file must give this exit code and, when it is
# refused, be told the file.
verdict() {
    local tree=$scratch/tree actual
    rm -rf "$tree"
    mkdir -p "$tree/$(dirname "$3")"
    printf '%s\n' "${4:-}" >"$tree/$3"
    "$here/layers.sh" "$tree" >"$scratch/log" 2>&1
    actual=$?
    [ "$1" = 0 ] || grep -qF "$3" "$scratch/log" || actual="$actual without its name"
    if [ "$actual" != "$1" ]; then
        echo "FAILED $2: wanted $1, got $actual"
        cat "$scratch/log"
        failures=$((failures + 1))
    fi
}

include() { echo "#include \"$1/x.h\""; }
for arrow in games:engine/api agents:games agents:engine/api tournaments:agents tournaments:results \
    bench:tournaments engine:engine; do
    verdict 0 "$arrow" "${arrow%:*}/x.cpp" "$(include "${arrow#*:}")"
done
for arrow in engine:games engine:results games:agents agents:tournaments agents:results results:engine \
    results:tournaments games:bench tournaments:bench; do
    verdict 1 "$arrow" "${arrow%:*}/x.cpp" "$(include "${arrow#*:}")"
done
verdict 1 "an arrow past the public face" games/x.cpp "$(include engine/run)"
verdict 0 "an arrow within the engine" engine/run/x.cpp "$(include engine/form)"
verdict 1 "an arrow back within the engine" engine/form/x.cpp "$(include engine/run)"
verdict 1 "an arrow back to emission" engine/catalogue/x.h "$(include engine/x86)"
verdict 1 "an arrow in a header" engine/deep/down/x.h "$(include games)"
verdict 0 "an arrow in a comment" engine/x.cpp "// $(include games)"

now='std::chrono::steady_clock::now()'
for call in 'std::cout << 1' 'printf ("1")' 'std::exit(1)' 'std::getenv("A")' "$now" 'fmt::print("1")'; do
    verdict 1 "$call" agents/x.cpp "int x = ($call, 1);"
done
for folder in engine games agents results tournaments; do
    verdict 1 "a clock in $folder" "$folder/x.cpp" "auto x = $now;"
    verdict 0 "printing in a test of $folder" "$folder/x_test.cpp" 'std::cout << 1'
done
verdict 0 "printing in a comment" engine/x.cpp '// std::cout << 1'
verdict 0 "another print" engine/x.cpp 'print(x); snprintf(b, 1, "");'
verdict 1 "a library includes the command line" tournaments/run/x.cpp '#include "tournaments/cli/command.h"'
verdict 0 "the command line includes itself" tournaments/cli/x.cpp '#include "tournaments/cli/command.h"'
verdict 1 "a library includes the server" tournaments/run/x.cpp '#include "tournaments/serve/tables.h"'
verdict 0 "the machine reads clocks" tournaments/machine/x.cpp "auto x = $now;"
verdict 1 "the machine prints" tournaments/machine/x.cpp 'std::cout << 1'
verdict 1 "the command line reads clocks" tournaments/cli/x.cpp "auto x = $now;"
verdict 1 "a library includes the machine" tournaments/run/x.cpp '#include "tournaments/machine/machine.h"'
verdict 0 "the command line includes the machine" tournaments/cli/x.cpp '#include "tournaments/machine/machine.h"'
verdict 1 "a subcommand prints past the terminal" tournaments/cli/commands/x.cpp 'std::cout << 1'
verdict 1 "a subcommand ends the process" tournaments/cli/commands/x.cpp 'std::exit(1)'
verdict 0 "the process is one file's" tournaments/cli/process.cpp 'std::getenv("A")'

if command -v git >/dev/null; then
    # In a repository the files are those that git knows.
    export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null
    top() {
        rm -rf "$scratch/tree"
        mkdir -p "$scratch/tree/engine" "$scratch/tree/build"
        touch "$scratch/tree/README.md" "$scratch/tree/engine/x.cpp" "$scratch/tree/$2"
        git -C "$scratch/tree" init -q && git -C "$scratch/tree" add README.md engine "$2"
        touch "$scratch/tree/notes.txt" # of whoever works here
        "$here/layers.sh" "$scratch/tree" >"$scratch/log" 2>&1
        [ $? = "$1" ] || { echo "FAILED top with $2"; cat "$scratch/log"; failures=$((failures + 1)); }
    }
    top 0 LICENSE
    top 0 play
    top 1 Makefile
    top 1 main.cpp
    top 1 .engine
fi

[ "$failures" = 0 ] && echo "all as wanted"
exit $((failures > 0))
