#!/usr/bin/env bash
# Runs as processes: killed, interrupted, out of space, side by side; and what is in their folders.
# run_test.sh CROUPIER FOLDER-OF-THE-GAMES [KILLS]
set -uo pipefail
croupier=$1
games=$2
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

run() { "$croupier" run belote --agents random,random --seed 3 "$@" >out 2>err; }

# ---- the same bytes however it is played
run --blocks 300 --threads 1 --keep all --out one
expect "a run is good" 0 $?
for threads in 2 8; do
    run --blocks 300 --threads $threads --keep all --out threads-$threads
    same "$threads threads" one threads-$threads
done
run --blocks 300 --threads 2 --pool threads --keep all --out jthreads
same "the other pool" one jthreads
expect "nothing is left of the journal" \
    "checksums games.csv inputs lock moves.jsonl rules.csv run.json summary.json times.csv" \
    "$(ls one | tr '\n' ' ' | sed 's/ $//')"
expect "a row a seat" 2401 "$(wc -l <one/games.csv)"
expect "some steps were watched" yes "$(grep -q ',moves,[0-3],[A-D],,,[1-9]' one/rules.csv && echo yes)"
expect "all games are kept" 600 "$(grep -c '^{"id":' one/moves.jsonl)"
run --blocks 300 --profile off --keep none --out unwatched
cmp one/games.csv unwatched/games.csv
expect "watching changes no game" 0 $?
expect "nobody kept" no "$([ -e unwatched/moves.jsonl ] && echo yes || echo no)"
expect "nobody watched" no "$([ -e unwatched/rules.csv ] && echo yes || echo no)"

for part in 1 2 3; do run --blocks 300 --shard $part/3 --keep all --out part-$part; done
"$croupier" merge part-3 part-1 part-2 --out merged >out 2>err
expect "a merger is good" 0 $?
same "shards" one merged
expect "a part keeps its costs block by block" yes "$([ -e part-1/costs.csv ] && echo yes)"
expect "the whole needs them no more" no "$([ -e merged/costs.csv ] && echo yes || echo no)"
run --blocks 24 --profile full --threads 1 --out full-1
for part in 1 2; do run --blocks 24 --profile full --shard $part/2 --out full-part-$part; done
"$croupier" merge full-part-2 full-part-1 --out full-merged >out 2>err
same "shards in full" full-1 full-merged
run --blocks 24 --profile full --threads 3 --out full-3
same "all watched by 3 threads" full-1 full-3
"$croupier" merge part-3 part-1 --out merged2 >out 2>err
expect "a missing shard is 2" 2 $?
expect "a missing shard is named" "croupier merge: missing: shard 2/3" "$(cat err)"

# ---- a stop rule ends it at the same place, and in a merger as well
for threads in 1 2 8; do run --sprt 0,60 --blocks 4000 --threads $threads --out stop-$threads; done
same "a stop rule with 2 threads" stop-1 stop-2
same "a stop rule with 8 threads" stop-1 stop-8
expect "the rule has ended it" yes "$([ "$(wc -l <stop-1/games.csv)" -lt 32001 ] && echo yes)"
for part in 1 2; do run --sprt 0,60 --blocks 4000 --shard $part/2 --out stop-part-$part; done
"$croupier" merge stop-part-1 stop-part-2 --out stop-merged >out 2>err
same "a stop rule over shards" stop-1 stop-merged

# ---- kill -9 at random moments: each run goes on until it is through, then the next begins
RANDOM=7
# killed TIMES BLOCKS OPTION..
killed() {
    local times=$1 blocks=$2 kills=0 code process
    shift 2
    rm -rf whole
    run --blocks "$blocks" "$@" --out whole
    while [ "$kills" -lt "$times" ]; do
        rm -rf killed
        code=137
        while [ "$code" = 137 ]; do
            # Whoever dies before there is a run.json has begun nothing.
            if [ -e killed/run.json ]; then
                "$croupier" resume killed --threads $((RANDOM % 2 + 1)) >out 2>err &
            else
                "$croupier" run belote --agents random,random --seed 3 --blocks "$blocks" \
                    "$@" --out killed >out 2>err &
            fi
            process=$!
            if [ "$kills" -lt "$times" ]; then
                sleep 0.$((RANDOM % 5))$((RANDOM % 10))
                kill -9 $process 2>/dev/null && kills=$((kills + 1))
            fi
            wait $process 2>/dev/null
            code=$?
        done
        expect "a run that was killed comes to its end" 0 "$code"
        same "kill -9 $*" whole killed
    done
}
killed "${3:-5}" 20000
killed "$((${3:-5} / 5))" 5000 --keep all

# ended_by SIGNAL FOLDER COMMAND...: the command gets the signal once its run has kept something; leaves
# its exit code in $code. A run that was over before that is begun anew.
ended_by() {
    local signal=$1 folder=$2 process
    shift 2
    code=0
    while [ "$code" = 0 ]; do
        rm -rf "$folder"
        set -m # else a script's background processes ignore Ctrl-C
        "$@" >out 2>err &
        process=$!
        set +m
        while ! [ -s "$folder/games.journal" ] && kill -0 $process 2>/dev/null; do sleep 0.02; done
        kill -"$signal" $process 2>/dev/null
        wait $process 2>/dev/null
        code=$?
    done
}

# ---- what --coverage tells survives it, too
covered() { "$croupier" "$@" --threads 1 >out 2>err; }
covered run belote --agents random --blocks 150 --coverage --out covered
ended_by KILL uncovered "$croupier" run belote --agents random --blocks 150 --coverage \
    --threads 1 --out uncovered
