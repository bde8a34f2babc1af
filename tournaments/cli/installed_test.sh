#!/usr/bin/env bash
# An installed croupier plays the games that were installed with it, not those of the source tree, also after it
# was moved. So does a build tree that was moved with its clone. Completion and man page are where shells and
# man(1) look for them.
# installed_test.sh CMAKE BUILD-TREE SCRATCH DATA-DIR
set -euo pipefail
prefix=$3/prefix
rm -rf "$3"
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

# Elsewhere: an installation, and a build tree in a folder whose name has two words.
expect() { [[ $2 == *"$1"* ]] || { echo "no '$1' in: $2"; exit 1; }; }
mv "$prefix" "$3/moved"
expect "Life as installed" "$("$3/moved/bin/croupier" games)"
expect "Life as installed" "$(CROUPIER_DATA=$3/moved/$4/croupier "$2/croupier" games)"
elsewhere=$(mktemp -d) # no folder above it has games
trap 'rm -rf "$elsewhere"' EXIT
clone="$elsewhere/a clone"
mkdir -p "$clone/build/dev/$4"
cp "$2/croupier" "$clone/build/dev"
cp -r "$3/moved/$4/croupier" "$clone/tree"
ln -s ../../../tree "$clone/build/dev/$4/croupier"
expect "games  $clone/tree/games" "$("$clone/build/dev/croupier" version | tr -s ' ' | sed 's/ /  /')"
expect "Life as installed" "$("$clone/build/dev/croupier" games)"
# Without any, a file of rules is played all the same, and who asks for a game by name is told the cause first.
rm -rf "$clone/build/dev/$4"
"$clone/build/dev/croupier" play "$clone/tree/games/life/rules.json" --seed 1 --set max_plies=9 >/dev/null
code=0 said=$("$clone/build/dev/croupier" play life 2>&1) || code=$?
expect "2 croupier play: there are no games in '$clone/build/$4/croupier/games'" "$code $said"
