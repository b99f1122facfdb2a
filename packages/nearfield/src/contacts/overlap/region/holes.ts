// Connects a hole in a part of a triangle to its outline if nothing else does: two outlines, one inside the other.
// Outlines of holes run clockwise. A hole belongs to the outline that winds around one of its points.

import type { DisjointSets } from '../../../mesh/facts.ts';
import { lineLength, type Parts } from './boundary.ts';

/** Joins elements of outlines that belong together. `elements` are positions, three numbers per element. */
export function joinHoles(parts: Parts, elements: Float64Array, sets: DisjointSets): void {
  const { start, planes } = parts;
  const lines = parts.lines.values;
  for (let part = 0; part < parts.commonFrom; part++) {
    const first = sets.find(lines[lineLength * start[part]]);
    let several = false;
    for (let i = start[part]; i < start[part + 1] && !several; i++) {
      several = sets.find(lines[lineLength * i]) !== first;
    }
    if (!several) continue;
    const normal = planes.values.subarray(6 * part + 3, 6 * part + 6);
    const axis = longest(normal);
    // Per set, an element on this part, and the area. The root of the set may be an element elsewhere.
    const outlines = new Map<number, { readonly element: number; area: number }>();
    for (let i = start[part]; i < start[part + 1]; i++) {
      const element = lines[lineLength * i];
      const root = sets.find(element);
      const outline = outlines.get(root) ?? { element, area: 0 };
      outline.area += normal[axis] * turnOf(lines, lineLength * i, elements, axis);
      outlines.set(root, outline);
    }
    for (const hole of outlines.values()) {
      if (hole.area >= 0) continue;
      for (const { element, area } of outlines.values()) {
        if (area < 0 || sets.find(element) === sets.find(hole.element)) continue;
        if (windsAround(parts, part, elements, element, hole.element, axis, sets))
          sets.join(element, hole.element);
      }
    }
  }
}

/** Tells whether the lines of one set, seen along an axis, wind around a point of another. */
function windsAround(
  { start, lines: { values: lines } }: Parts,
  part: number,
  elements: Float64Array,
  outline: number,
  hole: number,
  axis: number,
  sets: DisjointSets,
): boolean {
  const root = sets.find(outline);
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const [x, y] = [elements[3 * hole + u], elements[3 * hole + v]];
  let winding = 0;
  for (let i = start[part]; i < start[part + 1]; i++) {
    const line = lineLength * i;
    if (sets.find(lines[line]) !== root) continue;
    const [from, to] = [3 * lines[line], 3 * lines[line + 1]];
    const [px, py] = [elements[from + u], elements[from + v]];
    const [qx, qy] = [elements[to + u], elements[to + v]];
    if (py > y === qy > y) continue;
    if (px + ((y - py) / (qy - py)) * (qx - px) > x) winding += (qy > py ? 1 : -1) * lines[line + 2];
  }
  return winding !== 0;
}

/**
 * p × q of a line along an axis, times the halves that count: all lines around a part add up to four times its area.
 */
function turnOf(lines: Int32Array, line: number, elements: Float64Array, axis: number): number {
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  const [from, to] = [3 * lines[line], 3 * lines[line + 1]];
  return lines[line + 2] * (elements[from + i] * elements[to + j] - elements[from + j] * elements[to + i]);
}

function longest(vector: ArrayLike<number>): number {
  const [x, y, z] = [Math.abs(vector[0]), Math.abs(vector[1]), Math.abs(vector[2])];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}
