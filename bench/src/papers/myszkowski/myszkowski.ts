// Myszkowski, Okunev and Kunii, "Fast collision detection between complex solids using rasterizing graphics hardware".

import { jawStages } from '@nearfield/samples';
import type { DistanceMap, LayersInterferences, LayersOptions, Mesh, Nearfield, Scene } from 'nearfield';
import { fitLine } from '../../run/linear.ts';
import { figures, polygonCounts, twoPolyhedra } from '../../scenes/papers/layers.ts';
import { growingSizes } from '../../scenes/papers/raycast.ts';
import { type Cell, type Findings, type Lab, type Paper, type Plot, pageSeconds } from '../paper.ts';
import { limitsExhibit } from './limits.ts';
import { type JawPair, jawPair } from './scanned-jaws.ts';

export const myszkowski: Paper = {
  name: 'myszkowski',
  title: 'Fast collision detection between complex solids using rasterizing graphics hardware',
  source: 'Karol Myszkowski, Oleg G. Okunev and Tosiyasu L. Kunii, The Visual Computer 11, 1995',
  about:
    "The method `layers` is this paper's. `form: 'drawn'` is the published one: depth test, stencil counts and blending on the rasteriser, each pass read back and examined on the CPU. `form: 'computed'` (the default) is Nearfield's: kernels that count and order with bounds, find spikes, and say how small an interference they may miss.",
  exhibits: [
    {
      name: 'Table 1',
      title: 'two polyhedra of 160,000 polygons at 512 × 512 pixels',
      about:
        "Two simple polyhedra with subdivided faces, whose shapes are known from their description only. Lines pass one of them up to six times (figure 3a), each at most twice (3b), or both up to six times (3c). The paper's total counts one drawing per pass and the examination of the counters by the application, and leaves out the sorting of polygons. Here sorting is part of pass 3, which draws layer by layer. The paper found linear growth. Eight sizes show ours, from the paper's on: smaller ones take a modern GPU hardly longer than an empty question.",
      needsGpu: true,
      run: table1,
    },
    {
      name: 'Figure 5',
      title: 'five teeth in four stages',
      about:
        'Five teeth of more than 110,000 polygons, apart, touching, closed and crossed. The paper needed one pass for the first two stages and three for the others, sorting not counted. Its scans cannot be had: teeth are generated, unless the environment variable NEARFIELD_JAWS names two scanned jaws. Generated teeth are seen along the bite, where one pass or two suffice; so they are also seen from a direction at which lines pass them more often, as the paper turned its teeth.',
      needsGpu: true,
      run: teeth,
    },
    limitsExhibit,
    {
      name: 'Figure 7',
      title: 'error of the distance map against the projection',
      about:
        'The distance of the closed teeth along each line, as a depth buffer of 24 bits has it: one line through the middle of a pixel, depths rounded. It is compared with the mean of 25 exact rays over the pixel (the paper: 16). The paper adjusts the projection to the polygons and has an RMS error of 0.0009 mm and a maximum of 0.06 mm there, more for other projections (its picture gives no numbers). Here the projection is tilted away from the bite step by step. All lines are cast exactly on the CPU. With a GPU, the error of its own map against the exact line through the same middle is measured too.',
      needsGpu: false,
      run: figure7,
    },
  ],
};

type Way = Pick<LayersOptions, 'algorithm' | 'direction' | 'resolution' | 'form'>;

/** The median time of a question, the last answer, and the median time of each pass if it is drawn. */
interface Measured {
  readonly total: number;
  readonly answer: LayersInterferences;
  /** Milliseconds of passes 1 to 3: graphics, software. */
  readonly phases: readonly (readonly [graphics: number, software: number])[];
}

/** Asks in every way, in turns. */
async function askAll(lab: Lab, scene: Scene, ways: readonly Way[]): Promise<Measured[]> {
  const answers: LayersInterferences[][] = ways.map(() => []);
  const times = await lab.measure(
    ...ways.map((way, i) => async () => {
      answers[i].push(await scene.sampledInterferences({ method: 'layers', ...way }));
    }),
  );
  return ways.map((_, i) => {
    const all = answers[i].map(({ layers }) => layers.phases);
    const of = (phase: number, what: 'graphics' | 'software') =>
      median(all.map(phases => phases[phase][what]));
    return {
      total: times[i].calm,
      answer: answers[i].at(-1)!,
      phases: all[0].map((_, phase) => [of(phase, 'graphics'), of(phase, 'software')] as const),
    };
  });
}

const median = (values: readonly number[]): number => values.toSorted((p, q) => p - q)[values.length >> 1];

