// A shape as the GPU is told of it: the record that questions read, and the job that builds or refits its tree.

import type { Entry } from './gpu-entries.ts';
import { depthOf, JobLayout, ShapeLayout } from './gpu-layouts.ts';

const originDoubles = new Float64Array(3);
const originBits = new Uint32Array(originDoubles.buffer);
const reachFloats = new Float32Array(3);
const reachBits = new Uint32Array(reachFloats.buffer);

/** What a question needs of a shape, as the GPU reads it, in words[record] and on. */
export function writeRecord(words: Uint32Array, record: number, entry: Entry): void {
  const { at } = ShapeLayout;
  const { originReach, exponent } = entry.frame;
  for (let axis = 0; axis < 3; axis++) {
    reachFloats[axis] = originReach[axis];
    words[record + at.originReach + axis] = reachBits[axis];
  }
  words[record + at.nodeOffset] = entry.nodeOffset;
  words[record + at.leafOffset] = entry.leafOffset;
  words[record + at.leafCount] = entry.leafCount;
  words[record + at.depth] = depthOf(entry.leafCount);
  words[record + at.exponent] = exponent;
  words[record + at.cornerOffset] = entry.cornerOffset;
  words[record + at.wordOffset] = entry.wordOffset;
  words[record + at.stride] = entry.stride;
  words[record + at.held] = entry.shape.held === undefined ? 0 : 1;
  entry.recordFrame = entry.frame;
  entry.recordWordOffset = entry.wordOffset;
  entry.recordStride = entry.stride;
  entry.recordHeld = entry.shape.held !== undefined;
}

/** Whether that is what was last written: frames are replaced, never changed, and the rest of a record stays. */
export const isRecorded = (entry: Entry): boolean =>
  entry.recordFrame === entry.frame &&
  entry.recordWordOffset === entry.wordOffset &&
  entry.recordStride === entry.stride &&
  entry.recordHeld === (entry.shape.held !== undefined);

/** One shape of a batch: its first triangle and vertex there, and where its parts lie. */
export function writeJob(
  words: Uint32Array,
  record: number,
  entry: Entry,
  first: number,
  firstVertex: number,
): void {
  const { at } = JobLayout;
  const { origin } = entry.frame;
  for (let axis = 0; axis < 3; axis++) {
    originDoubles[axis] = origin[axis];
    words[record + at.originLow + axis] = originBits[2 * axis];
    words[record + at.originHigh + axis] = originBits[2 * axis + 1];
  }
  words[record + at.first] = first;
  words[record + at.firstVertex] = firstVertex;
  words[record + at.nodeOffset] = entry.nodeOffset;
  words[record + at.leafOffset] = entry.leafOffset;
  words[record + at.leafCount] = entry.leafCount;
  words[record + at.depth] = depthOf(entry.leafCount);
  words[record + at.cornerOffset] = entry.cornerOffset;
  words[record + at.wordOffset] = entry.wordOffset;
  words[record + at.stride] = entry.stride;
  words[record + at.weldOffset] = entry.weldOffset;
  words[record + at.exponent] = entry.frame.exponent;
  words[record + at.doubles] = entry.doubles ? 1 : 0;
  words[record + at.welded] = entry.welded && entry.weldsHold ? 1 : 0;
  words[record + at.unchecked] = entry.shape.held === undefined ? 0 : 1;
  words[record + at.shape] = entry.index;
}

export function sameWords(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
