/** Seeded whole numbers from 0 to less than `below` (mulberry32). */
export function randomBelow(seed: number): (below: number) => number {
  let state = seed;
  return below => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
