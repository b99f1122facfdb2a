// The pairs of nodes that are still to be opened. First they form a queue, nearest first: only pairs nearer than the
// answer are opened, however poor the first bound was. Once that is full they become a stack, so that memory stays
// bounded.
//
// The queue is a binary heap of 64-bit numbers, key << 32 | place. The bits of floats compare as the floats do, once
// those of negative ones are inverted. Overlapping boxes all have bound 0; the deeper ones come first, so that bodies
// that meet are soon found to meet. The free places lie behind the heap's end.

import { levelOf } from '../../../bvh/cpu/walk/node-word.as';
import { DistanceJob, queueEntries } from './distance-job.as';

/** A pair of nodes. */
@unmanaged
export class QueueEntry {
  /** As in node-word.as.ts. */
  a: u32;
  b: u32;
  /** The square of their distance. */
  bound: f32;
  /** Their sizes in A's frame. */
  sizeA: f32;
  sizeB: f32;
}

export const entryBytes: usize = offsetof<QueueEntry>();

/** Empties the queue. */
export function startQueue(job: DistanceJob): void {
  job.open = 0;
  job.queued = 1;
  if (job.places) return;
  // Numbers the places once. From then on each place stays somewhere in the heap or behind it.
  job.places = 1;
  const heap = job.heap;
  for (let place: u32 = 0; place < queueEntries; place++)
    store<u64>(heap + ((<usize>place) << 3), <u64>place);
}

function entryAt(job: DistanceJob, place: u32): QueueEntry {
  return changetype<QueueEntry>(job.stack + <usize>place * entryBytes);
}

export function pushEntry(job: DistanceJob, a: u32, b: u32, bound: f32, sizeA: f32, sizeB: f32): void {
  if (job.queued && job.open === queueEntries) stackUp(job);
  const count = job.open;
  job.open = count + 1;
  let place = count;
  if (job.queued) {
    const heap = job.heap;
    place = load<u32>(heap + ((<usize>count) << 3));
    siftUp(heap, count, ((<u64>keyOf(bound, a, b)) << 32) | <u64>place);
  }
  const entry = entryAt(job, place);
  entry.a = a;
  entry.b = b;
  entry.bound = bound;
  entry.sizeA = sizeA;
  entry.sizeB = sizeB;
}

/** A key that compares as the bounds do. */
function keyOf(bound: f32, a: u32, b: u32): u32 {
  if (bound < 0) return ~reinterpret<u32>(bound);
  return 0x80000000 | (bound > 0 ? reinterpret<u32>(bound) : 64 - levelOf(a) - levelOf(b));
}

/** The entry to open next. The caller must read it before pushing another. The queue must not be empty. */
export function popEntry(job: DistanceJob): QueueEntry {
  const left = job.open - 1;
  job.open = left;
  return entryAt(job, job.queued ? takeFirst(job.heap, left) : left);
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
function stackUp(job: DistanceJob): void {
  const heap = job.heap;
  const count = job.open;
  for (let i: u32 = 0; i < count; i++) {
    const place = takeFirst(heap, count - 1 - i);
    copyEntries(job, queueEntries + count - 1 - i, place, 1);
  }
  copyEntries(job, 0, queueEntries, count);
  job.queued = 0;
}

function copyEntries(job: DistanceJob, to: u32, from: u32, count: u32): void {
  memory.copy(
    changetype<usize>(entryAt(job, to)),
    changetype<usize>(entryAt(job, from)),
    <usize>count * entryBytes,
  );
}