expect "it was killed" 137 "$code"
covered resume uncovered
expect "resume of a run with --coverage is good" 0 $?
same "kill -9 with --coverage" covered uncovered
expect "coverage is in the summary" yes "$(grep -q '"coverage": {' covered/summary.json && echo yes)"

# ---- Ctrl-C and SIGTERM finish what is being played and say how to go on
run --blocks 40000 --out long
for signal in INT TERM; do
    ended_by $signal stopped-$signal "$croupier" run belote --agents random,random --seed 3 \
        --blocks 40000 --out stopped-$signal
    expect "SIG$signal is its code" "$((128 + $(kill -l $signal)))" "$code"
    expect "SIG$signal says how to go on" "continue with: croupier resume stopped-$signal" \
        "$(tail -n 1 err | sed 's/.*; //')"
    "$croupier" resume stopped-$signal >out 2>err
    expect "resume is good" 0 $?
    same "SIG$signal" long stopped-$signal
done

# ---- who solves for hours ends, too: a search, and whoever judges moves
timeout --preserve-status -s TERM 1 "$croupier" run whist --threads 1 --blocks 1 \
    --agents pimc:dd=1000,nodes=1000000000000 --out hours >out 2>err
expect "SIGTERM ends a search" 143 $?
"$croupier" run whist --agents random --blocks 1 --out whist >out 2>err
timeout --preserve-status -s TERM 1 "$croupier" analyse whist --threads 1 --dd 52 \
    --nodes 1000000000000 >out 2>err
expect "SIGTERM ends an analysis" 143 $?

# ---- refusals
"$croupier" run belote --agents random --out one >out 2>err
expect "a folder with a run is 2" 2 $?
expect "a folder with a run is named" \
    "croupier run: one: holds a run or a tuning already; continue it with 'croupier resume one', or name another folder" \
    "$(cat err)"
touch life
expect "a game that is a file, too" "croupier run: life is a game and a file: use --game life or ./life" \
    "$("$croupier" run life 2>&1)"
exec 9>one/lock
flock -n 9
"$croupier" resume one >out 2>err
expect "a locked folder is 2" 2 $?
expect "a locked folder is named" "croupier resume: one: another croupier is using it" "$(cat err)"
exec 9>&-

mkdir mine
echo "{\"@include\": \"$games/life/rules.json\", \"options\": {\"max_plies\": 20}}" >mine/rules.json
"$croupier" run mine/rules.json --agents random --games 4 --out changed >out 2>err
expect "a game of one's own" 0 $?
sed -i 's/20/30/' mine/rules.json
"$croupier" resume changed >out 2>err
expect "a changed ruleset is 2" 2 $?
expect "the change is named" "  mine/rules.json: line 1 was" "$(sed -n 2p err)"

# ---- no space left
ulimit -c 0
(ulimit -f 60; exec "$croupier" run belote --agents random,random --seed 3 \
    --blocks 300 --keep all --out full >out 2>err)
expect "a full disk is 1" 1 $?
expect "a full disk is named" "croupier run: full/moves.jsonl: cannot be written: File too large" \
    "$(sed -n 2p err)"
"$croupier" resume full >out 2>err
same "after a full disk" one full

# ---- comparisons go on alike
comparison=(compare oldmaid oldmaid:previous --games 2000 --seed 3 --no-costs --threads 2)
"$croupier" "${comparison[@]}" --out compared >compared.out 2>err
expect "a comparison is kept" "asked.json compare.json games.csv lock" "$(ls compared | tr '\n' ' ' | sed 's/ $//')"
(ulimit -f 400; exec "$croupier" "${comparison[@]}" --out short >out 2>err)
expect "a full disk ends a comparison with 1" 1 $?
expect "which tells what it knows" 1 "$(grep -c '^ *interrupted$' out)"
expect "and how it goes on" "what was written is kept; continue with: croupier resume short" \
    "$(tail -1 err)"
"$croupier" resume short --threads 1 >out 2>err
expect "it is resumed" 1 "$(grep -c '^resuming after [1-9][0-9]* games$' err)"
expect "to the same answer" "" "$(diff compared.out out)"
expect "from the same games" "" "$(cmp compared/games.csv short/games.csv)"
"$croupier" resume short >out 2>err
expect "it is told again" 0 $?
"$croupier" "${comparison[@]}" --out slain >out 2>err &
until [ -s slain/games.journal ] || ! kill -0 $! 2>/dev/null; do sleep 0.01; done
kill -9 $! 2>/dev/null
wait $! 2>/dev/null
"$croupier" resume slain >out 2>err
expect "kill -9 costs nothing" "" "$(cmp compared/games.csv slain/games.csv)"
sed -i 's/--seed/--cut/' short/asked.json && rm short/compare.json
touch short/games.journal
"$croupier" resume short >out 2>err
expect "a comparison of something else is refused" 2 $?
expect "with what differs" 1 "$(grep -c 'the specification is not the same as when it began' err)"

# ---- reading back
sed '7s/random/rand/' one/games.csv >damaged.csv && cp -r one damaged && cp damaged.csv damaged/games.csv
"$croupier" report damaged >out 2>err
expect "a damaged row is 2" 2 $?
expect "a damaged row is named" \
    "croupier report: damaged/games.csv:7: the run has no agent 'rand'" "$(cat err)"

conclude
