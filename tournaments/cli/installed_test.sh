#!/usr/bin/env bash
# An installed croupier plays the games that were installed with it, not those of the source tree.
# installed_test.sh CMAKE BUILD-TREE SCRATCH DATA-DIR
set -euo pipefail
prefix=$3/prefix
rm -rf "$prefix"
"$1" --install "$2" --prefix "$prefix" >/dev/null
sed -i 's/Life on a board without edges/Life as installed/' "$prefix/$4/croupier/games/life/torus.json"
listed=$("$prefix/bin/croupier" games)
if [[ $listed != *"Life as installed"* ]]; then
    echo "croupier games does not show the installed games"
    exit 1
fi
for game in "$prefix/$4"/croupier/games/*/rules.json; do
    name=$(basename "$(dirname "$game")")
    "$prefix/bin/croupier" play "$name" --seed 1 >/dev/null
done
[ ! -e "$prefix/$4/croupier/games/testing" ] || { echo "games of tests are installed"; exit 1; }
