// Orders many points so that each is near the one before it. The order follows Morton's curve (1966): a grid of 1024
// cells per axis over the points' box, with the bits of the three cell numbers interleaved. Four phases one after the
// other: the box, the cells, the points put where their coarse cell is, and sorted within it. In each phase threads take
// chunks by an atomic counter. Points of one cell keep their order, so that the result does not depend on the threads.

import { jobDone, jobPaused } from '../../../cpu/states.as';

/** Points in a chunk of the first three phases. */
const pointsPerChunk: u32 = 1 << 14;
/** Coarse cells have the uppermost bits of a cell's number in common. The lower bits are sorted in two halves. */
const coarseBits: u32 = 12;
const coarseCells: u32 = 1 << coarseBits;
const halfBits: u32 = (30 - coarseBits) / 2;
const halfCells: u32 = 1 << halfBits;
/** Coarse cells in a chunk of the last phase. */
const cellsPerChunk: u32 = 32;
/** Fewer points than this are sorted by insertion. */
const fewPoints: u32 = 32;

export const boxPhase: u32 = 0;
export const cellPhase: u32 = 1;
export const placePhase: u32 = 2;
export const sortPhase: u32 = 3;

@unmanaged
export class Ordering {
  /** The next chunk that no thread has taken, and the number of chunks in this phase. */
  next: u32;
  chunkCount: u32;
  phase: u32;
  /** Points of three doubles, all finite. */
  points: usize;
  count: u32;
  /** The result: a word per point. */
  order: usize;
  /** (number, cell) of every point, two words each, by coarse cell. */
  entries: usize;
  /** Room for as many. Before the third phase, a word per point: its cell. */
  spare: usize;
  /** Per chunk of points, their box: six doubles. */
  boxes: usize;
  /**
   * Per chunk of points and coarse cell, a word: how many of its points lie there, and after the second phase, the place
   * of the first of them.
   */
  counts: usize;
  /** The place of the first point of every coarse cell, and of the end. */
  starts: usize;
  lowX: f64;
  lowY: f64;
  lowZ: f64;
  /** Cells per length; 0 if all points are in one cell. */
  scale: f64;
}

export const orderingBytes: usize = offsetof<Ordering>();
/** Scratch memory of a thread. */
export const orderScratchBytes: usize = <usize>halfCells * 8;

function pointChunks(count: u32): u32 {
  return (count + pointsPerChunk - 1) / pointsPerChunk;
}

/** Bytes for all that an ordering needs besides. A double, since it may exceed 32 bits. */
export function orderBytes(count: u32): f64 {
  const chunks = <f64>pointChunks(count);
  return 20.0 * <f64>count + (chunks + 1.0) * <f64>coarseCells * 4.0 + 4.0 + chunks * 48.0 + 64.0;
}

/** Divides memory of `orderBytes` among the lists of an ordering, whose points are set. */
export function startOrdering(job: Ordering, memory: usize): void {
  const count = <usize>job.count;
  const chunks = <usize>pointChunks(job.count);
  job.boxes = memory;
  job.entries = job.boxes + chunks * 48;
  job.spare = job.entries + count * 8;
  job.order = job.spare + count * 8;
  job.counts = job.order + count * 4;
  job.starts = job.counts + chunks * <usize>coarseCells * 4;
}

/** Prepares a phase, after all chunks of the one before. */
export function startPhase(job: Ordering, phase: u32): void {
  if (phase === cellPhase) joinBoxes(job);
  if (phase === placePhase) sumCounts(job);
  job.phase = phase;
  job.chunkCount = phase === sortPhase ? coarseCells / cellsPerChunk : pointChunks(job.count);
  job.next = 0;
}

/** Takes up to `chunks` chunks. `scratch` is the thread's own. */
export function orderPoints(job: Ordering, scratch: usize, chunks: u32): i32 {
  for (; chunks > 0; chunks--) {
    const chunk = atomic.add<u32>(changetype<usize>(job), 1);
    if (chunk >= job.chunkCount) return jobDone;
    if (job.phase === sortPhase) {
      const end = (chunk + 1) * cellsPerChunk;
      for (let cell = chunk * cellsPerChunk; cell < end; cell++) sortCell(job, scratch, cell);
      continue;
    }
    const first = chunk * pointsPerChunk;
    const end = min(job.count, first + pointsPerChunk);
    if (job.phase === boxPhase) findBox(job, chunk, first, end);
    else if (job.phase === cellPhase) findCells(job, chunk, first, end);
    else placePoints(job, chunk, first, end);
  }
  return jobPaused;
}

