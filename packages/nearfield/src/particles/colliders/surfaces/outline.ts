// Tells whether a place on a surface belongs to the collider: outlines of planes and constraints c(p) ≥ 0 (Knott,
// section 3.2.3). Borders belong to it, those of holes too. Polygons are decided by exact orientation of the place's
// two coordinates. For sealed colliders borders extend by `grow`.

import { orient2d } from 'robust-predicates';
import { aFlag, bad, inWords } from '../../../core/arguments.ts';
import { atLeastZero, finiteNumber, finiteVector, positive, unitVector } from '../../check.ts';
import { boundNumbers, type CompiledOutline, type CompiledPlane } from '../../compiled.ts';
import type { Bound, Loop, Outline, Vector } from '../shapes.ts';

export function compileOutline(given: Outline | undefined, what: string): CompiledOutline {
  const plain = (kind: CompiledOutline['kind'], ...numbers: number[]): CompiledOutline => ({
    kind,
    numbers: Float64Array.from(numbers),
    loops: [],
  });
  if (given === undefined) return plain('all');
  if (typeof given !== 'object' || given === null)
    throw bad(`${what}: within must be an outline, not ${inWords(given)}`);
  if ('disc' in given) return plain('disc', positive(given.disc, `${what}: the disc's radius`));
  if ('rectangle' in given) {
    const halves = [0, 1].map(i => positive(given.rectangle?.[i], `${what}: the rectangle's half width`));
    return plain('rectangle', ...halves);
  }
  if ('ring' in given) {
    const inner = atLeastZero(given.ring?.[0], `${what}: the ring's inner radius`);
    const outer = positive(given.ring[1], `${what}: the ring's outer radius`);
    if (inner >= outer)
      throw bad(`${what}: the ring's inner radius ${inner} is not below the outer, ${outer}`);
    return plain('ring', inner, outer);
  }
  if (!('polygon' in given)) throw bad(`${what}: within must be a disc, a rectangle, a ring or a polygon`);
  const { polygon, holes = [] } = given;
  if (!Array.isArray(holes)) throw bad(`${what}: holes must be a list of loops, not ${inWords(holes)}`);
  const loops = [polygon, ...(holes as readonly Loop[])].map((loop, i) =>
    compileLoop(loop, `${what}: ${i === 0 ? 'the polygon' : `hole ${i - 1}`}`),
  );
  const box = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < loops[0].length; i++) {
    const axis = 2 * (i % 2);
    box[axis] = Math.min(box[axis], loops[0][i]);
    box[axis + 1] = Math.max(box[axis + 1], loops[0][i]);
  }
  return { kind: 'polygon', numbers: Float64Array.from(box), loops };
}

/** Requires at least three corners, and that edges meet only their neighbours, in the common corner. */
function compileLoop(given: Loop, what: string): Float64Array {
  if (!Array.isArray(given) || given.length < 3)
    throw bad(`${what} needs at least three corners of two numbers`);
  const loop = new Float64Array(2 * given.length);
  given.forEach((corner, i) => {
    for (let axis = 0; axis < 2; axis++)
      loop[2 * i + axis] = finiteNumber(corner?.[axis], `${what}, corner ${i}`);
  });
  const n = given.length;
  const [x, y] = [(i: number) => loop[2 * (i % n)], (i: number) => loop[2 * (i % n) + 1]];
  const turn = (a: number, b: number, c: number) => orient2d(x(a), y(a), x(b), y(b), x(c), y(c));
  for (let i = 0; i < n; i++) {
    const next = i + 1;
    // An edge of length 0, or one that runs back along the last.
    const back = (x(next) - x(i)) * (x(i + 2) - x(next)) + (y(next) - y(i)) * (y(i + 2) - y(next));
    const bends = turn(i, next, i + 2) !== 0 || back > 0;
    if ((x(i) === x(next) && y(i) === y(next)) || !bends)
      throw bad(`${what} folds onto itself at corner ${next % n}`);
    for (let j = i + 2; j < n && j - i < n - 1; j++) {
      if (edgesMeet(loop, i, j, n)) throw bad(`${what} is not simple: its edges ${i} and ${j} meet`);
    }
  }
  return loop;
}

function edgesMeet(loop: Float64Array, i: number, j: number, n: number): boolean {
  const [a, b, c, d] = [i, (i + 1) % n, j, (j + 1) % n].map(k => [loop[2 * k], loop[2 * k + 1]]);
  const side = (p: number[], q: number[], r: number[]) =>
    Math.sign(orient2d(p[0], p[1], q[0], q[1], r[0], r[1]));
  const holds = (p: number[], q: number[], r: number[]) =>
    Math.min(p[0], q[0]) <= r[0] &&
    r[0] <= Math.max(p[0], q[0]) &&
    Math.min(p[1], q[1]) <= r[1] &&
    r[1] <= Math.max(p[1], q[1]);
  const [abc, abd, cda, cdb] = [side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b)];
  if (abc * abd < 0 && cda * cdb < 0) return true;
  return (
    (abc === 0 && holds(a, b, c)) ||
    (abd === 0 && holds(a, b, d)) ||
    (cda === 0 && holds(c, d, a)) ||
    (cdb === 0 && holds(c, d, b))
  );
}

