// Which backend answers a question sooner? A GPU is slower if the answer is long, the CPU if the search is. What each of them
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

/** The main thread of a page must not be kept busy for longer than 50 ms: that many triangles take a slow CPU less. */
const mostAtOnce = 100_000;

/** A question, and when it is asked. */
export interface Asked {
  /** Undefined if the GPU has to answer it. */
  readonly kind: string | undefined;
  readonly question: {
    readonly arePositionsOnGpu: boolean;
    readonly arePosesOnGpu: boolean;
    readonly seen: Sized;
  };
  /** How much it is about, if not its triangles and bodies. */
  readonly size: number | undefined;
  /** Whether the GPU's kernels are compiled. */
  readonly isReady: boolean;
  /** Whether no other question is being answered. */
  isAlone(): boolean;
}

/** The bodies that a question is about, and what changes if they do. */
interface Sized {
  readonly table: number;
  readonly shapesChanged: number;
  readonly shapeStates: readonly { readonly mesh: { readonly triangleCount: number } }[];
}

export class Choice {
  readonly #costs: Costs;
  /** The size of the bodies that were last measured. */
  #sized: { readonly table: number; readonly shapesChanged: number; readonly size: number } | undefined;
  readonly #kinds = new Map<string, Kind>();

  constructor(costs: Costs) {
    this.#costs = costs;
  }

  /** Asks the backend that is expected to answer sooner, if both may. `ask` is told whether that is the CPU. */
  ask<A>(asked: Asked, ask: (isCpu: boolean) => Promise<A>): Promise<A> | undefined {
    const { kind, question } = asked;
    if (kind === undefined || question.arePositionsOnGpu || question.arePosesOnGpu) return undefined;
    const bodies = this.#sizeOf(question.seen);
    // The CPU must not keep a page from being drawn while it builds trees.
    const mayBlock = bodies > mostAtOnce && 'document' in globalThis;
    return this.#ask(kind, asked.size ?? bodies, mayBlock, asked, ask);
  }

  async #ask<A>(
    kind: string,
    size: number,
    mayBlock: boolean,
    { isReady, isAlone }: Asked,
    ask: (isCpu: boolean) => Promise<A>,
  ): Promise<A> {
    // Until the kernels are compiled, the CPU answers what does not block.
    const backend = mayBlock ? 'gpu' : isReady ? this.backendFor(kind, size) : 'cpu';
    const wasAlone = isAlone();
    const start = this.#costs.now();
    const answer = await ask(backend === 'cpu');
    // What waited for others, or for kernels, says nothing about the backend.
    if (wasAlone && isAlone() && (isReady || backend === 'cpu'))
      this.note(kind, backend, size, this.#costs.now() - start);
    return answer;
  }

  /** The number of triangles and bodies that a question is about. */
  #sizeOf({ table, shapesChanged, shapeStates }: Sized): number {
    if (this.#sized?.table !== table || this.#sized.shapesChanged !== shapesChanged) {
      let size = shapeStates.length;
      for (const { mesh } of shapeStates) size += mesh.triangleCount;
      this.#sized = { table, shapesChanged, size };
    }
    return this.#sized.size;
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
