#!/usr/bin/env bash
# Forges and editors are told of every JSON file with comments that it has comments: .gitattributes,
# .vscode, .zed. rule_files_test.sh SOURCE-TREE
set -uo pipefail
cd "$1"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "skipped: no git"; exit 77; }
failures=0
fail() { echo "$1"; failures=$((failures + 1)); }

# The patterns of a settings file, one a line. In [[ ]] a star matches slashes too, as ** does here.
patterns() { grep -oE '"\*\*/[^"]*\.json"' "$1" | tr -d '"' | sed 's:^\*\*/::'; }
is_among() {
    local pattern
    while read -r pattern; do
        # "a/**/*.json" is meant for "a/b.json" as well.
        # shellcheck disable=SC2053
        [[ $1 == ${pattern/'**/'/} ]] && return 0
    done <<<"$2"
    return 1
}
code=$(patterns .vscode/settings.json)
zed=$(patterns .zed/settings.json)
[ -n "$code" ] && [ "$code" = "$zed" ] || fail "the patterns of .vscode and .zed differ"

# Those of the files on standard input that have what begins a comment outside of texts.
with_comments() {
    xargs -d '\n' awk '{ gsub(/"(\\.|[^"\\])*"/, "") } /\/\/|\/\*/ { if (!seen[FILENAME]++) print FILENAME }'
}
commented=$(git ls-files -co --exclude-standard '*.json' | with_comments)
while read -r file; do
    is_among "$file" "$code" || fail "$file has comments; .vscode/settings.json does not say so"
done <<<"$commented"
attributes=$(git check-attr --stdin linguist-language gitlab-language <<<"$commented")
unsaid=$(grep -v ': linguist-language: JSON-with-Comments$\|: gitlab-language: jsonc$' <<<"$attributes") &&
    fail "these have comments; .gitattributes does not say so:"$'\n'"$unsaid"
count=$(wc -l <<<"$commented")
[ "$count" -gt 50 ] || fail "only $count files with comments were found"

# What is strict JSON stays so to everybody.
for file in engine/ruleset.schema.json CMakePresets.json .vscode/settings.json; do
    [ -z "$(with_comments <<<"$file")" ] || fail "$file has comments"
    is_among "$file" "$code" && fail "$file is taken for JSON with comments"
done
for schema in $(grep -ohE '"\./[^"]*"' .vscode/settings.json .zed/settings.json | tr -d '"' | sort -u); do
    [ -e "$schema" ] || fail "the schema $schema is not there"
done
exit $((failures > 0))
