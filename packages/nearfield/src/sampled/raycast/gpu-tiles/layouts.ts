// The data that passes between the kernels that lay out tiles over candidates known only on the GPU, and list what was
// found.
//
// Pixels are 2^e wide, with the greatest e for which they are no larger than asked for, so that poses need no division.
// Their corners are whole multiples of a pixel from the world's origin, shifted by a fraction of a pixel that is
// unlikely to occur in a design (axis-tile.ts). So places are exact doubles on the CPU and exact integers here, and
// neighbouring tiles share their lines.

import { layout } from '../../../gpu/layout.ts';
import { RasterLayout } from '../../raster/layouts.ts';

/** The shifts of lines along columns, along rows, and of depths, in 1024ths of a pixel. */
export const latticeShift = [391, 242, 0] as const;
export const latticeParts = 1024;

export const TilingLayout = layout('Tiling', {
  /** Pixels along the longer side, and the number of directions per candidate. */
  resolution: 'u32',
  views: 'u32',
  /** The capacities for tiles and for their pixels. */
  tileRoom: 'u32',
  pixelRoom: 'u32',
  /** The raster's capacities (RasterLayout). */
  fragmentRoom: 'u32',
  stripRoom: 'u32',
  unsureRoom: 'u32',
  mostError: 'f32',
  /** Vertices that may be off by more pixels than this are not placed here. */
  mostNoise: 'f32',
});

/** Words per shape, by its index: where its mesh's edges begin, how many there are, and how many leaves. */
export const shapeWords = 4;

/** The raster's parameters come first, then these. */
export const LayState = {
  /** The number of pairs of bodies that the broad phase counted. */
  candidates: 16,
  /** The totals over all tiles, whether they fitted or not; the last three as singles. */
  tiles: 17,
  pixels: 18,
  triangles: 19,
  edges: 20,
  /** e, as an integer. */
  pixelExponent: 21,
  /** Nonzero if some tile cannot be placed in single precision and 64 bits. */
  unfit: 22,
} as const;
export const layStateWords = 32;

/** The most workgroups that share the tiles, and the words of each in the state after its head. */
export const mostBlocks = 512;
export const blockWords = 16;

export const tilingWgsl = [
  TilingLayout.wgsl,
  ...Object.entries(RasterLayout.at).map(([name, at]) => `const ${name}InQuestion = ${at}u;`),
  ...Object.entries(LayState).map(([name, at]) => `const ${name}Laid = ${at}u;`),
  `const blocksLaid = ${layStateWords}u;`,
  `const blockWords = ${blockWords}u;`,
  `const shapeWords = ${shapeWords}u;`,
  `const latticeShift = array<u32, 3>(${latticeShift.map(part => `${part}u`).join(', ')});`,
  '',
].join('\n');
