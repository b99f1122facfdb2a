// Where is a body's winding number constant along one side of another surface? Let w be the winding number of a body B
// just below a triangle t: at p − δn for points p inside t, its normal n and δ → 0. It can only change where B's
// surface passes the points below t, that is, at a triangle u of B that meets the interior of t and reaches below its
// plane. A triangle of B that lies in the plane or above it, or that meets only the sides of t, changes nothing. So for
// most contacts, and for all contacts of solids that lie flush against each other, w is one number below each triangle,
// however the surfaces cut each other. Then t need not be cut into cells.
//
// Nor does w change from t to a neighbour t' around their common edge e, if near some point of e no triangle of B
// reaches into the open wedge between the two lower sides. A triangle u contains more than a point of e only if both
// ends of e lie in its plane. All others avoid some point of e and a neighbourhood of it. Near e, the wedge is
//   - if t' bends down from t: the points below both planes. So u stays out of it if it has no corner below one plane,
//     or none below the other;
//   - if t' bends up, or continues in the plane of t: the points below either plane. So u stays out if it has no corner
//     below either of them.
// If t' is folded back onto t, nothing is inferred. The same holds above. B may be the body of t itself.
//
// Everything is decided by the signs of contact-signs.ts, which are exact.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { placeCorners } from '../../../bodies/snapshot/world.ts';
import { orient2dAt, orient3dAt } from '../../../math/exact/orient.ts';
import { properCrossing } from '../../../math/triangles/triangle-triangle.ts';
import { DisjointSets } from '../../../mesh/facts.ts';
import {
  anyAbove,
  anyBelow,
  isZeroAt,
  ownSigns,
  type Partners,
  partnerSigns,
} from '../../curves/contact-signs.ts';

/** A side of a triangle. */
export type Face = 0 | 1;
export const below: Face = 0;
export const above: Face = 1;
export const faces: readonly Face[] = [below, above];

const reaches = (partner: number, face: Face): boolean =>
  face === below ? anyBelow(partner) : anyAbove(partner);

/** Scratch memory: the triangle at 0, another at 9. */
const pair = new Float64Array(18);

/**
 * Along which faces of a body's triangles is the winding number of a partner body constant, and which faces share it?
 */
export class Sheets {
  readonly #contacts: Partners;
  /** At 2i + f: whether the number is constant along face f of triangle i. */
  readonly #constant: Uint8Array;
  readonly #sets: DisjointSets;
  /** Known winding numbers, by the representative of the faces that share them. */
  readonly #known = new Map<number, number>();

  constructor(body: Placed, partner: Placed, contacts: Partners) {
    this.#contacts = contacts;
    const count = contacts.triangles.length;
    this.#constant = new Uint8Array(2 * count);
    this.#sets = new DisjointSets(2 * count);
    for (let i = 0; i < count; i++) if (contacts.axes[i] >= 0) this.#findConstant(i, partner);
    this.#joinNeighbours(body);
  }

  /**
   * The winding number along a face of the i-th triangle. `compute` is called if it is not known; undefined if it may
   * vary.
   */
  windingAlong(i: number, face: Face, compute: (i: number) => number): number | undefined {
    if (this.#constant[2 * i + face] === 0) return undefined;
    const first = this.#sets.find(2 * i + face);
    let winding = this.#known.get(first);
    if (winding === undefined) this.#known.set(first, (winding = compute(i)));
    return winding;
  }

  /** Stores the winding number at some point of the i-th triangle that is not on the partner's surface. */
  note(i: number, winding: number): void {
    for (const face of faces) {
      if (this.#constant[2 * i + face] === 1) this.#known.set(this.#sets.find(2 * i + face), winding);
    }
  }

  #findConstant(i: number, partner: Placed): void {
    const { corners, axes, starts, partners, signs } = this.#contacts;
    let [constantBelow, constantAbove] = [1, 1];
    for (let at = starts[i]; at < starts[i + 1]; at++) {
      const theirs = partnerSigns(signs[at]);
      const [down, up] = [anyBelow(theirs), anyAbove(theirs)];
      if (!(down && constantBelow) && !(up && constantAbove)) continue;
      // A triangle on one side of the partner's plane has at most a side or a corner in it.
      const own = ownSigns(signs[at]);
      if (!(anyBelow(own) && anyAbove(own))) continue;
      pair.set(corners.subarray(9 * i, 9 * i + 9));
      placeCorners(partner, partners[at], pair, 9);
      // If each reaches both sides of the other's plane, the planes' common line passes through the interiors of both.
      if (!(down && up ? properCrossing(pair) : touchesInside(axes[i], theirs))) continue;
      if (down) constantBelow = 0;
      if (up) constantAbove = 0;
    }
    this.#constant[2 * i + below] = constantBelow;
    this.#constant[2 * i + above] = constantAbove;
  }

  #joinNeighbours({ shape }: Placed): void {
    const { triangles, axes } = this.#contacts;
    const { indices, welds } = shape.mesh;
    const { vertexOf } = welds;
    const base = vertexOf.length;
    const vertex = (i: number, k: number): number => vertexOf[indices[3 * triangles[i] + (k % 3)]];
    // Sides by the positions at which they start and end. One of several sides with the same two is enough.
    const sides = new Map<number, number>();
    for (let i = 0; i < triangles.length; i++) {
      if (axes[i] < 0) continue;
      for (let k = 0; k < 3; k++) sides.set(vertex(i, k) * base + vertex(i, k + 1), 3 * i + k);
    }
    for (const [key, side] of sides) {
      const [i, k] = [Math.floor(side / 3), side % 3];
      const [from, to] = [Math.floor(key / base), key % base];
      if (from > to) continue;
      const opposite = sides.get(to * base + from);
      if (opposite !== undefined) this.#joinAcross(i, k, Math.floor(opposite / 3), opposite % 3);
    }
  }

