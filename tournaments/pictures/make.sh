#!/usr/bin/env bash
# Takes the pictures of README.md anew: make.sh CROUPIER BUILD-TREE
#
# Needs what the tests in a browser need (browser_setup.sh). The pictures lie beside this file.
set -uo pipefail
croupier=$1
here=$(cd "$(dirname "$0")" && pwd -P)

. "$here/../cli/browser_setup.sh" "$2"
cp "$here/make.mjs" "$place/" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$croupier" run belote --agents rules:table,rules:naive --games 4000 --out "$folder/runs/belote-1" \
    --progress none >/dev/null 2>&1 &&
    "$croupier" report "$folder/runs/belote-1" --html "$folder/report.html" >/dev/null &&
    "$croupier" run life --agents rules:greedy,random --games 60000 --time 8 --out "$folder/runs/life-1" \
        --progress none >/dev/null 2>&1
"$croupier" report "$folder/runs/life-1" --html "$folder/flame.html" >/dev/null &&
    "$croupier" play belote --agents rules:table --seed 5 --show >"$folder/game.txt" || exit 1
node "$place/make.mjs" "$browser" "$croupier" "$folder" "$here"
