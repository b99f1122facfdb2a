// What passes between the kernels of the raster: tiles of pixels, the two bodies each of them shows, fragments in lists.
//
// A tile is a candidate pair seen along one direction. Lengths in it are whole numbers of a unit, 2^-cellBits pixels, from
// the view's origin (tiles.ts). The middle of pixel (i, j) of a tile lies at (2·(i + firstColumn) + 1, 2·(j + firstRow) + 1)
// times 2^(cellBits − 1); depth grows along the view's direction.

import { layout } from '../../gpu/layout.ts';

export const TileLayout = layout('Tile', {
  /** Its first pixel among those of all tiles; pixel (i, j) is that plus j·columns + i. */
  firstPixel: 'u32',
  columns: 'u32',
  rows: 'u32',
  /** Whose it is: a number of whoever asked. */
  candidate: 'u32',
  firstColumn: 'i32',
  firstRow: 'i32',
  /** A pixel is 2^cellBits units wide. */
  cellBits: 'u32',
  /** Fragments behind this depth are left out, in units. */
  far: 'i32',
});

/** One body in one tile. Those of tile t are 2·t and 2·t + 1. */
export const SideLayout = layout('Side', {
  /** Rows of the pose turned into the view, in pixels, scaled to [1/2, 1), times 2^30. */
  linear: ['vec4i', 3],
  /** The body's local origin in units; w: how far vertices are shifted to the right to be in units. */
  offset: 'vec4i',
  /** What is left of the offset; w: what a vertex may be off by, in units. */
  rest: 'vec4f',
  leafOffset: 'u32',
  leafCount: 'u32',
  /** First of its triangles among those of all sides. */
  first: 'u32',
  /** 1 where the pose mirrors the body: its triangles then face the other way. */
  mirrored: 'u32',
  /** The place of the body in the list the question was asked of. */
  body: 'u32',
  /** Where edges are asked about: first of its edges among those of all sides, and where its mesh's records begin. */
  firstEdge: 'u32',
  edgeRecords: 'u32',
});

export const RasterLayout = layout('RasterQuestion', {
  tileCount: 'u32',
  sideCount: 'u32',
  /** Pixels and triangles of all. */
  pixelCount: 'u32',
  triangleCount: 'u32',
  /** How many fragments, strips of large triangles and unsure pixels there is room for. */
  fragmentRoom: 'u32',
  stripRoom: 'u32',
  unsureRoom: 'u32',
  /** Depths less certain than this many pixels make a pixel unsure. */
  mostError: 'f32',
  /** Edges of all sides, where those are asked about. */
  edgeCount: 'u32',
  /** What vertices are off by at most, in pixels. */
  noise: 'f32',
});

/**
 * Words of `rasterState`: counts, which may exceed the room there was; the greatest error of any depth kept, in pixels, as
 * the bits of a single. From `stateWords` on the numbers of the pixels single precision could not decide, each once.
 */
export const RasterState = { fragments: 0, strips: 1, unsure: 2, error: 3, serial: 4 } as const;
export const stateWords = 16;

/**
 * A fragment is four words: the next one of its pixel plus 1 (0: none), the depth in units, what it is a sample of (`info`),
 * the pixel. `info` is 4·leaf + 2·side + away: the leaf's place among all leaves, 0 for the tile's first body or 1 for its
 * second, 1 where a ray along the view's direction leaves the body there.
 */
export const fragmentWords = 4;

export const rasterWgsl = `${Object.entries(RasterState)
  .map(([name, at]) => `const ${name}At = ${at}u;`)
  .join('\n')}\nconst stateWords = ${stateWords}u;\n`;
