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
/** A question waits for a GPU about this many times as long as the shortest round trip takes. */
const roundTrips = 3;
/** Before there are samples, an answer may take as little as this part of the usual or the mean cost. */
const hopedPart = 1 / 4;
/** Samples count as equal in size if their standard deviation is less than this share of the mean. */
const alike = 0.5;
/** A size is unlike the samples if it is more than this many standard deviations from their mean. */
const unlike = 3;

/** The assumed cost before there are samples, in milliseconds: a fixed cost, and a cost per unit of size. */
interface Usual {
  readonly fixed: number;
  readonly slope: number;
}

class CostLine {
  sums: CostSums = [0, 0, 0, 0, 0];
  /** The least part of the usual cost that an answer took. */
  #leastPart = Infinity;

  add(size: number, milliseconds: number, usual: Usual): void {
    this.#leastPart = Math.min(this.#leastPart, milliseconds / (usual.fixed + usual.slope * size));
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

  /** Undefined before the first sample. Sums from an earlier visit only give the mean. */
  leastPart({ fixed, slope }: Usual): number | undefined {
    const [w, x, y] = this.sums;
    if (w === 0) return undefined;
    return Math.min(this.#leastPart, (hopedPart * y) / (w * fixed + slope * x));
  }

  /** Undefined before the first sample. */
  at(size: number, backend: Backend, usual: Usual): number | undefined {
    const [w, x, y, xx, xy] = this.sums;
    if (w === 0) return undefined;
    const spread = Math.max(0, w * xx - x * x);
    // If all sizes were about equal, they say little about the slope.
    if (spread <= alike ** 2 * x * x && Math.abs(w * size - x) > unlike * Math.sqrt(spread))
      return beside(y / w, x > 0 ? (size * w) / x : 1, size, backend, usual);
    if (!(spread > 1e-6 * w * xx)) return y / w;
    const slope = Math.max(0, (w * xy - x * y) / spread);
    const fixed = Math.max(0, (y - slope * x) / w);
    return fixed + slope * size;
  }
}

/** The cost of a size that is `ratio` times another size, whose cost is `milliseconds`. */
function beside(milliseconds: number, ratio: number, size: number, backend: Backend, usual: Usual): number {
  // However little a GPU has to do, it takes as long as a round trip.
  if (backend === 'gpu' && ratio < 1) return milliseconds;
  const fixed = Math.min(milliseconds, usual.fixed);
  return fixed + Math.max((milliseconds - fixed) * ratio, usual.slope * size);
}

/** The lines of one machine. */
export class Costs {
  readonly #lines = new Map<string, Record<Backend, CostLine>>();
  #usualOnGpu: Usual = usual.gpu;

  /** `now` is the clock, in milliseconds. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** How long a question of some kind and size is expected to take on a backend, in milliseconds. */
  expected(kind: string, backend: Backend, size: number): number {
    const guess = this.#usual(backend);
    return this.#lines.get(kind)?.[backend].at(size, backend, guess) ?? guess.fixed + guess.slope * size;
  }

  /**
   * Notes the round trip to the GPU, in milliseconds. It sets the assumed cost of questions that were never asked
   * there.
   */
  noteRoundTrip(milliseconds: number): void {
    const { fixed, slope } = usual.gpu;
    this.#usualOnGpu = { fixed: Math.min(fixed, roundTrips * milliseconds), slope };
  }

  /** The cost of a question in the best case: the smallest part of the usual cost that any answer of its kind took. */
  hoped(kind: string, backend: Backend, size: number): number {
    const { fixed, slope } = this.#usual(backend);
    const part = this.#lines.get(kind)?.[backend].leastPart(this.#usual(backend)) ?? hopedPart;
    const least = backend === 'gpu' ? fixed / roundTrips : 0;
    return Math.max(least, part * (fixed + slope * size));
  }

  note(kind: string, backend: Backend, size: number, milliseconds: number): void {
    this.#of(kind)[backend].add(size, milliseconds, this.#usual(backend));
  }

  #usual(backend: Backend): Usual {
    return backend === 'gpu' ? this.#usualOnGpu : usual.cpu;
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
