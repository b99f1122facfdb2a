// Which triangles of one surface meet a triangle of another, and on which sides of each other's planes are their
// corners? The six exact signs of each pair are computed once and stored in twelve bits.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { cornersBox, cornersMeetBox, placeCorners, projectionAxis } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import type { PlaneSigns } from './plane-signs.ts';

/**
 * Some triangles of a body. Each has a list of partners: the triangles of another body, or of the same, that it meets,
 * maybe more.
 */
export interface Partners {
  /** In ascending order. */
  readonly triangles: Uint32Array;
  /** World corners of the triangles, nine numbers each. */
  readonly corners: Float64Array;
  /** Per triangle, the axis along which it is projected, or −1 if it is degenerate (`projectionAxis` in world.ts). */
  readonly axes: Int8Array;
  /** The partners of the i-th triangle are partners[starts[i]] … partners[starts[i + 1] − 1]. */
  readonly starts: Uint32Array;
  /** In ascending order for each triangle. */
  readonly partners: Uint32Array;
  /** Per partner, the signs of the pair. */
  readonly signs: Uint16Array;
}

// Each sign takes two bits, which store the sign plus one. First come the partner's three corners against the
// triangle's plane, then the triangle's corners against the partner's plane. As with orient3d, positive means below.
const zeros = 0b010101;

/** All signs zero, for a degenerate triangle. It has no area, separates nothing and is ignored. */
const noSigns = zeros | (zeros << 6);

/** Whether any of three signs is positive (a corner lies below), and whether any is negative (above). */
export const anyBelow = (signs: number): boolean => (signs & 0b101010) !== 0;
export const anyAbove = (signs: number): boolean => (~(signs | (signs >> 1)) & zeros) !== 0;
/** The k-th of three signs, and whether it is zero. */
export const signAt = (signs: number, k: number): number => ((signs >> (2 * k)) & 3) - 1;
export const isZeroAt = (signs: number, k: number): boolean => ((signs >> (2 * k)) & 1) !== 0;

/** The signs of the partner's corners, and those of the triangle's own. */
export const partnerSigns = (signs: number): number => signs & 63;
export const ownSigns = (signs: number): number => signs >> 6;

/** Scratch memory: the triangle's corners at 0, its partner's at 9. */
const pair = new Float64Array(18);

/** The signs of triangle m's corners, at `other`, against the plane of triangle n, at `at`. */
const signsAgainst = (planes: PlaneSigns, n: number, at: number, m: number, other: number): number =>
  (planes.sign(pair, n, at, m, 0, other) + 1) |
  ((planes.sign(pair, n, at, m, 1, other + 3) + 1) << 2) |
  ((planes.sign(pair, n, at, m, 2, other + 6) + 1) << 4);

/** The contacts of A with B and of B with A, given every pair (triangle of A, triangle of B) that meets. */
export function contactsBetween(
  a: Placed,
  b: Placed,
  pairs: Uint32Array,
  planes: PlaneSigns,
): [Partners, Partners] {
  const [ofA, ofB] = [grouped(a, pairs, 0), grouped(b, pairs, 1)];
  for (let i = 0; i < ofA.contacts.triangles.length; i++) {
    pair.set(ofA.contacts.corners.subarray(9 * i, 9 * i + 9));
    for (let at = ofA.contacts.starts[i]; at < ofA.contacts.starts[i + 1]; at++) {
      const number = ofA.numbers[at];
      const j = ofB.indexOfPair[number];
      let signs = noSigns;
      if (ofA.contacts.axes[i] >= 0 && ofB.contacts.axes[j] >= 0) {
        pair.set(ofB.contacts.corners.subarray(9 * j, 9 * j + 9), 9);
        const n = planes.numberOf(0, ofA.contacts.triangles[i]);
        const m = planes.numberOf(1, ofB.contacts.triangles[j]);
        signs = signsAgainst(planes, n, 0, m, 9) | (signsAgainst(planes, m, 9, n, 0) << 6);
      }
      ofA.contacts.signs[at] = signs;
      ofB.contacts.signs[ofB.placeOfPair[number]] = (signs >> 6) | ((signs & 63) << 6);
    }
  }
  return [ofA.contacts, ofB.contacts];
}

