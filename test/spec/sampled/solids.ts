// Solids for methods that sample, and the size of an interference: a ball that is certainly in both bodies.

import { type Body, type CpuScene, type Mesh, mesh, shapes } from 'nearfield';
import { type Part, rigid, subdivided } from '../scenes.ts';

type Random = shapes.Random;
export type Triple = readonly [number, number, number];

/** Several meshes as one. */
export function joined(...parts: readonly Mesh[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    positions.push(...part.positions);
    indices.push(...Array.from(part.indices, index => first + index));
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}

export const boxBetween = (low: Triple, high: Triple): Mesh =>
  shapes.box({
    size: [high[0] - low[0], high[1] - low[1], high[2] - low[2]],
    center: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
  });

/** A star with points all around: as far from convex as a cone of any kind. */
export function star(points: number, inner: number, outer = 1): Mesh {
  const outline = Array.from({ length: 2 * points }, (_, k): [number, number] => {
    const angle = (Math.PI * k) / points;
    const radius = k % 2 === 0 ? outer : inner;
    return [radius * Math.cos(angle), radius * Math.sin(angle)];
  });
  return shapes.extrude({ outline, from: -0.25, to: 0.25 });
}

/** Teeth upwards from a back. */
export const comb = (teeth: number, height: number): Mesh =>
  shapes.extrude({
    outline: [
      [0, -0.2],
      [2 * teeth - 1, -0.2],
      ...Array.from({ length: teeth }, (_, k): [number, number][] => {
        const x = 2 * (teeth - 1 - k);
        const tooth: [number, number][] = [
          [x + 1, height],
          [x, height],
        ];
        return k === teeth - 1 ? tooth : [...tooth, [x, 0], [x - 1, 0]];
      }).flat(),
    ],
    from: 0,
    to: 1,
  });

const makers: readonly ((random: Random) => Mesh)[] = [
  random => shapes.box({ size: [random.between(0.3, 2), random.between(0.3, 2), random.between(0.3, 2)] }),
  () => shapes.torus({ majorRadius: 0.8, minorRadius: 0.25, majorSegments: 12, minorSegments: 8 }),
  random => star(5, random.between(0.3, 0.6)),
  () => shapes.icosphere({ radius: 0.6, frequency: 3 }),
  () => subdivided(shapes.box({ size: [1, 0.5, 0.5] })),
  () => shapes.torusKnot({ segments: 40, sides: 5 }),
];

export const solidParts = (random: Random, count: number, reach: number): Part[] =>
  Array.from({ length: count }, () => ({
    mesh: makers[random.integer(makers.length)](random),
    pose: rigid(random, reach),
  }));

/**
 * The diameter of a ball that lies in both bodies, the largest of those around random points; for a scene on the CPU.
 */
export function commonBall(
  scene: CpuScene,
  a: Body,
  b: Body,
  box: ArrayLike<number>,
  random: Random,
  points = 400,
): number {
  const tried = Float64Array.from({ length: 3 * points }, (_, i) =>
    random.between(box[i % 3], box[(i % 3) + 3]),
  );
  let radii = new Float64Array(points).fill(Infinity);
  for (const body of [a, b]) {
    const places = scene.insideSync(body, tried);
    const { distances } = scene.closestSync(body, tried);
    radii = radii.map((radius, i) => (places[i] === 1 ? Math.min(radius, distances[i]) : 0));
  }
  return 2 * Math.max(...radii);
}

/** The world box of a body. */
export function worldBox({ mesh: { positions }, pose }: Body): Float64Array {
  const box = new Float64Array([Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity]);
  for (let i = 0; i < positions.length; i += 3) {
    for (let row = 0; row < 3; row++) {
      const x =
        pose[row] * positions[i] +
        pose[4 + row] * positions[i + 1] +
        pose[8 + row] * positions[i + 2] +
        pose[12 + row];
      box[row] = Math.min(box[row], x);
      box[row + 3] = Math.max(box[row + 3], x);
    }
  }
  return box;
}

export function boxInCommon(a: Body, b: Body): Float64Array {
  const [p, q] = [worldBox(a), worldBox(b)];
  return p.map((value, i) => (i < 3 ? Math.max(value, q[i]) : Math.min(value, q[i])));
}
