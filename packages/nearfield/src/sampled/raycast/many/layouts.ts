// What passes between the kernels that lay tiles over candidates which only the GPU knows, and list what was found.
//
// Pixels are 2^e wide, e the greatest for which they are no larger than asked, so that poses need no division. Their corners
// are whole multiples of a pixel of the world, moved by a part of a pixel that no one builds by (axis-tile.ts): places are
// then exact doubles on the CPU and exact integers here, and neighbouring tiles share their lines.

import { layout } from '../../../gpu/layout.ts';
import { RasterLayout } from '../../raster/layouts.ts';

/** By how many 1024ths of a pixel lines are moved along columns, along rows, and depths. */
export const latticeShift = [391, 242, 0] as const;
export const latticeParts = 1024;

export const TilingLayout = layout('Tiling', {
  /** Pixels along the longer side, and directions a candidate is looked at along. */
  resolution: 'u32',
  views: 'u32',
  /** How many tiles, and pixels of them, there is room for. */
  tileRoom: 'u32',
  pixelRoom: 'u32',
  /** What the raster's question says of its room (RasterLayout). */
  fragmentRoom: 'u32',
  stripRoom: 'u32',
  unsureRoom: 'u32',
  mostError: 'f32',
  /** Vertices that may be off by more pixels than this are not placed here. */
  mostNoise: 'f32',
});

/** Of a shape, by its number: where its mesh's edges begin, how many there are, and how many leaves. */
export const shapeWords = 4;

/** The question of the raster comes first, then these. */
export const LayState = {
  /** Pairs of bodies, as the broad phase counted them. */
  candidates: 16,
  /** What all tiles together would take, whether there was room or not; the last three as singles. */
  tiles: 17,
  pixels: 18,
  triangles: 19,
  edges: 20,
  /** e, as an integer. */
  pixelExponent: 21,
  /** Not 0 where some tile cannot be placed in single precision and 64 bits. */
  unfit: 22,
} as const;
export const layStateWords = 32;

/** Workgroups that share the tiles out among them, and words each has in the state after its head. */
export const mostBlocks = 512;
export const blockWords = 16;

export const manyWgsl = [
  TilingLayout.wgsl,
  ...Object.entries(RasterLayout.at).map(([name, at]) => `const ${name}InQuestion = ${at}u;`),
  ...Object.entries(LayState).map(([name, at]) => `const ${name}Laid = ${at}u;`),
  `const blocksLaid = ${layStateWords}u;`,
  `const blockWords = ${blockWords}u;`,
  `const shapeWords = ${shapeWords}u;`,
  `const latticeShift = array<u32, 3>(${latticeShift.map(part => `${part}u`).join(', ')});`,
  '',
].join('\n');
