// What each offset leaves, and what it costs (section 4): plates that lie slanted to every view, and two rabbits.

import { type InterferenceOptions, mesh, type Nearfield, type Scene } from 'nearfield';
import { presentIn } from '../../case.ts';
import type { Cell, Exhibit, Findings, Lab } from '../paper.ts';
import { slowRound, sumOf } from './follow.ts';
import { doesFit, learn, leftOut } from './queries.ts';
import { rabbitsCase } from './scenes.ts';

export const offsetsExhibit: Exhibit = {
  name: 'Section 4',
  title: 'offsets: what they leave, and what they cost',
  about:
    'The paper weighs three offsets: exact ones, bounds of these, and boxes around triangles, which it uses. Nearfield’s own form takes the triangle in all pixels it touches. Two parallel plates of two triangles each are slanted to all three views and a seventh of the picture apart, so that no triangle should be left; two rabbits are deep in one another.',
  needsGpu: true,
  run: offsets,
};

const forms: readonly (readonly [string, InterferenceOptions])[] = [
  ['boxes, by flags (published)', { offset: 'boxes' }],
  ["boxes, by the hardware's queries", { offset: 'boxes', queries: 'occlusion' }],
  ['bounded exact offset', { offset: 'bounded' }],
  ['exact offset', { offset: 'exact' }],
  ['triangles in touched pixels (default)', { offset: 'triangles' }],
];

async function offsets(lab: Lab): Promise<Findings> {
  const gpu = lab.gpu!;
  const resolution = lab.isSoftware ? 64 : 256;
  const rabbits = gpu.scene();
  const job = await rabbitsCase(lab);
  const [frame] = job.frames;
  for (const b of presentIn(job, frame)) {
    const { mesh: shape, pose } = job.bodies[b];
    rabbits.add(shape, { pose: frame.poses?.[b] ?? pose });
  }
  const rows: Cell[][] = [];
  const skipped: string[] = [];
  for (const [name, scene] of [
    ['plates', plates(gpu)],
    ['rabbits', rabbits],
  ] as const) {
    for (const [form, options] of forms) {
      // On a software GPU, queries take seconds per frame.
      if (lab.isSoftware && options.queries === 'occlusion' && name === 'rabbits') continue;
      const triangles = sumOf(scene.bodies.map(({ mesh: { triangleCount } }) => triangleCount));
      if (options.queries === 'occlusion' && !doesFit(lab, triangles)) {
        skipped.push(name);
        continue;
      }
      lab.log(`  ${name}, ${form}`);
      rows.push([name, form, ...(await costOf(lab, scene, { ...options, resolution }))]);
    }
    scene.close();
  }
  return {
    tables: [
      { heads: ['scene', 'offset', 'triangles', 'triangles left', 'pairs that meet', 'milliseconds'], rows },
    ],
    notes: [
      `Images have ${resolution} × ${resolution} pixels. Boxes have their true depth at every pixel: with one depth per box all four triangles of the plates were left. Queries that take more than 2 s are asked once.`,
      ...leftOut(skipped),
    ],
  };
}

async function costOf(lab: Lab, scene: Scene, options: InterferenceOptions): Promise<Cell[]> {
  const ask = () => scene.interferences({ method: 'visibility', ...options });
  const began = performance.now();
  const { stats, pairs } = await ask();
  const first = performance.now() - began;
  const { all, kept } = stats.visibility!.triangles;
  const byQueries = options.queries === 'occlusion';
  if (byQueries) learn(lab, all, first);
  const taken = byQueries && first > slowRound ? first : (await lab.measure(ask))[0].calm;
  return [all, kept, sumOf(pairs.map(({ triangleCount }) => triangleCount!)), taken];
}

function plates(nf: Nearfield): Scene {
  const [u, v] = [
    [1, -1, 0],
    [1, 1, -2],
  ];
  const corners = [-1, 1].flatMap(s => [-s, s].map(t => u.map((x, axis) => s * x + t * v[axis])));
  const plate = mesh(new Float64Array(corners.flat()), new Uint32Array([0, 1, 2, 0, 2, 3]));
  const scene = nf.scene();
  scene.add(plate);
  scene.add(plate, { pose: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.31, 0.31, 0.31, 1) });
  return scene;
}
