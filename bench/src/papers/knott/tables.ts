// Knott's tables 4.1 and 4.2, with the GPU's own time beside the time from call to answer.

import { type Nearfield, type Scene, shapes } from 'nearfield';
import { earlySizes, linkedTori, tableKnots } from '../../scenes/papers/raycast.ts';
import { emptyWords, type TimedGpu, withTimed } from '../gpu-time.ts';
import type { Findings, Lab } from '../paper.ts';
import { ask, placements, placeNear, resolutionOf, warmUps, warmUpWords } from './asking.ts';
import { spreadOf, trialsOf } from './trials.ts';

/** The mean GPU time per task over random placements, on a device of its own. Closing the device closes its scenes. */
async function gpuTimes(
  timed: TimedGpu | undefined,
  count: number,
  make: (nf: Nearfield) => {
    place(random: shapes.Random): void;
    readonly tasks: readonly (() => Promise<unknown>)[];
  },
): Promise<number[] | undefined> {
  if (timed === undefined) return undefined;
  const { place, tasks } = make(timed.nf);
  const random = shapes.createRandom(1);
  const sums = tasks.map(() => 0);
  for (let trial = -2; trial < count; trial++) {
    place(random);
    for (const [i, task] of tasks.entries()) {
      const own = await timed.time(task);
      if (trial >= 0) sums[i] += own;
    }
  }
  return sums.map(sum => sum / count);
}

const gpuTimeWords = (timed: TimedGpu): string =>
  `GPU time is what the GPU itself works on a question, between a timestamp before and one after each submission, on a device of its own; means. ${emptyWords(timed)} The other times have the round trips and the work of the CPU in them.`;

/** The thesis's milliseconds: pixel read, pixel parse, render; and render by queries. */
const paper41 = [
  { resolution: 640, read: 6.7, parse: 1.2, render: 4, queries: 4 },
  { resolution: 256, read: 1.5, parse: 0.2, render: 3.9, queries: 3.9 },
] as const;

export const table41 = (lab: Lab): Promise<Findings> => withTimed(timed => measure41(lab, timed));

async function measure41(lab: Lab, timed: TimedGpu | undefined): Promise<Findings> {
  const rows: (string | number | undefined)[][] = [];
  let polygons = 0;
  for (const paper of paper41) {
    const resolution = lab.isSoftware ? paper.resolution / 4 : paper.resolution;
    lab.log(`  ${resolution} pixels`);
    const scene = lab.gpu!.scene();
    const bodies = tableKnots().map(mesh => scene.add(mesh));
    polygons = bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
    const phases: Record<'read' | 'parse' | 'render', number[]> = { read: [], parse: [], render: [] };
    const byPixels = async (isTimed: boolean) => {
      const { raycast } = await ask(scene, { ask: 'both', counting: 'pixels', resolution });
      if (!isTimed) return;
      for (const phase of ['read', 'parse', 'render'] as const) phases[phase].push(raycast.phases![phase]);
    };
    const byQueries = () => ask(scene, { ask: 'both', counting: 'queries', resolution });
    const byLists = () => ask(scene, { ask: 'pairs', resolution });
    const [, queries, lists] = await trialsOf(
      lab,
      placements(lab),
      random => placeNear(random, bodies),
      [byPixels, byQueries, byLists],
      { warmUps: warmUps(lab) },
    );
    scene.close();
    const gpu = await gpuTimes(timed, placements(lab), nf => {
      const own = nf.scene();
      const knots = tableKnots().map(mesh => own.add(mesh));
      return {
        place: random => placeNear(random, knots),
        tasks: (['pixels', 'queries'] as const).map(
          counting => () => ask(own, { ask: 'both', counting, resolution }),
        ),
      };
    });
    const ours = [phases.read, phases.parse, phases.render].map(list => spreadOf(list).mean);
    const total = ours[0] + ours[1] + ours[2];
    const paperTotal = paper.read + paper.parse + paper.render;
    const [asked, listed] = [spreadOf(queries).mean, spreadOf(lists).mean];
    rows.push(
      [
        'thesis',
        paper.resolution,
        paper.read,
        paper.parse,
        paper.render,
        paperTotal,
        paper.queries,
        ...[undefined, undefined, undefined],
      ],
      ['here', resolution, ...ours, total, asked, listed, gpu?.[0], gpu?.[1]],
      [
        'thesis : here',
        undefined,
        ...[paper.read / ours[0], paper.parse / ours[1], paper.render / ours[2]],
        ...[paperTotal / total, paper.queries / asked, paperTotal / listed],
        ...(gpu ? [paperTotal / gpu[0], paper.queries / gpu[1]] : [undefined, undefined]),
      ],
    );
  }
  return {
    tables: [
      {
        title: `${polygons.toLocaleString('en')} polygons, milliseconds, means of ${placements(lab)} placements`,
        heads: [
          '',
          'pixels wide',
          'pixel read',
          'pixel parse',
          'render',
          'sum',
          'queries',
          'lists (default)',
          ...['GPU time: read pixels', 'GPU time: queries'],
        ],
        rows,
      },
    ],
    notes: [
      ...(timed ? [gpuTimeWords(timed)] : []),
      'Rendering ends when its result is known to the CPU, so a round trip is part of it, and a second one part of reading. Colours have 4 bytes per pixel, as in the thesis.',
      warmUpWords(lab),
      ...(lab.isSoftware
        ? [
            `On a software GPU pictures have a quarter of the pixels per side, and there are ${placements(lab)} placements.`,
          ]
        : []),
    ],
  };
}

