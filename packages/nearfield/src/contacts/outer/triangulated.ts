// Splits convex polygons of a surface into triangles that meet side to side. If the corner of another polygon lies on a
// polygon's side, that polygon gets a corner there too. No new points are made, so that everything stays in its plane.

import type { PointNumbers } from '../../interferences/curves/point-numbers.ts';

/** Calls `add` with the index of a polygon and the corners of each of its triangles, in the polygon's own direction. */
export function triangulated(
  polygons: readonly (readonly number[])[],
  numbers: PointNumbers,
  add: (polygon: number, a: number, b: number, c: number) => void,
): void {
  const sorted = [...new Set(polygons.flat())].sort((m, n) => numbers.compare(m, n));
  const place = new Map(sorted.map((number, i) => [number, i]));
  const between = new Map<string, number[]>();
  /** The points between two others on the line from the first to the second. */
  const stopsBetween = (from: number, to: number): readonly number[] => {
    const forward = place.get(from)! < place.get(to)!;
    const [low, high] = forward ? [from, to] : [to, from];
    const key = `${low},${high}`;
    let stops = between.get(key);
    if (!stops) {
      stops = [];
      for (let i = place.get(low)! + 1; i < place.get(high)!; i++) {
        if (numbers.isBetween(sorted[i], low, high)) stops.push(sorted[i]);
      }
      between.set(key, stops);
    }
    return forward ? stops : [...stops].reverse();
  };
  polygons.forEach((polygon, number) => {
    const outline = polygon.flatMap((corner, i) => [
      corner,
      ...stopsBetween(corner, polygon[(i + 1) % polygon.length]),
    ]);
    cutEars(outline, numbers, (a, b, c) => add(number, a, b, c));
  });
}

/**
 * Triangulates a convex polygon whose sides may have points on them. While such a point is left, a corner beside it is
 * cut off, and the point becomes a corner. So the remaining points never all lie on one line.
 */
function cutEars(
  outline: readonly number[],
  numbers: PointNumbers,
  add: (a: number, b: number, c: number) => void,
): void {
  let left = [...outline];
  const at = (i: number): number => left[(i + left.length) % left.length];
  const isFlat = (i: number): boolean => numbers.isBetween(at(i), at(i - 1), at(i + 1));
  while (left.length > 3) {
    const flat = left.map((_, i) => isFlat(i));
    const hasFlat = flat.includes(true);
    const ear = left.findIndex(
      (_, i) =>
        !flat[i] && (!hasFlat || flat[(i + 1) % left.length] || flat[(i + left.length - 1) % left.length]),
    );
    add(at(ear - 1), at(ear), at(ear + 1));
    left = left.filter((_, i) => i !== ear);
  }
  add(left[0], left[1], left[2]);
}
