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
  /** The first of its triangles among those of all bodies. */
  firstInstance: 'u32',
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
  /** By body, its first triangle, and where its list of those left begins. Before them: by body, how many are left. */
  startsAt: 'u32',
  /** A bit a triangle that is left. */
  aliveAt: 'u32',
  /** Leaves that are left, body by body. */
  listAt: 'u32',
  /** A bit a candidate with two triangles left whose boxes meet. Before them: the image's state in the end. */
  metAt: 'u32',
  /** Pixels of all images: of those seen from the front, then as many from behind where there are two sides. */
  pixelCount: 'u32',
  sides: 'u32',
  /** A pixel's nearest depth stands above the number of its owner, which has this many bits. */
  ownerBits: 'u32',
  /** Depths are integers from 0 to this, exact in single precision, so that every way to compare them agrees. */
  depthSteps: 'f32',
  /** Of one mesh against itself, owners are patches: leaves whose numbers differ in this many low bits. 0: owners are bodies. */
  patchHeight: 'u32',
  /** With as many fragments the image is too fine: nothing more is looked at, and the question is asked again. */
  mostFragments: 'u32',
  /** Pixels of a triangle's bounding rectangle up to which the triangle's own thread takes them all. */
  mostPixels: 'u32',
  /** Pixels along either side of it up to which a thread a row takes it; above, a workgroup a row of tiles does. */
  shortSide: 'u32',
});

/** Words of the image's state. Zeros when a query begins. */
export const ImageState = {
  /** Six bounds as ordered bits: of minus the window's least coordinates, then of its greatest. */
  window: 0,
  /** 1 where a body cannot be placed in single precision: nothing is left out. */
  keepAll: 6,
  /** Bodies that are in a candidate, and those of them that are left. */
  askedBodies: 7,
  keptBodies: 8,
  /** Triangles where their bodies may meet others, and those that are left in the end. */
  nearTriangles: 9,
  keptTriangles: 10,
  /** Places among the fragments that were taken for pixels which are not touched after all. */
  idlePlaces: 11,
  fragments: 12,
  longRows: 13,
  shortRows: 14,
  /** The same three of a glance. */
  glanceFragments: 15,
  glanceLongRows: 16,
  glanceShortRows: 17,
} as const;

export const imageStateWords = 18;

/** Words a body: its region as six bounds like the window's, and its flags. */
export const bodyStateWords = 8;

/** Words a pixel: the nearest depth with its owner, and the nearest depth of any other. */
export const pixelWords = 2;

/**
 * The rounds: on whole bodies, then twice on triangles. Each leaves out less than the one before. A glance asks about
 * triangles in the round on bodies, too. A round has eight bits of a body's or a triangle's flags: three for the views that
 * saw it overlap from the front, three for those from behind.
 */
export const bodyRound = 0;
export const triangleRounds = [1, 2] as const;
export const lastRound = 2;

/** Which look at the scene: the only one; the first of two, coarse and at everything; the second, at what that left. */
export const Look = { only: 0, glance: 1, close: 2 } as const;
export type LookName = keyof typeof Look;

/** A glance has an image as many times coarser along either side. */
export const glanceCoarser = 4;

/** No image has as many fragments as this. Counters stop before, so that none wraps until the question is asked again. */
export const tooManyFragments = 2 ** 30;

/** Pixels along one side of the tiles that large triangles are looked at in. */
export const tileSide = 16;

export const stateWgsl = [
  ...Object.entries(ImageState).map(([name, at]) => `const ${name}At = ${at}u;`),
  `const bodyStateWords = ${bodyStateWords}u;`,
  `const imageStateWords = ${imageStateWords}u;`,
  `const pixelWords = ${pixelWords}u;`,
  `const lastRound = ${lastRound}u;`,
  ...Object.entries(Look).map(([name, look]) => `const ${name}Look = ${look}u;`),
  'const bodyFlagsAt = 6u;',
  `const tooMany = ${tooManyFragments}u;`,
  `const tileSide = ${tileSide};`,
  '/** No pixel, no depth, no owner. */',
  'const nobody = 0xffffffffu;',
  '/** Flags beside those of the rounds: of a body that is in a candidate, of a triangle where its body may meet others. */',
  'const askedFlag = 0x40000000u;',
  '/** Of a body that is left in the end. */',
  'const leftFlag = 0x80000000u;',
  '',
].join('\n');

/** What a rasteriser may move a corner by, in pixels: Vulkan and Direct3D ask for at least four bits of a pixel. */
export const snappingWgsl = 'const snapping = 0.0625;\n';

/** How far corners of boxes may lie from the image's middle before the rectangle around the box is drawn, in images. */
export const farCornerWgsl = 'const farCorner = 4.0;\n';
