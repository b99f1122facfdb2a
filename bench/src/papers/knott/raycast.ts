// Chapter 4 of Knott's thesis: interference by ray casting.

import {
  type Mesh,
  type Nearfield,
  type RaycastFound,
  type RaycastOptions,
  type Scene,
  shapes,
} from 'nearfield';
import { fitLine } from '../../run/linear.ts';
import { single } from '../../scenes/meshes/generated.ts';
import { earlySizes, linkedTori, tableKnots } from '../../scenes/papers/raycast.ts';
import { significant } from '../../tables/markdown.ts';
import type { Exhibit, Findings, Lab } from '../paper.ts';
import { type Spread, spreadOf, trialsOf } from './trials.ts';

export const raycastExhibits: readonly Exhibit[] = [
  {
    name: 'Figure 4.15',
    title: 'time against the number of objects',
    about:
      'Boxes of twelve triangles at random places in a picture of 256 × 256 pixels, placed anew for each trial; mean and standard deviation, as in the thesis. The text prints no axis; it says that several hundreds of boxes were possible and that the growth is clearly linear. Both bodies of every interference are identified (Algorithms 4 and 5); lists give all pairs.',
    needsGpu: true,
    run: lab =>
      growth(
        lab,
        'figure-4-15',
        'boxes',
        lab.isSoftware ? [4, 8, 12, 16, 20, 24, 28, 32] : objectCounts,
        lab.isSoftware ? [] : [800, 1600, 3200],
        boxScene,
      ),
  },
  {
    name: 'Figure 4.16',
    title: 'time against the number of polygons',
    about:
      'Two objects of one shape at several levels of detail, turned and shifted at random for each trial, 256 × 256 pixels. The thesis does not name its shape; here it is a torus knot. Its text says that the growth is linear, and that more than 5,000 polygons were possible.',
    needsGpu: true,
    run: lab =>
      growth(
        lab,
        'figure-4-16',
        'polygons',
        polygonCounts,
        lab.isSoftware ? [] : [20_480, 81_920, 327_680],
        knotScene,
      ),
  },
  {
    name: 'Table 4.1',
    title: 'reading pixels against occlusion queries',
    about:
      'Two torus knots of 3,614 polygons together, at random places. Reading pixels has three phases: rendering, copying the colours to memory, and examining every pixel. Pictures have 640 or 256 pixels along their longer side; the thesis has 640 × 480 and 256 × 256. Queries are timed as a whole: nothing is read but one result per body.',
    needsGpu: true,
    run: table41,
  },
  {
    name: 'Table 4.2',
    title: 'early detection of no interference',
    about:
      'Two rings with deeply overlapping boxes, linked and clear of each other, or one shifted into the other, 256 pixels wide. Algorithm 5 asks after pass 4 whether any edge is enclosed. If none is, passes 5 to 7, which draw each body twice more to identify the enclosing bodies, are left out. Algorithm 1, which identifies nothing, has nothing to leave out.',
    needsGpu: true,
    run: table42,
  },
];

const objectCounts = [50, 100, 150, 200, 250, 300, 350, 400];
const polygonCounts = [640, 1280, 1920, 2560, 3200, 3840, 4480, 5120];

const ways: readonly { readonly name: string; readonly options: RaycastOptions }[] = [
  { name: 'read pixels (as published)', options: { ask: 'both', counting: 'pixels' } },
  { name: 'queries (as published)', options: { ask: 'both', counting: 'queries' } },
  { name: 'stencil, summed up on the GPU', options: { ask: 'both', counting: 'stencil' } },
  { name: 'lists (default)', options: { ask: 'pairs' } },
];

/** A scene of some size, and a way to place its bodies at random. */
interface Trial {
  readonly scene: Scene;
  readonly size: number;
  place(random: shapes.Random): void;
}

/** The thesis placed objects 100 times per point. A software GPU is too slow for that. */
const placements = (lab: Lab): number => (lab.isSoftware ? 3 : 100);
const resolutionOf = (lab: Lab): number => (lab.isSoftware ? 64 : 256);
/** How often each placement is asked about; the least time counts. */
const repeats = 3;
/** Placements per point of sizes beyond the thesis's. */
const fewPlacements = 10;

async function growth(
  lab: Lab,
  id: string,
  unit: string,
  sizes: readonly number[],
  beyond: readonly number[],
  make: (nf: Nearfield, size: number) => Trial,
): Promise<Findings> {
  const resolution = resolutionOf(lab);
  const points: { size: number; spreads: Spread[] }[] = [];
  for (const wanted of [...sizes, ...beyond]) {
    lab.log(`  ${wanted} ${unit}`);
    const trial = make(lab.gpu!, wanted);
    const tasks = ways.map(
      ({ options }) =>
        () =>
          ask(trial.scene, { ...options, resolution }),
    );
    const count = beyond.includes(wanted) ? fewPlacements : placements(lab);
    const times = await trialsOf(lab, count, random => trial.place(random), tasks, repeats);
    points.push({ size: trial.size, spreads: times.map(spreadOf) });
    trial.scene.close();
  }
  const linesOf = (some: typeof points) =>
    ways.map((_, way) => fitLine(some.map(({ size, spreads }) => ({ size, time: spreads[way].mean }))));
  const lineRows = (some: typeof points, range: string): (string | number)[][] => {
    const lines = linesOf(some);
    return [
      [`fixed, ms${range}`, ...lines.map(({ fixed }) => fixed)],
      [`µs per ${unit === 'boxes' ? 'box' : 'polygon'}${range}`, ...lines.map(({ slope }) => 1000 * slope)],
      [`R²${range}`, ...lines.map(({ rSquared }) => rSquared)],
    ];
  };
  const own = points.slice(0, sizes.length);
  return {
    tables: [
      {
        title: `Milliseconds, mean ± deviation of ${placements(lab)} placements`,
        heads: [unit, ...ways.map(({ name }) => name)],
        rows: points.map(({ size, spreads }) => [size, ...spreads.map(inWords)]),
      },
      {
        title: 'Straight lines through the means',
        heads: ['', ...ways.map(({ name }) => name)],
        rows:
          beyond.length === 0
            ? lineRows(own, '')
            : [...lineRows(own, ", the thesis's sizes"), ...lineRows(points, ', all sizes')],
      },
    ],
    plots: [
      {
        id,
        title: `milliseconds against ${unit}`,
        x: { label: `number of ${unit}`, log: beyond.length > 0 },
        y: { label: 'milliseconds', log: beyond.length > 0 },
        series: ways.map(({ name }, way) => ({
          name,
          points: points.map(({ size, spreads }) => [size, spreads[way].mean] as const),
          bars: points.map(({ spreads }) => spreads[way].deviation),
        })),
      },
    ],
    notes: [
      `Each placement is asked about ${repeats} times by every way in turn, and the least time counts.`,
      ...(beyond.length > 0
        ? [
            `The thesis's sizes leave a modern GPU idle: most of the time is fixed. So there are larger ones, from ${beyond[0].toLocaleString('en')} ${unit} on, with ${fewPlacements} placements each.`,
          ]
        : []),
      ...softwareNote(lab),
    ],
  };
}

