// Parts of integers, in integers: the same on every backend (motion/stepped/stepped.wgsl).

/**
 * floor(a·share / 2^31), a below 2^31 in magnitude and share from 0 to 2^31: in two halves, so that nothing is rounded.
 */
export function partOf(a: number, share: number): number {
  const high = Math.floor(share / 65536);
  const low = share - high * 65536;
  return Math.floor((a * high + Math.floor((a * low) / 65536)) / 32768);
}

/** The same rounded to the nearest, halves upward: sums of many of them have no bias. */
export function nearestPartOf(a: number, share: number): number {
  const high = Math.floor(share / 65536);
  const low = share - high * 65536;
  return Math.floor((a * high + Math.floor((a * low + 2 ** 30) / 65536)) / 32768);
}