  /** Joins the faces of triangles i and j, which share side k of i, if nothing is between them. */
  #joinAcross(i: number, k: number, j: number, l: number): void {
    const constant = this.#constant;
    const open = faces.filter(
      face =>
        constant[2 * i + face] === 1 &&
        constant[2 * j + face] === 1 &&
        this.#sets.find(2 * i + face) !== this.#sets.find(2 * j + face),
    );
    if (open.length === 0) return;
    const bend = this.#bend(i, k, j, l);
    if (bend === undefined) return;
    for (const face of open) {
      if (this.#isFree(i, k, j, face, bend === face)) this.#sets.join(2 * i + face, 2 * j + face);
    }
  }

  /** Whether triangle j bends down from i (below), up (above) or continues in its plane; undefined if folded back. */
  #bend(i: number, k: number, j: number, l: number): Face | 'flat' | undefined {
    const { corners, axes } = this.#contacts;
    pair.set(corners.subarray(9 * i, 9 * i + 9));
    const apex = 9 + 3 * ((l + 2) % 3);
    pair.set(corners.subarray(9 * j, 9 * j + 9), 9);
    const side = orient3dAt(pair, 0, 3, 6, apex);
    if (side !== 0) return side > 0 ? below : above;
    const [x, y] = [(axes[i] + 1) % 3, (axes[i] + 2) % 3];
    const [from, to, own] = [3 * k, 3 * ((k + 1) % 3), 3 * ((k + 2) % 3)];
    return orient2dAt(pair, from, to, own, x, y) === orient2dAt(pair, from, to, apex, x, y)
      ? undefined
      : 'flat';
  }

  /**
   * Whether no partner reaches between faces of neighbours. A partner that contains a part of their edge meets both.
   */
  #isFree(i: number, k: number, j: number, face: Face, bendsToFace: boolean): boolean {
    const { starts, partners, signs } = this.#contacts;
    for (let at = starts[i], other = starts[j]; at < starts[i + 1]; at++) {
      const own = ownSigns(signs[at]);
      if (!isZeroAt(own, k) || !isZeroAt(own, (k + 1) % 3)) continue;
      while (other < starts[j + 1] && partners[other] < partners[at]) other++;
      if (other === starts[j + 1]) return true;
      if (partners[other] !== partners[at]) continue;
      const reachesOwn = reaches(partnerSigns(signs[at]), face);
      const reachesOther = reaches(partnerSigns(signs[other]), face);
      if (bendsToFace ? reachesOwn && reachesOther : reachesOwn || reachesOther) return false;
    }
    return true;
  }
}

/**
 * Whether the triangle at 9 meets the interior of the triangle at 0. It lies on one side of that triangle's plane, with
 * the corners of sign zero in it. One such corner must lie strictly inside. The segment between two such corners misses
 * the interior iff it is outside one side of the triangle, or its own line has the triangle on one side. These are the
 * only lines that can separate a triangle and a segment.
 */
function touchesInside(axis: number, partner: number): boolean {
  const [x, y] = [(axis + 1) % 3, (axis + 2) % 3];
  let [first, second] = [-1, -1];
  for (let k = 0; k < 3; k++) {
    if (!isZeroAt(partner, k)) continue;
    if (first < 0) first = 9 + 3 * k;
    else second = 9 + 3 * k;
  }
  if (first < 0) return false;
  const turn = orient2dAt(pair, 0, 3, 6, x, y);
  for (let i = 0; i < 9; i += 3) {
    const j = i === 6 ? 0 : i + 3;
    const inside = orient2dAt(pair, i, j, first, x, y) === turn;
    if (!inside && (second < 0 || orient2dAt(pair, i, j, second, x, y) !== turn)) return false;
  }
  if (second < 0) return true;
  const s0 = orient2dAt(pair, first, second, 0, x, y);
  const s1 = orient2dAt(pair, first, second, 3, x, y);
  const s2 = orient2dAt(pair, first, second, 6, x, y);
  return (s0 > 0 || s1 > 0 || s2 > 0) && (s0 < 0 || s1 < 0 || s2 < 0);
}
