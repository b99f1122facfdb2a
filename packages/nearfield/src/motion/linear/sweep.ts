// When do two bodies meet whose vertices move linearly: all intervals? They meet when two of their triangles do, so the times are the
// union of those of all pairs of triangles (exact/contact-times.ts). Most pairs never meet, which doubles tell. The first and the last
// contact of those that do are found in doubles too. A pair adds nothing if both lie within a time that others fill.

import { never } from './exact/contact.ts';
import { type Cells, contactTimes, type Stretch } from './exact/contact-times.ts';
import type { MovingBody } from './moving-bodies.ts';
import { gatherCorners } from './search.ts';
import type { MovingTrianglePairs } from './triangle-pair.ts';
import type { MotionWalks } from './walk/walk.ts';

const corners = new Float64Array(36);
const reversed = new Float64Array(36);

/** Two triangles that meet, and the cells of their first and last contact. */
interface Met {
  readonly i: number;
  readonly j: number;
  readonly first: number;
  readonly last: number;
}

/** The times at which the surfaces of two bodies meet, in order, with a time between any two. Yields the fraction done. */
export function* surfaceTimes(
  walks: MotionWalks,
  a: MovingBody,
  b: MovingBody,
  pairs: MovingTrianglePairs,
): Generator<number, Stretch[]> {
  const met: Met[] = [];
  const { lastCell, bits, upTo } = pairs;
  const walk = walks.mayMeet(a, b, (i, j, meetsAtStart) => {
    gatherCorners(a, b, i, j, corners);
    const first = meetsAtStart ? 0 : pairs.firstCell(corners, lastCell);
    if (first !== never) met.push({ i, j, first, last: lastContact(pairs) });
  });
  for (const done of walk) yield 0.5 * done;
  // The longest first: they fill most.
  met.sort((p, q) => q.last - q.first - (p.last - p.first) || p.i - q.i || p.j - q.j);
  let known: Stretch[] = [];
  for (const [n, { i, j, first, last }] of met.entries()) {
    if (n % 16 === 0) yield 0.5 + (0.5 * n) / met.length;
    if (known.some(({ begins, ends, throughout }) => throughout && begins[1] <= first && last <= ends[0]))
      continue;
    gatherCorners(a, b, i, j, corners);
    known = united([...known, ...contactTimes(corners, bits, upTo, lastCell)]);
  }
  return known;
}

/** The last cell of a contact up to `upTo`, or a later one: the first of the reversed motion of `corners`. */
function lastContact(pairs: MovingTrianglePairs): number {
  reversed.set(corners.subarray(18), 0);
  reversed.set(corners.subarray(0, 18), 18);
  const cells = 2 * 2 ** pairs.bits;
  return Math.min(pairs.lastCell, cells - pairs.whole.firstCell(reversed, cells));
}

/** The union. Stretches that may touch are one. With `continued`, one that begins in the cell where another ends goes on from it. */
export function united(stretches: readonly Stretch[], continued = false): Stretch[] {
  const sorted = [...stretches].sort((p, q) => p.begins[0] - q.begins[0] || q.ends[1] - p.ends[1]);
  const found: Stretch[] = [];
  for (const next of sorted) {
    const last = found.at(-1);
    // In cells side by side, no time is known between the two.
    if (last === undefined || next.begins[0] > last.ends[1] + 1) {
      found.push(next);
      continue;
    }
    const isNext = continued && next.begins[0] === last.ends[0] && next.begins[1] === last.ends[1];
    const isReached = isNext || isBefore(next.begins, last.ends);
    found[found.length - 1] = {
      begins: [last.begins[0], Math.min(last.begins[1], next.begins[1])],
      ends: [Math.max(last.ends[0], next.ends[0]), Math.max(last.ends[1], next.ends[1])],
      // One that begins for certain before the other does must last until then.
      throughout:
        last.throughout &&
        (next.ends[1] <= last.ends[0] || (next.throughout && isReached)) &&
        (next.begins[1] >= last.begins[1] || (next.throughout && isBefore(last.begins, next.ends))),
    };
  }
  return found;
}

/** Whether something has certainly happened when something else does. A cell that is a time is one. */
const isBefore = ([, first]: Cells, [then]: Cells): boolean =>
  first < then || (first === then && first % 2 === 0);
