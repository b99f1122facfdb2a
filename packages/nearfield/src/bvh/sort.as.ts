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
/** So few keys are sorted by insertion. */
const fewKeys: u32 = 24;
/** The widest digit of keys, and how many there are at most: each has counters of its own. */
const keyDigitBits: u32 = 12;
const keyDigits: u32 = 3;
const keyCounterBytes: usize = (<usize>keyDigits * 4) << keyDigitBits;
/** So many keys at least that counters of three digits are the lesser part of it. */
const manyKeys: u32 = 2048;

/**
 * Bytes a sort of records needs beside a second list: counters, and behind them how each word is packed. A word counts from the
 * lowest bit to the highest in which records differ: `low`, how many there are, and a record's word for all other bits.
 */
export const recordScratchBytes: usize = keyCounterBytes + 48;
const lowOf: usize = keyCounterBytes;
const widthOf: usize = keyCounterBytes + 16;
const wordOf: usize = keyCounterBytes + 32;

/** Sorts `count` records by first, then second, then third word, in place; `other` is as long. */
export function sortRecords(records: usize, other: usize, scratch: usize, count: u32): void {
  if (count < 2) return;
  if (findWidths(records, scratch, count) > 64) {
    sortByWords(records, other, scratch, count);
    return;
  }
  const keys = sortAsKeys(records, other, scratch, count);
  const first = load<u32>(scratch, wordOf);
  const firstLow = load<u32>(scratch, lowOf);
  const firstShift = <u64>(load<u32>(scratch, widthOf + 4) + load<u32>(scratch, widthOf + 8));
  const firstMask = maskOf(scratch);
  const second = load<u32>(scratch, wordOf + 4);
  const secondLow = load<u32>(scratch, lowOf + 4);
  const secondShift = <u64>load<u32>(scratch, widthOf + 8);
  const secondMask = maskOf(scratch + 4);
  const third = load<u32>(scratch, wordOf + 8);
  const thirdLow = load<u32>(scratch, lowOf + 8);
  const thirdMask = maskOf(scratch + 8);
  // From the last: keys that lie where the records go are shorter.
  for (let i = <usize>count; i > 0; i--) {
    const key = load<u64>(keys + ((i - 1) << 3));
    const to = records + (i - 1) * recordBytes;
    store<u32>(to, first | ((<u32>(key >> firstShift) & firstMask) << firstLow));
    store<u32>(to, second | ((<u32>(key >> secondShift) & secondMask) << secondLow), 4);
    store<u32>(to, third | ((<u32>key & thirdMask) << thirdLow), 8);
  }
}

/**
 * Sorts records and takes them apart: their second and third words lie where it returns, at `records` or `other`, and at `start`,
 * for each of `groups` values of the first word and one more, how many records have a lower one.
 */
export function groupRecords(
  records: usize,
  other: usize,
  scratch: usize,
  count: u32,
  groups: u32,
  start: usize,
): usize {
  let group: u32 = 0;
  let pairs = records;
  if (findWidths(records, scratch, count) > 64) {
    sortByWords(records, other, scratch, count);
    for (let i: u32 = 0; i < count; i++) {
      const at = records + <usize>i * recordBytes;
      group = startGroups(start, group, load<u32>(at), i);
      store<u64>(records + ((<usize>i) << 3), load<u64>(at, 4));
    }
  } else {
    pairs = sortAsKeys(records, other, scratch, count);
    const first = load<u32>(scratch, wordOf);
    const firstLow = load<u32>(scratch, lowOf);
    const firstShift = <u64>(load<u32>(scratch, widthOf + 4) + load<u32>(scratch, widthOf + 8));
    const firstMask = maskOf(scratch);
    const second = load<u32>(scratch, wordOf + 4);
    const secondLow = load<u32>(scratch, lowOf + 4);
    const secondShift = <u64>load<u32>(scratch, widthOf + 8);
    const secondMask = maskOf(scratch + 4);
    const third = load<u32>(scratch, wordOf + 8);
    const thirdLow = load<u32>(scratch, lowOf + 8);
    const thirdMask = maskOf(scratch + 8);
    for (let i: u32 = 0; i < count; i++) {
      const at = pairs + ((<usize>i) << 3);
      const key = load<u64>(at);
      const own = first | ((<u32>(key >> firstShift) & firstMask) << firstLow);
      if (own >= group) group = startGroups(start, group, own, i);
      store<u32>(at, second | ((<u32>(key >> secondShift) & secondMask) << secondLow));
      store<u32>(at, third | ((<u32>key & thirdMask) << thirdLow), 4);
    }
  }
  startGroups(start, group, groups, count);
  return pairs;
}

