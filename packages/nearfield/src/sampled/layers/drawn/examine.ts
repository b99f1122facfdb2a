// What the application software does between the passes of the published form (Myszkowski et al., sections 4 and 5):
// it looks at the counters of every pixel, decides what it can, and marks the pixels of the next pass.

import { CollisionCase } from '../cases.ts';
import type { LayersAlgorithm } from '../options.ts';
import { hasOddRun, type Sequence } from '../sequence.ts';
import { layersPerChannel, maskBit, mostBlended, mostCount } from './pipelines.ts';

/** A picture's pixels while they are decided. */
export interface Examined {
  /** One case per pixel. */
  readonly cases: Uint8Array;
  /** The pixels that the next pass draws. */
  open: Uint8Array;
  openCount: number;
}

const countOf = (stencil: number): number => stencil & mostCount;

/** After test (2): lines 08 to 12, with extension #1. `stencil` has SA and SC1. */
export function examineFirst(stencil: Uint8Array, algorithm: LayersAlgorithm): Examined {
  const cases = new Uint8Array(stencil.length);
  const open = new Uint8Array(stencil.length);
  let openCount = 0;
  for (let pixel = 0; pixel < stencil.length; pixel++) {
    if (stencil[pixel] < maskBit) continue;
    const passes = countOf(stencil[pixel]);
    if (passes === mostCount) cases[pixel] = CollisionCase.leftOut;
    else if (algorithm === 'general' ? passes > 0 : passes > 0 && passes % 2 === 0) {
      open[pixel] = maskBit;
      openCount++;
    } else cases[pixel] = passes === 0 ? CollisionCase.clear : CollisionCase.meets;
  }
  return { cases, open, openCount };
}

/**
 * After test (3): lines 18 to 20, with extension #2. `ofA` counts A's layers, `second` has SC2. What is left open needs
 * the order of its layers; the basic algorithm leaves it out.
 */
export function examineSecond(
  { cases, open }: Examined,
  first: Uint8Array,
  ofA: Uint8Array,
  second: Uint8Array,
  algorithm: LayersAlgorithm,
): Examined & { readonly convexA: number } {
  const left = new Uint8Array(open.length);
  let [openCount, convexA] = [0, 0];
  for (let pixel = 0; pixel < open.length; pixel++) {
    if (open[pixel] === 0) continue;
    const [passes2, layersA, passes3] = [countOf(first[pixel]), countOf(ofA[pixel]), countOf(second[pixel])];
    const isConvex = layersA === 2;
    if (isConvex) convexA++;
    const decided = () => {
      if (layersA === mostCount || passes3 === mostCount) return CollisionCase.leftOut;
      if (passes3 % 2 === 1)
        return algorithm === 'convex' && passes2 === 2 ? CollisionCase.e : CollisionCase.meets;
      // Odd and even alone do not tell equal counts.
      if (algorithm === 'simplified') return undefined;
      if (passes2 === passes3)
        return algorithm === 'convex' && passes2 === 2 ? CollisionCase.f : CollisionCase.clear;
      if (isConvex) return algorithm === 'convex' && passes2 === 2 ? CollisionCase.d : CollisionCase.meets;
      return algorithm === 'convex' ? CollisionCase.leftOut : undefined;
    };
    const value = decided();
    if (value !== undefined) cases[pixel] = value;
    else {
      left[pixel] = maskBit;
      openCount++;
    }
  }
  return { cases, open: left, openCount, convexA };
}

/**
 * After blending (section 6): an odd run of one body's layers is a collision. `all` counts the layers of each line,
 * `blended` those that were blended. They differ if two layers have equal depths: their order is not known.
 */
export function examineThird(
  { cases, open }: Examined,
  all: Uint8Array,
  blended: Uint8Array,
  colours: Uint8Array,
  found: (pixel: number, sequence: Sequence) => void,
): void {
  for (let pixel = 0; pixel < open.length; pixel++) {
    if (open[pixel] === 0) continue;
    const count = countOf(all[pixel]);
    if (count > mostBlended || blended[pixel] !== count || count % 2 === 1) {
      cases[pixel] = CollisionCase.leftOut;
      continue;
    }
    const words = Uint32Array.of(sequenceOf(colours.subarray(4 * pixel, 4 * pixel + 4), count));
    cases[pixel] = hasOddRun(words, count) ? CollisionCase.meets : CollisionCase.clear;
    found(pixel, { count, words });
  }
}

/** The bits of the first layers, from four colour components: the newest layer of a component is in its highest bit. */
export function sequenceOf(colour: Uint8Array, count: number): number {
  let word = 0;
  for (let layer = 0; layer < count; layer++) {
    const channel = Math.floor(layer / layersPerChannel);
    const inChannel = Math.min(layersPerChannel, count - layersPerChannel * channel);
    const bit = 8 - inChannel + (layer % layersPerChannel);
    if (((colour[channel] >> bit) & 1) === 1) word |= 1 << layer;
  }
  return word >>> 0;
}
