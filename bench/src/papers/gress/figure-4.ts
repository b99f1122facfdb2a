// Figure 4: the time of a step at decreasing distances, GPU against CPU with the same traversal (G7).

import { fitLine } from '../../run/linear.ts';
import { bumpySphere, fitted, type Model } from '../../scenes/meshes/generated.ts';
import type { Exhibit, Findings, Lab, PaperTable, Plot } from '../paper.ts';
import { distances, howTimed, models, timesOf, turn, twoCopies, type Way } from './turning.ts';

export const figure4: Exhibit = {
  name: 'Figure 4',
  title: 'time per step at decreasing distances',
  about:
    'Two copies of a model, scaled to a cube of side 2. One turns once about a fixed axis in small steps. The figure is the mean time of a step over the whole turn, with all triangle pairs read back, at each distance of the centres. The paper has a car and a door lock, whose models cannot be had; here they are the Stanford bunny and a bumpy sphere, or two spheres where the bunny is not installed. The paper plots its times and prints none. Its text says that box and triangle tests took the GPU down to a quarter of the CPU’s time, that making the lists of pairs took it longer, and that overall the GPU was slightly faster than the CPU with an identical traversal. Published is the breadth-first traversal, ours the default walk. The trees of the traversal are the same on both backends: leaves along a Hilbert curve, as the GPU orders them. The CPU’s own order, by median splits, stands beside it.',
  needsGpu: false,
  async run(lab) {
    const all = await models();
    if (!lab.isSoftware) return figure(lab, all, 36);
    // A software GPU takes a second per step for the full models.
    const onCpu = await figure({ ...lab, gpu: undefined }, all, 36);
    const small = await figure(
      lab,
      [{ name: 'small bumpy sphere', mesh: fitted(bumpySphere(1280).mesh) }],
      8,
      3,
    );
    const note =
      'The GPU is a program on the same processor, so its times say nothing about a GPU. The last table has both backends on a sphere of 1,280 triangles, with 8 steps per turn.';
    return {
      tables: [...onCpu.tables, ...small.tables],
      plots: [...onCpu.plots!, ...small.plots!],
      notes: [...onCpu.notes!, ...small.notes!.slice(1), note],
    };
  },
};

/** The figure for models; the first plot gets the given number. */
export async function figure(
  lab: Lab,
  all: readonly Model[],
  stepCount: number,
  firstPlot = 1,
): Promise<Findings> {
  const published = { traversal: 'breadth-first' } as const;
  const ways: Way[] = [
    { name: 'CPU, breadth-first', nf: lab.cpu, options: { ...published, leaves: 'hilbert' } },
    { name: 'CPU, breadth-first, median splits', nf: lab.cpu, options: published },
    { name: 'CPU, default walk', nf: lab.cpu, options: {} },
  ];
  if (lab.gpu) {
    ways.unshift({ name: 'GPU, breadth-first', nf: lab.gpu, options: published });
    ways.push({ name: 'GPU, default walk', nf: lab.gpu, options: {} });
  }
  const [cpuAt, splitsAt, walkAt] = ['breadth-first', 'breadth-first, median splits', 'default walk'].map(
    way => ways.findIndex(({ name }) => name === `CPU, ${way}`),
  );
  const tables: PaperTable[] = [];
  const plots: Plot[] = [];
  const notes = [howTimed];
  for (const { name, mesh } of all) {
    const rows: { distance: number; pairs: number; tests: number[]; times: number[] }[] = [];
    for (const distance of distances) {
      lab.log(`  ${name}, distance ${distance}`);
      const runs = ways.map(way => twoCopies(way, mesh, turn(distance, stepCount)));
      const times = await timesOf(lab, runs);
      // Counts of the published traversal, on the CPU and on the GPU.
      const counts = [await runs[cpuAt].count()];
      if (lab.gpu) counts.push(await runs[0].count());
      for (const { close } of runs) close();
      rows.push({
        distance,
        pairs: counts[0].pairs,
        tests: counts.map(({ boxTests }) => boxTests),
        times,
      });
    }
    const title = `${name}, ${mesh.triangleCount.toLocaleString('en')} triangles, ${stepCount} steps`;
    const backends = lab.gpu ? ['CPU', 'GPU'] : ['CPU'];
    const ratios = [
      ...(lab.gpu ? ['CPU : GPU, breadth-first', 'GPU: published : ours'] : []),
      'CPU: published : ours',
    ];
    tables.push({
      title,
      heads: [
        'distance',
        'pairs per step',
        ...backends.map(backend => `box tests per step (${backend})`),
        ...ways.map(way => way.name),
        ...ratios,
      ],
      rows: rows.map(({ distance, pairs, tests, times }) => [
        ...[distance, pairs, ...tests.map(Math.round), ...times],
        ...(lab.gpu ? [times[cpuAt] / times[0], times[0] / times[times.length - 1]] : []),
        times[cpuAt] / times[walkAt],
      ]),
    });
    plots.push({
      id: `figure-4-${firstPlot + plots.length}`,
      title: `${name}: milliseconds per step`,
      x: { label: 'distance of the centres' },
      y: { label: 'milliseconds per step', log: true },
      series: ways.map((way, i) => ({
        name: way.name,
        points: rows.map(({ distance, times }) => [distance, times[i]] as const),
      })),
    });
    const shares = rows.map(({ times }) => times[walkAt] / times[cpuAt]);
    if (lab.gpu) {
      notes.push(`${name}: ${onGpu(rows.map(({ tests }) => tests[1] / tests[0]))}`);
      const line = fitLine(rows.map(({ tests, times }) => ({ size: tests[1], time: times[0] })));
      notes.push(
        `${name}: the GPU's breadth-first traversal takes ${line.fixed.toPrecision(3)} ms and ${(1e6 * line.slope).toPrecision(3)} ns per box test, triangle tests included; its times lie on a straight line over the box tests with R² ${line.rSquared.toFixed(4)}.`,
      );
    }
    const { slope, rSquared } = fitLine(rows.map(row => ({ size: row.tests[0], time: row.times[cpuAt] })));
    notes.push(
      `${name}: the CPU's breadth-first traversal takes ${(1e6 * slope).toPrecision(3)} ns per box test, triangle tests included; its times lie on a straight line over the box tests with R² ${rSquared.toFixed(4)}. With leaves in the order of median splits it takes ${inRange(rows.map(({ times }) => times[splitsAt] / times[cpuAt]))} of its time, the default walk ${inRange(shares)}.`,
    );
  }
  return { tables, plots, notes };
}

/** How many boxes the GPU tests, by its share of the CPU's. */
const onGpu = (shares: readonly number[]): string =>
  `the trees are the same on both backends (on the CPU by \`leaves: 'hilbert'\`), and are traversed the same way. The GPU tests ${inRange(shares, 4)} times as many boxes: its boxes are larger by what single precision may be off, and either backend remembers a level of its own to enter at.`;

const inRange = (values: readonly number[], digits = 2): string =>
  [Math.min(...values), Math.max(...values)].map(value => value.toFixed(digits)).join(' to ');
