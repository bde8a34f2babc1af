# Sourced by the tests of programs that start shards and start them again: a folder with a tournament, played
# by one process, and how its processes are stopped, killed and waited for. No time is measured: what is to die
# is stopped once it has rows, and what must follow is waited for.
croupier=$(realpath "$1")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/expect.sh"
work=$(mktemp -d)
# processes [NAME]: those who have files open in the folder whose names begin so
processes() { find /proc/[0-9]*/fd -lname "$work/${1:-}*" 2>/dev/null | cut -d/ -f3 | sort -u || true; }
clean_up() {
    local left
    while left=$(processes) && [ -n "$left" ]; do kill -9 $left 2>/dev/null || true; sleep 0.1; done
    rm -rf "$work"
}
trap clean_up EXIT
trap 'echo "FAILED in line $LINENO"' ERR
cd "$work"
mkdir bin
ln -s "$croupier" bin/croupier
export PATH=$work/bin:$PATH
echo '{"game": "belote", "agents": ["rules:counting", "pimc:deals=16"], "games": 6000, "seed": 3}' \
    >tournament.json
croupier run tournament.json --threads 1 --out whole >out 2>err || cat err

each_time() { :; } # while something is waited for
tell() { ls part-*; tail -n 50 err; }
# wait_for WHAT COMMAND...
wait_for() {
    until "${@:2}" >/dev/null; do
        [ $SECONDS -lt 1500 ] || { echo "FAILED: waited in vain for $1"; tell || true; exit 1; }
        each_time
        sleep 0.1
    done
}
# stands N: shard N has rows, and the process that plays it stands still; it is $player.
stands() {
    [ "$(cat "part-$1/games.journal" 2>/dev/null | wc -l)" -gt 1 ] || return 1
    player=$(pgrep -f "^croupier .* $work/part-$1 ") || return 1
    kill -STOP "$player"
    [ ! -s "part-$1/games.journal" ] || return 0
    kill -CONT "$player"
    return 1
}
# held N: nobody else can work in the folder of the shard before $lock is killed.
held() {
    flock --no-fork "part-$1/lock" sleep infinity &
    lock=$!
}
waits_for_lock() { pgrep -f "^flock $work/part-$1/lock true"; }
