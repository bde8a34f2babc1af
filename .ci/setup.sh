# Shared by play, check and the scripts beside it, which source it: packages, configuring, building, tests.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd -P)
jobs=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

build_packages=(g++ cmake ninja-build make libtbb-dev nlohmann-json3-dev libfccp-dev
    libbenchmark-dev libgtest-dev libcli11-dev libfmt-dev libcpp-httplib-dev libclips-dev clips
    libsqlite3-dev pybind11-dev python3-dev python3-numpy)
# What writes machine code does so for this processor alone.
[ "$HOSTTYPE" != x86_64 ] || build_packages+=(libasmjit-dev)

say() { printf '%s\n' "$*" >&2; }

# Said once for each architecture that has the package: .ci/aarch64 installs libraries of a second one,
# and only beside those of the machine.
installed() { [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) =~ ^(installed)+$ ]]; }

# The line that installs packages, for a person to type.
install_line() {
    local sudo=
    ! command -v sudo >/dev/null || sudo="sudo "
    if [ -n "$sudo" ]; then echo -n "install with: "; else echo -n "install as root with: "; fi
    # The lists of a fresh machine are empty.
    apt-get -qq --simulate install "$@" >/dev/null 2>&1 || echo -n "${sudo}apt-get update && "
    echo "${sudo}apt-get install -y --no-install-recommends $*"
}

# Installs those packages that are missing; says how, and stops, where it may not.
need() {
    local missing=() package as_root=()
    if ! command -v dpkg-query >/dev/null; then
        say "not a Debian system; trusting that these, or their like, are installed: $*"
        return
    fi
    for package; do installed "$package" || missing+=("$package"); done
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" != 0 ]; then
        if ! sudo -n true 2>/dev/null; then
            say "missing: ${missing[*]}"
            say "$(install_line "${missing[@]}")"
            exit 2
        fi
        as_root=(sudo -n)
    fi
    say "installing ${missing[*]}"
    # A machine that has just started may be upgrading itself: wait for that.
    as_root+=(env DEBIAN_FRONTEND=noninteractive apt-get -qq -o Dpkg::Use-Pty=0
        -o DPkg::Lock::Timeout=300)
    local install=("${as_root[@]}" install -y --no-install-recommends "${missing[@]}")
    mkdir -p "$root/build"
    # The lists of a fresh machine are empty or old: fetch them only when it turns out so.
    if ! "${install[@]}" </dev/null >"$root/build/packages.log" 2>&1; then
        { "${as_root[@]}" update && "${install[@]}"; } </dev/null >"$root/build/packages.log" 2>&1 ||
            { cat "$root/build/packages.log" >&2; say "could not install ${missing[*]}"; exit 2; }
    fi
}

# Installs what merely helps, and goes on without it.
want() { (need "$@") 2>/dev/null || true; }

progress_seconds=30

# built TREE COMMAND...: runs the build's command. At a terminal ninja shows its own progress. Elsewhere a
# line is written every $progress_seconds, and on failure the whole output of the command.
built() {
    local tree=$1 code=0 progress
    shift
    if [ -t 2 ] && [ -z "${CI:-}" ]; then
        "$@" >&2
        return
    fi
    # Ends with the script, also where that is interrupted.
    while sleep "$progress_seconds" &>/dev/null && kill -0 $$ 2>/dev/null; do
        say "  $(grep -ao '^\[[0-9]*/[0-9]*\]' "$tree.log" | tail -n 1 | tr -d '[]' |
            sed 's|/| of |') files"
    done &
    progress=$!
    "$@" >"$tree.log" 2>&1 || code=$?
    kill "$progress" 2>/dev/null || true
    wait "$progress" 2>/dev/null || true
    [ "$code" = 0 ] || { cat "$tree.log" >&2; return 1; }
}

# build PRESET [-DNAME=VALUE...] [-- TARGET...]
build() {
    local preset=$1 tree="$root/build/${tree_name:-$1}" settings=()
    shift
    while [ $# -gt 0 ] && [ "$1" != -- ]; do settings+=("$1"); shift; done
    [ $# -eq 0 ] || shift
    mkdir -p "$root/build"
    # A tree that was copied along with its build directory cannot use that one.
    if ! grep -qsFx "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$tree/CMakeCache.txt"; then
        rm -rf "$tree"
    fi
    if [ ! -e "$tree/build.ninja" ]; then
        say "configuring build/${tree##*/}"
        (cd "$root" && cmake --preset "$preset" -B "$tree" "${settings[@]}") \
            >"$tree.log" 2>&1 || { cat "$tree.log" >&2; exit 2; }
    fi
    # Nothing to do is nothing to say.
    if ! ninja -C "$tree" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
        say "building build/${tree##*/}"
        built "$tree" ninja -C "$tree" -j "$jobs" "$@" || exit 1
    fi
}

# run_tests TREE [CTEST-ARGUMENTS...]: all of a failure, and how many tests there were. Without
# arguments, all but those labelled slow. If only tests of whole programs (e2e) fail, they get a second
# try, which is reported: such a test shares the machine with others, as do its processes.
run_tests() {
    local name=$1 tree="$root/build/$1" log="$root/build/$1-tests.log" at_terminal='' code=0
    local failed="$tree/Testing/Temporary/LastTestsFailed.log"
    shift
    [ $# -gt 0 ] || set -- -LE slow
    say "testing build/$name"
    local ctest=(ctest --test-dir "$tree" -j "$jobs" --output-on-failure --no-tests=error)
    rm -f "$failed" "$log"
    if [ -t 1 ] && [ -z "${CI:-}" ]; then
        at_terminal=1
        "${ctest[@]}" "$@" --progress || code=1
    else
        "${ctest[@]}" "$@" >"$log" 2>&1 || code=1
    fi
    if [ $code != 0 ]; then
        [ -n "$at_terminal" ] ||
            grep -vE ' Passed |^ *Start |\*\*\*Skipped|\((Skipped|Disabled)\)( |$)' "$log" || true
        # Nothing to try again if no test has run, or one that is no e2e failed.
        [ -s "$failed" ] || exit 1
        ctest --test-dir "$tree" -N -L e2e | sed -n 's/^ *Test *#[0-9]*: //p' >"$tree/e2e-tests.txt"
        ! cut -d: -f2- "$failed" | grep -qvxFf "$tree/e2e-tests.txt" || exit 1
        local again
        again=$(cut -d: -f2- "$failed" | tr '\n' ' ')
        say "a second try of: $again"
        "${ctest[@]}" --rerun-failed || exit 1
        echo "passed at the second try: $again"
    fi
    [ -z "$at_terminal" ] || return 0
    grep '% tests passed' "$log"
    # Parts of the contract that a game has nothing to do with are skipped: too many to name here.
    local idle
    idle=$(grep -cE '\((Skipped|Disabled)\)$' "$log" || true)
    [ "$idle" = 0 ] || echo "$idle tests skipped or disabled, listed in build/${log##*/}"
}
