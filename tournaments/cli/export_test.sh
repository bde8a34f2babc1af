#!/usr/bin/env bash
# All shipped rule files, exported, are JSON to python3 and jq. export_test.sh CROUPIER SOURCE-TREE
set -uo pipefail
cd "$2"
readers=()
command -v python3 >/dev/null && readers+=(by_python)
command -v jq >/dev/null && readers+=(by_jq)
[ ${#readers[@]} -gt 0 ] || { echo "skipped: neither python3 nor jq"; exit 77; }
exported=$(mktemp -d)
trap 'rm -rf "$exported"' EXIT

# One process for all files, as starting one takes longer than reading.
by_python() {
    python3 -c '
import json, sys
refused = 0
for name in sys.argv[1:]:
    try:
        json.load(open(name, encoding="utf-8"))
    except ValueError as error:
        print("python3 refuses", name, error)
        refused = 1
sys.exit(refused)' "$@"
}
by_jq() { jq empty "$@"; }

failures=0
files=()
while read -r file; do
    copy=$exported/${file//\//-}
    "$1" export "$file" --include-from . >"$copy" || { echo "$file is not exported"; failures=$((failures + 1)); }
    files+=("$copy")
done < <(find games agents bench/rules engine/examples -name '*.json' | sort)
[ ${#files[@]} -gt 80 ] || { echo "only ${#files[@]} files"; exit 1; }
for reader in "${readers[@]}"; do
    "$reader" "${files[@]}" || { echo "what is exported is refused ${reader/_/ }"; failures=$((failures + 1)); }
done
exit $((failures > 0))
