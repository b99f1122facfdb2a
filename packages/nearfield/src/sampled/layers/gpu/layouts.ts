// The structures that the kernels of the layers method exchange. There is one tile (sampled/raster/layouts.ts); its
// first body is A, its second is B.

import { layout } from '../../../gpu/layout.ts';
import { algorithms } from '../options.ts';
import { mostSliceWords } from '../spikes/slices.ts';

export const LayersLayout = layout('LayersQuestion', {
  /** The index of the algorithm in `algorithms` (options.ts). */
  algorithm: 'u32',
  /** The capacities of the lists of strips of large triangles, and of triangles that may be spikes. */
  stripRoom: 'u32',
  spikeRoom: 'u32',
  /** The number of pixels whose layers are put in order, and the words per sequence. */
  markedCount: 'u32',
  sequenceWords: 'u32',
  /** The maximum error of vertices, in pixels. */
  noise: 'f32',
  /**
   * The part of the view that is drawn again: its first pixel in the tile that was drawn before, and the width of that
   * tile.
   */
  firstColumn: 'u32',
  firstRow: 'u32',
  columns: 'u32',
  /** 0 if A's maps are those of an earlier question. */
  drawsA: 'u32',
  /** Slices of depth (spikes/slices.ts): words of bits per line, 0 if spikes are not looked for. */
  sliceWords: 'u32',
  /** The depth of the first border, and the thickness of a slice, in units. */
  sliceStart: 'i32',
  sliceUnits: 'u32',
  /** The first and last slices that the view shows. */
  nearSlice: 'u32',
  farSlice: 'u32',
  /** The capacity of the list of strips of large triangles that may be spikes. */
  spikeStripRoom: 'u32',
});

/**
 * Words per pixel in the maps of one body, all 0 before it is drawn. Depths are stored as d = depth + 2^31, so that
 * atomicMax finds the greatest d and, with ~d, the least. `error`: the maximum error of the pixel's depths in units, as
 * the bits of a single. `unsure`: not 0 if single precision cannot tell whether the pixel's line passes some triangle.
 */
const MapWords = { last: 0, first: 1, count: 2, error: 3, unsure: 4 } as const;
export const mapWords = 5;

/**
 * Words per pixel of B's counts against A's maps, after B's own words: how many of its layers pass test (2) and test
 * (3), its winding numbers there, and whether some layer is too near to A's last or first to be ordered.
 */
const TestWords = { passes2: 5, passes3: 6, winding2: 7, winding3: 8, near: 9 } as const;
export const testWords = 10;

/**
 * Words of the state, all 0 before a question. The least column and row of the box of marked pixels are stored as
 * complements.
 */
export const LayerState = {
  strips: 0,
  error: 1,
  /** The number of pixels listed in `marked`, to be ordered or cast. */
  marked: 2,
  unsure: 3,
  left: 4,
  low: 5,
  right: 6,
  high: 7,
  /**
   * Pixels that both bodies overlap; those of them that needed test (3); those at which A, and at which B, is convex
   * along the line.
   */
  overlapped: 8,
  second: 9,
  convexA: 10,
  convexB: 11,
  /** Marked pixels at which B is convex though A is not. Exchanging the two would decide them. */
  exchange: 12,
  mostLayers: 13,
  spikes: 14,
  serial: 15,
  /** The number of strips of large triangles in which spikes are looked for. */
  spikeStrips: 16,
} as const;
export const layerStateWords = 20;

/** This bit is set in a marked pixel whose line has to be cast exactly. */
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
  `const mostSliceWords = ${mostSliceWords}u;`,
  `const castBit = ${castBit}u;`,
  '',
].join('\n');
