// A radix sort of keys of at most 64 bits. Each pass moves the keys by one digit, the least significant first, and
// counts the next digit. Passes do not compare keys, so there are no mispredicted branches, and no order of keys is
// much worse than another. In all experiments the time was proportional to the number of instructions. Loops process
// four at a time because a loop iteration costs about six instructions.

export const keyBytes: usize = 8;
export const fourKeys: usize = 4 * keyBytes;
/** The widest digit of keys. */
const keyDigitBits: u32 = 12;
const keyCounterBytes: usize = (<usize>4) << keyDigitBits;
/** Bytes that a sort needs besides a second list: counters of a digit and of the next. */
export const recordScratchBytes: usize = 2 * keyCounterBytes;

export function maskOf(width: u32): u64 {
  return ((<u64>1) << (<u64>width)) - 1;
}

/** Inserts a key among the sorted ones before `at`. */
export function insertKey(keys: usize, at: usize, key: u64): void {
  for (; at > keys && load<u64>(at - keyBytes) > key; at -= keyBytes)
    store<u64>(at, load<u64>(at - keyBytes));
  store<u64>(at, key);
}

/**
 * The estimated best number of digits, from the length of the loops: per pass, a key takes as long as clearing and
 * summing about six counters, and the pass's fixed cost is that of 64 counters.
 */
export function passesOf(count: u32, width: u32): u32 {
  let passes = (width + keyDigitBits - 1) / keyDigitBits;
  let cost = costOf(count, width, passes);
  while (passes < width) {
    const more = costOf(count, width, passes + 1);
    if (more >= cost) break;
    cost = more;
    passes++;
  }
  return passes;
}

function costOf(count: u32, width: u32, passes: u32): u64 {
  const counters = (<u64>1) << (<u64>((width + passes - 1) / passes));
  return <u64>passes * (6 * <u64>count + counters + 64);
}

/**
 * Sorts keys of `width` bits whose first digit has been counted. Returns their address, `from` or `to`. Keys are
 * rotated as they are moved, so that the next digit is always the lowest. The last pass rotates them back.
 */
export function sortKeys(
  from: usize,
  to: usize,
  counters: usize,
  count: u32,
  width: u32,
  passes: u32,
): usize {
  const bytes = <usize>count * keyBytes;
  const byFours = bytes & ~(fourKeys - 1);
  let nextCounters = counters + keyCounterBytes;
  let left = width;
  let bits = (left + passes - 1) / passes;
  for (; passes > 1; passes--) {
    left -= bits;
    const nextBits = (left + passes - 2) / (passes - 1);
    const mask = <u32>maskOf(bits);
    const nextMask = <u32>maskOf(nextBits);
    const turn = <u64>bits;
    sumAddresses(counters, mask, <u32>to);
    memory.fill(nextCounters, 0, (<usize>4) << nextBits);
    let p = from;
    for (const end = from + byFours; p < end; p += fourKeys) {
      countKey(moveKey(load<u64>(p), turn, counters, mask), nextCounters, nextMask);
      countKey(moveKey(load<u64>(p, keyBytes), turn, counters, mask), nextCounters, nextMask);
      countKey(moveKey(load<u64>(p, 2 * keyBytes), turn, counters, mask), nextCounters, nextMask);
      countKey(moveKey(load<u64>(p, 3 * keyBytes), turn, counters, mask), nextCounters, nextMask);
    }
    for (const end = from + bytes; p < end; p += keyBytes) {
      countKey(moveKey(load<u64>(p), turn, counters, mask), nextCounters, nextMask);
    }
    bits = nextBits;
    const list = from;
    from = to;
    to = list;
    const counted = nextCounters;
    nextCounters = counters;
    counters = counted;
  }
  const mask = <u32>maskOf(bits);
  const turn = <u64>(64 - (width - bits));
  sumAddresses(counters, mask, <u32>to);
  let p = from;
  for (const end = from + byFours; p < end; p += fourKeys) {
    moveKey(load<u64>(p), turn, counters, mask);
    moveKey(load<u64>(p, keyBytes), turn, counters, mask);
    moveKey(load<u64>(p, 2 * keyBytes), turn, counters, mask);
    moveKey(load<u64>(p, 3 * keyBytes), turn, counters, mask);
  }
  for (const end = from + bytes; p < end; p += keyBytes) moveKey(load<u64>(p), turn, counters, mask);
  return to;
}

/** Counts the bytes of keys with the same lowest digit. */
export function countKey(key: u64, counters: usize, mask: u32): void {
  const at = counters + ((<usize>(<u32>key & mask)) << 2);
  store<u32>(at, load<u32>(at) + <u32>keyBytes);
}

/** Moves a key to the place of its lowest digit and rotates it. Returns the rotated key. */
function moveKey(key: u64, turn: u64, counters: usize, mask: u32): u64 {
  const at = counters + ((<usize>(<u32>key & mask)) << 2);
  const target = load<usize>(at);
  store<usize>(at, target + keyBytes);
  const turned = rotr<u64>(key, turn);
  store<u64>(target, turned);
  return turned;
}

/**
 * Converts the bytes per digit to addresses, eight at a time. Bytes after the last counter belong to no digit.
 */
export function sumAddresses(counters: usize, mask: u32, first: u32): void {
  const end = counters + ((<usize>mask + 1) << 2);
  const zero = i32x4.splat(0);
  let before = i32x4.splat(first);
  for (let at = counters; at < end; at += 32) {
    // Prefix sums of each four: add the lane one before, then the lanes two before.
    const bytes0 = v128.load(at);
    const bytes1 = v128.load(at, 16);
    const two0 = i32x4.add(bytes0, v128.shuffle<i32>(zero, bytes0, 3, 4, 5, 6));
    const two1 = i32x4.add(bytes1, v128.shuffle<i32>(zero, bytes1, 3, 4, 5, 6));
    const four0 = i32x4.add(two0, v128.shuffle<i32>(zero, two0, 2, 3, 4, 5));
    const four1 = i32x4.add(two1, v128.shuffle<i32>(zero, two1, 2, 3, 4, 5));
    v128.store(at, i32x4.add(before, i32x4.sub(four0, bytes0)));
    before = i32x4.add(before, v128.shuffle<i32>(four0, four0, 3, 3, 3, 3));
    v128.store(at, i32x4.add(before, i32x4.sub(four1, bytes1)), 16);
    before = i32x4.add(before, v128.shuffle<i32>(four1, four1, 3, 3, 3, 3));
  }
}
