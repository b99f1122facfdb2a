// Distances on the GPU equal the CPU engine's to the last bit, since the exact stage decides among the pairs that
// either lists. Bodies are small here; test/distance/proximity.gpu.test.ts has the spec.

import { multiplyPoses, open, shapes } from 'nearfield';
import { expect, it } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { interfere } from '../../interferences/driver.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { gpuDistanceDriver } from '../driver.ts';

const slow = process.env.NEARFIELD_SLOW ? 8 : 1;
/**
 * Triangles along an edge of the spheres that are hard to distinguish, and squares along an edge of the sheets face
 * to face.
 */
const [fine, coarse, squares] = slow > 1 ? [12, 10, 12] : [7, 6, 7];
const at = (x: number, y = 0, z = 0): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
const placed = (body: Mesh, pose: readonly number[]): Placed => ({
  shape: { mesh: body, positions: body.positions, revision: 0 },
  pose: Float64Array.from(pose),
  poseRevision: 0,
});

interface Two {
  readonly name: string;
  readonly a: Mesh;
  readonly b: Mesh;
  poses(random: shapes.Random): readonly [readonly number[], readonly number[]];
}

const sphere = (radius: number) => shapes.icosphere({ radius, frequency: 6 });
/** A unit square of n × n pieces, on a grid of eighths. */
function plate(n: number): Mesh {
  const corners: number[] = [];
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      const [x, y] = [i / 8, j / 8];
      const [u, v] = [x + 1 / 8, y + 1 / 8];
      corners.push(x, y, 0, u, y, 0, u, v, 0, x, y, 0, u, v, 0, x, v, 0);
    }
  }
  return mesh(new Float64Array(corners));
}
const scaled = (x: number, y: number, z: number): number[] => [
  x,
  0,
  0,
  0,
  0,
  y,
  0,
  0,
  0,
  0,
  z,
  0,
  0,
  0,
  0,
  1,
];
const pose = (numbers: readonly number[]): Float64Array => Float64Array.from(numbers);
const turned = (random: shapes.Random, x: number): number[] => {
  const angle = random.between(0, 6);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, x, random.between(-1, 1), random.between(-1, 1), 1];
};

const pairs: readonly Two[] = [
  {
    name: 'spheres',
    a: sphere(1),
    b: sphere(0.5),
    poses: random => [turned(random, 0), turned(random, random.between(2, 9))],
  },
  {
    name: 'a sphere within another, a uniform gap',
    a: sphere(1),
    b: sphere(0.9),
    poses: () => [at(0), at(0)],
  },
  {
    name: 'bodies that overlap',
    a: sphere(1),
    b: sphere(0.9),
    poses: random => [turned(random, 0), turned(random, random.between(0, 1))],
  },
  {
    name: 'stretched and squeezed',
    a: sphere(1),
    b: sphere(1),
    poses: random => [scaled(random.between(1, 3), 0.5, 1), turned(random, random.between(4, 6))],
  },
  {
    name: 'so stretched that the CPU takes it',
    a: sphere(1),
    b: sphere(1),
    poses: random => [scaled(1000, 0.001, 1), at(random.between(-900, 900), 2)],
  },
  { name: 'far beside their size', a: sphere(1), b: sphere(1), poses: () => [at(0), at(1e7, 3e6, 1)] },
  {
    name: 'plates face to face, all of it as near',
    a: plate(5),
    b: plate(4),
    poses: () => [at(0), at(0.25, 0.125, 1.1)],
  },
];

it('distances are the same as on the CPU', { timeout: 120_000 }, async () => {
  const gpu = await open({ device: (await testDevice()).device });
  const cpu = await open({ backend: 'cpu' });
  for (const { name, a, b, poses } of pairs) {
    for (let seed = 1; seed <= slow; seed++) {
      const [poseA, poseB] = poses(shapes.createRandom(seed));
      for (const surface of [false, true]) {
        const answers = [];
        for (const nf of [gpu, cpu]) {
          const scene = nf.scene();
          const [first, second] = [scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB })];
          const { stats, backend, ...found } = await scene.distance(first, second, { surface });
          expect(backend).toBe(nf === gpu ? 'gpu' : 'cpu');
          if (nf === gpu) expect(stats.dispatches).toBeGreaterThan(0);
          answers.push(found);
          scene.close();
        }
        expect(answers[0], `${name}, seed ${seed}, surface ${surface}`).toEqual(answers[1]);
      }
    }
  }
  gpu.close();
  cpu.close();
});

