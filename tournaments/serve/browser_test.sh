#!/usr/bin/env bash
# Plays, watches runs and edits rules in a browser: browser_test.sh CROUPIER BUILD-TREE [SCREENSHOTS]
#
# Without node, chromium and the packages of browser_setup.sh: exit 77, skipped.
set -uo pipefail
croupier=$1
here=$(cd "$(dirname "$0")" && pwd -P)

. "$here/../cli/browser_setup.sh" "$2"
cp "$here"/browser_*.mjs "$place/" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/own"
games=$(cd "$here/../../games" && pwd -P)
cp -r "$games/examples/shed" "$folder/own/shed" || exit 1
sed -i "s|../../../tricks|$games/tricks|" "$folder"/own/shed/parts/*.json
# Every text of it is markup.
cat >"$folder/own/markup.json" <<'END'
{"game": {"name": "<b>m</b>", "players": ["<i>A</i>", "B&\""]},
 "doc": "<img src=x onerror=alert(1)>",
 "state": {"turn": "<i>A</i>", "<u>left</u>": 3},
 "moves": [{"action": {"moves": {"<script>alert(1)</script>": true, "<b>other</b>": true}}}],
 "play": [{"condition": {"<u>left</u>": "$L"}, "action": {"<u>left</u>": "$L - 1"}},
          {"condition": {"<u>left</u>": 0}, "action": {"over": true}}],
 "score": [{"action": {"score": {"<i>A</i>": 1, "B&\"": 0}}}]}
END
for test in browser_test browser_runs_test; do
    node "$place/$test.mjs" "$browser" "$croupier" "$folder" "${3:-}" || exit 1
done
