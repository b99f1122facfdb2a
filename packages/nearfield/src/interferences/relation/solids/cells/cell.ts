// Convex cells of a plane, and how lines and segments cut them. A cell is split along a segment's whole line, but only
// if the segment itself passes through the interior of the cell (flat-view.ts has lines and points).
// Corners of cells are intersections of two lines, so the integers do not grow with the number of cuts.
// contacts/outer/exact-cells.ts finds all cells in space.

import type { Sign } from '../../../../math/exact/orient.ts';
import { digitsOf, exactSpot, type FlatView, type Line, type Spot } from './flat-view.ts';

/** A convex polygon. */
export interface Cell {
  readonly corners: readonly Spot[];
  /** lines[i] is the line of the side from corner i to corner i + 1; inner[i] is its sign inside the cell. */
  readonly lines: readonly Line[];
  readonly inner: readonly Sign[];
}

/** A segment with both ends on its line. */
export interface Segment {
  readonly line: Line;
  readonly from: Spot;
  readonly to: Spot;
}

/** Minimum u and v, then maximum u and v. */
export type CellBox = readonly [number, number, number, number];

/** Scratch memory: signs of a cell's corners. */
const signs: Sign[] = [];

/** Whether a segment passes through the interior of a cell. */
export function passesThrough(
  view: FlatView,
  { corners, lines, inner }: Cell,
  { line, from, to }: Segment,
): boolean {
  const count = corners.length;
  let [above, below] = [false, false];
  for (let i = 0; i < count; i++) {
    const side = view.side(line, corners[i]);
    signs[i] = side;
    if (side > 0) above = true;
    else if (side < 0) below = true;
  }
  if (!above || !below) return false;
  // The segment's line cuts the cell in a chord, which ends on two sides of the cell. The segment has more than a point
  // of the chord, unless both its ends are outside one of these sides, or on it.
  for (let i = 0; i < count; i++) {
    if (signs[i] !== 0 && signs[i] * signs[i + 1 < count ? i + 1 : 0] >= 0) continue;
    if (inner[i] * view.side(lines[i], from) <= 0 && inner[i] * view.side(lines[i], to) <= 0) return false;
  }
  return true;
}

/** A box around a cell. */
export function boxOfCell({ corners }: Cell): CellBox {
  let [lowU, lowV, highU, highV] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y, errorX, errorY } of corners) {
    if (x - errorX < lowU) lowU = x - errorX;
    if (y - errorY < lowV) lowV = y - errorY;
    if (x + errorX > highU) highU = x + errorX;
    if (y + errorY > highV) highV = y + errorY;
  }
  return [lowU, lowV, highU, highV];
}

/** The two parts of a cell on the positive and the negative side of a line that passes through its interior. */
export function splitCell(view: FlatView, cell: Cell, line: Line): [Cell, Cell] {
  const { corners, lines, inner } = cell;
  const parts = { 1: newPart(), [-1]: newPart() };
  // Walk around the cell and give each corner to the part on its side. The points at which the line enters and leaves
  // go to both parts.
  for (let i = 0; i < corners.length; i++) {
    const side = view.side(line, corners[i]);
    const next = view.side(line, corners[(i + 1) % corners.length]);
    if (side === 0) {
      // The next side belongs to the part into which it leads. The other part continues along the line.
      for (const part of [1, -1] as const) {
        if (next === part) addTo(parts[part], corners[i], lines[i], inner[i]);
        else addTo(parts[part], corners[i], line, part);
      }
      continue;
    }
    addTo(parts[side], corners[i], lines[i], inner[i]);
    if (side * next >= 0) continue;
    const spot = view.meeting(lines[i], line);
    addTo(parts[side], spot, line, side);
    addTo(parts[next as 1 | -1], spot, lines[i], inner[i]);
  }
  return [parts[1], parts[-1]];
}

interface Part {
  readonly corners: Spot[];
  readonly lines: Line[];
  readonly inner: Sign[];
}

const newPart = (): Part => ({ corners: [], lines: [], inner: [] });

function addTo(part: Part, corner: Spot, line: Line, inner: Sign): void {
  part.corners.push(corner);
  part.lines.push(line);
  part.inner.push(inner);
}

/** Whether a point lies strictly inside a cell. */
export function isInsideCell(view: FlatView, { lines, inner }: Cell, spot: Spot): boolean {
  for (let i = 0; i < lines.length; i++) if (view.side(lines[i], spot) !== inner[i]) return false;
  return true;
}

/** A point inside a cell: the exact mean of its corners with these weights, or nearly these. */
export function exactMean(view: FlatView, cell: Cell, weights: readonly bigint[]): Spot {
  const corners = cell.corners.map(exactSpot);
  // The corners' whole numbers are multiplied by powers of two that make their sums about equal.
  const digits = corners.map(([a, b, c]) => digitsOf(a + b + c));
  const most = Math.max(...digits);
  const sum: [bigint, bigint, bigint] = [0n, 0n, 0n];
  corners.forEach((corner, i) => {
    const weight = weights[i] << BigInt(most - digits[i]);
    for (let k = 0; k < 3; k++) sum[k] += weight * corner[k];
  });
  return view.spotOf(sum);
}
