// Is there a cell of space of some kind along a triangle? The triangle is cut into cells only as far as that takes: where the
// winding numbers at one point of a part of it show that the kind is not there because of one body, the part is cut by that
// body alone, and where that body no longer cuts it, or has wound around it too often for its cuts to undo, it is settled.

import type { Cell, Cut, CutFacet } from './cells.ts';
import { onlyA, onlyB, type Side } from './kinds.ts';
import type { Sides } from './probe.ts';

/** What is known at a point inside a cell. */
export interface Look {
  readonly sides: Sides;
  /** Seen along the facet's axis; undefined where the point is no double. */
  readonly at: readonly [number, number] | undefined;
}

interface Part {
  readonly cell: Cell;
  /** All cuts that may pass through it. */
  readonly cuts: readonly Cut[];
  /** What its parent was seen to have, if that point is in it. */
  readonly look: Look | undefined;
}

/**
 * Looks at a point of every part of the facet that may bound a cell of this kind, until `look`, which records what it sees, answers
 * that there is one (undefined).
 */
export function searchFacet(facet: CutFacet, kind: number, look: (cell: Cell) => Look | undefined): void {
  const stack: Part[] = [{ cell: facet.whole(), cuts: facet.cuts, look: undefined }];
  for (let part = stack.pop(); part !== undefined; part = stack.pop()) {
    const { cell } = part;
    const seen = part.look ?? look(cell);
    if (seen === undefined) return;
    const cuts = part.cuts.filter(cut => facet.passes(cell, cut));
    const body = undecided(seen.sides, kind, cuts);
    if (body === undefined) continue;
    const { line } = cuts.find(cut => cut.body === body)!;
    const spot = seen.at && facet.view.spotAt(seen.at[0], seen.at[1]);
    const side = spot ? facet.view.side(line, spot) : 0;
    const [above, below] = facet.split(cell, line);
    stack.push({ cell: above, cuts, look: side > 0 ? seen : undefined });
    stack.push({ cell: below, cuts, look: side < 0 ? seen : undefined });
  }
}

/**
 * The body whose winding number keeps the kind from where it was looked, but might not everywhere in the cell; undefined if on both
 * faces that is certain. Along a way through the cell the number changes by one at most at every cut.
 */
function undecided({ above, below }: Sides, kind: number, cuts: readonly Cut[]): Side | undefined {
  const counts = [0, 0];
  for (const { body } of cuts) counts[body]++;
  const wanted = [kind !== onlyB, kind !== onlyA];
  let chosen: Side | undefined;
  for (const face of [above, below]) {
    let first: Side | undefined;
    let isCertain = false;
    for (const body of [0, 1] as const) {
      const winding = Math.abs(face[body]);
      if ((winding !== 0) === wanted[body]) continue;
      if (counts[body] === 0 || winding > counts[body]) isCertain = true;
      else if (first === undefined || counts[body] < counts[first]) first = body;
    }
    if (isCertain) continue;
    if (chosen === undefined || (first !== undefined && counts[first] < counts[chosen])) chosen = first;
  }
  return chosen;
}
