#!/usr/bin/env bash
# Builds the Debian packages, looks at what they say and hold, and plays with what they unpack to.
# debian_test.sh CPACK BUILD-TREE SCRATCH VERSION
set -euo pipefail
cpack=$1 build=$2 scratch=$3 version=$4
for tool in dpkg-deb dpkg-shlibdeps gzip; do
    command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done

fail() { echo "$*"; exit 1; }
has() { grep -qE -- "$2" <<<"$1" || fail "no '$2' in:"$'\n'"$1"; }
has_not() { ! grep -E -- "$2" <<<"$1" || fail "these should not be there"; }

rm -rf "$scratch"
mkdir -p "$scratch"
# gzip: what is unpacked again at once need not be small.
"$cpack" --config "$build/CPackConfig.cmake" -G DEB -B "$scratch/packages" \
    -D CPACK_DEBIAN_COMPRESSION_TYPE=gzip >"$scratch/log" 2>&1 || fail "$(cat "$scratch/log")"
machine=$(dpkg --print-architecture)
program=$scratch/packages/croupier_${version}_$machine.deb
development=$scratch/packages/libcroupier-dev_${version}_$machine.deb

said=$(dpkg-deb -I "$program")
has "$said" '^ Package: croupier$'
has "$said" '^ Version: '"$version"'$'
has "$said" '^ Depends: .*libc6 \(>= 2\.[0-9]+\)'
for library in libfmt9 libstdc++6 libtbb12; do has "$said" "^ Depends: .*${library//+/\\+}"; done
has "$said" '^ Description: self-play tournaments'
has "$said" '^  Rules are patterns over a tree'
has "$(dpkg-deb -I "$development")" "^ Depends: croupier \\(= $version\\), libfmt-dev, libtbb-dev, nlohmann-json3-dev"
[ "$machine" != amd64 ] || has "$(dpkg-deb -I "$development")" '^ Depends: .*, libasmjit-dev'
# What its machine had is in the package; whoever links the static libraries needs it, too.
for library in libopenmpi libsqlite3; do
    dpkg-query -W -f '${db:Status-Status}' $library-dev 2>/dev/null | grep -q '^installed' || continue
    has "$said" "^ Depends: .*$library"
    has "$(dpkg-deb -I "$development")" "^ Depends: .*, $library-dev"
done
! grep -q '^ Depends: .*libopenmpi' <<<"$said" || has "$said" '^ Recommends: openmpi-bin'

held=$(dpkg-deb -c "$program")
for file in bin/croupier share/croupier/games/belote/rules.json share/croupier/ruleset.schema.json \
    share/croupier/agents/rules/belote/table.json share/doc/croupier/copyright \
    share/doc/croupier/changelog.Debian.gz share/doc/croupier/engine/LANGUAGE.md; do
    has "$held" " \\./usr/$file\$"
done
has_not "$held" '/include/|\.a$|/testing/|_test|\.cmake$'
has_not "$(awk '$2 != "root/root"' <<<"$held")" .
held=$(dpkg-deb -c "$development")
for file in include/croupier/tournaments/tournament.h lib/.*libcroupier_tournaments.a \
    lib/.*cmake/croupier/croupier-config.cmake share/doc/libcroupier-dev/copyright; do
    has "$held" " \\./usr/$file\$"
done
has_not "$held" '/bin/|/share/croupier/|/testing/|_test|testing\.h'

# The module for Python finds the games of the program.
module=$scratch/packages/python3-croupier_${version}_$machine.deb
if [ -e "$build/python/croupier/py.typed" ]; then
    said=$(dpkg-deb -I "$module")
    has "$said" "^ Depends: .*croupier \\(= $version\\), python3 \\(>= 3\\.[0-9]+\\), python3 \\(<< 3\\.[0-9]+\\), python3-numpy"
    held=$(dpkg-deb -c "$module")
    for file in croupier/__init__.py croupier/__init__.pyi croupier/adapters.py 'croupier/_native\..*\.so'; do
        has "$held" " \\./usr/lib/python3/dist-packages/$file\$"
    done
    has_not "$held" '/bin/|/share/croupier/|/include/|\.a$|test'
fi

# Unpacked elsewhere, it plays its own games, and a rulesets's mistakes are found.
root=$scratch/root
dpkg-deb -x "$program" "$root"
has "$(cat "$root/usr/share/doc/croupier/copyright")" 'MIT License'
[ "$(stat -c %a "$root/usr/bin/croupier")" = 755 ] || fail "usr/bin/croupier cannot be run by all"
sed -i 's/Life on a board without edges/Life as packed/' "$root/usr/share/croupier/games/life/torus.json"
cd "$root"
has "$(usr/bin/croupier games)" 'Life as packed'
has "$(usr/bin/croupier run belote --agents rules:table,random --games 20 --out "$scratch/run")" \
    'belote: 20 games'
has "$(usr/bin/croupier version)" "${version%-*}"
! grep -q '^ Depends: .*libopenmpi' <<<"$said" || has "$(usr/bin/croupier version)" 'MPI +yes'

if [ -e "$module" ]; then
    dpkg-deb -x "$module" "$root"
    said=$(PYTHONPATH=$root/usr/lib/python3/dist-packages /usr/bin/python3 -c \
        'import croupier; print(croupier.load("life:torus").doc, croupier.run("belote", games=4))')
    has "$said" 'Life as packed.*Run of 4 games of belote'
fi

if command -v lintian >/dev/null; then
    # Built by hand and not for the archive: its address stands for whoever answers for a package.
    complaints=$(lintian --fail-on none "$program" "$development" 2>/dev/null |
        grep '^E:' || true)
    [ -z "$complaints" ] || fail "$complaints"
fi