/** Groups from one to another, which is the last, begin with a record. */
function startGroups(start: usize, from: u32, last: u32, record: u32): u32 {
  for (; from <= last; from++) store<u32>(start + ((<usize>from) << 2), record);
  return from;
}

/** In how many bits records differ, from the lowest to the highest of each word. */
function findWidths(records: usize, scratch: usize, count: u32): u32 {
  const end = records + <usize>count * recordBytes;
  const first = load<u32>(records);
  const second = load<u32>(records, 4);
  const third = load<u32>(records, 8);
  // Four records are three vectors.
  const ones = i32x4(first, second, third, first);
  const twos = i32x4(second, third, first, second);
  const threes = i32x4(third, first, second, third);
  let inOnes = i32x4.splat(0);
  let inTwos = i32x4.splat(0);
  let inThrees = i32x4.splat(0);
  let p = records;
  for (; p + 4 * recordBytes <= end; p += 4 * recordBytes) {
    inOnes = v128.or(inOnes, v128.xor(v128.load(p), ones));
    inTwos = v128.or(inTwos, v128.xor(v128.load(p, 16), twos));
    inThrees = v128.or(inThrees, v128.xor(v128.load(p, 32), threes));
  }
  let inFirst: u32 =
    i32x4.extract_lane(inOnes, 0) |
    i32x4.extract_lane(inOnes, 3) |
    i32x4.extract_lane(inTwos, 2) |
    i32x4.extract_lane(inThrees, 1);
  let inSecond: u32 =
    i32x4.extract_lane(inOnes, 1) |
    i32x4.extract_lane(inTwos, 0) |
    i32x4.extract_lane(inTwos, 3) |
    i32x4.extract_lane(inThrees, 2);
  let inThird: u32 =
    i32x4.extract_lane(inOnes, 2) |
    i32x4.extract_lane(inTwos, 1) |
    i32x4.extract_lane(inThrees, 0) |
    i32x4.extract_lane(inThrees, 3);
  for (; p < end; p += recordBytes) {
    inFirst |= load<u32>(p) ^ first;
    inSecond |= load<u32>(p, 4) ^ second;
    inThird |= load<u32>(p, 8) ^ third;
  }
  return (
    keepWidth(scratch, first, inFirst) +
    keepWidth(scratch + 4, second, inSecond) +
    keepWidth(scratch + 8, third, inThird)
  );
}

function keepWidth(scratch: usize, word: u32, differing: u32): u32 {
  const low: u32 = differing === 0 ? 0 : <u32>ctz(differing);
  const width: u32 = differing === 0 ? 0 : 32 - <u32>clz(differing) - low;
  const window = (<u32>(((<u64>1) << width) - 1)) << low;
  store<u32>(scratch, low, lowOf);
  store<u32>(scratch, width, widthOf);
  store<u32>(scratch, word & ~window, wordOf);
  return width;
}

/** As many bits as a word counts. */
function maskOf(scratch: usize): u32 {
  return <u32>(((<u64>1) << (<u64>load<u32>(scratch, widthOf))) - 1);
}

/** Packs records into keys of at most 64 bits and sorts these; returns where they lie, `records` or `other`. */
function sortAsKeys(records: usize, other: usize, scratch: usize, count: u32): usize {
  const firstLow = load<u32>(scratch, lowOf);
  const secondLow = load<u32>(scratch, lowOf + 4);
  const thirdLow = load<u32>(scratch, lowOf + 8);
  const thirdWidth = load<u32>(scratch, widthOf + 8);
  const twoWidth = load<u32>(scratch, widthOf + 4) + thirdWidth;
  const firstWord = load<u32>(scratch, wordOf);
  const secondWord = load<u32>(scratch, wordOf + 4);
  const thirdWord = load<u32>(scratch, wordOf + 8);
  let to = other;
  const end = records + <usize>count * recordBytes;
  for (let p = records; p < end; p += recordBytes, to += 8) {
    const first = <u64>((load<u32>(p) ^ firstWord) >> firstLow);
    const second = <u64>((load<u32>(p, 4) ^ secondWord) >> secondLow);
    const third = <u64>((load<u32>(p, 8) ^ thirdWord) >> thirdLow);
    // By 64 bits only where there is nothing to be moved.
    store<u64>(to, (first << twoWidth) | (second << thirdWidth) | third);
  }
  return sortKeys(other, records, scratch, count, twoWidth + load<u32>(scratch, widthOf));
}

/**
 * Sorts keys of so many bits; returns where they lie, `from` or `to`. By all bits where three digits hold them and keys are many;
 * else by the highest, some more than it takes to number the keys, and each run of keys that are equal in these by the rest:
 * mostly it is short.
 */
