#!/usr/bin/env bash
# Compares croupier_bench of this tree with that of another commit, row by row; fails where it is slower.
set -euo pipefail

usage() {
    cat <<'END'
usage: bench/against.sh [options] REV
       bench/against.sh [options] --theirs FILE [--mine FILE]

Builds croupier_bench of the commit REV in a scratch directory, and of this tree in build/release (uncommitted
changes included), runs each row that both have in turn, and prints how many times the time of REV it takes
now: the median over pairs of neighbouring runs, and an interval that holds the true median in at least 95 %
of cases whatever the distribution. A row whose interval lies above the limit is measured again, and
is slower if it does so twice.

  --benchmark_filter=REGEX  only these rows; any other --benchmark_.. option is passed on as well
  --rounds N       pairs of runs of each row, 6 or more (9)
  --limit X        what counts as slower (1.03)
  --jobs N         compilers at once (number of processors)
  --mine FILE      this executable instead of building this tree
  --theirs FILE    that executable instead of building REV
  --help

Exit code: 0 nothing is slower, 1 a row is slower or gave a wrong answer, 2 a mistake, 130 interrupted.
END
}

refuse() { echo "against.sh: $1" >&2; exit 2; }

rounds=9 limit=1.03 jobs=$(nproc) mine='' theirs='' rev='' filter=. pass_on=()
while (($#)); do
    case $1 in
    --help) usage; exit 0 ;;
    --rounds | --limit | --jobs | --mine | --theirs)
        (($# > 1)) || refuse "$1 needs a value"
        declare "${1#--}=$2"; shift ;;
    --benchmark_filter=*) filter=${1#*=} ;;
    --benchmark_format=* | --benchmark_out* | --benchmark_list_tests* | --benchmark_repetitions*)
        refuse "$1 is this script's own" ;;
    --benchmark_*=*) pass_on+=("$1") ;;
    -*) refuse "there is no option $1 (--help lists them)" ;;
    *) [[ -z $rev ]] || refuse "one REV, not '$rev' and '$1'"; rev=$1 ;;
    esac
    shift
done
[[ $rounds =~ ^[0-9]+$ ]] && ((rounds >= 6)) || refuse "--rounds takes a number from 6, not '$rounds'"
[[ $limit =~ ^[0-9]+(\.[0-9]+)?$ ]] || refuse "--limit takes a ratio like 1.03, not '$limit'"
[[ $jobs =~ ^[1-9][0-9]*$ ]] || refuse "--jobs takes a number from 1, not '$jobs'"
[[ -n $rev || -n $theirs ]] || { usage >&2; exit 2; }
[[ -z $rev || -z $theirs ]] || refuse "either REV or --theirs"
# What a run is passed besides the row; short, since each row is run many times.
[[ " ${pass_on[*]-}" == *--benchmark_min_time=* ]] || pass_on+=(--benchmark_min_time=0.05)

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
git_here() { git -C "$here" "$@"; }
if [[ -n $rev ]]; then
    [[ $rev != *-dirty ]] ||
        refuse "$rev was built with uncommitted changes, which cannot be rebuilt; try ${rev%-dirty}"
    commit=$(git_here rev-parse --verify --quiet "$rev^{commit}") ||
        refuse "there is no commit '$rev' in $here"
fi