/** A spike along z whose apex is the origin. */
const spike = (width: number): Mesh =>
  mesh(
    Float64Array.of(0, 0, 0, width, 0, 1, -width, width, 1, -width, -width, 1),
    Uint32Array.of(0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3),
  );

it('knows which bodies meet, however little they overlap or miss each other', {
  timeout: 120_000,
}, async () => {
  const gpu = await open({ device: (await testDevice()).device });
  const cpu = await open({ backend: 'cpu', threads: 1 });
  const random = shapes.createRandom(9);
  const scenes = [gpu.scene(), cpu.scene()];
  const clearance = 1 / 32;
  for (let i = 0; i < 120; i++) {
    // Rotated about two axes, so that nothing is aligned; apart from all others; large and small.
    const turn = multiplyPoses(
      pose(turned(random, 0)),
      pose([1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1]),
    );
    const frame = multiplyPoses(pose(at(8 * i)), turn);
    const size = 2 ** -(i % 3);
    const depth = (i % 2 === 0 ? 1 : -1) * 2 ** -(6 + (i >> 1));
    const apex = pose([size, 0, 0, 0, 0, size, 0, 0, 0, 0, size, 0, 0.21, 0.13, i % 10 === 0 ? 0 : depth, 1]);
    for (const scene of scenes) {
      scene.add(plate(4), { pose: frame });
      scene.add(spike(i % 4 === 0 ? 1e-4 : 0.3), { pose: multiplyPoses(frame, apex) });
    }
  }
  const [found, expected] = await Promise.all(
    scenes.map(async scene =>
      Array.from(
        await scene.within(clearance),
        ({ a, b, distance, pointA, triangleA, triangleB }) =>
          `${a.index} ${b.index} ${distance} ${pointA} ${triangleA} ${triangleB}`,
      ),
    ),
  );
  expect(found).toEqual(expected);
  expect(found).toHaveLength(120);
  gpu.close();
  cpu.close();
});

/** A sphere without one of its triangles. (For solids within one another the distance would be 0.) */
function shell(frequency: number, radius: number, single = false): Mesh {
  const { positions, indices } = shapes.icosphere({ radius, frequency });
  return mesh(single ? Float32Array.from(positions) : positions, indices.slice(3));
}
/** A square of n × n pieces, with corners up to `noise` above or below it. */
function sheet(n: number, random: shapes.Random, noise: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let y = 0; y <= n; y++)
    for (let x = 0; x <= n; x++) positions.push(x / n, y / n, noise * random.between(-1, 1));
  for (let y = 0; y < n; y++) {
    for (let x = 0; x < n; x++) {
      const v = y * (n + 1) + x;
      indices.push(v, v + 1, v + n + 2, v, v + n + 2, v + n + 1);
    }
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}
const moved = (body: Mesh, by: number): Mesh =>
  mesh(
    body.positions.map((value, i) => (i % 3 === 0 ? value + by : value)),
    body.indices,
  );