function pairScene(
  nf: Nearfield,
  bodies: readonly { readonly mesh: Mesh; readonly pose?: Float64Array }[],
): Scene {
  const scene = nf.scene();
  for (const { mesh, pose } of bodies) scene.add(mesh, pose ? { pose } : {});
  return scene;
}

/** Seconds of table 1 on RealityEngine2 and on Extreme: one drawing, examination after passes 1 to 3. */
const printed = [
  { graphics: [270, 520], software: [[130, 180], [170, 250], []] },
  { graphics: [270, 520], software: [[130, 180], [100, 140], []] },
  {
    graphics: [270, 520],
    software: [
      [130, 180],
      [170, 250],
      [280, 350],
    ],
  },
];

async function table1(lab: Lab): Promise<Findings> {
  const gpu = lab.gpu!;
  const [polygons, resolution] = lab.isSoftware ? [4000, 64] : [160_000, 512];
  const sizes = lab.isSoftware ? polygonCounts.map(size => size / 40) : growingSizes(false);
  const phaseHeads = [
    'pass 1 drawn',
    'examined',
    'pass 2 drawn',
    'examined',
    'pass 3 drawn',
    'examined',
    'total',
  ];
  const phaseRows: Cell[][] = [];
  const totals: Cell[][] = [];
  const growth: Cell[][] = [];
  const plots: Plot[] = [];
  const notes: string[] = [];
  for (const [f, figure] of figures.entries()) {
    const points: { size: number; drawn: number; computed: number }[] = [];
    for (const size of sizes) {
      lab.log(`  ${figure.name}, ${size.toLocaleString('en')} polygons`);
      const { bodies, series } = twoPolyhedra(figure, size);
      const scene = pairScene(gpu, bodies);
      const asked = { direction: [1, 0, 0] as const, resolution };
      // The published general algorithm counts first, and orders what counting leaves open.
      const [drawn, computed] = await askAll(lab, scene, [
        { ...asked, form: 'drawn', algorithm: figure.algorithm === 'convex' ? 'convex' : 'extended' },
        { ...asked, algorithm: figure.algorithm === 'convex' ? 'convex' : 'extended' },
      ]);
      points.push({ size: series!.size, drawn: drawn.total, computed: computed.total });
      if (size === polygons) {
        for (const [m, machine] of ['RealityEngine2', 'Extreme'].entries()) {
          const { graphics, software } = printed[f];
          const cells = software.flatMap(s => (s.length > 0 ? [graphics[m], s[m]] : [undefined, undefined]));
          phaseRows.push([`${figure.name}, ${machine} 1995`, ...cells, 1000 * figure.paper[m]]);
        }
        const own = [0, 1, 2].flatMap(phase => drawn.phases[phase] ?? [undefined, undefined]);
        phaseRows.push([`${figure.name}, drawn here`, ...own, drawn.total]);
        const [first, last] = figure.paper.map(seconds => 1000 * seconds);
        totals.push([
          figure.name,
          ...[first, last, drawn.total, computed.total],
          ...[first / drawn.total, first / computed.total, drawn.total / computed.total],
          drawn.answer.layers.passes,
          `${drawn.answer.length > 0} / ${computed.answer.length > 0}`,
          drawn.answer.complete ? 'yes' : 'no',
        ]);
      }
      scene.close();
    }
    for (const { size, drawn, computed } of points) growth.push([figure.name, size, drawn, computed]);
    for (const form of ['drawn', 'computed'] as const) {
      const { fixed, slope, rSquared } = fitLine(
        points.map(point => ({ size: point.size, time: point[form] })),
      );
      notes.push(
        `${figure.name}, ${form}: ${fixed.toPrecision(3)} ms and ${(1000 * slope).toPrecision(3)} µs per polygon, linear with R² ${rSquared.toFixed(3)} over ${points.length} sizes.`,
      );
    }
    plots.push({
      id: `table-1-${f + 1}`,
      title: `${figure.name}: milliseconds`,
      x: { label: 'polygons' },
      y: { label: 'milliseconds' },
      series: (['drawn', 'computed'] as const).map(form => ({
        name: form,
        points: points.map(point => [point.size, point[form]] as const),
      })),
    });
  }
  if (lab.isSoftware) {
    notes.unshift(
      `On a software GPU the polyhedra have ${polygons.toLocaleString('en')} polygons together and are seen at ${resolution} × ${resolution} pixels, so ratios to the paper's times mean nothing here.`,
    );
  }
  return {
    tables: [
      {
        title: 'Milliseconds per pass: drawing, and reading and examining the counters',
        heads: ['', ...phaseHeads],
        rows: phaseRows,
      },
      {
        title: 'Totals in milliseconds',
        heads: [
          ...['', 'RealityEngine2', 'Extreme', 'drawn', 'computed'],
          ...['RealityEngine2 : drawn', 'RealityEngine2 : computed', 'drawn : computed'],
          ...['passes', 'meet (drawn / computed)', 'drawn is complete'],
        ],
        rows: totals,
      },
      { title: 'Growth', heads: ['', 'polygons', 'drawn', 'computed'], rows: growth },
    ],
    plots,
    notes,
  };
}

