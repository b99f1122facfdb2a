// A scene: bodies, and the questions asked of them. Each question is one line of the flow: candidates from the
// broad phase, certain and unsure triangle pairs from the engine, the exact stage, the answer.

import { NearfieldError } from '../errors.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { Interferences, Pair, type SelfIntersections } from './answer.ts';
import { Body, type BodyOptions, type ShapeStore } from './body.ts';
import { type Curve, curvesOf } from './curves.ts';
import type {
  Detail,
  Engine,
  InterfereRequest,
  Limits,
  Placed,
  RawAnswer,
  Shape,
  SyncEngine,
} from './engine.ts';
import { decideCounts, decidePairs, decideSelf } from './exact.ts';
import { filterCandidates, type PairFilter, pairPredicate } from './filter.ts';
import { asNow, type Moment, momentOf } from './moment.ts';
import { holdsPartOf } from './relation/containment.ts';
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
  readonly #store: ShapeStore;
  #bodies: Body[] = [];
  #nextIndex = 0;
  #closed = false;

  /** Use `nf.scene()`. */
  constructor(engine: Engine, cpu: SyncEngine) {
    this.#engine = engine;
    this.#cpu = cpu;
    this.#store = new SharedShapes(shape => {
      engine.forget(shape);
      if (engine !== cpu) cpu.forget(shape);
    });
  }

  /** In order of their index. */
  get bodies(): readonly Body[] {
    return this.#bodies;
  }

  add(mesh: Mesh, options: BodyOptions = {}): Body {
    this.#checkOpen();
    const body = new Body(this.#nextIndex++, mesh, options, this.#store);
    this.#bodies.push(body);
    return body;
  }

  remove(body: Body): void {
    const at = this.#bodies.indexOf(body);
    if (at < 0) throw new NearfieldError('closed', `${body.name} is not in this scene`);
    this.#bodies.splice(at, 1);
    body.leave();
  }

  /** Every pair of bodies that share a point: surfaces that meet, or one solid within the other. */
  async interferences(options: InterferenceOptions = {}): Promise<Interferences> {
    const { bodies, moments, request } = this.#prepare(options);
    const raw = await this.#engine.interfere(moments, request);
    return this.#assemble(raw, bodies, moments, request.detail, this.#engine);
  }

  /** The same without waiting, on the CPU backend, for loops that cannot wait. */
  interferencesSync(options: InterferenceOptions = {}): Interferences {
    this.#checkSync('interferencesSync');
    const { bodies, moments, request } = this.#prepare(options);
    const raw = this.#cpu.interfereSync(moments, request);
    return this.#assemble(raw, bodies, moments, request.detail, this.#cpu);
  }

  /** Pairs of triangles of one body that share more than their common positions. */
  async selfIntersections(body: Body, limits: Limits = {}): Promise<SelfIntersections> {
    this.#checkBody(body);
    const moment = momentOf(body);
    const raw = await this.#engine.selfIntersect(moment, limits);
    return this.#selfAnswer(raw, moment, this.#engine);
  }

  selfIntersectionsSync(body: Body, limits: Limits = {}): SelfIntersections {
    this.#checkSync('selfIntersectionsSync');
    this.#checkBody(body);
    const moment = momentOf(body);
    return this.#selfAnswer(this.#cpu.selfIntersectSync(moment, limits), moment, this.#cpu);
  }

  /** Where the surfaces of two bodies meet, as polylines. */
  async curves(a: Body, b: Body, limits: Limits = {}): Promise<Curve[]> {
    const moments = this.#momentsOf(a, b);
    const raw = await this.#engine.interfere(moments, { ...limits, ...thePair });
    return this.#curveAnswer(raw, moments);
  }

  curvesSync(a: Body, b: Body): Curve[] {
    this.#checkSync('curvesSync');
    const moments = this.#momentsOf(a, b);
    return this.#curveAnswer(this.#cpu.interfereSync(moments, thePair), moments);
  }

  /** For each point (x, y, z triples, world): 0 outside the body's solid, 1 inside, 2 on its surface. */
  async inside(body: Body, points: Float32Array | Float64Array): Promise<Uint8Array> {
    return this.#pointsInside(body, points);
  }

  insideSync(body: Body, points: Float32Array | Float64Array): Uint8Array {
    this.#checkSync('insideSync');
    return this.#pointsInside(body, points);
  }

  /** Called by `nf.close()`: all bodies leave. */
  close(): void {
    for (const body of this.#bodies) body.leave();
    this.#bodies = [];
    this.#closed = true;
  }

  #prepare(options: InterferenceOptions): {
    bodies: readonly Body[];
    moments: readonly Moment[];
    request: InterfereRequest;
  } {
    this.#checkOpen();
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
    const bodies = this.#bodies.slice();
    const moments = bodies.map(momentOf);
    const keep = pairPredicate(options);
    const candidates = keep && filterCandidates(this.#cpu.broadSync(moments), bodies, keep);
    return { bodies, moments, request: { detail, bruteForce, signal, progress, candidates } };
  }

  #assemble(
    raw: RawAnswer,
    bodies: readonly Body[],
    moments: readonly Moment[],
    detail: Detail,
    engine: Engine,
  ): Interferences {
    const found = detail === 'count' ? undefined : decidePairs(raw, moments, this.#cpu);
    const counts = detail === 'count' ? decideCounts(raw, moments, this.#cpu) : undefined;
    const pairs: Pair[] = [];
    for (let c = 0; c < raw.candidates.length / 2; c++) {
      const [i, j] = [raw.candidates[2 * c], raw.candidates[2 * c + 1]];
      const [a, b] = [moments[i], moments[j]];
      const [start, end] = found ? [found.start[c], found.start[c + 1]] : [0, counts![c]];
      const count = end - start;
      if (count === 0 && !asNow(this.#cpu, a, b, (x, y) => shareInterior(this.#cpu, x, y))) continue;
      const triangles = detail === 'list' ? found!.triangles.subarray(2 * start, 2 * end) : undefined;
      const shown = detail === 'any' ? undefined : count;
      pairs.push(new Pair(bodies[i], bodies[j], a, b, shown, triangles, this.#cpu));
    }
    pairs.sort((p, q) => p.a.index - q.a.index || p.b.index - q.b.index);
    return new Interferences(pairs, 'hierarchy', engine.backend, raw.stats);
  }

  #selfAnswer(raw: RawAnswer, moment: Moment, engine: Engine): SelfIntersections {
    const triangles = decideSelf(raw, moment, this.#cpu);
    return { triangles, method: 'hierarchy', backend: engine.backend, stats: raw.stats };
  }

  #curveAnswer(raw: RawAnswer, [a, b]: readonly [Moment, Moment]): Curve[] {
    const { triangles } = decidePairs(raw, [a, b], this.#cpu);
    return asNow(this.#cpu, a, b, (x, y) => curvesOf(x, y, triangles));
  }

  #momentsOf(a: Body, b: Body): [Moment, Moment] {
    this.#checkBody(a);
    this.#checkBody(b);
    return [momentOf(a), momentOf(b)];
  }

  #pointsInside(body: Body, points: Float32Array | Float64Array): Uint8Array {
    this.#checkBody(body);
    if (!body.solid) {
      const why = body.shape.mesh.closed ? 'is not consistently oriented' : 'is open';
      throw new NearfieldError('not-solid', `${body.name} ${why}: it has no inside`);
    }
    if (points.length % 3 !== 0) {
      throw new NearfieldError('bad-array', `points have ${points.length} numbers, not a multiple of 3`);
    }
    return pointsInside(this.#cpu, body, points);
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

/** Whether two solids whose surfaces do not meet share a point: then a part of one lies within the other. */
function shareInterior(engine: SyncEngine, a: Placed, b: Placed): boolean {
  if (!a.shape.mesh.solid || !b.shape.mesh.solid) return false;
  return holdsPartOf(engine, a, b) || holdsPartOf(engine, b, a);
}

/** One shape a mesh, counted, so that bodies of the same mesh share their trees. */
class SharedShapes implements ShapeStore {
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
