#!/usr/bin/env bash
# batch_test.sh CROUPIER FOLDER...: `croupier clips --batch` and `clips -f2` on the same files, output and exit
# code, byte for byte: commands of a folder's .clp files, or, where it has no word of (exit), its programs loaded,
# run and listed.
set -uo pipefail
croupier=$(realpath "$1")
shift
command -v clips >/dev/null || { echo "batch_test.sh needs the program 'clips' (apt-get install clips)"; exit 77; }
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# What a person types, for programs that ask.
printf '%s\n' 'tok rest of line' 'xyz tok2' 12 '(+ 1 2)' '(printout t "at prompt" crlf)' yes no 1 yes no \
    '(exit 9)' >"$scratch/typed"
most=1000000 # bytes of output: at the end of its input CLIPS asks for ever
compared=0 different=0

compare() { # FILE, in its folder
    cd "$(dirname "$1")"
    clips -f2 "$(basename "$1")" <"$scratch/typed" 2>&1 | head -c $most >"$scratch/theirs"
    local wanted=${PIPESTATUS[0]}
    "$croupier" clips --batch "$1" <"$scratch/typed" 2>&1 | head -c $most >"$scratch/ours"
    local actual=${PIPESTATUS[0]}
    [ "$(stat -c %s "$scratch/theirs")" -lt $most ] || actual=$wanted
    compared=$((compared + 1))
    cmp -s "$scratch/theirs" "$scratch/ours" && [ $wanted = $actual ] && return
    different=$((different + 1))
    echo "$1: exit code $actual, wanted $wanted"
    diff "$scratch/theirs" "$scratch/ours" | head -10
}

for folder; do
    [ -d "$folder" ] || { echo "$folder is missing"; exit 77; }
    cp -r "$folder" "$scratch/programs"
    find "$scratch/programs" -name '*.gz' -exec gunzip {} +
    for file in $(cd "$scratch/programs" && find . -name '*.clp' -not -path './sub/*' | sort); do
        cd "$scratch/programs/$(dirname "$file")"
        name=$(basename "$file")
        if ! grep -q '(exit' "$name" && [ "$name" != prompt.clp ]; then
            printf '(load "%s")\n(reset)\n(run 20000)\n(facts)\n(instances)\n(agenda)\n(rules)\n(exit)\n' "$name" >"batch_$name"
            name=batch_$name
        fi
        compare "$PWD/$name"
    done
    # Batches that come with the examples.
    for file in cholesterol/loadall sudoku/runbench.bat; do
        [ ! -e "$scratch/programs/$file" ] || { echo "(exit)" >>"$scratch/programs/$file"; compare "$scratch/programs/$file"; }
    done
    rm -rf "$scratch/programs"
    cd /
done
echo "$compared programs, $different of them different"
[ $compared -gt 0 ] && [ $different = 0 ]
