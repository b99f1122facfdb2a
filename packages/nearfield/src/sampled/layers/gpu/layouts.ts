// What passes between the kernels of the layers method. One tile (sampled/raster/layouts.ts), its first body A, its second B.

import { layout } from '../../../gpu/layout.ts';
import { algorithms } from '../options.ts';

export const LayersLayout = layout('LayersQuestion', {
  /** `algorithms` (options.ts) by number. */
  algorithm: 'u32',
  /** How many strips of large triangles, and triangles that may be spikes, there is room for. */
  stripRoom: 'u32',
  spikeRoom: 'u32',
  /** How many pixels are left to ordered layers, and words for the sequence of each. */
  markedCount: 'u32',
  sequenceWords: 'u32',
  /** What vertices are off by at most, in pixels. */
  noise: 'f32',
  /** What is left of the view: its first pixel among those of the tile that was drawn, and how wide that was. */
  firstColumn: 'u32',
  firstRow: 'u32',
  columns: 'u32',
  /** 0 where A's maps are those of an earlier question. */
  drawsA: 'u32',
});

/**
 * Words a pixel has in the maps of one body, zeros before it is drawn. Depths are kept as d = depth + 2^31, so that the greatest
 * and, of ~d, the least are found by atomicMax. `error`: what the pixel's depths are off by at most, in units, as the bits of a
 * single. `unsure` is not 0 where single precision cannot tell whether the pixel's line passes some triangle.
 */
export const MapWords = { last: 0, first: 1, count: 2, error: 3, unsure: 4 } as const;
export const mapWords = 5;

/**
 * What B is counted to against A's maps, after its own words: how many of its layers pass test (2) and test (3), its winding
 * numbers there, and whether some layer is too near to A's last or first to be told apart from it.
 */
export const TestWords = { passes2: 5, passes3: 6, winding2: 7, winding3: 8, near: 9 } as const;
export const testWords = 10;

/** Words of the state, zeros before a question. Of the box of marked pixels the least are kept as their complements. */
export const LayerState = {
  strips: 0,
  error: 1,
  /** Pixels listed in `marked`: to be ordered or cast. */
  marked: 2,
  unsure: 3,
  left: 4,
  low: 5,
  right: 6,
  high: 7,
  /** Pixels both bodies overlap, those that test (3) was needed for, those at which A and B are convex along the line. */
  overlapped: 8,
  second: 9,
  convexA: 10,
  convexB: 11,
  /** Marked pixels at which B is convex though A is not: an exchange of the two would decide them. */
  exchange: 12,
  mostLayers: 13,
  spikes: 14,
  serial: 15,
} as const;
export const layerStateWords = 16;

/** A marked pixel whose line has to be cast exactly carries this bit. */
export const castBit = 0x80000000;

const constants = (entries: object, suffix: string) =>
  Object.entries(entries).map(([name, at]) => `const ${name}${suffix} = ${at}u;`);

export const layersWgsl = [
  LayersLayout.wgsl,
  ...constants(MapWords, 'Word'),
  ...constants(TestWords, 'Word'),
  ...constants(LayerState, 'State'),
  ...algorithms.map((name, number) => `const ${name}Algorithm = ${number}u;`),
  `const mapWords = ${mapWords}u;`,
  `const testWords = ${testWords}u;`,
  `const castBit = ${castBit}u;`,
  '',
].join('\n');
