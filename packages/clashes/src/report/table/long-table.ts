// A table of any length: only the rows in sight, and some above and below, are elements of the page. Rows have one
// height, so that the place of each is known.

/** Rows above and below those in sight. */
const margin = 12;
/** Browsers lay out no element of more than about 16 million pixels; longer tables scroll faster than they move. */
const tallest = 8_000_000;

export class LongTable {
  private rows: readonly number[] = [];
  private readonly box: HTMLElement;
  private rowHeight = 0;
  private first = -1;
  private last = -1;

  /** `html` is the element of a row. */
  constructor(
    private readonly body: HTMLElement,
    private readonly html: (row: number) => string,
    private readonly columnCount: number,
  ) {
    this.box = body.closest<HTMLElement>('.scroll')!;
    this.box.classList.add('long');
    this.box.addEventListener('scroll', () => this.draw());
    new ResizeObserver(() => this.redraw()).observe(this.box);
    // Paper does not scroll.
    addEventListener('beforeprint', () => this.fill(0, Math.min(this.rows.length, 1000), 0));
    addEventListener('afterprint', () => this.redraw());
  }

  /** Shows these rows, from the first. */
  show(rows: readonly number[]): void {
    this.rows = rows;
    this.body.parentElement!.setAttribute('aria-rowcount', String(rows.length + 1));
    this.box.scrollTop = 0;
    this.redraw();
  }

  private redraw(): void {
    this.first = -1;
    this.rowHeight = 0;
    this.draw();
  }

  private draw(): void {
    const { rows, box } = this;
    if (this.rowHeight === 0) {
      this.fill(0, Math.min(rows.length, 2 * margin), 0);
      this.rowHeight = this.body.querySelector<HTMLElement>('tr[data-row]')?.offsetHeight ?? 0;
      if (this.rowHeight === 0) return;
    }
    const inSight = Math.ceil(box.clientHeight / this.rowHeight);
    const height = Math.min(tallest, rows.length * this.rowHeight);
    // The share of the way down is exact at both ends, however far a table is shortened.
    const way = Math.max(1, height - box.clientHeight);
    const share = Math.min(1, box.scrollTop / way);
    const top =
      height < rows.length * this.rowHeight
        ? Math.round(share * Math.max(0, rows.length - inSight + 1))
        : Math.floor(box.scrollTop / this.rowHeight);
    const [first, last] = [Math.max(0, top - margin), Math.min(rows.length, top + inSight + margin)];
    if (first === this.first && last === this.last) return;
    const above =
      height < rows.length * this.rowHeight
        ? Math.max(0, box.scrollTop - (top - first) * this.rowHeight)
        : first * this.rowHeight;
    this.fill(first, last, above, Math.max(0, height - above - (last - first) * this.rowHeight));
    [this.first, this.last] = [first, last];
  }

  /** Writes some rows, between two empty ones of these heights. */
  private fill(first: number, last: number, above: number, below = 0): void {
    const space = (height: number) =>
      `<tr class="space" aria-hidden="true"><td colspan="${this.columnCount}"></td></tr>`.repeat(
        height > 0 ? 1 : 0,
      );
    this.body.innerHTML =
      space(above) +
      this.rows
        .slice(first, last)
        .map(row => this.html(row))
        .join('') +
      space(below);
    // Set here, because a strict policy of the page allows no styles in what is written.
    const spaces = this.body.querySelectorAll<HTMLElement>('.space td');
    [above, below]
      .filter(height => height > 0)
      .forEach((height, i) => {
        spaces[i].style.height = `${height}px`;
      });
    this.body.querySelectorAll('tr[data-row]').forEach((row, i) => {
      row.setAttribute('aria-rowindex', String(first + i + 2));
    });
  }
}
