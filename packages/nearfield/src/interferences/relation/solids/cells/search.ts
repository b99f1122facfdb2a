// Does a region of space of some kind end at a face of a triangle? It does if both bodies' winding numbers beside that
// face are as the kind requires, and the triangle's own body is on one face only. The triangle is cut into cells only
// as far as necessary. If one of these three numbers rules the kind out at a point of a cell, the cell is cut by
// triangles at which that number changes. A cell is settled once the number can no longer become suitable anywhere in
// it. A fourth number is the bodies' difference (difference.ts), which is nonzero wherever a point is in one body
// alone.
//
// The cuts of a cell limit how far a winding number may change within it: by at most one at every triangle at which it
// changes. It is also limited part by part (parts.ts): if a part's winding number never has the wrong sign, it is never
// below 0. So a cell within one of many overlapping convex parts need not be cut by the others.

import type { Sign } from '../../../../math/exact/orient.ts';
import { both, onlyA, onlyB, type Side } from '../kinds.ts';
import { changesDifference, changesOf, type Difference } from '../parts/difference.ts';
import type { Parts } from '../parts/parts.ts';
import { above, below, type Face } from '../sheets.ts';
import { boxOfCell, type Cell, splitCell } from './cell.ts';
import type { CellSample } from './column.ts';
import type { Cut, CutFacet } from './cut-facet.ts';

interface Piece {
  readonly cell: Cell;
  /** All cuts that pass through the cell, and maybe more: from this place to that in the list of `Counts`. */
  readonly start: number;
  readonly end: number;
  /** The sample of the parent cell, if its point lies in this cell. */
  readonly sample: CellSample | undefined;
}

/** A cell that needed no further cut, with all cuts that pass through it, maybe more, and the sample in it. */
export interface KnownCell {
  readonly cell: Cell;
  readonly cuts: readonly Cut[];
  readonly sample: CellSample | undefined;
}

/**
 * Samples a point of every cell of the facet at whose face a region of this kind may end. It stops when `sample`, which
 * records what it finds, returns undefined: it has found one. `own` is the body that ends there; undefined if it may be
 * either. It begins with cells that make up the facet. Those into which it divided them are added to `done`, for a search
 * for another kind.
 */
export function searchFacet(
  facet: CutFacet,
  cells: readonly KnownCell[],
  parts: readonly [Parts, Parts],
  difference: Difference,
  kind: number,
  on: Face,
  own: Side | undefined,
  sample: (cell: Cell) => CellSample | undefined,
  done: KnownCell[] | undefined,
): void {
  const counts = new Counts(facet, parts);
  for (const { cell: whole, cuts, sample: seenBefore } of cells) {
    const stack: Piece[] = [{ cell: whole, ...counts.take(cuts), sample: seenBefore }];
    for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
      const { cell } = piece;
      const seen = piece.sample ?? sample(cell);
      if (seen === undefined) return;
      const reasons = reasonsIn(seen, difference, kind, on, own);
      counts.begin(cell, piece.start, piece.end);
      const cut = nextCut(counts, cell, reasons);
      if (cut === undefined) {
        done?.push({ cell, cuts: counts.cuts(), sample: seen });
        continue;
      }
      const { line } = facet.segment(cut);
      const side = facet.view.side(line, seen.at);
      const [left, right] = splitCell(facet.view, cell, line);
      const { start, end } = counts;
      stack.push({ cell: left, start, end, sample: side > 0 ? seen : undefined });
      stack.push({ cell: right, start, end, sample: side < 0 ? seen : undefined });
    }
  }
}

/**
 * Why no region of the kind ends at the sampled point: a number beside a face, and how far it may change in the cell.
 */
interface Reason {
  /** The body whose winding number it is; undefined for the difference. */
  readonly body: Side | undefined;
  /** A triangle matters only if it changes one of these (bits). */
  readonly changes: number;
  readonly number: number;
  /** The number's share per group of cuts. */
  readonly ofGroups: readonly number[];
  /** Bounds of the number as a sum over parts. */
  low: number;
  high: number;
  /** The number of cuts at which it changes. */
  count: number;
}

