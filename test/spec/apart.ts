// If an engine says that boxes are apart, a plane separates them: boxes among boxes, large and small, nested and
// stretched, near the origin and far from it. The oracle projects world corners on the fifteen directions of the
// separating axis theorem.

import { expect } from 'vitest';
import type { Engine } from '../../packages/nearfield/src/bodies/engine.ts';
import type { Placed, SnapshotSource } from '../../packages/nearfield/src/bodies/snapshot/snapshot.ts';
import { interfere } from '../../packages/nearfield/src/interferences/driver.ts';
import {
  firstOutside,
  isApart,
  secondOutside,
  type Traversal,
} from '../../packages/nearfield/src/interferences/request.ts';
import { multiplyPoses, type Pose } from '../../packages/nearfield/src/math/pose.ts';
import { box } from '../../packages/nearfield/src/shapes/index.ts';
import { randomFrom } from '../oracle/triangles/generators.ts';

type Vector = readonly [number, number, number];

/** Boxes within reach of each other, a third of them ten times smaller than the rest. */
export function boxesApart(seed: number, count: number, far: number, random = randomFrom(seed)): Placed[] {
  const shape = { mesh: box({ size: [1, 0.6, 1.4] }), positions: box({ size: [1, 0.6, 1.4] }).positions };
  const side = Math.cbrt(count);
  return Array.from({ length: count }, (_, i) => {
    const size = i % 3 === 0 ? 0.1 : 1;
    const stretch = new Float64Array(16);
    for (let axis = 0; axis < 3; axis++) stretch[5 * axis] = size * (0.5 + random());
    stretch[15] = 1;
    const pose = multiplyPoses(turned(random), stretch);
    for (let axis = 0; axis < 3; axis++) pose[12 + axis] = far + side * random();
    return { shape: { ...shape, revision: 0 }, pose, poseRevision: 0 };
  });
}

function turned(random: () => number): Pose {
  const q = [random() - 0.5, random() - 0.5, random() - 0.5, random() - 0.5];
  const length = Math.hypot(...q);
  const [x, y, z, w] = q.map(value => value / length);
  return Float64Array.of(
    ...[1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w), 0],
    ...[2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w), 0],
    ...[2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y), 0],
    ...[0, 0, 0, 1],
  );
}

const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const columnOf = ({ pose }: Placed, c: number): Vector => [pose[4 * c], pose[4 * c + 1], pose[4 * c + 2]];

/** From where to where two boxes reach along a direction that is not zero. */
function spansAlong(direction: Vector, a: Placed, b: Placed): number[][] {
  const length = Math.hypot(...direction);
  return [a, b].map(({ shape, pose }) => {
    let [low, high] = [Infinity, -Infinity];
    for (let v = 0; v < shape.positions.length; v += 3) {
      let along = 0;
      for (let row = 0; row < 3; row++) {
        const [x, y, z] = shape.positions.subarray(v, v + 3);
        // Relative to a, so that nothing is lost far from the origin.
        const world =
          pose[row] * x + pose[4 + row] * y + pose[8 + row] * z + (pose[12 + row] - a.pose[12 + row]);
        along += (world * direction[row]) / length;
      }
      low = Math.min(low, along);
      high = Math.max(high, along);
    }
    return [low, high];
  });
}

/** Largest gap between the world corners of two boxes along face normals, and along all directions. */
function gaps(a: Placed, b: Placed): { faces: number; all: number } {
  const edges = [a, b].map(body => [0, 1, 2].map(c => columnOf(body, c)));
  const faces = edges.flatMap(([x, y, z]) => [cross(x, y), cross(y, z), cross(z, x)]);
  const others = edges[0].flatMap(p => edges[1].map(q => cross(p, q)));
  const gapAlong = (direction: Vector): number => {
    if (Math.hypot(...direction) === 0) return -Infinity;
    const [first, second] = spansAlong(direction, a, b);
    return Math.max(first[0] - second[1], second[0] - first[1]);
  };
  const ofFaces = Math.max(...faces.map(gapAlong));
  return { faces: ofFaces, all: Math.max(ofFaces, ...others.map(gapAlong)) };
}

/** How far some corner of one box is outside another, along the face normals of that one. */
function overhang(a: Placed, b: Placed): number {
  const [x, y, z] = [0, 1, 2].map(c => columnOf(b, c));
  const normals = [cross(x, y), cross(y, z), cross(z, x)];
  return Math.max(
    ...normals.map(normal => {
      const [own, other] = spansAlong(normal, a, b);
      return Math.max(other[0] - own[0], own[1] - other[1]);
    }),
  );
}

/** World positions are rounded where they are. */
const roundingOf = (bodies: readonly Placed[]): number =>
  1e-12 + 4e-16 * Math.max(...bodies.map(({ pose }) => Math.abs(pose[12])));

/** Asks an engine, compares which boxes it finds to reach out of others with the oracle, and returns the number. */
export async function expectOutside(
  engine: Engine,
  bodies: readonly Placed[],
  note: string,
): Promise<number> {
  const rounding = roundingOf(bodies);
  const { candidates, outside } = await interfere(engine, bodies as SnapshotSource, { detail: 'any' });
  let count = 0;
  for (let c = 0; c < outside!.length; c++) {
    const [a, b] = [bodies[candidates[2 * c]], bodies[candidates[2 * c + 1]]];
    for (const [bit, own, other] of [
      [firstOutside, a, b],
      [secondOutside, b, a],
    ] as const) {
      if ((outside![c] & bit) === 0) continue;
      count++;
      const by = overhang(own, other);
      if (by < -rounding) throw new Error(`${note}: candidate ${c}, bit ${bit}: within by ${-by}`);
    }
  }
  return count;
}

/** Asks an engine, compares what it calls apart with the oracle, and returns the number. */
export async function expectApart(
  engine: Engine,
  bodies: readonly Placed[],
  note: string,
  traversal: Traversal = 'auto',
): Promise<number> {
  const rounding = roundingOf(bodies);
  const { candidates, known } = await interfere(engine, bodies as SnapshotSource, {
    detail: 'any',
    traversal,
  });
  expect(known?.length, note).toBe(candidates.length / 2);
  let count = 0;
  for (let c = 0; c < known!.length; c++) {
    const { faces, all } = gaps(bodies[candidates[2 * c]], bodies[candidates[2 * c + 1]]);
    if (known![c] === isApart && all < -rounding)
      throw new Error(`${note}: candidate ${c} overlaps by ${-all}`);
    if (known![c] !== isApart && faces > 1e-3 && traversal !== 'brute-force') {
      throw new Error(`${note}: candidate ${c} is ${faces} apart, but the engine did not say so`);
    }
    count += known![c];
  }
  return count;
}