/** Milliseconds of the paper: RealityEngine2, Extreme. */
const paperTeeth = { apart: [300, 490], touching: [300, 490], closed: [1110, 1780], crossed: [1110, 1780] };

async function teeth(lab: Lab): Promise<Findings> {
  const resolution = lab.isSoftware ? 64 : 512;
  const jaws = await jawPair(lab.cpu, lab.isSoftware ? 8000 : undefined);
  // Across the bite and askew, lines pass several teeth.
  const [x, y, z] = jaws.bite;
  const aslant = [z + 0.4 * x, x + 0.4 * y, y + 0.4 * z] as const;
  const rows: Cell[][] = [];
  for (const stage of jawStages) {
    for (const [name, direction] of [
      ['along the bite', jaws.bite],
      ['across the teeth', aslant],
    ] as const) {
      lab.log(`  ${jaws.name}, ${stage}, ${name}`);
      const scene = pairScene(lab.gpu!, [
        { mesh: jaws.upper },
        { mesh: jaws.lower, pose: jaws.poseAt(stage) },
      ]);
      const exact = lab.cpu.scene();
      exact.add(jaws.upper);
      exact.add(jaws.lower, { pose: jaws.poseAt(stage) });
      const meets = exact.interferencesSync({ detail: 'any' }).length > 0;
      exact.close();
      const asked = { direction, resolution };
      const [drawn, computed] = await askAll(lab, scene, [{ ...asked, form: 'drawn' }, asked]);
      const [graphics, software] = [0, 1].map(k => drawn.phases.reduce((sum, phase) => sum + phase[k], 0));
      const [first, last] = paperTeeth[stage];
      rows.push([
        `${stage}, ${name}`,
        ...[first, last, graphics, software, drawn.total, computed.total],
        ...[first / drawn.total, first / computed.total],
        ...[drawn.answer.layers.passes, drawn.answer.layers.mostLayers || undefined],
        `${drawn.answer.length > 0} / ${computed.answer.length > 0} / ${meets}`,
      ]);
      scene.close();
    }
  }
  return {
    tables: [
      {
        title: `${jaws.name}, ${resolution} × ${resolution} pixels, milliseconds`,
        heads: [
          ...['', 'RealityEngine2', 'Extreme', 'drawn: graphics', 'drawn: software', 'drawn', 'computed'],
          ...['RealityEngine2 : drawn', 'RealityEngine2 : computed', 'passes', 'layers ordered, at most'],
          'meet (drawn / computed / exactly)',
        ],
        rows,
      },
    ],
    notes: lab.isSoftware
      ? [
          `On a software GPU the picture has ${resolution} × ${resolution} pixels, and generated teeth 8,000 polygons.`,
        ]
      : [],
  };
}

/** Fine lines per pixel along each side. */
const raysAcross = 5;
const tilts = [0, 10, 20, 30, 40, 50, 60, 70];
/** If fewer milliseconds are left for the page, it leaves out further tilts. */
const leastLeft = 10_000;

