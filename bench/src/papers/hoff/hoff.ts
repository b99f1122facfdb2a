// Hoff, Zaferakis, Lin and Manocha, "Fast 3D Geometric Proximity Queries between Rigid and Deformable Models Using
// Graphics Hardware Acceleration".

import type { Body, FieldOptions, Nearfield, Scene } from 'nearfield';
import { fitLine } from '../../run/linear.ts';
import type { Task } from '../../run/measure.ts';
import { quantile } from '../../run/quantile.ts';
import { cylinders, type Demonstration, heart, rings, tori, toriOf } from '../../scenes/papers/proximity.ts';
import { emptyWords, type TimedGpu, withTimed } from '../gpu-time.ts';
import type { Cell, Findings, Lab, Paper } from '../paper.ts';

export const hoff: Paper = {
  name: 'hoff',
  title:
    'Fast 3D Geometric Proximity Queries between Rigid and Deformable Models Using Graphics Hardware Acceleration',
  source:
    'Kenneth E. Hoff III, Andrew Zaferakis, Ming Lin and Dinesh Manocha, University of North Carolina at Chapel Hill, 2002',
  about:
    "The published form is the paper's pipeline (its Figure 2) through the public API: `intersectionVolume` with `form: 'slabs'` (each crossing of a column flips a bit in its slab, and slabs are added up from slice to slice) and `depths: 'distance-meshes'` (around the points, a distance field of each body by distance meshes of bounded error, drawn slice by slice into depth with owners, then differences of the fields). On a GPU all of it is one submission, and only the points with their depths, directions and owners are read back. Nearfield's own form is `intersectionVolume` with `depths: true`: winding numbers along columns, and an exact search for each point. Points are the same in both.",
  exhibits: [
    {
      name: 'Table 1',
      title: 'average time of a proximity query per frame',
      about:
        "Four demonstrations at the tolerance d: deforming cylinders, deforming tori, a beating heart, a chain of six rigid rings. The paper's models cannot be had; these have its numbers of triangles, and d is chosen to give its number of points, on average over the frames. The time is that of one frame, from new positions or poses to points with depth, direction and nearest body. The rings are asked about pair by pair in the published form. GPU time is what timestamps around each submission give; the other times are from call to answer.",
      needsGpu: false,
      run: table1,
    },
    {
      name: 'Table 2',
      title: 'effects of the error tolerance',
      about: 'The deforming tori at tolerances from 4d to d/4.',
      needsGpu: false,
      run: table2,
    },
    {
      name: 'Section 6',
      title: 'balancing the load',
      about:
        "Localisation narrows and halves the common box before samples are taken (section 4): deeper localisation costs time on the CPU and saves samples. Finer distance meshes cost geometry, denser samples cost fill (section 3): both change the error of a distance. The samples filled are those of the same field on the CPU, which counts them. The first table is the sweep by slabs for the tori's first frame on the CPU, in processor time: there triangles are sorted into buckets and swept upwards with a list of active ones. The second is one distance field of the first torus, with `tolerance` for the samples and `meshTolerance` for the meshes.",
      needsGpu: false,
      run: loadBalance,
    },
    {
      name: 'Section 5.1.2',
      title: 'growth with the number of triangles',
      about:
        'The paper states that the intersection takes time linear in the number of primitives, for a fixed tolerance. Tori of growing numbers of triangles, at the tolerance d, first frame, swept by slabs on the CPU, in processor time.',
      needsGpu: false,
      run: growth,
    },
  ],
};

/** The paper's milliseconds on its three machines, and its points. */
interface PaperRow {
  readonly points: number;
  readonly geForce3: number;
  readonly infiniteReality2: number;
  readonly ragePro: number;
}

const row = (points: number, geForce3: number, infiniteReality2: number, ragePro: number): PaperRow => ({
  ...{ points, geForce3, infiniteReality2, ragePro },
});

const demonstrations: readonly (readonly [make: () => Demonstration, paper: PaperRow])[] = [
  [cylinders, row(513, 12, 61, 45)],
  [tori, row(1412, 71, 262, 257)],
  [heart, row(317, 149, 329, 434)],
  [rings, row(2537, 313, 1001, 966)],
];

const tolerances: readonly (readonly [name: string, times: number, paper: PaperRow])[] = [
  ['4d', 4, row(22, 15, 56, 40)],
  ['2d', 2, row(177, 32, 189, 103)],
  ['d', 1, row(1413, 71, 262, 257)],
  ['d/2', 1 / 2, row(11_238, 169, 578, 689)],
  ['d/4', 1 / 4, row(89_605, 548, 1701, 2846)],
];

