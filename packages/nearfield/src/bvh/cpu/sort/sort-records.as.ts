// Sorts records of three words, for answers: by all three words, or grouped by the first. They are packed into keys
// of at most 64 bits, and these are sorted (sort-keys.as.ts).

import {
  countKey,
  fourKeys,
  insertKey,
  keyBytes,
  maskOf,
  passesOf,
  recordScratchBytes,
  sortKeys,
  sumAddresses,
} from './sort-keys.as';

/** Records of three words. */
const recordBytes: usize = 12;
const fourRecords: usize = 4 * recordBytes;
/** Up to this many records are sorted by insertion. */
const fewRecords: u32 = 64;
/** Digits of words, for records that differ in too many bits for a key. Three digits make a word. */
const wordDigitBits: u32 = 11;
const wordMask: u32 = (1 << wordDigitBits) - 1;

// For the records being sorted: the minimum of each word, and the number of bits of the differences to it.
let leastFirst: u32 = 0;
let leastSecond: u32 = 0;
let leastThird: u32 = 0;
let firstWidth: u32 = 0;
let secondWidth: u32 = 0;
let thirdWidth: u32 = 0;

/**
 * Sorts `count` records by first, then second, then third word, in place. `other` is a second list of the same size.
 */
export function sortRecords(records: usize, other: usize, scratch: usize, count: u32): void {
  if (count < 2) return;
  if (findRanges(records, count) > 64) {
    sortByWords(records, other, scratch, count);
    return;
  }
  const keys = sortAsKeys(records, other, scratch, count);
  const first = leastFirst;
  const firstShift = <u64>(secondWidth + thirdWidth);
  const firstMask = <u32>maskOf(firstWidth);
  const width = thirdWidth;
  const secondMask = i64x2.splat(maskOf(secondWidth));
  const thirdMask = i64x2.splat(maskOf(thirdWidth));
  const least = leastPairs();
  // Backwards, since the keys lie where the records go and are shorter.
  for (let i = <usize>count; i > 0; i--) {
    const key = v128.load_zero<u64>(keys + (i - 1) * keyBytes);
    const to = records + (i - 1) * recordBytes;
    store<u32>(to, first + (<u32>(<u64>i64x2.extract_lane(key, 0) >> firstShift) & firstMask));
    v128.store_lane<u64>(to, pairsOf(key, width, secondMask, thirdMask, least), 0, 4);
  }
}

/**
 * Sorts records and groups them. Returns the address of their second and third words, which is `records` or `other`.
 * Writes to `start`, for each of `groups` values of the first word from `firstGroup` on and one more, how many records have
 * a lower one.
 */
export function groupRecords(
  records: usize,
  other: usize,
  scratch: usize,
  count: u32,
  firstGroup: u32,
  groups: u32,
  start: usize,
): usize {
  // Where group 0 would start; the sums of addresses wrap around.
  start -= (<usize>firstGroup) << 2;
  let group = firstGroup;
  let pairs = records;
  if (findRanges(records, count) > 64) {
    sortByWords(records, other, scratch, count);
    for (let i: u32 = 0; i < count; i++) {
      const at = records + <usize>i * recordBytes;
      group = startGroups(start, group, load<u32>(at), i);
      store<u64>(records + <usize>i * keyBytes, load<u64>(at, 4));
    }
  } else {
    pairs = sortAsKeys(records, other, scratch, count);
    group = startKeys(pairs, count, firstGroup, start);
    unpackPairs(pairs, count);
  }
  startGroups(start, group, firstGroup + groups, count);
  return pairs;
}

/**
 * Sorts `count` pairs of words by the first, then the second, in place. `scratch` has room for `recordScratchBytes`
 * and for as many pairs; it is not used for a few.
 */
export function sortPairsOfWords(pairs: usize, scratch: usize, count: u32): void {
  const end = pairs + <usize>count * keyBytes;
  if (count <= fewRecords) {
    // The first word becomes the upper half of a number. All pairs before p are sorted, and their words are exchanged
    // already.
    for (let p = pairs; p < end; p += keyBytes) insertKey(pairs, p, rotl<u64>(load<u64>(p), 32));
    for (let p = pairs; p < end; p += keyBytes) store<u64>(p, rotl<u64>(load<u64>(p), 32));
    return;
  }
  let lowSecond: u32 = 0xffffffff;
  let lowThird: u32 = 0xffffffff;
  let highSecond: u32 = 0;
  let highThird: u32 = 0;
  for (let p = pairs; p < end; p += keyBytes) {
    const second = load<u32>(p);
    const third = load<u32>(p, 4);
    lowSecond = min(lowSecond, second);
    highSecond = max(highSecond, second);
    lowThird = min(lowThird, third);
    highThird = max(highThird, third);
  }
  firstWidth = 0;
  leastFirst = 0;
  leastSecond = lowSecond;
  leastThird = lowThird;
  secondWidth = 32 - <u32>clz(highSecond - lowSecond);
  thirdWidth = 32 - <u32>clz(highThird - lowThird);
  const width = secondWidth + thirdWidth;
  // Equal pairs are sorted.
  if (width === 0) return;
  const keys = scratch + recordScratchBytes;
  const passes = passesOf(count, width);
  const bits = (width + passes - 1) / passes;
  const mask = <u32>maskOf(bits);
  const unit = <u64>thirdWidth;
  memory.fill(scratch, 0, (<usize>4) << bits);
  for (let p = pairs, to = keys; p < end; p += keyBytes, to += keyBytes) {
    const key = ((<u64>(load<u32>(p) - lowSecond)) << unit) | <u64>(load<u32>(p, 4) - lowThird);
    store<u64>(to, key);
    countKey(key, scratch, mask);
  }
  const sorted = sortKeys(keys, pairs, scratch, count, width, passes);
  unpackPairs(sorted, count);
  if (sorted !== pairs) memory.copy(pairs, sorted, <usize>count * keyBytes);
}