function findBox(job: Ordering, chunk: u32, first: u32, last: u32): void {
  let at = job.points + <usize>first * 24;
  const end = job.points + <usize>last * 24;
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  for (; at < end; at += 24) {
    const x = load<f64>(at);
    const y = load<f64>(at, 8);
    const z = load<f64>(at, 16);
    lowX = x < lowX ? x : lowX;
    lowY = y < lowY ? y : lowY;
    lowZ = z < lowZ ? z : lowZ;
    highX = x > highX ? x : highX;
    highY = y > highY ? y : highY;
    highZ = z > highZ ? z : highZ;
  }
  const box = job.boxes + <usize>chunk * 48;
  store<f64>(box, lowX);
  store<f64>(box, lowY, 8);
  store<f64>(box, lowZ, 16);
  store<f64>(box, highX, 24);
  store<f64>(box, highY, 32);
  store<f64>(box, highZ, 40);
}

function joinBoxes(job: Ordering): void {
  let lowX = Infinity;
  let lowY = Infinity;
  let lowZ = Infinity;
  let highX = -Infinity;
  let highY = -Infinity;
  let highZ = -Infinity;
  const end = job.boxes + <usize>pointChunks(job.count) * 48;
  for (let box = job.boxes; box < end; box += 48) {
    lowX = min(lowX, load<f64>(box));
    lowY = min(lowY, load<f64>(box, 8));
    lowZ = min(lowZ, load<f64>(box, 16));
    highX = max(highX, load<f64>(box, 24));
    highY = max(highY, load<f64>(box, 32));
    highZ = max(highZ, load<f64>(box, 40));
  }
  const size = max(highX - lowX, max(highY - lowY, highZ - lowZ));
  // If the box has no extent, or its size does not fit in a double, any order will do.
  const isUsable = size > 0 && size < Infinity && 1023.999 / size < Infinity;
  job.scale = isUsable ? 1023.999 / size : 0;
  job.lowX = lowX;
  job.lowY = lowY;
  job.lowZ = lowZ;
}

/** Writes the cells of a chunk's points, and counts them by coarse cell. */
function findCells(job: Ordering, chunk: u32, first: u32, end: u32): void {
  const counts = job.counts + <usize>chunk * <usize>coarseCells * 4;
  memory.fill(counts, 0, <usize>coarseCells * 4);
  const scale = job.scale;
  const lowX = job.lowX;
  const lowY = job.lowY;
  const lowZ = job.lowZ;
  let at = job.points + <usize>first * 24;
  let to = job.spare + ((<usize>first) << 2);
  for (let i = first; i < end; i++, at += 24, to += 4) {
    let cell: u32 = 0;
    if (scale !== 0) {
      const x = spread(<i32>((load<f64>(at) - lowX) * scale));
      const y = spread(<i32>((load<f64>(at, 8) - lowY) * scale));
      const z = spread(<i32>((load<f64>(at, 16) - lowZ) * scale));
      cell = x | (y << 1) | (z << 2);
    }
    store<u32>(to, cell);
    const own = counts + ((<usize>(cell >> (30 - coarseBits))) << 2);
    store<u32>(own, load<u32>(own) + 1);
  }
}

/** Turns counts into places: coarse cell by coarse cell, in each of them chunk by chunk. */
function sumCounts(job: Ordering): void {
  const chunks = pointChunks(job.count);
  const starts = job.starts;
  memory.fill(starts, 0, <usize>coarseCells * 4);
  // Row by row, since a column of the table is scattered in memory.
  let row = job.counts;
  for (let chunk: u32 = 0; chunk < chunks; chunk++, row += <usize>coarseCells * 4) {
    for (let at: usize = 0; at < <usize>coarseCells * 4; at += 4) {
      const before = load<u32>(starts + at);
      const own = load<u32>(row + at);
      store<u32>(row + at, before);
      store<u32>(starts + at, before + own);
    }
  }
  let sum: u32 = 0;
  for (let at: usize = 0; at < <usize>coarseCells * 4; at += 4) {
    const own = load<u32>(starts + at);
    store<u32>(starts + at, sum);
    sum += own;
  }
  store<u32>(starts + <usize>coarseCells * 4, sum);
}

