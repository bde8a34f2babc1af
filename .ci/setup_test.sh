#!/usr/bin/env bash
# setup.sh on machines that are not this one: the commands that it asks are replaced by ones that answer
# as we like, and nothing else is on the PATH.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/tree/.ci" "$scratch/bin"
cp "$here/setup.sh" "$scratch/tree/.ci"
for tool in bash cat dirname env grep mkdir nproc rm sed sleep tail touch tr true; do ln -s "$(type -P $tool)" "$scratch/bin"; done
failures=0

# expect NAME WANTED ACTUAL
expect() {
    if [ "$2" != "$3" ]; then
        printf 'FAILED %s\n  wanted: %s\n  actual: %s\n' "$1" "$2" "$3"
        failures=$((failures + 1))
    fi
}

# answer NAME: the lines on standard input become this command.
answer() { { echo '#!/usr/bin/env bash'; cat; } >"$scratch/bin/$1"; chmod +x "$scratch/bin/$1"; }

# A Debian machine of user number $1 with the packages tool and lib; no sudo, lists of packages present.
machine() {
    rm -f "$scratch/calls" "$scratch/bin/sudo"
    answer id <<<"echo $1"
    answer dpkg-query <<<'case ${!#} in
        tool) echo -n installed ;; lib) echo -n installedinstalled ;; broken) echo -n unpacked ;; *) exit 1 ;; esac'
    answer apt-get <<<"[ \$2 != --simulate ] || exit 0
        { echo \"apt-get \$*\"; cat; } >>'$scratch/calls'; echo said >&2"
}

# with COMMAND: what it says when setup.sh was read before it, its exit code, and calls of apt-get.
with() {
    printf 'source %q\n%s\n' "$scratch/tree/.ci/setup.sh" "$1" >"$scratch/script"
    PATH=$scratch/bin bash "$scratch/script" 2>&1 <<<"an answer"
    echo "code $?"
    [ ! -e "$scratch/calls" ] || cat "$scratch/calls"
}
install="apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 install -y --no-install-recommends"
update="apt-get -qq -o Dpkg::Use-Pty=0 -o DPkg::Lock::Timeout=300 update"

machine 1000
expect "nothing is missing" "code 0" "$(with 'need tool lib')"
expect "who may not install is told how" \
    "missing: one two
install as root with: apt-get install -y --no-install-recommends one two
code 2" "$(with 'need one tool two')"
expect "what was only unpacked is missing, what two architectures have is not" \
    "missing: broken
install as root with: apt-get install -y --no-install-recommends broken
code 2" "$(with 'need lib broken')"
answer apt-get <<<'exit 100'
expect "on a fresh machine the lists come first" \
    "missing: one
install as root with: apt-get update && apt-get install -y --no-install-recommends one
code 2" "$(with 'need one')"
expect "what merely helps is not missed" "on
code 0" "$(with 'want one; echo on')"

machine 1000
answer sudo <<<'exit 1' # it wants a password
expect "with sudo the line has it" \
    "missing: one
install with: sudo apt-get install -y --no-install-recommends one
code 2" "$(with 'need one')"
answer apt-get <<<'exit 100'
expect "both times" \
    "missing: one
install with: sudo apt-get update && sudo apt-get install -y --no-install-recommends one
code 2" "$(with 'need one')"

machine 1000
answer sudo <<<'[ "$1" = -n ] && shift && exec "$@"'
expect "a sudo that asks nothing is used" "installing one
code 0
$install one" "$(with 'need one')"

machine 0
expect "root installs and is asked nothing" "installing one two
code 0
$install one two" "$(with 'need one tool two')"
machine 0
answer apt-get <<<"echo \"apt-get \$*\" >>'$scratch/calls'; [ -e '$scratch/fresh' ] && exit
    case \$* in *update) touch '$scratch/fresh' ;; *) exit 100 ;; esac"
expect "root fetches the lists when there are none" "installing one
code 0
$install one
$update
$install one" "$(with 'need one')"

machine 0
answer apt-get <<<'echo "E: no such package"; exit 100'
expect "what cannot be installed is said with apt's reason" "installing one
E: no such package
could not install one
code 2" "$(with 'need one')"
expect "what merely helps and cannot be installed is no matter" "on
code 0" "$(with 'want one; echo on')"

rm "$scratch/bin/dpkg-query"
expect "elsewhere the packages are trusted to be there" \
    "not a Debian system; trusting that these, or their like, are installed: one
code 0" "$(with 'need one')"

# Whoever installs by hand reads of the same packages.
for package in $(source "$here/setup.sh" && echo "${build_packages[@]}"); do
    # grep reads to the end: if it ended at the first match (-q), the pipe would fail where tr has more to write.
    tr -s ' ,;' '\n' <"$here/../CONTRIBUTING.md" | grep -xF "$package" >"$scratch/found" || expect "in CONTRIBUTING.md" "$package" ""
done

expect "a build that ends well is not heard" "code 0" "$(with 'cd "$root"; built tree echo a')"
expect "one that does not is" "a
code 1" "$(with 'cd "$root"; built tree bash -c "echo a; exit 3"')"
# The build must not end before the line is written, however slow the machine is. So the first sleep between two
# lines lasts until the build has printed something; the second lets the build end.
rm "$scratch/bin/sleep"
answer sleep <<<"nap() { $(type -P sleep) 0.05; }
    if [ ! -e '$scratch/asked' ]; then
        touch '$scratch/asked'; until grep -q 7/9 tree.log; do nap; done
    else
        touch '$scratch/told'; while [ -e '$scratch/told' ]; do nap; done
    fi"
expect "a long one says how far it is" "  7 of 9 files
code 0" "$(with "cd \"\$root\"; built tree bash -c \"echo '[7/9] a'; until [ -e '$scratch/told' ]; do :; done\"")"

# Tests: the failures of the first run are those that $scratch/fails has, of which e2e.a alone is of a whole program.
ln -s "$(type -P cut)" "$scratch/bin"
mkdir -p "$scratch/tree/build/t/Testing/Temporary"
answer ctest <<<"case \$* in
    *' -N '*) echo '  Test  #1: e2e.a' ;;
    *--rerun-failed*) echo again; exit \$(cat '$scratch/again') ;;
    *) echo '100% tests passed'; cp '$scratch/fails' '$scratch/tree/build/t/Testing/Temporary/LastTestsFailed.log'
        [ ! -s '$scratch/fails' ] ;;
    esac"
ln -s "$(type -P cp)" "$scratch/bin"
# tried FAILED-TESTS EXIT-CODE-OF-THE-SECOND-TRY: what run_tests prints, and its exit code
tried() {
    printf '%s' "$1" >"$scratch/fails"
    echo "$2" >"$scratch/again"
    with 'run_tests t'
}
expect "tests that pass are tried once" "testing build/t
100% tests passed
code 0" "$(tried '' 0)"
expect "a test of a whole program has a second try, which is reported" "testing build/t
100% tests passed
a second try of: e2e.a 
again
passed at the second try: e2e.a 
100% tests passed
code 0" "$(tried $'1:e2e.a\n' 0)"
expect "and not a third" "testing build/t
100% tests passed
a second try of: e2e.a 
again
code 1" "$(tried $'1:e2e.a\n' 1)"
expect "no other test has one" "testing build/t
100% tests passed
code 1" "$(tried $'1:e2e.a\n2:unit.b\n' 0)"

[ "$failures" = 0 ] && echo "all as wanted"
exit $((failures > 0))