export const table42 = (lab: Lab): Promise<Findings> => withTimed(timed => measure42(lab, timed));

async function measure42(lab: Lab, timed: TimedGpu | undefined): Promise<Findings> {
  const resolution = resolutionOf(lab);
  const rows: (string | number | undefined)[][] = [];
  for (const size of earlySizes) {
    const scenes = [true, false].map(meet => {
      const scene = lab.gpu!.scene();
      for (const { mesh, pose } of linkedTori(size, meet).bodies) scene.add(mesh, { pose });
      return scene;
    });
    const polygons = scenes[0].bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
    lab.log(`  ${polygons} polygons`);
    const counted = (counting: 'queries' | 'lists') => (scene: Scene) => () =>
      ask(scene, { ask: counting === 'lists' ? 'pairs' : 'both', counting, resolution });
    const times = await lab.measure(...scenes.map(counted('queries')), ...scenes.map(counted('lists')));
    const draws: number[] = [];
    for (const scene of scenes) draws.push((await counted('queries')(scene)()).stats.dispatches);
    for (const scene of scenes) scene.close();
    const gpu = await gpuTimes(timed, lab.isSoftware ? 3 : 30, nf => {
      const own = [true, false].map(meet => {
        const scene = nf.scene();
        for (const { mesh, pose } of linkedTori(size, meet).bodies) scene.add(mesh, { pose });
        return scene;
      });
      return { place: () => {}, tasks: own.map(counted('queries')) };
    });
    const [found, clear, listsFound, listsClear] = times.map(({ calm }) => calm);
    rows.push([
      ...[polygons, size.found, size.clear, size.clear / size.found],
      ...[`${draws[0]} : ${draws[1]}`, found, clear, clear / found, listsFound, listsClear],
      ...[found / listsFound, clear / listsClear],
      ...(gpu ? [...gpu, size.found / gpu[0], size.clear / gpu[1]] : new Array(4).fill(undefined)),
    ]);
  }
  const worst = Math.max(...rows.map(row => Number(row[7])));
  return {
    tables: [
      {
        heads: [
          'polygons',
          ...['thesis: interference', 'none', 'ratio'],
          ...['draws and dispatches', 'queries: interference', 'none', 'ratio'],
          ...['lists (default): interference', 'none'],
          ...['queries : lists, interference', 'none'],
          ...['GPU time, queries: interference', 'none'],
          ...['thesis : GPU time, interference', 'none'],
        ],
        rows,
      },
    ],
    notes: [
      ...(timed ? [gpuTimeWords(timed)] : []),
      `Without interference, queries take at most ${worst.toFixed(2)} of the time with it (thesis: 0.68 to 0.73).`,
      ...(lab.isSoftware
        ? [`On a software GPU pictures have ${resolution} pixels along their longer side.`]
        : []),
    ],
  };
}
