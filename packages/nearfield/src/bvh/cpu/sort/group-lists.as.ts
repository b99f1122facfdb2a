// Groups the records of several lists, (candidate, triangle, triangle), by their candidates, on several threads. Three phases
// one after the other: the records of every group are counted, put where their group is, and sorted within it. In each phase
// threads take chunks by an atomic counter. Which thread puts a record first does not matter, since groups are sorted.
// The last two phases are done for a range of groups at a time, so that the pairs of one range are all that needs memory.
// Records mostly come in order of their groups: most chunks have none in the range, which is known from the first phase.

import { jobDone, jobPaused } from '../../../cpu/states.as';
import { sortPairsOfWords } from './sort-records.as';

const recordBytes: usize = 12;
const pairBytes: usize = 8;
/** Records in a chunk of the first two phases. */
export const recordsPerChunk: u32 = 1 << 15;

/** A list of records, and the number of its first chunk: chunks of the first two phases are numbered list by list. */
@unmanaged
export class RecordList {
  records: usize;
  count: u32;
  firstChunk: u32;
}

@unmanaged
export class Grouping {
  /** The next chunk that no thread has taken, and the number of chunks in this phase. */
  next: u32;
  chunkCount: u32;
  phase: u32;
  groups: u32;
  /** Groups in a chunk of the last phase. */
  groupsPerChunk: u32;
  /** Lists in order of their chunks, none of them empty. */
  lists: usize;
  listCount: u32;
  /**
   * After the first phase, the number of records of group g is at start[g + 1]. Before the others, its first record
   * at start[g].
   */
  start: usize;
  /** In the second phase, per group, the place of its next record. */
  nextPlaces: usize;
  /** The second and third words of the records of the range. */
  pairs: usize;
  /** The range of groups of the last two phases, and the place of its first record among all. */
  firstGroup: u32;
  endGroup: u32;
  firstPlace: u32;
  /** Per chunk of the first two phases, its least and its greatest group. */
  ranges: usize;
}

export const countPhase: u32 = 0;
export const putPhase: u32 = 1;
export const sortPhase: u32 = 2;

/** Takes up to `chunks` chunks. `scratch` is the thread's own, for the largest group (`sortPairsOfWords`). */
export function groupLists(job: Grouping, scratch: usize, chunks: u32): i32 {
  for (; chunks > 0; chunks--) {
    const chunk = atomic.add<u32>(changetype<usize>(job), 1);
    if (chunk >= job.chunkCount) return jobDone;
    if (job.phase === sortPhase) sortGroups(job, scratch, chunk);
    else placeRecords(job, chunk);
  }
  return jobPaused;
}

/**
 * Counts or puts the records of a chunk. Consecutive records mostly have the same candidate, so that groups are
 * touched rarely.
 */
function placeRecords(job: Grouping, chunk: u32): void {
  const counts = job.phase === countPhase;
  const range = job.ranges + ((<usize>chunk) << 3);
  const firstGroup = job.firstGroup;
  const endGroup = job.endGroup;
  if (!counts && (load<u32>(range, 4) < firstGroup || load<u32>(range) >= endGroup)) return;
  let list = changetype<RecordList>(job.lists);
  for (let i: u32 = 1; i < job.listCount; i++) {
    const next = changetype<RecordList>(job.lists + <usize>i * offsetof<RecordList>());
    if (next.firstChunk > chunk) break;
    list = next;
  }
  const first = (chunk - list.firstChunk) * recordsPerChunk;
  let p = list.records + <usize>first * recordBytes;
  const end = p + <usize>min(recordsPerChunk, list.count - first) * recordBytes;
  let least: u32 = 0xffffffff;
  let greatest: u32 = 0;
  while (p < end) {
    const group = load<u32>(p);
    let last = p + recordBytes;
    while (last < end && load<u32>(last) === group) last += recordBytes;
    const count = <u32>((last - p) / recordBytes);
    if (counts) {
      atomic.add<u32>(job.start + ((<usize>group) << 2), count, 4);
      least = min(least, group);
      greatest = max(greatest, group);
    } else if (group >= firstGroup && group < endGroup) {
      const place = atomic.add<u32>(job.nextPlaces + ((<usize>group) << 2), count) - job.firstPlace;
      let to = job.pairs + <usize>place * pairBytes;
      for (; p < last; p += recordBytes, to += pairBytes) store<u64>(to, load<u64>(p, 4));
    }
    p = last;
  }
  if (!counts) return;
  store<u32>(range, least);
  store<u32>(range, greatest, 4);
}

function sortGroups(job: Grouping, scratch: usize, chunk: u32): void {
  const first = job.firstGroup + chunk * job.groupsPerChunk;
  const end = min(job.endGroup, first + job.groupsPerChunk);
  for (let group = first; group < end; group++) {
    const at = job.start + ((<usize>group) << 2);
    const from = load<u32>(at);
    const count = load<u32>(at, 4) - from;
    if (count > 1) sortPairsOfWords(job.pairs + <usize>(from - job.firstPlace) * pairBytes, scratch, count);
  }
}
