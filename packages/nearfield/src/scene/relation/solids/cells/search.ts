// Does a region of space of some kind end at a face of a triangle? It does where both bodies' winding numbers beside that face
// are as the kind wants them, and the triangle's own body is on one face only. The triangle is cut into cells only as far as the
// question takes. Where one of these three numbers at a point of a cell says no, the cell is cut by triangles at which that number
// changes; and it is settled once the number can no longer become what is wanted anywhere in it. A fourth number is the bodies'
// difference (difference.ts), which is not 0 where a point is in one body alone.
//
// How far a winding number may change within a cell is known from its cuts: by at most one at every triangle at which it changes;
// and part by part (parts.ts), where the number of a part that winds around nothing in the wrong direction is never
// below 0. So a cell within one of many overlapping convex parts need not be cut by the others.

import { both, onlyA, onlyB, type Side } from '../kinds.ts';
import { changesDifference, changesOf, type Difference } from '../parts/difference.ts';
import type { Parts } from '../parts/parts.ts';
import { above, below, type Face } from '../sheets.ts';
import type { CellSample } from './column.ts';
import { boxOfCell, type Cell, splitCell } from './cell.ts';
import type { Cut, CutFacet } from './cut-facet.ts';

/** Cuts of one part of a body's surface. */
interface Group {
  readonly body: Side;
  readonly part: number;
  /** All that pass through a cell, and maybe others. */
  readonly cuts: readonly Cut[];
  /** Whether there are no others. */
  readonly isExact: boolean;
}

interface Piece {
  readonly cell: Cell;
  readonly groups: readonly Group[];
  /** The sample of the cell that it was cut from, if its point lies in this one. */
  readonly sample: CellSample | undefined;
}

/**
 * Looks at a point of every cell of the facet where a region of this kind may end at one of its faces, until `sample`, which records
 * what it sees, finds one (undefined).
 */
export function searchFacet(
  facet: CutFacet,
  parts: readonly [Parts, Parts],
  difference: Difference,
  kind: number,
  on: Face,
  sample: (cell: Cell) => CellSample | undefined,
): void {
  const stack: Piece[] = [{ cell: facet.whole(), groups: groupsOf(facet.cuts, parts), sample: undefined }];
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    const { cell } = piece;
    const seen = piece.sample ?? sample(cell);
    if (seen === undefined) return;
    const groups = nearGroups(facet, cell, piece.groups);
    const reasons = reasonsIn(seen, difference, kind, on, facet.side);
    const cut = nextCut(facet, cell, seen, parts, reasons, groups);
    if (cut === undefined) continue;
    const { line } = facet.segment(cut);
    const side = facet.view.side(line, seen.at);
    const [left, right] = splitCell(facet.view, cell, line);
    stack.push({ cell: left, groups, sample: side > 0 ? seen : undefined });
    stack.push({ cell: right, groups, sample: side < 0 ? seen : undefined });
  }
}

function groupsOf(cuts: readonly Cut[], parts: readonly [Parts, Parts]): Group[] {
  const groups = new Map<number, { body: Side; part: number; cuts: Cut[]; isExact: boolean }>();
  for (const cut of cuts) {
    const part = parts[cut.body].partOf[cut.triangle];
    const group = groups.get(2 * part + cut.body);
    if (group) group.cuts.push(cut);
    else groups.set(2 * part + cut.body, { body: cut.body, part, cuts: [cut], isExact: false });
  }
  return [...groups.values()];
}

/** Those whose triangles have boxes that meet the cell's. */
function nearGroups(facet: CutFacet, cell: Cell, groups: readonly Group[]): Group[] {
  const box = boxOfCell(cell);
  const near: Group[] = [];
  for (const { body, part, cuts } of groups) {
    const kept = cuts.filter(cut => facet.isNear(box, cut));
    if (kept.length > 0) near.push({ body, part, cuts: kept, isExact: false });
  }
  return near;
}

/** Why no region of the kind ends where it was looked: a number beside a face, and how far it may change in the cell. */
interface Reason {
  readonly face: Face;
  /** The body whose winding number it is; undefined for the difference. */
  readonly body: Side | undefined;
  /** What a triangle must change to matter. */
  readonly changes: number;
  readonly number: number;
  /** Bounds of the number as a sum over parts. */
  low: number;
  high: number;
  /** How many cuts there are at which it changes. */
  count: number;
}

/**
 * The cut to go on with, where such a region might end elsewhere in the cell than where it was looked; undefined if none does.
 * Groups are narrowed down to what passes through the cell as far as that is found out.
 */
