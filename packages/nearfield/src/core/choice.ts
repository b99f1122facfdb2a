// Which backend answers a question sooner? A GPU is slower if the answer is long, the CPU if the search is long. The
// best estimate is what each of them took for the last questions of the same kind and magnitude in the same scene.
// Before there are any, lines that are fitted to all answers on this machine estimate it (costs.ts). Both backends
// give the same answer.
//
// The backend that is expected to take longer is tried too, since expectations may be wrong or old: a first time as soon as
// the answers so far took as long as it probably does, later for a small share of their time.

import type { Costs } from './costs.ts';
import type { Limits } from './limits.ts';
import type { Backend } from './stats.ts';

/** What a backend took for questions of a kind and magnitude, in milliseconds. */
class Past {
  /** What is expected of it: the fitted line's value at first. */
  expected: number;
  /** What it takes in the best case. Only used until it is known. */
  hoped: number;
  /** The number of its answers so far. */
  answers = 0;
  /** The last two times, without that of the first answer. */
  #last = Infinity;
  #before = Infinity;

  constructor(expected: number, hoped: number) {
    this.expected = expected;
    this.hoped = hoped;
  }

  /** The first answers also build trees, compile kernels and lengthen lists: they count little. */
  isKnown(other: number): boolean {
    const ratio = Math.max(this.expected / other, other / this.expected);
    return this.answers > 2 || (this.answers === 2 && ratio > clear);
  }

  note(milliseconds: number): void {
    // If the first answer takes longer than expected, the expectation goes on, and the backend is asked again.
    if (this.answers++ === 0) {
      this.expected = Math.min(this.expected, milliseconds);
      return;
    }
    // The least of three: disturbances only make questions slower, seldom three in a row.
    this.expected = Math.min(milliseconds, this.#last, this.#before);
    this.#before = this.#last;
    this.#last = milliseconds;
  }
}

/** Questions of one kind and magnitude. */
interface Group {
  readonly cpu: Past;
  readonly gpu: Past;
  /** The time of all answers, in milliseconds. */
  spent: number;
  /** What trials may still cost, in milliseconds. Below 0 after one that took longer than expected. */
  credit: number;
  /** How many answers there were since the last trial, and how many there must be before the next. */
  sinceTrial: number;
  wait: number;
}

/** If one backend takes this many times as long as the other, a second answer is enough to know it. */
const clear = 4;
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
/** Kernels are compiled within about so many milliseconds. Until then the CPU answers what takes it less. */
const compiling = 2000;

/** What a question is about. */
interface Asked {
  readonly arePositionsOnGpu: boolean;
  readonly arePosesOnGpu: boolean;
  readonly seen: Sized;
}

/** How a question is asked. */
export interface Asking<A> {
  /** Undefined if the question must not be asked twice. */
  readonly limits: Limits | undefined;
  ask(isCpu: boolean): Promise<A>;
  /** Asks the GPU once more, for an answer that nobody waits for. */
  again(limits: Limits): Promise<unknown>;
  /** Whether no other question is being answered. */
  isAlone(): boolean;
}

/** The bodies that a question is about, and what changes if they do. */
interface Sized {
  readonly table: number;
  readonly shapesChanged: number;
  readonly shapeStates: readonly { readonly mesh: { readonly triangleCount: number } }[];
}

/** What of a GPU engine is compiled. */
export interface Kernels {
  /** Whether the kernels are compiled that most questions need. */
  readonly isReady?: boolean | undefined;
  /** The kinds of questions that were asked so far. True if one has been answered: then all of its kernels are compiled. */
  readonly asked?: Map<string, boolean> | undefined;
}

export class Choice {
  readonly #costs: Costs;
  readonly #kernels: Kernels;
  /** The size of the bodies that were last measured. */
  #sized: { readonly table: number; readonly shapesChanged: number; readonly size: number } | undefined;
  readonly #groups = new Map<string, Map<number, Group>>();
  /** The last group, with the key that it was found by. */
  #last:
    | { readonly kind: string; readonly size: number; readonly bodies: number; readonly group: Group }
    | undefined;

  constructor(costs: Costs, kernels: Kernels = {}) {
    this.#costs = costs;
    this.#kernels = kernels;
  }

