#!/usr/bin/env bash
# Plays every revision of Life as the article's author did with AutoPlay, random against random and random
# against an evaluator, and prints the tables of autoplay.txt.
#
#   autoplay.sh CROUPIER                     all revisions
#   autoplay.sh CROUPIER REVISION..          only these; "life" is the game itself
#   autoplay.sh CROUPIER --check FILE [REVISION..]   fails unless that file has each row
set -euo pipefail
export LC_ALL=C
folder=$(cd "$(dirname "$0")" && pwd)
croupier=$1
shift
page=
if [ "${1-}" = --check ]; then
    page=$2
    shift 2
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

random_games=2000
eval_games=1000

# run TITLE AGENTS GAMES FILE
run() {
    "$croupier" run "$1" --agents "$2" --games "$3" --seed 2014 --profile off --progress none \
        --format csv --out "$scratch/run" >"$4" 2>"$scratch/errors" || {
        cat "$scratch/errors" >&2
        exit 1
    }
    rm -rf "$scratch/run"
}

# number FILE SECTION NAME OTHER METRIC
number() {
    awk -F, -v s="$2" -v n="$3" -v o="$4" -v m="$5" \
        '$1 == s && $2 == n && $3 == o && $4 == m { print $5; exit }' "$1"
}

# The win rate of a seat, or of an agent in it, in per cent with its interval.
rate() {
    awk -F, -v n="$2" -v o="$3" '$1 == "seat" && $2 == n && $3 == o && $4 == "win_rate" {
        printf "%.1f [%.1f, %.1f]\n", 100 * $5, 100 * $7, 100 * $8; exit }' "$1"
}

# row REVISION: a line for two players, or one for each seat of more.
row() {
    local title=life:$1 name=$1 random=$scratch/random eval=$scratch/eval seats others seat
    [ "$1" = life ] && title=life
    run "$title" random "$random_games" "$random"
    seats=$(awk -F, '$1 == "seat" && $3 == "" && $4 == "games" { print $2 }' "$random")
    others=$(echo "$seats" | tail -n +2 | sed 's/.*/,random/' | tr -d '\n')
    run "$title" "eval$others" "$eval_games" "$eval"
    if [ "$(echo "$seats" | wc -l)" = 2 ]; then
        printf '| `%s` | %s | %.1f | %.0f | %s | %s |\n' "$name" "$(rate "$random" B "")" \
            "$(number "$random" run "$title" "" draws | awk -v n="$(number "$random" run "$title" "" games)" '{ print 100 * $1 / n }')" \
            "$(number "$random" run "$title" "" plies)" "$(rate "$eval" W eval)" "$(rate "$eval" B eval)" >>"$scratch/two"
        return
    fi
    for seat in $seats; do
        printf '| `%s` | %s | %s | %.0f | %s |\n' "$name" "$seat" "$(rate "$random" "$seat" "")" \
            "$(number "$random" run "$title" "" plies)" "$(rate "$eval" "$seat" eval)" >>"$scratch/more"
    done
}

if [ $# = 0 ]; then
    set -- life
    for file in "$folder"/*.json; do
        file=$(basename "$file" .json)
        [ "$file" = rules ] || set -- "$@" "$file"
    done
fi
: >"$scratch/two"
: >"$scratch/more"
for revision in "$@"; do
    row "$revision"
done

if [ -n "$page" ]; then
    failures=0
    while IFS= read -r line; do
        grep -qxF "$line" "$page" && continue
        echo "$page lacks: $line"
        failures=$((failures + 1))
    done < <(cat "$scratch/two" "$scratch/more")
    [ "$failures" = 0 ]
    exit
fi
if [ -s "$scratch/two" ]; then
    echo "| revision | the first of two random players wins | draws | moves | \`eval\` wins moving second | moving first |"
    echo "|---|---|---:|---:|---|---|"
    cat "$scratch/two"
fi
if [ -s "$scratch/more" ]; then
    echo
    echo "| revision | seat | of random players wins | moves | \`eval\` there, among random ones |"
    echo "|---|---|---|---:|---|"
    cat "$scratch/more"
fi