function nextCut(
  facet: CutFacet,
  cell: Cell,
  sample: CellSample,
  parts: readonly [Parts, Parts],
  reasons: readonly Reason[],
  groups: Group[],
): Cut | undefined {
  for (const reason of reasons) {
    for (const group of groups) widen(reason, group, sample, parts, 1);
  }
  while (true) {
    const reason = easiest(reasons, sample, groups);
    if (reason === undefined) return undefined;
    const at = nextGroup(reason, sample, groups);
    const group = groups[at];
    if (group.isExact) return group.cuts.find(cut => cut.changes & reason.changes);
    const exact: Group = {
      ...group,
      cuts: group.cuts.filter(cut => facet.passes(cell, cut)),
      isExact: true,
    };
    for (const each of reasons) {
      widen(each, group, sample, parts, -1);
      widen(each, exact, sample, parts, 1);
    }
    if (exact.cuts.length > 0) groups[at] = exact;
    else groups.splice(at, 1);
  }
}

function reasonsIn(
  { sides }: CellSample,
  difference: Difference,
  kind: number,
  on: Face,
  own: Side,
): Reason[] {
  const reasons: Reason[] = [];
  const add = (face: Face, body: Side | undefined, isWanted: boolean): void => {
    const windings = face === above ? sides.above : sides.below;
    const number = body === undefined ? difference.at(windings) : windings[body];
    if ((number !== 0) === isWanted) return;
    const changes = body === undefined ? changesDifference : changesOf[body];
    reasons.push({ face, body, changes, number, low: number, high: number, count: 0 });
  };
  add(on, 0, kind !== onlyB);
  add(on, 1, kind !== onlyA);
  add(on === above ? below : above, own, kind === (own === 0 ? onlyB : onlyA));
  if (kind !== both) add(on, undefined, true);
  return reasons;
}

const windingOf = ({ parts }: CellSample, { body, part }: Group, face: Face): number =>
  parts[body].get(part)?.[face === above ? 0 : 1] ?? 0;

const countIn = ({ cuts }: Group, changes: number): number => {
  let count = 0;
  for (const cut of cuts) if (cut.changes & changes) count++;
  return count;
};

/** Takes into account (times 1), or no longer (−1), what a group of cuts may do to a number. */
function widen(
  reason: Reason,
  group: Group,
  sample: CellSample,
  parts: readonly [Parts, Parts],
  times: 1 | -1,
): void {
  if (reason.body !== undefined && group.body !== reason.body) return;
  reason.count += times * countIn(group, reason.changes);
  if (reason.body === undefined) return;
  // A part's own number may also change where the body's does not, since another part cancels it there: all cuts count.
  const count = group.cuts.length;
  const own = windingOf(sample, group, reason.face);
  const direction = parts[group.body].direction(group.part);
  reason.low -= times * (direction > 0 ? Math.min(own, count) : count);
  reason.high += times * (direction < 0 ? Math.min(-own, count) : count);
}

/** No cut is left, or the number stays on one side of 0: what is true at the point is true in the whole cell. */
const isSettled = ({ body, number, low, high, count }: Reason): boolean =>
  count === 0 || (body !== undefined && (low > 0 || high < 0 || Math.abs(number) > count));

/** The reason that is likely to settle the cell soonest; undefined if one has. */
function easiest(
  reasons: readonly Reason[],
  sample: CellSample,
  groups: readonly Group[],
): Reason | undefined {
  let [chosen, least]: [Reason | undefined, number] = [undefined, Infinity];
  if (reasons.some(isSettled)) return undefined;
  for (const reason of reasons) {
    const cost =
      reason.number === 0 ? reason.count : countIn(groups[nextGroup(reason, sample, groups)], reason.changes);
    if (cost >= least) continue;
    chosen = reason;
    least = cost;
  }
  return chosen;
}

/** The place of the group of cuts to go on with, for a reason that some of them may undo. */
function nextGroup(reason: Reason, sample: CellSample, groups: readonly Group[]): number {
  let [best, fewest, isAround] = [-1, Infinity, false];
  for (let i = 0; i < groups.length; i++) {
    const group = groups[i];
    if (reason.body !== undefined && group.body !== reason.body) continue;
    const count = countIn(group, reason.changes);
    if (count === 0) continue;
    // Inside a part that winds around the point, the number is likely to stay other than 0.
    const winds = reason.number !== 0 && windingOf(sample, group, reason.face) * reason.number > 0;
    if (winds === isAround ? count >= fewest : isAround) continue;
    best = i;
    fewest = count;
    isAround = winds;
  }
  return best;
}
