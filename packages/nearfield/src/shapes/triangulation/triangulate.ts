// Triangulates a polygon with holes. Bridges join the holes to the outline, ears are clipped (Meisters 1975), then
// edges are flipped until the triangulation is constrained Delaunay (Lawson 1977). Every sign is exact, so a simple
// polygon always succeeds and no triangle is degenerate or flipped.

import { orient2d } from 'robust-predicates';
import { NearfieldError } from '../../core/errors.ts';
import { inCircle } from './in-circle.ts';
import { type Loop, type Point2, signedArea } from './loops.ts';

/**
 * Returns triangles, counter-clockwise, as indices into the points of the outline followed by those of each hole. The
 * direction in which the loops run does not matter. Loops must be simple and must not touch one another.
 */
export function triangulate(outline: Loop, holes: readonly Loop[] = []): Uint32Array {
  const points = [outline, ...holes].flat();
  const ring = withoutHoles(points, outline, holes);
  const triangles = clipEars(points, ring);
  return flipToDelaunay(points, triangles, constraintsOf(outline, holes, points.length));
}

/** Positive when a, b, c turn counter-clockwise (robust-predicates has y pointing down). */
const turn = (a: Point2, b: Point2, c: Point2): number => -orient2d(a[0], a[1], b[0], b[1], c[0], c[1]);

const same = (a: Point2, b: Point2): boolean => a[0] === b[0] && a[1] === b[1];

/** One weakly simple ring of point indices: the outline, with a bridge to and from every hole. */
function withoutHoles(points: readonly Point2[], outline: Loop, holes: readonly Loop[]): number[] {
  const run = (loop: Loop, first: number, positive: boolean) => {
    const indices = loop.map((_, i) => first + i);
    return signedArea(loop) > 0 === positive ? indices : indices.reverse();
  };
  let ring = run(outline, 0, true);
  let first = outline.length;
  let waiting = holes.map(hole => {
    const indices = run(hole, first, false);
    first += hole.length;
    return indices;
  });
  while (waiting.length > 0) {
    // The hole that reaches farthest right sees the outline or a hole already joined.
    const reach = (hole: number[]) => hole.reduce((best, i) => (points[i][0] > points[best][0] ? i : best));
    const next = waiting.reduce((best, hole) =>
      points[reach(hole)][0] > points[reach(best)][0] ? hole : best,
    );
    waiting = waiting.filter(hole => hole !== next);
    const start = reach(next);
    const at = next.indexOf(start);
    const bridge = visibleCorner(points, ring, start, [next, ...waiting]);
    ring = [...ring.slice(0, bridge + 1), ...next.slice(at), ...next.slice(0, at + 1), ...ring.slice(bridge)];
  }
  return ring;
}

/** The index in the ring of the nearest corner that `from` sees without obstruction. */
function visibleCorner(points: readonly Point2[], ring: number[], from: number, others: number[][]): number {
  const p = points[from];
  const distance = (i: number) => {
    const [x, y] = [points[ring[i]][0] - p[0], points[ring[i]][1] - p[1]];
    return x * x + y * y;
  };
  const places = ring.map((_, i) => i).sort((i, j) => distance(i) - distance(j) || i - j);
  for (const place of places) {
    const q = points[ring[place]];
    const before = points[ring[(place + ring.length - 1) % ring.length]];
    const after = points[ring[(place + 1) % ring.length]];
    if (!insideCorner(before, q, after, p)) continue;
    if (
      [ring, ...others].every(loop =>
        loop.every((i, k) => passes(points[i], points[loop[(k + 1) % loop.length]], p, q)),
      )
    ) {
      return place;
    }
  }
  throw new NearfieldError('bad-option', 'a hole lies outside the outline, or loops cross');
}

/** Whether p, seen from the corner q of a counter-clockwise ring, lies strictly on the ring's inner side. */
function insideCorner(before: Point2, q: Point2, after: Point2, p: Point2): boolean {
  const left = turn(before, q, p) > 0;
  const right = turn(q, after, p) > 0;
  return turn(before, q, after) > 0 ? left && right : left || right;
}

/** Whether the segment p–q meets the edge a–b nowhere but in an end point that they share. */
function passes(a: Point2, b: Point2, p: Point2, q: Point2): boolean {
  const [pa, pb] = [turn(p, q, a), turn(p, q, b)];
  if ((pa > 0 && pb > 0) || (pa < 0 && pb < 0)) return true;
  const [ap, aq] = [turn(a, b, p), turn(a, b, q)];
  if ((ap > 0 && aq > 0) || (ap < 0 && aq < 0)) return true;
  const between = (c: Point2) =>
    !same(c, p) && !same(c, q) && (c[0] - p[0]) * (c[0] - q[0]) <= 0 && (c[1] - p[1]) * (c[1] - q[1]) <= 0;
  const onSegment = (pa === 0 && between(a)) || (pb === 0 && between(b));
  const properly = pa !== 0 && pb !== 0 && ap !== 0 && aq !== 0;
  return !onSegment && !properly;
}

