// A scene: bodies, and the questions asked of them. Each question is one line of the flow: candidates from the
// broad phase, certain and unsure triangle pairs from the engine, the exact stage, the answer.

import { NearfieldError } from '../errors.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { Interferences, Pair, type SelfIntersections } from './answer.ts';
import { Body, type BodyOptions, type Host } from './body.ts';
import { type Curve, curvesOf } from './curves.ts';
import type { Detail, Engine, InterfereRequest, Limits, RawAnswer, Shape, SyncEngine } from './engine.ts';
import { decideAny, decideCounts, decidePairs, decideSelf } from './exact.ts';
import { filterCandidates, type PairFilter, pairPredicate } from './filter.ts';
import { asNow, type Moment, Snapshot } from './moment.ts';
import { Question } from './question.ts';
import { holdsPartOf, mayHoldPartOf } from './relation/containment.ts';
import { pointsInside } from './winding.ts';

export interface InterferenceOptions extends PairFilter, Limits {
  /** 'hierarchy' is the one complete method so far; 'auto' chooses it. */
  readonly method?: 'auto' | 'hierarchy' | undefined;
  /** 'list' (default): every triangle pair. 'count': how many. 'any': only which bodies share a point. */
  readonly detail?: Detail | undefined;
  /** Test all triangles against all, without trees: the baseline (Gress and Zachmann, section 3). */
  readonly bruteForce?: boolean | undefined;
}

/** The one pair of a list of two bodies. */
const thePair: InterfereRequest = { detail: 'list', candidates: new Uint32Array([0, 1]) };

export class Scene {
  readonly #engine: Engine;
  readonly #cpu: SyncEngine;
  readonly #host: Host;
  readonly #waiting = new Set<Question>();
  readonly #shapes: SharedShapes;
  /** Shapes that bodies gave up, each with the questions still waiting that may see it. */
  #released: { readonly shape: Shape; readonly until: Set<Question> }[] = [];
  #bodies: Body[] = [];
  readonly #onClose: () => void;
  #nextIndex = 0;
  #closed = false;

