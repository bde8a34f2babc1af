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

# ---- whatever plays: the same bytes, as text and in its folder
# everywhere NAME RANKS FILE... -- ARGUMENT...: alone and by so many processes
everywhere() {
    local name=$1 ranks=$2 files=()
    shift 2
    while [ "$1" != -- ]; do files+=("$1"); shift; done
    shift
    "$croupier" "$@" --out "$name-one" >"$name-one.out" 2>err
    expect "$name alone" 0 $?
    mpi "$ranks" "$@" --out "$name"
    expect "$name by $ranks" 0 $?
    cmp "$name-one.out" out || { echo "FAILED $name: its answer"; failures=$((failures + 1)); }
    for file in "${files[@]}"; do
        cmp "$name-one/$file" "$name/$file" || { echo "FAILED $name: $file"; failures=$((failures + 1)); }
    done
}
everywhere compare 3 games.csv -- compare belote --set-b annonces=off --agents rules:table,random \
    --games 400 --playouts 4 --no-costs
everywhere ablate 2 games.csv -- ablate belote --agent rules:naive --games 100 --no-costs
# Nine points, of which most are given up on the way.
everywhere sweep 4 games.csv -- sweep belote --set match=target --vary target=100..900/100 \
    --agents random --games 512 --seek length=100 --metric draws --no-costs
everywhere tune 3 steps.csv proof.csv -- tune life --agent mcts:playouts=8 \
    --vary explore=10..300,start=100 --games 64 --step 4
everywhere against 3 steps.csv -- tune belote --agent rules:table --against rules:naive,random \
    --games 64 --step 4 --proof 0
mpi 3 compare belote --set-b annonces=off --agents random --games 400 --out timed
expect "times of both are known" 2 "$(cut -d, -f1 timed/times.csv | sort -u | grep -c belote)"
mpi 2 compare belote belote --agents random
expect "nothing to play" "belote and belote are identical: nothing to play" "$(cat out)"

# ---- a comparison that loses a process goes on where it stood
long=(compare belote --set-b annonces=off --agents random --games 60000 --no-costs)
"$croupier" "${long[@]}" --out long-one >long-one.out 2>err
for _ in $(seq 20); do # or it was over before anybody died
    rm -rf long
    mpi 3 "${long[@]}" --out long &
    while ! [ -s long/games.journal ] && kill -0 $! 2>/dev/null; do sleep 0.05; done
    pkill -9 -n -f "$croupier.* --out long"
    wait $!
    code=$?
    [ "$code" = 0 ] || ! [ -s long/games.journal ] || break
done
expect "the comparison is not complete" yes "$([ "$code" -ne 0 ] && [ -s long/games.journal ] && echo yes)"
mpi 3 resume long
expect "it is resumed" 0 $?
cmp long-one/games.csv long/games.csv || { echo "FAILED resume"; failures=$((failures + 1)); }
cmp <(sed 's/^resum.*//' long-one.out) out || { echo "FAILED its answer"; failures=$((failures + 1)); }
mpi 2 resume long
expect "a complete comparison is reported again" "$(cat long-one.out)" "$(cat out)"

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
cat >"$other" <<'END'
#!/usr/bin/env bash
# The second process compares other agents.
[ "$OMPI_COMM_WORLD_RANK" = 1 ] && agents=eval,eval || agents=eval,random
exec "$1" compare life life:torus --agents $agents --games 20
END
timeout 600 "${mpirun[@]}" -n 3 "$other" "$croupier" >out 2>err
expect "other agents are a mistake" 2 $?
expect "what differs is named" "of side 1 the specification is not the same there" \
    "$(grep -o 'rank 1 .*' err | sed 's/.*: //')"
mpi 2 run lief --agents random
expect "everybody's mistake is told once" 1 "$(grep -c 'croupier run: ' err)"

conclude