/** Pairs that single precision cannot distinguish. The exact stage once got a million pairs of them, or a billion. */
const alike: readonly (Two & { readonly most: number })[] = [
  {
    name: 'spheres within one another, triangle over triangle',
    a: shell(fine, 1),
    b: shell(fine, 1.05),
    poses: () => [at(0), at(0)],
    most: 2000,
  },
  {
    name: 'the same turned together, in single precision',
    a: shell(coarse, 1, true),
    b: shell(coarse, 1.25, true),
    poses: random => {
      const pose = turned(random, 3);
      return [pose, pose];
    },
    most: 1000,
  },
  {
    name: 'spheres within one another, turned apart',
    a: shell(fine, 1),
    b: shell(coarse, 1.02),
    poses: random => [turned(random, 0).map((value, i) => (i >= 12 && i < 15 ? 0 : value)), at(0)],
    most: 200,
  },
  {
    name: 'sheets that differ by less than single precision tells',
    a: sheet(14, shapes.createRandom(1), 1e-9),
    b: sheet(12, shapes.createRandom(2), 1e-9),
    poses: random => {
      const pose = turned(random, 1);
      return [pose, pose.map((value, i) => (i === 14 ? value + 0.25 : value))];
    },
    most: 1000,
  },
  {
    name: 'far from the origin of their meshes, where the CPU takes them',
    a: moved(sheet(16, shapes.createRandom(3), 0), 50),
    b: moved(sheet(16, shapes.createRandom(4), 1e-12), 50),
    poses: () => [at(0), at(0, 0, 0.5)],
    most: 2000,
  },
  ...[300, 3e3, 1e5, 1e9].map(far => ({
    name: `spheres ${far} times their size apart`,
    a: shapes.icosphere({ radius: 1, frequency: fine }),
    b: shapes.icosphere({ radius: 0.5, frequency: fine }),
    poses: (random: shapes.Random) =>
      [
        turned(random, 0),
        turned(random, far).map((v, i) => (i === 13 ? far * random.between(-1, 1) : v)),
      ] as const,
    most: 100,
  })),
  {
    name: 'sheets far apart, face to face',
    a: sheet(squares, shapes.createRandom(5), 0),
    b: sheet(squares, shapes.createRandom(6), 0),
    poses: () => [at(0), at(0.25, 0.125, 5e4)],
    most: 2000,
  },
];

for (const { name, a, b, poses, most } of alike) {
  it(`distinguishes ${name}`, { timeout: 120_000 }, async () => {
    const gpu = await open({ device: (await testDevice()).device });
    const cpu = await open({ backend: 'cpu' });
    for (let seed = 1; seed <= slow; seed++) {
      const [poseA, poseB] = poses(shapes.createRandom(seed));
      for (const upTo of [Infinity, undefined]) {
        const answers = [];
        let limit = upTo;
        for (const nf of [cpu, gpu]) {
          const scene = nf.scene();
          const [first, second] = [scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB })];
          // A limit just beyond the distance.
          limit ??= (await scene.distance(first, second)).distance * (1 + 2 ** -50);
          const { stats, backend, ...found } = await scene.distance(first, second, { upTo: limit });
          expect(backend).toBe(nf === gpu ? 'gpu' : 'cpu');
          if (nf === gpu) expect(stats.unsure, `seed ${seed}`).toBeLessThan(most);
          answers.push(found);
          scene.close();
        }
        expect(answers[1], `seed ${seed}, up to ${limit}`).toEqual(answers[0]);
      }
    }
    gpu.close();
    cpu.close();
  });
}

it('grows its lists and runs again', { timeout: 60_000 }, async () => {
  const { device } = await testDevice();
  const engine = await createGpuEngine({
    device,
    settings: { distanceRoom: { candidates: 1, blockPairs: 1, listed: 1, nearPairs: 1 } },
  });
  const body = sphere(1);
  const count = slow > 1 ? 26 : 8;
  const bodies = Array.from({ length: count }, (_, i) => placed(body, at(2.25 * i)));
  const found = await (await engine.driver(gpuDistanceDriver)).nearestPairs(bodies, { upTo: 0.5 });
  expect(found.stats.growths).toBeGreaterThan(0);
  const neighbours = Array.from({ length: count - 1 }, (_, i) => [i, i + 1]).flat();
  expect([...found.candidates]).toEqual(neighbours);
  const usual = await createGpuEngine({ device });
  const again = await (await usual.driver(gpuDistanceDriver)).nearestPairs(bodies, { upTo: 0.5 });
  expect(again.stats.growths).toBe(0);
  expect([...again.start]).toEqual([...found.start]);
  expect([...again.states]).toEqual([...found.states]);
  for (const one of [engine, usual]) one.close();
});

