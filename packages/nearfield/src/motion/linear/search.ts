// The first contact of two bodies, or of one body with itself, whose vertices move linearly: over all pairs of triangles that
// the trees leave.

import { never } from './exact/contact.ts';
import type { MovingBody } from './moving-bodies.ts';
import { touchPoint } from './touch-point.ts';
import type { MovingTrianglePairs } from './triangle-pair.ts';
import type { MotionWalks } from './walk/walk.ts';

/** Two triangles that meet, and when: a cell of time (`Root.cell`). */
export interface Meeting {
  readonly cell: number;
  readonly triangleA: number;
  readonly triangleB: number;
  /** Where, unless they meet at time 0. */
  readonly point: Float64Array | undefined;
}

/** A at time 0, B at time 0, A at time 1, B at time 1. */
const corners = new Float64Array(36);

/** The first two triangles that meet in a cell up to `limit`; among equals those with the lowest indices. */
export function* firstMeeting(
  walks: MotionWalks,
  a: MovingBody,
  b: MovingBody,
  pairs: MovingTrianglePairs,
  limit: number,
): Generator<number, Meeting | undefined> {
  let best: Meeting | undefined;
  yield* walks.mayMeet(a, b, (i, j, meetsAtStart) => {
    let most = limit;
    if (best !== undefined) {
      const isBefore = i < best.triangleA || (i === best.triangleA && j < best.triangleB);
      most = isBefore ? best.cell : best.cell - 1;
    }
    if (most < 0) return;
    const found = meeting(a, b, i, j, meetsAtStart, pairs, most);
    if (found !== undefined) best = found;
  });
  return best;
}

/** All pairs of triangles that meet in a cell up to `limit`, in order of time, then of their indices. */
export function* allMeetings(
  walks: MotionWalks,
  a: MovingBody,
  b: MovingBody,
  pairs: MovingTrianglePairs,
  limit: number,
): Generator<number, Meeting[]> {
  const list: Meeting[] = [];
  yield* walks.mayMeet(a, b, (i, j, meetsAtStart) => {
    const found = meeting(a, b, i, j, meetsAtStart, pairs, limit);
    if (found !== undefined) list.push(found);
  });
  return sorted(list, b.then.mesh.triangleCount);
}

/** In order of time, then of indices. There may be very many at time 0: numbers are sorted, not objects. */
function sorted(list: readonly Meeting[], countB: number): Meeting[] {
  const keyOf = ({ triangleA, triangleB }: Meeting): number => triangleA * countB + triangleB;
  const initial = list.filter(({ cell }) => cell === 0);
  const later = list.filter(({ cell }) => cell > 0);
  const keys = Float64Array.from(initial, keyOf).sort();
  const atStart = Array.from(keys, (key): Meeting => {
    const triangleB = key % countB;
    return { cell: 0, triangleA: (key - triangleB) / countB, triangleB, point: undefined };
  });
  return [...atStart, ...later.sort((p, q) => p.cell - q.cell || keyOf(p) - keyOf(q))];
}

function meeting(
  a: MovingBody,
  b: MovingBody,
  i: number,
  j: number,
  meetsAtStart: boolean,
  pairs: MovingTrianglePairs,
  limit: number,
): Meeting | undefined {
  // Two triangles of one body with a common position are no pair, not even if they got it when the body was deformed.
  gatherCorners(a, b, i, j, corners);
  if (a === b && sharePosition(corners)) return undefined;
  if (meetsAtStart) return { cell: 0, triangleA: i, triangleB: j, point: undefined };
  const cell = pairs.firstCell(corners, limit);
  if (cell === never) return undefined;
  const point = cell === 0 ? undefined : touchPoint(pairs.touch, pairs.timeOf(cell));
  return { cell, triangleA: i, triangleB: j, point };
}

/** Whether a corner of A and one of B are at one position at time 0. */
function sharePosition(p: Float64Array): boolean {
  for (let i = 0; i < 9; i += 3)
    for (let j = 9; j < 18; j += 3)
      if (p[i] === p[j] && p[i + 1] === p[j + 1] && p[i + 2] === p[j + 2]) return true;
  return false;
}

/** Writes two triangles as `MovingTrianglePairs.firstCell` takes them. */
export function gatherCorners(a: MovingBody, b: MovingBody, i: number, j: number, out: Float64Array): void {
  gather(a, i, out, 0);
  gather(b, j, out, 9);
}

function gather(body: MovingBody, triangle: number, out: Float64Array, at: number): void {
  const { start, end } = body;
  const { indices } = body.then.mesh;
  for (let corner = 0; corner < 3; corner++) {
    const from = 3 * indices[3 * triangle + corner];
    const to = at + 3 * corner;
    for (let k = 0; k < 3; k++) {
      out[to + k] = start[from + k];
      out[18 + to + k] = end[from + k];
    }
  }
}
