// scene ─▶ candidates: pairs of bodies whose world boxes meet.

import type { Body } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { checkOptions, wrong } from '../core/arguments.ts';
import { BareScene, coreOf } from '../questions/bare-scene.ts';
import type { Question } from '../questions/question.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { broadSync } from './cpu/pair-front.ts';
import { filterCandidates, filterRules, type PairFilter, pairPredicate } from './filter.ts';
import { indicesAt } from './indices.ts';

/** Pairs of bodies whose world boxes meet, less those a filter leaves out. In order. */
export function broad<B extends Engine['backend']>(
  scene: BareScene<B>,
  filter: PairFilter = {},
): Candidates<B> {
  if (!(scene instanceof BareScene)) throw wrong('broad: scene', 'what nf.scene() gives', scene);
  return candidatesNow(coreOf(scene), filter) as Candidates<B>;
}

/** The same of a scene's insides. @internal */
export function candidatesNow(core: SceneCore, filter: PairFilter): Candidates {
  const { table, cpu, engine } = core;
  const question = core.askAll();
  checkOptions(filter, filterRules, 'candidates', 'filter');
  const found = new Candidates(question, core, broadSync(cpu, question.seenBy(cpu))).less(filter);
  // Candidates have what was seen for as long as they are kept: the poses of their own bodies, copied, or of all where
  // images of the whole scene may be asked for. Then the table goes on with a copy, and this hold is never released: its
  // poses are in memory of their own, which is given back with the candidates. Room in the CPU engine's would not be.
  if (engine === cpu) question.keepOnly(found.rows, table);
  else table.hold(question.seen);
  return found;
}

/** The candidates of a question that is answered at once. Without a filter they are left to the engine to find. @internal */
export const candidatesOf = (core: SceneCore, filter: PairFilter): Candidates =>
  new Candidates(core.askAll(), core).less(filter);

/** Pairs of bodies that may touch: their world boxes meet. In order of a.index, then b.index. */
export class Candidates<B extends Engine['backend'] = Engine['backend']> implements Iterable<[Body, Body]> {
  #rows: Uint32Array | undefined;

  /** Use `broad(scene)`. */
  constructor(
    /** @internal */
    readonly question: Question,
    /** @internal */
    readonly core: SceneCore,
    rows?: Uint32Array,
    /** Which are kept, where the rows are not known yet. @internal */
    readonly keep?: (a: Body, b: Body) => boolean,
    /** Whether a filter left some out. @internal */
    readonly isFiltered = keep !== undefined,
  ) {
    this.#rows = rows;
  }

  /** Where they are asked about. */
  get backend(): B {
    return this.core.engine.backend as B;
  }

  get length(): number {
    return this.rows.length / 2;
  }
  /** (a.index, b.index) of every pair. */
  get indices(): Uint32Array {
    return indicesAt(this.rows, this.question.bodies);
  }
  *[Symbol.iterator](): Iterator<[Body, Body]> {
    const { bodies } = this.question;
    const { rows } = this;
    for (let c = 0; c < rows.length; c += 2) yield [bodies[rows[c]], bodies[rows[c + 1]]];
  }
  /** Those that a filter keeps. */
  filter(filter: PairFilter): Candidates<B> {
    checkOptions(filter, filterRules, 'candidates', 'filter');
    return this.less(filter) as Candidates<B>;
  }

  /** The same of options that have been looked at. @internal */
  less(filter: PairFilter): Candidates {
    const keep = pairPredicate(filter, this.question.bodies);
    if (!keep) return this;
    // Boxes of positions or poses that are on the GPU alone are known there: the engine finds the candidates, to be filtered then.
    if (this.#rows === undefined && (this.question.arePositionsOnGpu || this.question.arePosesOnGpu)) {
      return new Candidates(this.question, this.core, undefined, keep);
    }
    const rows = filterCandidates(this.rows, this.question.bodies, keep);
    return new Candidates(this.question, this.core, rows, undefined, true);
  }

  /** Places in the question's bodies, two a pair. Looked for when they are first needed. @internal */
  get rows(): Uint32Array {
    const { question, core, keep } = this;
    if (this.#rows !== undefined) return this.#rows;
    const found = broadSync(core.cpu, question.seenBy(core.cpu));
    return (this.#rows = keep ? filterCandidates(found, question.bodies, keep) : found);
  }
  /**
   * The same, undefined while nobody has needed them: an engine then finds them itself, on its way to the triangles.
   * @internal
   */
  get rowsKnown(): Uint32Array | undefined {
    return this.#rows;
  }
}
