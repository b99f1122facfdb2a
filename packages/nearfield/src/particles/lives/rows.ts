// A growing array of rows of impacts (seam.ts).

import { impactNumbers } from '../seam.ts';

export class Rows {
  values = new Float64Array(64 * impactNumbers);
  count = 0;

  /** Makes room for at least `more` rows. */
  reserve(more: number): void {
    const length = (this.count + more) * impactNumbers;
    if (length <= this.values.length) return;
    const values = new Float64Array(length);
    values.set(this.values.subarray(0, this.count * impactNumbers));
    this.values = values;
  }

  /** Makes room for one more row. Returns where it begins. */
  next(): number {
    const at = this.count * impactNumbers;
    if (at === this.values.length) {
      const more = new Float64Array(2 * this.values.length);
      more.set(this.values);
      this.values = more;
    }
    return at;
  }
}
