#!/usr/bin/env bash
# What `croupier version` says of the commit: the checkout's, nothing outside of git or inside of another
# repository, and a file that stays as it is while HEAD does. commit_test.sh CMAKE
set -euo pipefail
script=$(cd "$(dirname "$0")" && pwd -P)/commit.cmake
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
command -v git >/dev/null || { echo "skipped: git is not installed"; exit 77; }
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

# said TREE: the commit that is written for that tree.
said() {
    "$1" -DSOURCE="$2" -DOUTPUT="$scratch/commit.cpp" -P "$script"
    sed -n 's/^    return "\(.*\)";$/\1/p' "$scratch/commit.cpp"
}
expect() { [ "$2" = "$3" ] || { echo "FAILED $1: wanted '$2', got '$3'"; exit 1; }; }

mkdir -p "$scratch/tree/inside" "$scratch/none"
git -C "$scratch/tree" init -q
git -C "$scratch/tree" commit -q --allow-empty -m one
expect "a checkout" "$(git -C "$scratch/tree" rev-parse --short=12 HEAD)" "$(said "$1" "$scratch/tree")"
touch -d '2001-01-01' "$scratch/commit.cpp"
said "$1" "$scratch/tree" >/dev/null
expect "the same commit" 2001 "$(date -r "$scratch/commit.cpp" +%Y)"
git -C "$scratch/tree" commit -q --allow-empty -m two
expect "another" "$(git -C "$scratch/tree" rev-parse --short=12 HEAD)" "$(said "$1" "$scratch/tree")"
expect "a folder of somebody's repository" "" "$(said "$1" "$scratch/tree/inside")"
expect "no repository" "" "$(GIT_CEILING_DIRECTORIES=$scratch said "$1" "$scratch/none")"
