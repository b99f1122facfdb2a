// What pipelines that draw edges and faces are given. Lengths are pixels, from the middle of what is looked at.

import { layout } from '../../../gpu/layout.ts';

/** A body as it is drawn. */
export const DrawnBodyLayout = layout('DrawnBody', {
  /** Rows take a stored vertex q (and 1) to columns, rows and depth of the picture, in pixels. */
  rows: ['vec4f', 3],
  leafOffset: 'u32',
  /** Where its mesh's edges begin. */
  edgeOffset: 'u32',
  /** 1 where its triangles face inward as placed: mirrored by the pose, or inside out. */
  flipped: 'u32',
});

export const DrawnViewLayout = layout('DrawnView', {
  /** Pixels to the unit square and depth: x, y, z are multiplied; w: the least depth, taken off before. */
  scale: 'vec4f',
  columns: 'u32',
  rows: 'u32',
  /** Edges outside these depths are left out. */
  least: 'f32',
  most: 'f32',
  /** How far edges are moved outward. */
  offset: 'f32',
  candidateCount: 'u32',
  /** Words that hold a bit a body. */
  bodyWords: 'u32',
  /** How many points of edges there is room for. */
  hitRoom: 'u32',
});

/** Words of the state. Zeros when a question begins. */
export const DrawnState = {
  /** Pixels with an edge that faces enclose: the body's own included, then those of others alone. */
  enclosed: 0,
  byOthers: 1,
  /** Those that faces are left oftener than entered before. */
  negative: 2,
  /** Those in more than one other body. */
  several: 3,
  /** Points of edges that were listed. */
  hits: 4,
  /** Pixels with an edge. */
  edgePixels: 5,
} as const;

export const drawnStateWords = 8;

/** What stencils are cleared to: counts go both ways from it. */
export const stencilZero = 128;

export const drawnWgsl = [
  ...Object.entries(DrawnState).map(([name, at]) => `const ${name}At = ${at}u;`),
  `const drawnStateWords = ${drawnStateWords}u;`,
  `const stencilZero = ${stencilZero}u;`,
  '',
].join('\n');
