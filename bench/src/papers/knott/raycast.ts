// Chapter 4 of Knott's thesis: interference by ray casting.

import { type Mesh, type Nearfield, type RaycastOptions, type Scene, shapes } from 'nearfield';
import { fitLine } from '../../run/linear.ts';
import { single } from '../../scenes/meshes/generated.ts';
import { significant } from '../../tables/markdown.ts';
import type { Exhibit, Findings, Lab } from '../paper.ts';
import { ask, placements, placeNear, randomPose, resolutionOf, warmUps, warmUpWords } from './asking.ts';
import { table41, table42 } from './tables.ts';
import { type Spread, spreadOf, trialsOf } from './trials.ts';

export const raycastExhibits: readonly Exhibit[] = [
  {
    name: 'Figure 4.15',
    title: 'time against the number of objects',
    about:
      'Boxes of twelve triangles at random places in a picture of 256 × 256 pixels, placed anew for each trial; mean and standard deviation, as in the thesis. The text prints no axis; it says that several hundreds of boxes were possible and that the growth is clearly linear. Both bodies of every interference are identified (Algorithms 4 and 5); lists give all pairs. The last columns are the published forms over the default.',
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
      'Two objects of one shape at several levels of detail, turned and shifted at random for each trial, 256 × 256 pixels. The thesis does not name its shape; here it is a torus knot. Its text says that the growth is linear, and that more than 5,000 polygons were possible. The last columns are the published forms over the default.',
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
      'Two torus knots of 3,614 polygons together, at random places. Reading pixels has three phases: rendering, copying the colours to memory, and examining every pixel. Pictures have 640 or 256 pixels along their longer side; the thesis has 640 × 480 and 256 × 256. Queries are timed as a whole: nothing is read but one result per body. Colours have 4 bytes per pixel, as in the thesis.',
    needsGpu: true,
    run: table41,
  },
  {
    name: 'Table 4.2',
    title: 'early detection of no interference',
    about:
      'Two rings with deeply overlapping boxes, linked and clear of each other, or one shifted into the other, 256 pixels wide. Algorithm 5 asks after pass 4 whether any edge is enclosed. If none is, passes 5 to 7, which draw each body twice more to identify the enclosing bodies, are left out. Algorithm 1, which identifies nothing, has nothing to leave out. The faces of solids are drawn once before edges, without those of an edge’s own body.',
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
    const times = await trialsOf(lab, count, random => trial.place(random), tasks, {
      repeats,
      warmUps: Math.min(count, warmUps(lab)),
    });
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
        heads: [unit, ...ways.map(({ name }) => name), 'read pixels : lists', 'queries : lists'],
        rows: points.map(({ size, spreads }) => [
          size,
          ...spreads.map(inWords),
          spreads[0].mean / spreads[3].mean,
          spreads[1].mean / spreads[3].mean,
        ]),
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
      warmUpWords(lab),
      ...(beyond.length > 0
        ? [
            `The thesis's sizes leave a modern GPU idle: most of the time is fixed. So there are larger ones, from ${beyond[0].toLocaleString('en')} ${unit} on, with ${fewPlacements} placements each, after as many for the warm-up.`,
          ]
        : []),
      ...softwareNote(lab),
    ],
  };
}

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
