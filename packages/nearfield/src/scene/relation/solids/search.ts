// Is there a cell of space of some kind along a triangle? The triangle is cut into cells only as far as that takes. Where the
// winding numbers at one point of a cell show that the kind is not there because of one body, the cell is cut by a part of that
// body's surface; and it is settled once the number can no longer become what the kind wants anywhere in it.
//
// How far a winding number may change within a cell is known part by part (parts.ts): not at all for a part that does not cut it,
// by one at most at every cut else, and never below 0 for a part that winds around nothing in the wrong direction. So a cell
// within one of many overlapping convex parts need not be cut by the others.

import type { Cell, Cut, CutFacet } from './cells.ts';
import type { Look } from './column.ts';
import { onlyA, onlyB } from './kinds.ts';
import type { Parts } from './parts.ts';

interface Piece {
  readonly cell: Cell;
  /** All cuts that may pass through it. */
  readonly cuts: readonly Cut[];
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
  const stack: Piece[] = [{ cell: facet.whole(), cuts: facet.cuts, look: undefined }];
  for (let piece = stack.pop(); piece !== undefined; piece = stack.pop()) {
    const { cell } = piece;
    const seen = piece.look ?? look(cell);
    if (seen === undefined) return;
    const cuts = piece.cuts.filter(cut => facet.passes(cell, cut));
    if (cuts.length === 0) continue;
    const cut = nextCut(seen, parts, kind, cuts);
    if (cut === undefined) continue;
    const { line } = cut;
    const side = facet.view.side(line, seen.at);
    const [above, below] = facet.split(cell, line);
    stack.push({ cell: above, cuts, look: side > 0 ? seen : undefined });
    stack.push({ cell: below, cuts, look: side < 0 ? seen : undefined });
  }
}

/** How a part of a surface cuts a cell. */
interface PartCuts {
  readonly part: number;
  readonly first: Cut;
  count: number;
}

/** The cut to go on with, where the kind might be elsewhere in the cell than where it was looked; undefined if it is not. */
function nextCut(
  { sides, parts: windings }: Look,
  parts: readonly [Parts, Parts],
  kind: number,
  cuts: readonly Cut[],
): Cut | undefined {
  const cutting = [byPart(cuts, 0, parts[0]), byPart(cuts, 1, parts[1])];
  const wanted = [kind !== onlyB, kind !== onlyA];
  let best: { readonly cut: Cut; readonly cost: number } | undefined;
  for (const face of [0, 1] as const) {
    let bestHere: typeof best;
    let isSettled = false;
    for (const body of [0, 1] as const) {
      const winding = (face === 0 ? sides.above : sides.below)[body];
      if ((winding !== 0) === wanted[body]) continue;
      let [low, high] = [winding, winding];
      let all = 0;
      let fewest: PartCuts | undefined;
      let winds = false;
      for (const cut of cutting[body]) {
        const own = windings[body].get(cut.part)?.[face] ?? 0;
        const direction = parts[body].direction(cut.part);
        low -= direction > 0 ? Math.min(own, cut.count) : cut.count;
        high += direction < 0 ? Math.min(-own, cut.count) : cut.count;
        all += cut.count;
        // Within a part that winds around the point the number is likely to stay what it is.
        const isBetter = own * winding > 0 ? !winds || cut.count < fewest!.count : !winds && cut.count < (fewest?.count ?? Infinity);
        if (!isBetter) continue;
        winds = own * winding > 0;
        fewest = cut;
      }
      if (wanted[body] ? all === 0 : low > 0 || high < 0) isSettled = true;
      else if (fewest) {
        const cost = wanted[body] ? all : fewest.count;
        if (bestHere === undefined || cost < bestHere.cost) bestHere = { cut: fewest.first, cost };
      }
    }
    if (isSettled || bestHere === undefined) continue;
    if (best === undefined || bestHere.cost < best.cost) best = bestHere;
  }
  return best?.cut;
}

/** A body's cuts by the part of its surface that they belong to. */
function byPart(cuts: readonly Cut[], body: number, { partOf }: Parts): Iterable<PartCuts> {
  const found = new Map<number, PartCuts>();
  for (const cut of cuts) {
    if (cut.body !== body) continue;
    const part = partOf[cut.triangle];
    const known = found.get(part);
    if (known) known.count++;
    else found.set(part, { part, first: cut, count: 1 });
  }
  return found.values();
}
