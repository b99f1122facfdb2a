// What passes between the kernels of the field method. Lengths are whole numbers of a unit, 2^(σ − 27) in the user's
// units, from the grid's origin; layers.ts says why that loses nothing that matters.

import { layout } from '../../../gpu/layout.ts';

/** One body over one window of samples. */
export const LayerLayout = layout('Layer', {
  /** Rows of the pose's linear part, scaled to [1/2, 1), times 2^30. */
  linear: ['vec4i', 3],
  /** Rows that take units, relative to the body's local origin, to the tree's frame. */
  inverse: ['vec4f', 3],
  /** The body's local origin in units; w: how far vertices are shifted to the right to be in units. */
  offset: 'vec4i',
  /** What is left of the offset; w: what a vertex and a sample may be off together, in units. */
  rest: 'vec4f',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  /** Where its counters begin, and the window it is over. */
  counters: 'u32',
  window: 'u32',
  /** First of its triangles among those of all layers of a sweep. */
  first: 'u32',
  /** No vector of the tree's frame becomes shorter than this many units times its length; and its inverse. */
  leastScale: 'f32',
  mostShrink: 'f32',
  /** None becomes longer than this many units times its length. */
  mostScale: 'f32',
});

/** A window of samples. */
export const WindowLayout = layout('Window', {
  /** Samples along x, y, z; w: the first of its columns among those of all windows. */
  size: 'vec4u',
  /** Its first sample in the grid; w: where its ticks begin: x, then y, then z. */
  low: 'vec4u',
  /** Samples of the whole grid. */
  whole: 'vec4u',
  /** Bricks along x, y, z; w: the first of its bricks among those of all windows. */
  bricks: 'vec4u',
  firstLayer: 'u32',
  layerCount: 'u32',
  /** Where the counters of its first layer begin. */
  counters: 'u32',
  /** A number of `Rules`. */
  rule: 'u32',
  /** A cell's edge in units. */
  cell: 'f32',
});

/** Which samples count: those within two layers, those its one layer winds around twice, those within its one layer. */
export const Rules = { 'two-bodies': 0, 'twice-in-one': 1, 'within-one': 2 } as const;
export type SweepRule = keyof typeof Rules;

export const SweepLayout = layout('Sweep', {
  /** Triangles of all layers, and threads that share one. */
  triangles: 'u32',
  lanes: 'u32',
  layerCount: 'u32',
  windowCount: 'u32',
  columns: 'u32',
  corrections: 'u32',
  /** Bricks of all windows, and the logarithm of their edge: they are cubes of 1, 2 or 4 samples a side. */
  bricks: 'u32',
  brickBits: 'u32',
  /** Farthest distance of interest in units; 0 for any. */
  upTo: 'f32',
  /** A unit in the user's units. */
  unit: 'f32',
  /** Words from one row of samples to the next, where samples are written out. */
  rowWords: 'u32',
});

/** Words of the head: what the kernels count. */
export const Head = { blocks: 0, points: 1, unsure: 2, serial: 3, bricks: 4 } as const;
export const headWords = 8;

export const headWgsl = `${Object.entries(Head)
  .map(([name, at]) => `const ${name}At = ${at}u;`)
  .join('\n')}\n`;
