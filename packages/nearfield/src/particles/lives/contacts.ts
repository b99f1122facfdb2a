// Surfaces that a particle touches, up to rounding, where a segment begins, and on which side of each it is. A bounce
// off one surface may be at the same place as another surface, at which the particle has not arrived yet or which it
// has just left: the rounded place may lie on either side of that. So the side is not computed from the place but
// remembered from before.

/** How near, as a share of magnitudes, a surface counts as touched where a segment begins. */
export const contactTolerance = 2 ** -44;

export class ContactList {
  count = 0;
  #rows = new Float64Array(3 * 8);

  clear(): void {
    this.count = 0;
  }

  add(collider: number, triangle: number, side: number): void {
    if (3 * this.count === this.#rows.length) {
      const rows = new Float64Array(2 * this.#rows.length);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    const at = 3 * this.count++;
    this.#rows[at] = collider;
    this.#rows[at + 1] = triangle;
    this.#rows[at + 2] = side;
  }

  /** The side of a surface; 0 if it is not a contact. */
  sideOf(collider: number, triangle: number): number {
    for (let at = 0; at < 3 * this.count; at += 3) {
      if (this.#rows[at] === collider && this.#rows[at + 1] === triangle) return this.#rows[at + 2];
    }
    return 0;
  }

  copyFrom(other: ContactList): void {
    this.count = 0;
    for (let at = 0; at < 3 * other.count; at += 3) {
      this.add(other.#rows[at], other.#rows[at + 1], other.#rows[at + 2]);
    }
  }

  /** Writes three numbers per contact. */
  write(out: Float64Array, at: number): void {
    for (let i = 0; i < 3 * this.count; i++) out[at + i] = this.#rows[i];
  }

  read(rows: Float64Array, at: number, count: number): void {
    this.count = 0;
    for (let i = 0; i < count; i++) this.add(rows[at + 3 * i], rows[at + 3 * i + 1], rows[at + 3 * i + 2]);
  }
}
