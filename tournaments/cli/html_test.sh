#!/usr/bin/env bash
# Opens the page of `croupier report --html` in a browser: html_test.sh CROUPIER BUILD-TREE [SCREENSHOTS]
#
# Needs node, chromium and the npm package playwright-core, which goes to the build tree. Without them:
# exit 77, skipped.
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
if [ ! -e "$place/node_modules/playwright-core/package.json" ]; then
    command -v npm >/dev/null || skip "npm is not installed"
    (cd "$place" && echo '{"private": true}' >package.json &&
        timeout 120 npm install --no-audit --no-fund playwright-core@1 >npm.log 2>&1) ||
        skip "playwright-core cannot be installed (see $place/npm.log)"
fi
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
cd "$here/../.." || exit 1

make_run() {
    "$croupier" run --out "$pages/$1" --progress none "${@:2}" >/dev/null 2>"$pages/log" ||
        { cat "$pages/log"; exit 1; }
}
make_run life --game life --agents rules:greedy,random --games 20 --profile full
make_run belote --game belote --agents 'rules:table,rules:naive,<b>&"=random' --games 30 --profile full
make_run krk --game krk --agents advice:fixed,random --games 4 --blocks none
"$croupier" compare oldmaid oldmaid:previous --games 40 --progress none --out "$pages/compare" >/dev/null &&
    "$croupier" ablate belote --agent rules:naive --games 20 --progress none \
        --out "$pages/ablate" >/dev/null &&
    "$croupier" report "$pages"/{life,belote,krk,compare,ablate} --html "$pages/all.html" || exit 1
cp "$here/html_test.mjs" "$place/" || exit 1
exec node "$place/html_test.mjs" "$browser" "$pages/all.html" "${3:-}"
