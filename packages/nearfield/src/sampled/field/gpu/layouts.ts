// The structures that the kernels of the field method exchange. Lengths are integer multiples of a unit, 2^(σ − 27) in
// the user's units, from the grid's origin. layers.ts says why that loses nothing that matters.

import { layout } from '../../../gpu/layout.ts';
import { featureShift, ownerMask } from '../field.ts';

/** One body over one window of samples. */
export const LayerLayout = layout('Layer', {
  /** The rows of the pose's linear part, scaled to [1/2, 1), times 2^30. */
  linear: ['vec4i', 3],
  /** The rows that map units, relative to the body's local origin, to the tree's frame. */
  inverse: ['vec4f', 3],
  /** The body's local origin in units; w: the number of bits by which vertices are shifted right to be in units. */
  offset: 'vec4i',
  /** The fraction left of the offset; w: the total error of a vertex and a sample, in units. */
  rest: 'vec4f',
  nodeOffset: 'u32',
  leafOffset: 'u32',
  leafCount: 'u32',
  depth: 'u32',
  /** The index of its first counter, and of the window that it is over. */
  counters: 'u32',
  window: 'u32',
  /** The first of its triangles among those of all layers of a sweep. */
  first: 'u32',
  /** A vector of the tree's frame is at least this many units times its length; and the inverse of this number. */
  leastScale: 'f32',
  mostShrink: 'f32',
  /** A vector of the tree's frame is at most this many units times its length. */
  mostScale: 'f32',
});

/** A window of samples. */
export const WindowLayout = layout('Window', {
  /** Samples along x, y, z; w: the first of its columns among those of all windows. */
  size: 'vec4u',
  /** Its first sample in the grid; w: where its ticks begin, those of x, then y, then z. */
  low: 'vec4u',
  /** Samples of the whole grid. */
  whole: 'vec4u',
  /** Bricks along x, y, z; w: the first of its bricks among those of all windows. */
  bricks: 'vec4u',
  firstLayer: 'u32',
  layerCount: 'u32',
  /** The index of its first layer's first counter. */
  counters: 'u32',
  /** One of `Rules`. */
  rule: 'u32',
  /** A cell's edge in units. */
  cell: 'f32',
});

/**
 * Which samples count: those inside two layers, those around which its one layer winds twice, those inside its one
 * layer.
 */
export const Rules = { 'two-bodies': 0, 'twice-in-one': 1, 'within-one': 2 } as const;
export type SweepRule = keyof typeof Rules;

export const SweepLayout = layout('Sweep', {
  /** The number of triangles of all layers, and the number of threads that share one. */
  triangles: 'u32',
  lanes: 'u32',
  layerCount: 'u32',
  windowCount: 'u32',
  columns: 'u32',
  corrections: 'u32',
  /**
   * The number of bricks of all windows, and the logarithm of their edge: they are cubes of 1, 2 or 4 samples per side.
   */
  bricks: 'u32',
  brickBits: 'u32',
  /** The maximum distance of interest in units; 0 if there is none. */
  upTo: 'f32',
  /** A unit in the user's units. */
  unit: 'f32',
  /** Words from one row of samples to the next, if samples are written out. */
  rowWords: 'u32',
  /** 1 if triangles are counted once per slab, and a sample is inside where the count of crossings below it is odd. */
  slabs: 'u32',
});

/** The logarithm of the samples along each side of a block of samples for which distance meshes are drawn. */
export const blockBits = 2;

/**
 * Words of the head: the kernels' counters. For slabs also whether a winding number is even but not 0, and how many
 * triangles they have.
 */
export const Head = { blocks: 0, points: 1, unsure: 2, serial: 3, bricks: 4, even: 5, slabs: 6 } as const;
export const headWords = 8;

export const ownerWgsl = `const featureShift = ${featureShift}u;\nconst ownerMask = ${ownerMask}u;\n`;

export const headWgsl = `${Object.entries(Head)
  .map(([name, at]) => `const ${name}At = ${at}u;`)
  .join('\n')}\n`;
