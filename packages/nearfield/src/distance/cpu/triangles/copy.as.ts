// Copies of a few doubles. Engines call a function of theirs for `memory.copy`, which takes longer than the copy.

/**
 * Copies a multiple of eight bytes, one double at a time: a wider load of doubles that were just stored has to wait
 * for them.
 */
export function copyDoubles(to: usize, from: usize, bytes: usize): void {
  for (let at: usize = 0; at < bytes; at += 8) store<f64>(to + at, load<f64>(from + at));
}
