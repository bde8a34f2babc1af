#!/usr/bin/env bash
# Agents that quit, stall, give up and leave processes behind: what that comes to, and that nothing of
# them is left. faults_test.sh CROUPIER MOCK-BOT
set -uo pipefail
croupier=$1
source "$(dirname "${BASH_SOURCE[0]}")/expect.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
# An agent is named by a command line, and the folder of the bot may have spaces in its name.
bot=$work/mock_bot
ln -s "$(realpath "$2")" "$bot"

run() { "$croupier" run life --set max_plies=40 --threads 2 "$@" >out 2>err; }
# member PYTHON-EXPRESSION FOLDER: of the run's report, as r
member() {
    python3 -c "import json, sys
r = json.load(open(sys.argv[1] + '/summary.json'))['report']
print($1)" "$2"
}
# A bot may take an hour to answer.
hours=start_ms=3600000,move_ms=3600000,total_ms=86400000
quitter="Quitter=process:$bot behind,$hours"

# ---- whoever leaves when it is behind has lost
run --agents "$quitter" --agents random --games 200 --seed 4 --out quits
expect "some games of a run are faults: 0" 0 $?
expect "quitting does not win" True "$(member "r['contestants'][0]['score']['high'] < 0.5" quits)"
expect "all games count" "200 0" "$(member "str(r['contestants'][0]['games']) + ' ' + str(r['voids'])" quits)"
expect "points are those of games that were played" True "$(member \
    "r['endings']['fault'] > 50 and abs(sum(c['points']['value'] for c in r['contestants']) - 1) < 1e-9" quits)"
expect "whose they were stands above" 1 \
    "$(grep -c "of 200 games ended by an agent's fault: Quitter .*(crash " out)"
"$croupier" report quits --format autoplay >out
expect "and in the old form" 1 "$(grep -c '^Faults = .* (Quitter .*(crash ' out)"
run --agents "$quitter" --agents random --sprt 0,100 --games 2000 --seed 4 --out sprt
expect "no sequential test says it is better" "H0 accepted" "$(member "r['stop']['verdict']" sprt)"
run --agents "$quitter" --agents random --games 200 --seed 4 --faults void --out void
expect "void is what it was" True "$(member "r['contestants'][0]['score']['low'] > 0.5" void)"
expect "and said" '"faults": "void"' "$(grep -o '"faults": "void"' void/run.json)"

# ---- the run stops, and can be resumed
run --agents "$quitter" --agents random --blocks 30 --seed 4 --faults stop --out stop
expect "a run that a fault stops is 1" 1 $?
expect "and says why" 1 "$(grep -c "an agent's fault ends this run: game [0-9.]*: crash: " err)"
first=$(wc -l <stop/games.csv)
"$croupier" resume stop >out 2>err
expect "the next fault stops it again" 1 $?
expect "further on" yes "$([ "$(wc -l <stop/games.csv)" -gt "$first" ] && echo yes)"

# ---- nothing but faults
run --agents "process:$bot exit,$hours" --agents random --games 20 --out nothing
expect "a run of nothing but faults is 1" 1 $?
"$croupier" report nothing >out
expect "its report is not" 0 $?
"$croupier" play life --agents "process:$bot exit,$hours" --agents random >out 2>err
expect "a game that ends by a fault is 1" 1 $?
"$croupier" play life --agents "process:$bot exit 3,else=random,$hours" --agents random --record game >out 2>err
expect "another plays on: 0" 0 $?
expect "from its fourth move on" 1 "$(grep -c 'another agent has played in its place from move 7 on (crash)' err)"
expect "as the record says" 1 "$(grep -c '"substitutes":\[{"player":"B","ply":6,"fault":"crash"' game)"
run --agents "Fragile=process:$bot exit 3,else=random,$hours" --agents random --games 20 --out other
expect "in runs as well" "20 0" "$(member "str(r['faults'][0]['games']) + ' ' + str(r['endings']['fault'])" other)"
expect "games.csv says from when" "crash: the program ended with exit code 3,6," \
    "$(grep '^0,0,,0' other/games.csv | cut -d, -f12-13),"
"$croupier" compare life life:torus --set max_plies=20 --agents "process:$bot exit,$hours" --agents random \
    --games 8 --no-costs --metric fault,win >out 2>err
expect "a comparison of nothing but faults is 1" 1 $?
expect "and says whose" 1 "$(grep -c "16 of 16 games ended by an agent's fault: .*(crash 16)" err)"

# ---- giving up, agreeing, cutting
run --agents "Weak=process:$bot resign 3,$hours" --agents random --games 20 --out resigns
expect "who gives up has lost" "True 20" "$(member "str(r['endings']['resigned'] > 5) + ' ' + str(r['contestants'][0]['losses'])" resigns)"
run --agents "process:$bot draw,$hours" --agents "process:$bot draw,$hours" --games 4 --out agreed
expect "an agreement is a draw" "4 4" "$(member "str(r['endings']['agreed']) + ' ' + str(r['draws'])" agreed)"
run --agents random --games 20 --cut 5 --out cut
expect "a cut is a draw" True "$(member "r['endings']['cut'] > 10 and r['draws'] >= r['endings']['cut']" cut)"

# ---- times add up
run --agents random --games 400 --out whole
for part in 1 2; do run --agents random --games 400 --shard $part/2 --out part-$part; done
"$croupier" merge part-1 part-2 --out merged >out 2>err
decisions() { awk -F, 'NR > 1 {n += $4} END {print n}' "$1/times.csv"; }
expect "shards decide as often" "$(decisions whole)" "$(decisions merged)"
expect "the report tells" 1 "$(grep -c '^time per decision' out)"
expect "the summary does not" 0 "$(grep -c mean_ns merged/summary.json)"

# ---- nothing is left, however we end
left() { pgrep -fc "mock_bot.*$1"; }
# Five minutes at most.
gone() { for _ in $(seq 6000); do [ "$(left "$1")" = 0 ] && break; sleep 0.05; done; left "$1"; }
started() { for _ in $(seq 6000); do [ "$(pgrep -fc "^$bot .*$1")" -ge "$2" ] && return; sleep 0.05; done; }
for how in stall session; do
    mark=90$$
    "$croupier" run life --agents "process:$bot $how 0 $mark,$hours" \
        --agents "process:$bot stall 0 $mark,$hours" --games 8 --threads 2 --out "kill-$how" >out 2>err &
    process=$!
    started "$mark" 3
    kill -9 $process
    wait $process 2>/dev/null
    expect "kill -9 leaves nobody ($how)" 0 "$(gone "$mark")"
done
mark=91$$
set -m # else a script's background processes ignore Ctrl-C
"$croupier" run life --agents "process:$bot stall 0 $mark,$hours" --agents random \
    --games 8 --out twice >out 2>err &
process=$!
set +m
started "$mark" 1
# Two at once are one to the system.
while kill -INT $process 2>/dev/null; do sleep 0.1; done
wait $process 2>/dev/null
expect "a second Ctrl-C ends it" 130 $?
expect "and leaves nobody" 0 "$(gone "$mark")"
mark=92$$
set -m
"$croupier" run life --agents "process:$bot stall 4 $mark,$hours" --agents random \
    --games 8 --out slow >out 2>err &
process=$!
set +m
started "$mark" 1
kill -INT $process
wait $process 2>/dev/null
expect "one Ctrl-C is enough, for a bot that may take an hour, too" 130 $?
expect "of which nothing is left" 0 "$(gone "$mark")"
expect "what was broken off is no fault" 0 "$(grep -c ',fault,stall' slow/games.csv)"

conclude
