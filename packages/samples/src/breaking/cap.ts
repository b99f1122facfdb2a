// Fills the loops that a plane cuts out of a solid, including holes: bridges join holes to the loops around them,
// then ears are clipped (Meisters 1975), the one with the shortest new edge first. A loop of n corners gives n − 2
// triangles whatever rounding did to it, and every bridge is passed once in each direction. So the boundary of the
// triangles is always the loops, and a piece is closed even if a loop touches itself.

/** Corners in order, as indices of points. */
type Loop = readonly number[];

/**
 * `x` and `y` are the coordinates of each point in the plane, seen from outside; outer loops run counter-clockwise,
 * holes clockwise.
 */
export function fillLoops(loops: readonly Loop[], x: Float64Array, y: Float64Array): number[] {
  const area = (loop: Loop): number => {
    let sum = 0;
    for (let i = 0; i < loop.length; i++) {
      const [p, q] = [loop[i], loop[(i + 1) % loop.length]];
      sum += x[p] * y[q] - x[q] * y[p];
    }
    return sum / 2;
  };
  const outer = loops
    .filter(loop => area(loop) > 0)
    .map(loop => ({ loop, area: area(loop), holes: [] as Loop[] }));
  const alone: Loop[] = [];
  for (const hole of loops.filter(loop => !(area(loop) > 0))) {
    const around = outer.filter(({ loop }) => holds(loop, hole[0], x, y));
    // A flat loop in no other encloses nothing; it is filled only for its edges.
    if (around.length === 0) alone.push(hole);
    else around.reduce((best, next) => (next.area < best.area ? next : best)).holes.push(hole);
  }
  const rings = [...outer.map(({ loop, holes }) => bridged(loop, holes, x, y)), ...alone];
  return rings.flatMap(ring => clipEars(ring, x, y));
}

/** Whether a point lies in a loop, by how often a ray to the right crosses it. */
function holds(loop: Loop, point: number, x: Float64Array, y: Float64Array): boolean {
  const [px, py] = [x[point], y[point]];
  let inside = false;
  for (let i = 0; i < loop.length; i++) {
    const [p, q] = [loop[i], loop[(i + 1) % loop.length]];
    if (y[p] > py === y[q] > py) continue;
    if (px < x[p] + ((py - y[p]) / (y[q] - y[p])) * (x[q] - x[p])) inside = !inside;
  }
  return inside;
}

/** One ring: the hole that reaches farthest to the right is joined first, because only the ring lies beyond it. */
function bridged(outline: Loop, holes: readonly Loop[], x: Float64Array, y: Float64Array): Loop {
  const rightmost = (hole: Loop): number => hole.reduce((best, p) => (x[p] > x[best] ? p : best));
  const ordered = [...holes].sort((a, b) => x[rightmost(b)] - x[rightmost(a)]);
  let ring = outline;
  ordered.forEach((hole, done) => {
    const from = rightmost(hole);
    const walls = [ring, ...ordered.slice(done)];
    const distance = (p: number): number => squareApart(p, from, x, y);
    const nearest = ring.map((_, i) => i).sort((i, j) => distance(ring[i]) - distance(ring[j]) || i - j);
    const free = nearest.find(i => walls.every(wall => seen(from, ring[i], wall, x, y)));
    const at = free ?? nearest[0];
    const start = hole.indexOf(from);
    ring = [...ring.slice(0, at + 1), ...hole.slice(start), ...hole.slice(0, start + 1), ...ring.slice(at)];
  });
  return ring;
}

function squareApart(a: number, b: number, x: Float64Array, y: Float64Array): number {
  const [dx, dy] = [x[a] - x[b], y[a] - y[b]];
  return dx * dx + dy * dy;
}

const turn = (a: number, b: number, c: number, x: Float64Array, y: Float64Array): number =>
  (x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a]);

/** Whether a segment crosses no side of a loop. */
function seen(p: number, q: number, wall: Loop, x: Float64Array, y: Float64Array): boolean {
  return wall.every((a, i) => {
    const b = wall[(i + 1) % wall.length];
    if (a === p || a === q || b === p || b === q) return true;
    return (
      turn(p, q, a, x, y) > 0 === turn(p, q, b, x, y) > 0 ||
      turn(a, b, p, x, y) > 0 === turn(a, b, q, x, y) > 0
    );
  });
}

function clipEars(ring: Loop, x: Float64Array, y: Float64Array): number[] {
  const corners = [...ring];
  const across = (i: number): number => {
    const [a, b, c] = cornersAt(corners, i);
    return turn(a, b, c, x, y) > 0 ? squareApart(a, c, x, y) : Infinity;
  };
  /** Per corner, the square of the edge that clipping it would leave; a reflex corner is not an ear. */
  const squared = corners.map((_, i) => across(i));
  const triangles: number[] = [];
  while (corners.length > 3) {
    const ear = nextEar(corners, squared, x, y);
    const n = corners.length;
    triangles.push(corners[(ear + n - 1) % n], corners[ear], corners[(ear + 1) % n]);
    corners.splice(ear, 1);
    squared.splice(ear, 1);
    for (const i of [ear - 1, ear]) {
      const changed = (i + n - 1) % (n - 1);
      squared[changed] = across(changed);
    }
  }
  return corners.length === 3 ? [...triangles, ...corners] : triangles;
}

/** The ear with the shortest new edge; if rounding has left no ear, the corner with the shortest. */
function nextEar(corners: Loop, squared: readonly number[], x: Float64Array, y: Float64Array): number {
  const refused = new Set<number>();
  while (true) {
    let best = -1;
    let least = Infinity;
    for (let i = 0; i < corners.length; i++) {
      if (squared[i] < least && !refused.has(i)) {
        best = i;
        least = squared[i];
      }
    }
    if (best < 0) break;
    if (isEar(corners, best, x, y)) return best;
    refused.add(best);
  }
  const edges = corners.map((_, i) => {
    const [a, , c] = cornersAt(corners, i);
    return squareApart(a, c, x, y);
  });
  return edges.reduce((best, edge, i) => (edge < edges[best] ? i : best), 0);
}

/** A corner between those beside it. */
function cornersAt(corners: Loop, i: number): [number, number, number] {
  const n = corners.length;
  return [corners[(i + n - 1) % n], corners[i], corners[(i + 1) % n]];
}

function isEar(corners: Loop, i: number, x: Float64Array, y: Float64Array): boolean {
  const [a, b, c] = cornersAt(corners, i);
  if (!(turn(a, b, c, x, y) > 0)) return false;
  const same = (p: number, q: number): boolean => x[p] === x[q] && y[p] === y[q];
  for (const p of corners) {
    if (turn(a, b, p, x, y) < 0 || turn(b, c, p, x, y) < 0 || turn(c, a, p, x, y) < 0) continue;
    if (!(same(p, a) || same(p, b) || same(p, c))) return false;
  }
  return true;
}
