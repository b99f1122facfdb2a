// Small seeded scenes that are hard for images: intersections are smaller than a pixel, seen edge-on, behind
// something else, cut off by the window, or at equal depths.

import { applyPose, type Mesh, mesh, shapes } from 'nearfield';
import { affine, gridPose, type Part, rigid, soup, translation } from '../scenes.ts';

type Random = shapes.Random;

export interface HiddenKind {
  readonly name: string;
  /** Something in it is as large as the window, whatever that is. */
  readonly fills?: true;
  parts(random: Random): Part[];
}

const at = (x: number, y: number, z: number, scale = 1): number[] => [
  ...[scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0],
  ...[x, y, z, 1],
];

const some = <T>(count: number, make: (i: number) => T): T[] =>
  Array.from({ length: count }, (_, i) => make(i));

/** Triangles of a size, each around a place of its own in the unit cube. */
function scattered(random: Random, count: number, size: number): Mesh {
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const centre = some(3, () => random.between(-0.5, 0.5));
    for (let k = 0; k < 9; k++) positions[9 * i + k] = centre[k % 3] + size * random.between(-0.5, 0.5);
  }
  return mesh(positions);
}

/** The same triangles, every coordinate moved by at most so much. */
const shaken = (random: Random, { positions, indices }: Mesh, by: number): Mesh =>
  mesh(
    Float64Array.from(positions, x => x + random.between(-by, by)),
    indices,
  );

/** A long thin triangle through a place. */
const needle = (random: Random, place: readonly number[]): number[] => {
  const along = random.direction();
  const [back, forth] = [random.between(0.2, 1), random.between(0.2, 1)];
  const start = place.map((x, k) => x - back * along[k]);
  const end = place.map((x, k) => x + forth * along[k]);
  return [...start, ...end, ...end.map(x => x + random.between(-0.02, 0.02))];
};

/**
 * The same in the middle of a much wider window: two more bodies, of specks in opposite corners, whose boxes meet
 * each other's and all others'. An image of many pixels then costs no more than a small one of the scene alone.
 */
export function framed(parts: readonly Part[], times: number): Part[] {
  const [{ mesh: shape, pose }] = parts;
  const [low, high] = [Array(3).fill(Infinity), Array(3).fill(-Infinity)];
  const place = new Float64Array(3);
  for (let i = 0; i < shape.positions.length; i += 3) {
    const [x, y, z] = shape.positions.subarray(i, i + 3);
    applyPose(Float64Array.from(pose), x, y, z, place, 0);
    for (let k = 0; k < 3; k++) {
      low[k] = Math.min(low[k], place[k]);
      high[k] = Math.max(high[k], place[k]);
    }
  }
  const reach = (times * Math.max(...high.map((x, k) => x - low[k]))) / 2;
  const corner = (sides: readonly number[]) =>
    some(9, i => (low[i % 3] + high[i % 3]) / 2 + sides[i % 3] * reach * (1 + 1e-4 * ((i * 5) % 7)));
  const specks = (sides: readonly number[]): Part => ({
    mesh: mesh(Float64Array.from([...corner(sides), ...corner(sides.map(side => -side))])),
    pose: translation(0, 0, 0),
  });
  return [...parts, specks([1, 1, 1]), specks([1, -1, 1])];
}

/** Limits of such a scene: bodies, triangles per solid, and triangles of everything else. */
const fewest = { bodies: 3, ofSolid: 12, triangles: 6 };

/**
 * Cheap scenes of the same kind: only neighbouring bodies, large solids as boxes, and for other large bodies the
 * triangles of the same numbers, which are at the places of the others' triangles.
 */
export const small = (kind: HiddenKind): HiddenKind => ({
  ...kind,
  parts: random => {
    const parts = kind.parts(random);
    const firstBody = random.integer(Math.max(1, parts.length - fewest.bodies + 1));
    const firstTriangle = random.integer(fewest.triangles);
    return parts.slice(firstBody, firstBody + fewest.bodies).map(({ mesh: shape, pose }) => {
      const { triangleCount, solid } = shape;
      if (triangleCount <= (solid ? fewest.ofSolid : fewest.triangles)) return { mesh: shape, pose };
      if (solid) return { mesh: shapes.box({ size: [1.3, 1.4, 1.5] }), pose };
      const at = 3 * Math.min(firstTriangle, triangleCount - fewest.triangles);
      const indices = Uint32Array.from(shape.indices.subarray(at, at + 3 * fewest.triangles));
      return { mesh: mesh(shape.positions, indices), pose };
    });
  },
});