/** The form of the paper's pipeline. */
export const publishedForm = { form: 'slabs', depths: 'distance-meshes' } as const;

interface Measured {
  readonly points: number;
  readonly published: number;
  readonly best: number;
  /** The same in GPU time, where it can be had. */
  readonly publishedGpu: number | undefined;
  readonly bestGpu: number | undefined;
}

async function table1(lab: Lab): Promise<Findings> {
  const rows: Cell[][] = [];
  const series: [number, number][][] = [[], [], []];
  const gpuNotes = await withTimedGpu(lab, async timed => {
    for (const [make, paper] of demonstrations) {
      const demonstration = make();
      lab.log(`  ${demonstration.name}`);
      const triangles = trianglesOf(demonstration);
      const found = await measured(lab, demonstration, timed);
      rows.push([demonstration.name, triangles, paper.points, found.points, ...timesOf(paper, found)]);
      for (const [i, time] of [paper.geForce3, found.published, found.best].entries())
        series[i].push([triangles, time]);
    }
  });
  return {
    tables: [{ heads: ['scene', 'triangles', 'points, paper', 'points', ...timeHeads], rows }],
    plots: [
      {
        id: 'table-1',
        title: 'milliseconds per frame',
        x: { label: 'triangles' },
        y: { label: 'milliseconds', log: true },
        series: namedSeries(series),
      },
    ],
    notes: [...gpuNotes, ...onCpuNote(lab)],
  };
}

async function table2(lab: Lab): Promise<Findings> {
  const rows: Cell[][] = [];
  const series: [number, number][][] = [[], [], []];
  const logs: { size: number; time: number }[] = [];
  const gpuNotes = await withTimedGpu(lab, async timed => {
    for (const [name, times, paper] of tolerances) {
      if (times < finestOn(lab)) continue;
      lab.log(`  tori, ${name}`);
      const demonstration = tori();
      const tolerance = times * demonstration.tolerance;
      const found = await measured(lab, { ...demonstration, tolerance }, timed);
      rows.push([name, paper.points, found.points, ...timesOf(paper, found)]);
      [paper.points, found.points, found.points].forEach((points, i) => {
        series[i].push([points, [paper.geForce3, found.published, found.best][i]]);
      });
      logs.push({ size: Math.log2(1 / times), time: Math.log2(found.points) });
    }
  });
  const { slope, rSquared } = fitLine(logs);
  return {
    tables: [{ heads: ['tolerance', 'points, paper', 'points', ...timeHeads], rows }],
    plots: [
      {
        id: 'table-2',
        title: 'tori: milliseconds per frame',
        x: { label: 'points', log: true },
        y: { label: 'milliseconds', log: true },
        series: namedSeries(series),
      },
    ],
    notes: [
      `The number of points grows with the power ${slope.toFixed(2)} of 1/tolerance (R² ${rSquared.toFixed(4)}); samples fill a volume, so 3 is expected.`,
      ...(rows.length < tolerances.length
        ? ['Without a real GPU, finer tolerances are left out: distance meshes take seconds per frame there.']
        : []),
      ...gpuNotes,
      ...onCpuNote(lab),
    ],
  };
}

const timeHeads = [
  'paper: GeForce3',
  'InfiniteReality2',
  'Rage Pro LT',
  'published form',
  'of it GPU time',
  'GeForce3 : published',
  "Nearfield's form",
  'of it GPU time',
  'GeForce3 : Nearfield',
];

const timesOf = (
  { geForce3, infiniteReality2, ragePro }: PaperRow,
  { published, publishedGpu, best, bestGpu }: Measured,
): Cell[] => [
  ...[geForce3, infiniteReality2, ragePro],
  ...[published, publishedGpu, geForce3 / published, best, bestGpu, geForce3 / best],
];

const namedSeries = ([paper, published, best]: readonly [number, number][][]) => [
  { name: 'paper, GeForce3', points: paper, isPaper: true },
  { name: 'published form', points: published },
  { name: "Nearfield's form", points: best },
];

/** The finest tolerance that is measured, in multiples of d: without a real GPU, drawing takes seconds. */
const finestOn = (lab: Lab): number => (realGpu(lab) === undefined ? 1 / 2 : 1 / 4);

/** How many frames are measured. */
const framesOn = (lab: Lab): number => (realGpu(lab) === undefined ? 2 : 8);

/** All forms exist on the CPU. A software GPU does the same work on the same processor, far slower. */
const realGpu = ({ gpu, isSoftware }: Lab): Nearfield | undefined => (isSoftware ? undefined : gpu);
const engineOf = (lab: Lab): Nearfield => realGpu(lab) ?? lab.cpu;

