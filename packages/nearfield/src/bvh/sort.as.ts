// Radix sorts: entries of two words (value, key) for the order of triangles and bodies, and records of
// three words for answers. Least significant digit first, so equal keys keep their order.

const digitBits: u32 = 11;
const digits: u32 = 1 << digitBits;
/** Bytes of counters a sort needs. */
export const counterBytes: usize = <usize>digits * 4;

/**
 * Sorts `count` entries of two words at `from` by the low `keyBits` of the word `key` bytes into them, and returns
 * where the sorted entries lie: `from` or `other`, whichever the last pass wrote.
 */
export function sortEntries(
  from: usize,
  other: usize,
  counters: usize,
  count: u32,
  key: usize,
  keyBits: u32,
): usize {
  const bytes = <usize>count * 8;
  for (let shift: u32 = 0; shift < keyBits; shift += digitBits) {
    memory.fill(counters, 0, counterBytes);
    const end = from + bytes;
    for (let p = from; p < end; p += 8) {
      const at = counters + ((<usize>((load<u32>(p + key) >> shift) & (digits - 1))) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
    sumCounters(counters);
    for (let p = from; p < end; p += 8) {
      const entry = load<u64>(p);
      const at = counters + ((<usize>((load<u32>(p + key) >> shift) & (digits - 1))) << 2);
      const slot = load<u32>(at);
      store<u32>(at, slot + 1);
      store<u64>(other + ((<usize>slot) << 3), entry);
    }
    const swap = from;
    from = other;
    other = swap;
  }
  return from;
}

function sumCounters(counters: usize): void {
  let sum: u32 = 0;
  for (let d: usize = 0; d < digits; d++) {
    const at = counters + (d << 2);
    const here = load<u32>(at);
    store<u32>(at, sum);
    sum += here;
  }
}

/** Sorts pairs of words below 2^bits by the first, then the second; returns where they lie, `from` or `other`. */
export function sortPairs(from: usize, other: usize, counters: usize, count: u32, bits: u32): usize {
  const bySecond = sortEntries(from, other, counters, count, 4, bits);
  return sortEntries(bySecond, bySecond === from ? other : from, counters, count, 0, bits);
}

/** Records of three words. */
const recordBytes: usize = 12;
/** So few records are sorted by insertion. */
const fewRecords: u32 = 16;

/** Sorts `count` records by first, then second, then third word, in place; `other` is as long. */
export function sortRecords(records: usize, other: usize, counters: usize, count: u32): void {
  sortFrom(records, other, counters, count, 0);
}

/**
 * The same of records that are equal in the words before `key`: by that word, and then each run of equal ones by the rest.
 * Mostly runs are short, the pairs of one candidate or of one triangle, and two words of three are never looked at whole.
 */
function sortFrom(records: usize, other: usize, counters: usize, count: u32, key: usize): void {
  if (count <= fewRecords) {
    insertRecords(records, count);
    return;
  }
  const end = records + <usize>count * recordBytes;
  const some = load<u32>(records + key);
  let differing: u32 = 0;
  for (let p = records; p < end; p += recordBytes) differing |= load<u32>(p + key) ^ some;
  if (differing !== 0) radixRecords(records, other, counters, count, key, differing);
  if (key === 8) return;
  if (differing === 0) {
    sortFrom(records, other, counters, count, key + 4);
    return;
  }
  for (let run = records; run < end; ) {
    const value = load<u32>(run + key);
    let next = run + recordBytes;
    while (next < end && load<u32>(next + key) === value) next += recordBytes;
    const length = <u32>((next - run) / recordBytes);
    if (length > 1) sortFrom(run, other, counters, length, key + 4);
    run = next;
  }
}

/** Sorts by one word, of which only the bits given differ. */
function radixRecords(
  records: usize,
  other: usize,
  counters: usize,
  count: u32,
  key: usize,
  differing: u32,
): void {
  const bytes = <usize>count * recordBytes;
  const lowest = <u32>ctz(differing);
  const width: u32 = 32 - <u32>clz(differing) - lowest;
  // No more counters than records, and digits of equal width.
  const most: u32 = min(digitBits, 32 - <u32>clz(count));
  const passes: u32 = (width + most - 1) / most;
  const bits: u32 = (width + passes - 1) / passes;
  const mask: u32 = ((<u32>1) << bits) - 1;
  let from = records;
  let to = other;
  for (let pass: u32 = 0; pass < passes; pass++) {
    const shift = lowest + pass * bits;
    memory.fill(counters, 0, (<usize>mask + 1) << 2);
    const end = from + bytes;
    for (let p = from; p < end; p += recordBytes) {
      const at = counters + ((<usize>((load<u32>(p + key) >> shift) & mask)) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
    let sum = <u32>to;
    for (let at = counters; at <= counters + ((<usize>mask) << 2); at += 4) {
      const here = load<u32>(at);
      store<u32>(at, sum);
      sum += here * <u32>recordBytes;
    }
    for (let p = from; p < end; p += recordBytes) {
      const at = counters + ((<usize>((load<u32>(p + key) >> shift) & mask)) << 2);
      const target = load<usize>(at);
      store<usize>(at, target + recordBytes);
      store<u64>(target, load<u64>(p));
      store<u32>(target, load<u32>(p, 8), 8);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  if (from !== records) memory.copy(records, from, bytes);
}

function insertRecords(records: usize, count: u32): void {
  const end = records + <usize>count * recordBytes;
  for (let p = records + recordBytes; p < end; p += recordBytes) {
    const first = load<u32>(p);
    const rest = restOf(p);
    let at = p;
    for (; at > records; at -= recordBytes) {
      const before = load<u32>(at - recordBytes);
      if (before < first || (before === first && restOf(at - recordBytes) <= rest)) break;
      store<u64>(at, load<u64>(at - recordBytes));
      store<u32>(at, load<u32>(at - recordBytes, 8), 8);
    }
    store<u32>(at, first);
    store<u32>(at, <u32>(rest >> 32), 4);
    store<u32>(at, <u32>rest, 8);
  }
}

/** The second and third word as one number. */
function restOf(record: usize): u64 {
  return ((<u64>load<u32>(record, 4)) << 32) | <u64>load<u32>(record, 8);
}

/**
 * Takes sorted records apart: their second and third words to `pairs`, which may be where the records are, and to `start`,
 * for each of `groups` values of the first word and one more, how many records have a lower one.
 */
export function groupRecords(records: usize, count: u32, groups: u32, start: usize, pairs: usize): void {
  const end = records + <usize>count * recordBytes;
  let at = records;
  for (let group: u32 = 0; group <= groups; group++) {
    for (; at < end && load<u32>(at) < group; at += recordBytes, pairs += 8)
      store<u64>(pairs, load<u64>(at, 4));
    store<u32>(start + ((<usize>group) << 2), <u32>((at - records) / recordBytes));
  }
}
