// Does `backend: 'auto'` choose well? Each row asks one question of the CPU, of a GPU and of both with a choice, in turns, warm,
// and prints the least time of each and how much longer the choice takes than the better one:
//   node bench/dist/auto.js [TURNS]

import { type Body, type Mesh, mesh, type Nearfield, open, type Scene, shapes } from 'nearfield';
import { openDevice } from '../peers/device.ts';
import { bumpySphere, single } from '../scenes/meshes/generated.ts';

const turns = Number(process.argv[2] ?? 12);
/** Questions before anything is counted: trees are built, and the choice learns. */
const warmUp = 6;

/** Asks once and returns which backend answered. `turn` counts the calls. */
type Ask = (turn: number) => Promise<'cpu' | 'gpu'>;

interface Row {
  readonly name: string;
  prepare(nf: Nearfield): Ask;
}

const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/** Asks which bodies of a scene meet, by triangles. */
function pairs(name: string, fill: (scene: Scene) => void, detail: 'list' | 'any' = 'list'): Row {
  return {
    name: `${name}, ${detail}`,
    prepare(nf) {
      const scene = nf.scene();
      fill(scene);
      return async () => (await scene.interferences({ detail })).stats.backend;
    },
  };
}

/** Two spheres that touch at their bumps or lie `gap` apart. */
function apart(scene: Scene, gap: number): readonly [Body, Body] {
  return [scene.add(sphere), scene.add(sphere, { pose: at(2.4 + gap, 0, 0) })];
}

const random = shapes.createRandom(3);
const sphere: Mesh = bumpySphere(10_000).mesh;
const cube = single(shapes.box());
const points = Float64Array.from({ length: 30_000 }, () => random.between(-1.5, 1.5));
const places = Array.from({ length: 2000 }, () => [0, 0, 0].map(() => random.between(0, 16)));
const frames = [0, 0.3].map(shift =>
  Float64Array.from(places.flatMap(([x, y, z], i) => at(x + (i % 2 ? shift : 0), y, z))),
);

const rows: readonly Row[] = [
  pairs('2 spheres of 10,000 triangles', scene => {
    scene.add(sphere);
    scene.add(sphere, { pose: at(0.6, 0.1, 0.2) });
  }),
  pairs('a sphere of 10,000 triangles upon itself', scene => {
    scene.add(sphere);
    scene.add(mesh(sphere.positions, sphere.indices));
  }),
  pairs('512 flush cubes', scene => {
    for (let i = 0; i < 512; i++) scene.add(cube, { pose: at(i & 7, (i >> 3) & 7, i >> 6) });
  }),
  ...(['list', 'any'] as const).map(detail =>
    pairs(
      '2,000 boxes',
      scene => {
        for (const [x, y, z] of places) scene.add(cube, { pose: at(x, y, z) });
      },
      detail,
    ),
  ),
  pairs('2 boxes', scene => {
    scene.add(cube);
    scene.add(cube, { pose: at(0.5, 0.25, 0.125) });
  }),
  {
    name: '2,000 boxes that all move between questions, any',
    prepare(nf) {
      const scene = nf.scene();
      for (const [x, y, z] of places) scene.add(cube, { pose: at(x, y, z) });
      return async turn => {
        scene.setPoses(frames[turn & 1]);
        return (await scene.interferences({ detail: 'any' })).stats.backend;
      };
    },
  },
  pairs(
    '2 spheres of 10,000 triangles, overlapping',
    scene => {
      scene.add(sphere);
      scene.add(sphere, { pose: at(0.6, 0.1, 0.2) });
    },
    'any',
  ),
  ...[10_000, 100].map(
    (count): Row => ({
      name: `nearest of 10,000 triangles to ${count.toLocaleString('en')} points`,
      prepare(nf) {
        const scene = nf.scene();
        const body = scene.add(sphere);
        const some = points.subarray(0, 3 * count);
        return async () => (await scene.closest(body, some)).backend;
      },
    }),
  ),
  {
    name: 'distance of 2 spheres of 10,000 triangles',
    prepare(nf) {
      const scene = nf.scene();
      const [a, b] = apart(scene, 0.2);
      return async () => (await scene.distance(a, b)).stats.backend;
    },
  },
  {
    name: '2,000 boxes within 0.2',
    prepare(nf) {
      const scene = nf.scene();
      for (const [x, y, z] of places) scene.add(cube, { pose: at(2 * x, 2 * y, 2 * z) });
      return async () => (await scene.within(0.2)).stats.backend;
    },
  },
  {
    name: 'a sphere of 10,000 triangles, self-intersections',
    prepare(nf) {
      const scene = nf.scene();
      const body = scene.add(sphere);
      return async () => (await scene.selfIntersections(body)).stats.backend;
    },
  },
  {
    name: 'a sphere of 10,000 triangles that moves into another, first contact',
    prepare(nf) {
      const scene = nf.scene();
      const [, b] = apart(scene, 0.2);
      const motion = { bodies: [{ body: b, to: at(1.8, 0.1, 0.2) }] };
      return async () => (await scene.firstContact(motion)).backend;
    },
  },
];

const device = await openDevice();
const libraries = {
  cpu: await open({ backend: 'cpu' }),
  gpu: await open({ device }),
  auto: await open({ backend: 'auto', device }),
};
console.log(`${libraries.gpu.name}; least of ${turns} turns, in ms`);
for (const row of rows) {
  const asks = Object.entries(libraries).map(([name, nf]) => ({
    name,
    ask: row.prepare(nf),
    least: Infinity,
  }));
  let chosen = '';
  for (let turn = -warmUp; turn < turns; turn++) {
    // To and fro, so that none always follows the GPU, which leaves caches and clocks cold.
    for (const each of turn % 2 === 0 ? asks : [...asks].reverse()) {
      const start = performance.now();
      const backend = await each.ask(turn);
      const time = performance.now() - start;
      if (turn >= 0) each.least = Math.min(each.least, time);
      if (each.name === 'auto') chosen = backend;
    }
  }
  const [cpu, own, auto] = asks.map(({ least }) => least);
  const ratio = auto / Math.min(cpu, own);
  const figures = asks.map(({ name, least }) => `${name} ${least.toFixed(2)}`).join(', ');
  console.log(`${row.name}: ${figures} (${chosen}), ${ratio.toFixed(2)} of the better`);
}
for (const nf of Object.values(libraries)) nf.close();
device.destroy();