const onCpuNote = (lab: Lab): string[] =>
  realGpu(lab) === undefined
    ? [
        'Both forms run on the CPU here, at full size: distance meshes are filled row by row there. 2 of the 8 frames are measured. Times are processor time, which other programs on the machine disturb least.',
      ]
    : [];

async function measured(
  lab: Lab,
  demonstration: Demonstration,
  timed: TimedGpu | undefined,
): Promise<Measured> {
  const nf = engineOf(lab);
  const frames = framesOn(lab);
  const published = animation(nf, demonstration, frames, publishedQuery);
  const best = animation(nf, demonstration, frames, bestQuery);
  const counts = [await published.count(), await best.count()];
  // The published form asks about the rings pair by pair, on grids of their own.
  if (demonstration.bodies.length === 2 && counts[0] !== counts[1]) {
    throw new Error(`${demonstration.name}: ${counts[0]} points by slabs, ${counts[1]} by columns`);
  }
  const times = await timesOn(lab, published.task, best.task);
  published.scene.close();
  best.scene.close();
  return {
    ...{ points: counts[1] / frames, published: times[0] / frames, best: times[1] / frames },
    publishedGpu: await gpuTime(timed, demonstration, frames, publishedQuery),
    bestGpu: await gpuTime(timed, demonstration, frames, bestQuery),
  };
}

/** GPU milliseconds per frame: the median of a few runs over all frames. */
async function gpuTime(
  timed: TimedGpu | undefined,
  demonstration: Demonstration,
  frames: number,
  query: Query,
): Promise<number | undefined> {
  if (timed === undefined) return undefined;
  const { scene, count } = animation(timed.nf, demonstration, frames, query);
  await count();
  const times: number[] = [];
  for (let run = 0; run < 7; run++) times.push(await timed.time(count));
  scene.close();
  return (
    quantile(
      times.sort((a, b) => a - b),
      0.5,
    ) / frames
  );
}

/** Runs a table's rows with a library whose GPU time is known, on a real GPU. Returns what the page says of that time. */
const withTimedGpu = (lab: Lab, work: (timed: TimedGpu | undefined) => Promise<void>): Promise<string[]> =>
  withTimed(async timed => {
    await work(timed);
    return timed === undefined ? [] : [emptyWords(timed)];
  }, realGpu(lab) !== undefined);

const timesOn = async (lab: Lab, ...tasks: readonly Task[]): Promise<number[]> =>
  (await lab.measure(...tasks)).map(({ calm, processor }) => (realGpu(lab) === undefined ? processor : calm));

/** The number of points of one frame's query. */
type Query = (scene: Scene, bodies: readonly Body[], tolerance: number) => Promise<number>;

/** Some frames as one task, and the number of points over all of them. */
function animation(
  nf: Nearfield,
  { bodies: placements, frames, tolerance }: Demonstration,
  frameCount: number,
  query: Query,
): { scene: Scene; task: Task; count(): Promise<number> } {
  const scene = nf.scene();
  const bodies = placements.map(({ mesh, pose }) => scene.add(mesh, { pose }));
  const run = async (): Promise<number> => {
    let points = 0;
    for (let i = 0; i < frameCount; i++) {
      const frame = frames[Math.floor((i * frames.length) / frameCount)];
      bodies.forEach((body, b) => {
        const positions = frame.allPositions?.[b];
        if (positions !== undefined) body.deform(positions);
        const pose = frame.poses?.[b];
        if (pose !== undefined) body.pose = pose;
      });
      points += await query(scene, bodies, tolerance);
    }
    return points;
  };
  return { scene, task: run, count: run };
}

const bestQuery: Query = async (scene, bodies, tolerance) => {
  const volume = await scene.intersectionVolume(bodies, { tolerance, depths: true });
  return volume.depths!.depth.length;
};

/** For each pair of bodies. */
const publishedQuery: Query = async (scene, bodies, tolerance) => {
  let points = 0;
  for (let a = 0; a < bodies.length; a++) {
    for (let b = a + 1; b < bodies.length; b++) {
      const volume = await scene.intersectionVolume([bodies[a], bodies[b]], { tolerance, ...publishedForm });
      points += volume.depths!.depth.length;
    }
  }
  return points;
};

