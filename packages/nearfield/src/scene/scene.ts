// A scene: bodies, and the questions asked of them. Each question is one line of the flow: candidates from the
// broad phase, certain and unsure triangle pairs from the engine, the exact stage, the answer.

import { NearfieldError } from '../errors.ts';
import type { Mesh } from '../mesh/mesh.ts';
import type { DistanceField } from '../methods/field/field.ts';
import {
  type FieldAsker,
  type FieldOptions,
  type FieldSlabs,
  type FieldTexture,
  type FieldTextureOptions,
  field,
  fieldSlabs,
  fieldSync,
  fieldTexture,
  intersectionVolume,
  intersectionVolumeSync,
  type VolumeOptions,
} from '../methods/field/questions.ts';
import type { IntersectionVolume } from '../methods/field/volume.ts';
import type { ProximityAsker } from '../proximity/asking.ts';
import {
  type ContactOptions,
  type Contacts,
  contactBodies,
  contactsOf,
} from '../proximity/contacts/contacts.ts';
import {
  type ClosestOptions,
  type ClosestPoints,
  closest,
  closestSync,
} from '../proximity/distance/closest-points.ts';
import {
  type Distance,
  type DistanceOptions,
  distance,
  distanceSync,
  type Proximities,
  type WithinOptions,
  within,
  withinSync,
} from '../proximity/distance/distance.ts';
import {
  type Penetration,
  type PenetrationOptions,
  penetration,
  penetrationSync,
} from '../proximity/penetration/penetration.ts';
import type { Interferences, SelfIntersections } from './answer.ts';
import { Body, type BodyOptions, formOf, type Host } from './bodies/body.ts';
import { type HeldPositions, readHeld } from './bodies/held.ts';
import { asNow } from './bodies/moment.ts';
import { SceneTable } from './bodies/table.ts';
import { checkIsBody, checkIsMesh, checkList, checkTwo } from './checks.ts';
import type {
  Engine,
  Form,
  InterfereRequest,
  Limits,
  Placed,
  RawAnswer,
  Shape,
  SyncEngine,
} from './engine.ts';
import { askAndDecide, decidePairs, decideSelf } from './exact.ts';
import type { PairFilter } from './filter.ts';
import { formsToRead } from './found.ts';
import { type Curve, curvesOf } from './questions/curves.ts';
import { Question } from './questions/question.ts';
import { type Asker, Candidates, exact, type NarrowOptions, narrowNow, narrowThen } from './stages.ts';
import { pointsInside } from './winding.ts';

