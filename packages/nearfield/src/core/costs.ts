// How long does a question take on each backend? Per kind of question and backend a line, milliseconds = fixed + slope · size,
// fitted to the answers as they come. There is one set of lines per GPU; a page may keep them as JSON between visits.

import type { BackendCosts, CostSums } from './backend-costs.ts';
import { Choice } from './choice.ts';
import type { Backend } from './stats.ts';

/** How much of its weight a sample keeps with every sample after it. */
const fading = 0.9;
/** Shorter times are weighted as this, in milliseconds: clocks of pages are coarse. */
const shortest = 0.05;

/** What is expected before the first answer: the fixed cost in milliseconds, and the cost per unit of size. */
const usual = { cpu: { fixed: 0.05, slope: 1e-4 }, gpu: { fixed: 1, slope: 1e-5 } } as const;

class CostLine {
  sums: CostSums = [0, 0, 0, 0, 0];

  add(size: number, milliseconds: number): void {
    // Weights make relative errors count, so that small questions are predicted as well as large ones.
    const weight = 1 / Math.max(milliseconds, shortest) ** 2;
    const [w, x, y, xx, xy] = this.sums.map(sum => sum * fading);
    this.sums = [
      w + weight,
      x + weight * size,
      y + weight * milliseconds,
      xx + weight * size * size,
      xy + weight * size * milliseconds,
    ];
  }

  /** Undefined before the first sample. */
  at(size: number): number | undefined {
    const [w, x, y, xx, xy] = this.sums;
    if (w === 0) return undefined;
    const spread = w * xx - x * x;
    // If all sizes were about the same, larger ones are taken to cost more in proportion, and smaller ones as much.
    if (!(spread > 1e-6 * w * xx)) return (y / w) * Math.max(1, x > 0 ? (size * w) / x : 1);
    const slope = Math.max(0, (w * xy - x * y) / spread);
    const fixed = Math.max(0, (y - slope * x) / w);
    return fixed + slope * size;
  }
}

/** The lines of one machine. */
export class Costs {
  readonly #lines = new Map<string, Record<Backend, CostLine>>();

  /** `now` is the clock, in milliseconds. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** How long a question of some kind and size is expected to take on a backend, in milliseconds. */
  expected(kind: string, backend: Backend, size: number): number {
    const { fixed, slope } = usual[backend];
    return this.#lines.get(kind)?.[backend].at(size) ?? fixed + slope * size;
  }

  note(kind: string, backend: Backend, size: number, milliseconds: number): void {
    this.#of(kind)[backend].add(size, milliseconds);
  }

  /** A choice of backends for one scene. */
  choice(): Choice {
    return new Choice(this);
  }

  #of(kind: string): Record<Backend, CostLine> {
    let lines = this.#lines.get(kind);
    if (lines === undefined) this.#lines.set(kind, (lines = { cpu: new CostLine(), gpu: new CostLine() }));
    return lines;
  }

  /** The lines as plain data. */
  given(device: string): BackendCosts {
    const sums = Array.from(this.#lines, ([kind, { cpu, gpu }]) => [kind, { cpu: cpu.sums, gpu: gpu.sums }]);
    return { device, sums: Object.fromEntries(sums) as BackendCosts['sums'] };
  }

  /** Takes lines over, in place of its own. */
  take({ sums }: BackendCosts): void {
    for (const [kind, given] of Object.entries(sums)) {
      const lines = this.#of(kind);
      if (given.cpu !== undefined) lines.cpu.sums = given.cpu;
      if (given.gpu !== undefined) lines.gpu.sums = given.gpu;
    }
  }
}