function sortKeys(from: usize, to: usize, counters: usize, count: u32, width: u32): usize {
  if (count <= fewKeys) {
    insertKeys(from, count);
    return from;
  }
  const whole = width <= keyDigits * keyDigitBits && count >= manyKeys;
  const high: u32 = min(2 * keyDigitBits, 38 - <u32>clz(count));
  const low: u32 = whole || width <= high ? 0 : width - high;
  const sorted = sortDigits(from, to, counters, count, low, width - low);
  if (low === 0) return sorted;
  const free = sorted === from ? to : from;
  const end = sorted + ((<usize>count) << 3);
  for (let run = sorted; run < end; ) {
    const same = load<u64>(run) >> <u64>low;
    let next = run + 8;
    while (next < end && load<u64>(next) >> <u64>low === same) next += 8;
    const length = <u32>((next - run) >> 3);
    const at = length > 1 ? sortKeys(run, free, counters, length, low) : run;
    if (at !== run) memory.copy(run, at, next - run);
    run = next;
  }
  return sorted;
}

/** The same by `width` bits from `low` up, in at most three digits of equal width. */
function sortDigits(from: usize, to: usize, counters: usize, count: u32, low: u32, width: u32): usize {
  if (width === 0) return from;
  const passes: u32 = width > 2 * keyDigitBits ? 3 : width > 8 ? 2 : 1;
  const bits: u32 = (width + passes - 1) / passes;
  const mask: u32 = ((<u32>1) << bits) - 1;
  const stride = (<usize>mask + 1) << 2;
  const bytes = (<usize>count) << 3;
  memory.fill(counters, 0, stride * passes);
  for (let p = from; p < from + bytes; p += 8) {
    let key = load<u64>(p) >> <u64>low;
    let at = counters + ((<usize>(<u32>key & mask)) << 2);
    store<u32>(at, load<u32>(at) + 8);
    if (passes === 1) continue;
    key >>= <u64>bits;
    at = counters + stride + ((<usize>(<u32>key & mask)) << 2);
    store<u32>(at, load<u32>(at) + 8);
    if (passes === 2) continue;
    key >>= <u64>bits;
    at = counters + 2 * stride + ((<usize>(<u32>key & mask)) << 2);
    store<u32>(at, load<u32>(at) + 8);
  }
  for (let pass: u32 = 0; pass < passes; pass++) {
    sumAddresses(counters, mask, <u32>to);
    const shift = <u64>(low + pass * bits);
    const end = from + bytes;
    for (let p = from; p < end; p += 8) {
      const key = load<u64>(p);
      const at = counters + ((<usize>(<u32>(key >> shift) & mask)) << 2);
      const target = load<usize>(at);
      store<usize>(at, target + 8);
      store<u64>(target, key);
    }
    counters += stride;
    const swap = from;
    from = to;
    to = swap;
  }
  return from;
}

/** From the bytes of each digit to where they begin. */
function sumAddresses(counters: usize, mask: u32, first: u32): void {
  let sum = first;
  for (let at = counters; at <= counters + ((<usize>mask) << 2); at += 4) {
    const here = load<u32>(at);
    store<u32>(at, sum);
    sum += here;
  }
}

function insertKeys(keys: usize, count: u32): void {
  const end = keys + ((<usize>count) << 3);
  for (let p = keys + 8; p < end; p += 8) {
    const key = load<u64>(p);
    let at = p;
    for (; at > keys && load<u64>(at - 8) > key; at -= 8) store<u64>(at, load<u64>(at - 8));
    store<u64>(at, key);
  }
}

/** Sorts records that differ in too many bits for a key, in place: by the third word, the second, the first. */
function sortByWords(records: usize, other: usize, counters: usize, count: u32): void {
  const bytes = <usize>count * recordBytes;
  let from = records;
  let to = other;
  for (let word: usize = 12; word > 0; word -= 4) {
    const low = load<u32>(counters + word - 4, lowOf);
    const width = load<u32>(counters + word - 4, widthOf);
    for (let shift = low; shift < low + width; shift += digitBits) {
      memory.fill(counters, 0, counterBytes);
      const end = from + bytes;
      for (let p = from; p < end; p += recordBytes) {
        const at = counters + ((<usize>((load<u32>(p + word - 4) >> shift) & (digits - 1))) << 2);
        store<u32>(at, load<u32>(at) + <u32>recordBytes);
      }
      sumAddresses(counters, digits - 1, <u32>to);
      for (let p = from; p < end; p += recordBytes) {
        const at = counters + ((<usize>((load<u32>(p + word - 4) >> shift) & (digits - 1))) << 2);
        const target = load<usize>(at);
        store<usize>(at, target + recordBytes);
        store<u64>(target, load<u64>(p));
        store<u32>(target, load<u32>(p, 8), 8);
      }
      const swap = from;
      from = to;
      to = swap;
    }
  }
  if (from !== records) memory.copy(records, from, bytes);
}
