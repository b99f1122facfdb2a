// Points of edges as the caller gets them: on the edge in the world, in an order that does not depend on threads.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { applyPose } from '../../../math/pose.ts';
import type { EdgeHits } from '../options.ts';
import type { RawEdges, RaycastTask } from '../sampling.ts';
import { edgeRecords } from './edge-records.ts';

/**
 * Groups points by candidate, for all candidates or those wanted. The indices of each are sorted by body, edge, and
 * along the edge.
 */
export function groupPoints(
  { owners, along, points }: RawEdges,
  wanted?: ReadonlySet<number>,
): Map<number, Uint32Array> {
  const lists = new Map<number, number[]>();
  for (let i = 0; i < owners.length / 2; i++) {
    if (wanted !== undefined && !wanted.has(owners[2 * i])) continue;
    const list = lists.get(owners[2 * i]);
    if (list === undefined) lists.set(owners[2 * i], [i]);
    else list.push(i);
  }
  const owner = (i: number) => owners[2 * i + 1];
  const place = (i: number, j: number): number => {
    if (along !== undefined) return along[i] - along[j];
    for (let k = 0; k < 3; k++) {
      const difference = points![3 * i + k] - points![3 * j + k];
      if (difference !== 0) return difference;
    }
    return 0;
  };
  const groups = new Map<number, Uint32Array>();
  for (const [candidate, list] of lists) {
    list.sort((i, j) => (owner(i) & 1) - (owner(j) & 1) || owner(i) - owner(j) || place(i, j));
    groups.set(candidate, Uint32Array.from(list));
  }
  return groups;
}

/** The world position at a share of an edge from its first end. */
function pointOnEdge(
  { shape, pose }: Placed,
  edge: number,
  share: number,
  out: Float64Array,
  at: number,
): void {
  const { mesh, positions } = shape;
  const side = edgeRecords(mesh)[2 * edge];
  const [from, to] = [mesh.indices[side], mesh.indices[side % 3 === 2 ? side - 2 : side + 1]];
  applyPose(pose, positions[3 * to], positions[3 * to + 1], positions[3 * to + 2], out, at);
  const end = [out[at], out[at + 1], out[at + 2]];
  applyPose(pose, positions[3 * from], positions[3 * from + 1], positions[3 * from + 2], out, at);
  for (let axis = 0; axis < 3; axis++) out[at + axis] += share * (end[axis] - out[at + axis]);
}

export function edgeHits(edges: RawEdges, numbers: Uint32Array, bodies: readonly [Placed, Placed]): EdgeHits {
  const count = numbers.length;
  const body = new Uint8Array(count);
  const edge = new Uint32Array(count);
  const points = new Float64Array(3 * count);
  numbers.forEach((number, i) => {
    const owner = edges.owners[2 * number + 1];
    body[i] = owner & 1;
    edge[i] = owner >>> 1;
    if (edges.points !== undefined) points.set(edges.points.subarray(3 * number, 3 * number + 3), 3 * i);
    else pointOnEdge(bodies[body[i]], edge[i], edges.along![number], points, 3 * i);
  });
  return { body, edge, points };
}

/**
 * For some candidates, points of their first bodies' edges and of their second's: at most `most` of each, spread over
 * all.
 */
export function* pointsOfEdges(
  edges: RawEdges,
  task: RaycastTask,
  wanted: ReadonlySet<number>,
  most: number,
  bodyAt: (place: number) => Placed,
): Generator<[number, [Float64Array, Float64Array]]> {
  if (wanted.size === 0) return;
  for (const [candidate, numbers] of groupPoints(edges, wanted)) {
    const bodies = [
      bodyAt(task.candidates[2 * candidate]),
      bodyAt(task.candidates[2 * candidate + 1]),
    ] as const;
    const { body, points } = edgeHits(edges, numbers, bodies);
    const seconds = body.indexOf(1) < 0 ? body.length : body.indexOf(1);
    yield [
      candidate,
      [spread(points.subarray(0, 3 * seconds), most), spread(points.subarray(3 * seconds), most)],
    ];
  }
}

/** A regular selection of at most `most` points. */
function spread(points: Float64Array, most: number): Float64Array {
  const count = points.length / 3;
  if (count <= most) return points;
  const out = new Float64Array(3 * most);
  for (let i = 0; i < most; i++) {
    const at = 3 * Math.floor((i * count) / most);
    out.set(points.subarray(at, at + 3), 3 * i);
  }
  return out;
}
