// Checks in hot loops. `expect` costs about 7 µs per call, so a loop that makes very many comparisons compares by itself,
// collects what failed, and ends with one `expect`.

/** What failed in a loop. End with `expect(failures.list).toEqual([])`. */
export class Failures {
  /** The first ten: more would hide them. */
  readonly list: string[] = [];

  /** `what` names the seed, the case and the values; it is called only if the check fails. */
  check(holds: boolean, what: () => string): void {
    if (!holds && this.list.length < 10) this.list.push(what());
  }
}
