#!/usr/bin/env bash
# slurm-array.sh under a Slurm of two nodes on this machine, while tasks and nodes die: the same bytes.
# slurm_test.sh CROUPIER; exit 77 without Debian's slurm-wlm
set -euo pipefail
export PATH=$PATH:/usr/sbin
for program in slurmctld slurmd sbatch; do
    command -v $program >/dev/null || { echo "there is no $program"; exit 77; }
done
source "$(dirname "${BASH_SOURCE[0]}")/batch.sh"

# ---- a Slurm without systemd, munge and cgroups, which tries often
export SLURM_CONF=$work/slurm.conf
port=$((10000 + $$ % 7000 * 3))
node="NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 CPUs=1"
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
NodeName=node1 $node Port=$((port + 1))
NodeName=node2 $node Port=$((port + 2))
PartitionName=all Nodes=ALL Default=YES
SelectType=select/linear
ProctrackType=proctrack/linuxproc
AuthType=auth/none
CredType=cred/none
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool-%n
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/%n.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/%n.log
SlurmdTimeout=10
BatchStartTimeout=1
SchedulerParameters=sched_interval=1
MinJobAge=100000
ReturnToService=2
END
mkdir state
slurmctld -D >slurmctld.out 2>&1 & disown
begin_node() { slurmd -D -N "$1" >>"$1.out" 2>&1 & disown; }
begin_node node1
begin_node node2
each_time() { # Slurm lets a task that was requeued wait for two minutes
    squeue -hrt PD -o '%i %r' | sed -n 's/ BeginTime$//p' |
        xargs -rI {} scontrol update JobId={} StartTime=now >/dev/null 2>&1 || true
}
tell() { squeue --array --states=all; sinfo; tail -n 20 ./*.log ./*.out; }
idle() { [ "$(sinfo -hN -o %T | sort | uniq -c | xargs)" = "2 idle" ]; }
wait_for "two nodes" idle

submit() {
    job=$(sbatch --parsable --hold --array=1-4 --cpus-per-task=1 "$here/../slurm-array.sh" \
        "$work/tournament.json" "$work")
}
task() { scontrol -o show job "${job}_$1" | grep -o " $2=[^ ]*" | cut -d= -f2; } # task N MEMBER
is() { [ "$(task "$1" JobState)" = "$2" ]; }                                     # is N STATE
stands_or_begins_again() { # if it was through before it could be stopped
    ! is "$1" COMPLETED || { rm -r "part-$1"; scontrol requeue "${job}_$1"; }
    stands "$1"
}
begin_task() {
    scontrol release "${job}_$1"
    wait_for "rows of task $1" stands_or_begins_again "$1"
}
# kill_node NAME: slurmd and slurmstepd, who have its log, the shell with the script in its spool, and $player
kill_node() { kill -9 $(processes "$1.log") $(processes "spool-$1") "$player" || true; }
resumed() {
    expect "task $1 was requeued" yes "$([ "$(task "$1" Restarts)" -gt 0 ] && echo yes)"
    expect "task $1 was resumed" 1 "$(grep -c '^resuming after [1-9]' "slurm-${job}_$1.out")"
}

# ---- an array that failed: one task was killed, another had only begun its folder
submit
begin_task 3
kill -9 "$player"
wait_for "the failure of task 3" is 3 FAILED
scancel "$job"
find part-3 -type f ! -name run.json ! -path '*/inputs/*' -delete
mkdir -p part-4/inputs
touch part-4/{lock,run.json.new,inputs/1-rules.json.new}

# ---- the same array again, and what is to follow it. A node comes back, and one dies for good; the lock there
# outlives the task for a while, as on NFS.
submit
merger=$(sbatch --parsable --dependency=afterok:"$job" --wrap "croupier merge $work/part-* --out $work/merged")
begin_task 1
kill_node "$(task 1 NodeList)"
begin_node "$(task 1 NodeList)"
begin_task 2
kill_node "$(task 2 NodeList)"
held 2
wait_for "task 2, which waits for its lock" waits_for_lock 2
kill $lock
wait_for "the end of task 1" is 1 COMPLETED
wait_for "the end of task 2" is 2 COMPLETED
resumed 1
resumed 2
scontrol release "${job}_3"
wait_for "the end of task 3" is 3 COMPLETED
before=$(task 3 Restarts)

# ---- as a minute before the time limit; Slurm gives the last task the number of the array
begin_task 4
scancel --batch --signal=USR1 "${job}_4"
kill -CONT "$player"
merged() { [ "$(squeue -ht all -j "$merger" -o %T)" = COMPLETED ]; }
wait_for "the merger" merged
resumed 4
expect "no other was requeued" "$before" "$(task 3 Restarts)"
same "shards of Slurm" whole merged

# ---- what merge refuses
code=0
croupier merge part-[1-4] part-2 --out more >out 2>err || code=$?
expect "a shard that comes twice is 2" 2 $code
expect "it is named" "croupier merge: part-2 and part-2 are both shard 2/4" "$(cat err)"
code=0
croupier merge part-[124] --out less >out 2>err || code=$?
expect "a missing shard is 2" 2 $code
expect "it is named, too" "croupier merge: missing: shard 3/4" "$(cat err)"
expect "nothing was begun" "" "$(ls -d more less 2>/dev/null)"

conclude