const ask = (scene: Scene, options: RaycastOptions): Promise<Pick<RaycastFound, 'raycast' | 'stats'>> =>
  scene.sampledInterferences({ method: 'raycast', ...options } as { method: 'raycast' });

const inWords = ({ mean, deviation }: Spread): string => `${significant(mean)} ± ${significant(deviation)}`;

const softwareNote = (lab: Lab): string[] =>
  lab.isSoftware
    ? [
        `On a software GPU pictures have ${resolutionOf(lab)} pixels along their longer side, and there are ${placements(lab)} placements per point.`,
      ]
    : [];

/** Boxes in a cube as dense as the boxes themselves, so that many meet. */
function boxScene(nf: Nearfield, count: number): Trial {
  const scene = nf.scene();
  const mesh = single(shapes.box());
  const bodies = Array.from({ length: count }, () => scene.add(mesh));
  const side = 1.6 * Math.cbrt(count);
  return {
    scene,
    size: count,
    place(random) {
      for (const body of bodies) body.pose = randomPose(random, side / 2);
    },
  };
}

/** Two knots of the same shape, one inside the reach of the other. */
function knotScene(nf: Nearfield, polygons: number): Trial {
  const scene = nf.scene();
  const sides = 8;
  const knot = (): Mesh => single(shapes.torusKnot({ segments: Math.round(polygons / (4 * sides)), sides }));
  const mesh = knot();
  const bodies = [scene.add(mesh), scene.add(mesh)];
  return { scene, size: 2 * mesh.triangleCount, place: random => placeNear(random, bodies) };
}

function placeNear(random: shapes.Random, bodies: readonly { pose: ArrayLike<number> }[]): void {
  for (const body of bodies) body.pose = randomPose(random, 0.3);
}

/** A random rotation (from a random unit quaternion) and a random place. */
function randomPose(random: shapes.Random, reach: number): number[] {
  const [x, y, z] = random.direction();
  const angle = random.between(0, 2 * Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  const place = () => random.between(-reach, reach);
  return [
    ...[t * x * x + c, t * x * y + s * z, t * x * z - s * y, 0],
    ...[t * x * y - s * z, t * y * y + c, t * y * z + s * x, 0],
    ...[t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0],
    ...[place(), place(), place(), 1],
  ];
}

/** The thesis's milliseconds: pixel read, pixel parse, render; and render by queries. */
const paper41 = [
  { resolution: 640, read: 6.7, parse: 1.2, render: 4, queries: 4 },
  { resolution: 256, read: 1.5, parse: 0.2, render: 3.9, queries: 3.9 },
] as const;

async function table41(lab: Lab): Promise<Findings> {
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
    const [, queries, lists] = await trialsOf(lab, placements(lab), random => placeNear(random, bodies), [
      byPixels,
      byQueries,
      byLists,
    ]);
    scene.close();
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
        undefined,
      ],
      ['here', resolution, ...ours, total, asked, listed],
      [
        'thesis : here',
        undefined,
        ...[paper.read / ours[0], paper.parse / ours[1], paper.render / ours[2]],
        ...[paperTotal / total, paper.queries / asked, paperTotal / listed],
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
        ],
        rows,
      },
    ],
    notes: [
      'Rendering ends when its result is known to the CPU, so a round trip is part of it, and a second one part of reading. Our colours have 8 bytes per pixel, those of the thesis 4.',
      ...(lab.isSoftware
        ? [
            `On a software GPU pictures have a quarter of the pixels per side, and there are ${placements(lab)} placements.`,
          ]
        : []),
    ],
  };
}

async function table42(lab: Lab): Promise<Findings> {
  const resolution = resolutionOf(lab);
  const rows: (string | number)[][] = [];
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
    const [found, clear, listsFound, listsClear] = times.map(({ calm }) => calm);
    rows.push([
      ...[polygons, size.found, size.clear, size.clear / size.found],
      ...[`${draws[0]} : ${draws[1]}`, found, clear, clear / found, listsFound, listsClear],
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
        ],
        rows,
      },
    ],
    notes: [
      `Without interference, queries take at most ${worst.toFixed(2)} of the time with it (thesis: 0.68 to 0.73).`,
      ...(lab.isSoftware
        ? [`On a software GPU pictures have ${resolution} pixels along their longer side.`]
        : []),
    ],
  };
}