async function loadBalance(lab: Lab): Promise<Findings> {
  const nf = engineOf(lab);
  const demonstration = tori();
  const d = demonstration.tolerance;
  const [swept, meshScene] = [lab.cpu, nf].map(engine => animation(engine, demonstration, 1, async () => 0));
  await swept.count();
  await meshScene.count();
  const bodies = [...swept.scene.bodies];
  const sweeps: Cell[][] = [];
  const curves: { name: string; points: [number, number][] }[] = [];
  for (const [name, times] of [
    ['d', 1],
    ['d/2', 1 / 2],
    ['d/4', 1 / 4],
  ] as const) {
    const points: [number, number][] = [];
    for (const localisation of [0, 1, 2, 4, 6, 8]) {
      lab.log(`  localisation ${localisation}, tolerance ${name}`);
      const ask = () =>
        swept.scene.intersectionVolume(bodies, { tolerance: times * d, localisation, form: 'slabs' });
      const { work, count: found } = await ask();
      const [{ processor }] = await lab.measure(ask);
      sweeps.push([name, localisation, work.regions, work.samples, work.triangles, found, processor]);
      points.push([localisation, processor]);
    }
    curves.push({ name: `tolerance ${name}`, points });
  }
  const meshed: Cell[][] = [];
  const { scene } = meshScene;
  const [body] = scene.bodies;
  const counted = (options: FieldOptions) => swept.scene.field(bodies[0], options);
  const finest = 1 / 16;
  for (const times of [4, 2, 1]) {
    for (let mesh = 1; mesh >= finest; mesh /= 4) {
      lab.log(`  distance meshes, samples ${times}d, meshes ${mesh}d`);
      const options = {
        ...{ tolerance: times * d, meshTolerance: mesh * d, upTo: 0.3, signed: false },
        form: 'distance-meshes' as const,
      };
      const field = await scene.field(body, options);
      const { meshes, pieces, error } = field.meshes!;
      // A GPU does not count the samples that it fills. The CPU fills the same ones.
      const { fill } = field.meshes!.fill === undefined ? (await counted(options)).meshes! : field.meshes!;
      const [time] = await timesOn(lab, () => scene.field(body, options));
      meshed.push([`${times}d`, mesh, field.distance.length, meshes, pieces, fill, error / d, time]);
    }
  }
  scene.close();
  swept.scene.close();
  return {
    tables: [
      {
        title: 'Localisation: the sweep by slabs',
        heads: ['tolerance', 'depth', 'regions', 'samples filled', 'triangles drawn', 'points', 'ms'],
        rows: sweeps,
      },
      {
        title: 'Fill and geometry: distance meshes',
        heads: [
          ...['tolerance', 'mesh tolerance / d', 'samples', 'meshes', realGpu(lab) ? 'triangles' : 'pieces'],
          ...['samples filled', 'error bound / d', 'ms'],
        ],
        rows: meshed,
      },
    ],
    plots: [
      {
        id: 'load-balance',
        title: 'tori: milliseconds of the sweep by slabs',
        x: { label: 'localisation depth' },
        y: { label: 'milliseconds', log: true },
        series: curves,
      },
    ],
  };
}

async function growth(lab: Lab): Promise<Findings> {
  const sizes = [8, 12, 16, 20, 24, 28, 32, 36, 40];
  const points: { size: number; time: number }[] = [];
  const rows: Cell[][] = [];
  for (const minor of sizes) {
    const demonstration = toriOf(2 * minor, minor);
    const triangles = trianglesOf(demonstration);
    lab.log(`  ${triangles} triangles`);
    const { scene, count } = animation(lab.cpu, demonstration, 1, async () => 0);
    await count();
    const bodies = [...scene.bodies];
    const ask = () => scene.intersectionVolume(bodies, { tolerance: demonstration.tolerance, form: 'slabs' });
    const { work, count: found } = await ask();
    const [{ processor }] = await lab.measure(ask);
    scene.close();
    rows.push([triangles, work.triangles, found, processor]);
    points.push({ size: triangles, time: processor });
  }
  const { slope, fixed, rSquared } = fitLine(points);
  return {
    tables: [{ heads: ['triangles', 'triangles drawn', 'points', 'ms'], rows }],
    plots: [
      {
        id: 'growth',
        title: 'tori at d: milliseconds of the sweep by slabs',
        x: { label: 'triangles' },
        y: { label: 'milliseconds' },
        series: [{ name: 'slabs', points: points.map(({ size, time }) => [size, time] as const) }],
      },
    ],
    notes: [
      `A straight line through these times has ${fixed.toPrecision(3)} ms at 0 and ${(1000 * slope).toPrecision(3)} ms per 1,000 triangles (R² ${rSquared.toFixed(3)}).`,
    ],
  };
}

const trianglesOf = ({ bodies }: Demonstration): number =>
  bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