/** The numbers of cuts of a cell, per group of a facet. */
class Counts {
  readonly #facet: CutFacet;
  /**
   * The cuts of the cell that was taken, then those of each cell that is being split, then those of the cell at hand, from
   * `start` to `end`. A cell's cuts follow its parent's. They replace those of cells within the parent that are done.
   */
  readonly #cuts: Cut[] = [];
  start = 0;
  end = 0;
  /** The groups of these cuts, from the first on. */
  readonly active: Int32Array;
  activeCount = 0;
  readonly bodies: readonly Side[];
  readonly directions: readonly Sign[];
  /** All cuts; those at which the group's body changes; and those at which the difference changes. */
  readonly all: Int32Array;
  readonly ofBody: Int32Array;
  readonly ofDifference: Int32Array;
  /** 1 if all cuts that are counted do pass through the cell. */
  readonly isExact: Uint8Array;

  constructor(facet: CutFacet, parts: readonly [Parts, Parts]) {
    const { groups } = facet;
    this.#facet = facet;
    this.bodies = groups.map(({ body }) => body);
    this.directions = groups.map(({ body, part }) => parts[body].direction(part));
    this.active = new Int32Array(groups.length);
    this.all = new Int32Array(groups.length);
    this.ofBody = new Int32Array(groups.length);
    this.ofDifference = new Int32Array(groups.length);
    this.isExact = new Uint8Array(groups.length);
  }

  /** Takes the cuts of a cell to begin with, and returns where they are. */
  take(cuts: readonly Cut[]): { start: number; end: number } {
    for (let i = 0; i < cuts.length; i++) this.#cuts[i] = cuts[i];
    return { start: 0, end: cuts.length };
  }

  /** The cuts of the cell at hand. */
  cuts(): Cut[] {
    return this.#cuts.slice(this.start, this.end);
  }

  /** Counts those cuts of the parent, from one place to another, whose boxes meet the cell's box. */
  begin(cell: Cell, from: number, to: number): void {
    const box = boxOfCell(cell);
    const cuts = this.#cuts;
    this.all.fill(0);
    this.ofBody.fill(0);
    this.ofDifference.fill(0);
    this.isExact.fill(0);
    this.start = to;
    this.end = to;
    this.activeCount = 0;
    for (let i = from; i < to; i++) {
      if (!this.#facet.isNear(box, cuts[i])) continue;
      cuts[this.end++] = cuts[i];
      if (this.all[cuts[i].group] === 0) this.active[this.activeCount++] = cuts[i].group;
      this.#count(cuts[i], 1);
    }
  }

  #count({ group, body, changes }: Cut, step: 1 | -1): void {
    this.all[group] += step;
    if (changes & changesOf[body]) this.ofBody[group] += step;
    if (changes & changesDifference) this.ofDifference[group] += step;
  }

