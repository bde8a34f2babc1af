#!/usr/bin/env bash
# What only a real process can show: pipes, full disks, closed streams, terminals, exit codes.
# process_test.sh CROUPIER FOLDER-OF-THE-GAMES
set -uo pipefail
croupier=$1
games=$2
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset NO_COLOR COLUMNS
export TERM=xterm

# code COMMAND...: its exit code alone
code() { "$@" >/dev/null 2>&1; echo $?; }

expect "good is 0" 0 "$(code "$croupier" version)"
expect "a mistake is 2" 2 "$(code "$croupier" versoin)"
expect "mistakes go to standard error" "" "$("$croupier" versoin 2>/dev/null)"

printf '{"gold": "> 2"}' >"$scratch/pattern"
printf '{"gold": 3}' >"$scratch/rich"
printf '{"gold": 1}' >"$scratch/poor"
printf '{"gold": 1' >"$scratch/broken"
expect "found is 0" 0 "$(code "$croupier" match "$scratch/pattern" "$scratch/rich")"
expect "not found is 1" 1 "$(code "$croupier" match "$scratch/pattern" "$scratch/poor")"
expect "a broken file is 2" 2 "$(code "$croupier" match "$scratch/pattern" "$scratch/broken")"
expect "a missing file is 2" 2 "$(code "$croupier" match "$scratch/pattern" "$scratch/none")"
expect "no subcommand is 2" 2 "$(code "$croupier")"
expect "a wrong option is 2" 2 "$(code "$croupier" version --jsno)"
expect "a missing argument is 2" 2 "$(code "$croupier" match)"
expect "help is 0" 0 "$(code "$croupier" match --help)"

expect "--version is the first line of version" "$("$croupier" --version)" \
    "$("$croupier" version | awk 'NR == 1 {print $1, $2}')"
expect "nothing of the environment is needed" "$("$croupier" --help)" "$(env -i "$croupier" --help)"
expect "the locale changes nothing" "$(LC_ALL=C.UTF-8 "$croupier" games)" \
    "$(LC_ALL=C "$croupier" games)"
expect "any folder will do" 0 "$(cd / && code "$croupier" play life --seed 1)"

# ---- other files: only below the folders that were named, regular ones, of some size
mkdir -p "$scratch/mine/parts" "$scratch/else"
printf '{"rules": []}' >"$scratch/mine/parts/a.json"
printf '{"rules": [], "secret": 1' >"$scratch/else/b.json"
mkfifo "$scratch/mine/pipe.json"
ln -s ../else/b.json "$scratch/mine/link.json"
including() { printf '{"@include": "%s"}' "$1" >"$scratch/mine/rules.json"; timeout 600 "$croupier" check "${@:2}" "$scratch/mine/rules.json" 2>&1; }
including parts/a.json >/dev/null
expect "a file below is included" 0 $?
for file in ../else/b.json link.json /etc/passwd; do
    told=$(including $file)
    expect "$file is not included" 2 $?
    expect "$file is refused before it is read" "" "$(grep -E 'secret|root:' <<<"$told")"
    expect "$file: the cure is told" yes "$(grep -q -e 'outside the folders.*--include-from' <<<"$told" && echo yes)"
done
told=$(including ../else/b.json --include-from "$scratch/else")
expect "--include-from opens a folder" yes "$(grep -q secret <<<"$told" && echo yes)"
told=$(including pipe.json)
expect "a pipe is not waited for" 2 $?
expect "a pipe is named" yes "$(grep -q 'it is not a regular file' <<<"$told" && echo yes)"
truncate -s 65M "$scratch/mine/large.json"
told=$(including large.json)
expect "a large file is refused" yes "$(grep -q 'larger than 64 MiB' <<<"$told" && echo yes)"
expect "a file that was named may be a pipe" 0 \
    "$(code "$croupier" check <(printf '{"rules": []}'))"
expect "a folder for includes must be there" "croupier check: --include-from: none: no such folder" \
    "$(including parts/a.json --include-from none)"
expect "a mine of one's own reaches the games" 0 "$(
    including "$games/life/rules.json" >/dev/null; echo $?)"

