// The data that passes between the kernels of the raster: tiles of pixels, the two bodies of each tile, fragments in
// lists.
//
// A tile is a candidate pair viewed along one direction. Lengths in it are integer multiples of a unit, 2^-cellBits
// pixels, from the view's origin (tiles.ts). The middle of pixel (i, j) of a tile lies at (2·(i + firstColumn) + 1,
// 2·(j + firstRow) + 1) times 2^(cellBits − 1); depth grows along the view's direction.

import { layout } from '../../gpu/layout.ts';

export const TileLayout = layout('Tile', {
  /** The index of its first pixel among those of all tiles; pixel (i, j) has that plus j·columns + i. */
  firstPixel: 'u32',
  columns: 'u32',
  rows: 'u32',
  /** The number that the caller gave it. */
  candidate: 'u32',
  firstColumn: 'i32',
  firstRow: 'i32',
  /** A pixel is 2^cellBits units wide. */
  cellBits: 'u32',
  /** The depth, in units, behind which fragments are left out. */
  far: 'i32',
});

/** One body in one tile. A tile of two bodies, t, has sides 2·t and 2·t + 1; a tile of a group has consecutive ones. */
export const SideLayout = layout('Side', {
  /** Rows of the pose transformed into the view, in pixels, scaled to [1/2, 1), times 2^30. */
  linear: ['vec4i', 3],
  /** The body's local origin in units; w: how far vertices are shifted to the right to be in units. */
  offset: 'vec4i',
  /** The fraction of the offset; w: the largest error of a vertex, in units. */
  rest: 'vec4f',
  leafOffset: 'u32',
  leafCount: 'u32',
  /** The index of its first triangle among those of all sides. */
  first: 'u32',
  /** 1 if the pose mirrors the body: its triangles then face the other way. */
  mirrored: 'u32',
  /** The index of the body in the question's list. */
  body: 'u32',
  /** If edges are tested: the index of its first edge among those of all sides, and where its mesh's records begin. */
  firstEdge: 'u32',
  edgeRecords: 'u32',
  /** The index of its tile. */
  tile: 'u32',
});

export const RasterLayout = layout('RasterQuestion', {
  tileCount: 'u32',
  sideCount: 'u32',
  /** The number of pixels and triangles of all tiles. */
  pixelCount: 'u32',
  triangleCount: 'u32',
  /** The capacities for fragments, strips of large triangles and unsure pixels. */
  fragmentRoom: 'u32',
  stripRoom: 'u32',
  unsureRoom: 'u32',
  /** Depths less certain than this many pixels make a pixel unsure. */
  mostError: 'f32',
  /** The number of edges of all sides, if edges are tested. */
  edgeCount: 'u32',
  /** The largest error of a vertex, in pixels. */
  noise: 'f32',
});

/**
 * Words of `rasterState`: counts, which may exceed the capacities; the greatest error of any depth kept, in pixels, as
 * the bits of a single. From `stateWords` on follow the pixels that single precision could not decide, each once.
 */
export const RasterState = { fragments: 0, strips: 1, unsure: 2, error: 3, serial: 4 } as const;
export const stateWords = 16;

/**
 * A fragment has four words: the next fragment of its pixel plus 1 (0: none), the depth in units, what it is a sample
 * of (`info`), the index of its side. `info` is 4·leaf + 2·side + away: the leaf's index among all leaves, 0 for the tile's first
 * body or 1 for its second, 1 if a ray along the view's direction leaves the body there.
 */
export const fragmentWords = 4;

export const rasterWgsl = `${Object.entries(RasterState)
  .map(([name, at]) => `const ${name}At = ${at}u;`)
  .join('\n')}\nconst stateWords = ${stateWords}u;\n`;
