#!/usr/bin/env bash
# What the presets promise: which of them make warnings errors, and what the compiler is told.
# presets_test.sh CMAKE SOURCE-TREE SCRATCH
set -uo pipefail
cmake=$1 source_tree=$2 scratch=$3
cd "$source_tree" || exit 1
rm -rf "$scratch"
mkdir -p "$scratch"
failures=0

fail() {
    echo "FAILED $*"
    failures=$((failures + 1))
}

# in_preset PRESET NAME: the value that the preset gives it, empty if none.
in_preset() { "$cmake" --preset "$1" -N | sed -n "s/^ *$2=\"\(.*\)\"$/\1/p"; }

# expect_preset PRESET NAME VALUE
expect_preset() {
    local actual
    actual=$(in_preset "$1" "$2")
    [ "$actual" = "$3" ] || fail "preset $1: $2 is '$actual', wanted '$3'"
}

for preset in dev nightly dev-clang asan tsan fuzz; do
    expect_preset "$preset" CROUPIER_WERROR ON
    case $(in_preset "$preset" CMAKE_CXX_FLAGS_DEBUG) in
    *NDEBUG*) fail "preset $preset drops assertions" ;;
    esac
done
for name in SLOW_TESTS BENCH PLANTED; do expect_preset nightly CROUPIER_$name ON; done
expect_preset dev CROUPIER_PLANTED ""
expect_preset release CROUPIER_WERROR ""
expect_preset release CROUPIER_NATIVE ""
expect_preset release CROUPIER_PLANTED ""
expect_preset release CROUPIER_UNITY ON
expect_preset asan CROUPIER_SANITIZE address,undefined
expect_preset tsan CROUPIER_SANITIZE thread
expect_preset fuzz CMAKE_CXX_COMPILER clang++

# Every preset for building and testing belongs to one for configuring.
for kind in build test; do
    for preset in $("$cmake" --list-presets=$kind | sed -n 's/^ *"\([^"]*\)".*/\1/p'); do
        "$cmake" --preset "$preset" -N >/dev/null 2>&1 || fail "$kind preset $preset configures nothing"
    done
done

# compiled NAME CMAKE-ARGUMENTS...: configures without tests and leaves the compile commands in $commands.
compiled() {
    local name=$1
    shift
    "$cmake" -S "$source_tree" -B "$scratch/$name" -DCROUPIER_TESTS=OFF -DCROUPIER_BENCH=OFF "$@" \
        >"$scratch/$name.log" 2>&1 || { cat "$scratch/$name.log"; fail "$name cannot be configured"; }
    commands=$(grep '"command"' "$scratch/$name/compile_commands.json")
}
# expect_flag NAME yes|no FLAG: whether each of the compile commands has it, or none.
expect_flag() {
    local having all
    having=$(echo "$commands" | grep -cF -- " $3 ")
    all=$(echo "$commands" | grep -c .)
    if [ "$2" = yes ]; then [ "$having" = "$all" ]; else [ "$having" = 0 ]; fi ||
        fail "$1: $having of $all compile commands have $3"
}

compiled dev --preset dev
for flag in -Wall -Wextra -Werror -std=c++20; do expect_flag dev yes $flag; done
expect_flag dev no -DNDEBUG
compiled release --preset release
for flag in -O3 -DNDEBUG -Wall -std=c++20; do expect_flag release yes $flag; done
for flag in -Werror -march=native; do expect_flag release no $flag; done
compiled native --preset release -DCROUPIER_NATIVE=ON
expect_flag native yes -march=native
# Who knows nothing of presets gets a release without our warnings as his errors.
compiled plain
expect_flag plain yes -DNDEBUG
expect_flag plain no -Werror

[ "$failures" = 0 ] && echo "all as wanted"
exit $((failures > 0))
