// A shape as the GPU is told of it: the record that questions read, and the job that builds or refits its tree.

import type { Entry } from './gpu-entries.ts';
import { depthOf, JobLayout, ShapeLayout } from './gpu-layouts.ts';

const originDoubles = new Float64Array(3);
const originBits = new Uint32Array(originDoubles.buffer);

/** What a question needs of a shape, as the GPU reads it. */
export function recordOf(entry: Entry): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(ShapeLayout.words);
  const { at } = ShapeLayout;
  new Float32Array(words.buffer).set(entry.frame.originReach, at.originReach);
  words[at.nodeOffset] = entry.nodeOffset;
  words[at.leafOffset] = entry.leafOffset;
  words[at.leafCount] = entry.leafCount;
  words[at.depth] = depthOf(entry.leafCount);
  words[at.exponent] = entry.frame.exponent;
  words[at.cornerOffset] = entry.cornerOffset;
  words[at.wordOffset] = entry.wordOffset;
  words[at.stride] = entry.stride;
  words[at.held] = entry.shape.held === undefined ? 0 : 1;
  return words;
}

/** Whether that is what was last written: frames are replaced, never changed, and the rest of a record stays. */
export function isRecorded({ record, recordFrame, frame, wordOffset, stride, shape }: Entry): boolean {
  if (record === undefined || recordFrame !== frame) return false;
  const { at } = ShapeLayout;
  const held = shape.held === undefined ? 0 : 1;
  return record[at.wordOffset] === wordOffset && record[at.stride] === stride && record[at.held] === held;
}

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
