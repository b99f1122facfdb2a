// Copies of a few doubles. Engines call a function of theirs for `memory.copy`, which takes longer than the copy.

/** Copies a multiple of eight bytes. */
export function copyDoubles(to: usize, from: usize, bytes: usize): void {
  const whole = bytes & ~(<usize>15);
  for (let at: usize = 0; at < whole; at += 16) v128.store(to + at, v128.load(from + at));
  if (whole < bytes) store<f64>(to + whole, load<f64>(from + whole));
}
