// Temporal coherence (G5): how many box tests are saved by beginning where the last question suggests, and how much time.

import { type Mesh, type Nearfield, shapes } from 'nearfield';
import { turnAbout } from '../../poses.ts';
import type { Model } from '../../scenes/meshes/generated.ts';
import type { Cell, Exhibit, Findings, Lab, PaperTable } from '../paper.ts';
import {
  forthAndBack,
  howTimed,
  models,
  type Run,
  runOf,
  timesOf,
  turn,
  twoCopies,
  type Way,
} from './turning.ts';

/** Degrees per step. */
const steps = [5, 1, 0.1, 0.01] as const;
const stepCount = 24;

export const coherence: Exhibit = {
  name: 'Section 5',
  title: 'temporal coherence',
  about:
    "A question about two bodies can begin further down in their trees, guided by the last one. As published, it enters at the level where that took the fewest box tests (`coherence: 'level'`). A front begins at the pairs of nodes where the last traversal ended, opens those that overlap now, and closes those whose parents do not (`coherence: 'front'`, on the CPU). Without coherence it begins at the roots. First two copies of a model at distance 1, turning by smaller and smaller steps, forth and back; then crowds of small bodies that drift by a thousandth of their size per step. The paper gives no figures.",
  needsGpu: false,
  run: async lab => saved(lab, await models(), crowds, steps),
};

/** A crowd: a mesh, how many bodies, and the side of the cube where they are. */
interface Crowd {
  readonly name: string;
  readonly mesh: Mesh;
  readonly count: number;
  readonly side: number;
}

const crowds: readonly Crowd[] = [
  { name: 'boxes', mesh: shapes.box(), count: 40, side: 2 },
  { name: 'icospheres', mesh: shapes.icosphere({ frequency: 2 }), count: 24, side: 3 },
  { name: 'icospheres', mesh: shapes.icosphere({ frequency: 6 }), count: 8, side: 2.2 },
];

/** Box tests and times with and without coherence. */
export async function saved(
  lab: Lab,
  all: readonly Model[],
  groups: readonly Crowd[],
  degrees: readonly number[],
): Promise<Findings> {
  const scenes: Scene[] = [];
  for (const { name, mesh } of all) {
    for (const step of degrees) {
      const poses = forthAndBack(turn(1, stepCount, step));
      scenes.push({
        name: `${name}, ${mesh.triangleCount.toLocaleString('en')} triangles`,
        motion: `${step}° per step`,
        run: way => twoCopies(way, mesh, poses),
      });
    }
  }
  for (const crowd of groups) {
    const poses = drift(crowd);
    const meshes = Array.from({ length: crowd.count }, () => crowd.mesh);
    scenes.push({
      name: `${crowd.count} ${crowd.name}, ${crowd.mesh.triangleCount} triangles each`,
      motion: 'drifting',
      run: way => runOf(way, meshes, poses),
    });
  }
  const tables = [await table(lab, 'CPU', lab.cpu, ['none', 'level', 'front'], scenes)];
  if (lab.gpu && !lab.isSoftware) tables.push(await table(lab, 'GPU', lab.gpu, ['none', 'level'], scenes));
  return {
    tables,
    notes: [
      howTimed,
      'A level pays where trees are so small that most pairs of nodes near the roots overlap. In large trees it cannot: all pairs of a level are entered, so the level stays near the roots, where a traversal has only a few of its tests.',
      'A front pays where bodies move by less than their smallest boxes per step. It can save at most a quarter of the box tests: an opened pair has up to four pairs of children, so at most one test in four leads to others. When bodies move farther, the front is out of date, and the traversal begins at the roots again.',
      ...tables.map(
        ({ ratios, title }) =>
          `${title!.slice(0, 3)}: the default walk, which uses neither, takes ${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)} of the time of the best of these.`,
      ),
      "Coherence cannot help the CPU's default walk. It tests sixteen pairs of boxes at a time, so at most one of its tests in sixteen leads to others, and no more than these 6.25 % could be saved; the pairs of a front would have to be tested one by one, and a level saves less than a front wherever trees are large. On the GPU, the default walk gives a thread to each leaf of one tree, which walks the other tree or a part of it by itself: there is no list of a level's pairs to begin from.",
    ],
  };
}

/** A table, and the time of the default walk over that of the best breadth-first traversal, per row. */
interface Compared extends PaperTable {
  readonly ratios: readonly number[];
}

interface Scene {
  readonly name: string;
  readonly motion: string;
  run(way: Way): Run;
}

/** Rows per scene, for one backend and its kinds of coherence, of which the first is none. */
async function table(
  lab: Lab,
  backend: string,
  nf: Nearfield,
  ways: readonly ('none' | 'level' | 'front')[],
  scenes: readonly Scene[],
): Promise<Compared> {
  const rows: Cell[][] = [];
  for (const { name, motion, run } of scenes) {
    lab.log(`  ${backend}, ${name}, ${motion}`);
    const runs = [
      ...ways.map(coherence =>
        run({ name: coherence, nf, options: { traversal: 'breadth-first', coherence } }),
      ),
      run({ name: 'default walk', nf, options: {} }),
    ];
    const times = await timesOf(lab, runs);
    const tests: number[] = [];
    for (const one of runs) {
      tests.push((await one.count()).boxTests);
      one.close();
    }
    const shares = tests.slice(1, ways.length).map(count => `${(100 * (1 - count / tests[0])).toFixed(2)} %`);
    rows.push([name, motion, Math.round(tests[0]), ...shares, ...times]);
  }
  const best = (times: readonly Cell[]) => Math.min(...times.map(Number));
  const ratios = rows.map(row => Number(row[row.length - 1]) / best(row.slice(-1 - ways.length, -1)));
  return {
    ratios,
    title: `${backend}: box tests per step from the roots, the share that coherence saves, milliseconds per step`,
    heads: [
      ...['scene', 'motion', 'box tests', ...ways.slice(1).map(way => `saved by a ${way}`)],
      ...[...ways, 'default walk'].map(way => `ms, ${way}`),
    ],
    rows,
  };
}

/** Turned bodies spread in a cube, drifting forth and back. */
function drift({ mesh, count, side }: Crowd): Float64Array[][] {
  const random = shapes.createRandom(5);
  const size = Math.max(...[0, 1, 2].map(axis => mesh.bounds[axis + 3] - mesh.bounds[axis]));
  const bodies = Array.from({ length: count }, () => ({
    at: [0, 1, 2].map(() => random.between(0, side)),
    axis: random.direction(),
    angle: random.between(0, 2 * Math.PI),
    velocity: Array.from(random.direction(), v => 1e-3 * size * v),
  }));
  const steps = Array.from({ length: stepCount }, (_, step) =>
    bodies.map(({ at, axis, angle, velocity }) =>
      turnAbout(
        axis,
        angle,
        [0, 0, 0],
        [0, 1, 2].map(k => at[k] + step * velocity[k]),
      ),
    ),
  );
  return [...steps, ...steps.slice(1, -1).reverse()];
}
