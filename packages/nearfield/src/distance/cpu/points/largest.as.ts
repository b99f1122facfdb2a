// The largest magnitude of many doubles, which says whether their squares fit.

/** The largest magnitude of `count` finite doubles. */
export function largestOf(numbers: usize, count: u32): f64 {
  let first = f64x2.splat(0);
  let second = f64x2.splat(0);
  const end = numbers + ((<usize>count) << 3);
  const pairsEnd = numbers + ((<usize>(count & ~3)) << 3);
  let at = numbers;
  for (; at < pairsEnd; at += 32) {
    first = f64x2.pmax(first, f64x2.abs(v128.load(at)));
    second = f64x2.pmax(second, f64x2.abs(v128.load(at, 16)));
  }
  const both = f64x2.pmax(first, second);
  let largest = max(f64x2.extract_lane(both, 0), f64x2.extract_lane(both, 1));
  for (; at < end; at += 8) largest = max(largest, abs(load<f64>(at)));
  return largest;
}
