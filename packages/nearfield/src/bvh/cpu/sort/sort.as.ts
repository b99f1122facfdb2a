// A radix sort of entries of two words (value, key), for the order of triangles and bodies. It goes from the least
// significant digit, so it is stable.

const digitBits: u32 = 11;
const digits: u32 = 1 << digitBits;
/** Bytes of counters that a sort needs. */
export const counterBytes: usize = <usize>digits * 4;

/**
 * Sorts `count` entries of two words at `from` by the low `keyBits` bits of the word at byte `key` of an entry. Returns
 * the address of the sorted entries: `from` or `other`, whichever the last pass wrote.
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

/** Sorts pairs of words below 2^bits by the first, then the second. Returns their address, `from` or `other`. */
export function sortPairs(from: usize, other: usize, counters: usize, count: u32, bits: u32): usize {
  const bySecond = sortEntries(from, other, counters, count, 4, bits);
  return sortEntries(bySecond, bySecond === from ? other : from, counters, count, 0, bits);
}
