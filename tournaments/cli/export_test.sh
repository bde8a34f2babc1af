#!/usr/bin/env bash
# All shipped rule files, exported, are JSON to python3 and jq. export_test.sh CROUPIER SOURCE-TREE
set -uo pipefail
cd "$2"
readers=()
command -v python3 >/dev/null && readers+=("python3 -m json.tool")
command -v jq >/dev/null && readers+=("jq .")
[ ${#readers[@]} -gt 0 ] || { echo "skipped: neither python3 nor jq"; exit 77; }
failures=0
files=0
while read -r file; do
    files=$((files + 1))
    for reader in "${readers[@]}"; do
        "$1" export "$file" --include-from . | $reader >/dev/null ||
            { echo "$reader refuses $file, exported"; failures=$((failures + 1)); }
    done
done < <(find games agents bench/rules engine/examples -name '*.json' | sort)
[ "$files" -gt 80 ] || { echo "only $files files"; exit 1; }
exit $((failures > 0))