async function figure7(lab: Lab): Promise<Findings> {
  const jaws = await jawPair(lab.cpu);
  const { bounds } = jaws.upper;
  // Some 500 pixels, as in the paper: generated teeth are about 30 mm long, jaws more.
  const longest = Math.max(...[0, 1, 2].map(k => bounds[k + 3] - bounds[k]));
  const pixel = lab.isSoftware ? 0.1 : Math.max(0.06, Math.ceil((100 * longest) / 512) / 100);
  const rows: Cell[][] = [];
  const spreads: { tilt: number; errors: Float64Array }[] = [];
  const found: { tilt: number; rms: number; most: number; gpu: number | undefined }[] = [];
  const skipped: number[] = [];
  for (const tilt of tilts) {
    if (found.length > 0 && lab.left() < leastLeft) {
      skipped.push(tilt);
      continue;
    }
    lab.log(`  ${jaws.name}, tilted by ${tilt}°`);
    const direction = tilted(jaws.bite, (tilt * Math.PI) / 180);
    const asked = { direction, pixel: pixel / raysAcross, surfaces: 'facing', signal: lab.signal } as const;
    const map = await mapOf(lab.cpu, jaws, asked);
    const errors = errorsOfMap(map);
    const rms = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
    const most = errors[errors.length - 1];
    const own = lab.gpu && (await mapOf(lab.gpu, jaws, { ...asked, ...(lab.isSoftware && { pixel }) }));
    const same = own && (lab.isSoftware ? await mapOf(lab.cpu, jaws, { ...asked, pixel }) : map);
    const gpu = own && same && difference(own, same);
    rows.push([tilt, errors.length, rms, median(Array.from(errors)), most, gpu?.rms, gpu?.most, own?.error]);
    spreads.push({ tilt, errors });
    found.push({ tilt, rms, most, gpu: gpu?.most });
  }
  const shares = [0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];
  const at = (errors: Float64Array, share: number) => errors[Math.floor((1 - share) * (errors.length - 1))];
  return {
    tables: [
      {
        title: `${jaws.name}, closed; pixels of ${pixel} mm; errors in millimetres (the paper: RMS 0.0009, maximum 0.06)`,
        heads: [
          ...['tilt, degrees', 'pixels', 'RMS', 'median', 'maximum'],
          ...['GPU map, RMS', 'GPU map, maximum', 'GPU map, stated bound'],
        ],
        rows,
      },
    ],
    plots: [
      {
        id: 'figure-7-directions',
        title: 'error of the map against the projection',
        x: { label: 'angle between the projection and the bite, degrees' },
        y: { label: 'millimetres', log: true },
        series: [
          { name: 'maximum', points: found.map(({ tilt, most }) => [tilt, most] as const) },
          { name: 'RMS', points: found.map(({ tilt, rms }) => [tilt, rms] as const) },
          { name: 'the paper, maximum, adjusted projection', isPaper: true, points: [[0, 0.06]] },
          { name: 'the paper, RMS, adjusted projection', isPaper: true, points: [[0, 0.0009]] },
        ],
      },
      {
        id: 'figure-7-distribution',
        title: 'distribution of the error',
        x: { label: 'share of pixels with a larger error', log: true },
        y: { label: 'millimetres', log: true },
        series: spreads
          .filter(({ tilt }) => [0, 20, 40, 60].includes(tilt))
          .map(({ tilt, errors }) => ({
            name: `${tilt}°`,
            points: shares.map(share => [share, Math.max(at(errors, share), 1e-9)] as const),
          })),
      },
    ],
    notes: [
      'The error is that of one line per pixel: it grows where polygons are steep to the projection, as the paper found. Rounding depths to 24 bits adds less than 0.00001 mm.',
      ...(skipped.length > 0
        ? [`Left out, since a page may take ${pageSeconds} s: tilts of ${skipped.join('°, ')}°.`]
        : []),
    ],
  };
}

async function mapOf(
  nf: Nearfield,
  { upper, lower, poseAt }: JawPair,
  options: Parameters<Scene['distanceMap']>[2],
): Promise<DistanceMap> {
  const scene = nf.scene();
  const [a, b] = [scene.add(upper), scene.add(lower, { pose: poseAt('closed') })];
  const map = await scene.distanceMap(a, b, options);
  scene.close();
  return map;
}

/** The errors of all pixels whose lines all meet both jaws, in order. */
function errorsOfMap({ columns, rows, distance, depth, view }: DistanceMap): Float64Array {
  const step = (view.far - view.near) / 2 ** 24;
  const stored = (value: number) => Math.round(value / step) * step;
  const errors: number[] = [];
  const half = (raysAcross - 1) / 2;
  for (let row = half; row + half < rows; row += raysAcross) {
    for (let column = half; column + half < columns; column += raysAcross) {
      let sum = 0;
      for (let y = row - half; y <= row + half; y++) {
        for (let x = column - half; x <= column + half; x++) sum += distance[y * columns + x];
      }
      if (Number.isNaN(sum)) continue;
      const at = row * columns + column;
      const middle = stored(depth[at] + distance[at]) - stored(depth[at]);
      errors.push(Math.abs(middle - sum / raysAcross ** 2));
    }
  }
  if (errors.length === 0) throw new Error('no pixel shows both jaws');
  return Float64Array.from(errors).sort();
}

/** How far two maps of one view are apart. */
function difference(p: DistanceMap, q: DistanceMap): { rms: number; most: number } {
  let [sum, most, count] = [0, 0, 0];
  p.distance.forEach((distance, pixel) => {
    const off = Math.abs(distance - q.distance[pixel]);
    if (Number.isNaN(off)) return;
    sum += off * off;
    most = Math.max(most, off);
    count++;
  });
  return { rms: Math.sqrt(sum / Math.max(1, count)), most };
}

/** The direction of the bite, turned by an angle towards the next axis. */
function tilted(bite: readonly [number, number, number], angle: number): [number, number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const aside = [bite[2], bite[0], bite[1]];
  return [0, 1, 2].map(k => c * bite[k] + s * aside[k]) as [number, number, number];
}
