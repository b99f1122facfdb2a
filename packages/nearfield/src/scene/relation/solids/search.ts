// Is there a cell of space of some kind along a triangle? The triangle is cut into cells only as far as that takes. Where the
// winding numbers at one point of a cell show that the kind is not there because of one body, the cell is cut by a part of that
// body's surface; and it is settled once the number can no longer become what the kind wants anywhere in it.
//
// How far a winding number may change within a cell is known part by part (parts.ts): not at all for a part that does not cut it,
// by one at most at every cut else, and never below 0 for a part that winds around nothing in the wrong direction. So a cell
// within one of many overlapping convex parts need not be cut by the others.

import type { Cell, Cut, CutFacet } from './cells.ts';
import type { Look } from './column.ts';
import { onlyA, onlyB, type Side } from './kinds.ts';
import type { Parts } from './parts.ts';

/** Cuts of one part of a body's surface. */
interface Group {
  readonly body: Side;
  readonly part: number;
  /** All that pass through a cell, and maybe others. */
  readonly cuts: readonly Cut[];
}

interface Piece {
  readonly cell: Cell;
  readonly groups: readonly Group[];
  /** What its parent was seen to have, if that point is in it. */
  readonly look: Look | undefined;
}

/**
 * Looks at a point of every cell of the facet that may bound a cell of space of this kind, until `look`, which records what it
 * sees, finds one (undefined).
 */
export function searchFacet(
  facet: CutFacet,
  parts: readonly [Parts, Parts],
  kind: number,
  look: (cell: Cell) => Look | undefined,
): void {
  const stack: Piece[] = [{ cell: facet.whole(), groups: groupsOf(facet.cuts, parts), look: undefined }];
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    const { cell } = piece;
    let { groups } = piece;
    const seen = piece.look ?? look(cell);
    if (seen === undefined) return;
    let group = nextGroup(seen, parts, kind, groups);
    while (group !== undefined) {
      const passing: Group = { ...group, cuts: group.cuts.filter(cut => facet.passes(cell, cut)) };
      if (passing.cuts.length === group.cuts.length) break;
      groups = groups.flatMap(other => (other !== group ? other : passing.cuts.length > 0 ? passing : []));
      const next = nextGroup(seen, parts, kind, groups);
      group = next;
      if (next === passing) break;
    }
    if (group === undefined) continue;
    const { line } = facet.segment(group.cuts[0]);
    const side = facet.view.side(line, seen.at);
    const [above, below] = facet.split(cell, line);
    stack.push({ cell: above, groups, look: side > 0 ? seen : undefined });
    stack.push({ cell: below, groups, look: side < 0 ? seen : undefined });
  }
}

function groupsOf(cuts: readonly Cut[], parts: readonly [Parts, Parts]): Group[] {
  const groups = new Map<number, { body: Side; part: number; cuts: Cut[] }>();
  for (const cut of cuts) {
    const part = parts[cut.body].partOf[cut.triangle];
    const group = groups.get(2 * part + cut.body);
    if (group) group.cuts.push(cut);
    else groups.set(2 * part + cut.body, { body: cut.body, part, cuts: [cut] });
  }
  return [...groups.values()];
}

/**
 * The cuts to go on with, where the kind might be elsewhere in the cell than where it was looked; undefined if it is not, on
 * either face.
 */
function nextGroup(look: Look, parts: readonly [Parts, Parts], kind: number, groups: readonly Group[]): Group | undefined {
  let best: Choice | undefined;
  for (const face of [0, 1] as const) {
    let bestHere: Choice | undefined;
    let isSettled = false;
    for (const body of [0, 1] as const) {
      const wanted = kind !== (body === 0 ? onlyB : onlyA);
      const winding = (face === 0 ? look.sides.above : look.sides.below)[body];
      if ((winding !== 0) === wanted) continue;
      const choice = choose(look, parts[body], face, body, winding, groups);
      if (choice === undefined) isSettled = true;
      else if (bestHere === undefined || choice.cost < bestHere.cost) bestHere = choice;
    }
    if (!isSettled && bestHere && (!best || bestHere.cost < best.cost)) best = bestHere;
  }
  return best?.group;
}

interface Choice {
  readonly group: Group;
  /** About how many cuts it takes until the cell is settled. */
  readonly cost: number;
}

/** The cuts that are likely to settle soonest that a body winds around a cell, or not, as at the point; undefined if it is settled. */
function choose(
  { parts: windings }: Look,
  parts: Parts,
  face: 0 | 1,
  body: Side,
  winding: number,
  groups: readonly Group[],
): Choice | undefined {
  let [low, high] = [winding, winding];
  let all = 0;
  let fewest: Group | undefined;
  let isAround = false;
  for (const group of groups) {
    if (group.body !== body) continue;
    const count = group.cuts.length;
    all += count;
    const own = windings[body].get(group.part)?.[face] ?? 0;
    const direction = parts.direction(group.part);
    low -= direction > 0 ? Math.min(own, count) : count;
    high += direction < 0 ? Math.min(-own, count) : count;
    // Inside a part that winds around the point, the number is likely to stay other than 0.
    const winds = own * winding > 0;
    if (fewest && (isAround && !winds || (isAround === winds && count >= fewest.cuts.length))) continue;
    fewest = group;
    isAround = winds;
  }
  if (fewest === undefined || low > 0 || high < 0) return undefined;
  return { group: fewest, cost: winding === 0 ? all : fewest.cuts.length };
}
