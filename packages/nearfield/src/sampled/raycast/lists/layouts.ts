// What passes between the kernels that read the lists.

import { layout } from '../../../gpu/layout.ts';

export const CastLayout = layout('Casting', {
  /** 1 where one interference is enough. */
  untilFirst: 'u32',
  /** 1 where edges are looked at also of candidates in which rays found something. */
  everyEdge: 'u32',
  /** How many pieces of edges, and points of them, there is room for. */
  pieceRoom: 'u32',
  hitRoom: 'u32',
});

/** A piece of an edge that a thread follows. */
export const PieceLayout = layout('EdgePiece', {
  /** Ends of the whole edge in columns and rows of its tile, in pixels. */
  ends: 'vec4f',
  /** The shares of it that lie in the tile. */
  begin: 'f32',
  end: 'f32',
  /** Depths of its ends, in units. */
  startDepth: 'i32',
  endDepth: 'i32',
  side: 'u32',
  edge: 'u32',
  /** Its steps along the axis it runs along most. */
  firstStep: 'u32',
  stepCount: 'u32',
});

/**
 * Words of the state; after them a word of flags (`Found`) a candidate. Zeros when a question begins. `found` counts candidates
 * with flags, where those are listed (many/collect-found.wgsl).
 */
export const CastState = { any: 0, pieces: 1, hits: 2, edgeFragments: 3, found: 4 } as const;
export const castStateWords = 8;

export const castWgsl = [
  CastLayout.wgsl,
  PieceLayout.wgsl,
  ...Object.entries(CastState).map(([name, at]) => `const ${name}At = ${at}u;`),
  `const flagsAt = ${castStateWords}u;`,
  '',
].join('\n');
