// Shows progress in one line on stderr, redrawn in place. It appears only if stderr is a terminal.

import type { Terminal } from './terminal.ts';

const barWidth = 28;
/** Milliseconds between two updates. A terminal shows no more, and drawing costs time. */
const interval = 80;

export class Progress {
  private stageName = '';
  private shown = false;
  private last = Number.NEGATIVE_INFINITY;

  constructor(private readonly terminal: Terminal) {}

  /** Begins a stage such as "reading" or "checking", at 0 %. */
  stage(name: string): void {
    this.stageName = name;
    this.draw(0, true);
  }

  /** The share of the stage that is done, 0 to 1. */
  readonly update = (share: number): void => this.draw(share, false);

  private draw(share: number, always: boolean): void {
    if (!this.terminal.interactive) return;
    const now = performance.now();
    if (!always && now - this.last < interval) return;
    this.last = now;
    const part = Math.min(Math.max(share, 0), 1);
    const filled = Math.round(part * barWidth);
    const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
    const line = `${this.stageName.padEnd(10)} ${bar} ${String(Math.round(100 * part)).padStart(3)} %`;
    this.terminal.err(`\r\u001b[2K${line.slice(0, Math.max(this.terminal.columns - 1, 10))}`);
    this.shown = true;
  }

  /** Erases the line. */
  clear(): void {
    if (this.shown) this.terminal.err('\r\u001b[2K');
    this.shown = false;
  }
}
