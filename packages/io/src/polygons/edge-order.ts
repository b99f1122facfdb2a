// Which edges does a sweep line cross, and in which order? A splay tree (Sleator and Tarjan 1985, "Self-adjusting
// binary search trees"): m operations on up to n edges take O(m log n) steps in any order, without randomness. The
// edges are also linked to the next below and above.

/** No edge. */
export const none = -1;

/** Edges have numbers. Each occupies a slot, which stays in place when the next edge of the border replaces it. */
export class EdgeOrder {
  private readonly left: Int32Array;
  private readonly right: Int32Array;
  private readonly parent: Int32Array;
  private readonly belowSlot: Int32Array;
  private readonly aboveSlot: Int32Array;
  private readonly edgeOf: Int32Array;
  private readonly slotOf: Int32Array;
  private root = none;
  private used = 0;

  constructor(edgeCount: number) {
    const list = () => new Int32Array(edgeCount).fill(none);
    this.left = list();
    this.right = list();
    this.parent = list();
    this.belowSlot = list();
    this.aboveSlot = list();
    this.edgeOf = list();
    this.slotOf = list();
  }

  /** The next edge below an edge, or `none`. */
  below(edge: number): number {
    return this.edgeAt(this.belowSlot[this.slotOf[edge]]);
  }

  above(edge: number): number {
    return this.edgeAt(this.aboveSlot[this.slotOf[edge]]);
  }

  private edgeAt(slot: number): number {
    return slot === none ? none : this.edgeOf[slot];
  }

  /**
   * The highest edge below a point; `none` if there is none; undefined if the point is on an edge. `side` gives the
   * side of the point: 1 above an edge, -1 below it, 0 on it.
   */
  highestBelow(side: (edge: number) => number): number | undefined {
    let below = none;
    let last = none;
    for (let slot = this.root; slot !== none; ) {
      last = slot;
      const where = side(this.edgeOf[slot]);
      if (where === 0) return undefined;
      if (where > 0) below = slot;
      slot = where > 0 ? this.right[slot] : this.left[slot];
    }
    // Splay the searched slot to the root: this keeps searches fast on average.
    if (last !== none) this.splay(last, none);
    return this.edgeAt(below);
  }

  /** Inserts an edge above another, or below all. */
  insertAbove(edge: number, below: number): void {
    const { left, right, parent, belowSlot, aboveSlot } = this;
    const slot = this.used++;
    this.edgeOf[slot] = edge;
    this.slotOf[edge] = slot;
    const lower = below === none ? none : this.slotOf[below];
    let upper: number;
    if (lower === none) {
      upper = this.root;
      while (upper !== none && left[upper] !== none) upper = left[upper];
      if (upper !== none) this.splay(upper, none);
      this.setChild(right, slot, this.root);
    } else {
      this.splay(lower, none);
      upper = aboveSlot[lower];
      this.setChild(right, slot, right[lower]);
      right[lower] = none;
      this.setChild(left, slot, lower);
      aboveSlot[lower] = slot;
    }
    belowSlot[slot] = lower;
    aboveSlot[slot] = upper;
    if (upper !== none) belowSlot[upper] = slot;
    parent[slot] = none;
    this.root = slot;
  }

  /** Replaces an edge by another. */
  replace(edge: number, by: number): void {
    const slot = this.slotOf[edge];
    this.edgeOf[slot] = by;
    this.slotOf[by] = slot;
  }

  remove(edge: number): void {
    const { left, right, parent, belowSlot, aboveSlot } = this;
    const slot = this.slotOf[edge];
    const [lower, upper] = [belowSlot[slot], aboveSlot[slot]];
    if (lower !== none) aboveSlot[lower] = upper;
    if (upper !== none) belowSlot[upper] = lower;
    this.splay(slot, none);
    if (lower === none) {
      this.root = right[slot];
    } else {
      // The highest slot of the left half has nothing above it in that half.
      this.splay(lower, slot);
      this.setChild(right, lower, right[slot]);
      this.root = lower;
    }
    if (this.root !== none) parent[this.root] = none;
    left[slot] = none;
    right[slot] = none;
  }

  private setChild(side: Int32Array, slot: number, child: number): void {
    side[slot] = child;
    if (child !== none) this.parent[child] = slot;
  }

  /** Rotates a slot up until its parent is `top`, two levels at a time. */
  private splay(slot: number, top: number): void {
    const { parent, left } = this;
    while (parent[slot] !== top) {
      const up = parent[slot];
      const grand = parent[up];
      if (grand !== top) this.rotate((left[grand] === up) === (left[up] === slot) ? up : slot);
      this.rotate(slot);
    }
    if (top === none) this.root = slot;
  }

  private rotate(slot: number): void {
    const { parent, left, right } = this;
    const up = parent[slot];
    const grand = parent[up];
    const [near, far] = left[up] === slot ? [left, right] : [right, left];
    this.setChild(near, up, far[slot]);
    this.setChild(far, slot, up);
    parent[slot] = grand;
    if (grand !== none) (left[grand] === up ? left : right)[grand] = slot;
  }
}
