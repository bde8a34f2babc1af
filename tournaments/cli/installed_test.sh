#!/usr/bin/env bash
# An installed croupier plays the games that were installed with it, not those of the source tree, and
# its completion and man page are where shells and man(1) look for them.
# installed_test.sh CMAKE BUILD-TREE SCRATCH DATA-DIR
set -euo pipefail
prefix=$3/prefix
rm -rf "$prefix"
"$1" --install "$2" --prefix "$prefix" >/dev/null
sed -i 's/Life on a board without edges/Life as installed/' "$prefix/$4/croupier/games/life/torus.json"
listed=$("$prefix/bin/croupier" games)
if [[ $listed != *"Life as installed"* ]]; then
    echo "croupier games does not show the installed games"
    exit 1
fi
for game in "$prefix/$4"/croupier/games/*/rules.json; do
    name=$(basename "$(dirname "$game")")
    "$prefix/bin/croupier" play "$name" --seed 1 >/dev/null
done
[ ! -e "$prefix/$4/croupier/games/testing" ] || { echo "games of tests are installed"; exit 1; }

for each in "bash-completion/completions/croupier completion bash" \
    "zsh/site-functions/_croupier completion zsh" \
    "fish/vendor_completions.d/croupier.fish completion fish" "man/man1/croupier.1 help --man"; do
    read -ra words <<<"$each"
    cmp "$prefix/$4/${words[0]}" <("$prefix/bin/croupier" "${words[@]:1}") ||
        { echo "${words[0]} is not what croupier prints"; exit 1; }
done
# The installed script completes the installed games.
offered=$(COMP_LINE='croupier play life:tor' COMP_POINT=22 PATH=$prefix/bin:$PATH bash --norc --noprofile -c \
    'source "$1"; _croupier; echo "${COMPREPLY[*]}"' bash "$prefix/$4/bash-completion/completions/croupier")
[ "$offered" = torus ] || { echo "completion offers '$offered', not torus"; exit 1; }
