#!/usr/bin/env bash
# Runs over several processes of mpirun: the same bytes, one of them killed, one with other files.
# mpi_test.sh CROUPIER MPIRUN; exit 77 where mpirun does not work
set -uo pipefail
croupier=$1
mpirun=("$2" --oversubscribe)
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export TMPDIR=$work # sockets
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 # containers run tests as root
export OMPI_MCA_btl_vader_single_copy_mechanism=none             # what they forbid
export ASAN_OPTIONS=detect_leaks=0 # MPI's own
timeout 300 "${mpirun[@]}" -n 2 true >out 2>&1 || { echo "mpirun does not work here"; cat out; exit 77; }

# mpi N ARGUMENT...
mpi() { timeout 600 "${mpirun[@]}" -n "$1" "$croupier" "${@:2}" >out 2>err; }
game=(run belote --agents rules:table,random --seed 3)

# ---- the same bytes for any number of processes and threads
"$croupier" "${game[@]}" --blocks 400 --keep all --out one >out 2>err
for ranks in 1 2 3 4; do
    mpi $ranks "${game[@]}" --blocks 400 --threads 1 --keep all --out ranks-$ranks
    expect "$ranks processes are good" 0 $?
    same "$ranks processes" one ranks-$ranks
done
mpi 3 "${game[@]}" --blocks 400 --threads 2 --keep all --out threads
same "processes of several threads" one threads
expect "one report" 1 "$(grep -c '^standings' out)"
for schedule in swiss knockout; do
    some=(run life --agents random,A=random,eval,B=random --schedule $schedule --games 24)
    "$croupier" "${some[@]}" --out $schedule-one >out 2>err
    mpi 3 "${some[@]}" --out $schedule
    same "$schedule, whose later blocks depend on earlier ones" $schedule-one $schedule
done
"$croupier" "${game[@]}" --sprt 0,60 --blocks 4000 --out stop-one >out 2>err
mpi 3 "${game[@]}" --sprt 0,60 --blocks 4000 --out stop
same "a stop rule" stop-one stop
expect "the rule has ended it" yes "$([ "$(wc -l <stop/games.csv)" -lt 32001 ] && echo yes)"

# ---- a process that dies ends the run, which goes on where it stood
"$croupier" "${game[@]}" --blocks 30000 --out whole >out 2>err
for _ in $(seq 20); do # or it was over before anybody died
    rm -rf killed-ranks
    mpi 3 "${game[@]}" --blocks 30000 --out killed-ranks &
    while ! [ -s killed-ranks/games.journal ] && kill -0 $! 2>/dev/null; do sleep 0.05; done
    pkill -9 -n -f "$croupier.* --out killed-ranks" # the youngest, so not the first
    wait $!
    code=$?
    [ "$code" = 0 ] || ! [ -s killed-ranks/games.journal ] || break
done
expect "its death is no success" yes "$([ "$code" -ne 0 ] && echo yes)"
expect "the run is not complete" yes "$([ -s killed-ranks/games.journal ] && echo yes)"
mpi 3 resume killed-ranks
expect "resume is good" 0 $?
same "after a death" whole killed-ranks
mpi 2 resume killed-ranks
expect "a complete run is reported again" 0 $?

# ---- processes that cannot play, or would play something else
other=$work/other.sh
cat >"$other" <<'END'
#!/usr/bin/env bash
# The second process reads another specification, or none.
[ "$OMPI_COMM_WORLD_RANK" = 1 ] || exec "$1" run life --agents random --games 20 --out other
exec "$1" run life --agents random --games 20 "${@:2}"
END
chmod +x "$other"
timeout 600 "${mpirun[@]}" -n 3 "$other" "$croupier" --seed 5 >out 2>err
expect "other seeds are a mistake" 2 $?
expect "who differs is named" "the specification is not the same there" \
    "$(grep -o 'rank 1 .*' err | sed 's/.*: //')"
timeout 600 "${mpirun[@]}" -n 3 "$other" "$croupier" --set max_plys=5 >out 2>err
expect "a mistake there is one here" 2 $?
expect "and is told" 1 "$(grep -c 'error.*max_plys' err)"
expect "nothing was begun" no "$([ -e other ] && echo yes || echo no)"
mpi 2 run lief --agents random
expect "everybody's mistake is told once" 1 "$(grep -c 'croupier run: ' err)"

conclude
