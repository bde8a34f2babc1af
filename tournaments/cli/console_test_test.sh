#!/usr/bin/env bash
# console_test.sh must accept true documents and refuse each kind of untrue one.
set -uo pipefail
here=$(cd "$(dirname "$0")" && pwd -P)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tree"
cp "$here/../../CMakePresets.json" "$scratch/tree"
printf '#!/bin/sh\nexit 0\n' >"$scratch/tree/check"
chmod +x "$scratch/tree/check"
failures=0

# verdict WANTED NAME: the document on standard input must give this exit code.
verdict() {
    { echo '```console'; cat; echo '```'; } >"$scratch/document.md"
    "$here/console_test.sh" "$scratch/tree" "$scratch/document.md" /bin/true >"$scratch/log" 2>&1
    local actual=$?
    if [ "$actual" != "$1" ]; then
        echo "FAILED $2: wanted $1, got $actual"
        cat "$scratch/log"
        failures=$((failures + 1))
    fi
}

verdict 0 "true output" <<<$'$ echo a; echo b\na\nb'
verdict 1 "wrong output" <<<$'$ echo a\nb'
verdict 1 "output that is not shown" <<<$'$ echo a'
verdict 1 "output that does not come" <<<$'$ true\na'
verdict 0 "several commands" <<<$'$ echo a\na\n$ echo b\nb'
verdict 1 "a later one is wrong" <<<$'$ echo a\na\n$ echo b\nc'
verdict 0 "elided lines" <<<$'$ seq 9\n1\n...\n8\n9'
verdict 0 "an elision of nothing" <<<$'$ seq 2\n1\n...\n2'
verdict 1 "an elision does not hide what follows" <<<$'$ seq 9\n1\n...\n8'
verdict 0 "an elision tries every length" <<<$'$ echo a; echo b; echo a; echo c\n...\na\nc'
verdict 0 "elided characters" <<<$'$ echo 123 games in 4 s\n... games in ... s'
verdict 1 "characters around an elision count" <<<$'$ echo 123 games in 4 ms\n... games in ... s.'
verdict 0 "a failure that is shown" <<<$'$ echo a; exit 2\na\n[exit code 2]'
verdict 1 "a failure that is not shown" <<<$'$ exit 2'
verdict 1 "another failure" <<<$'$ exit 1\n[exit code 2]'
verdict 0 "standard error" <<<$'$ echo a >&2\na'
verdict 0 "a continued command" <<<$'$ echo a \\\n>   b\na b'
verdict 0 "croupier is on the path" <<<$'$ croupier'
# These close the console block that verdict opens, and open another for it to close.
verdict 0 "a file is written" <<<$'```\n```json file=new/a.json\n{\n}\n```\n```console\n$ cat new/a.json\n{\n}'
verdict 0 "a file is replaced" <<<$'```\n```json file=a\n1\n```\n```json file=a\n2\n```\n```console\n$ cat a\n2'
verdict 1 "a file outside of the tree" <<<$'```\n```json file=../a\n1\n```\n```console\n$ true'
verdict 0 "what needs a module is run where it is" <<<$'```\n```console needs=json\n$ echo a\na'
verdict 1 "and compared" <<<$'```\n```console needs=json\n$ echo a\nb'
verdict 0 "and skipped where it is not" <<<$'```\n```console needs=no_such_module\n$ echo a\nb'
grep -q "skipped: 'echo a' needs python3-no_such_module" "$scratch/log" || {
    echo "FAILED a command is skipped without a word"
    failures=$((failures + 1))
}
verdict 1 "what follows is run" <<<$'```\n```console needs=no_such_module\n$ a\n```\n```console\n$ exit 2'
verdict 0 "set-up is not run" <<<$'$ git clone nowhere\n$ ./check\nwhatever\n$ cmake --preset dev && cmake --build --preset dev'
verdict 1 "a preset that is not there" <<<$'$ cmake --preset nonsense'
verdict 1 "set-up joined with something else" <<<$'$ cmake --preset dev && echo a'
chmod -x "$scratch/tree/check"
verdict 1 "a script that cannot be executed" <<<$'$ ./check'

[ "$failures" = 0 ] && echo "all as wanted"
exit $((failures > 0))
