#!/usr/bin/env bash
# Opens pages of `croupier report --html` in a browser: html_test.sh CROUPIER BUILD-TREE [SCREENSHOTS]
#
# Without node, chromium and the packages of browser_setup.sh: exit 77, skipped.
set -uo pipefail
croupier=$1
here=$(cd "$(dirname "$0")" && pwd -P)

. "$here/browser_setup.sh" "$2"
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
cd "$here/../.." || exit 1

make_run() {
    "$croupier" run --out "$pages/$1" --progress none "${@:2}" >/dev/null 2>"$pages/log" ||
        { cat "$pages/log"; exit 1; }
}
four='rules:table,rules:naive,rules:counting,random'
make_run life --game life --agents rules:greedy,random --games 8 --profile full
make_run belote --game belote --agents 'rules:table,rules:naive,<b>&"=random' --games 30 --profile full
make_run krk --game krk --agents advice:fixed,random --games 4 --blocks none
make_run costs --game life --agents random --games 60000
make_run knockout --game belote --agents "$four" --schedule knockout --blocks 3
make_run swiss --game belote --agents "$four" --schedule swiss --rounds 2 --blocks 3
make_run evals --game life --agents eval,random --games 4
make_run sequential --game life --agents rules:greedy,random --sprt 0,20 --games 400
"$croupier" compare oldmaid oldmaid:previous --games 40 --progress none --out "$pages/compare" >/dev/null &&
    "$croupier" ablate belote --agent rules:naive --games 20 --progress none \
        --out "$pages/ablate" >/dev/null &&
    "$croupier" sweep belote --vary annonces --vary all_pass --seek seats,length=least --games 20 \
        --progress none --out "$pages/sweep" >/dev/null &&
    "$croupier" tune life --agent mcts:playouts=4 --vary explore=10..300,start=100 --games 200 --step 4 \
        --progress none --out "$pages/tune" >/dev/null 2>&1 || exit 1
for page in life knockout swiss evals sequential compare ablate sweep tune; do
    "$croupier" report "$pages/$page" --html "$pages/$page.html" || exit 1
done
"$croupier" report "$pages"/{life,belote,krk,compare,ablate,sweep,tune,costs} --html "$pages/all.html" || exit 1
cp "$here/html_test.mjs" "$place/" || exit 1
exec node "$place/html_test.mjs" "$browser" "$pages" "${3:-}"