/** Writes the starts of the groups of sorted keys, from `group` on. Returns the group after the last. */
function startKeys(keys: usize, count: u32, group: u32, start: usize): u32 {
  if (firstWidth === 0) return count === 0 ? group : startGroups(start, group, leastFirst, 0);
  const first = leastFirst;
  const shift = <u64>(secondWidth + thirdWidth);
  for (let i: u32 = 0; i < count; i++) {
    const own = first + <u32>(load<u64>(keys + <usize>i * keyBytes) >> shift);
    if (own >= group) group = startGroups(start, group, own, i);
  }
  return group;
}

/** The groups `from` to `last` start at `record`. */
function startGroups(start: usize, from: u32, last: u32, record: u32): u32 {
  for (; from <= last; from++) store<u32>(start + ((<usize>from) << 2), record);
  return from;
}

/** Replaces keys by second and third words. */
function unpackPairs(keys: usize, count: u32): void {
  const width = thirdWidth;
  const secondMask = i64x2.splat(maskOf(secondWidth));
  const thirdMask = i64x2.splat(maskOf(thirdWidth));
  const least = leastPairs();
  const end = keys + <usize>count * keyBytes;
  let p = keys;
  for (; p + fourKeys <= end; p += fourKeys) {
    v128.store(p, pairsOf(v128.load(p), width, secondMask, thirdMask, least));
    v128.store(p, pairsOf(v128.load(p, 16), width, secondMask, thirdMask, least), 16);
  }
  for (; p < end; p += keyBytes) {
    v128.store_lane<u64>(p, pairsOf(v128.load_zero<u64>(p), width, secondMask, thirdMask, least), 0);
  }
}

/** Second and third words of two keys. Neither sum exceeds 32 bits, since it is a word of a record. */
function pairsOf(keys: v128, width: i32, secondMask: v128, thirdMask: v128, least: v128): v128 {
  const second = v128.and(i64x2.shr_u(keys, width), secondMask);
  const third = i64x2.shl(v128.and(keys, thirdMask), 32);
  return i64x2.add(v128.or(second, third), least);
}

function leastPairs(): v128 {
  return i64x2.splat(((<u64>leastThird) << 32) | <u64>leastSecond);
}

/** Finds the minimum of each word and the widths. Returns the sum of the widths. */
function findRanges(records: usize, count: u32): u32 {
  const end = records + <usize>count * recordBytes;
  // Four records are three vectors; the three words alternate in the lanes.
  let low0 = i32x4.splat(-1);
  let low1 = low0;
  let low2 = low0;
  let high0 = i32x4.splat(0);
  let high1 = high0;
  let high2 = high0;
  let p = records;
  for (; p + fourRecords <= end; p += fourRecords) {
    const words0 = v128.load(p);
    const words1 = v128.load(p, 16);
    const words2 = v128.load(p, 32);
    low0 = i32x4.min_u(low0, words0);
    high0 = i32x4.max_u(high0, words0);
    low1 = i32x4.min_u(low1, words1);
    high1 = i32x4.max_u(high1, words1);
    low2 = i32x4.min_u(low2, words2);
    high2 = i32x4.max_u(high2, words2);
  }
  let low = i32x4.min_u(
    i32x4.min_u(low0, secondOf(low0, low1)),
    i32x4.min_u(thirdOf(low1, low2), fourthOf(low2)),
  );
  let high = i32x4.max_u(
    i32x4.max_u(high0, secondOf(high0, high1)),
    i32x4.max_u(thirdOf(high1, high2), fourthOf(high2)),
  );
  for (; p < end; p += recordBytes) {
    const record = i32x4(load<u32>(p), load<u32>(p, 4), load<u32>(p, 8), 0);
    low = i32x4.min_u(low, record);
    high = i32x4.max_u(high, record);
  }
  leastFirst = i32x4.extract_lane(low, 0);
  leastSecond = i32x4.extract_lane(low, 1);
  leastThird = i32x4.extract_lane(low, 2);
  const ranges = i32x4.sub(high, low);
  firstWidth = 32 - <u32>clz(i32x4.extract_lane(ranges, 0));
  secondWidth = 32 - <u32>clz(i32x4.extract_lane(ranges, 1));
  thirdWidth = 32 - <u32>clz(i32x4.extract_lane(ranges, 2));
  return firstWidth + secondWidth + thirdWidth;
}

