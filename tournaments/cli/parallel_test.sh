#!/usr/bin/env bash
# The recipe for GNU parallel in tournaments/README.md, while a shard and parallel itself die: the same bytes.
# parallel_test.sh CROUPIER; exit 77 without GNU parallel
set -euo pipefail
[[ "$(parallel --version 2>&1)" == GNU* ]] || { echo "there is no GNU parallel"; exit 77; }
source "$(dirname "${BASH_SOURCE[0]}")/batch.sh"
export TMPDIR=$work PARALLEL_HOME=$work
printf '#!/bin/sh\nshift 2 # NAME --\nexec sh -c "$*"\n' >bin/ssh # every name is this machine
chmod +x bin/ssh
# As in the README, but in a folder that tells whose processes these are.
recipe() {
    exec parallel --retries 3 --jobs 1 --sshlogin alpha,beta --wd . "
        mkdir -p $work/part-{}; flock $work/part-{}/lock true
        [ -e $work/part-{}/run.json ] && exec croupier resume $work/part-{} --threads 1
        exec croupier run tournament.json --shard {}/8 --out $work/part-{} --threads 1" \
        ::: {1..8} >out 2>err
}
any_stands() { for shard in {1..8}; do ! stands $shard || return 0; done; return 1; }

# ---- all is killed, but the lock of a shard outlives it, as it does where a machine cannot be reached
recipe & disown
wait_for "rows of a shard" any_stands
kill -9 $(processes) || true
held $shard

# ---- the same command again, another shard of which is killed
recipe &
again=$!
wait_for "a wait for the lock" waits_for_lock $shard
wait_for "rows of another shard" any_stands
kill -9 "$player"
kill $lock
wait $again || expect "the same command is good" 0 $?
expect "both are resumed" yes "$([ "$(grep -c '^resuming after [1-9]' err)" -ge 2 ] && echo yes)"
croupier merge part-* --out merged >out 2>&1 || cat out
same "shards of parallel" whole merged

# ---- only what is missing is played
rm -r part-5 merged
touch before
(recipe) || expect "the same command is good again" 0 $?
expect "one part was played" part-5/games.csv "$(find part-* -name games.csv -newer before)"
croupier merge part-* --out merged >out 2>&1 || cat out
same "the part that was missing" whole merged

conclude
