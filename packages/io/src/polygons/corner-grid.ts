// Which corners of a polygon are near a point? Corners are sorted into cells once, and removed as they are clipped.

/** Some of the corners, by square cells of their bounding box: about one corner per cell. */
export class CornerGrid {
  private readonly present: Uint8Array;
  private readonly size: number;
  private readonly lowX: number;
  private readonly lowY: number;
  private readonly perX: number;
  private readonly perY: number;
  private readonly starts: Uint32Array;
  private readonly ends: Uint32Array;
  private readonly corners: Uint32Array;
  private readonly outcome = { found: false, tests: 0 };

  constructor(
    private readonly x: Float64Array,
    private readonly y: Float64Array,
    count: number,
    isPresent: (corner: number) => boolean,
  ) {
    this.present = Uint8Array.from({ length: count }, (_, i) => (isPresent(i) ? 1 : 0));
    let [lowX, highX, lowY, highY] = [x[0], x[0], y[0], y[0]];
    for (let i = 1; i < count; i++) {
      lowX = Math.min(lowX, x[i]);
      highX = Math.max(highX, x[i]);
      lowY = Math.min(lowY, y[i]);
      highY = Math.max(highY, y[i]);
    }
    this.size = count < 32 ? 1 : Math.min(1024, Math.ceil(Math.sqrt(count)));
    this.lowX = lowX;
    this.lowY = lowY;
    // Cells only sort the corners: any rounding will do, as long as a corner's cell is monotone in its position.
    const per = (extent: number) => (extent > 0 && extent < Infinity ? this.size / extent : 0);
    this.perX = per(highX - lowX);
    this.perY = per(highY - lowY);
    this.starts = new Uint32Array(this.size * this.size + 1);
    this.corners = new Uint32Array(count);
    for (let i = 0; i < count; i++) this.starts[this.cellOf(i) + 1] += this.present[i];
    for (let cell = 0; cell < this.size * this.size; cell++) this.starts[cell + 1] += this.starts[cell];
    this.ends = this.starts.slice(0, -1);
    for (let i = 0; i < count; i++) if (this.present[i] === 1) this.corners[this.ends[this.cellOf(i)]++] = i;
  }

  has(corner: number): boolean {
    return this.present[corner] === 1;
  }

  private column(value: number): number {
    return cellAt((value - this.lowX) * this.perX, this.size);
  }
  private row(value: number): number {
    return cellAt((value - this.lowY) * this.perY, this.size);
  }
  private cellOf(corner: number): number {
    return this.row(this.y[corner]) * this.size + this.column(this.x[corner]);
  }

  remove(corner: number): void {
    const { corners, ends } = this;
    this.present[corner] = 0;
    const cell = this.cellOf(corner);
    const last = --ends[cell];
    for (let at = last; ; at--) {
      if (corners[at] !== corner) continue;
      corners[at] = corners[last];
      return;
    }
  }

  /** Whether a corner in the cells of a box passes the test. Also counts the tests and cells. */
  find(lowX: number, lowY: number, highX: number, highY: number, test: (corner: number) => boolean) {
    const { size, starts, ends, corners, outcome } = this;
    const [left, right, bottom, top] = [
      this.column(lowX),
      this.column(highX),
      this.row(lowY),
      this.row(highY),
    ];
    outcome.found = false;
    outcome.tests = (right - left + 1) * (top - bottom + 1);
    for (let row = bottom; row <= top; row++) {
      for (let cell = row * size + left; cell <= row * size + right; cell++) {
        for (let at = starts[cell]; at < ends[cell]; at++) {
          outcome.tests++;
          if (!test(corners[at])) continue;
          outcome.found = true;
          return outcome;
        }
      }
    }
    return outcome;
  }
}

const cellAt = (value: number, size: number): number =>
  value > 0 ? Math.min(size - 1, Math.floor(value)) : 0;
