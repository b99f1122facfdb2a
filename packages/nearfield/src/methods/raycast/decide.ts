// What an engine leaves open, decided exactly on the CPU: rays that single precision could not follow, and pairs of which
// only edges between the rays say that they interfere.

import type { Placed, SyncEngine } from '../../scene/engine.ts';
import { pointsInside } from '../../scene/winding.ts';
import { pointsOfEdges } from './edges/edge-points.ts';
import type { RaycastStats } from './options.ts';
import { Found, type RawRaycast, type RaycastTask } from './sampling.ts';

export interface Decided {
  /** By candidate: bits of `Found`; 0 where the two do not interfere as far as rays and edges tell. */
  readonly found: Uint8Array;
  readonly any: boolean;
  readonly raycast: RaycastStats;
}

/** So many points of edges are asked about, of a candidate that no ray found. */
const mostPoints = 64;

export function* decide(
  raw: RawRaycast,
  task: RaycastTask,
  bodyAt: (place: number) => Placed,
  cpu: SyncEngine,
): Generator<number, Decided> {
  const found = raw.found.slice();
  if (!raw.byPairs || task.counting !== 'lists') return { found, any: raw.any, raycast: raw.raycast };
  let recast = 0;
  const isOver = () => task.ask === 'any' && found.some(flags => (flags & Found.ray) !== 0);
  for (const { candidate, isCommon } of raw.lines) {
    if ((found[candidate] & Found.ray) !== 0) continue;
    if (isOver()) break;
    recast++;
    if (isCommon(cpu)) found[candidate] |= Found.ray;
    yield recast / raw.lines.length;
  }
  let [byRaysAlone, byEdgesAlone] = [0, 0];
  const doubtful = new Set<number>();
  found.forEach((flags, candidate) => {
    if (flags === Found.ray) byRaysAlone++;
    else if (flags !== 0 && (flags & Found.ray) === 0) doubtful.add(candidate);
  });
  if (isOver()) doubtful.clear();
  for (const [candidate, [first, second]] of pointsOfEdges(raw.edges!, task, doubtful, mostPoints, bodyAt)) {
    const [a, b] = [task.candidates[2 * candidate], task.candidates[2 * candidate + 1]];
    const firstIn = pointsInside(cpu, bodyAt(b), first).includes(1);
    const secondIn = pointsInside(cpu, bodyAt(a), second).includes(1);
    found[candidate] = (firstIn ? Found.firstInSecond : 0) | (secondIn ? Found.secondInFirst : 0);
    doubtful.delete(candidate);
    if (found[candidate] !== 0) byEdgesAlone++;
    yield 1;
  }
  for (const candidate of doubtful) found[candidate] = 0;
  const any = found.some(flags => flags !== 0);
  return { found, any, raycast: { ...raw.raycast, recast, byRaysAlone, byEdgesAlone } };
}
