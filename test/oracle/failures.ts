// Checks in hot loops. `expect` costs about 7 µs per call, so a loop with very many comparisons compares by itself,
// collects its failures, and ends with one `expect`.

/** The failures of a loop. End with `expect(failures.list).toEqual([])`. */
export class Failures {
  /** Only the first ten, to keep the output readable. */
  readonly list: string[] = [];

  /** `what` names the seed, the case and the values; it is called only if the check fails. */
  check(holds: boolean, what: () => string): void {
    if (!holds && this.list.length < 10) this.list.push(what());
  }
}