export const hiddenKinds: readonly HiddenKind[] = [
  {
    name: 'specks that meet their doubles, smaller than a pixel',
    parts: random => {
      const specks = scattered(random, 24, 10 ** random.between(-4, -1.5));
      const moved = shaken(random, specks, 10 ** random.between(-6, -3));
      return [
        { mesh: specks, pose: translation(0, 0, 0) },
        { mesh: moved, pose: translation(0, 0, 0) },
      ];
    },
  },
  {
    name: 'needles in all directions',
    parts: random => {
      const places = some(6, () => some(3, () => random.between(-0.5, 0.5)));
      return some(3, () => ({
        mesh: mesh(Float64Array.from(some(18, i => needle(random, places[i % 6])).flat())),
        pose: translation(0, 0, 0),
      }));
    },
  },
  {
    name: 'plates seen edge-on, through one another and a hair apart',
    parts: random =>
      some(7, () => {
        const size = some(3, () => random.between(0.5, 2)) as [number, number, number];
        size[random.integer(3)] = random.integer(2) * 1e-3 + 1e-9;
        const place = some(3, () => random.integer(5) / 4 + random.integer(3) * 1e-9);
        return { mesh: shapes.box({ size }), pose: translation(place[0], place[1], place[2]) };
      }),
  },
  {
    name: 'a floor far larger than what stands on it',
    fills: true,
    parts: random => {
      const reach = 10 ** random.between(1, 6);
      const [u, v, w] = some(3, () => random.between(-0.2, 0.2));
      const corner = (x: number, y: number) => [x * reach, y * reach, u * x * reach + v * y * reach + w];
      const floor = [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)].flat();
      return [
        ...some(5, () => ({ mesh: shapes.box({ size: [0.6, 0.3, 0.4] }), pose: rigid(random, 0.8) })),
        {
          mesh: mesh(new Float64Array(floor), new Uint32Array([0, 1, 2, 0, 2, 3])),
          pose: translation(0, 0, 0),
        },
      ];
    },
  },
  {
    name: 'behind one another in every view',
    parts: random => {
      const shell = shapes.icosphere({ frequency: 2 });
      const inner = some(4, () => ({
        mesh: shapes.box({ size: [0.5, 0.1, 0.1] }),
        pose: rigid(random, 0.4),
      }));
      return [
        { mesh: shell, pose: at(0, 0, 0, 1.2) },
        ...inner,
        { mesh: scattered(random, 12, 0.3), pose: translation(0, 0, 0) },
      ];
    },
  },
  {
    name: 'solids within solids',
    fills: true,
    parts: random => {
      const sphere = shapes.icosphere({ frequency: 2 });
      return [
        { mesh: sphere, pose: translation(0, 0, 0) },
        ...some(4, () => ({
          mesh: sphere,
          pose: at(
            ...(some(3, () => random.between(-0.3, 0.3)) as [number, number, number]),
            10 ** random.between(-4, -0.3),
          ),
        })),
        { mesh: sphere, pose: at(0, 0, 0, random.between(1.1, 100)) },
      ];
    },
  },
  {
    name: 'fans of triangles on one edge',
    parts: random =>
      some(3, () => {
        const triangles = some(14, i => {
          const angle = (i / 14) * 2 * Math.PI;
          return [0, 0, -1, 0, 0, 1, Math.cos(angle), Math.sin(angle), random.between(-1, 1)];
        });
        return { mesh: mesh(Float64Array.from(triangles.flat())), pose: affine(random, 0.3) };
      }),
  },
  {
    name: 'points and segments among triangles',
    parts: random => {
      const flat = some(24, () => {
        const [a, b] = [0, 1].map(() => some(3, () => random.integer(5) / 4));
        const c = random.integer(3) === 0 ? a : a.map((x, k) => (x + b[k]) / 2);
        return random.integer(3) === 0 ? [...a, ...a, ...a] : [...a, ...b, ...c];
      });
      return [
        { mesh: mesh(Float64Array.from(flat.flat())), pose: translation(0, 0, 0) },
        { mesh: soup(random, 16, () => random.integer(5) / 4), pose: translation(0, 0, 0) },
        { mesh: shapes.box(), pose: at(0.5, 0.5, 0.5, 0.5) },
      ];
    },
  },
  {
    name: 'shared faces, edges and corners, at equal depths',
    parts: random => [
      ...some(6, () => ({ mesh: shapes.box(), pose: gridPose(random, 1) })),
      { mesh: soup(random, 12, () => random.integer(4) - 1.5), pose: translation(0, 0, 0) },
    ],
  },
  {
    name: 'far from the origin',
    parts: random => {
      const far = some(3, () => (random.integer(2) * 2 - 1) * 10 ** random.between(3, 16));
      return some(4, () => {
        const pose = rigid(random, 0.5);
        for (let k = 0; k < 3; k++) pose[12 + k] += far[k];
        return { mesh: scattered(random, 14, 0.5), pose };
      });
    },
  },
  {
    name: 'of very unequal size',
    parts: random => {
      const scale = 10 ** random.between(-30, -2);
      const large = { mesh: scattered(random, 16, 0.8), pose: translation(0, 0, 0) };
      const corner = large.mesh.positions;
      const small = some(3, () => {
        const vertex = 3 * random.integer(48);
        return {
          mesh: scattered(random, 12, 0.6),
          pose: at(corner[vertex], corner[vertex + 1], corner[vertex + 2], scale),
        };
      });
      return [large, ...small];
    },
  },
  {
    name: 'many turned boxes',
    parts: random =>
      some(14, () => ({
        mesh: shapes.box({ size: some(3, () => random.between(0.1, 0.8)) as [number, number, number] }),
        pose: rigid(random, 0.8),
      })),
  },
];
