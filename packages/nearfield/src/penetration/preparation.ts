// What a search needs to know about a shape before it begins, and the answer that is possible without it. Whether it is
// a solid, its tree and its connected parts are computed once, in steps. If the time is up before the last step, only
// boxes say how to separate two bodies, and no better bound is known. The next question resumes at the next step.

import type { Placed } from '../bodies/snapshot/snapshot.ts';
import type { SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { worldBox } from '../bodies/snapshot/world.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { moved, roundedUpLength } from './overlapping-pair.ts';
import type { Penetration } from './penetration.ts';
import type { SolidKernels } from './solids.ts';

/** Shapes with no more triangles than this are prepared whatever the time limit: that takes some milliseconds. */
const fewTriangles = 8192;

/** Finds out whether a mesh is a solid, in steps. Returns false if the time was up before that. */
export const findSolid = (mesh: Mesh, until: () => boolean): Generator<undefined, boolean> =>
  before(until, mesh, mesh.solidInSteps());

/** Prepares shapes, in steps. Returns false if the time was up before that. */
export function* prepare(
  kernels: SolidKernels,
  bodies: readonly Placed[],
  until: () => boolean,
): Generator<undefined, boolean> {
  for (const { shape } of bodies) {
    const { mesh } = shape;
    if (!(yield* before(until, mesh, kernels.makeReady(shape)))) return false;
    if (!(yield* before(until, mesh, mesh.partsInSteps()))) return false;
  }
  return true;
}

/** Runs the steps of some work that is done once per mesh, until the time is up. Returns whether it finished. */
function* before(
  until: () => boolean,
  { triangleCount }: Mesh,
  work: Generator<undefined, void>,
): Generator<undefined, boolean> {
  const isSmall = triangleCount <= fewTriangles;
  for (;;) {
    // Facts that are already known take no step.
    if (work.next().done) return true;
    if (!isSmall && until()) return false;
    yield;
  }
}

/** Tells whether the boxes of two bodies have no common interior: then the bodies have none. */
export function boxesApart(a: SnapshotBody, b: SnapshotBody): boolean {
  const [p, q] = [worldBox(a), worldBox(b)];
  return [0, 1, 2].some(axis => p[axis + 3] <= q[axis] || q[axis + 3] <= p[axis]);
}

/**
 * The shortest translation along an axis that separates b's box from a's. Verified like every separation: the boxes are
 * those of the world positions that the moved pose gives, and they are strictly apart, for b moved by t and for a moved
 * by −t. Undefined if that is not in the range of doubles.
 */
export function separateByBoxes(a: SnapshotBody, b: SnapshotBody): Penetration | undefined {
  const [p, q] = [worldBox(a), worldBox(b)];
  const ways = [0, 1, 2].flatMap(axis => [
    { axis, by: p[axis + 3] - q[axis] },
    { axis, by: p[axis] - q[axis + 3] },
  ]);
  ways.sort((one, other) => Math.abs(one.by) - Math.abs(other.by));
  for (const { axis, by } of ways) {
    // Rounding of moved positions may take back a few units in the last place of the largest coordinate.
    const size = Math.max(...[p, q].flatMap(box => [Math.abs(box[axis]), Math.abs(box[axis + 3])]));
    for (let more = 2 ** -52 * size + Number.MIN_VALUE; more <= 2 ** -44 * size; more *= 8) {
      const translation = new Float64Array(3);
      translation[axis] = by + Math.sign(by) * more;
      if (!strictlyApart(a, moved(b, translation))) continue;
      if (
        !strictlyApart(
          moved(
            a,
            translation.map(x => -x),
          ),
          b,
        )
      )
        continue;
      const upper = roundedUpLength(translation);
      const direction = translation.map(Math.sign);
      return { depth: { lower: 0, upper }, ratio: Infinity, translation, direction, backend: 'cpu' };
    }
  }
  return undefined;
}

function strictlyApart(a: SnapshotBody, b: SnapshotBody): boolean {
  const [p, q] = [worldBox(a), worldBox(b)];
  return [0, 1, 2].some(axis => p[axis + 3] < q[axis] || q[axis + 3] < p[axis]);
}
