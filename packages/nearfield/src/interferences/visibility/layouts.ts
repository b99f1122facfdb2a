// The structures that the kernels of the visibility method exchange.

import { layout } from '../../gpu/layout.ts';

/** A body as images see it. The rows map a stored vertex q (and 1) to the scene's frame. */
export const PlacingLayout = layout('Placing', {
  rows: ['vec4f', 3],
  /** How far the mapped vertex may be from the true one, along each axis. */
  error: 'vec4f',
  /** The magnitude that bounds the rounding of the rows' sums. */
  reach: 'vec4f',
  leafOffset: 'u32',
  /** The body's first triangle among the triangles of all bodies. */
  firstInstance: 'u32',
});

/** The sizes of the question, and where the sections of `survivors` begin. */
export const CullingLayout = layout('Culling', {
  /** Pixels along one side of an image. */
  resolution: 'u32',
  /** The number of images: along x, then y, then z. */
  views: 'u32',
  bodyCount: 'u32',
  /** The number of triangles of all bodies. */
  instanceCount: 'u32',
  /**
   * The section with, per body, its first triangle, which is also where its list of survivors begins. Before it:
   * survivors per body.
   */
  startsAt: 'u32',
  /** The section with one bit per triangle, set if it survives. */
  aliveAt: 'u32',
  /** The section with the leaves that survive, body by body. */
  listAt: 'u32',
  /**
   * The section with one bit per candidate, set if two surviving triangles have boxes that meet. Before it: the image's
   * final state.
   */
  metAt: 'u32',
  /** Pixels of all images: those seen from the front, then as many from behind if there are two sides. */
  pixelCount: 'u32',
  sides: 'u32',
  /** The number of bits of an owner. A pixel's word has the nearest depth above its owner. */
  ownerBits: 'u32',
  /**
   * The greatest depth. Depths are integers from 0, exact in single precision, so that every way to compare them
   * agrees.
   */
  depthSteps: 'f32',
  /**
   * In a mesh against itself, owners are patches: leaves whose numbers differ only in this many low bits. 0 if owners
   * are bodies.
   */
  patchHeight: 'u32',
  /**
   * The limit of fragments. An image with as many is too fine: culling stops, and the question is asked again with a
   * coarser one.
   */
  mostFragments: 'u32',
  /** Pixels of a triangle's bounding rectangle up to which its own thread takes them all. */
  mostPixels: 'u32',
  /**
   * Longest side of that rectangle, in pixels, up to which one thread per row takes it; above, one workgroup per row of
   * tiles.
   */
  shortSide: 'u32',
});

/** Words of the image's state. All are 0 when a query begins. */
export const ImageState = {
  /** Six bounds as ordered bits: the negated minimum of the window, then its maximum. */
  window: 0,
  /** 1 if some body cannot be placed in single precision. Then nothing is culled. */
  keepAll: 6,
  /** The bodies that are in a candidate, and those of them that survive. */
  askedBodies: 7,
  keptBodies: 8,
  /** The triangles that lie where their bodies may meet others, and those that survive in the end. */
  nearTriangles: 9,
  keptTriangles: 10,
  /** Places among the fragments that were reserved for pixels which turned out not to be touched. */
  idlePlaces: 11,
  fragments: 12,
  longRows: 13,
  shortRows: 14,
  /** The same three counters for the first of two looks. */
  glanceFragments: 15,
  glanceLongRows: 16,
  glanceShortRows: 17,
} as const;

export const imageStateWords = 18;

/**
 * Words per body: its region as six bounds like the window's; its flags; and where its triangles begin in a sweep.
 */
export const bodyStateWords = 8;

/** Words per pixel: the nearest depth with its owner, and the nearest depth of any other owner. */
export const pixelWords = 2;

/**
 * The rounds: one on whole bodies, then two on triangles. Each culls less than the one before. A glance asks about
 * triangles in the round on bodies, too. A round uses eight bits of the flags of a body or a triangle: three for the
 * views that saw it overlap from the front, three for those from behind.
 */
export const bodyRound = 0;
export const triangleRounds = [1, 2] as const;
export const lastRound = 2;

/**
 * Which look at the scene: the only one; the first of two, coarse and at everything; or the second, at what the first
 * kept. In the paper's order of stages: the first, at whole bodies; and the second, at the triangles of those left.
 */
export const Look = { only: 0, glance: 1, close: 2, objects: 3, parts: 4 } as const;
export type LookName = keyof typeof Look;

/** A glance's image is this many times coarser along either side. */
export const glanceCoarser = 4;

/**
 * No image may have this many fragments. Counters stop earlier, so that none wraps before the question is asked again.
 */
export const tooManyFragments = 2 ** 30;

/** Pixels along one side of the tiles into which large triangles are divided. */
export const tileSide = 16;

/** Where a body's words have what is not its region. */
export const bodyStateWgsl = [
  `const bodyStateWords = ${bodyStateWords}u;`,
  'const bodyFlagsAt = 6u;',
  'const sweepStartAt = 7u;',
  '',
].join('\n');

export const stateWgsl = [
  bodyStateWgsl,
  ...Object.entries(ImageState).map(([name, at]) => `const ${name}At = ${at}u;`),
  `const imageStateWords = ${imageStateWords}u;`,
  `const pixelWords = ${pixelWords}u;`,
  `const lastRound = ${lastRound}u;`,
  ...Object.entries(Look).map(([name, look]) => `const ${name}Look = ${look}u;`),
  `const tooMany = ${tooManyFragments}u;`,
  `const tileSide = ${tileSide};`,
  '/** No pixel, no depth, no owner. */',
  'const nobody = 0xffffffffu;',
  '/** Flags beside those of the rounds: a body is in a candidate, or a triangle lies where its body may meet others. */',
  'const askedFlag = 0x40000000u;',
  '/** A body survives in the end. */',
  'const leftFlag = 0x80000000u;',
  '',
].join('\n');

/** How far a rasteriser may move a corner, in pixels. Vulkan and Direct3D demand at least four subpixel bits. */
export const snappingWgsl = 'const snapping = 0.0625;\n';

/**
 * How far a box's corners may lie from the image's middle, in images, before the rectangle around the box is drawn
 * instead.
 */
export const farCornerWgsl = 'const farCorner = 4.0;\n';
