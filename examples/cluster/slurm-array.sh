#!/bin/bash
# A check in 16 shards, as an array of jobs. Submit it in the folder of the models, then merge when all have ended:
#   array=$(sbatch --parsable slurm-array.sh)
#   sbatch --dependency=afterok:$array --wrap "nearfield merge shards/*.json --json --out answer.json"
#SBATCH --job-name=nearfield-check
#SBATCH --array=1-16
#SBATCH --cpus-per-task=1
#SBATCH --mem=4G
#SBATCH --time=01:00:00
#SBATCH --requeue
set -euo pipefail
mkdir -p shards
nearfield check plant.glb piping.glb --clearance 5mm --depths all \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
  --out "shards/$SLURM_ARRAY_TASK_ID.json"
