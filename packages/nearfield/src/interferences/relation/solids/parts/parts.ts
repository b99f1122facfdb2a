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
   * 1 if the part's winding number is nowhere negative, −1 if it is nowhere positive, 0 if that is not known. It is
   * known for convex parts. If no corner lies above the plane of any triangle, all triangles are on the boundary of the
   * corners' hull and face outward. A ray from a point inside the hull then only leaves through triangles, and a ray
   * from outside can miss them all.
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