// The second, third or fourth of four records in three vectors, with its words in the first three lanes.

function secondOf(words0: v128, words1: v128): v128 {
  return v128.shuffle<i32>(words0, words1, 3, 4, 5, 0);
}

function thirdOf(words1: v128, words2: v128): v128 {
  return v128.shuffle<i32>(words1, words2, 2, 3, 4, 0);
}

function fourthOf(words2: v128): v128 {
  return v128.shuffle<i32>(words2, words2, 1, 2, 3, 0);
}

/** Packs records into keys of at most 64 bits and sorts these. Returns their address, `records` or `other`. */
function sortAsKeys(records: usize, other: usize, scratch: usize, count: u32): usize {
  // A first word of width 0 contributes nothing.
  const secondUnit = (<u64>1) << (<u64>thirdWidth);
  const firstUnit: u64 = firstWidth === 0 ? 0 : secondUnit << (<u64>secondWidth);
  const base = <u64>leastFirst * firstUnit + <u64>leastSecond * secondUnit + <u64>leastThird;
  const width = firstWidth + secondWidth + thirdWidth;
  const end = records + <usize>count * recordBytes;
  let p = records;
  let to = other;
  if (count <= fewRecords || width === 0) {
    for (; p < end; p += recordBytes, to += keyBytes) {
      insertKey(other, to, firstPart(p, firstUnit) + laterPart(p, secondUnit, base));
    }
    return other;
  }
  const passes = passesOf(count, width);
  const bits = (width + passes - 1) / passes;
  const mask = <u32>maskOf(bits);
  memory.fill(scratch, 0, (<usize>4) << bits);
  for (; p + fourRecords <= end; p += fourRecords, to += fourKeys) {
    let key0 = laterPart(p, secondUnit, base);
    let key1 = laterPart(p + recordBytes, secondUnit, base);
    let key2 = laterPart(p + 2 * recordBytes, secondUnit, base);
    let key3 = laterPart(p + 3 * recordBytes, secondUnit, base);
    if (firstUnit !== 0) {
      key0 += firstPart(p, firstUnit);
      key1 += firstPart(p + recordBytes, firstUnit);
      key2 += firstPart(p + 2 * recordBytes, firstUnit);
      key3 += firstPart(p + 3 * recordBytes, firstUnit);
    }
    store<u64>(to, key0);
    store<u64>(to, key1, keyBytes);
    store<u64>(to, key2, 2 * keyBytes);
    store<u64>(to, key3, 3 * keyBytes);
    countKey(key0, scratch, mask);
    countKey(key1, scratch, mask);
    countKey(key2, scratch, mask);
    countKey(key3, scratch, mask);
  }
  for (; p < end; p += recordBytes, to += keyBytes) {
    const key = firstPart(p, firstUnit) + laterPart(p, secondUnit, base);
    store<u64>(to, key);
    countKey(key, scratch, mask);
  }
  return sortKeys(other, records, scratch, count, width, passes);
}

// A key has the differences of a record's words to their minima, each in as many bits as its width. All minima are
// subtracted at once: what a third word carries into the second's bits before that is removed with its minimum.

function firstPart(record: usize, unit: u64): u64 {
  return <u64>load<u32>(record) * unit;
}

function laterPart(record: usize, secondUnit: u64, base: u64): u64 {
  return <u64>load<u32>(record, 4) * secondUnit + (<u64>load<u32>(record, 8) - base);
}

/**
 * Sorts records that differ in too many bits for a key, in place: by the third word, then the second, then the first.
 */
function sortByWords(records: usize, other: usize, counters: usize, count: u32): void {
  const bytes = <usize>count * recordBytes;
  let from = records;
  let to = other;
  for (let word: usize = 12; word > 0; word -= 4) {
    for (let shift: u32 = 0; shift < 32; shift += wordDigitBits) {
      memory.fill(counters, 0, (<usize>4) << wordDigitBits);
      const end = from + bytes;
      for (let p = from; p < end; p += recordBytes) {
        const at = counters + ((<usize>((load<u32>(p + word - 4) >> shift) & wordMask)) << 2);
        store<u32>(at, load<u32>(at) + <u32>recordBytes);
      }
      sumAddresses(counters, wordMask, <u32>to);
      for (let p = from; p < end; p += recordBytes) {
        const at = counters + ((<usize>((load<u32>(p + word - 4) >> shift) & wordMask)) << 2);
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
  // After nine passes they are in the other list.
  memory.copy(records, from, bytes);
}
