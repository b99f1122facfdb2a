// On which side of a threshold is the distance along a line? The length that two bodies have in common, or the gap
// between them, is compared with 0 (do they overlap?), with a length that counts as contact, and with the largest that
// is shown. The errors of depths are bounded, and so is that of the distance. If a threshold lies within that bound,
// crossings are sorted and lengths added up without rounding (whole-triangles.ts). So the verdict is true of the
// world's doubles, whichever backend measured the line first.

import type { BoundedCrossing, Crosser } from './crossings.ts';
import { type LineFound, measureLine, type Surfaces } from './measure-line.ts';
import {
  compareFractions,
  difference,
  type Fraction,
  fractionOf,
  sum,
  type WholeLine,
  wholeLine,
  zero,
} from './whole-triangles.ts';

export interface Thresholds {
  /** Distances up to this, in either direction, count as contact. */
  readonly contact: number;
  /** Distances above this are not shown; may be infinite. */
  readonly within: number;
}

/** The verdicts about a distance, as bits. */
export const LineFlag = { penetrating: 1, contact: 2, beyond: 4 } as const;

export interface SettledLine extends LineFound {
  /** Bits of `LineFlag`, exactly. */
  readonly flags: number;
  /** The largest error of the distance. */
  readonly bound: number;
}

/** The flags of an exact distance. */
export function flagsOf(distance: number, { contact, within }: Thresholds): number {
  return (
    (distance < 0 ? LineFlag.penetrating : 0) |
    (Math.abs(distance) <= contact ? LineFlag.contact : 0) |
    (distance > within ? LineFlag.beyond : 0)
  );
}

/** Tells whether a distance that may be off by `bound` may be on the other side of a threshold. */
export function isOpen(distance: number, bound: number, { contact, within }: Thresholds): boolean {
  const size = Math.abs(distance);
  return size <= bound || Math.abs(size - contact) <= bound || Math.abs(distance - within) <= bound;
}

/** Millions of lines share this one kind of object, so it is not made by spreading. */
export const settled = (
  { depth, triangleA, triangleB }: LineFound,
  distance: number,
  flags: number,
  bound: number,
): SettledLine => ({ distance, depth, triangleA, triangleB, flags, bound });

/** Arrays of lines, one entry per pixel. */
export interface LineStore {
  readonly distance: Float32Array;
  readonly depth: Float32Array;
  readonly triangleA: Uint32Array;
  readonly triangleB: Uint32Array;
  readonly bound: Float32Array;
  readonly flags: Uint8Array;
}

export function keepLine(lines: LineStore, pixel: number, line: SettledLine): void {
  // Rounded to single, but with the same sign.
  const { distance } = line;
  lines.distance[pixel] = distance < 0 ? Math.min(Math.fround(distance), -(2 ** -149)) : distance;
  lines.depth[pixel] = line.depth;
  lines.triangleA[pixel] = line.triangleA;
  lines.triangleB[pixel] = line.triangleB;
  lines.bound[pixel] = line.bound;
  lines.flags[pixel] = line.flags;
}

/** Settles lines of a view; `crossers` are those of the two bodies. */
export class LineSettler {
  readonly #crossers: readonly Crosser[];
  readonly #surfaces: Surfaces;
  readonly #thresholds: Thresholds;

  constructor(crossers: readonly Crosser[], surfaces: Surfaces, thresholds: Thresholds) {
    this.#crossers = crossers;
    this.#surfaces = surfaces;
    this.#thresholds = thresholds;
  }

