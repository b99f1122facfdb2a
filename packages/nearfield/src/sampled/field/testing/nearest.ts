// The point of a triangle nearest to a point, found by another method than in the kernels: the foot on the plane if it
// lies inside, else the nearest of the nearest points of the three sides.

type Point = readonly [number, number, number];

export function nearestByHand(
  point: ArrayLike<number>,
  corners: Float64Array,
): { distance: number; point: Point } {
  const p: Point = [point[0], point[1], point[2]];
  const [a, b, c] = [0, 3, 6].map(at => [corners[at], corners[at + 1], corners[at + 2]] as Point);
  const normal = cross(minus(b, a), minus(c, a));
  const square = dot(normal, normal);
  let best = onSide(p, a, b);
  for (const other of [onSide(p, b, c), onSide(p, c, a)]) {
    if (length(minus(other, p)) < length(minus(best, p))) best = other;
  }
  if (square > 0) {
    const foot = plus(p, normal, dot(minus(a, p), normal) / square);
    const within = [
      [a, b],
      [b, c],
      [c, a],
    ].every(([from, to]) => dot(cross(minus(to, from), minus(foot, from)), normal) >= 0);
    if (within) best = foot;
  }
  return { distance: length(minus(best, p)), point: best };
}

function onSide(p: Point, a: Point, b: Point): Point {
  const along = minus(b, a);
  const square = dot(along, along);
  const share = square > 0 ? Math.min(1, Math.max(0, dot(minus(p, a), along) / square)) : 0;
  return plus(a, along, share);
}

const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const plus = (a: Point, b: Point, t: number): Point => [a[0] + t * b[0], a[1] + t * b[1], a[2] + t * b[2]];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const length = (a: Point): number => Math.hypot(...a);
const cross = (a: Point, b: Point): Point => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
