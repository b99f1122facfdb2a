// The data for the pipelines that draw edges and faces. Lengths are in pixels from the middle of the view.

import { layout } from '../../../gpu/layout.ts';

/** A body to draw. */
export const DrawnBodyLayout = layout('DrawnBody', {
  /** The rows map a stored vertex q (and 1) to columns, rows and depth of the picture, in pixels. */
  rows: ['vec4f', 3],
  leafOffset: 'u32',
  /** The index of its mesh's first edge. */
  edgeOffset: 'u32',
  /** 1 if its triangles face inward as placed: mirrored by the pose, or inside out. */
  flipped: 'u32',
  /** The first of its vertices among those of all bodies, if all are drawn at once: of its faces, of its edges. */
  firstFaceVertex: 'u32',
  firstEdgeVertex: 'u32',
});

export const DrawnViewLayout = layout('DrawnView', {
  /** From pixels to clip space: x, y, z are factors; w is the least depth, which is subtracted first. */
  scale: 'vec4f',
  columns: 'u32',
  rows: 'u32',
  /** Edges outside these depths are left out. */
  least: 'f32',
  most: 'f32',
  /** How far edges are moved outward. */
  offset: 'f32',
  candidateCount: 'u32',
  /** Words that hold one bit per body. */
  bodyWords: 'u32',
  /** The capacity for points of edges. */
  hitRoom: 'u32',
  bodyCount: 'u32',
});

/** Words of the state, all 0 when a question begins. */
export const DrawnState = {
  /** Pixels with an edge that faces enclose: counting the body's own faces, and counting only those of others. */
  enclosed: 0,
  byOthers: 1,
  /** Pixels with an edge in more than one other body. */
  several: 2,
  /** How many points of edges were listed. */
  hits: 3,
  /** Pixels with an edge. */
  edgePixels: 4,
} as const;

export const drawnStateWords = 8;

/** Counts begin at this, because they go both ways. */
export const stencilZero = 128;

export const drawnWgsl = [
  ...Object.entries(DrawnState).map(([name, at]) => `const ${name}At = ${at}u;`),
  `const drawnStateWords = ${drawnStateWords}u;`,
  `const stencilZero = ${stencilZero}u;`,
  '',
].join('\n');
