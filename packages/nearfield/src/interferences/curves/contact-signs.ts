// Which triangles of one surface lie at a triangle of another, and on which sides of one another's planes are
// their corners? The six signs of each pair are found once, in exact doubles, and kept in twelve bits.

import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { cornersBox, cornersMeetBox, placeCorners, projectionAxis } from '../../bodies/snapshot/world.ts';
import type { TriangleFinder } from '../../bvh/cpu/walk/finder.ts';
import type { PlaneSigns } from './plane-signs.ts';

/** Triangles of a body, each with those of a body (another, or itself) that it meets, and maybe others near it. */
export interface Contacts {
  /** Ascending. */
  readonly triangles: Uint32Array;
  /** World corners of the triangles, nine numbers each. */
  readonly corners: Float64Array;
  /** The axis along which each is looked at, −1 if it is degenerate (world.ts). */
  readonly axes: Int8Array;
  /** Where in `partners` those of the i-th triangle begin; one more number at the end. */
  readonly starts: Uint32Array;
  /** Ascending for each triangle. */
  readonly partners: Uint32Array;
  /** The signs of each triangle and partner. */
  readonly signs: Uint16Array;
}

// Signs are two bits each, the sign plus one: first those of the partner's three corners against the triangle's
// plane, then those of the triangle's corners against the partner's. As orient3d's, positive means below.
const zeros = 0b010101;

/** All zero: what a degenerate triangle gets. It has no area, separates nothing and counts for nothing. */
const noSigns = zeros | (zeros << 6);

/** Whether one of three signs is positive (a corner lies below), negative (above). */
export const anyBelow = (signs: number): boolean => (signs & 0b101010) !== 0;
export const anyAbove = (signs: number): boolean => (~(signs | (signs >> 1)) & zeros) !== 0;
/** Sign k of three, and whether it is zero. */
export const signAt = (signs: number, k: number): number => ((signs >> (2 * k)) & 3) - 1;
export const isZeroAt = (signs: number, k: number): boolean => ((signs >> (2 * k)) & 1) !== 0;

/** The signs of the partner's corners, and those of the triangle's own. */
export const partnerSigns = (signs: number): number => signs & 63;
export const ownSigns = (signs: number): number => signs >> 6;

/** The triangle at 0, its partner at 9. */
const pair = new Float64Array(18);

/** The signs of the corners of triangle m, at `other`, against the plane of triangle n, at `at`. */
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
): [Contacts, Contacts] {
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
  readonly contacts: Contacts;
  /** The number of the pair at each place of `partners`; for each pair its place, and the index of its triangle. */
  readonly numbers: Uint32Array;
  readonly placeOfPair: Uint32Array;
  readonly indexOfPair: Uint32Array;
}

/** The pairs by their triangle of one side. */
function grouped(body: Placed, pairs: Uint32Array, side: 0 | 1): Grouped {
  const count = pairs.length / 2;
  const numbers = new Uint32Array(count).map((_, i) => i);
  const before = (m: number, n: number): number =>
    pairs[2 * m + side] - pairs[2 * n + side] || pairs[2 * m + 1 - side] - pairs[2 * n + 1 - side];
  // Engines give them in the order of A.
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
): Contacts {
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
 * The contacts of some of a body's triangles (ascending, not degenerate) with others of the same body, the first or the second:
 * with all that meet them, and maybe more.
 */
export function contactsWithin(
  engine: TriangleFinder,
  body: Placed,
  triangles: ArrayLike<number>,
  planes: PlaneSigns,
  side: 0 | 1,
): Contacts {
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

/** Whether all three signs are positive, or all negative: the triangle does not touch the plane. */
const isStrict = (signs: number): boolean => signs === 0b101010 || signs === 0;