function placePoints(job: Ordering, chunk: u32, first: u32, end: u32): void {
  const counts = job.counts + <usize>chunk * <usize>coarseCells * 4;
  const starts = job.starts;
  const entries = job.entries;
  let cells = job.spare + ((<usize>first) << 2);
  for (let i = first; i < end; i++, cells += 4) {
    const cell = load<u32>(cells);
    const coarse = (<usize>(cell >> (30 - coarseBits))) << 2;
    const before = load<u32>(counts + coarse);
    store<u32>(counts + coarse, before + 1);
    const to = entries + ((<usize>(load<u32>(starts + coarse) + before)) << 3);
    store<u32>(to, i);
    store<u32>(to, cell, 4);
  }
}

/** Sorts the points of a coarse cell by their cells, and writes their numbers. */
function sortCell(job: Ordering, scratch: usize, coarse: u32): void {
  const at = job.starts + ((<usize>coarse) << 2);
  const first = load<u32>(at);
  const count = load<u32>(at, 4) - first;
  if (count === 0) return;
  const from = job.entries + ((<usize>first) << 3);
  const order = job.order + ((<usize>first) << 2);
  if (count < fewPoints) sortFew(from, count, order);
  else sortMany(from, job.spare + ((<usize>first) << 3), count, scratch, order);
}

function sortFew(from: usize, count: u32, order: usize): void {
  const end = from + ((<usize>count) << 3);
  for (let p = from + 8; p < end; p += 8) {
    const entry = load<u64>(p);
    let to = p;
    for (; to > from && load<u32>(to - 8, 4) > <u32>(entry >> 32); to -= 8) store<u64>(to, load<u64>(to - 8));
    store<u64>(to, entry);
  }
  for (let p = from; p < end; p += 8, order += 4) store<u32>(order, load<u32>(p));
}

/** A radix sort: by the lower half of the bits to `other`, then by the upper half to `order`. */
function sortMany(from: usize, other: usize, count: u32, scratch: usize, order: usize): void {
  const upper = scratch + <usize>halfCells * 4;
  memory.fill(scratch, 0, orderScratchBytes);
  const end = from + ((<usize>count) << 3);
  for (let p = from; p < end; p += 8) {
    const cell = load<u32>(p, 4);
    const low = scratch + halfOf(cell, 0);
    const high = upper + halfOf(cell, halfBits);
    store<u32>(low, load<u32>(low) + 1);
    store<u32>(high, load<u32>(high) + 1);
  }
  let lowSum: u32 = 0;
  let highSum: u32 = 0;
  for (let at: usize = 0; at < <usize>halfCells * 4; at += 4) {
    const low = load<u32>(scratch + at);
    const high = load<u32>(upper + at);
    store<u32>(scratch + at, lowSum);
    store<u32>(upper + at, highSum);
    lowSum += low;
    highSum += high;
  }
  for (let p = from; p < end; p += 8) {
    const entry = load<u64>(p);
    const at = scratch + halfOf(<u32>(entry >> 32), 0);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u64>(other + ((<usize>place) << 3), entry);
  }
  const otherEnd = other + ((<usize>count) << 3);
  for (let p = other; p < otherEnd; p += 8) {
    const at = upper + halfOf(load<u32>(p, 4), halfBits);
    const place = load<u32>(at);
    store<u32>(at, place + 1);
    store<u32>(order + ((<usize>place) << 2), load<u32>(p));
  }
}

/** The place of the counter of half of a cell's lower bits. */
function halfOf(cell: u32, shift: u32): usize {
  return (<usize>((cell >> shift) & (halfCells - 1))) << 2;
}

/** Spreads ten bits: each is followed by two zeros. */
function spread(cell: u32): u32 {
  let bits = cell & 1023;
  bits = (bits | (bits << 16)) & 0x030000ff;
  bits = (bits | (bits << 8)) & 0x0300f00f;
  bits = (bits | (bits << 4)) & 0x030c30c3;
  return (bits | (bits << 2)) & 0x09249249;
}
