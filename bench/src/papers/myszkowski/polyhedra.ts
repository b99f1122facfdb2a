// Table 1 of Myszkowski et al. and what their section 7 says of growth: two polyhedra of many polygons.

import { fitLine } from '../../run/linear.ts';
import { figures, twoPolyhedra } from '../../scenes/papers/layers.ts';
import { growingSizes } from '../../scenes/papers/raycast.ts';
import type { Cell, Findings, Lab, Plot } from '../paper.ts';
import { askAll, pairScene } from './asking.ts';

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

export async function table1(lab: Lab): Promise<Findings> {
  const gpu = lab.gpu!;
  const [polygons, resolution] = lab.isSoftware ? [4000, 64] : [160_000, 512];
  // A shape has only some numbers of triangles: those of the software GPU are far enough apart to differ.
  const sizes = lab.isSoftware ? growingSizes(false).map(size => size / 80) : growingSizes(false);
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

const sides = [128, 192, 256, 320, 384, 448, 512];
/** Pass 3 draws at most this many layers, one after the other: seven bits in each of four channels. */
const mostDrawn = 28;

export async function resolutions(lab: Lab): Promise<Findings> {
  const general = figures[2];
  const polygons = lab.isSoftware ? 4000 : 160_000;
  const used = lab.isSoftware ? sides.map(side => side / 8) : sides;
  const { bodies } = twoPolyhedra(general, polygons);
  const scene = pairScene(lab.gpu!, bodies);
  const rows: Cell[][] = [];
  const points: { size: number; layers: number; graphics: number; software: number; computed: number }[] = [];
  for (const resolution of used) {
    lab.log(`  ${resolution}²`);
    const asked = { direction: [1, 0, 0] as const, resolution, algorithm: 'extended' as const };
    const [drawn, computed] = await askAll(lab, scene, [{ ...asked, form: 'drawn' }, asked]);
    const [graphics, software] = [0, 1].map(k => drawn.phases.reduce((sum, phase) => sum + phase[k], 0));
    const { mostLayers } = drawn.answer.layers;
    rows.push([
      resolution,
      resolution ** 2,
      mostLayers,
      graphics,
      software,
      drawn.total,
      computed.total,
      drawn.total / computed.total,
    ]);
    const layers = Math.min(mostDrawn, mostLayers);
    points.push({ size: resolution ** 2, layers, graphics, software, computed: computed.total });
  }
  scene.close();
  const lineOf = (what: 'graphics' | 'software' | 'computed') =>
    fitLine(points.map(point => ({ size: point.size, time: point[what] })));
  const inWords = (what: 'graphics' | 'software' | 'computed', name: string) => {
    const { fixed, slope, rSquared } = lineOf(what);
    return `${name}: ${fixed.toPrecision(3)} ms and ${(1e6 * slope).toPrecision(3)} ns per pixel, R² ${rSquared.toFixed(3)}`;
  };
  const byLayers = fitLine(points.map(({ layers, graphics }) => ({ size: layers, time: graphics })));
  return {
    tables: [
      {
        title: `${general.name}, milliseconds`,
        heads: [
          ...[
            'pixels along a side',
            'pixels',
            'layers of the deepest line',
            'drawn: graphics',
            'drawn: software',
            'drawn',
            'computed',
          ],
          'drawn : computed',
        ],
        rows,
      },
    ],
    plots: [
      {
        id: 'resolution',
        title: 'milliseconds against pixels',
        x: { label: 'pixels' },
        y: { label: 'milliseconds' },
        series: (['graphics', 'software', 'computed'] as const).map(what => ({
          name: what === 'computed' ? 'computed' : `drawn: ${what}`,
          points: points.map(point => [point.size, point[what]] as const),
        })),
      },
    ],
    notes: [
      `Straight lines over the number of pixels. ${inWords('software', 'The software of the drawn form')}; ${inWords('graphics', 'its graphics')}; ${inWords('computed', 'the computed form')}.`,
      `Graphics follow the layers instead. Pass 3 draws all polygons four times for every layer of the deepest line, ${mostDrawn} layers at most, and a line that grazes a wall seen edge on passes many of its polygons: ${byLayers.fixed.toPrecision(3)} ms and ${byLayers.slope.toPrecision(3)} ms per layer drawn, R² ${byLayers.rSquared.toFixed(3)}.`,
      ...(lab.isSoftware
        ? [
            `On a software GPU the polyhedra have ${polygons.toLocaleString('en')} polygons and pictures an eighth of the pixels per side.`,
          ]
        : []),
    ],
  };
}
