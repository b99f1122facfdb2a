// Does a region of space of some kind end at a face of a triangle? It does where both bodies' winding numbers beside that face
// are as the kind wants them, and the triangle's own body is on one face only. The triangle is cut into cells only as far as the
// question takes. Where one of these three numbers at a point of a cell says no, the cell is cut by a part of that body's
// surface; and it is settled once the number can no longer become what is wanted anywhere in it.
//
// How far a winding number may change within a cell is known part by part (parts.ts): not at all for a part that does not cut the
// cell, else by at most one at every cut; and the number of a part that winds around nothing in the wrong direction is never
// below 0. So a cell within one of many overlapping convex parts need not be cut by the others.

import type { Cell, Cut, CutFacet } from './cells.ts';
import type { CellSample } from './column.ts';
import { onlyA, onlyB, type Side } from './kinds.ts';
import type { Parts } from './parts.ts';
import { above, below, type Face } from './sheets.ts';

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
    const cut = nextCut(facet, cell, seen, parts, kind, on, groups);
    if (cut === undefined) continue;
    const { line } = facet.segment(cut);
    const side = facet.view.side(line, seen.at);
    const [left, right] = facet.split(cell, line);
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
  const box = facet.boxOf(cell);
  const near: Group[] = [];
  for (const { body, part, cuts } of groups) {
    const kept = cuts.filter(cut => facet.isNear(box, cut));
    if (kept.length > 0) near.push({ body, part, cuts: kept, isExact: false });
  }
  return near;
}

/** Why no region of the kind ends where it was looked: a body's winding number on a face, and how far it may change in the cell. */
interface Reason {
  readonly face: Face;
  readonly body: Side;
  readonly winding: number;
  low: number;
  high: number;
  /** How many cuts of the body there are. */
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
  kind: number,
  on: Face,
  groups: Group[],
): Cut | undefined {
  const reasons = reasonsIn(sample, kind, on, facet.side);
  for (const reason of reasons) {
    for (const group of groups) widen(reason, group, sample, parts, 1);
  }
  while (true) {
    const at = chooseGroup(reasons, sample, groups);
    if (at < 0) return undefined;
    const group = groups[at];
    if (group.isExact) return group.cuts[0];
    const exact: Group = {
      ...group,
      cuts: group.cuts.filter(cut => facet.passes(cell, cut)),
      isExact: true,
    };
    for (const reason of reasons) {
      widen(reason, group, sample, parts, -1);
      widen(reason, exact, sample, parts, 1);
    }
    if (exact.cuts.length > 0) groups[at] = exact;
    else groups.splice(at, 1);
  }
}

function reasonsIn({ sides }: CellSample, kind: number, on: Face, own: Side): Reason[] {
  const reasons: Reason[] = [];
  const add = (face: Face, body: Side, isWanted: boolean): void => {
    const winding = (face === above ? sides.above : sides.below)[body];
    if ((winding !== 0) === isWanted) return;
    reasons.push({ face, body, winding, low: winding, high: winding, count: 0 });
  };
  add(on, 0, kind !== onlyB);
  add(on, 1, kind !== onlyA);
  add(on === above ? below : above, own, kind === (own === 0 ? onlyB : onlyA));
  return reasons;
}

const windingOf = ({ parts }: CellSample, { body, part }: Group, face: Face): number =>
  parts[body].get(part)?.[face === above ? 0 : 1] ?? 0;

/** Takes into account (times 1), or no longer (−1), what a group of cuts may do to a winding number. */
function widen(
  reason: Reason,
  group: Group,
  sample: CellSample,
  parts: readonly [Parts, Parts],
  times: 1 | -1,
): void {
  if (group.body !== reason.body) return;
  const count = group.cuts.length;
  const own = windingOf(sample, group, reason.face);
  const direction = parts[group.body].direction(group.part);
  reason.count += times * count;
  reason.low -= times * (direction > 0 ? Math.min(own, count) : count);
  reason.high += times * (direction < 0 ? Math.min(-own, count) : count);
}

/** No cut is left, or the number stays on one side of 0: what is true at the point is true in the whole cell. */
const isSettled = ({ low, high, count }: Reason): boolean => count === 0 || low > 0 || high < 0;

/** The place of the group that is likely to settle the cell soonest; −1 if it is settled. */
function chooseGroup(reasons: readonly Reason[], sample: CellSample, groups: readonly Group[]): number {
  let [chosen, least] = [-1, Infinity];
  if (reasons.some(isSettled)) return -1;
  for (const reason of reasons) {
    let [best, fewest, isAround] = [-1, Infinity, false];
    for (let i = 0; i < groups.length; i++) {
      const group = groups[i];
      if (group.body !== reason.body) continue;
      const count = group.cuts.length;
      // Inside a part that winds around the point, the number is likely to stay other than 0.
      const winds = reason.winding !== 0 && windingOf(sample, group, reason.face) * reason.winding > 0;
      if (winds === isAround ? count >= fewest : isAround) continue;
      best = i;
      fewest = count;
      isAround = winds;
    }
    const cost = reason.winding === 0 ? reason.count : fewest;
    if (cost >= least) continue;
    chosen = best;
    least = cost;
  }
  return chosen;
}
