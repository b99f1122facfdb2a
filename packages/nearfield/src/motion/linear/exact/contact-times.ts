// At which times do two triangles share a point, if their corners move linearly: all of them, not only the first? Exact, like contact.ts.
//
// Whether they meet changes only when a corner touches a triangle or an edge touches an edge (contact.md: what they have in
// common first, or in reversed time last, has a corner that is one of these). So it is the same at all times between two
// neighbouring roots of the 15 polynomials F, or of the conditions where F is 0 throughout, and one exact test there decides.
//
// Two triangles meet at a time if and only if two of their features touch, or an edge of one passes through the inside of the
// other: its ends lie strictly on both sides, and its orientations with the three edges have one strict sign.

import { fractionBits, scaledInteger } from '../../../math/exact/rational.ts';
import { type Features, limitOf, type Path, pathsOf, twoEdges, vertexAndFace } from './contact.ts';
import { isZero, type Polynomial, Root, rootsOf } from './polynomial.ts';

/** The cells (`Root.cell`) from the first to the last in which something happens: mostly one. */
export type Cells = readonly [first: number, last: number];

/** Times of contact. */
export interface Stretch {
  readonly begins: Cells;
  readonly ends: Cells;
  /**
   * Whether the two are known to meet at all times in between. Changes that are nearer to each other than a cell may hide a time
   * at which they do not.
   */
  readonly throughout: boolean;
}

/** A time at which features may begin or cease to touch: a root of a polynomial. */
interface Change {
  readonly root: Root;
  readonly of: Polynomial;
  readonly features: Features;
}

/**
 * The times up to `upTo` at which two triangles meet, in order. `p` has A at time 0, B at time 0, A at time 1 and B at time 1, nine
 * numbers each. `lastCell` is the cell of `upTo` on a grid of 2^-bits.
 */
export function contactTimes(p: ArrayLike<number>, bits: number, upTo: number, lastCell: number): Stretch[] {
  const pair = new TwoTriangles(pathsOf(p));
  const changes = pair.changes(bits, upTo);
  const meets = (cell: number): boolean =>
    pair.meetAt(cell === lastCell ? timeOf(upTo) : Root.at(BigInt(cell), 1n << BigInt(bits + 1)));
  // The ends of time are changes too.
  const cells = [...new Set([0, lastCell, ...changes.keys()])].sort((one, other) => one - other);
  const stretches: Stretch[] = [];
  let open: Cells | undefined;
  let throughout = true;
  for (let i = 0, next: number; i < cells.length; i = next) {
    // Cells side by side have no cell between them in which to look: they count as one change.
    next = i + 1;
    while (next < cells.length && cells[next] === cells[next - 1] + 1) next++;
    const meetsAtStart = i === 0 && meets(0);
    // What is not in contact at time 0 begins later.
    const first = i === 0 && !meetsAtStart && next > 1 ? cells[1] : cells[i];
    const group: Cells = [first, meetsAtStart ? 0 : cells[next - 1]];
    const last: Cells = [first, cells[next - 1]];
    const meetsAfter = next < cells.length && meets(cells[next - 1] + 1);
    if (open !== undefined) {
      // The times of contact are a closed set: if they meet before and after a moment, they do at that moment.
      if (meetsAfter) throughout &&= first === last[1] && isMoment(first, changes.get(first)!);
      else {
        stretches.push({ begins: open, ends: last, throughout });
        open = undefined;
      }
    } else if (meetsAfter) {
      open = group;
      throughout = !meetsAtStart || last[1] === 0;
    } else {
      const isTouching = cells
        .slice(i, next)
        .some(
          cell =>
            changes.get(cell)?.some(({ root, features }) => features.meet(root)) ||
            ((cell === 0 || cell === lastCell) && meets(cell)),
        );
      if (isTouching)
        stretches.push({ begins: group, ends: last, throughout: !meetsAtStart || last[1] === 0 });
    }
  }
  return stretches;
}

/**
 * Whether all changes of a cell are at one time. A cell that is a time is one. Else, if the root of the first is a root of another's
 * polynomial, which has one root in the cell, that is it.
 */
function isMoment(cell: number, changes: readonly Change[]): boolean {
  if (cell % 2 === 0) return true;
  const [{ root }, ...others] = changes;
  return others.every(
    ({ of }) => changes.filter(change => change.of === of).length === 1 && root.isRootOf(of),
  );
}

const timeOf = (time: number): Root => {
  const bits = fractionBits(time);
  return Root.at(scaledInteger(time, bits), 1n << BigInt(bits));
};

const edgesOf = [
  [0, 1],
  [1, 2],
  [2, 0],
] as const;

class TwoTriangles {
  /** Corners of A with B, corners of B with A, edges of A with edges of B. */
  readonly #corners: readonly (readonly Features[])[];
  readonly #edges: readonly (readonly Features[])[];

  constructor(paths: readonly Path[]) {
    const [a, b] = [paths.slice(0, 3), paths.slice(3)];
    this.#corners = [
      a.map(corner => vertexAndFace([corner, ...b])),
      b.map(corner => vertexAndFace([corner, ...a])),
    ];
    this.#edges = edgesOf.map(([i, j]) => edgesOf.map(([k, l]) => twoEdges([a[i], a[j], b[k], b[l]])));
  }

  get #features(): Features[] {
    return [...this.#corners.flat(), ...this.#edges.flat()];
  }

  /** The times up to a time at which features may begin or cease to touch, by their cells. */
  changes(bits: number, upTo: number): Map<number, Change[]> {
    const found = new Map<number, Change[]>();
    const inTime = limitOf(upTo);
    for (const features of this.#features) {
      const { coplanar, conditions } = features;
      for (const of of isZero(coplanar) ? conditions : [coplanar]) {
        for (const root of rootsOf(of)) {
          if (root.signOf(inTime) < 0) continue;
          const cell = root.cell(bits);
          found.set(cell, [...(found.get(cell) ?? []), { root, of, features }]);
        }
      }
    }
    return found;
  }

  /** Whether the triangles meet at a time that is a fraction. */
  meetAt(time: Root): boolean {
    const sign = ({ coplanar }: Features): number => time.signOf(coplanar);
    if (this.#features.some(features => sign(features) === 0 && features.meet(time))) return true;
    const [cornersA, cornersB] = this.#corners.map(all => all.map(sign));
    const sides = this.#edges.map(row => row.map(sign));
    const pierces = (ends: number[], [i, j]: readonly [number, number], across: number[]): boolean =>
      ends[i] * ends[j] < 0 && (across.every(side => side > 0) || across.every(side => side < 0));
    return edgesOf.some(
      (edge, k) =>
        pierces(cornersA, edge, sides[k]) ||
        pierces(
          cornersB,
          edge,
          sides.map(row => row[k]),
        ),
    );
  }
}
