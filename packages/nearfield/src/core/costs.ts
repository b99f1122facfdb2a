// How long does a question take on each backend? Per kind of question and backend a line, milliseconds = fixed + slope · size,
// fitted to the answers as they come. `open()` keeps one set of lines per GPU; a page may keep them as JSON between visits.

import { bad, inWords } from './arguments.ts';
import type { Backend } from './stats.ts';

/** Sums of the samples that a line is fitted to, with their weights: of 1, size, milliseconds, size² and size · milliseconds. */
export type CostSums = readonly [number, number, number, number, number];

/** What answers have taken on one machine, as plain data: `JSON.stringify` writes it. Made by `nf.costs()`, for `open({ costs })`. */
export interface BackendCosts {
  /** The GPU that the costs are about. They are not used with another one. */
  readonly device: string;
  /** Per kind of question and backend, the sums that its line is fitted to. */
  readonly sums: Readonly<Record<string, Readonly<Partial<Record<Backend, CostSums>>>>>;
}

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

/** The rule for costs that are given. */
export function checkCosts(given: unknown, what: string): void {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const areSums = (value: unknown): boolean =>
    value === undefined ||
    (Array.isArray(value) && value.length === 5 && value.every(sum => Number.isFinite(sum) && sum >= 0));
  if (
    isObject(given) &&
    typeof given['device'] === 'string' &&
    isObject(given['sums']) &&
    Object.values(given['sums']).every(
      lines => isObject(lines) && areSums(lines['cpu']) && areSums(lines['gpu']),
    )
  )
    return;
  throw bad(`${what} must be what nf.costs() gave, not ${inWords(given)}`);
}
