# For tests in a browser: sourced with the build tree as its argument, it sets $browser and $place, a folder with
# the npm packages playwright-core and axe-core. Where something is missing: exit 77, skipped.
skip() {
    echo "skipped: $1"
    exit 77
}

command -v node >/dev/null || skip "node is not installed"
browser=$(command -v chromium || command -v chromium-browser) || skip "chromium is not installed"
place=$1/tournaments/html
mkdir -p "$place"
# Several tests use the place; one installs at a time.
exec 9>"$place/lock"
flock 9
if [ ! -e "$place/node_modules/playwright-core/package.json" ] || [ ! -e "$place/node_modules/axe-core/axe.min.js" ]; then
    command -v npm >/dev/null || skip "npm is not installed"
    (cd "$place" && echo '{"private": true}' >package.json &&
        timeout 120 npm install --no-audit --no-fund playwright-core@1 axe-core@4 >npm.log 2>&1) ||
        skip "playwright-core and axe-core cannot be installed (see $place/npm.log)"
fi
exec 9>&-