# ---- what MPI's launchers say
if [ "$("$croupier" version | awk '$1 == "MPI" {print $2}')" = no ]; then
    for name in OMPI_COMM_WORLD_SIZE PMI_SIZE; do
        expect "a build without MPI says so" "croupier run: several processes were started, and this croupier was built without MPI: install libopenmpi-dev, rebuild, or start one process" \
            "$(env $name=2 "$croupier" run life --agents random --games 2 --out "$scratch/mpi" 2>&1)"
        expect "and nothing is played" no "$([ -e "$scratch/mpi" ] && echo yes || echo no)"
        expect "that is a mistake" 2 "$(code env $name=2 "$croupier" run life --agents random --out "$scratch/mpi")"
        expect "one process is well" 0 "$(code env $name=1 "$croupier" run life --agents random --games 2 --out "$scratch/$name")"
    done
fi

# A reader that has gone is no error; the write after it must not kill us either.
"$croupier" --help | true
expect "a closed pipe is 0" 0 "${PIPESTATUS[0]}"

message=$("$croupier" version 2>&1 >/dev/full)
expect "a full disk is 1" 1 $?
expect "a full disk is named" "croupier: cannot write to standard output: No space left on device" \
    "$message"
message=$("$croupier" version 2>&1 >&-)
expect "a closed standard output is 1" 1 $?
expect "a closed standard output is named" \
    "croupier: cannot write to standard output: Bad file descriptor" "$message"
expect "a mistake stays 2 on a full disk" 2 "$("$croupier" versoin >/dev/full 2>&1; echo $?)"
expect "closed standard error is no crash" 2 "$("$croupier" versoin 2>&-; echo $?)"
expect "closed standard input is no matter" 0 "$(code "$croupier" version <&-)"

# A comparison that is asked to stop says what it has.
"$croupier" compare life life:torus --games 1000000 --metric length --threads 1 \
    >"$scratch/compare" 2>&1 &
pid=$!
# It has to catch the signal, number 15, before it is sent; the shell that becomes it catches it, too.
until [ "/proc/$pid/exe" -ef "$croupier" ] && ((0x$(awk '/^SigCgt/ {print $2}' "/proc/$pid/status") & 1 << 14)); do sleep 0.05; done
kill -TERM "$pid"
wait "$pid"
expect "a comparison that SIGTERM ends is 143" 143 $?
expect "and says so" 1 "$(grep -c interrupted "$scratch/compare")"

# script(1) gives a terminal; its exit code is the command's.
on_terminal() { script -qec "stty cols 30; $1" /dev/null </dev/null; }
escape=$'\x1b'
has_color() { case "$(on_terminal "$1")" in *"$escape["*) echo yes ;; *) echo no ;; esac; }
expect "colour on a terminal" yes "$(has_color "'$croupier' --help")"
expect "NO_COLOR is heeded" no "$(has_color "NO_COLOR=1 '$croupier' --help")"
expect "an empty NO_COLOR is none" yes "$(has_color "NO_COLOR= '$croupier' --help")"
expect "a dumb terminal has none" no "$(has_color "TERM=dumb '$croupier' --help")"
expect "no colour in a pipe" no "$(has_color "'$croupier' --help | cat")"

longest() { tr -d '\r' | sed "s/$escape\[[0-9;]*m//g" | wc -L; }
width=$(on_terminal "'$croupier' version --help" | longest)
expect "text keeps to a terminal of 30 columns" yes "$([ "$width" -le 32 ] && echo yes || echo "$width")"
wide=$(COLUMNS=200 "$croupier" version --help | longest)
expect "COLUMNS widens" yes "$([ "$wide" -gt 80 ] && echo yes || echo "$wide")"
expect "a senseless COLUMNS is ignored" "$("$croupier" --help)" \
    "$(COLUMNS=-3x "$croupier" --help)"