  /** Settles a pixel's line from all its crossings, given in order as far as doubles tell. */
  settle(column: number, row: number, crossings: readonly BoundedCrossing[]): SettledLine {
    const line = measureLine(crossings, this.#surfaces);
    if (Number.isNaN(line.distance)) return settled(line, line.distance, 0, 0);
    const bound = boundOf(crossings, line.distance);
    return isOpen(line.distance, bound, this.#thresholds)
      ? this.#exactly(wholeLine(column, row), crossings)
      : settled(line, line.distance, flagsOf(line.distance, this.#thresholds), bound);
  }

  #exactly(line: WholeLine, crossings: readonly BoundedCrossing[]): SettledLine {
    const whole = ({ side, triangle }: BoundedCrossing) => this.#crossers[side].wholeOf(triangle);
    const compare = exactOrder(this.#crossers, line);
    const order = crossings
      .slice()
      .sort((p, q) => compare(p, q) || p.side - q.side || p.away - q.away || p.triangle - q.triangle);
    // Depths in that order, made equal if they are: each is still off by at most the greatest error.
    const depths = order.map(({ depth }) => depth);
    for (let i = 1; i < order.length; i++) {
      depths[i] = compare(order[i - 1], order[i]) === 0 ? depths[i - 1] : Math.max(depths[i], depths[i - 1]);
    }
    const found = measureLine(
      order.map(({ side, away, triangle }, i) => ({ depth: depths[i], side, away, triangle })),
      this.#surfaces,
    );
    const stretches = this.#surfaces === 'solids' ? commonStretches(order) : undefined;
    const isDeep = stretches
      ? stretches.some(([start, end]) => compare(start, end) < 0)
      : compare(order.find(({ side }) => side === 1)!, order.findLast(({ side }) => side === 0)!) < 0;
    const distance = isDeep ? Math.min(found.distance, -Number.MIN_VALUE) : Math.max(found.distance, 0);
    const greatest = Math.max(...crossings.map(({ error }) => error));
    const bound = boundOf(
      crossings.map(() => ({ error: greatest })),
      distance,
    );
    const { contact, within } = this.#thresholds;
    const size = Math.abs(distance);
    const isTold = Math.abs(size - contact) > bound && Math.abs(distance - within) > bound;
    if (isTold) return settled(found, distance, flagsOf(distance, this.#thresholds), bound);
    const depthOf = (crossing: BoundedCrossing) => whole(crossing).depth(line);
    const exact = isDeep ? lengthOf(stretches ?? [facing(order)], depthOf) : gapOf(order, stretches, depthOf);
    const isContact = compareFractions(exact, fractionOf(contact)) <= 0;
    const isBeyond = !isDeep && within < Infinity && compareFractions(exact, fractionOf(within)) > 0;
    const flags =
      (isDeep ? LineFlag.penetrating : 0) |
      (isContact ? LineFlag.contact : 0) |
      (isBeyond ? LineFlag.beyond : 0);
    return settled(found, distance, flags, bound);
  }
}

/**
 * The error of a distance. If all crossings move to their true depths, a gap changes by the movement of its two ends,
 * and the common length by at most the sum of all movements (proof.md §6). The sum of up to n lengths is rounded n
 * times. A little is added because the distance is stored as a single.
 */
function boundOf(crossings: readonly { readonly error: number }[], distance: number): number {
  let total = 2 ** -51 * crossings.length * Math.abs(distance);
  for (const { error } of crossings) total += error;
  return total * (1 + 2 ** -20);
}

/** Compares depths of crossings on one line: by doubles if their bounds decide, else exactly. */
export function exactOrder(
  crossers: readonly Crosser[],
  line: WholeLine,
): (p: BoundedCrossing, q: BoundedCrossing) => number {
  const whole = ({ side, triangle }: BoundedCrossing) => crossers[side].wholeOf(triangle);
  return (p, q) => {
    const apart = p.depth - q.depth;
    return Math.abs(apart) > 1.01 * (p.error + q.error) ? apart : whole(p).compare(whole(q), line);
  };
}

type Stretch = readonly [BoundedCrossing, BoundedCrossing];

/** The stretches on which both winding numbers are nonzero. */
function commonStretches(order: readonly BoundedCrossing[]): Stretch[] {
  const winding = [0, 0];
  const found: Stretch[] = [];
  let start: BoundedCrossing | undefined;
  for (const crossing of order) {
    winding[crossing.side] += crossing.away === 1 ? -1 : 1;
    const isCommon = winding[0] !== 0 && winding[1] !== 0;
    if (isCommon) start ??= crossing;
    else if (start !== undefined) {
      found.push([start, crossing]);
      start = undefined;
    }
  }
  return found;
}

/** b's first crossing and a's last: a stretch if they are in that order. */
const facing = (order: readonly BoundedCrossing[]): Stretch => [
  order.find(({ side }) => side === 1)!,
  order.findLast(({ side }) => side === 0)!,
];

type DepthOf = (crossing: BoundedCrossing) => Fraction;

const lengthOf = (stretches: readonly Stretch[], depthOf: DepthOf): Fraction =>
  stretches.reduce((total, [start, end]) => sum(total, difference(depthOf(end), depthOf(start))), zero);

/** For a line without a common part: the least gap between a stretch of one and a stretch of the other. */
function gapOf(
  order: readonly BoundedCrossing[],
  stretches: readonly Stretch[] | undefined,
  depthOf: DepthOf,
): Fraction {
  if (stretches === undefined) {
    const [b, a] = facing(order);
    return difference(depthOf(b), depthOf(a));
  }
  // A common stretch of length 0 means that the bodies touch.
  if (stretches.length > 0) return zero;
  const winding = [0, 0];
  const ends: (BoundedCrossing | undefined)[] = [undefined, undefined];
  let least: Fraction | undefined;
  for (const crossing of order) {
    const { side, away } = crossing;
    const end = ends[1 - side];
    if (winding[side] === 0 && end !== undefined) {
      const gap = difference(depthOf(crossing), depthOf(end));
      if (least === undefined || compareFractions(gap, least) < 0) least = gap;
    }
    winding[side] += away === 1 ? -1 : 1;
    if (winding[side] === 0) ends[side] = crossing;
  }
  return least ?? zero;
}
