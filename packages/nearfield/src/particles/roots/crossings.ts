// Where a function of time changes its sign, in order: the output of the root finders of this folder. A touch (an even
// root) is not a crossing, and neither is a start on the surface: `first` is then the sign right after it.

export class Crossings {
  /** Ascending, each above 0. Signs alternate; before the first crossing the sign is `first`. */
  readonly times = new Float64Array(8);
  count = 0;
  /** The sign of the function right after the start; 0 if it is 0 all along. */
  first = 0;

  clear(first: number): void {
    this.first = first;
    this.count = 0;
  }

  add(time: number): void {
    this.times[this.count++] = time;
  }
}
