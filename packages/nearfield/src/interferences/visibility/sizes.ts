// The numbers of a question: how large its images are, where the parts of what is left lie, and what is told of it.

import type { ShapeState, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
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
  /** 2 where views look from behind, too. */
  sides: 1 | 2;
  /** By body, its first triangle; then how many there are. */
  starts: Uint32Array<ArrayBuffer>;
  bodyCount: number;
  instanceCount: number;
  candidates: number;
  /** Whether a coarse look at everything comes before one at what that leaves. */
  readonly glances: boolean;
  /** Of one mesh against itself, two to this power leaves are a patch; 0 where owners are bodies. */
  patchHeight: number;
}

/** Pixels of all images. */
export const pixelCount = ({ views, sides, resolution }: Sizes): number =>
  views * sides * resolution * resolution;
/** Bytes of the pixels' numbers. */
export const pixelBytes = (sizes: Sizes): number => 4 * pixelWords * pixelCount(sizes);
export const bodyStateBytes = ({ bodyCount }: Sizes): number => 4 * bodyStateWords * bodyCount;

/** What a device has room, and time, for. */
export interface Capacity {
  /** Bytes that one list may have. */
  readonly bytes: number;
  /** Pixels of all images. */
  readonly pixels: number;
  /** Fragments; or as many a triangle where that is more. */
  readonly fragments: number;
  readonly fragmentsOfTriangle: number;
  /** How much coarser images become that have too many; how many they would have had is not known. */
  readonly coarser: number;
}

/** A program on the processor takes some microseconds a fragment, so it is given fewer: half a minute's. */
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

/** With as many fragments images are too fine. */
export function mostFragments({ instanceCount }: Sizes, capacity: Capacity): number {
  const wanted = Math.max(capacity.fragments, capacity.fragmentsOfTriangle * instanceCount);
  return Math.min(wanted, tooManyFragments, Math.floor(capacity.bytes / 16));
}

/**
 * Images that do not fit are seen from one side, then made coarser, and seen from both again where that fits: coarser ones
 * leave out less, and lose nothing. Rows of tiles are counted in a word.
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

/** Where the parts of `survivors` begin, in words; those that are cleared lie together. */
export function sectionsOf({ bodyCount, instanceCount, candidates }: Sizes) {
  const startsAt = bodyCount;
  const aliveAt = startsAt + bodyCount;
  const metAt = aliveAt + Math.ceil(instanceCount / 32) + imageStateWords;
  const listAt = metAt + Math.ceil(candidates / 32);
  return { startsAt, aliveAt, metAt, listAt, end: listAt + instanceCount };
}

/** Where in `survivors` lies what is read back, in words: the image's state, then a bit a candidate. */
export function reportOf(sizes: Sizes): { at: number; words: number } {
  const { metAt, listAt } = sectionsOf(sizes);
  return { at: metAt - imageStateWords, words: listAt - metAt + imageStateWords };
}

/**
 * Pixels of a rectangle around a triangle that its own thread takes: threads wait for the slowest beside them. A glance does
 * not look at each by itself; in a close look most have nothing to do.
 */
const pixelsOfThread = { only: 16, glance: 6, close: 4 } satisfies Record<LookName, number>;
/** Pixels along a side of one that a thread a row takes. */
const shortSide = 256;

/** The sizes of the glance before a close look. */
export const glanceOf = (sizes: Sizes): Sizes => ({
  ...sizes,
  resolution: Math.ceil(sizes.resolution / glanceCoarser),
});

/** What the kernels of a look are told, into words of a `Culling`. */
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
  // No owner has all bits: with the greatest depth above it that would stand for nobody.
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
  // Rows are counted in a word.
  words[at.shortSide] = instanceCount * sizes.views * shortSide < 2 ** 32 ? shortSide : 0;
  new Float32Array(words.buffer, words.byteOffset)[at.depthSteps] = 2 ** depthBits - 1;
}

/** Lists of forms stay as they are: a scene whose bodies come, go or deform has another. */
const startsOfForms = new WeakMap<readonly ShapeState[], Uint32Array<ArrayBuffer>>();

/** By body, its first triangle among those of all bodies; then how many there are. */
export function instanceStarts({ shapeStates, count }: Snapshot, trees: GpuTrees): Uint32Array<ArrayBuffer> {
  const known = startsOfForms.get(shapeStates);
  if (known !== undefined && known.length === count + 1) return known;
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) starts[i + 1] = starts[i] + trees.entryOf(shapeStates[i].shape).leafCount;
  startsOfForms.set(shapeStates, starts);
  return starts;
}

/**
 * A side of as many pixels as a square has rows of triangles, or up to twice that: where bodies are of some thousand
 * triangles, each is then some sixty pixels wide or more in a heap of hundreds, and gaps between them show. Finer images
 * leave out more, and take as much longer as they have more fragments. A close look has few triangles left to look at, and
 * can be finer: half as many pixels again as there are rows of triangles. Of the pieces of a dragon (an earlier one than today's),
 * over 40 frames, 24,442 pairs have boxes along the axes that meet. One look at 512² leaves 4,478 of them (5.5 times fewer); a
 * glance at 192² and a close look at 768², with as many fragments in all, leave 2,960 (8.3 times fewer), at 128² and 512² 4,561,
 * at 256² and 1024² half the pairs and twice the fragments of that.
 */
export function usualResolution(triangleCount: number, glances: boolean): number {
  const rows = Math.sqrt(Math.max(1, triangleCount));
  if (glances) return Math.min(1536, 64 * Math.ceil((1.5 * rows) / 64));
  return Math.min(1024, Math.max(64, 2 ** Math.ceil(Math.log2(rows))));
}

/** What the report says. */
export function statsOf(sizes: Sizes, state: Uint32Array): VisibilityStats {
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
