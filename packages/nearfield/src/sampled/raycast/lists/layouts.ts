// The data that passes between the kernels that read the lists.

import { layout } from '../../../gpu/layout.ts';

export const CastLayout = layout('Casting', {
  /** 1 if one interference is enough. */
  untilFirst: 'u32',
  /** 1 if edges are also tested for candidates in which rays found something. */
  everyEdge: 'u32',
  /** The capacities for pieces of edges and for their points. */
  pieceRoom: 'u32',
  hitRoom: 'u32',
  /** The number of candidates, if the state has their bodies (groups/candidate-of.wgsl). */
  candidateCount: 'u32',
});

/** A piece of an edge that one thread follows. */
export const PieceLayout = layout('EdgePiece', {
  /** Ends of the whole edge in columns and rows of its tile, in pixels. */
  ends: 'vec4f',
  /** The range of shares of the edge that lies in the tile. */
  begin: 'f32',
  end: 'f32',
  /** The depths of its ends, in units. */
  startDepth: 'i32',
  endDepth: 'i32',
  side: 'u32',
  edge: 'u32',
  /** The range of its steps along its main axis. */
  firstStep: 'u32',
  stepCount: 'u32',
});

/**
 * Words of the state; one word of flags (`Found`) per candidate follows. All are 0 when a question begins. `found`
 * counts candidates with flags, if those are listed (gpu-tiles/collect-found.wgsl). `overflow` is 1 if some ray is in
 * too many bodies at once (groups/group-rays.wgsl).
 */
export const CastState = { any: 0, pieces: 1, hits: 2, edgeFragments: 3, found: 4, overflow: 5 } as const;
export const castStateWords = 8;

export const castWgsl = [
  CastLayout.wgsl,
  PieceLayout.wgsl,
  ...Object.entries(CastState).map(([name, at]) => `const ${name}At = ${at}u;`),
  `const flagsAt = ${castStateWords}u;`,
  '',
].join('\n');
