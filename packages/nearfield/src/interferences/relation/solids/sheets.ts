// Where does a body's winding number stay the same along the side of another surface? Consider w, the winding number
// of a body B, right below a triangle t, that is at p − δn for points p inside t, n its normal and δ → 0. It can
// only change where B's surface passes the points below t: at a triangle u of B that meets the inside of t
// and reaches below its plane. A triangle of B that lies in the plane, or above it, or meets only the sides of t,
// changes nothing. So for most contacts, and for all where solids lie flush against one another, w is one number
// below each triangle, however the surfaces cut one another: t need not be cut into cells.
//
// Nor does it change from t to a neighbour t' around their common edge e, if near some point of e no triangle of B
// reaches into the open wedge between the two below sides. A triangle u has more than a point of e only if both ends
// of e lie in its plane; all others avoid some point of e, and a neighbourhood of it. The wedge, near e, is
//   - where t' bends down from t: the points below both planes, so u stays out of it if it has no corner below
//     the one plane or none below the other;
//   - where t' bends up, or goes on in the plane of t: the points below either plane, so u stays out if it has no
//     corner below either of them.
// Where t' is folded back onto t, nothing is said. All of this is the same above. B may be the body of t itself.
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
  type Contacts,
  isZeroAt,
  ownSigns,
  partnerSigns,
} from '../../curves/contact-signs.ts';

/** A side of a triangle. */
export type Face = 0 | 1;
export const below: Face = 0;
export const above: Face = 1;
export const faces: readonly Face[] = [below, above];

const reaches = (partner: number, face: Face): boolean =>
  face === below ? anyBelow(partner) : anyAbove(partner);

/** The triangle at 0, another at 9. */
const pair = new Float64Array(18);

/** Along which faces of a body's triangles the winding number of a partner body is one number, and the same one. */
export class Sheets {
  readonly #contacts: Contacts;
  /** For face f of triangle i, at 2i + f: whether the number is constant. */
  readonly #constant: Uint8Array;
  readonly #sets: DisjointSets;
  /** The winding numbers that are known, by the first of the faces that have it in common. */
  readonly #known = new Map<number, number>();

  constructor(body: Placed, partner: Placed, contacts: Contacts) {
    this.#contacts = contacts;
    const count = contacts.triangles.length;
    this.#constant = new Uint8Array(2 * count);
    this.#sets = new DisjointSets(2 * count);
    for (let i = 0; i < count; i++) if (contacts.axes[i] >= 0) this.#findConstant(i, partner);
    this.#joinNeighbours(body);
  }

  /** Along a face of the i-th triangle: the winding number, looked for if it is not known; undefined if it may vary. */
  windingAlong(i: number, face: Face, look: (i: number) => number): number | undefined {
    if (this.#constant[2 * i + face] === 0) return undefined;
    const first = this.#sets.find(2 * i + face);
    let winding = this.#known.get(first);
    if (winding === undefined) this.#known.set(first, (winding = look(i)));
    return winding;
  }

  /** Notes the winding number at some point of the i-th triangle that is not on the partner's surface. */
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
      // A triangle on one side of the partner's plane has no more in it than a side or a corner.
      const own = ownSigns(signs[at]);
      if (!(anyBelow(own) && anyAbove(own))) continue;
      pair.set(corners.subarray(9 * i, 9 * i + 9));
      placeCorners(partner, partners[at], pair, 9);
      // If each reaches both sides of the other's plane, the line of the two planes has a stretch of the insides of both.
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
    // Sides by the positions they lead from and to. One of several sides with the same two is enough.
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

  /** Joins the faces of triangles i and j, which have side k of i in common, where nothing is between them. */
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

  /** Whether triangle j bends down from i (below), up (above) or goes on in its plane; undefined if folded back. */
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

  /** Whether no partner reaches between faces of neighbours. One that holds a part of their edge meets both. */
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
 * Whether the triangle at 9, which lies on one side of the plane of the one at 0 and has the corners of sign zero in
 * it, meets its inside. One corner: it lies strictly within. Two: the segment between them does not, if and only
 * if a side of the triangle has it outside, or its own line has the triangle on one side: the only lines that
 * may separate a triangle and a segment.
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