/**
 * Clipped corners all turn left, and their boundaries add up to the ring. So they cover every point as often as the
 * ring winds around it: once inside, never outside. No further check is needed.
 */
function clipEars(points: readonly Point2[], input: readonly number[]): Uint32Array {
  const ring = [...input];
  const triangles: number[] = [];
  let at = 0;
  let misses = 0;
  while (ring.length > 2) {
    const n = ring.length;
    const [i, j, k] = [ring[(at + n - 1) % n], ring[at % n], ring[(at + 1) % n]];
    if (isEar(points, ring, i, j, k)) {
      triangles.push(i, j, k);
      ring.splice(at % n, 1);
      at = (at + 1) % ring.length;
      misses = 0;
    } else {
      at = (at + 1) % n;
      if (++misses > n)
        throw new NearfieldError('bad-option', 'an outline or hole crosses itself or another');
    }
  }
  return Uint32Array.from(triangles);
}

function isEar(points: readonly Point2[], ring: readonly number[], i: number, j: number, k: number): boolean {
  const [a, b, c] = [points[i], points[j], points[k]];
  if (turn(a, b, c) <= 0) return false;
  return ring.every(other => {
    const p = points[other];
    if (same(p, a) || same(p, b) || same(p, c)) return true;
    return turn(a, b, p) < 0 || turn(b, c, p) < 0 || turn(c, a, p) < 0;
  });
}

/** One number for the edge between two points, in either order; `count` is the number of points. */
const edgeKey = (i: number, j: number, count: number): number => (i < j ? i * count + j : j * count + i);

function constraintsOf(outline: Loop, holes: readonly Loop[], count: number): Set<number> {
  const keys = new Set<number>();
  let first = 0;
  for (const loop of [outline, ...holes]) {
    for (let i = 0; i < loop.length; i++)
      keys.add(edgeKey(first + i, first + ((i + 1) % loop.length), count));
    first += loop.length;
  }
  return keys;
}

/** Flips every free edge whose triangles have the other's far corner in their circumcircle, until none is left. */
function flipToDelaunay(points: readonly Point2[], triangles: Uint32Array, fixed: Set<number>): Uint32Array {
  const count = points.length;
  const owners = new Map<number, [number, number]>();
  for (let t = 0; t < triangles.length; t += 3) {
    for (let e = 0; e < 3; e++) {
      const key = edgeKey(triangles[t + e], triangles[t + ((e + 1) % 3)], count);
      const found = owners.get(key);
      if (found === undefined) owners.set(key, [t, -1]);
      else found[1] = t;
    }
  }
  const corner = (t: number, i: number, j: number) =>
    triangles[t] !== i && triangles[t] !== j
      ? triangles[t]
      : triangles[t + 1] !== i && triangles[t + 1] !== j
        ? triangles[t + 1]
        : triangles[t + 2];
  const follows = (t: number, i: number, j: number) =>
    (triangles[t] === i && triangles[t + 1] === j) ||
    (triangles[t + 1] === i && triangles[t + 2] === j) ||
    (triangles[t + 2] === i && triangles[t] === j);
  const move = (key: number, from: number, to: number) => {
    const pair = owners.get(key)!;
    pair[pair[0] === from ? 0 : 1] = to;
  };
  const waiting = [...owners.keys()].filter(key => !fixed.has(key));
  for (let key = waiting.pop(); key !== undefined; key = waiting.pop()) {
    const [s, t] = owners.get(key) ?? [-1, -1];
    if (t < 0) continue;
    const [i, j] = [Math.floor(key / count), key % count];
    const [c, d] = [corner(s, i, j), corner(t, i, j)];
    // a–b as it runs in triangle s, so that s = (a, b, c) and t = (b, a, d).
    const [a, b] = follows(s, i, j) ? [i, j] : [j, i];
    const [pa, pb, pc, pd] = [points[a], points[b], points[c], points[d]];
    if (turn(pa, pd, pc) <= 0 || turn(pd, pb, pc) <= 0) continue;
    if (inCircle(pa, pb, pc, pd) <= 0) continue;
    triangles.set([a, d, c], s);
    triangles.set([d, b, c], t);
    owners.delete(key);
    owners.set(edgeKey(c, d, count), [s, t]);
    const [ad, bc] = [edgeKey(a, d, count), edgeKey(b, c, count)];
    move(ad, t, s);
    move(bc, s, t);
    for (const edge of [ad, edgeKey(d, b, count), bc, edgeKey(c, a, count)]) {
      if (!fixed.has(edge)) waiting.push(edge);
    }
  }
  return triangles;
}
