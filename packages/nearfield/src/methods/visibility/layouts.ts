// What passes between the kernels of the visibility method.

import { layout } from '../../gpu/layout.ts';

/** A body as images see it: rows take a stored vertex q (and 1) into the scene's frame. */
export const PlacingLayout = layout('Placing', {
  rows: ['vec4f', 3],
  /** How far a vertex may be from there, along each axis. */
  error: 'vec4f',
  /** What the rows' sums are rounded from. */
  reach: 'vec4f',
  leafOffset: 'u32',
});

/** Sizes of the question, and where the parts of `survivors` begin. */
export const CullingLayout = layout('Culling', {
  /** Pixels along one side of an image. */
  resolution: 'u32',
  /** Images: along the axes x, then y, then z. */
  views: 'u32',
  bodyCount: 'u32',
  /** Triangles of all bodies. */
  instanceCount: 'u32',
  /** By body, its first triangle. Before them: by body, where its list of triangles left begins, and where the last ends. */
  instanceStartsAt: 'u32',
  /** A bit a triangle that is left. */
  aliveAt: 'u32',
  /** Leaves that are left, body by body. */
  listAt: 'u32',
  /** A bit a candidate with two triangles left whose boxes meet. */
  metAt: 'u32',
});

/** Words of the image's state. Zeros when a query begins. */
export const ImageState = {
  /** Six bounds as ordered bits: of minus the window's least coordinates, then of its greatest. */
  window: 0,
  fragments: 6,
  longRows: 7,
  /** 1 where a body cannot be placed in single precision: nothing is left out. */
  keepAll: 8,
  /** Bodies that are in a candidate, and those of them that are left. */
  askedBodies: 9,
  keptBodies: 10,
  /** Triangles where their bodies may meet others, and those that are left in the end. */
  nearTriangles: 11,
  keptTriangles: 12,
  /** How many sums are formed over bodies. */
  bodySums: 13,
} as const;

export const imageStateWords = 16;

/** Words a body: its region as six bounds like the window's, its flags, and how many of its triangles have been listed. */
export const bodyStateWords = 8;

/** Depths are integers from 0 to this: exact in single precision, so that every way to compare them agrees. */
export const depthSteps = 2 ** 24 - 1;

export const stateWgsl = [
  ...Object.entries(ImageState).map(([name, at]) => `const ${name}At = ${at}u;`),
  `const bodyStateWords = ${bodyStateWords}u;`,
  'const bodyFlagsAt = 6u;',
  'const cursorAt = 7u;',
  '/** Flags of a body or triangle: a bit a view that saw it overlap in this round, and this while it is not left out. */',
  'const aliveFlag = 8u;',
  `const depthSteps = ${depthSteps}.0;`,
  '',
].join('\n');

/** What a rasteriser may move a corner by, in pixels: Vulkan and Direct3D ask for at least four bits of a pixel. */
export const snappingWgsl = 'const snapping = 0.0625;\n';
