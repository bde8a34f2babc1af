#!/usr/bin/env bash
# A tournament as a Slurm job array, a shard a task. Submit, then merge when all are through:
#   job=$(sbatch --parsable --array=1-16 tournaments/slurm-array.sh tournament.json /shared/today)
#   sbatch --dependency=afterok:$job --wrap "croupier merge /shared/today/part-* --out /shared/today/whole"
# A task that was requeued goes on where it stood.
#SBATCH --cpus-per-task=8
#SBATCH --requeue
#SBATCH --signal=TERM@60
set -euo pipefail
specification=$1
part=$2/part-$SLURM_ARRAY_TASK_ID
if [ -e "$part/run.json" ]; then
    exec croupier resume "$part" --threads "$SLURM_CPUS_PER_TASK" --progress plain
fi
exec croupier run "$specification" --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --out "$part" --threads "$SLURM_CPUS_PER_TASK" --progress plain
