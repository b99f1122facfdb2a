// The broad phase: scene ─▶ candidates, the pairs of bodies whose world boxes meet.

import type { Body } from '../bodies/body.ts';
import { checkOptions, wrong } from '../core/arguments.ts';
import type { Backend } from '../core/stats.ts';
import { BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { broadSync } from './cpu/pair-front.ts';
import { filterCandidates, filterRules, type PairFilter, pairPredicate } from './filter.ts';
import { indicesAt } from './indices.ts';

/**
 * The broad phase: pairs of bodies whose world boxes meet and that the filter keeps, sorted by a.index, then b.index.
 * Throws 'bad-option' for a wrong argument, 'closed' if the scene is closed.
 */
export function broad<B extends Backend>(scene: BareScene<B>, filter: PairFilter = {}): Candidates<B> {
  if (!(scene instanceof BareScene)) throw wrong('broad: scene', 'a scene', scene);
  return keptCandidates(coreOf(scene), filter) as Candidates<B>;
}

/** As `broad`, given the scene's core. @internal */
function keptCandidates(core: SceneCore, filter: PairFilter): Candidates {
  const { table, cpu, engine } = core;
  const question = core.questionAboutAll();
  checkOptions(filter, filterRules, 'candidates', 'filter');
  const found = new Candidates(question, core, broadSync(cpu, question.seenBy(cpu))).filtered(filter);
  // Candidates keep the poses they were found at. On the CPU backend they copy the poses of their own bodies. On a GPU,
  // images of the whole scene may be asked for, so they keep all poses: the table continues with a copy, and this hold
  // is never released. That works because those poses lie in separate memory, which is garbage-collected with the
  // candidates. Space in the CPU engine's memory would leak.
  if (engine === cpu) question.keepOnly(found.rows, table);
  else table.hold(question.seen);
  return found;
}

/** The candidates of a question that is answered at once. Without a filter the engine finds them itself. @internal */
export const lazyCandidates = (core: SceneCore, filter: PairFilter): Candidates =>
  new Candidates(core.questionAboutAll(), core).filtered(filter);

/** Pairs of bodies that may touch, since their world boxes meet. Sorted by a.index, then b.index. */
export class Candidates<B extends Backend = Backend> implements Iterable<[Body, Body]> {
  #rows: Uint32Array | undefined;

  /** Use `broad(scene)`. */
  constructor(
    /** @internal */
    readonly question: Question,
    /** @internal */
    readonly core: SceneCore,
    rows?: Uint32Array,
    /** The filter to apply once the rows are known, if they are not known yet. @internal */
    readonly keep?: (a: Body, b: Body) => boolean,
    /** Whether a filter was applied. @internal */
    readonly isFiltered = keep !== undefined,
  ) {
    this.#rows = rows;
  }

  /** The backend of the scene they belong to. */
  get backend(): B {
    return this.core.engine.backend as B;
  }

  /** The number of pairs. */
  get length(): number {
    return this.rows.length / 2;
  }
  /** (a.index, b.index) of every pair, two numbers per pair. */
  get indices(): Uint32Array {
    return indicesAt(this.rows, this.question.bodies);
  }
  /** The pairs [a, b], a.index < b.index, in order. */
  *[Symbol.iterator](): Iterator<[Body, Body]> {
    const { bodies } = this.question;
    const { rows } = this;
    for (let c = 0; c < rows.length; c += 2) yield [bodies[rows[c]], bodies[rows[c + 1]]];
  }
  /** The candidates that a filter keeps. */
  filter(filter: PairFilter): Candidates<B> {
    checkOptions(filter, filterRules, 'candidates', 'filter');
    return this.filtered(filter) as Candidates<B>;
  }

  /** As `filter`, for a filter whose options have been checked. @internal */
  filtered(filter: PairFilter): Candidates {
    const keep = pairPredicate(filter, this.question.bodies);
    if (!keep) return this;
    // If positions or poses are on the GPU alone, only the engine can compute the boxes. It finds the candidates, and
    // they are filtered afterwards.
    if (this.#rows === undefined && (this.question.arePositionsOnGpu || this.question.arePosesOnGpu)) {
      return new Candidates(this.question, this.core, undefined, keep);
    }
    const rows = filterCandidates(this.rows, this.question.bodies, keep);
    return new Candidates(this.question, this.core, rows, undefined, true);
  }

  /** Indices into the question's bodies, two per pair. Computed at the first use. @internal */
  get rows(): Uint32Array {
    const { question, core, keep } = this;
    if (this.#rows !== undefined) return this.#rows;
    const found = broadSync(core.cpu, question.seenBy(core.cpu));
    return (this.#rows = keep ? filterCandidates(found, question.bodies, keep) : found);
  }
  /**
   * As `rows`, but undefined if they have not been computed yet. An engine then finds them itself, on its way to the
   * triangles.
   * @internal
   */
  get rowsKnown(): Uint32Array | undefined {
    return this.#rows;
  }
}
