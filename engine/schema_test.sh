#!/usr/bin/env bash
# Validates every shipped ruleset against ruleset.schema.json, and sees that wrong ones are refused;
# the same with the schema that `croupier export --schema` makes for each game.
# schema_test.sh SOURCE-TREE BUILD-TREE CROUPIER
#
# Needs node and the npm package ajv, which goes to the build tree. Without them: exit 77, skipped.
set -uo pipefail
source_tree=$1
place=$2/engine/schema

skip() {
    echo "skipped: $1"
    exit 77
}

command -v node >/dev/null || skip "node is not installed"
if [ ! -e "$place/node_modules/ajv/package.json" ]; then
    command -v npm >/dev/null || skip "npm is not installed"
    mkdir -p "$place"
    (cd "$place" && echo '{"private": true}' >package.json &&
        timeout 120 npm install --no-audit --no-fund ajv@8 >npm.log 2>&1) ||
        skip "ajv cannot be installed (see $place/npm.log)"
fi
cp "$source_tree/engine/schema_test.mjs" "$place/" || exit 1
exec node "$place/schema_test.mjs" "$source_tree" "$3"
