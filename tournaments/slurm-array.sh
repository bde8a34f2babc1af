#!/usr/bin/env bash
# A tournament as a Slurm job array, a shard a task. Submit, then merge when all are through:
#   job=$(sbatch --parsable --array=1-16 tournaments/slurm-array.sh tournament.json /shared/today)
#   sbatch --dependency=afterok:$job --wrap "croupier merge /shared/today/part-* --out /shared/today/whole"
# A task whose node vanished, or that came near its time limit, is requeued and goes on where it stood. So
# do all tasks if the same array is submitted again; those that are complete end at once.
#SBATCH --cpus-per-task=8
#SBATCH --requeue
#SBATCH --signal=B:USR1@60
set -euo pipefail
specification=$1
part=$2/part-$SLURM_ARRAY_TASK_ID
# A node that Slurm has given up may play on for a while.
[ ! -e "$part/lock" ] || flock "$part/lock" true
what=(run "$specification" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" --out "$part")
[ ! -e "$part/run.json" ] || what=(resume "$part")
croupier "${what[@]}" --threads "$SLURM_CPUS_PER_TASK" --progress plain &
trap 'wait $!' TERM # that croupier has got, too
# The number in SLURM_JOB_ID may mean the whole array.
trap 'kill $! || true; wait $! && exit 0
    exec scontrol requeue "${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"' USR1
wait $!
