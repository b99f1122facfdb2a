// Which backend answers a question sooner? A GPU is slower if the answer is long, the CPU if the search is long. The
// best estimate is what each of them took for the last questions of the same kind and magnitude in the same scene.
// Before there are any, lines that are fitted to all answers on this machine estimate it (costs.ts). Both backends
// give the same answer.
//
// The backend that is expected to take longer is tried too, since expectations may be wrong or old. All trials
// together may cost only a small share of the time that the answers took.

import type { Costs } from './costs.ts';
import type { Backend } from './stats.ts';

/** What a backend took for the last questions of a kind and magnitude, in milliseconds. */
interface Recent {
  readonly times: number[];
  /** The number of its answers so far. */
  answers: number;
}

/** Questions of one kind and magnitude. */
interface Group {
  readonly recent: Partial<Record<Backend, Recent>>;
  /** What trials may still cost, in milliseconds. Below 0 after one that took longer than expected. */
  credit: number;
  /** How many answers there were since the last trial, and how many there must be before the next. */
  sinceTrial: number;
  wait: number;
}

/**
 * The number of times that are kept. The least of them counts, since disturbances only make questions slower, seldom
 * three in a row.
 */
const mostTimes = 3;
/**
 * A backend that is not known yet is tried if it would be the faster one in the best case, unless it is likely to
 * take more than this many times as long. The likely time is the geometric mean of the best case and the fitted line,
 * since scenes differ a hundredfold in their work per triangle.
 */
const worthTrying = 8;
/** The first answer in a scene changes what is expected in others by at most this factor. */
const mostMoved = 2;
/** The share of the time of all answers that trials may cost. */
const trialShare = 0.04;
/** The number of answers between two trials. It doubles after every trial in vain, up to `longestWait`. */
const firstWait = 8;
const longestWait = 512;

/**
 * The main thread of a page must not be kept busy for longer than 50 ms. The CPU works in time slices, but some steps take all
 * triangles of a body, or all bodies: 20 ms per million of them.
 */
const mostAtOnce = 1_000_000;

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
  readonly #groups = new Map<string, Map<number, Group>>();

  constructor(costs: Costs) {
    this.#costs = costs;
  }

  /** Asks the backend that is expected to answer sooner, if both may. `ask` is told whether that is the CPU. */
  ask<A>(asked: Asked, ask: (isCpu: boolean) => Promise<A>): Promise<A> | undefined {
    const { kind, question } = asked;
    if (kind === undefined || question.arePositionsOnGpu || question.arePosesOnGpu) return undefined;
    return this.#ask(kind, this.#sizeOf(question.seen), asked, ask);
  }

  async #ask<A>(
    kind: string,
    bodies: number,
    { isReady, isAlone, size = bodies }: Asked,
    ask: (isCpu: boolean) => Promise<A>,
  ): Promise<A> {
    // Until the GPU's kernels are compiled, the CPU answers what does not block a page.
    const mayBlock = bodies > mostAtOnce && 'document' in globalThis;
    const backend = mayBlock ? 'gpu' : isReady ? this.backendFor(kind, size, bodies) : 'cpu';
    const wasAlone = isAlone();
    const start = this.#costs.now();
    const answer = await ask(backend === 'cpu');
    // What waited for others, or for kernels, says nothing about the backend.
    if (wasAlone && isAlone() && (isReady || backend === 'cpu'))
      this.note(kind, backend, size, this.#costs.now() - start, bodies);
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

  /** The backend to ask a question of some kind and size about bodies of some size. */
  backendFor(kind: string, size: number, bodies = size): Backend {
    const group = this.#groupOf(kind, size, bodies);
    const cpu = this.#expected(group, kind, 'cpu', size);
    const gpu = this.#expected(group, kind, 'gpu', size);
    const better: Backend = cpu <= gpu ? 'cpu' : 'gpu';
    const other: Backend = better === 'cpu' ? 'gpu' : 'cpu';
    const [less, more] = [Math.min(cpu, gpu), Math.max(cpu, gpu)];
    // The one that is expected to be faster is asked twice: the second time it is warm.
    if (isUnknown(group, better)) return better;
    if (isUnknown(group, other)) {
      const hoped = this.#costs.hoped(kind, other, size);
      if (hoped < less && Math.sqrt(hoped * more) < worthTrying * less) return other;
    }
    return group.sinceTrial >= group.wait && more - less <= group.credit ? other : better;
  }

  /** Notes how long an answer took. */
  note(kind: string, backend: Backend, size: number, milliseconds: number, bodies = size): void {
    const group = this.#groupOf(kind, size, bodies);
    const other = group.recent[backend === 'cpu' ? 'gpu' : 'cpu'];
    const least = Math.min(...(other?.times ?? []));
    const expected = this.#expected(group, kind, backend, size);
    const recent = group.recent[backend];
    // The first answer also builds trees and compiles kernels, so it may be far too long. This scene goes on with
    // what was expected, if that was less. Other scenes, which may be asked only once, expect a little more than
    // before.
    const isFirst = recent === undefined;
    this.#costs.note(
      kind,
      backend,
      size,
      isFirst ? Math.min(milliseconds, mostMoved * expected) : milliseconds,
    );
    if (isFirst) {
      group.recent[backend] = { times: [Math.min(expected, milliseconds)], answers: 1 };
    } else {
      if (recent.answers++ === 1) recent.times.length = 0;
      recent.times.push(milliseconds);
      if (recent.times.length > mostTimes) recent.times.shift();
    }
    group.credit += trialShare * milliseconds;
    group.sinceTrial++;
    // It was expected to take longer than the other backend, so this was a trial.
    if (least >= expected) return;
    if (!isFirst) group.credit -= Math.max(0, milliseconds - least);
    group.sinceTrial = 0;
    group.wait = milliseconds < least ? firstWait : Math.min(longestWait, 2 * group.wait);
  }

  #groupOf(kind: string, size: number, bodies: number): Group {
    let groups = this.#groups.get(kind);
    if (groups === undefined) this.#groups.set(kind, (groups = new Map()));
    const magnitude = 64 * magnitudeOf(size) + magnitudeOf(bodies);
    let group = groups.get(magnitude);
    if (group === undefined) {
      group = { recent: {}, credit: 0, sinceTrial: 0, wait: firstWait };
      groups.set(magnitude, group);
    }
    return group;
  }

  #expected({ recent }: Group, kind: string, backend: Backend, size: number): number {
    const known = recent[backend];
    return known === undefined ? this.#costs.expected(kind, backend, size) : Math.min(...known.times);
  }
}

/** Sizes of one magnitude differ by less than a factor of two. */
const magnitudeOf = (size: number): number => Math.floor(Math.log2(1 + size));

/** Whether a backend has not been asked, or only once: that answer also builds trees and compiles kernels. */
const isUnknown = ({ recent }: Group, backend: Backend): boolean => (recent[backend]?.answers ?? 0) < 2;
