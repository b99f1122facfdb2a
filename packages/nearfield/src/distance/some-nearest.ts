// The nearest triangles of many pairs of bodies in batches, each of which is answered by itself, so that threads can
// share them.

import type { Placed, Snapshot } from '../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import type { Limits } from '../core/limits.ts';
import { newStats } from '../core/stats.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import { answerEach, Given } from '../cpu/threads/shared-items.ts';
import { cpuDistances } from './cpu/driver.ts';
import { type RawNearest, type SettledNearest, settledNumbers } from './request.ts';

/** Pairs of bodies, given by their rows. Only distances less than `upTo` matter. */
export interface SomePairs {
  readonly bodyAt: (row: number) => Placed;
  readonly candidates: Uint32Array;
  readonly upTo: number;
}

/** Pairs per batch: a few milliseconds of work. */
const pairsAtOnce = 512;

/**
 * The nearest triangles of the i-th batch. Only its bodies are placed, so a thread builds trees for those that it
 * meets.
 */
export function someNearest(
  engine: CpuEngine,
  { bodyAt, candidates, upTo }: SomePairs,
  i: number,
): Generator<number, RawNearest> {
  const batch = candidates.subarray(2 * pairsAtOnce * i, 2 * pairsAtOnce * (i + 1));
  const placeOf = new Map<number, number>();
  const bodies: Placed[] = [];
  const own = new Uint32Array(batch.length);
  for (let k = 0; k < batch.length; k++) {
    let place = placeOf.get(batch[k]);
    if (place === undefined) {
      place = bodies.push(bodyAt(batch[k])) - 1;
      placeOf.set(batch[k], place);
    }
    own[k] = place;
  }
  return cpuDistances(engine).nearestInSteps(bodies, { candidates: own, upTo });
}

/** The nearest triangles of pairs of rows of a snapshot. */
export async function nearestOnThreads(
  engine: CpuEngine,
  seen: Snapshot,
  candidates: Uint32Array,
  upTo: number,
  limits: Limits,
): Promise<RawNearest> {
  const count = Math.ceil(candidates.length / (2 * pairsAtOnce));
  if (count < 2) return cpuDistances(engine).nearest(seen, { ...limits, candidates, upTo });
  const { shapeStates, poses } = seen;
  const bodyAt = (row: number): SnapshotBody => {
    const { shape, mesh, positions, revision, onGpu } = shapeStates[row];
    const pose = poses.subarray(16 * row, 16 * row + 16);
    return { shape, mesh, positions, revision, onGpu, pose, poseRevision: 0 };
  };
  const given = new Given('nearest', () => ({ bodyAt, candidates, upTo, rowCount: seen.count }));
  const item = (i: number) => someNearest(engine, { bodyAt, candidates, upTo }, i);
  return joined(candidates, await answerEach(engine, { given, count, item }, limits));
}

function joined(candidates: Uint32Array, parts: readonly RawNearest[]): RawNearest {
  const count = candidates.length / 2;
  const start = new Uint32Array(count + 1);
  const states = new Uint8Array(count);
  const settled = joinedSettled(count, parts);
  const triangles = new Uint32Array(parts.reduce((sum, part) => sum + part.triangles.length, 0));
  const stats = newStats();
  parts.forEach((part, i) => {
    const first = i * pairsAtOnce;
    const listed = start[first];
    for (let c = 1; c < part.start.length; c++) start[first + c] = part.start[c] + listed;
    triangles.set(part.triangles, 2 * listed);
    states.set(part.states, first);
    for (const key of ['triangleTests', 'boxTests', 'growths'] as const) stats[key] += part.stats[key];
  });
  return { candidates, start, triangles, states, settled, stats };
}

function joinedSettled(count: number, parts: readonly RawNearest[]): SettledNearest {
  const places = new Uint32Array(count);
  const numbers = new Float64Array(parts.reduce((sum, { settled }) => sum + settled!.numbers.length, 0));
  let length = 0;
  parts.forEach(({ settled }, i) => {
    const own = settled!.places;
    const before = length / settledNumbers;
    for (let c = 0; c < own.length; c++) places[i * pairsAtOnce + c] = before + own[c];
    numbers.set(settled!.numbers, length);
    length += settled!.numbers.length;
  });
  return { places, numbers };
}