  /** Use `nf.scene()`. */
  constructor(engine: Engine, cpu: SyncEngine, onClose = () => {}) {
    this.#onClose = onClose;
    this.#engine = engine;
    this.#cpu = cpu;
    const shapes = (this.#shapes = new SharedShapes(shape => {
      engine.forget(shape);
      if (engine !== cpu) cpu.forget(shape);
    }));
    const waiting = this.#waiting;
    this.#host = {
      acquire: mesh => shapes.acquire(mesh),
      release: shape => {
        if (waiting.size > 0) this.#released.push({ shape, until: new Set(waiting) });
        else shapes.release(shape);
      },
      beforeChange: body => {
        for (const question of waiting) question.keep(body);
      },
      get waiting() {
        return waiting.size > 0;
      },
    };
  }

  /** In order of their index. */
  get bodies(): readonly Body[] {
    return this.#bodies;
  }

  add(mesh: Mesh, options: BodyOptions = {}): Body {
    this.#checkOpen();
    const body = new Body(this.#nextIndex++, mesh, options, this.#host);
    this.#bodies.push(body);
    return body;
  }

  remove(body: Body): void {
    const at = this.#bodies.indexOf(body);
    if (at < 0) throw new NearfieldError('closed', `${body.name} is not in this scene`);
    this.#bodies.splice(at, 1);
    body.leave();
  }

  /** The broad phase alone: pairs of bodies whose world boxes meet, less those a filter leaves out. In order. */
  candidates(filter: PairFilter = {}): [Body, Body][] {
    const { bodies, placed } = this.#ask(this.#bodies.slice());
    const keep = pairPredicate(filter);
    const found = this.#cpu.broadSync(placed);
    const kept = keep ? filterCandidates(found, bodies, keep) : found;
    return Array.from({ length: kept.length / 2 }, (_, c) => [bodies[kept[2 * c]], bodies[kept[2 * c + 1]]]);
  }

  /** Every pair of bodies that share a point: surfaces that meet, or one solid within the other. */
  async interferences(options: InterferenceOptions = {}): Promise<Interferences> {
    const question = this.#ask(this.#bodies.slice());
    const request = this.#requestOf(options, question);
    return this.#wait(
      question,
      engine => engine.interfere(question.placed, request),
      (raw, engine) => this.#interferenceAnswer(raw, question, request.detail, engine),
    );
  }

  /** The same without waiting, on the CPU backend, for loops that cannot wait. */
  interferencesSync(options: InterferenceOptions = {}): Interferences {
    this.#checkSync('interferencesSync');
    const question = this.#ask(this.#bodies.slice());
    const request = this.#requestOf(options, question);
    const raw = this.#cpu.interfereSync(question.placed, request);
    return this.#interferenceAnswer(raw, question, request.detail, this.#cpu);
  }

  /** Pairs of triangles of one body that share more than their common positions. */
  async selfIntersections(body: Body, limits: Limits = {}): Promise<SelfIntersections> {
    const question = this.#ask([body]);
    return this.#wait(
      question,
      engine => engine.selfIntersect(question.seenAt(0), limits),
      (raw, engine) => this.#selfAnswer(raw, question, engine),
    );
  }

  selfIntersectionsSync(body: Body, limits: Limits = {}): SelfIntersections {
    this.#checkSync('selfIntersectionsSync');
    const question = this.#ask([body]);
    return this.#selfAnswer(this.#cpu.selfIntersectSync(body.placed, limits), question, this.#cpu);
  }

  /** Where the surfaces of two bodies meet, as polylines. */
  async curves(a: Body, b: Body, limits: Limits = {}): Promise<Curve[]> {
    const question = this.#ask([a, b]);
    const request = { ...limits, ...thePair };
    return this.#wait(
      question,
      engine => engine.interfere(question.placed, request),
      raw => this.#curveAnswer(raw, question),
    );
  }

  curvesSync(a: Body, b: Body): Curve[] {
    this.#checkSync('curvesSync');
    const question = this.#ask([a, b]);
    return this.#curveAnswer(this.#cpu.interfereSync(question.placed, thePair), question);
  }

  /** For each point (x, y, z triples, world): 0 outside the body's solid, 1 inside, 2 on its surface. */
  async inside(body: Body, points: Float32Array | Float64Array): Promise<Uint8Array> {
    return this.#pointsInside(body, points);
  }

  insideSync(body: Body, points: Float32Array | Float64Array): Uint8Array {
    this.#checkSync('insideSync');
    return this.#pointsInside(body, points);
  }

  /** All bodies leave, and what they held is freed. `nf.close()` closes every scene. */
  close(): void {
    if (this.#closed) return;
    for (const body of this.#bodies) body.leave();
    this.#bodies = [];
    this.#closed = true;
    this.#onClose();
  }

  #ask(bodies: readonly Body[]): Question {
    this.#checkOpen();
    if (bodies.length <= 2) for (const body of bodies) this.#checkBody(body);
    return new Question(bodies);
  }

  /**
   * Asks the engine, or the CPU's where the GPU has not the memory, and makes an answer of what it found. Until then
   * what the question sees of its bodies stays as it is: shapes are neither changed nor freed.
   */
  async #wait<A>(
    question: Question,
    ask: (engine: Engine) => Promise<RawAnswer>,
    answer: (raw: RawAnswer, engine: Engine) => A,
  ): Promise<A> {
    this.#waiting.add(question);
    try {
      // Nothing may come between what was found and the answer: in a later microtask bodies may have changed.
      return answer(await ask(this.#engine), this.#engine);
    } catch (error) {
      const full = error instanceof NearfieldError && error.code === 'out-of-memory';
      if (!full || this.#engine === this.#cpu) throw error;
      return answer(await ask(this.#cpu), this.#cpu);
    } finally {
      this.#waiting.delete(question);
      this.#released = this.#released.filter(({ shape, until }) => {
        until.delete(question);
        if (until.size === 0) this.#shapes.release(shape);
        return until.size > 0;
      });
    }
  }

  #requestOf(options: InterferenceOptions, { bodies, placed }: Question): InterfereRequest {
    const { method = 'auto', detail = 'list', bruteForce, signal, progress } = options;
    if (method !== 'auto' && method !== 'hierarchy') {
      throw new NearfieldError(
        'unsupported',
        `there is no method '${method}' yet; use 'hierarchy' or 'auto'`,
      );
    }
    if (detail !== 'list' && detail !== 'count' && detail !== 'any') {
      throw new NearfieldError('bad-option', `detail is 'list', 'count' or 'any', not '${detail}'`);
    }
    const keep = pairPredicate(options);
    const candidates = keep && filterCandidates(this.#cpu.broadSync(placed), bodies, keep);
    return { detail, bruteForce, signal, progress, candidates, hasty: true };
  }

  #interferenceAnswer(raw: RawAnswer, question: Question, detail: Detail, engine: Engine): Interferences {
    const { bodies, seenAt } = question;
    const found = detail === 'list' ? decidePairs(raw, seenAt, this.#cpu) : undefined;
    const counts = detail === 'count' ? decideCounts(raw, seenAt, this.#cpu) : undefined;
    const some = detail === 'any' ? this.#decideAny(raw, question) : undefined;
    const { candidates } = raw;
    const snapshot = new Snapshot(bodies.length, Math.min(bodies.length, candidates.length));
    const pairs: Pair[] = [];
    for (let c = 0; c < candidates.length / 2; c++) {
      const i = candidates[2 * c];
      const j = candidates[2 * c + 1];
      const start = found ? found.start[c] : 0;
      const end = found ? found.start[c + 1] : (counts ?? some)![c];
      if (start === end && !this.#shareInterior(question, i, j)) continue;
      const count = detail === 'any' ? undefined : end - start;
      snapshot.add(i, seenAt(i));
      snapshot.add(j, seenAt(j));
      pairs.push(new Pair(bodies[i], bodies[j], i, j, count, found, c, snapshot, this.#cpu));
    }
    pairs.sort((p, q) => p.a.index - q.a.index || p.b.index - q.b.index);
    return new Interferences(pairs, 'hierarchy', engine.backend, raw.stats);
  }

  /** Whether each candidate has a pair that meets; a hasty search is made in full where its first pair does not. */
  #decideAny(raw: RawAnswer, { placed, seenAt }: Question): Uint8Array {
    const meets = decideAny(raw, seenAt);
    if (!raw.hasty) return meets;
    const doubtful = new Set<number>();
    for (let r = 0; r < raw.unsure.length; r += 3)
      if (meets[raw.unsure[r]] === 0) doubtful.add(raw.unsure[r]);
    if (doubtful.size === 0) return meets;
    const again = Uint32Array.from(
      [...doubtful].flatMap(c => [raw.candidates[2 * c], raw.candidates[2 * c + 1]]),
    );
    const full = decideAny(this.#cpu.interfereSync(placed, { detail: 'any', candidates: again }), seenAt);
    let i = 0;
    for (const c of doubtful) meets[c] = full[i++];
    return meets;
  }

  /** Whether two solids whose surfaces do not meet share a point: then a part of one lies within the other. */
  #shareInterior({ seenAt, momentAt }: Question, i: number, j: number): boolean {
    const first = mayHoldPartOf(seenAt(i), seenAt(j));
    const second = mayHoldPartOf(seenAt(j), seenAt(i));
    if (!first && !second) return false;
    const ask = (a: Moment, b: Moment) =>
      (first && holdsPartOf(this.#cpu, a, b)) || (second && holdsPartOf(this.#cpu, b, a));
    return asNow(this.#cpu, momentAt(i), momentAt(j), ask);
  }

  #selfAnswer(raw: RawAnswer, question: Question, engine: Engine): SelfIntersections {
    const triangles = decideSelf(raw, question.seenAt(0), this.#cpu);
    return { triangles, method: 'hierarchy', backend: engine.backend, stats: raw.stats };
  }

  #curveAnswer(raw: RawAnswer, { momentAt, seenAt }: Question): Curve[] {
    const { triangles } = decidePairs(raw, seenAt, this.#cpu);
    return asNow(this.#cpu, momentAt(0), momentAt(1), (a, b) => curvesOf(a, b, triangles));
  }

  #pointsInside(body: Body, points: Float32Array | Float64Array): Uint8Array {
    this.#checkBody(body);
    if (!body.solid) {
      const why = body.placed.mesh.closed ? 'is not consistently oriented' : 'is open';
      throw new NearfieldError('not-solid', `${body.name} ${why}: it has no inside`);
    }
    if (points.length % 3 !== 0) {
      throw new NearfieldError('bad-array', `points have ${points.length} numbers, not a multiple of 3`);
    }
    return pointsInside(this.#cpu, body.moment(), points);
  }

  #checkOpen(): void {
    if (this.#closed) throw new NearfieldError('closed', 'this scene has been closed');
  }

  #checkBody(body: Body): void {
    this.#checkOpen();
    if (!this.#bodies.includes(body)) {
      throw new NearfieldError('closed', `${body.name} is not in this scene`);
    }
  }

  #checkSync(question: string): void {
    if (this.#engine !== this.#cpu) {
      throw new NearfieldError('unsupported', `${question} needs the cpu backend: open({ backend: 'cpu' })`);
    }
  }
}

/** One shape a mesh, counted, so that bodies of the same mesh share their trees. */
class SharedShapes {
  readonly #forget: (shape: Shape) => void;
  readonly #uses = new Map<Mesh, { shape: Shape; count: number }>();
  constructor(forget: (shape: Shape) => void) {
    this.#forget = forget;
  }
  acquire(mesh: Mesh): Shape {
    let use = this.#uses.get(mesh);
    if (!use)
      this.#uses.set(mesh, (use = { shape: { mesh, positions: mesh.positions, revision: 0 }, count: 0 }));
    use.count++;
    return use.shape;
  }
  release(shape: Shape): void {
    const use = this.#uses.get(shape.mesh);
    if (use?.shape === shape && --use.count > 0) return;
    if (use?.shape === shape) this.#uses.delete(shape.mesh);
    this.#forget(shape);
  }
}
