// Does a region of two solids contain a point? Its boundary winds around the points inside once: the solid angles of
// its pieces add up to 4π there, to 0 outside. On the boundary itself they add up to something between, which counts as
// inside.

import { halfSolidAngle } from '../../../math/solid-angle.ts';
import { at, cross, dot, length, plus, type Vector } from '../../../math/vector.ts';
import { type Boundary, lineLength } from './boundary.ts';
import type { Region } from './regions.ts';

/** The point is relative to the boundary's origin. */
export function isInRegion(
  region: Region,
  number: number,
  { parts, whole, elements }: Boundary,
  regionOf: Int32Array,
  point: Vector,
): boolean {
  let halves = 0;
  const add = (p: Vector, q: Vector, r: Vector): void => {
    const [a, b, c] = [plus(p, point, -1), plus(q, point, -1), plus(r, point, -1)];
    const volume = dot(a, cross(b, c));
    halves += halfSolidAngle(volume, length(a), length(b), length(c), dot(a, b), dot(b, c), dot(c, a));
  };
  const lines = parts.lines.values;
  for (const part of region.parts) {
    if (part >= parts.commonFrom) continue;
    let first: Vector | undefined;
    for (let i = parts.start[part]; i < parts.start[part + 1]; i++) {
      const [from, to] = [lines[lineLength * i], lines[lineLength * i + 1]];
      if (regionOf[from] !== number) continue;
      first ??= at(elements, 3 * from);
      add(first, at(elements, 3 * from), at(elements, 3 * to));
    }
  }
  const corners = whole.corners.values;
  for (const i of region.whole) add(at(corners, 9 * i), at(corners, 9 * i + 3), at(corners, 9 * i + 6));
  return halves > Math.PI / 8;
}
