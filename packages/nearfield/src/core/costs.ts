// How long does a question take on each backend? Per kind of question and backend a line, milliseconds = fixed + slope · size,
// fitted to the answers as they come. There is one set of lines per GPU; a page may keep them as JSON between visits.

import type { BackendCosts, CostSums } from './backend-costs.ts';
import { Choice, type Kernels } from './choice.ts';
import type { Backend } from './stats.ts';

/** How much of its weight a sample keeps with every sample after it. */
const fading = 0.9;
/** Shorter times are weighted as this, in milliseconds: clocks of pages are coarse. */
const shortest = 0.05;

/** What is expected before the first answer: the fixed cost in milliseconds, and the cost per unit of size. */
const usual = { cpu: { fixed: 0.05, slope: 1e-4 }, gpu: { fixed: 1, slope: 1e-5 } } as const;
/** A question waits for a GPU about this many times as long as the shortest round trip takes. */
const roundTrips = 3;
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
  sums: CostSums | undefined;

  add(size: number, milliseconds: number): void {
    // Weights make relative errors count, so that small questions are predicted as well as large ones.
    const weight = 1 / Math.max(milliseconds, shortest) ** 2;
    const [w, x, y, xx, xy] = this.sums ?? none;
    this.sums = [
      fading * w + weight,
      fading * x + weight * size,
      fading * y + weight * milliseconds,
      fading * xx + weight * size * size,
      fading * xy + weight * size * milliseconds,
    ];
  }

  at(size: number, backend: Backend, usual: Usual): number {
    if (this.sums === undefined) return usual.fixed + usual.slope * size;
    const [w, x, y, xx, xy] = this.sums;
    const spread = Math.max(0, w * xx - x * x);
    // If all sizes were about equal, they say little about the slope.
    if (spread <= alike ** 2 * x * x && Math.abs(w * size - x) > unlike * Math.sqrt(spread))
      return beside(y / w, x > 0 ? (size * w) / x : 1, backend, usual);
    if (!(spread > 1e-6 * w * xx)) return y / w;
    const slope = Math.max(0, (w * xy - x * y) / spread);
    const fixed = Math.max(0, (y - slope * x) / w);
    return fixed + slope * size;
  }
}

const none: CostSums = [0, 0, 0, 0, 0];

/**
 * The cost of a size that is `ratio` times another size, whose cost is `milliseconds`: between no growth, as of a search for one
 * pair that meets, and growth in proportion.
 */
function beside(milliseconds: number, ratio: number, backend: Backend, usual: Usual): number {
  // However little a GPU has to do, it takes as long as a round trip.
  if (backend === 'gpu' && ratio < 1) return milliseconds;
  const fixed = Math.min(milliseconds, usual.fixed);
  return Math.sqrt(milliseconds * (fixed + (milliseconds - fixed) * ratio));
}

/** The lines of one machine. */
export class Costs {
  readonly #lines = new Map<string, Record<Backend, CostLine>>();
  #usualOnGpu: Usual = usual.gpu;

  /** `now` is the clock, in milliseconds. */
  constructor(readonly now: () => number = () => performance.now()) {}

  /** How long a question of some kind and size is expected to take on a backend, in milliseconds. */
  expected(kind: string, backend: Backend, size: number): number {
    return this.#of(kind)[backend].at(size, backend, this.#usual(backend));
  }

  /**
   * Notes the round trip to the GPU, in milliseconds. It sets the assumed cost of questions that were never asked
   * there.
   */
  noteRoundTrip(milliseconds: number): void {
    const { fixed, slope } = usual.gpu;
    this.#usualOnGpu = { fixed: Math.min(fixed, roundTrips * milliseconds), slope };
  }

  /**
   * The cost of any question in the best case. Scenes differ a hundredfold in their work per triangle, and a search may end at
   * the first pair that it looks at; but an answer of a GPU takes a round trip.
   */
  hoped(backend: Backend): number {
    return this.#usual(backend).fixed / roundTrips;
  }

  note(kind: string, backend: Backend, size: number, milliseconds: number): void {
    this.#of(kind)[backend].add(size, milliseconds);
  }

  #usual(backend: Backend): Usual {
    return backend === 'gpu' ? this.#usualOnGpu : usual.cpu;
  }

  /** A choice of backends for one scene. */
  choice(kernels?: Kernels): Choice {
    return new Choice(this, kernels);
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
      lines.cpu.sums = given.cpu ?? lines.cpu.sums;
      lines.gpu.sums = given.gpu ?? lines.gpu.sums;
    }
  }
}
