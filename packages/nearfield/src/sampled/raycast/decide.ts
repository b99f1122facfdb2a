// Decides exactly, on the CPU, whatever the engine left open: rays that single precision could not follow, and pairs
// that only edges between the rays show to interfere.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { pointsInside } from '../../inside/winding.ts';
import { pointsOfEdges } from './edges/edge-points.ts';
import type { RaycastStats } from './options.ts';
import { Found, type RawRaycast, type RaycastTask } from './sampling.ts';

export interface Decided {
  /** Bits of `Found` per candidate; 0 if the two do not interfere as far as rays and edges tell. */
  readonly found: Uint8Array;
  readonly any: boolean;
  readonly raycast: RaycastStats;
}

/** How many edge points are tested at most for a candidate that no ray found. */
const mostPoints = 64;

export function* decide(
  raw: RawRaycast,
  task: RaycastTask,
  bodyAt: (place: number) => Placed,
  cpu: CpuEngine,
): Generator<number, Decided> {
  const found = raw.found.slice();
  if (!raw.byPairs || task.counting !== 'lists') return { found, any: raw.any, raycast: raw.raycast };
  let recast = 0;
  const isSure = (flags: number) => (flags & (Found.ray | Found.certain)) !== 0;
  const isOver = () => task.ask === 'any' && found.some(isSure);
  for (const { candidate, isCommon } of raw.lines) {
    if (isSure(found[candidate])) continue;
    if (isOver()) break;
    recast++;
    if (isCommon(cpu)) found[candidate] |= Found.ray;
    yield recast / raw.lines.length;
  }
  let [byRaysAlone, byEdgesAlone] = [0, 0];
  const doubtful = new Set<number>();
  for (let candidate = 0; candidate < found.length; candidate++) {
    const flags = found[candidate];
    if (flags === Found.ray) byRaysAlone++;
    else if ((flags & Found.ray) !== 0) continue;
    else if ((flags & Found.certain) !== 0) byEdgesAlone++;
    else if (flags !== 0) doubtful.add(candidate);
  }
  if (isOver()) doubtful.clear();
  for (const [candidate, [first, second]] of pointsOfEdges(raw.edges!, task, doubtful, mostPoints, bodyAt)) {
    const [a, b] = [task.candidates[2 * candidate], task.candidates[2 * candidate + 1]];
    const firstIn = isAnyInside(cpu, bodyAt(b), first);
    const secondIn = isAnyInside(cpu, bodyAt(a), second);
    found[candidate] = (firstIn ? Found.firstInSecond : 0) | (secondIn ? Found.secondInFirst : 0);
    doubtful.delete(candidate);
    if (found[candidate] !== 0) byEdgesAlone++;
    yield 1;
  }
  for (const candidate of doubtful) found[candidate] = 0;
  const any = found.some(flags => flags !== 0);
  return { found, any, raycast: { ...raw.raycast, recast, byRaysAlone, byEdgesAlone } };
}

/** Tests one point after the other, because mostly the first one is inside. */
function isAnyInside(cpu: CpuEngine, body: Placed, points: Float64Array): boolean {
  for (let at = 0; at < points.length; at += 3) {
    if (pointsInside(finderOf(cpu), body, points.subarray(at, at + 3))[0] === 1) return true;
  }
  return false;
}
