// A bare tree: tapering tubes that bend towards the light, branches on the trunk, boughs on the branches, twigs on
// the boughs. Every tube is closed and begins inside the one it grows from. It stands on the floor z = 0 and is about
// 4 m tall.

import { type Mesh, mesh, type shapes } from 'nearfield';
import { exponential, sine, unitAt } from '../elementary.ts';
import { cross, length, plus, times, type Vector } from '../rigid/vector.ts';

export interface Tree {
  readonly branches: Mesh;
  /** A place for a leaf: a point on a twig and the direction of the leaf. */
  readonly buds: readonly Bud[];
}

export interface Bud {
  readonly place: Vector;
  readonly outwards: Vector;
}

/** Per kind of branch: how many per branch of the previous kind, length, thickness, and fineness. */
const kinds = [
  { count: 1, long: 2.3, thick: 0.17, sides: 24, rings: 40, spread: 0, bend: 0.05 },
  { count: 7, long: 1.5, thick: 0.075, sides: 14, rings: 20, spread: 0.95, bend: 0.3 },
  { count: 4, long: 0.85, thick: 0.036, sides: 8, rings: 12, spread: 0.8, bend: 0.2 },
  { count: 4, long: 0.42, thick: 0.015, sides: 6, rings: 4, spread: 0.75, bend: 0.1 },
] as const;
const golden = Math.PI * (3 - Math.sqrt(5));

interface Branch {
  readonly start: Vector;
  readonly direction: Vector;
  readonly long: number;
  readonly thick: number;
  readonly bend: number;
}

/** 16,592 triangles if `fineness` is 1; in general about its square times that. */
export function growTree(random: shapes.Random, fineness = 1): Tree {
  const positions: number[] = [];
  const indices: number[] = [];
  const buds: Bud[] = [];
  const grow = (level: number, branch: Branch): void => {
    const { sides, rings } = kinds[level];
    addTube(positions, indices, branch, scaled(sides, fineness, 3), scaled(rings, fineness, 2));
    if (level + 1 === kinds.length) {
      for (const along of [0.55, 0.8, 1])
        buds.push({ place: pointOn(branch, along), outwards: branch.direction });
      return;
    }
    const { count, long, thick, spread, bend } = kinds[level + 1];
    const turn = random.between(0, 2 * Math.PI);
    for (let i = 0; i < count; i++) {
      const along = level === 0 ? 0.5 + (0.5 * i) / (count - 1) : 0.35 + (0.62 * (i + 1)) / count;
      const lean = spread * random.between(0.75, 1.2) * (level === 0 && i === count - 1 ? 0.25 : 1);
      // Branches near the foot are longer than those near the top.
      const share = (level === 0 ? 1.2 - 0.45 * along : 1.1 - 0.3 * along) * random.between(0.85, 1.15);
      grow(level + 1, {
        start: pointOn(branch, along),
        direction: leaningBy(tangentOf(branch, along), lean, turn + golden * i),
        long: long * share,
        thick: Math.min(thick, 0.8 * radiusAt(branch, along)),
        bend,
      });
    }
  };
  const { long, thick, bend } = kinds[0];
  grow(0, { start: [0, 0, -0.1], direction: [0, 0, 1], long, thick, bend });
  return { branches: mesh(Float64Array.from(positions), Uint32Array.from(indices)), buds };
}

const scaled = (count: number, by: number, least: number): number => Math.max(least, Math.round(count * by));

/** Straight at first, then bending upwards more and more. */
function pointOn({ start, direction, long, bend }: Branch, along: number): Vector {
  const straight = plus(start, direction, long * along);
  return plus(straight, [0, 0, 1], bend * long * along * along);
}

function tangentOf({ direction, bend }: Branch, along: number): Vector {
  const v = plus(direction, [0, 0, 1], 2 * bend * along);
  return times(v, 1 / length(v));
}

/** Thicker at the foot. */
const radiusAt = ({ thick }: Branch, along: number): number =>
  thick * (1 - 0.72 * along + 0.35 * exponential(-14 * along));

function leaningBy(direction: Vector, angle: number, around: number): Vector {
  const [u, v] = across(direction);
  return inPlane(direction, inPlane(u, v, around), angle);
}

/** The direction at an angle from the first of two perpendicular directions towards the second. */
function inPlane(u: Vector, v: Vector, angle: number): Vector {
  const [cos, sin] = unitAt(angle);
  return plus(times(u, cos), v, sin);
}

/** Two directions at right angles to one and to each other. */
function across(direction: Vector): [Vector, Vector] {
  const other: Vector = Math.abs(direction[0]) < 0.8 ? [1, 0, 0] : [0, 1, 0];
  const u = cross(direction, other);
  const unit = times(u, 1 / length(u));
  return [unit, cross(direction, unit)];
}

/** 2·sides·rings triangles: a ring of vertices per place, and a point at both ends. */
function addTube(positions: number[], indices: number[], branch: Branch, sides: number, rings: number): void {
  const first = positions.length / 3;
  const [u] = across(branch.direction);
  const add = (p: Vector): void => {
    positions.push(p[0], p[1], p[2]);
  };
  add(plus(branch.start, branch.direction, -0.3 * branch.thick));
  for (let ring = 0; ring < rings; ring++) {
    const along = ring / rings;
    const [center, tangent] = [pointOn(branch, along), tangentOf(branch, along)];
    // The bend is planar, so u made perpendicular to the tangent does not twist about it.
    const side = plus(u, tangent, -(u[0] * tangent[0] + u[1] * tangent[1] + u[2] * tangent[2]));
    const a = times(side, 1 / length(side));
    const b = cross(tangent, a);
    for (let i = 0; i < sides; i++) {
      const angle = (2 * Math.PI * i) / sides;
      const radius = radiusAt(branch, along) * (1 + 0.06 * sine(3 * angle + 5 * along));
      add(plus(center, inPlane(a, b, angle), radius));
    }
  }
  add(pointOn(branch, 1));
  const at = (ring: number, i: number): number => first + 1 + ring * sides + (i % sides);
  const last = at(rings, 0);
  for (let i = 0; i < sides; i++) {
    indices.push(first, at(0, i + 1), at(0, i), at(rings - 1, i), at(rings - 1, i + 1), last);
    for (let ring = 0; ring + 1 < rings; ring++) {
      indices.push(at(ring, i), at(ring, i + 1), at(ring + 1, i));
      indices.push(at(ring, i + 1), at(ring + 1, i + 1), at(ring + 1, i));
    }
  }
}
