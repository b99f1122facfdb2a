// Which way does a vector of any length point?

/**
 * The vector with length 1. Undefined if it has the length 0 or is not finite. Vectors along an axis and those that
 * have length 1 to the last digit stay exact.
 */
export function directionOf(v: readonly number[]): number[] | undefined {
  const largest = Math.max(...v.map(Math.abs));
  if (!(largest > 0 && largest < Infinity)) return undefined;
  // A power of two, so that nothing overflows or is rounded here.
  const scale = 2 ** -Math.max(Math.min(Math.floor(Math.log2(largest)), 1000), -1000);
  const scaled = v.map(x => x * scale);
  const length = Math.hypot(...scaled);
  return scaled.map(x => x / length);
}
