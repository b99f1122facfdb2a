// Oracle: two triangles share a convex polygon, segment or point, the hull of its corners. Each of these is a corner
// of a triangle, a crossing of two edges, or a crossing of an edge with a plane. All such points are computed as
// exact fractions, and those in both triangles are kept.

import {
  cornerAt,
  cross,
  dot,
  type Integer,
  isZero,
  isZeroVector,
  scale,
  subtract,
  type Vector,
} from '../integers.ts';

/** The point at / over, over > 0. */
interface Fraction {
  readonly at: Vector;
  readonly over: Integer;
}

type Triangle = readonly [Vector, Vector, Vector];

const triangleAt = (c: readonly Integer[], at: number): Triangle => [
  cornerAt(c, at),
  cornerAt(c, at + 3),
  cornerAt(c, at + 6),
];

/** c: the 18 coordinates of triangles A and B; one is the integer 1 of their kind. */
export function sharedCorners(c: readonly Integer[], one: Integer): Fraction[] {
  const a = triangleAt(c, 0);
  const b = triangleAt(c, 9);
  const candidates: Fraction[] = [...a, ...b].map(at => ({ at, over: one }));
  for (let i = 0; i < 3; i++) {
    edgeWithPlane(a[i], a[(i + 1) % 3], b, candidates);
    edgeWithPlane(b[i], b[(i + 1) % 3], a, candidates);
    for (let j = 0; j < 3; j++) edgeWithEdge(a[i], a[(i + 1) % 3], b[j], b[(j + 1) % 3], candidates);
  }
  return candidates.filter(point => isIn(point, a) && isIn(point, b));
}

/** Whether two triangles share a point. */
export const meetByCorners = (c: readonly Integer[], one: Integer): boolean =>
  sharedCorners(c, one).length > 0;

/** Whether two triangles of one mesh share a point outside the hull of their common positions, or are the same. */
export function neighboursByCorners(c: readonly Integer[], one: Integer): boolean {
  const a = triangleAt(c, 0);
  const b = triangleAt(c, 9);
  const inB = a.filter(v => b.some(w => same(v, w)));
  if (inB.length === 3 && b.every(v => a.some(w => same(v, w)))) return true;
  const common = inB.filter((v, i) => !inB.slice(0, i).some(w => same(v, w)));
  return sharedCorners(c, one).some(point => {
    if (common.length === 0) return true;
    return !isInSegment(point, common[0], common[common.length - 1]);
  });
}

/** Whether the planes differ and the triangles share a segment that is inside both. */
export function properCrossingByCorners(c: readonly Integer[], one: Integer): boolean {
  const a = triangleAt(c, 0);
  const b = triangleAt(c, 9);
  const normalA = cross(subtract(a[1], a[0]), subtract(a[2], a[0]));
  const normalB = cross(subtract(b[1], b[0]), subtract(b[2], b[0]));
  if (isZeroVector(cross(normalA, normalB))) return false;
  const shared = sharedCorners(c, one);
  for (const p of shared) {
    for (const q of shared) {
      const between = {
        at: cornerSum(scale(p.at, q.over), scale(q.at, p.over)),
        over: p.over * q.over + p.over * q.over,
      };
      const apart = !isZeroVector(subtract(scale(p.at, q.over), scale(q.at, p.over)));
      if (apart && isInside(between, a, normalA) && isInside(between, b, normalB)) return true;
    }
  }
  return false;
}

const cornerSum = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

const same = (a: Vector, b: Vector): boolean => isZeroVector(subtract(a, b));

/** From a corner to a point, times the point's denominator. */
const towards = (corner: Vector, point: Fraction): Vector => subtract(point.at, scale(corner, point.over));

function isIn(point: Fraction, t: Triangle): boolean {
  const n = cross(subtract(t[1], t[0]), subtract(t[2], t[0]));
  if (isZeroVector(n)) {
    return isInSegment(point, t[0], t[1]) || isInSegment(point, t[1], t[2]) || isInSegment(point, t[2], t[0]);
  }
  if (!isZero(dot(n, towards(t[0], point)))) return false;
  for (let i = 0; i < 3; i++) if (edgeSide(point, t, i, n) < 0) return false;
  return true;
}

/** In the relative interior, given that it is in the triangle. */
function isInside(point: Fraction, t: Triangle, n: Vector): boolean {
  for (let i = 0; i < 3; i++) if (!(edgeSide(point, t, i, n) > 0)) return false;
  return true;
}

const edgeSide = (point: Fraction, t: Triangle, i: number, n: Vector): Integer =>
  dot(n, cross(subtract(t[(i + 1) % 3], t[i]), towards(t[i], point)));

function isInSegment(point: Fraction, p: Vector, q: Vector): boolean {
  const fromP = towards(p, point);
  return isZeroVector(cross(subtract(q, p), fromP)) && !(dot(fromP, towards(q, point)) > 0);
}

function edgeWithPlane(p: Vector, q: Vector, t: Triangle, out: Fraction[]): void {
  const n = cross(subtract(t[1], t[0]), subtract(t[2], t[0]));
  const heightOfP = dot(n, subtract(p, t[0]));
  const rise = dot(n, subtract(q, p));
  if (isZero(rise)) return;
  const at = subtract(scale(p, rise), scale(subtract(q, p), heightOfP));
  out.push(rise > 0 ? { at, over: rise } : { at: subtract(subtract(at, at), at), over: -rise });
}

function edgeWithEdge(p: Vector, q: Vector, r: Vector, s: Vector, out: Fraction[]): void {
  const along = subtract(q, p);
  const other = subtract(s, r);
  const n = cross(along, other);
  if (isZeroVector(n) || !isZero(dot(n, subtract(r, p)))) return;
  const over = dot(n, n);
  out.push({ at: cornerSum(scale(p, over), scale(along, dot(n, cross(subtract(r, p), other)))), over });
}
