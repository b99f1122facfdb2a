// Small seeded scenes for the oracle suite, from general position to complete degeneracy.

import { type Mesh, mesh, shapes } from 'nearfield';

export interface Part {
  readonly mesh: Mesh;
  readonly pose: readonly number[];
}

type Random = shapes.Random;

export const translation = (x: number, y: number, z: number): number[] => [
  ...[1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
  ...[x, y, z, 1],
];

/** A rotation by a random angle about a random axis, then a translation. */
export function rigid(random: Random, reach: number): number[] {
  const [x, y, z] = random.direction();
  const angle = random.between(0, 2 * Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  return [
    ...[t * x * x + c, t * x * y + s * z, t * x * z - s * y, 0],
    ...[t * x * y - s * z, t * y * y + c, t * y * z + s * x, 0],
    ...[t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0],
    ...[random.between(-reach, reach), random.between(-reach, reach), random.between(-reach, reach), 1],
  ];
}

/** Any regular affine pose: rotation, uneven scale, shear, sometimes a mirror. */
export function affine(random: Random, reach: number): number[] {
  const pose = rigid(random, reach);
  for (let column = 0; column < 3; column++) {
    const scale = random.between(0.25, 2) * (random.integer(4) === 0 ? -1 : 1);
    const shear = random.between(-0.5, 0.5);
    for (let row = 0; row < 3; row++) {
      pose[4 * column + row] = scale * pose[4 * column + row] + shear * pose[(4 * (column + 1) + row) % 12];
    }
  }
  return pose;
}

/** One of the 48 symmetries of the cube and an integer translation: exact on grids, mirrors included. */
export function gridPose(random: Random, reach: number): number[] {
  const axes = [0, 1, 2];
  for (let i = 2; i > 0; i--) {
    const j = random.integer(i + 1);
    [axes[i], axes[j]] = [axes[j], axes[i]];
  }
  const pose = translation(0, 0, 0).fill(0, 0, 12);
  for (let column = 0; column < 3; column++) pose[4 * column + axes[column]] = random.integer(2) * 2 - 1;
  for (let axis = 0; axis < 3; axis++) pose[12 + axis] = random.integer(2 * reach + 1) - reach;
  return pose;
}

/** Triangles with corners drawn by `coordinate`; about one in eight repeats a corner. */
export function soup(random: Random, triangles: number, coordinate: () => number): Mesh {
  const positions: number[] = [];
  for (let t = 0; t < triangles; t++) {
    const corners = [0, 1, 2].map(() => [coordinate(), coordinate(), coordinate()]);
    if (random.integer(8) === 0) corners[random.integer(3)] = corners[random.integer(3)];
    positions.push(...corners.flat());
  }
  return mesh(new Float64Array(positions));
}

/** Every triangle divided into four at its edges' midpoints: exact if coordinates are short dyadic fractions. */
export function subdivided(given: Mesh): Mesh {
  const positions: number[] = [];
  for (let t = 0; t < given.triangleCount; t++) {
    const corner = (i: number): number[] => {
      const v = 3 * given.indices[3 * t + (i % 3)];
      return [given.positions[v], given.positions[v + 1], given.positions[v + 2]];
    };
    const middle = (i: number): number[] => corner(i).map((c, axis) => (c + corner(i + 1)[axis]) / 2);
    for (let i = 0; i < 3; i++) positions.push(...corner(i), ...middle(i), ...middle(i + 2));
    for (let i = 0; i < 3; i++) positions.push(...middle(i));
  }
  return mesh(new Float64Array(positions));
}

/** A solid of unit cubes on the grid, one box per cube: touching, sharing edges and corners. */
export function cubes(random: Random, count: number, extent: number): Mesh {
  const box = shapes.box({ size: [1, 1, 1] });
  const positions: number[] = [];
  for (let i = 0; i < count; i++) {
    const offset = [random.integer(extent), random.integer(extent), random.integer(extent)];
    for (const v of box.indices)
      for (let axis = 0; axis < 3; axis++) positions.push(box.positions[3 * v + axis] + offset[axis]);
  }
  return mesh(new Float64Array(positions));
}

export interface Kind {
  readonly name: string;
  /** Whether the scene is in general position: then few tests may be unsure. */
  readonly general: boolean;
  parts(random: Random): Part[];
}

/** The kinds of scenes of the oracle suite; about `size` triangles per soup. */
export function kinds(size: number): Kind[] {
  const several = (random: Random, part: () => Part): Part[] =>
    Array.from({ length: 2 + random.integer(3) }, part);
  return [
    {
      name: 'soups in general position',
      general: true,
      parts: random =>
        several(random, () => ({
          mesh: soup(random, size, () => random.between(-1, 1)),
          pose: rigid(random, 0.5),
        })),
    },
    {
      name: 'soups under shear, scale and mirrors',
      general: true,
      parts: random =>
        several(random, () => ({
          mesh: soup(random, size, () => random.between(-1, 1)),
          pose: affine(random, 0.5),
        })),
    },
    {
      name: 'soups on a small grid, where most pairs touch or are coplanar',
      general: false,
      parts: random =>
        several(random, () => ({
          mesh: soup(random, size, () => random.integer(4)),
          pose: gridPose(random, 2),
        })),
    },
    {
      name: 'the same far from the origin',
      general: false,
      parts: random =>
        several(random, () => {
          const pose = gridPose(random, 2);
          for (let axis = 0; axis < 3; axis++) pose[12 + axis] += 1e6;
          return { mesh: soup(random, size, () => random.integer(4)), pose };
        }),
    },
    {
      name: 'unit cubes on the grid',
      general: false,
      parts: random =>
        several(random, () => ({
          mesh: cubes(random, 1 + random.integer(size >> 3), 3),
          pose: gridPose(random, 2),
        })),
    },
    {
      name: 'spheres, tori and knots',
      general: true,
      parts: random =>
        several(random, () => ({
          mesh: [
            shapes.uvSphere({ segments: 8, rings: 5 }),
            shapes.torus({ majorSegments: 8, minorSegments: 5 }),
            shapes.icosphere({ frequency: 2 }),
          ][random.integer(3)],
          pose: rigid(random, 1),
        })),
    },
    {
      name: 'tiny and huge coordinates',
      general: true,
      parts: random => {
        const scale = 2 ** (random.integer(240) - 120);
        return several(random, () => ({
          mesh: soup(random, size, () => scale * random.between(-1, 1)),
          pose: rigid(random, 0.5 * scale),
        }));
      },
    },
  ];
}
