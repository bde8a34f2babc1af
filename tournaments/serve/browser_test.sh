#!/usr/bin/env bash
# Does in a browser what people do: browser_test.sh tables|people|runs|rules CROUPIER BUILD-TREE [SCREENSHOTS]
#
# Without node, chromium and the packages of browser_setup.sh: exit 77, skipped.
set -uo pipefail
test=browser_$1_test.mjs
croupier=$2
here=$(cd "$(dirname "$0")" && pwd -P)

. "$here/../cli/browser_setup.sh" "$3"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/own"
# Modules look for packages beside where they lie.
ln -s "$place/node_modules" "$folder/node_modules" && cp "$here"/browser_*.mjs "$folder/" || exit 1
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
node "$folder/$test" "$browser" "$croupier" "$folder" "${4:-}"
