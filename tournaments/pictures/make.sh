#!/usr/bin/env bash
# Takes the pictures of README.md and serve/README.md anew: make.sh CROUPIER BUILD-TREE
#
# Needs what the tests in a browser need (browser_setup.sh). The pictures lie beside this file.
set -uo pipefail
croupier=$1
here=$(cd "$(dirname "$0")" && pwd -P)

. "$here/../cli/browser_setup.sh" "$2"
cp "$here/make.mjs" "$place/" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$croupier" run belote --agents rules:table,rules:naive --games 4000 --out "$folder/runs/belote-1" -q --brief \
    >/dev/null &&
    "$croupier" report "$folder/runs/belote-1" --html "$folder/report.html" >/dev/null || exit 1
node "$place/make.mjs" "$browser" "$croupier" "$folder" "$here"
