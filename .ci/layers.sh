#!/usr/bin/env bash
# What the linker cannot see: each folder includes only what it may use, only the command line prints,
# ends the process, or reads the environment, and only tournaments/machine reads clocks. layers.sh SOURCE-TREE
set -uo pipefail
cd "$1"
failures=0

# Lines of the C++ files under a folder, as file:line:text, without comments.
code() { grep -rn --include='*.h' --include='*.cpp' --include='*.def' '' "$1" 2>/dev/null | sed 's://.*$::'; }

report() {
    [ -z "$1" ] || { printf '%s:\n%s\n' "$2" "$1"; failures=$((failures + 1)); }
}

# may_include FOLDER FOLDERS-IT-MAY-USE
may_include() {
    local all='engine|games|agents|tournaments|results|bench'
    report "$(code "$1" | grep -E "#include \"($all)/" | grep -vE "#include \"($1${2:+|$2})/")" \
        "$1 must not include"
}
may_include engine ""
may_include games "engine"
may_include agents "games|engine"
may_include results ""
may_include tournaments "agents|games|engine|results"

# What the others see of the engine: its public face.
for folder in games agents results tournaments bench; do
    report "$(code "$folder" | grep -E '#include "engine/' |
        grep -vE '#include "engine/api/[a-z]+\.h"')" \
        "$folder must include engine/api/ instead of"
done

# The folders that a ruleset passes through, in that order: each sees only those before it.
engine_folders='text language state catalogue form x86 run explain'
seen=''
for folder in $engine_folders; do
    seen="$seen${seen:+|}$folder"
    report "$(code "engine/$folder" | grep -vE "^[^:]*(_test\.cpp|testing\.h):" |
        grep -E "#include \"engine/(${engine_folders// /|})/" | grep -vE "#include \"engine/($seen)/")" \
        "engine/$folder must not include"
done

# What plays is a library: who calls it is not known there.
report "$(code tournaments | grep -vE '^(tournaments/(cli|python)/|[^:]*_test\.cpp:)' | grep '#include "tournaments/cli/')" \
    "only tournaments/cli and tournaments/python may include"
report "$(code tournaments | grep -vE '^tournaments/(cli|serve)/' | grep '#include "tournaments/serve/')" \
    "only tournaments/cli and tournaments/serve may include"
report "$(code tournaments | grep -vE '^(tournaments/(cli|machine)/|[^:]*_test\.cpp:)' |
    grep '#include "tournaments/machine/')" "only tournaments/cli may include"

# Tests, fuzzers, example bots and the reference model, which is built for tests only, are programs of
# their own.
own_programs='^([^:]*_(test|fuzz|bench)\.cpp|engine/(reference|fuzz|cmake/consumer)/[^:]*|agents/process/(examples/[^:]*|testing/mock_bot\.cpp)):'
print_or_exit='std::(cout|cerr|clog|exit|quick_exit|abort|getenv)|\bprintf *\(|fmt::print'
for folder in engine games agents results tournaments; do
    report "$(code "$folder" | grep -vE "$own_programs" | grep -v '^tournaments/cli/' |
        grep -E "$print_or_exit")" \
        "$folder must not print, exit, or read the environment"
    report "$(code "$folder" | grep -vE "$own_programs" | grep -v '^tournaments/machine/' |
        grep '_clock::now')" \
        "$folder must not read clocks"
done
report "$(code tournaments/cli | grep -vE "$own_programs" |
    grep -v '^tournaments/cli/process.cpp:' | grep -E "$print_or_exit|isatty")" \
    "tournaments/cli must leave streams, environment and the process to process.cpp"

# What the top of the tree holds is what README.md explains. Only git knows what belongs to it.
top='engine games agents tournaments bench results CMakeLists.txt README.md ARCHITECTURE.md
    CONTRIBUTING.md CHANGELOG.md GLOSSARY.md LICENSE CMakePresets.json .clang-format .clang-tidy .gitignore .ci
    .gitattributes .editorconfig .github .vscode .zed play check'
report "$(git ls-files 2>/dev/null | cut -d/ -f1 | sort -u | grep -vxF "$(printf '%s\n' $top)")" \
    "these do not belong at the top of the tree"

exit $((failures > 0))