  /** Removes the cuts of a group that do not pass through the cell. */
  narrow(cell: Cell, group: number): void {
    const cuts = this.#cuts;
    let kept = this.start;
    for (let i = this.start; i < this.end; i++) {
      const cut = cuts[i];
      if (cut.group === group && !this.#facet.passes(cell, cut)) this.#count(cut, -1);
      else cuts[kept++] = cut;
    }
    this.end = kept;
    this.isExact[group] = 1;
  }

  /** A cut of a group that changes one of these numbers (bits). */
  cutOf(group: number, changes: number): Cut | undefined {
    for (let i = this.start; i < this.end; i++) {
      const cut = this.#cuts[i];
      if (cut.group === group && cut.changes & changes) return cut;
    }
    return undefined;
  }

  /** The number of cuts in a group at which a reason's number changes. */
  in(group: number, { body }: Reason): number {
    return body === undefined
      ? this.ofDifference[group]
      : body === this.bodies[group]
        ? this.ofBody[group]
        : 0;
  }

  /** Adds (1) or removes (−1) the effect that a group's cuts may have on a number. */
  widen(reason: Reason, group: number, times: 1 | -1): void {
    reason.count += times * this.in(group, reason);
    if (reason.body !== this.bodies[group]) return;
    // A part's own number may change where the body's does not, if another part cancels it there. So all cuts count.
    const count = this.all[group];
    const own = reason.ofGroups[group];
    const direction = this.directions[group];
    reason.low -= times * (direction > 0 ? Math.min(own, count) : count);
    reason.high += times * (direction < 0 ? Math.min(-own, count) : count);
  }
}

/**
 * The cut by which to split the cell, if such a region might end elsewhere in it than at the sampled point; undefined
 * if it cannot. Cuts are narrowed down to those that pass through the cell, as far as that is computed.
 */
function nextCut(counts: Counts, cell: Cell, reasons: readonly Reason[]): Cut | undefined {
  for (const reason of reasons) {
    for (let i = 0; i < counts.activeCount; i++) counts.widen(reason, counts.active[i], 1);
  }
  while (true) {
    const reason = easiest(counts, reasons);
    if (reason === undefined) return undefined;
    const group = nextGroup(counts, reason);
    if (counts.isExact[group] === 1) return counts.cutOf(group, reason.changes);
    for (const each of reasons) counts.widen(each, group, -1);
    counts.narrow(cell, group);
    for (const each of reasons) counts.widen(each, group, 1);
  }
}

function reasonsIn(
  sample: CellSample,
  difference: Difference,
  kind: number,
  on: Face,
  own: Side | undefined,
): Reason[] {
  const reasons: Reason[] = [];
  const add = (face: Face, body: Side | undefined, isWanted: boolean): void => {
    const windings = face === above ? sample.sides.above : sample.sides.below;
    const number = body === undefined ? difference.at(windings) : windings[body];
    if ((number !== 0) === isWanted) return;
    const changes = body === undefined ? changesDifference : changesOf[body];
    const ofGroups = face === above ? sample.above : sample.below;
    reasons.push({ body, changes, number, ofGroups, low: number, high: number, count: 0 });
  };
  add(on, 0, kind !== onlyB);
  add(on, 1, kind !== onlyA);
  if (own !== undefined) add(on === above ? below : above, own, kind === (own === 0 ? onlyB : onlyA));
  if (kind !== both) add(on, undefined, true);
  return reasons;
}

/** Whether no cut is left, or the number keeps its sign. Then what holds at the point holds in the whole cell. */
const isSettled = ({ body, number, low, high, count }: Reason): boolean =>
  count === 0 || (body !== undefined && (low > 0 || high < 0 || Math.abs(number) > count));

/** The reason that is likely to settle the cell soonest; undefined if one has settled it already. */
function easiest(counts: Counts, reasons: readonly Reason[]): Reason | undefined {
  let [chosen, least]: [Reason | undefined, number] = [undefined, Infinity];
  if (reasons.some(isSettled)) return undefined;
  for (const reason of reasons) {
    const cost = reason.number === 0 ? reason.count : counts.in(nextGroup(counts, reason), reason);
    if (cost >= least) continue;
    chosen = reason;
    least = cost;
  }
  return chosen;
}

/**
 * The group of cuts to go on with, for a reason that some of them may undo. A number other than 0 comes closer to 0 where a part is
 * entered that winds the other way, or one is left that winds as it does. Cells outside the former are settled soon, so these
 * come first. Parts that can only lead away from 0 come last: cuts by them settle nothing.
 */
function nextGroup(counts: Counts, reason: Reason): number {
  let best = -1;
  let fewest = Infinity;
  let bestRank = Infinity;
  for (let i = 0; i < counts.activeCount; i++) {
    const group = counts.active[i];
    const count = counts.in(group, reason);
    if (count === 0) continue;
    const rank = rankOf(counts.directions[group], reason, reason.ofGroups[group]);
    if (rank > bestRank || (rank === bestRank && count >= fewest)) continue;
    best = group;
    fewest = count;
    bestRank = rank;
  }
  return best;
}

/** 0 for parts to begin with, 2 for those that come last; all alike for the difference, and for a number that is 0. */
function rankOf(direction: Sign, { body, number }: Reason, ofGroup: number): number {
  if (number === 0) return 0;
  if (ofGroup * number > 0) return 1;
  return body !== undefined && direction * number > 0 ? 2 : 0;
}