interface Grouped {
  readonly contacts: Partners;
  /** Per partner, the number of its pair. Per pair, its place in `partners`, and the index of its triangle. */
  readonly numbers: Uint32Array;
  readonly placeOfPair: Uint32Array;
  readonly indexOfPair: Uint32Array;
}

/** Groups the pairs by their triangle of one side. */
function grouped(body: Placed, pairs: Uint32Array, side: 0 | 1): Grouped {
  const count = pairs.length / 2;
  const numbers = new Uint32Array(count).map((_, i) => i);
  const before = (m: number, n: number): number =>
    pairs[2 * m + side] - pairs[2 * n + side] || pairs[2 * m + 1 - side] - pairs[2 * n + 1 - side];
  // Engines return pairs sorted by the triangle of A, so that sorting is often unnecessary.
  if (numbers.some((n, i) => i > 0 && before(i - 1, n) > 0)) numbers.sort(before);
  const partners = numbers.map(n => pairs[2 * n + 1 - side]);
  const triangles: number[] = [];
  const starts: number[] = [];
  const [placeOfPair, indexOfPair] = [new Uint32Array(count), new Uint32Array(count)];
  for (let at = 0; at < count; at++) {
    const t = pairs[2 * numbers[at] + side];
    if (at === 0 || t !== triangles[triangles.length - 1]) {
      triangles.push(t);
      starts.push(at);
    }
    placeOfPair[numbers[at]] = at;
    indexOfPair[numbers[at]] = triangles.length - 1;
  }
  starts.push(count);
  const contacts = contactsOf(body, triangles, starts, partners, new Uint16Array(count));
  return { contacts, numbers, placeOfPair, indexOfPair };
}

function contactsOf(
  body: Placed,
  triangles: ArrayLike<number>,
  starts: ArrayLike<number>,
  partners: Uint32Array,
  signs: Uint16Array,
): Partners {
  const corners = new Float64Array(9 * triangles.length);
  const axes = new Int8Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) {
    placeCorners(body, triangles[i], corners, 9 * i);
    axes[i] = projectionAxis(corners, 9 * i);
  }
  return {
    triangles: Uint32Array.from(triangles),
    corners,
    axes,
    starts: Uint32Array.from(starts),
    partners,
    signs,
  };
}

/**
 * The contacts of some of a body's triangles (in ascending order, not degenerate) with other triangles of the same
 * body, which is the first or the second. The partners are all triangles that meet them, and maybe more.
 */
export function contactsWithin(
  engine: TriangleFinder,
  body: Placed,
  triangles: ArrayLike<number>,
  planes: PlaneSigns,
  side: 0 | 1,
): Partners {
  const starts: number[] = [];
  const partners: number[] = [];
  const allSigns: number[] = [];
  for (let i = 0; i < triangles.length; i++) {
    const t = triangles[i];
    starts.push(partners.length);
    const n = planes.numberOf(side, t);
    placeCorners(body, t, pair, 0);
    const box = cornersBox(pair, 0);
    for (const u of engine.trianglesInBox(body, box)) {
      if (u === t) continue;
      placeCorners(body, u, pair, 9);
      if (!cornersMeetBox(pair, 9, box) || projectionAxis(pair, 9) < 0) continue;
      const m = planes.numberOf(side, u);
      const signs = signsAgainst(planes, n, 0, m, 9) | (signsAgainst(planes, m, 9, n, 0) << 6);
      if (isStrict(partnerSigns(signs)) || isStrict(ownSigns(signs))) continue;
      partners.push(u);
      allSigns.push(signs);
    }
  }
  starts.push(partners.length);
  return contactsOf(body, triangles, starts, Uint32Array.from(partners), Uint16Array.from(allSigns));
}

/** Whether all three signs are positive or all are negative, so that the triangle does not touch the plane. */
const isStrict = (signs: number): boolean => signs === 0b101010 || signs === 0;
