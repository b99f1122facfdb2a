// What lines alone may miss, and what many layers cost (sections 6 and 7).

import { type Mesh, mesh, type Nearfield, shapes } from 'nearfield';
import { fitLine } from '../../run/linear.ts';
import type { Cell, Exhibit, Findings, Lab } from '../paper.ts';

export const limitsExhibit: Exhibit = {
  name: 'Section 7',
  title: 'spikes between the lines, and lines with many layers',
  about:
    'A thin spike may end between two lines. The paper proposes to draw bounding volumes in its place and to examine the surface itself where these meet something. Here the tip of a pyramid is 5.8 pixels deep in a slab, at nine places within a pixel. Then: plates of two bodies one above the other, whose layers are put in order along every line; the paper sorts polygons, and leaves that out of its times.',
  needsGpu: true,
  run: limits,
};

type Triple = readonly [number, number, number];

async function limits(lab: Lab): Promise<Findings> {
  const gpu = lab.gpu!;
  const spikes = await spikesFound(gpu);
  const rows: Cell[][] = [];
  const points: { size: number; time: number }[] = [];
  for (const plates of lab.isSoftware ? [50, 100, 200, 350] : [88, 175, 350, 701, 1000]) {
    const [a, b] = platesOf(plates);
    const scene = gpu.scene();
    scene.add(a);
    scene.add(b);
    const ask = () =>
      scene.sampledInterferences({
        ...{ method: 'layers', direction: [0, 0, 1], spikes: false, resolution: 8 },
        ...{ algorithm: 'general', layers: 2048 },
      });
    const { layers } = await ask();
    const [{ calm }] = await lab.measure(ask);
    const most = layers.general * layers.mostLayers * Math.ceil(Math.log2(layers.mostLayers));
    rows.push([layers.mostLayers, layers.general, layers.sortSteps, layers.sortSteps / most, calm]);
    points.push({ size: layers.mostLayers * Math.log2(layers.mostLayers), time: layers.sortSteps });
    scene.close();
  }
  return {
    tables: [
      {
        title: 'Tips of pyramids, nine places each',
        heads: ['meet exactly', 'found by lines alone', 'found with bounding volumes'],
        rows: [spikes],
      },
      {
        title: 'Layers in order',
        heads: ['layers', 'lines', 'steps of sorting', 'of n·⌈log₂ n⌉ per line', 'milliseconds'],
        rows,
      },
    ],
    notes: [
      `The steps lie on a straight line over n·log₂ n with R² ${fitLine(points).rSquared.toFixed(4)}: ordering is not quadratic.`,
    ],
  };
}

const pixel = 16 / 31;

async function spikesFound(nf: Nearfield): Promise<number[]> {
  const posts = (low: number, high: number) => [
    boxBetween([0, 0, low], [0.6, 0.6, high]),
    boxBetween([15.4, 15.4, low], [16, 16, high]),
  ];
  // The posts do not touch. They make the view 16 wide.
  const slab = joined(boxBetween([1, 1, 0], [15, 15, 6]), ...posts(8, 8.5));
  const asked = { method: 'layers', direction: [0, 0, 1], resolution: 32 } as const;
  const found = [0, 0, 0];
  for (let place = 0; place < 9; place++) {
    const [x, y] = [8 + (pixel * (place % 3)) / 3, 8 + (pixel * Math.floor(place / 3)) / 3];
    const scene = nf.scene();
    scene.add(slab);
    scene.add(joined(pyramid([x, y, 6 - 5.8 * pixel], 60, 3), ...posts(9, 14)));
    found[0] += (await scene.interferences({ detail: 'any' })).length;
    found[1] += (await scene.sampledInterferences({ ...asked, spikes: false })).length;
    found[2] += (await scene.sampledInterferences(asked)).length;
    scene.close();
  }
  return found;
}

/** Random plates of two bodies, in random order. */
function platesOf(count: number): [Mesh, Mesh] {
  const random = shapes.createRandom(7);
  const parts = Array.from({ length: count }, (_, i) => {
    const side = 7 + random.between(0.1, 0.3);
    const plate = boxBetween([0, 0, i], [side, side, i + 0.5]);
    return { plate, owner: i < 2 ? i : random.integer(2), key: random.next() };
  }).sort((p, q) => p.key - q.key);
  const of = (own: number) => joined(...parts.filter(({ owner }) => owner === own).map(({ plate }) => plate));
  return [of(0), of(1)];
}

const boxBetween = (low: Triple, high: Triple): Mesh =>
  shapes.box({
    size: [high[0] - low[0], high[1] - low[1], high[2] - low[2]],
    center: [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2],
  });

function joined(...parts: readonly Mesh[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    positions.push(...part.positions);
    indices.push(...Array.from(part.indices, index => first + index));
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}

/** A pyramid whose square base lies above its apex. */
function pyramid([x, y, z]: Triple, top: number, half: number): Mesh {
  const corners = [
    [x - half, y - half, top],
    [x + half, y - half, top],
    [x + half, y + half, top],
    [x - half, y + half, top],
    [x, y, z],
  ];
  const indices = [0, 1, 2, 0, 2, 3, 0, 4, 1, 1, 4, 2, 2, 4, 3, 3, 4, 0];
  return mesh(Float64Array.from(corners.flat()), Uint32Array.from(indices));
}
