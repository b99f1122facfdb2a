// The sizes of a query: its images, the sections of `survivors`, and the statistics read back.

import { factOf } from '../../bodies/snapshot/facts.ts';
import type { ShapeState, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import {
  bodyStateWords,
  CullingLayout,
  glanceCoarser,
  ImageState,
  imageStateWords,
  type LookName,
  pixelWords,
  tileSide,
  tooManyFragments,
} from './layouts.ts';
import type { VisibilityStats } from './options.ts';

export interface Sizes {
  resolution: number;
  readonly views: number;
  /** 2 if views also look from behind. */
  sides: 1 | 2;
  /** Each body's first triangle, then the number of triangles. */
  starts: Uint32Array<ArrayBuffer>;
  bodyCount: number;
  instanceCount: number;
  candidates: number;
  /** Whether a coarse look at everything (a glance) comes first, and the close look sees only what the glance kept. */
  readonly glances: boolean;
  /** Whether fragments are listed. The paper's shapes make them anew in every round. */
  readonly listsFragments: boolean;
  /** In a mesh against itself, a patch has two to this power leaves. 0 if owners are bodies. */
  patchHeight: number;
}

/** Pixels of all images. */
export const pixelCount = ({ views, sides, resolution }: Sizes): number =>
  views * sides * resolution * resolution;
/** Bytes of the pixels' words. */
export const pixelBytes = (sizes: Sizes): number => 4 * pixelWords * pixelCount(sizes);
export const bodyStateBytes = ({ bodyCount }: Sizes): number => 4 * bodyStateWords * bodyCount;

/** The limits that a device's memory and time set. */
export interface Capacity {
  /** Bytes that one list may take. */
  readonly bytes: number;
  /** Pixels of all images. */
  readonly pixels: number;
  /** The limit of fragments: this many, or `fragmentsOfTriangle` per triangle if that is more. */
  readonly fragments: number;
  readonly fragmentsOfTriangle: number;
  /** The factor by which images with too many fragments are made coarser. How many they would have had is not known. */
  readonly coarser: number;
}

/** A software adapter takes some microseconds per fragment, so its limit is lower: about half a minute's worth. */
export function capacityOf(bytes: number, software: boolean): Capacity {
  return software
    ? { bytes, pixels: 2 ** 25, fragments: 2 ** 22, fragmentsOfTriangle: 64, coarser: 4 }
    : {
        bytes,
        pixels: 2 ** 28,
        fragments: tooManyFragments,
        fragmentsOfTriangle: 0,
        coarser: 2,
      };
}

/** The limit of fragments. Images with as many are too fine. */
export function mostFragments({ instanceCount, listsFragments }: Sizes, capacity: Capacity): number {
  const wanted = Math.max(capacity.fragments, capacity.fragmentsOfTriangle * instanceCount);
  return Math.min(wanted, tooManyFragments, listsFragments ? Math.floor(capacity.bytes / 16) : Infinity);
}

/**
 * Images that do not fit are seen from one side, then made coarser, then seen from both sides again if that fits.
 * Coarser images cull less and lose nothing. The number of rows of tiles has to fit a word.
 */
export function fitImages(sizes: Sizes, capacity: Capacity): void {
  const { sides } = sizes;
  const rows = () => sizes.instanceCount * sizes.views * Math.ceil(sizes.resolution / tileSide);
  const fits = () => pixelCount(sizes) <= capacity.pixels && pixelBytes(sizes) <= capacity.bytes;
  while (!fits() || (rows() >= 2 ** 32 && sizes.resolution > 1)) {
    if (sizes.sides === 2 && rows() < 2 ** 32) sizes.sides = 1;
    else {
      sizes.resolution = Math.ceil(sizes.resolution / 2);
      sizes.sides = sides;
    }
  }
}

/** The starts of the sections of `survivors`, in words. The sections that are cleared lie together. */
export function sectionsOf({ bodyCount, instanceCount, candidates }: Sizes) {
  const startsAt = bodyCount;
  const aliveAt = startsAt + bodyCount;
  const metAt = aliveAt + Math.ceil(instanceCount / 32) + imageStateWords;
  const listAt = metAt + Math.ceil(candidates / 32);
  return { startsAt, aliveAt, metAt, listAt, end: listAt + instanceCount };
}

/** The part of `survivors` that is read back, in words: the image's state, then one bit per candidate. */
export function reportOf(sizes: Sizes): { at: number; words: number } {
  const { metAt, listAt } = sectionsOf(sizes);
  return { at: metAt - imageStateWords, words: listAt - metAt + imageStateWords };
}

/**
 * Pixels of a triangle's bounding rectangle up to which its own thread takes them all. Threads wait for the slowest
 * beside them. A glance does not examine pixels one by one, and in a close look most threads have nothing to do.
 */
const pixelsOfThread = { only: 16, glance: 6, close: 4, objects: 16, parts: 16 } satisfies Record<
  LookName,
  number
>;
/** Longest side of that rectangle, in pixels, up to which one thread per row takes it. */
const shortSide = 256;

/** The sizes of the glance before a close look. */
export const glanceOf = (sizes: Sizes): Sizes => ({
  ...sizes,
  resolution: Math.ceil(sizes.resolution / glanceCoarser),
});

/** Writes the parameters of a look's kernels into the words of a `Culling`. */
export function writeCulling(
  sizes: Sizes,
  look: LookName,
  capacity: Capacity,
  words: Uint32Array<ArrayBuffer>,
): void {
  const { at } = CullingLayout;
  const { startsAt, aliveAt, metAt, listAt } = sectionsOf(sizes);
  const { bodyCount, instanceCount, patchHeight } = sizes;
  const owners = patchHeight === 0 ? bodyCount : Math.ceil(instanceCount / 2 ** patchHeight);
  // No owner may have all bits set: with the greatest depth, its key would be the word that means nobody.
  const ownerBits = Math.max(1, Math.ceil(Math.log2(owners + 1)));
  const depthBits = Math.min(24, 32 - ownerBits);
  words[at.resolution] = sizes.resolution;
  words[at.views] = sizes.views;
  words[at.bodyCount] = bodyCount;
  words[at.instanceCount] = instanceCount;
  words[at.startsAt] = startsAt;
  words[at.aliveAt] = aliveAt;
  words[at.metAt] = metAt;
  words[at.listAt] = listAt;
  words[at.pixelCount] = pixelCount(sizes);
  words[at.sides] = sizes.sides;
  words[at.ownerBits] = ownerBits;
  words[at.patchHeight] = patchHeight;
  words[at.mostFragments] = mostFragments(sizes, capacity);
  words[at.mostPixels] = pixelsOfThread[look];
  // The number of rows has to fit a word.
  words[at.shortSide] = instanceCount * sizes.views * shortSide < 2 ** 32 ? shortSide : 0;
  new Float32Array(words.buffer, words.byteOffset)[at.depthSteps] = 2 ** depthBits - 1;
}

/** Each body's first triangle among those of all bodies, then the number of triangles. */
export const instanceStarts = ({ shapeStates }: Snapshot): Uint32Array<ArrayBuffer> =>
  factOf(shapeStates, findStarts);

function findStarts(shapeStates: readonly ShapeState[]): Uint32Array<ArrayBuffer> {
  const starts = new Uint32Array(shapeStates.length + 1);
  shapeStates.forEach(({ mesh }, i) => {
    starts[i + 1] = starts[i] + mesh.triangleCount;
  });
  return starts;
}

/**
 * The default resolution is one to two times the number of rows of triangles if they stood in a square. With bodies of
 * some thousand triangles, a body in a heap of hundreds is then at least about sixty pixels wide, so gaps between
 * bodies show. Finer images cull more, and take longer in proportion to their fragments. A close look has few triangles
 * left and can be finer: 1.5 times as many pixels as there are rows of triangles.
 * Measured on the pieces of a dragon (an earlier one than today's) over 40 frames: 24,442 pairs have axis-aligned boxes
 * that meet. One look at 512² keeps 4,478 of them (5.5 times fewer). A glance at 192² and a close look at 768², with as
 * many fragments in all, keep 2,960 (8.3 times fewer); 128² and 512² keep 4,561; 256² and 1024² keep half the pairs,
 * with twice the fragments.
 */
export function usualResolution(triangleCount: number, glances: boolean): number {
  const rows = Math.sqrt(Math.max(1, triangleCount));
  if (glances) return Math.min(1536, 64 * Math.ceil((1.5 * rows) / 64));
  return Math.min(1024, Math.max(64, 2 ** Math.ceil(Math.log2(rows))));
}

/** The statistics in the image's state. */
export function statsOf(sizes: Sizes, state: Uint32Array): Omit<VisibilityStats, 'treesBuilt' | 'boxPairs'> {
  let pairsKept = 0;
  for (let word of state.subarray(imageStateWords)) for (; word !== 0; word &= word - 1) pairsKept++;
  return {
    resolution: sizes.resolution,
    views: sizes.views,
    fragments: state[ImageState.fragments] + state[ImageState.glanceFragments] - state[ImageState.idlePlaces],
    bodies: { boxesMeet: state[ImageState.askedBodies], kept: state[ImageState.keptBodies] },
    triangles: {
      all: sizes.instanceCount,
      boxesMeet: state[ImageState.nearTriangles],
      kept: state[ImageState.keptTriangles],
    },
    pairsKept,
  };
}