scratch=$(mktemp -d)
clean_up() {
    # Pruning forgets other people's work trees that cannot be seen just now, so only if nothing else helps.
    if [[ -d $scratch/tree ]] && ! git_here worktree remove --force "$scratch/tree" 2>/dev/null; then
        rm -rf "$scratch/tree"
        git_here worktree prune
    fi
    rm -rf "$scratch"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# build FOLDER WHAT [cmake option..]: croupier_bench of that tree, in FOLDER/build/release.
build() {
    local folder=$1 what=$2
    shift 2
    echo "building $what" >&2
    if ! (cd "$folder" && cmake --preset release "$@" &&
        cmake --build --preset release --target croupier_bench --parallel "$jobs") >"$scratch/log" 2>&1; then
        tail -n 20 "$scratch/log" >&2
        refuse "croupier_bench of $what cannot be built"
    fi
}

if [[ -n $rev ]]; then
    git_here worktree add --quiet --detach "$scratch/tree" "$commit"
    build "$scratch/tree" "$rev (${commit:0:10})" -DCROUPIER_TESTS=OFF
    theirs=$scratch/tree/build/release/croupier_bench
fi
if [[ -z $mine ]]; then
    build "$here" "this tree"
    mine=$here/build/release/croupier_bench
fi
for program in "$mine" "$theirs"; do
    [[ -x $program ]] || refuse "$program cannot be run"
done

list() { "$1" --benchmark_list_tests=true --benchmark_filter="$filter" 2>/dev/null | sort; }
list "$mine" >"$scratch/mine"
list "$theirs" >"$scratch/theirs"
comm -23 "$scratch/mine" "$scratch/theirs" | sed 's/^/only here: /'
comm -13 "$scratch/mine" "$scratch/theirs" | sed 's/^/only there: /'
mapfile -t rows < <(comm -12 "$scratch/mine" "$scratch/theirs")
((${#rows[@]})) || refuse "no row that both have passes the filter '$filter'"

# run PROGRAM ROW: "cpu 12.3", the processor time of an item, or "ns 12.3", the time by the clock, of
# older programs; "error" after a wrong answer.
run() {
    local exact
    exact=$(sed 's/[][\.^$*+?(){}|]/\\&/g' <<<"$2")
    { "$1" "${pass_on[@]}" --benchmark_filter="^$exact\$" --benchmark_format=json 2>/dev/null || true; } | awk '
        { gsub(/[",]/, "") }
        $1 == "error_occurred:" && $2 == "true" { wrong = 1 }
        $1 == "cpu_ns:" || $1 == "ns:" || $1 == "real_time:" { value[$1] = $2 }
        END {
            if (wrong) print "error"
            else if (value["cpu_ns:"] > 0) print "cpu", value["cpu_ns:"], "ns", value["ns:"]
            else if (value["ns:"] > 0) print "ns", value["ns:"]
            else if (value["real_time:"] > 0) print "ns", value["real_time:"]
            else print "error"
        }'
}

# Reads lines "mine|theirs" of `run`; prints median, lower and upper end of the interval, or "error".
judge() {
    awk -F'|' '
        function field(text, key,   part, n, i) {
            n = split(text, part, " ")
            for (i = 1; i < n; i += 2) if (part[i] == key) return part[i + 1]
            return 0
        }
        /error/ { wrong = 1; next }
        {
            key = field($1, "cpu") && field($2, "cpu") ? "cpu" : "ns"
            ratio[++n] = field($1, key) / field($2, key)
        }
        END {
            if (wrong) { print "error"; exit }
            for (i = 2; i <= n; ++i)
                for (k = i; k > 1 && ratio[k] < ratio[k - 1]; --k) {
                    swap = ratio[k]; ratio[k] = ratio[k - 1]; ratio[k - 1] = swap
                }
            # The median is below the k-th smallest with the chance that a coin falls heads less than
            # k times in n; k is the largest for which both ends together miss it in at most 5 %.
            chance = 1; for (i = 1; i <= n; ++i) chance /= 2
            for (k = 0; below + chance <= 0.025; ++k) {
                below += chance
                chance *= (n - k) / (k + 1)
            }
            median = n % 2 ? ratio[(n + 1) / 2] : (ratio[n / 2] + ratio[n / 2 + 1]) / 2
            printf "%.4f %.4f %.4f\n", median, ratio[k], ratio[n + 1 - k]
        }'
}

# measure ROW NUMBER: as `judge`. Who is first changes from pair to pair.
measure() {
    local row=$1 number=$2 round one other
    for ((round = 1; round <= rounds; ++round)); do
        [[ ! -t 2 ]] || printf '\r[%d/%d] %s: %d of %d\e[K' "$number" "${#rows[@]}" "$row" "$round" "$rounds" >&2
        if ((round % 2)); then
            one=$(run "$mine" "$row"); other=$(run "$theirs" "$row")
        else
            other=$(run "$theirs" "$row"); one=$(run "$mine" "$row")
        fi
        echo "$one|$other"
        [[ $one$other != *error* ]] || break
    done | judge
    [[ ! -t 2 ]] || printf '\r\e[K' >&2
}

is_above() { awk -v low="$1" -v limit="$limit" 'BEGIN { exit !(low > limit) }'; }

slower=() wrong=() faster=0
echo "${#rows[@]} rows, $rounds pairs of runs each" >&2
printf '%-52s %8s  %s\n' "row (1.5: takes 1.5 times the time)" ratio interval
for i in "${!rows[@]}"; do
    row=${rows[i]}
    name=${row%/manual_time}
    read -r median low high < <(measure "$row" $((i + 1)))
    remark=''
    if [[ $median == error ]]; then
        wrong+=("$name")
        printf '%-52s %8s\n' "$name" "wrong answer"
        continue
    elif is_above "$low"; then
        # One row in forty has an interval that is too high by chance.
        read -r median low high < <(measure "$row" $((i + 1)))
        if [[ $median != error ]] && is_above "$low"; then
            slower+=("$name ($median)")
            remark=' slower'
        fi
    elif awk -v high="$high" 'BEGIN { exit !(high < 1) }'; then
        faster=$((faster + 1))
    fi
    printf '%-52s %8.3f  %.3f to %.3f%s\n' "$name" "$median" "$low" "$high" "$remark"
done

echo "${#rows[@]} rows: ${#slower[@]} slower than $limit times, $faster faster, ${#wrong[@]} wrong"
((${#slower[@]} + ${#wrong[@]})) || exit 0
for each in "${slower[@]}"; do echo "slower: $each"; done
for each in "${wrong[@]}"; do echo "wrong answer: $each"; done
exit 1