  /**
   * Asks the backend that is expected to answer sooner, if both may. Without a kind, the GPU has to answer. `given` is how much the
   * question is about, if not its triangles and bodies.
   */
  ask<A>(
    kind: string | undefined,
    question: Asked,
    given: number | undefined,
    asking: Asking<A>,
  ): Promise<A> | undefined {
    if (kind === undefined || question.arePositionsOnGpu || question.arePosesOnGpu) return undefined;
    const bodies = this.#sizeOf(question.seen);
    const size = given ?? bodies;
    const backend = this.#chosen(kind, size, bodies, asking);
    const wasAlone = asking.isAlone();
    const start = this.#costs.now();
    const answer = asking.ask(backend === 'cpu');
    // What waited for others says nothing about the backend.
    const note = () => {
      if (asking.isAlone()) this.note(kind, backend, size, this.#costs.now() - start, bodies);
    };
    if (wasAlone) answer.then(note, () => {});
    return answer;
  }

  #chosen<A>(kind: string, size: number, bodies: number, asking: Asking<A>): Backend {
    if (bodies > mostAtOnce && 'document' in globalThis) return 'gpu';
    if (this.backendFor(kind, size, bodies) === 'cpu') return 'cpu';
    return this.#isReady(kind, asking) || this.#groupOf(kind, size, bodies).cpu.expected > compiling
      ? 'gpu'
      : 'cpu';
  }

  /**
   * Whether the GPU's kernels for a kind of question are compiled. If not, the GPU is asked the question for their sake. A question
   * that reports progress must not be asked twice, so it waits for the GPU.
   */
  #isReady<A>(kind: string, { limits, again }: Asking<A>): boolean {
    const { isReady = true, asked } = this.#kernels;
    if (!isReady || asked === undefined || asked.get(kind)) return isReady;
    if (limits === undefined || limits.progress !== undefined) return true;
    if (!asked.has(kind)) {
      asked.set(kind, false);
      again(limits).then(
        () => asked.set(kind, true),
        () => asked.delete(kind),
      );
    }
    return false;
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
    const { cpu, gpu } = group;
    const better: Backend = cpu.expected <= gpu.expected ? 'cpu' : 'gpu';
    const other: Backend = better === 'cpu' ? 'gpu' : 'cpu';
    const less = group[better].expected;
    const { expected: more, hoped, answers } = group[other];
    if (!group[better].isKnown(more)) return better;
    if (!group[other].isKnown(less)) {
      const likely = Math.sqrt(Math.min(hoped, more) * more);
      return likely <= group.spent && (answers > 0 || hoped < less) ? other : better;
    }
    return group.sinceTrial >= group.wait && more - less <= group.credit ? other : better;
  }

  /** Notes how long an answer took. */
  note(kind: string, backend: Backend, size: number, milliseconds: number, bodies = size): void {
    const group = this.#groupOf(kind, size, bodies);
    const past = group[backend];
    const other = group[backend === 'cpu' ? 'gpu' : 'cpu'].expected;
    const isTrial = past.expected > other;
    const isFirst = past.answers === 0;
    // Other scenes learn from the first answers, and then from fewer and fewer, or one scene would outweigh all others. The very
    // first may be far too long, so it counts for little more than what was expected.
    const counts = past.answers < 3 || (past.answers & (past.answers - 1)) === 0;
    const heard = isFirst ? Math.min(milliseconds, mostMoved * past.expected) : milliseconds;
    if (counts) this.#costs.note(kind, backend, size, heard);
    past.note(milliseconds);
    group.spent += milliseconds;
    group.credit += trialShare * milliseconds;
    group.sinceTrial++;
    if (!isTrial) return;
    if (!isFirst) group.credit -= Math.max(0, milliseconds - other);
    group.sinceTrial = 0;
    group.wait = milliseconds < other ? firstWait : Math.min(longestWait, 2 * group.wait);
  }

  #groupOf(kind: string, size: number, bodies: number): Group {
    const last = this.#last;
    if (last?.size === size && last.bodies === bodies && last.kind === kind) return last.group;
    const group = this.#findGroup(kind, size, bodies);
    this.#last = { kind, size, bodies, group };
    return group;
  }

  #findGroup(kind: string, size: number, bodies: number): Group {
    let groups = this.#groups.get(kind);
    if (groups === undefined) this.#groups.set(kind, (groups = new Map()));
    const magnitude = 64 * magnitudeOf(size) + magnitudeOf(bodies);
    let group = groups.get(magnitude);
    if (group === undefined) {
      const costs = this.#costs;
      const past = (backend: Backend) => new Past(costs.expected(kind, backend, size), costs.hoped(backend));
      group = { cpu: past('cpu'), gpu: past('gpu'), spent: 0, credit: 0, sinceTrial: 0, wait: firstWait };
      groups.set(magnitude, group);
    }
    return group;
  }
}

/** Sizes of one magnitude differ by less than a factor of two. */
const magnitudeOf = (size: number): number => 31 - Math.clz32(1 + size);
