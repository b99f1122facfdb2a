// The pairs of nodes that are still to be opened. First they form a queue, nearest first: only pairs nearer than the
// answer are opened, however poor the first bound was. Once that is full they become a stack, so that memory stays
// bounded.
//
// The queue is a binary heap of 64-bit numbers, key << 32 | place. The bits of floats compare as the floats do, once
// those of negative ones are inverted. Overlapping boxes all have bound 0; the deeper ones come first, so that bodies
// that meet are soon found to meet. The free places lie behind the heap's end.

import {
  distanceEntryBytes,
  distanceHeap,
  distanceOpen,
  distancePlaces,
  distanceQueued,
  distanceStack,
  queueEntries,
} from './distance-job.as';

/** An entry: node of A, node of B (level << 28 | index), the square of their distance, their sizes in A's frame. */
export const entryA: usize = 0;
export const entryB: usize = 4;
export const entryBound: usize = 8;
export const entrySizeA: usize = 12;
export const entrySizeB: usize = 16;

/** Empties the queue. */
export function startQueue(job: usize): void {
  store<u32>(job, 0, distanceOpen);
  store<u32>(job, 1, distanceQueued);
  if (load<u32>(job, distancePlaces)) return;
  // Numbers the places once. From then on each place stays somewhere in the heap or behind it.
  store<u32>(job, 1, distancePlaces);
  const heap = job + distanceHeap;
  for (let place: u32 = 0; place < queueEntries; place++)
    store<u64>(heap + ((<usize>place) << 3), <u64>place);
}

function entryAt(job: usize, place: u32): usize {
  return load<usize>(job, distanceStack) + <usize>place * distanceEntryBytes;
}

export function pushEntry(job: usize, a: u32, b: u32, bound: f32, sizeA: f32, sizeB: f32): void {
  if (load<u32>(job, distanceQueued) && load<u32>(job, distanceOpen) === queueEntries) stackUp(job);
  const count = load<u32>(job, distanceOpen);
  store<u32>(job, count + 1, distanceOpen);
  let place = count;
  if (load<u32>(job, distanceQueued)) {
    const heap = job + distanceHeap;
    place = load<u32>(heap + ((<usize>count) << 3));
    siftUp(heap, count, ((<u64>keyOf(bound, a, b)) << 32) | <u64>place);
  }
  const entry = entryAt(job, place);
  store<u32>(entry, a, entryA);
  store<u32>(entry, b, entryB);
  store<f32>(entry, bound, entryBound);
  store<f32>(entry, sizeA, entrySizeA);
  store<f32>(entry, sizeB, entrySizeB);
}

/** A key that compares as the bounds do. */
function keyOf(bound: f32, a: u32, b: u32): u32 {
  if (bound < 0) return ~reinterpret<u32>(bound);
  return 0x80000000 | (bound > 0 ? reinterpret<u32>(bound) : 64 - (a >> 28) - (b >> 28));
}

/** The entry to open next. The caller must read it before pushing another. The queue must not be empty. */
export function popEntry(job: usize): usize {
  const left = load<u32>(job, distanceOpen) - 1;
  store<u32>(job, left, distanceOpen);
  return entryAt(job, load<u32>(job, distanceQueued) ? takeFirst(job + distanceHeap, left) : left);
}

function siftUp(heap: usize, at: u32, value: u64): void {
  while (at > 0) {
    const above = (at - 1) >> 1;
    const other = load<u64>(heap + ((<usize>above) << 3));
    if (other <= value) break;
    store<u64>(heap + ((<usize>at) << 3), other);
    at = above;
  }
  store<u64>(heap + ((<usize>at) << 3), value);
}

/** Removes the least of a heap of `left` + 1 entries and leaves its place behind the end. Returns the place. */
function takeFirst(heap: usize, left: u32): u32 {
  const first = load<u32>(heap);
  const value = load<u64>(heap + ((<usize>left) << 3));
  let at: u32 = 0;
  for (;;) {
    let below: u32 = 2 * at + 1;
    if (below >= left) break;
    let other = load<u64>(heap + ((<usize>below) << 3));
    if (below + 1 < left) {
      const next = load<u64>(heap + ((<usize>below) << 3), 8);
      if (next < other) {
        other = next;
        below++;
      }
    }
    if (value <= other) break;
    store<u64>(heap + ((<usize>at) << 3), other);
    at = below;
  }
  if (left > 0) store<u64>(heap + ((<usize>at) << 3), value);
  store<u64>(heap + ((<usize>left) << 3), <u64>first);
  return first;
}

/** Turns the queue into a stack, nearest on top. */
function stackUp(job: usize): void {
  const heap = job + distanceHeap;
  const count = load<u32>(job, distanceOpen);
  for (let i: u32 = 0; i < count; i++) {
    const place = takeFirst(heap, count - 1 - i);
    memory.copy(entryAt(job, queueEntries + count - 1 - i), entryAt(job, place), distanceEntryBytes);
  }
  memory.copy(entryAt(job, 0), entryAt(job, queueEntries), <usize>count * distanceEntryBytes);
  store<u32>(job, 0, distanceQueued);
}
