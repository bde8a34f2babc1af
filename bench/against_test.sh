#!/usr/bin/env bash
# Tests against.sh with programs that claim times instead of measuring: which rows fail, what is said of
# others, and that nothing is left behind.
set -uo pipefail
against=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/against.sh
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failures=0
fail() { echo "$1"; failures=$((failures + 1)); }

# fake FILE "ROW NS [spread]"..: a program with these rows; NS may be "wrong". With a spread of 0.2 its times
# vary by up to a fifth, with the same course each time.
fake() {
    local file=$1
    shift
    printf '%s\n' "$@" >"$file.rows"
    cat >"$file" <<'END'
#!/usr/bin/env bash
filter=. list=
for argument; do
    case $argument in
    --benchmark_filter=*) filter=${argument#*=} ;;
    --benchmark_list_tests=true) list=1 ;;
    esac
done
calls=$(($(cat "$0.calls" 2>/dev/null || echo 0) + 1))
[ -n "$list" ] || echo $calls >"$0.calls"
while read -r row ns spread; do
    [[ $row/manual_time =~ $filter ]] || continue
    if [ -n "$list" ]; then echo "$row/manual_time"; continue; fi
    echo '{ "benchmarks": [ {'
    echo "  \"name\": \"$row/manual_time\","
    [ "$ns" != wrong ] || echo '  "error_occurred": true,'
    awk -v ns="$ns" -v spread="${spread:-0}" -v k="$calls" -v salt="${#0}" 'BEGIN {
        time = ns * (1 + spread * sin(k * k * salt))
        printf "  \"cpu_ns\": %e,\n  \"ns\": %e\n", time, 3 * time
    }'
    echo '} ] }'
done <"$0.rows"
END
    chmod +x "$file"
}

# expect CODE TEXT ARGUMENT..: the exit code, and a line that the output has.
expect() {
    local code=$1 text=$2 output status
    shift 2
    output=$("$against" "$@" 2>&1)
    status=$?
    ((status == code)) || fail "exit code $status, not $code: against.sh $* printed $output"
    grep -qE -- "$text" <<<"$output" || fail "no '$text': against.sh $* printed $output"
}
compare() { expect "$1" "$2" --mine "$dir/mine" --theirs "$dir/there" --rounds 6 "${@:3}"; }

# ---- which rows fail -------------------------------------------------------------------------

fake "$dir/mine" 'a/same 100' 'a/slower 110' 'a/faster 50' 'b/same 7'
fake "$dir/there" 'a/same 100' 'a/slower 100' 'a/faster 100' 'b/same 7'
compare 1 '^4 rows: 1 slower than 1.03 times, 1 faster, 0 wrong$'
compare 1 '^slower: a/slower \(1\.1000\)$' --benchmark_filter=slow
compare 0 '^a/faster +0\.500 +0\.500 to 0\.500$' --benchmark_filter=fast
compare 0 '^1 rows: 0 slower' --benchmark_filter=b/
compare 0 '^4 rows: 0 slower than 1.2 times' --limit 1.2

# A row whose name is a part of another's, or holds what means something in an expression.
fake "$dir/mine" 'a/x 100' 'a/x+y 200' 'a/x.y 100'
fake "$dir/there" 'a/x 100' 'a/x+y 100' 'a/x.y 100'
compare 1 '^3 rows: 1 slower'

# Noise alone is not called slower; a surely slower row is found in it.
fake "$dir/mine" 'noisy 100 0.2'
fake "$dir/there" 'noisy 100 0.2'
compare 0 '^1 rows: 0 slower' --rounds 15
fake "$dir/mine" 'noisy 180 0.2'
compare 1 '^slower: noisy' --rounds 15

# ---- rows that only one has, wrong answers ---------------------------------------------------

fake "$dir/mine" 'a 100' 'new 100'
fake "$dir/there" 'a 100' 'gone 100'
compare 0 '^only here: new'
compare 0 '^only there: gone'
compare 0 '^1 rows: 0 slower'
compare 2 'no row that both have' --benchmark_filter=new
fake "$dir/mine" 'a wrong'
compare 1 '^wrong answer: a$'

# ---- mistakes --------------------------------------------------------------------------------

expect 0 'usage: bench/against.sh' --help
expect 2 'usage: bench/against.sh'
expect 2 'there is no option --fast' --fast HEAD
expect 2 '--rounds takes a number from 6' --rounds 5 HEAD
expect 2 '--limit takes a ratio' --limit slow HEAD
expect 2 '--limit needs a value' --limit
expect 2 'one REV' HEAD HEAD
expect 2 'cannot be run' --mine "$dir/nothing" --theirs "$dir/there"

# ---- building another commit, with a cmake that is none --------------------------------------

mkdir -p "$dir/tools" "$dir/tree/bench"
cat >"$dir/tools/cmake" <<'END'
#!/usr/bin/env bash
[ ! -e "$WAIT" ] || { touch "$WAIT.begun"; sleep 600; }
[ "$1" = --build ] || exit 0
[ ! -e broken ] || { echo "does not compile"; exit 1; }
mkdir -p build/release
cp program build/release/croupier_bench
cp program.rows build/release/croupier_bench.rows
END
chmod +x "$dir/tools/cmake"
export PATH=$dir/tools:$PATH WAIT=$dir/wait TMPDIR=$dir/scratch
mkdir "$TMPDIR"
cp "$against" "$dir/tree/bench/"
against=$dir/tree/bench/against.sh
repository() { git -C "$dir/tree" -c user.name=t -c user.email=t@t "$@" >/dev/null 2>&1; }
commit() { repository add -A && repository commit -m "$1"; }
repository init
printf 'build/\n*.calls\n' >"$dir/tree/.gitignore"
fake "$dir/tree/program" 'a 100'
commit "fast"
touch "$dir/tree/broken"
commit "broken"
rm "$dir/tree/broken"
fake "$dir/tree/program" 'a 130'
commit "slow"
nothing_left() {
    [[ $(git -C "$dir/tree" worktree list | wc -l) == 1 ]] || fail "$1: a work tree is left"
    [[ -z $(ls "$TMPDIR") ]] || fail "$1: $(ls "$TMPDIR") is left"
}

expect 0 '^1 rows: 0 slower' HEAD
nothing_left "the same commit"
expect 1 '^slower: a' HEAD~2
nothing_left "a slower row"
expect 2 'does not compile' HEAD~1
expect 2 'croupier_bench of HEAD~1 .* cannot be built' HEAD~1
nothing_left "a commit that does not compile"
expect 2 "there is no commit 'nothing'" nothing
expect 2 'built with uncommitted changes.*try HEAD' HEAD-dirty
nothing_left "an unknown commit"

# Interrupted while it builds, as by Ctrl-C: the whole group gets the signal.
touch "$WAIT"
set -m
"$against" HEAD >"$dir/output" 2>&1 &
set +m
for _ in $(seq 3000); do [ ! -e "$WAIT.begun" ] || break; sleep 0.1; done
[ -e "$WAIT.begun" ] || fail "it never began to build"
kill -INT -- -$!
wait $!
status=$?
((status == 130)) || fail "interrupted, the exit code is $status"
nothing_left "interrupted"

((failures == 0)) || exit 1
echo "against.sh: all as expected"