export function compileBounds(
  given: readonly Bound[] | undefined,
  box: readonly [Vector, Vector] | undefined,
  what: string,
): Float64Array {
  const rows: number[] = [];
  if (given !== undefined && !Array.isArray(given))
    throw bad(`${what}: bounds must be an array, not ${inWords(given)}`);
  (given ?? []).forEach((bound, i) => {
    const name = `${what}: bound ${i}`;
    if (typeof bound !== 'object' || bound === null)
      throw bad(`${name} must be an object, not ${inWords(bound)}`);
    if ('ball' in bound) {
      const centre = finiteVector(bound.ball?.centre, `${name}: centre`);
      if (bound.outside !== undefined) aFlag(bound.outside, `${name}: outside`);
      rows.push(bound.outside ? 2 : 1, ...centre, positive(bound.ball.radius, `${name}: radius`));
    } else {
      // The offset is divided by the normal's length too.
      const normal = finiteVector(bound.normal, `${name}: normal`);
      const unit = unitVector(normal, `${name}: normal`);
      const axis = [0, 1, 2].reduce((a, b) => (Math.abs(normal[b]) > Math.abs(normal[a]) ? b : a));
      rows.push(0, ...unit, finiteNumber(bound.offset, `${name}: offset`) * (unit[axis] / normal[axis]));
    }
  });
  if (box !== undefined) {
    const low = finiteVector(box?.[0], `${what}: box's low corner`);
    const high = finiteVector(box[1], `${what}: box's high corner`);
    for (let axis = 0; axis < 3; axis++) {
      if (!(low[axis] <= high[axis])) throw bad(`${what}: the box's low corner is not below its high corner`);
      const unit = [0, 0, 0];
      unit[axis] = 1;
      rows.push(0, ...unit, high[axis]);
      unit[axis] = -1;
      rows.push(0, ...unit, -low[axis]);
    }
  }
  return Float64Array.from(rows);
}

/** Tells whether a place (own coordinates) satisfies all constraints, each widened by `grow`. */
export function withinBounds(bounds: Float64Array, x: number, y: number, z: number, grow: number): boolean {
  for (let at = 0; at < bounds.length; at += boundNumbers) {
    const bx = bounds[at + 1];
    const by = bounds[at + 2];
    const bz = bounds[at + 3];
    const w = bounds[at + 4];
    if (bounds[at] === 0) {
      if (!(bx * x + by * y + bz * z <= w + grow)) return false;
      continue;
    }
    const dx = x - bx;
    const dy = y - by;
    const dz = z - bz;
    const squared = dx * dx + dy * dy + dz * dz;
    if (bounds[at] === 1 ? squared > (w + grow) ** 2 : squared < inner(w, grow)) return false;
  }
  return true;
}

/** The square of a radius reduced by `grow`. */
const inner = (radius: number, grow: number): number => Math.max(0, radius - grow) ** 2;

/** Tells whether a place on the plane lies in the outline widened by `grow`. */
export function withinOutline(
  { point, right, up, outline }: CompiledPlane,
  x: number,
  y: number,
  z: number,
  grow: number,
): boolean {
  const { kind, numbers } = outline;
  if (kind === 'all') return true;
  const dx = x - point[0];
  const dy = y - point[1];
  const dz = z - point[2];
  const a = right[0] * dx + right[1] * dy + right[2] * dz;
  const b = up[0] * dx + up[1] * dy + up[2] * dz;
  if (kind === 'rectangle') return Math.abs(a) <= numbers[0] + grow && Math.abs(b) <= numbers[1] + grow;
  const squared = a * a + b * b;
  if (kind === 'disc') return squared <= (numbers[0] + grow) ** 2;
  if (kind === 'ring') return squared >= inner(numbers[0], grow) && squared <= (numbers[1] + grow) ** 2;
  if (!(a >= numbers[0] - grow && a <= numbers[1] + grow)) return false;
  if (!(b >= numbers[2] - grow && b <= numbers[3] + grow)) return false;
  const { loops } = outline;
  if (sideOfLoop(loops[0], a, b) < 0 && !isNear(loops[0], a, b, grow)) return false;
  for (let i = 1; i < loops.length; i++) {
    if (sideOfLoop(loops[i], a, b) > 0 && !isNear(loops[i], a, b, grow)) return false;
  }
  return true;
}

/** Tells whether a place is no farther than `grow` from an edge. */
function isNear(loop: Float64Array, x: number, y: number, grow: number): boolean {
  if (grow === 0) return false;
  let ax = loop[loop.length - 2];
  let ay = loop[loop.length - 1];
  for (let at = 0; at < loop.length; at += 2) {
    const ex = loop[at] - ax;
    const ey = loop[at + 1] - ay;
    const squared = ex * ex + ey * ey;
    const share = Math.max(0, Math.min(1, ((x - ax) * ex + (y - ay) * ey) / squared));
    const dx = x - ax - share * ex;
    const dy = y - ay - share * ey;
    if (dx * dx + dy * dy <= grow * grow) return true;
    ax = loop[at];
    ay = loop[at + 1];
  }
  return false;
}

/** 1 inside, 0 on the border, −1 outside: counts the edges that a ray to the left crosses, each decided exactly. */
function sideOfLoop(loop: Float64Array, x: number, y: number): number {
  let inside = -1;
  let ax = loop[loop.length - 2];
  let ay = loop[loop.length - 1];
  for (let at = 0; at < loop.length; at += 2) {
    const bx = loop[at];
    const by = loop[at + 1];
    if (ay > y !== by > y || ay === y || by === y) {
      // Positive if (x, y) is on the right of a→b, with y upwards.
      const turn = orient2d(ax, ay, bx, by, x, y);
      const across = Math.min(ax, bx) <= x && x <= Math.max(ax, bx);
      if (turn === 0 && across && Math.min(ay, by) <= y && y <= Math.max(ay, by)) return 0;
      if (ay > y !== by > y && turn > 0 === by > ay) inside = -inside;
    }
    ax = bx;
    ay = by;
  }
  return inside;
}
