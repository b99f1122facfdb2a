// Through which faces does a line enter a region of some kind? A region of space of one kind (kinds.ts) is open and
// bounded. Among the parallel lines through it, almost all miss every edge. Such a line enters the region through the
// interior of a triangle that is not parallel to it, and the region lies on the face through which the line leaves that
// triangle. The line comes from outside the region, so one of the bodies changes there. The triangle belongs to that
// body, which is on only one of its faces.
//
// So it is enough to test one face of each triangle, and no triangle that is parallel to the lines. For each kind, of
// the six directions along an axis, the one with the fewest triangles is chosen. covered.ts excludes further triangles.
// So does difference.ts: triangles at which their body does not change, since others cancel them.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { orient2dAt } from '../../../math/exact/orient.ts';
import { both, onlyA, onlyB, onlyOf, type Side } from './kinds.ts';
import { repeated, withinOther } from './parts/covered.ts';
import { changesOf, type Difference } from './parts/difference.ts';
import type { Parts } from './parts/parts.ts';
import { above, below, type Face } from './sheets.ts';

const p = new Float64Array(9);

export class Entrances {
  readonly #bodies: readonly [Placed, Placed];
  readonly #parts: readonly [Parts, Parts];
  readonly #difference: Difference;
  /** Per body, whether each triangle's normal points along each axis, against it, or neither. */
  readonly #turns: readonly [Int8Array, Int8Array];
  /** Per body, triangles that need no test, and triangles that need none for regions in that body alone. */
  readonly #repeated: readonly [Uint8Array, Uint8Array];
  readonly #within: readonly [Uint8Array, Uint8Array];
  /** The direction chosen for each kind that may exist: 2·axis, plus 1 if against it. */
  readonly #ways = new Map<number, number>();

  constructor(bodies: readonly [Placed, Placed], parts: readonly [Parts, Parts], difference: Difference) {
    this.#bodies = bodies;
    this.#difference = difference;
    this.#parts = parts;
    this.#turns = [turnsOf(bodies[0]), turnsOf(bodies[1])];
    const [a, b] = bodies;
    this.#within = [withinOther(a, parts[0], b, parts[1]), withinOther(b, parts[1], a, parts[0])];
    this.#repeated = [repeated(a, parts[0], this.#within[0]), repeated(b, parts[1], this.#within[1])];
    for (const kind of [both, onlyA, onlyB]) {
      // If all parts of a body lie within the other body, no region is in that body alone.
      const within = this.#within[kind === onlyB ? 1 : 0];
      if (kind === both || within.includes(0)) this.#ways.set(kind, this.#bestWay(kind));
    }
  }

  /** The face of a body's triangle through which a line may enter a region of a kind; undefined if there is none. */
  faceOf(side: Side, t: number, kind: number): Face | undefined {
    const way = this.#ways.get(kind);
    return way === undefined ? undefined : this.#faceAlong(way, side, t, kind);
  }

  /**
   * Whether, at the place of triangle t, the triangles of A stand for those of B as well. If both bodies change at the
   * same places, testing those of A is enough, provided they are tested for regions that either body bounds. That holds
   * only if no triangles but repeated ones were excluded because of the bodies' directions.
   */
  isForBoth(side: Side, t: number): boolean {
    const [a, b] = this.#parts;
    return this.#difference.shared[side][t] === 1 && a.bodyDirection === 0 && b.bodyDirection === 0;
  }

  #faceAlong(way: number, side: Side, t: number, kind: number): Face | undefined {
    const turn = this.#turns[side][3 * t + (way >> 1)];
    if (turn === 0 || this.#repeated[side][t] === 1) return undefined;
    if (!(this.#difference.changes[side][t] & changesOf[side])) return undefined;
    if (side === 1 && this.isForBoth(side, t)) return undefined;
    if (kind === onlyOf(side) && this.#within[side][t] === 1) return undefined;
    const face = turn > 0 === ((way & 1) === 0) ? above : below;
    // A body with no winding number of the wrong sign lies below every triangle of a convex part. So a region in the
    // body is below, and one outside it is above.
    const direction = this.#parts[side].bodyDirection;
    if (direction === 0) return face;
    const isWithin = kind === both || kind === onlyOf(side);
    return (face === below) === (isWithin === direction > 0) ? face : undefined;
  }

  #bestWay(kind: number): number {
    let [best, fewest] = [0, Infinity];
    for (let way = 0; way < 6; way++) {
      let count = 0;
      for (const side of [0, 1] as const) {
        for (let t = 0; t < this.#bodies[side].shape.mesh.triangleCount; t++) {
          if (this.#faceAlong(way, side, t, kind) !== undefined) count++;
        }
      }
      if (count >= fewest) continue;
      best = way;
      fewest = count;
    }
    return best;
  }
}

function turnsOf(body: Placed): Int8Array {
  const count = body.shape.mesh.triangleCount;
  const turns = new Int8Array(3 * count);
  for (let t = 0; t < count; t++) {
    placeCorners(body, t, p, 0);
    for (let axis = 0; axis < 3; axis++) {
      turns[3 * t + axis] = orient2dAt(p, 0, 3, 6, (axis + 1) % 3, (axis + 2) % 3);
    }
  }
  return turns;
}
