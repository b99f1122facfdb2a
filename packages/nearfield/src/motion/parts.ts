// The progress of work that is done in several parts, one after the other.

/** The nth of several parts of the work, with the fraction of the whole. */
export function* partOf<T>(work: Generator<number, T>, n: number, count: number): Generator<number, T> {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    yield (n + step.value) / count;
  }
}
