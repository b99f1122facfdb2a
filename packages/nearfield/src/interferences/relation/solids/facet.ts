// One triangle of a body, projected along an axis.

import { projectionAxis } from '../../../bodies/snapshot/world.ts';
import { orient2dAt, type Sign } from '../../../math/exact/orient.ts';
import {
  type Homogeneous,
  linePlane,
  type Plane,
  planeThrough,
  pointAt,
} from '../../../math/exact/rational.ts';
import { unitDirections } from '../../../math/triangles/triangle-contact.ts';

const pair = new Float64Array(12);

/** A triangle under examination: its corners in world doubles, and exactly when needed. */
export class Facet {
  /** The corners, nine numbers. */
  readonly p: Float64Array;
  /** The axis along which it is projected, or −1 if it is degenerate. */
  readonly axis: number;
  #corners: readonly Homogeneous[] | undefined;
  #plane: Plane | undefined;

  constructor(p: Float64Array) {
    this.p = p;
    this.axis = projectionAxis(p, 0);
  }
  get corners(): readonly Homogeneous[] {
    return (this.#corners ??= [pointAt(this.p, 0), pointAt(this.p, 3), pointAt(this.p, 6)]);
  }
  get plane(): Plane {
    return (this.#plane ??= planeThrough(this.corners[0], this.corners[1], this.corners[2]));
  }
  /** The direction of the axis. */
  get along(): Homogeneous {
    return unitDirections[this.axis];
  }
  /** Whether its normal points along the axis (1) or against it (−1). */
  get turn(): Sign {
    return orient2dAt(this.p, 0, 3, 6, (this.axis + 1) % 3, (this.axis + 2) % 3);
  }
  /** The exact point of the plane whose coordinates along the other two axes are those of `at`. */
  pointAbove(at: Homogeneous): Homogeneous {
    return linePlane(at, this.along, this.plane);
  }
  /**
   * Whether the point u, v (coordinates along the two axes after the facet's) lies strictly inside the projected facet.
   */
  holdsProjection(u: number, v: number): boolean {
    const [i, j] = [(this.axis + 1) % 3, (this.axis + 2) % 3];
    pair.set(this.p);
    pair[9 + i] = u;
    pair[9 + j] = v;
    const side = orient2dAt(pair, 0, 3, 9, i, j);
    return side !== 0 && side === orient2dAt(pair, 3, 6, 9, i, j) && side === orient2dAt(pair, 6, 0, 9, i, j);
  }
}
