// Work on a large assembly keeps its thread busy for seconds. So it is written as steps: between two of them a caller that
// waits lets other things happen, such as a Ctrl-C (pauses.ts), and a caller in a hurry goes on at once.

/** Work in steps, none of which takes longer than about a tenth of a second. Returns its result. */
export type Steps<T> = Generator<undefined, T, undefined>;

/** Does all steps at once. */
export function finish<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** How many items of a list are done in one step, where an item takes some microseconds. */
export const itemsPerStep = 1024;

/** The items of a list and their indices, with a step after every thousand or so, or fewer if an item takes longer. */
export function* each<T>(
  items: readonly T[],
  visit: (item: T, index: number) => void,
  perStep = itemsPerStep,
): Steps<void> {
  for (let i = 0; i < items.length; i++) {
    visit(items[i], i);
    if ((i + 1) % perStep === 0) yield;
  }
}

/** What `map` returns for each item of a list. */
export function* mapped<T, U>(
  items: readonly T[],
  map: (item: T, index: number) => U,
  perStep = itemsPerStep,
): Steps<U[]> {
  const results: U[] = [];
  yield* each(items, (item, i) => results.push(map(item, i)), perStep);
  return results;
}

/** Steps in a text that is written in pieces: each is an empty piece. */
export function* unwritten<T>(steps: Steps<T>): Generator<string, T> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield '';
  }
}

/** The items of a list in order. Equal items keep theirs. Sorts runs, then merges them. */
export function* sorted<T>(items: readonly T[], compare: (p: T, q: T) => number): Steps<T[]> {
  let from: T[] = [];
  for (let start = 0; start < items.length; start += itemsPerStep) {
    for (const item of items.slice(start, start + itemsPerStep).sort(compare)) from.push(item);
    yield;
  }
  for (let run = itemsPerStep; run < items.length; run *= 2) {
    const to: T[] = [];
    for (let start = 0; start < items.length; start += 2 * run) {
      const middle = Math.min(start + run, items.length);
      const end = Math.min(start + 2 * run, items.length);
      for (let i = start, j = middle; i < middle || j < end; ) {
        const isFirst = j === end || (i < middle && compare(from[i], from[j]) <= 0);
        to.push(from[isFirst ? i++ : j++]);
        if (to.length % itemsPerStep === 0) yield;
      }
    }
    from = to;
  }
  return from;
}