# ---- people
# typed KEYS-AFTER-PROMPT PROMPT COMMAND [PROMPT]: on a terminal, where the keys are pressed once the prompt is
# there, and Ctrl-D at the second one; prints what the terminal showed, and leaves the exit code in
# $scratch/code. Where $asker is a script, its bash has to have the terminal first; then keys take $pause seconds.
asker= pause=0
typed() {
    local over=$scratch/over.$BASHPID
    # await TEXT: five minutes at most
    await() { for _ in $(seq 6000); do grep -q -e "$1" "$scratch/screen" && break; sleep 0.05; done; }
    await_terminal() {
        for _ in $(seq 6000); do
            ps -eo pgid=,tpgid=,args= | awk -v asker="$asker" \
                '$1 == $2 && $3 == "bash" && $4 == asker {has = 1} END {exit !has}' && break
            sleep 0.05
        done
    }
    : >"$scratch/screen"
    timeout 600 script -qefc "$3" "$scratch/screen" >/dev/null < <(
        exec 2>/dev/null
        await "$2"; [ -z "$asker" ] || await_terminal
        sleep "$pause"; printf "$1"
        [ -z "${4:-}" ] || { await "$4"; printf '\004'; }
        # At the end of its input script types one of its own.
        while [ -d "$scratch" ] && ! [ -e "$over" ]; do sleep 0.05; done)
    echo $? >"$scratch/code"
    touch "$over"
    tr -d '\r' <"$scratch/screen"
}
shows() { grep -q -e "$1" <<<"$2" && echo yes || { echo no; printf '%s\n' "$2" | head -40 >&2; }; }
pile="'$croupier' play subtraction --set pile=3 --agents"
shown=$(typed '3\n' 'A> ' "$pile human,random")
expect "a person plays on a terminal" yes "$(shows 'subtraction: over after 1 move$' "$shown")"
expect "what is typed is shown once" 1 "$(grep -c 'A> ' <<<"$shown")"
expect "a person's game that ends is 0" 0 "$(cat "$scratch/code")"
shown=$(typed '\004' 'A> ' "$pile human,random")
expect "Ctrl-D leaves the game" yes "$(shows 'left after 0 moves, without a result' "$shown")"
expect "Ctrl-D is 1" 1 "$(cat "$scratch/code")"
shown=$(typed '\003' 'A> ' "$pile human,random")
expect "Ctrl-C leaves the game" yes "$(shows 'left after 0 moves, without a result' "$shown")"
expect "Ctrl-C is 130" 130 "$(cat "$scratch/code")"
shown=$(TERM=xterm LC_ALL=C typed 'quit\n' 'A> ' "'$croupier' play belote --agents human,random,random,random")
expect "without UTF-8 cards have letters" yes "$(shows '[0-9JQKA]S' "$shown")"
expect "and no signs" no "$(grep -q '♠\|♥' <<<"$shown" && echo yes || echo no)"

# A program that asks a person, who takes longer than programs may.
cat >"$scratch/asks" <<'EOF'
while IFS= read -r line; do
    case $line in
    *'"type":"hello"'*) echo '{"type":"hello","protocol":1}' ;;
    *'"type":"choose"'*)
        printf 'your move? ' >/dev/tty
        IFS= read -r move </dev/tty
        echo '{"type":"move","move":"'"$move"'"}' ;;
    esac
done
EOF
# The program has twenty seconds for its question, and the person takes more.
asker=$scratch/asks
asks="$pile 'process:bash $asker,move_ms=20000,start_ms=600000' --agents"
shown=$(pause=21 typed '3\n' 'your move' "$asks random")
expect "a program reads the terminal and takes its time" yes \
    "$(shows 'subtraction: over after 1 move$' "$shown")"
expect "that is no fault" 0 "$(cat "$scratch/code")"
asks="$pile 'process:bash $asker,move_ms=3600000,start_ms=600000' --agents"
shown=$(typed '2\n' 'your move' "$asks human" 'B> ')
expect "the terminal comes back: a person reads it afterwards" yes \
    "$(shows 'left after 1 move, without a result' "$shown")"
shown=$(typed '\003' 'your move' "$asks random")
expect "Ctrl-C at a program's prompt is Ctrl-C" 130 "$(cat "$scratch/code")"
expect "and no fault" no "$(grep -q fault <<<"$shown" && echo yes || echo no)"

conclude
