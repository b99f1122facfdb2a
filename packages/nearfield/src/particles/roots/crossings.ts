// Where a function of time changes its sign, in order: what the root finders of this folder fill in. A touch (an even root) is no
// crossing, and a start on the surface is none: `first` is then the sign right after it.

export class Crossings {
  /** Ascending, each above 0. Signs alternate: before the first it is `first`. */
  readonly times = new Float64Array(8);
  count = 0;
  /** The sign of the function right behind the start; 0 where it is 0 all along. */
  first = 0;

  clear(first: number): void {
    this.first = first;
    this.count = 0;
  }

  add(time: number): void {
    this.times[this.count++] = time;
  }
}
