#!/usr/bin/env bash
# Runs the commands of a document and compares what they print with what the document shows.
# console_test.sh SOURCE-TREE DOCUMENT CROUPIER
#
# In fenced blocks marked ```console, a line "$ COMMAND" is run in a scratch copy of the tree, with
# croupier on the PATH; the lines up to the next command are its output, standard error included.
# "```console needs=MODULE" is skipped, and said to be, where python3 has no such module.
# A block marked "```json file=PATH" is written to that file of the copy. Games and agents are those of
# the copy, so that a document may add some.
# "..." alone on a line stands for any lines, inside a line for any characters. A command that
# fails shows it by a last line "[exit code N]". A command may go on after "\" with "> ".
# Commands that set up a machine are not run; what they name must exist.
set -euo pipefail
source_tree=$1
document=$2
croupier=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/bin" "$scratch/tree" "$scratch/share/croupier"
cp "$croupier" "$scratch/bin/croupier" # no link: croupier looks for games beside itself
ln -s ../../tree/games ../../tree/agents ../../tree/engine/ruleset.schema.json "$scratch/share/croupier"
tar -C "$source_tree" --exclude=./build --exclude=./.git --exclude=./runs -cf - . |
    tar -C "$scratch/tree" -xf -
export PATH="$scratch/bin:$PATH" CROUPIER=$scratch/bin/croupier COLUMNS=80 NO_COLOR=1
cd "$scratch/tree"

number=0
failures=0
ran=0
skipped=0

fail() {
    echo "$document:$number: $1"
    failures=$((failures + 1))
}

# as_wanted WANTED ACTUAL: line by line, where "..." is any lines or any characters.
as_wanted() {
    awk -v wanted_file="$1" -v actual_file="$2" '
        function fits(want, line,   parts, n, i, at) {
            n = split(want, parts, /\.\.\./)
            if (n <= 1) return want == line
            if (substr(line, 1, length(parts[1])) != parts[1]) return 0
            line = substr(line, length(parts[1]) + 1)
            for (i = 2; i < n; i++) {
                at = index(line, parts[i])
                if (parts[i] != "" && at == 0) return 0
                line = substr(line, at + length(parts[i]))
            }
            return length(line) >= length(parts[n]) &&
                substr(line, length(line) - length(parts[n]) + 1) == parts[n]
        }
        # Whether wanted lines from w fit actual lines from a; an elision tries every length.
        function same(w, a) {
            for (; w <= wanted_count; w++) {
                if (wanted[w] == "...") {
                    if (w == wanted_count) return 1
                    for (; a <= actual_count + 1; a++) if (same(w + 1, a)) return 1
                    return 0
                }
                if (a > actual_count || !fits(wanted[w], actual[a])) return 0
                a++
            }
            return a > actual_count
        }
        BEGIN {
            while ((getline line < wanted_file) > 0) wanted[++wanted_count] = line
            while ((getline line < actual_file) > 0) actual[++actual_count] = line
            exit !same(1, 1)
        }'
}

# A command that sets up a machine: 0 when it is one, after checking what it names.
is_setup() {
    case $1 in
    "git clone "* | "cd "* | "sudo apt-get "* | "apt-get "*) ;;
    ./check | "./check "*)
        [ -x ./check ] || fail "./check cannot be executed"
        ;;
    "cmake "* | "ctest "*)
        local preset=${1#*--preset }
        preset=${preset%% *}
        case $1 in *"--preset "*)
            grep -qF "\"name\": \"$preset\"" CMakePresets.json || fail "no preset '$preset'" ;;
        esac
        # Several commands of this kind may be joined.
        case $1 in *" && "*) is_setup "${1#* && }" || fail "not only set-up: $1" ;; esac
        ;;
    *) return 1 ;;
    esac
}

# Runs $command if there is one and compares with the lines gathered in $scratch/wanted.
finish_command() {
    [ -n "$command" ] || return 0
    local status=0
    if ! is_setup "$command"; then
        bash -c "$command" >"$scratch/actual" 2>&1 </dev/null || status=$?
        [ "$status" = 0 ] || echo "[exit code $status]" >>"$scratch/actual"
        ran=$((ran + 1))
        # Blank lines at the end of a block are only there for the eye.
        sed -i -e :a -e '/^\n*$/{$d;N;ba' -e '}' "$scratch/wanted"
        if ! as_wanted "$scratch/wanted" "$scratch/actual"; then
            fail "'$command' prints something else (< document, > reality)"
            diff "$scratch/wanted" "$scratch/actual" || true
        fi
    fi
    command=
}

# begin_file PATH: the lines of the block go there; a file that was there is replaced.
begin_file() {
    case /$1/ in
    //* | */../*) fail "'$1' is outside of the tree"; file=/dev/null ;;
    *) file=$1; mkdir -p "$(dirname "$file")"; : >"$file" ;;
    esac
}

inside=
skipping=
file=
command=
continued=
while IFS= read -r line <&3 || [ -n "$line" ]; do
    number=$((number + 1))
    if [ -n "$file" ]; then
        if [ "$line" = '```' ]; then file=; else printf '%s\n' "$line" >>"$file"; fi
    elif [ -z "$inside" ]; then
        case $line in
        '```console') inside=yes ;;
        '```console needs='*)
            inside=yes
            python3 -c "import ${line#* needs=}" >/dev/null 2>&1 || skipping=${line#* needs=}
            ;;
        '```'*" file="*) begin_file "${line#* file=}" ;;
        esac
    elif [ "$line" = '```' ]; then
        finish_command
        inside=
        skipping=
    elif [ -n "$skipping" ]; then
        if [ "${line#\$ }" != "$line" ]; then
            echo "$document:$number: skipped: '${line#\$ }' needs python3-$skipping"
            skipped=$((skipped + 1))
        fi
    elif [ -n "$continued" ]; then
        command+=$'\n'${line#> }
        case $line in *\\) ;; *) continued= ;; esac
    elif [ "${line#\$ }" != "$line" ]; then
        finish_command
        command=${line#\$ }
        : >"$scratch/wanted"
        case $line in *\\) continued=yes ;; esac
    elif [ -n "$command" ]; then
        printf '%s\n' "$line" >>"$scratch/wanted"
    else
        fail "output before any command"
    fi
done 3<"$document"

[ -z "$inside$file" ] || fail "a block is not closed"
echo "$document: $ran commands run, $skipped skipped, $failures failures"
exit $((failures > 0))
