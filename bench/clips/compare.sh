#!/usr/bin/env bash
# compare.sh CROUPIER [ROUNDS]: CLIPS from Debian and croupier on the same programs, turn by turn, one
# thread; medians and ratios of processor time, so that what else the machine does matters less.
# Answers are compared before anything is timed.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
croupier=$(realpath "${1:?compare.sh CROUPIER [ROUNDS]}")
rounds=${2:-5}
command -v clips >/dev/null || { echo "compare.sh needs the program 'clips' (apt-get install clips)"; exit 77; }
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

median() { sort -g | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
# timed COMMAND...: seconds of processor time of one run, its output thrown away.
timed() { local TIMEFORMAT=%U; { time "$@" >/dev/null 2>&1; } 2>&1; }

printf '%-28s %12s %12s %8s\n' program CLIPS croupier ratio

# whole NAME FILE: seconds to run a batch file.
whole() {
    clips -f2 "$2" >"$dir/theirs"
    "$croupier" clips --batch "$2" >"$dir/ours"
    cmp "$dir/theirs" "$dir/ours" || { echo "$1: the outputs differ"; exit 1; }
    : >"$dir/a"; : >"$dir/b"
    for _ in $(seq "$rounds"); do
        timed clips -f2 "$2" >>"$dir/a"
        timed "$croupier" clips --batch "$2" >>"$dir/b"
    done
    paste <(median <"$dir/a") <(median <"$dir/b") |
        awk -v name="$1" '{ printf "%-28s %10.3f s %10.3f s %7.1fx\n", name, $1, $2, $1 / $2 }'
}

# games NAME FILE: games per second of Old Maid, printing nothing in either.
games() {
    local count=1000 ours=20000
    sed 's/printout t/printout nil/' "$2" >"$dir/game.clp"
    { cat "$dir/game.clp"
      echo "(deffunction games (?n) (loop-for-count ?n (reset) (run)))"
      echo "(set-strategy random)"; echo "(seed 1)"; echo "(games $count)"; echo "(exit)"; } >"$dir/games.clp"
    : >"$dir/a"; : >"$dir/b"
    for _ in $(seq "$rounds"); do
        timed clips -f2 "$dir/games.clp" | awk -v n=$count '{ print n / $1 }' >>"$dir/a"
        timed "$croupier" clips "$dir/game.clp" --strategy random --games $ours |
            awk -v n=$ours '{ print n / $1 }' >>"$dir/b"
    done
    paste <(median <"$dir/a") <(median <"$dir/b") |
        awk -v name="$1" '{ printf "%-28s %8.0f g/s %8.0f g/s %7.1fx\n", name, $1, $2, $2 / $1 }'
}

program() { # program NAME FACTS N
    { cat "$here/$1.clp"; "$here/facts.sh" "$1" "$2"; printf '(reset)\n(run)\n(exit)\n'; } >"$dir/$1.clp"
}

games "Old Maid" "$here/../../games/oldmaid/oldmaid.clp"
games "Old Maid, as written" "$here/../../games/oldmaid/as-written.clp"
program guests 128
whole "guests, 128" "$dir/guests.clp"
program drawings 50
whole "drawings, 50" "$dir/drawings.clp"
for form in literal predicate test; do
    { "$here/equality.sh" "$form"; printf '(reset)\n(run)\n(exit)\n'; } >"$dir/$form.clp"
    whole "100 rules, $form" "$dir/$form.clp"
done
