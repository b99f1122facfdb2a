// Greß and Zachmann, "Object-Space Interference Detection on Programmable Graphics Hardware".

import { type InterferenceOptions, identity, type Mesh, type Nearfield } from 'nearfield';
import { turnAbout } from '../poses.ts';
import type { Task } from '../run/measure.ts';
import { bumpySphere, fitted } from '../scenes/generated.ts';
import { bunny } from '../scenes/models.ts';
import type { Findings, Lab, Paper } from './paper.ts';

const distances = [2, 1.8, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4] as const;

export const gress: Paper = {
  name: 'gress',
  title: 'Object-Space Interference Detection on Programmable Graphics Hardware',
  source: 'Alexander Greß and Gabriel Zachmann, technical report CG-2004-2, University of Bonn',
  about:
    "The method `hierarchy` is this paper's. `traversal: 'breadth-first'` goes through both trees level by level, as published; the default walk is Nearfield's own.",
  exhibits: [
    {
      name: 'Figure 4',
      title: 'time per step at decreasing distances',
      about:
        'Two copies of a model, scaled to a cube of side 2. One turns once about a fixed axis in small steps. The figure is the mean time of a step over the whole turn, with all triangle pairs read back, at each distance of the centres. The paper has a car and a door lock, whose models cannot be had; here they are the Stanford bunny and a bumpy sphere, or two spheres where the bunny is not installed. The paper gives its times as curves only; its text says that the GPU was slightly faster than the CPU with an identical traversal.',
      needsGpu: false,
      run: figure4,
    },
  ],
};

async function figure4(lab: Lab): Promise<Findings> {
  // A software GPU takes a second per step for the full models.
  const [triangles, stepCount] = lab.isSoftware ? [1280, 4] : [69_620, 72];
  const real = lab.isSoftware ? undefined : await bunny();
  const models = [real ?? bumpySphere(triangles), bumpySphere(lab.isSoftware ? 5120 : 20_480)];
  const ways: { name: string; nf: Nearfield; options: InterferenceOptions }[] = [
    { name: 'CPU, breadth-first', nf: lab.cpu, options: { traversal: 'breadth-first' } },
    { name: 'CPU, default walk', nf: lab.cpu, options: {} },
  ];
  if (lab.gpu) {
    ways.unshift({ name: 'GPU, breadth-first', nf: lab.gpu, options: { traversal: 'breadth-first' } });
    ways.push({ name: 'GPU, default walk', nf: lab.gpu, options: {} });
  }
  const tables = [];
  const plots = [];
  for (const [i, model] of models.entries()) {
    const mesh = fitted(model.mesh);
    const rows: number[][] = [];
    for (const distance of distances) {
      lab.log(`  ${model.name}, distance ${distance}`);
      const tasks = ways.map(({ nf, options }) => turning(nf, mesh, distance, stepCount, options));
      const times = await lab.measure(...tasks.map(({ task }) => task));
      const pairs = await tasks[0].count();
      for (const { close } of tasks) close();
      rows.push([distance, pairs / stepCount, ...times.map(({ median }) => median / stepCount)]);
    }
    tables.push({
      title: `${model.name}, ${mesh.triangleCount.toLocaleString('en')} triangles, ${stepCount} steps`,
      heads: ['distance', 'pairs per step', ...ways.map(({ name }) => name), 'CPU : GPU, breadth-first'],
      rows: rows.map(row => [...row, lab.gpu ? row[3] / row[2] : undefined]),
    });
    plots.push({
      id: `figure-4-${i + 1}`,
      title: `${model.name}: milliseconds per step`,
      x: { label: 'distance of the centres' },
      y: { label: 'milliseconds per step', log: true },
      series: ways.map(({ name }, way) => ({
        name,
        points: rows.map(row => [row[0], row[2 + way]] as const),
      })),
    });
  }
  const notes = lab.isSoftware
    ? [
        `On a software GPU the models have ${triangles.toLocaleString('en')} and 5,120 triangles, and a turn has ${stepCount} steps.`,
      ]
    : [];
  return { tables, plots, notes };
}

/** A whole turn as one task, and the number of pairs over the turn. */
function turning(
  nf: Nearfield,
  mesh: Mesh,
  distance: number,
  stepCount: number,
  options: InterferenceOptions,
): { task: Task; count(): Promise<number>; close(): void } {
  const scene = nf.scene();
  scene.add(mesh);
  const moving = scene.add(mesh);
  const poses = Array.from({ length: stepCount }, (_, step) =>
    turnAbout([0, 1, 0], (2 * Math.PI * step) / stepCount, [0, 0, 0], [distance, 0, 0]),
  );
  const turn = async (): Promise<number> => {
    let pairs = 0;
    for (const pose of poses) {
      moving.pose = pose;
      for (const pair of await scene.interferences(options)) pairs += pair.triangles.length / 2;
    }
    moving.pose = identity();
    return pairs;
  };
  return { task: turn, count: turn, close: () => scene.close() };
}