it('finds the same among many bodies that are sorted first', { timeout: 60_000 }, async () => {
  const { device } = await testDevice();
  const body = shapes.box({ size: [1, 1, 1] });
  const seed = 5;
  const random = shapes.createRandom(seed);
  // They fill three tiles of the broad phase.
  const bodies = Array.from({ length: 700 }, () =>
    placed(body, at(random.between(0, 30), random.between(0, 30), random.between(0, 30))),
  );
  const found = [];
  for (const settings of [{ orderFrom: Infinity }, { orderFrom: 1 }]) {
    const engine = await createGpuEngine({ device, settings });
    const driver = await engine.driver(gpuDistanceDriver);
    const { stats, ...answer } = await driver.nearestPairs(bodies, { upTo: 0.25 });
    found.push(answer);
    engine.close();
  }
  expect(found[0].candidates.length, `seed ${seed}`).toBeGreaterThan(200);
  expect(found[1].candidates, `seed ${seed}`).toEqual(found[0].candidates);
  expect(found[1].states, `seed ${seed}`).toEqual(found[0].states);
});

it('finds candidates after bodies 10^290 times their size', { timeout: 60_000 }, async () => {
  // The scene's frame stayed as large as those bodies; offsets along its empty axes came out as 2^-94 instead of 0.
  const engine = await createGpuEngine({ device: (await testDevice()).device });
  const box = shapes.box({ size: [1, 1, 1] });
  const huge = mesh(
    Float64Array.from(box.positions, x => 1e290 * x),
    box.indices,
  );
  await (await engine.driver(gpuDistanceDriver)).nearestPairs(
    [placed(huge, at(0)), placed(huge, at(3e290))],
    {
      upTo: Infinity,
    },
  );
  const bodies = [placed(box, at(0)), placed(box, at(3, 0.25, -0.125))];
  expect([
    ...(await (await engine.driver(gpuDistanceDriver)).nearestPairs(bodies, { upTo: 3 })).candidates,
  ]).toEqual([0, 1]);
  const touching = [placed(box, at(0)), placed(box, at(0.5, 0.25, -0.125))];
  const met = await interfere(engine, touching, { detail: 'any' });
  expect(met.certain.length + met.unsure.length).toBeGreaterThan(0);
  engine.close();
});

it('finds bodies far smaller than the others, and far thinner', { timeout: 60_000 }, async () => {
  // Gaps in their frames are up to 2^70 times as long; the squares of the first body's gaps were infinite.
  const gpu = await open({ device: (await testDevice()).device });
  const cpu = await open({ backend: 'cpu' });
  for (const [size, thin] of [
    [-36, -27],
    [-12, -28],
    [-38, -30],
    [-38, -8],
  ]) {
    const answers = [];
    for (const nf of [cpu, gpu]) {
      const scene = nf.scene();
      scene.add(shapes.box());
      scene.add(shapes.box(), { pose: scaled(2 ** size, 2 ** size, 2 ** (size + thin)).with(14, 3) });
      answers.push([...(await scene.within(4))].map(({ a, b, distance }) => [a.index, b.index, distance]));
      scene.close();
    }
    expect(answers[1], `2^${size}, thinner by 2^${thin}`).toEqual(answers[0]);
    expect(answers[0].length).toBe(1);
  }
  gpu.close();
  cpu.close();
});

it('closest points are the same as on the CPU', { timeout: 120_000 }, async () => {
  const gpu = await open({ device: (await testDevice()).device });
  const cpu = await open({ backend: 'cpu' });
  const poses = [at(0), scaled(2, 1, 0.5), turned(shapes.createRandom(3), 1e5)];
  for (const [p, pose] of poses.entries()) {
    for (const upTo of [Infinity, 0.5]) {
      for (let seed = 1; seed <= slow; seed++) {
        const random = shapes.createRandom(seed);
        const points = Float64Array.from(
          { length: 900 },
          (_, i) => random.between(-2, 2) + pose[12 + (i % 3)],
        );
        // The centre, which is equally near to all triangles; corners of the mesh; points far away.
        points.set([0, 0, 0, 1e6, 1, 1, 1e12, 0, 0]);
        points.set(sphere(1).positions.subarray(0, 60), 9);
        const answers = [];
        for (const nf of [gpu, cpu]) {
          const scene = nf.scene();
          const { backend, ...found } = await scene.closest(scene.add(sphere(1), { pose }), points, { upTo });
          expect(backend).toBe(nf === gpu ? 'gpu' : 'cpu');
          answers.push(found);
          scene.close();
        }
        expect(answers[0], `pose ${p}, seed ${seed}, up to ${upTo}`).toEqual(answers[1]);
      }
    }
  }
  gpu.close();
  cpu.close();
});
