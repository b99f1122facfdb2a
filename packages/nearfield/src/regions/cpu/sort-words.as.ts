// Sorts words in ascending order: few by Shell's method (1959), many by a radix sort from the least
// significant digit.

/** From this many words on, passes over counters cost less. */
const many: u32 = 48;
/** From this many on, fewer passes over more counters do. */
const veryMany: u32 = 4096;
const fewBits: u32 = 8;
const moreBits: u32 = 11;
export const wordCounterBytes: usize = 4 << moreBits;

/** Sorts `count` words at `list`. `other` has room for as many, `counters` for the counters. */
export function sortWords(list: usize, other: usize, counters: usize, count: u32): void {
  if (count >= many) {
    sortByDigits(list, other, counters, count);
    return;
  }
  if (count > 10) sortAtGap(list, count, 10);
  if (count > 4) sortAtGap(list, count, 4);
  sortAtGap(list, count, 1);
}

/** Sorts the words that lie `gap` apart by insertion. */
function sortAtGap(list: usize, count: u32, gap: u32): void {
  const step = (<usize>gap) << 2;
  const end = list + ((<usize>count) << 2);
  for (let from = list + step; from < end; from += 4) {
    const word = load<u32>(from);
    let to = from;
    while (to >= list + step && load<u32>(to - step) > word) {
      store<u32>(to, load<u32>(to - step));
      to -= step;
    }
    store<u32>(to, word);
  }
}

function sortByDigits(list: usize, other: usize, counters: usize, count: u32): void {
  const bytes = (<usize>count) << 2;
  const bits = count >= veryMany ? moreBits : fewBits;
  const mask: u32 = (1 << bits) - 1;
  const counterEnd = counters + ((<usize>4) << bits);
  let used: u32 = 0;
  for (let at = list; at < list + bytes; at += 4) used |= load<u32>(at);
  let from = list;
  let to = other;
  for (let shift: u32 = 0; shift < 32 && used >> shift !== 0; shift += bits) {
    memory.fill(counters, 0, counterEnd - counters);
    for (let at = from; at < from + bytes; at += 4) {
      const counter = counters + ((<usize>((load<u32>(at) >> shift) & mask)) << 2);
      store<u32>(counter, load<u32>(counter) + 1);
    }
    let sum: u32 = 0;
    for (let counter = counters; counter < counterEnd; counter += 4) {
      const here = load<u32>(counter);
      store<u32>(counter, sum);
      sum += here;
    }
    for (let at = from; at < from + bytes; at += 4) {
      const word = load<u32>(at);
      const counter = counters + ((<usize>((word >> shift) & mask)) << 2);
      const place = load<u32>(counter);
      store<u32>(counter, place + 1);
      store<u32>(to + ((<usize>place) << 2), word);
    }
    const swap = from;
    from = to;
    to = swap;
  }
  if (from !== list) memory.copy(list, from, bytes);
}
