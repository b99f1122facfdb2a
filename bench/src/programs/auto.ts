// Does `backend: 'auto'` choose well? Each row asks one question of the CPU, of a GPU and of both with a choice, in turns, warm,
// and prints the least time of each and how much longer the choice takes than the better one:
//   node bench/dist/auto.js [TURNS]

import { type Mesh, mesh, type Nearfield, open, type Scene, shapes } from 'nearfield';
import { openDevice } from '../peers/device.ts';
import { bumpySphere, single } from '../scenes/meshes/generated.ts';

const turns = Number(process.argv[2] ?? 12);
/** Questions before anything is counted: trees are built, and the choice learns. */
const warmUp = 6;

type Ask = () => Promise<'cpu' | 'gpu'>;

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

const random = shapes.createRandom(3);
const sphere: Mesh = bumpySphere(10_000).mesh;
const cube = single(shapes.box());
const points = Float64Array.from({ length: 30_000 }, () => random.between(-1.5, 1.5));
const places = Array.from({ length: 2000 }, () => [0, 0, 0].map(() => random.between(0, 16)));

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
    name: 'nearest of 10,000 triangles to 10,000 points',
    prepare(nf) {
      const scene = nf.scene();
      const body = scene.add(sphere);
      return async () => (await scene.closest(body, points)).backend;
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
      const backend = await each.ask();
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
