#!/usr/bin/env bash
# Plays in a browser: browser_test.sh CROUPIER BUILD-TREE [SCREENSHOTS]
#
# Needs node, chromium and the npm packages playwright-core and axe-core, which go to the build tree. Without
# them: exit 77, skipped.
set -uo pipefail
croupier=$1
place=$2/tournaments/html
here=$(cd "$(dirname "$0")" && pwd -P)

skip() {
    echo "skipped: $1"
    exit 77
}

command -v node >/dev/null || skip "node is not installed"
browser=$(command -v chromium || command -v chromium-browser) || skip "chromium is not installed"
mkdir -p "$place"
# The test of the report's page uses the same place; one installs at a time.
exec 9>"$place/lock"
flock 9
if [ ! -e "$place/node_modules/playwright-core/package.json" ] || [ ! -e "$place/node_modules/axe-core/axe.min.js" ]; then
    command -v npm >/dev/null || skip "npm is not installed"
    (cd "$place" && echo '{"private": true}' >package.json &&
        timeout 120 npm install --no-audit --no-fund playwright-core@1 axe-core@4 >npm.log 2>&1) ||
        skip "playwright-core and axe-core cannot be installed (see $place/npm.log)"
fi
cp "$here/browser_test.mjs" "$place/" || exit 1
exec 9>&-
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
node "$place/browser_test.mjs" "$browser" "$croupier" "$folder" "${3:-}"
