// A solid's surface in parts that are connected along edges (join.ts). Each part is closed by itself, so winding
// numbers are sums over parts. For most parts it is easy to see that their winding number never has the wrong sign.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { placeCorners, projectionAxis } from '../../../../bodies/snapshot/world.ts';
import { orient3dAt, type Sign } from '../../../../math/exact/orient.ts';
import { joinedTriangles } from './join.ts';

/** Parts with more triangles are not tested, since the test compares every corner with every plane. */
const largestPart = 200;

export class Parts {
  /** The part of each triangle. */
  readonly partOf: Uint32Array;
  readonly #body: Placed;
  readonly #directions = new Map<number, Sign>();
  #bodyDirection: Sign | undefined;

  constructor(body: Placed) {
    this.#body = body;
    this.partOf = joinedTriangles(body);
  }

  /** The common direction of all parts; 0 if they differ or if a part has none. */
  get bodyDirection(): Sign {
    return (this.#bodyDirection ??= this.#findBodyDirection());
  }

  #findBodyDirection(): Sign {
    let direction: Sign = 0;
    for (const part of new Set(this.partOf)) {
      const own = this.direction(part);
      if (own === 0 || own === -direction) return 0;
      direction = own;
    }
    return direction;
  }

  /**
   * 1 if the part's winding number is nowhere negative, −1 if nowhere positive, 0 if that is not known.
   *
   * It is known if some point c has no triangle's upper side towards it. Consider the ray from a point away from c. It crosses
   * only triangles that face away from c, and it leaves the part at each. So the winding number is how many it crosses. A
   * convex part that turns nothing inward has such a point, and so has a box whose sides are bent because its corners are rounded.
   * Just below a triangle the ray crosses that triangle, so that the part is there.
   */
  direction(part: number): Sign {
    let direction = this.#directions.get(part);
    if (direction === undefined) this.#directions.set(part, (direction = this.#findDirection(part)));
    return direction;
  }

  #findDirection(part: number): Sign {
    const triangles: number[] = [];
    for (let t = 0; t < this.partOf.length; t++) if (this.partOf[t] === part) triangles.push(t);
    if (triangles.length > largestPart) return 0;
    const p = new Float64Array(9 * triangles.length);
    triangles.forEach((t, i) => {
      placeCorners(this.#body, t, p, 9 * i);
    });
    const seen = directionFrom(p);
    if (seen !== 0) return seen;
    let direction: Sign = 0;
    for (let i = 0; i < p.length; i += 9) {
      if (projectionAxis(p, i) < 0) continue;
      for (let corner = 0; corner < p.length; corner += 3) {
        const side = orient3dAt(p, i, i + 3, i + 6, corner);
        if (side === 0) continue;
        if (direction === 0) direction = side;
        else if (side !== direction) return 0;
      }
    }
    return direction;
  }
}

const seen = new Float64Array(12);

/** 1 if the mean of all corners lies above no triangle, −1 if below none, 0 if neither or both. */
function directionFrom(p: Float64Array): Sign {
  seen.fill(0, 9);
  for (let i = 0; i < p.length; i++) seen[9 + (i % 3)] += (3 * p[i]) / p.length;
  let direction: Sign = 0;
  for (let i = 0; i < p.length; i += 9) {
    if (projectionAxis(p, i) < 0) continue;
    for (let k = 0; k < 9; k++) seen[k] = p[i + k];
    const side = orient3dAt(seen, 0, 3, 6, 9);
    if (side === 0 || side === direction) continue;
    if (direction !== 0) return 0;
    direction = side;
  }
  return direction;
}
