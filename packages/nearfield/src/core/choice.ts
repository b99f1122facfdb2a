// Which backend answers a question sooner? A GPU loses where the answer is large, the CPU where the work is. What each of them
// took for the last question of the same kind in the same scene says it best. Before that the lines of all answers on this
// machine do (costs.ts). Both backends give the same answer.

import type { Costs } from './costs.ts';
import type { Backend } from './stats.ts';

/** What a backend took for a question of some size; `at` counts the answers of the kind. */
interface Last {
  readonly size: number;
  readonly milliseconds: number;
  readonly at: number;
}

interface Kind {
  readonly last: Partial<Record<Backend, Last>>;
  answers: number;
}

/** A last answer says nothing about a question that is more than this many times larger or smaller. */
const similar = 2;
/** A backend that was not asked yet is tried if it is expected to take less than this many times as long. */
const worthTrying = 3;
/** After this many answers the slower backend is tried again, if it took less than `worthRetrying` times as long. */
const retryAfter = 64;
const worthRetrying = 2;

export class Choice {
  readonly #costs: Costs;
  readonly #kinds = new Map<string, Kind>();

  constructor(costs: Costs) {
    this.#costs = costs;
  }

  /** The clock, in milliseconds. */
  now(): number {
    return this.#costs.now();
  }

  /** The backend to ask a question of some kind and size. */
  backendFor(kind: string, size: number): Backend {
    const [cpu, gpu] = [this.#expected(kind, 'cpu', size), this.#expected(kind, 'gpu', size)];
    const better: Backend = cpu <= gpu ? 'cpu' : 'gpu';
    const other: Backend = better === 'cpu' ? 'gpu' : 'cpu';
    return this.#isToTry(kind, other, size, Math.max(cpu, gpu) / Math.min(cpu, gpu)) ? other : better;
  }

  /** Notes how long an answer took. */
  note(kind: string, backend: Backend, size: number, milliseconds: number): void {
    this.#costs.note(kind, backend, size, milliseconds);
    const known = this.#kindOf(kind);
    known.last[backend] = { size, milliseconds, at: ++known.answers };
  }

  #kindOf(kind: string): Kind {
    let known = this.#kinds.get(kind);
    if (known === undefined) this.#kinds.set(kind, (known = { last: {}, answers: 0 }));
    return known;
  }

  #lastOf(kind: string, backend: Backend, size: number): Last | undefined {
    const last = this.#kinds.get(kind)?.last[backend];
    if (last === undefined) return undefined;
    return size <= similar * last.size && last.size <= similar * size ? last : undefined;
  }

  #expected(kind: string, backend: Backend, size: number): number {
    const last = this.#lastOf(kind, backend, size);
    if (last === undefined) return this.#costs.expected(kind, backend, size);
    return last.milliseconds * (last.size > 0 ? size / last.size : 1);
  }

  /** Whether the backend that is expected to take longer, by a factor, should be asked all the same. */
  #isToTry(kind: string, backend: Backend, size: number, factor: number): boolean {
    const known = this.#kinds.get(kind);
    // The first answer is the better one's.
    if (known === undefined || known.answers === 0) return false;
    const last = this.#lastOf(kind, backend, size);
    if (last === undefined) return factor < worthTrying;
    return known.answers - last.at >= retryAfter && factor < worthRetrying;
  }
}