export interface InterferenceOptions extends PairFilter, NarrowOptions {}

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
  readonly #table = new SceneTable();
  readonly #asker: Asker;
  readonly #proximity: ProximityAsker;
  readonly #sampling: FieldAsker;
  readonly #onClose: () => void;
  #nextIndex = 0;
  #closed = false;

  /** Use `nf.scene()`. */
  constructor(engine: Engine, cpu: SyncEngine, onClose = () => {}) {
    this.#onClose = onClose;
    this.#engine = engine;
    this.#cpu = cpu;
    const releaseHeld = (held: HeldPositions) => held.release(shape => cpu.forget(shape));
    const shapes = (this.#shapes = new SharedShapes(shape => {
      engine.forget(shape);
      if (engine !== cpu) cpu.forget(shape);
      if (shape.held !== undefined) releaseHeld(shape.held);
    }));
    const waiting = this.#waiting;
    this.#host = {
      table: this.#table,
      acquire: mesh => shapes.acquire(mesh),
      release: shape => {
        if (waiting.size > 0) this.#released.push({ shape, until: new Set(waiting) });
        else shapes.release(shape);
      },
      hold: engine.hold?.bind(engine),
      releaseHeld,
      get waiting() {
        return waiting.size > 0;
      },
    };
    this.#asker = {
      cpu,
      wait: (question, ask, answer) => this.#wait(question, ask, answer),
      checkSync: question => this.#checkSync(question),
      checkUnchanged: question => this.#checkUnchanged(question),
    };
    this.#proximity = {
      engine,
      cpu,
      ask: (...bodies) => this.#ask(...bodies),
      askAll: () => this.#askAll(),
      whileWaiting: (question, work) =>
        this.#whileWaiting(question, async () => {
          if (question.isHeld) await readHeld(question.seen.forms);
          return work();
        }),
    };
    this.#sampling = { ...this.#proximity, engine };
  }

  /** In order of their index. */
  get bodies(): readonly Body[] {
    return this.#table.bodies;
  }

  /** A body made of a mesh, which any number of bodies may share. Its index is the number of those added before it. */
  add(mesh: Mesh, options: BodyOptions = {}): Body {
    this.#checkOpen();
    checkIsMesh(mesh);
    return new Body(this.#nextIndex++, mesh, options, this.#host);
  }

  /** The body leaves, and what only it held is freed. Questions under way still see it. */
  remove(body: Body): void {
    this.#checkBody(body);
    body.leave();
  }

  /**
   * New poses for all bodies, in the order of `bodies`, or for those given: 16 numbers each, column-major, one after the
   * other. The same as setting each body's pose, in one copy. If one of them is not a pose, nothing moves.
   */
  setPoses(poses: ArrayLike<number>, bodies?: readonly Body[]): void {
    this.#checkOpen();
    const moved = bodies ?? this.#table.bodies;
    if (bodies) for (const body of bodies) this.#checkBody(body);
    if (poses.length !== 16 * moved.length) {
      const message = `setPoses takes 16 numbers a body: ${16 * moved.length} for ${moved.length}, not ${poses.length}`;
      throw new NearfieldError('bad-pose', message);
    }
    const values = poses instanceof Float64Array ? poses : Float64Array.from(poses);
    if (bodies) this.#table.setPoses(bodies, values);
    else this.#table.setAllPoses(values);
  }

  /** The broad phase alone: pairs of bodies whose world boxes meet, less those a filter leaves out. In order. */
  candidates(filter: PairFilter = {}): Candidates {
    const question = this.#askAll();
    // Never released: the table goes on with a copy, and the candidates have theirs for as long as they are kept.
    this.#table.hold(question.seen);
    return new Candidates(question, this.#asker, this.#cpu.broadSync(question.seenBy(this.#cpu))).filter(
      filter,
    );
  }

  /** Every pair of bodies that share a point: surfaces that meet, or one solid within the other. */
  async interferences(options: InterferenceOptions = {}): Promise<Interferences> {
    return narrowThen(this.#broad(options), options, true, exact);
  }

  /** The same without waiting, on the CPU backend, for loops that cannot wait. */
  interferencesSync(options: InterferenceOptions = {}): Interferences {
    this.#checkSync('interferencesSync');
    return exact(narrowNow(this.#broad(options), options, true));
  }

  /** Pairs of triangles of one body that share more than their common positions. */
  async selfIntersections(body: Body, limits: Limits = {}): Promise<SelfIntersections> {
    const question = this.#ask(body);
    return this.#wait(
      question,
      engine =>
        askAndDecide(
          limits => engine.selfIntersect(placedFor(engine, question, 0), limits),
          limits,
          question.readableAt,
          true,
        ),
      (raw, engine) => this.#selfAnswer(raw, question, engine),
      () => [],
    );
  }

  /** `selfIntersections` without waiting, on the CPU backend. */
  selfIntersectionsSync(body: Body, limits: Limits = {}): SelfIntersections {
    this.#checkSync('selfIntersectionsSync');
    const question = this.#ask(body);
    return this.#selfAnswer(this.#cpu.selfIntersectSync(body.moment(), limits), question, this.#cpu);
  }

  /** Where the surfaces of two bodies meet, as polylines. */
  async curves(a: Body, b: Body, limits: Limits = {}): Promise<Curve[]> {
    checkTwo('curves', a, b);
    const question = this.#ask(a, b);
    return this.#wait(
      question,
      engine =>
        askAndDecide(
          limits => engine.interfere(question.seenBy(engine), { ...limits, ...thePair }),
          limits,
          question.readableAt,
        ),
      raw => this.#curveAnswer(raw, question),
      () => question.seen.forms,
    );
  }

  /** `curves` without waiting, on the CPU backend. */
  curvesSync(a: Body, b: Body): Curve[] {
    this.#checkSync('curvesSync');
    checkTwo('curvesSync', a, b);
    const question = this.#ask(a, b);
    return this.#curveAnswer(this.#cpu.interfereSync(question.seen, thePair), question);
  }

  /** For each point (x, y, z triples, world): 0 outside the body's solid, 1 inside, 2 on its surface. */
  async inside(body: Body, points: Float32Array | Float64Array): Promise<Uint8Array> {
    const question = this.#ask(body);
    if (!question.isHeld) return this.#pointsInside(question, points);
    return this.#whileWaiting(question, async () => {
      await readHeld(question.seen.forms);
      return this.#pointsInside(question, points);
    });
  }

  /** `inside` without waiting, on the CPU backend. */
  insideSync(body: Body, points: Float32Array | Float64Array): Uint8Array {
    this.#checkSync('insideSync');
    return this.#pointsInside(this.#ask(body), points);
  }

  /**
   * How far apart two bodies are, and where. 0 if and only if they meet: solids also where one lies within the other,
   * unless `surface` asks for the gap between surfaces.
   */
  async distance(a: Body, b: Body, options: DistanceOptions = {}): Promise<Distance> {
    checkTwo('distance', a, b);
    return distance(this.#proximity, a, b, options);
  }

  /** `distance` without waiting, on the CPU backend. */
  distanceSync(a: Body, b: Body, options: DistanceOptions = {}): Distance {
    this.#checkSync('distanceSync');
    checkTwo('distanceSync', a, b);
    return distanceSync(this.#proximity, a, b, options);
  }

  /** Every pair of bodies strictly nearer to each other than the clearance, decided exactly. */
  async within(clearance: number, options: WithinOptions = {}): Promise<Proximities> {
    return within(this.#proximity, clearance, options);
  }

  /** `within` without waiting, on the CPU backend. */
  withinSync(clearance: number, options: WithinOptions = {}): Proximities {
    this.#checkSync('withinSync');
    return withinSync(this.#proximity, clearance, options);
  }

  /** The nearest point of a body's surface to each of the points (x, y, z triples, world). */
  async closest(
    body: Body,
    points: Float32Array | Float64Array,
    options: ClosestOptions = {},
  ): Promise<ClosestPoints> {
    return closest(this.#proximity, body, points, options);
  }

  /** `closest` without waiting, on the CPU backend. */
  closestSync(body: Body, points: Float32Array | Float64Array, options: ClosestOptions = {}): ClosestPoints {
    this.#checkSync('closestSync');
    return closestSync(this.#proximity, body, points, options);
  }

  /**
   * Where and how two bodies press on one another: a patch for each connected part of what two solids have in common,
   * and for each flat piece, line or point in which surfaces touch.
   */
  async contacts(a: Body, b: Body, options: ContactOptions = {}): Promise<Contacts> {
    checkTwo('contacts', a, b);
    const question = this.#ask(...contactBodies(a, b, options));
    const { previous, ...limits } = options;
    return this.#wait(
      question,
      engine => engine.interfere(question.seenBy(engine), { ...limits, ...thePair }),
      (raw, engine) => contactsOf(this.#cpu, raw, question, a, b, previous, engine.backend),
      () => question.seen.forms,
    );
  }

  /** `contacts` without waiting, on the CPU backend. */
  contactsSync(a: Body, b: Body, options: ContactOptions = {}): Contacts {
    this.#checkSync('contactsSync');
    checkTwo('contactsSync', a, b);
    const question = this.#ask(...contactBodies(a, b, options));
    const raw = this.#cpu.interfereSync(question.seen, thePair);
    return contactsOf(this.#cpu, raw, question, a, b, options.previous, 'cpu');
  }

  /**
   * What bodies have in common, sampled: the points that lie in at least two of them, or of one body alone those around which
   * it winds at least twice (opposite turns cancel). Exact at every sample; `tolerance` says how close samples are.
   */
  async intersectionVolume(
    bodies: Body | readonly Body[],
    options: VolumeOptions = {},
  ): Promise<IntersectionVolume> {
    checkList('intersectionVolume', options);
    return intersectionVolume(this.#sampling, bodies, options);
  }

  /** `intersectionVolume` without waiting, on the CPU backend. */
  intersectionVolumeSync(bodies: Body | readonly Body[], options: VolumeOptions = {}): IntersectionVolume {
    this.#checkSync('intersectionVolumeSync');
    checkList('intersectionVolumeSync', options);
    return intersectionVolumeSync(this.#sampling, bodies, options);
  }

  /** The distance to a body's surface at the samples of a grid, negative inside, with the triangle each comes from. */
  async field(body: Body, options: FieldOptions = {}): Promise<DistanceField> {
    return field(this.#sampling, body, options);
  }

  /** `field` without waiting, on the CPU backend. */
  fieldSync(body: Body, options: FieldOptions = {}): DistanceField {
    this.#checkSync('fieldSync');
    return fieldSync(this.#sampling, body, options);
  }

  /** The same slab by slab, for fields larger than memory: of the body as it now stands. */
  async fieldSlabs(body: Body, options: FieldOptions = {}): Promise<FieldSlabs> {
    return fieldSlabs(this.#sampling, body, options);
  }

  /** The same as two textures on the scene's device, for another program to bind. They are the caller's to destroy. */
  async fieldTexture(body: Body, options: FieldTextureOptions = {}): Promise<FieldTexture> {
    return fieldTexture(this.#sampling, body, options);
  }

  /**
   * How far b must move until the two solids have no common interior: bounds of the least such translation, and one that was
   * verified. The first question about a shape takes longer; what was found of it is kept.
   */
  async penetration(a: Body, b: Body, options: PenetrationOptions = {}): Promise<Penetration> {
    checkTwo('penetration', a, b);
    return penetration(this.#proximity, a, b, options);
  }

  /** `penetration` without waiting, on the CPU backend. */
  penetrationSync(a: Body, b: Body, options: PenetrationOptions = {}): Penetration {
    this.#checkSync('penetrationSync');
    checkTwo('penetrationSync', a, b);
    return penetrationSync(this.#proximity, a, b, options);
  }

  /** All bodies leave, and what they held is freed. `nf.close()` closes every scene. */
  close(): void {
    if (this.#closed) return;
    for (const body of this.#table.bodies) body.leave();
    this.#closed = true;
    this.#onClose();
  }

  /** The candidates of a question that is answered at once. Without a filter they are left to the engine to find. */
  #broad(filter: PairFilter): Candidates {
    return new Candidates(this.#askAll(), this.#asker).filter(filter);
  }

  /** A question about all bodies. */
  #askAll(): Question {
    this.#checkOpen();
    return new Question(this.#table.bodies, this.#table.now());
  }

  /** A question about a few. */
  #ask(...bodies: readonly Body[]): Question {
    for (const body of bodies) this.#checkBody(body);
    return Question.of(...bodies);
  }

  /**
   * Asks the engine, or the CPU's where the GPU has not the memory, and makes an answer of what it found. Until then
   * what the question sees of its bodies stays as it is: shapes are neither changed nor freed.
   */
  async #wait<A>(
    question: Question,
    ask: (engine: Engine) => Promise<RawAnswer>,
    answer: (raw: RawAnswer, engine: Engine) => A,
    needed: (raw: RawAnswer) => Iterable<Form> = raw => formsToRead(raw, question),
  ): Promise<A> {
    return this.#whileWaiting(question, async () => {
      try {
        const raw = await ask(this.#engine);
        if (question.isHeld) await readHeld(needed(raw));
        return answer(raw, this.#engine);
      } catch (error) {
        const full = error instanceof NearfieldError && error.code === 'out-of-memory';
        if (!full || this.#engine === this.#cpu) throw error;
        if (question.isHeld) await readHeld(question.seen.forms);
        return answer(await ask(this.#cpu), this.#cpu);
      }
    });
  }

  /** Until the work is done, what the question sees of its bodies stays as it is. */
  async #whileWaiting<A>(question: Question, work: () => Promise<A>): Promise<A> {
    this.#waiting.add(question);
    this.#table.hold(question.seen);
    try {
      return await work();
    } finally {
      this.#waiting.delete(question);
      this.#table.release(question.seen);
      this.#released = this.#released.filter(({ shape, until }) => {
        until.delete(question);
        if (until.size === 0) this.#shapes.release(shape);
        return until.size > 0;
      });
    }
  }

  #selfAnswer(raw: RawAnswer, question: Question, engine: Engine): SelfIntersections {
    const triangles = decideSelf(raw, question.readableAt(0), this.#cpu);
    return { triangles, method: 'hierarchy', backend: engine.backend, stats: raw.stats };
  }

  #curveAnswer(raw: RawAnswer, { readableAt }: Question): Curve[] {
    const { triangles } = decidePairs(raw, readableAt, this.#cpu);
    return asNow(this.#cpu, readableAt(0), readableAt(1), (a, b) => curvesOf(a, b, triangles));
  }

  #pointsInside({ bodies, readableAt }: Question, points: Float32Array | Float64Array): Uint8Array {
    const moment = readableAt(0);
    if (!moment.mesh.solid) {
      const why = moment.mesh.closed ? 'is not consistently oriented' : 'is open';
      throw new NearfieldError('not-solid', `${bodies[0].name} ${why}: it has no inside`);
    }
    if (points.length % 3 !== 0) {
      throw new NearfieldError('bad-array', `points have ${points.length} numbers, not a multiple of 3`);
    }
    return pointsInside(this.#cpu, moment, points);
  }

  #checkOpen(): void {
    if (this.#closed) throw new NearfieldError('closed', 'this scene has been closed');
  }

  #checkBody(body: Body): void {
    this.#checkOpen();
    checkIsBody(body);
    if (this.#table.has(body)) return;
    if (body.row < 0) throw new NearfieldError('closed', `${body.name} is not in this scene any more`);
    throw new NearfieldError('bad-option', `${body.name} is not in this scene: it belongs to another`);
  }

  #checkUnchanged({ bodies, seen }: Question): void {
    this.#checkOpen();
    const { forms } = this.#table.now();
    const changed = bodies.find((body, i) => forms[body.row] !== seen.forms[i]);
    if (changed === undefined) return;
    const what = changed.row < 0 ? 'was removed from the scene' : 'was deformed';
    throw new NearfieldError(
      'stale',
      `${changed.name} ${what} after its candidates were found: find them again`,
    );
  }

  #checkSync(question: string): void {
    if (this.#engine !== this.#cpu) {
      throw new NearfieldError('unsupported', `${question} needs the cpu backend: open({ backend: 'cpu' })`);
    }
  }
}

/** A body of a question as an engine reads it. */
const placedFor = ({ backend }: Engine, question: Question, i: number): Placed =>
  backend === 'gpu' ? question.momentAt(i) : question.readableAt(i);

/** One shape a mesh, counted, so that bodies of the same mesh share their trees. */
class SharedShapes {
  readonly #forget: (shape: Shape) => void;
  readonly #uses = new Map<Mesh, { form: Form; count: number }>();
  constructor(forget: (shape: Shape) => void) {
    this.#forget = forget;
  }
  acquire(mesh: Mesh): Form {
    let use = this.#uses.get(mesh);
    if (!use) {
      use = { form: formOf({ mesh, positions: mesh.positions, revision: 0 }), count: 0 };
      this.#uses.set(mesh, use);
    }
    use.count++;
    return use.form;
  }
  release(shape: Shape): void {
    const use = this.#uses.get(shape.mesh);
    if (use?.form.shape === shape && --use.count > 0) return;
    if (use?.form.shape === shape) this.#uses.delete(shape.mesh);
    this.#forget(shape);
  }
}
