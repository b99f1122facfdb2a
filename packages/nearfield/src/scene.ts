// A scene: bodies, and the questions asked of them. Each question is one line of the flow: candidates from the
// broad phase, certain and unsure triangle pairs from the engine, the exact stage, the answer.

import { Body, type BodyOptions } from './bodies/body.ts';
import type { Engine } from './bodies/engine.ts';
import { type BufferLayout, type DeviceBuffer, isBuffer, layoutRules } from './bodies/held.ts';
import { HeldPoses } from './bodies/held-poses.ts';
import { broadSync } from './candidates/cpu/pair-front.ts';
import { filterRules, type PairFilter } from './candidates/filter.ts';
import { type ContactOptions, type Contacts, contacts } from './contacts/contacts.ts';
import { bad, checkOptions, inWords, isObject, limitRules, type Rules, wrong } from './core/arguments.ts';
import { NearfieldError } from './core/errors.ts';
import type { Limits } from './core/limits.ts';
import { isOptions } from './core/words.ts';
import type { CpuEngine } from './cpu/engine.ts';
import { type ClosestOptions, type ClosestPoints, closest } from './distance/closest-points.ts';
import {
  type Distance,
  type DistanceOptions,
  distance,
  type Proximities,
  type WithinOptions,
  within,
} from './distance/distance.ts';
import { inside } from './inside/inside.ts';
import { type Steps, type StepsOf, type StepsOptions, steps } from './inspect/steps.ts';
import type { Interferences, SelfIntersections } from './interferences/answer.ts';
import { type Curve, curves } from './interferences/curves/curves.ts';
import { checkNotSampling, samplingMethodOf } from './interferences/method.ts';
import { type SelfIntersectionOptions, selfIntersections } from './interferences/self-intersections.ts';
import { Candidates, exact, type NarrowOptions, narrowRules, narrowThen } from './interferences/stages.ts';
import type { Mesh } from './mesh/mesh.ts';
import { type Penetration, type PenetrationOptions, penetration } from './penetration/penetration.ts';
import { Asker } from './questions/asker.ts';
import { checkIsMesh, checkList, checkTwo } from './questions/checks.ts';
import type { DistanceField } from './sampled/field/field.ts';
import {
  type FieldOptions,
  type FieldSlabs,
  type FieldTexture,
  type FieldTextureOptions,
  field,
  fieldSlabs,
  fieldTexture,
  intersectionVolume,
  type VolumeOptions,
} from './sampled/field/questions.ts';
import type { IntersectionVolume } from './sampled/field/volume.ts';
import type { LayersInterferences } from './sampled/layers/answer.ts';
import { type LayersQuestion, layers, layersRules } from './sampled/layers/question.ts';
import { distanceMap } from './sampled/map/distance-map.ts';
import type { DistanceMap } from './sampled/map/map.ts';
import type { DistanceMapOptions } from './sampled/map/options.ts';
import type { RaycastInterferences } from './sampled/raycast/answer.ts';
import type { RaycastFound } from './sampled/raycast/options.ts';
import { type RaycastQuestion, raycast, raycastRules } from './sampled/raycast/question.ts';

export interface InterferenceOptions extends PairFilter, NarrowOptions {}

/** Poses as doubles; undefined where they are not numbers. Typed arrays need no look at each. */
function numbersOfPoses(given: unknown): Float64Array | undefined {
  if (given instanceof Float64Array) return given;
  if (!isObject(given)) return undefined;
  const list = given as ArrayLike<unknown>;
  if (!Number.isSafeInteger(list.length)) return undefined;
  if (given instanceof BigInt64Array || given instanceof BigUint64Array) return undefined;
  const looked = ArrayBuffer.isView(given) ? 0 : list.length;
  for (let i = 0; i < looked; i++) if (typeof list[i] !== 'number') return undefined;
  return new Float64Array(list as ArrayLike<number>);
}

/** @internal */
export const interferenceRules: Rules<InterferenceOptions> = { ...filterRules, ...narrowRules };

/** What a scene asks its questions with, for its synchronous forms (cpu-scene.ts). @internal */
export let askerOf: (scene: Scene) => Asker;

export class Scene {
  static {
    askerOf = scene => scene.#asker;
  }
  readonly #asker: Asker;
  readonly #onClose: () => void;
  #nextIndex = 0;

  /** Use `nf.scene()`. */
  constructor(engine: Engine, cpu: CpuEngine, onClose = () => {}) {
    this.#asker = new Asker(engine, cpu);
    this.#onClose = onClose;
  }

  /** In order of their index. */
  get bodies(): readonly Body[] {
    return this.#asker.table.bodies;
  }

  /** A body made of a mesh, which any number of bodies may share. Its index is the number of those added before it. */
  add(mesh: Mesh, options: BodyOptions = {}): Body {
    this.#asker.checkOpen();
    checkIsMesh(mesh);
    const body = new Body(this.#nextIndex, mesh, options, this.#asker.host);
    // What could not be added has no index.
    this.#nextIndex++;
    return body;
  }

  /** The body leaves, and what only it held is freed. Questions under way still see it. */
  remove(body: Body): void {
    this.#asker.checkBody(body);
    body.leave();
  }

  /**
   * New poses for all bodies, in the order of `bodies`, or for those given: 16 numbers each, column-major, one after the
   * other. The same as setting each body's pose, in one copy. If one of them is not a pose, nothing moves.
   *
   * A simulation on the GPU gives a GPUBuffer instead, for all bodies: of the device that `open({ device })` took, with
   * COPY_SRC, an `array<mat4x4f>` or as the layout says. It is copied in the queue's order, and stays on the GPU:
   * `interferences` finds the pairs from it. Where one is not a pose, every question is refused ('bad-pose') until there are
   * others; the same where the device refused the copy ('out-of-memory', or 'bad-array' where the buffer cannot be copied). Whatever needs a pose on the CPU reads them all, or asks for `await scene.readPoses()` first; bodies that come
   * or go without that leave the others nowhere ('stale') until all poses are given again.
   */
  setPoses(poses: ArrayLike<number>, bodies?: readonly Body[]): void;
  setPoses(poses: DeviceBuffer, layout?: BufferLayout): void;
  setPoses(poses: ArrayLike<number> | DeviceBuffer, options?: readonly Body[] | BufferLayout): void {
    this.#asker.checkOpen();
    if (isBuffer(poses)) this.#holdPoses(poses, options);
    else this.#setPoses(poses as ArrayLike<number>, options as readonly Body[] | undefined);
  }

  #setPoses(poses: ArrayLike<number>, bodies: readonly Body[] | undefined): void {
    const { table } = this.#asker;
    if (bodies !== undefined && !Array.isArray(bodies)) {
      const message = 'setPoses takes a layout with a GPUBuffer alone; with an array, bodies, a list of them';
      throw bad(`${message}, not ${inWords(bodies)}`);
    }
    const moved = bodies ?? table.bodies;
    if (bodies) for (const body of bodies) this.#asker.checkBody(body);
    const values = numbersOfPoses(poses);
    if (values?.length !== 16 * moved.length) {
      const given = values === undefined ? inWords(poses) : values.length;
      const message = `setPoses takes poses of 16 numbers a body: ${16 * moved.length} for ${moved.length}, not ${given}`;
      throw new NearfieldError('bad-pose', message);
    }
    if (bodies) table.setPoses(bodies, values);
    else table.setAllPoses(values);
  }

  #holdPoses(buffer: object, given: readonly Body[] | BufferLayout | undefined): void {
    const { table, host } = this.#asker;
    const layout = given === undefined ? {} : given;
    if (Array.isArray(layout)) {
      const message = 'a GPUBuffer has the poses of all bodies: setPoses takes no list of some with it';
      throw new NearfieldError('unsupported', message);
    }
    checkOptions(layout as BufferLayout, layoutRules, 'setPoses', 'layout');
    if (host.hold === undefined) {
      const message =
        'setPoses takes a GPUBuffer on the GPU backend, of the device given to open({ device })';
      throw new NearfieldError('no-gpu', message);
    }
    const { bodies } = table;
    const poses = { what: 'poses', count: bodies.length, numbers: 16 } as const;
    const copy = host.hold(buffer, poses, layout as BufferLayout, 'setPoses');
    table.holdPoses(new HeldPoses(copy, row => bodies[row].name));
  }

  /**
   * The poses of all bodies as they now are, in their order, read from the GPU where they are there. A copy. Each `body.pose`
   * is known from then on.
   */
  async readPoses(): Promise<Float64Array> {
    this.#asker.checkOpen();
    return this.#asker.whileOpen(() => this.#asker.table.readPoses());
  }

  /**
   * Room for the poses of all bodies, in their order, to be written by what moves them and then given to `setPoses`, which
   * takes it over: of very many bodies on a GPU nothing is copied. What it holds at first means nothing, so all of it is to
   * be written. It serves for one `setPoses` alone.
   */
  borrowPoses(): Float64Array {
    this.#asker.checkOpen();
    return this.#asker.table.lend();
  }

  /** The broad phase alone: pairs of bodies whose world boxes meet, less those a filter leaves out. In order. */
  candidates(filter: PairFilter = {}): Candidates {
    const { table, cpu, engine } = this.#asker;
    const question = this.#asker.askAll();
    checkOptions(filter, filterRules, 'candidates', 'filter');
    const found = new Candidates(question, this.#asker, broadSync(cpu, question.seenBy(cpu))).less(filter);
    // Candidates have what was seen for as long as they are kept: the poses of their own bodies, copied, or of all where
    // images of the whole scene may be asked for. Then the table goes on with a copy, and this hold is never released: its
    // poses are in memory of their own, which is given back with the candidates. Room in the CPU engine's would not be.
    if (engine === cpu) question.keepOnly(found.rows, table);
    else table.hold(question.seen);
    return found;
  }

  /** All pairs, which are candidates being left to the engine. For `narrow`. @internal */
  unsought(): Candidates {
    return new Candidates(this.#asker.askAll(), this.#asker);
  }

  /**
   * Every pair of bodies that share a point: surfaces that meet, or one solid within the other. Every method gives the same answer.
   * All of them make a tree of each shape the first time it is asked about, and keep it.
   */
  async interferences(options: InterferenceOptions = {}): Promise<Interferences> {
    // A method that samples first: its options are not known here.
    checkNotSampling('interferences', options);
    checkOptions(options, interferenceRules, 'interferences');
    return narrowThen(candidatesOf(this.#asker, options), options, true, exact);
  }

  /**
   * Pairs of bodies that interfere, by a method that samples lines through pixels, on a GPU: 'raycast' (Knott) or 'layers'
   * (Myszkowski et al.). The answer says how small an interference may be missed. Both are of solids: an open body in a candidate
   * pair is 'not-solid'.
   */
  sampledInterferences(
    options: RaycastQuestion & { readonly ask?: 'pairs' | 'edges' | undefined },
  ): Promise<RaycastInterferences>;
  sampledInterferences(options: RaycastQuestion): Promise<RaycastFound>;
  sampledInterferences(options: LayersQuestion): Promise<LayersInterferences>;
  async sampledInterferences(
    options: RaycastQuestion | LayersQuestion,
  ): Promise<RaycastFound | LayersInterferences> {
    if (!isOptions(options)) throw wrong('sampledInterferences: options', 'an object with a method', options);
    if (samplingMethodOf('sampledInterferences', options) === 'raycast') {
      checkOptions(options as RaycastQuestion, raycastRules, 'sampledInterferences');
      return raycast(candidatesOf(this.#asker, options), options as RaycastQuestion);
    }
    checkOptions(options as LayersQuestion, layersRules, 'sampledInterferences');
    return layers(candidatesOf(this.#asker, options), options as LayersQuestion);
  }

  /** Pairs of triangles of one body that share more than their common positions. */
  async selfIntersections(body: Body, options: SelfIntersectionOptions = {}): Promise<SelfIntersections> {
    return selfIntersections(this.#asker, body, options);
  }

  /** Where the surfaces of two bodies meet, as polylines. */
  async curves(a: Body, b: Body, limits: Limits = {}): Promise<Curve[]> {
    checkTwo('curves', a, b);
    checkOptions(limits, limitRules, 'curves', 'limits');
    return curves(this.#asker, a, b, limits);
  }

  /**
   * For each point (x, y, z triples, world): 0 outside the body's solid, 1 inside, 2 on its surface. Points that are not finite
   * are refused ('not-finite').
   */
  async inside(body: Body, points: Float32Array | Float64Array): Promise<Uint8Array> {
    return inside(this.#asker, body, points);
  }

  /**
   * How far apart two bodies are, and where. 0 if and only if they meet: solids also where one lies within the other,
   * unless `surface` asks for the gap between surfaces.
   */
  async distance(a: Body, b: Body, options: DistanceOptions = {}): Promise<Distance> {
    checkTwo('distance', a, b);
    return distance(this.#asker, a, b, options);
  }

  /** Every pair of bodies strictly nearer to each other than the clearance, decided exactly. */
  async within(clearance: number, options: WithinOptions = {}): Promise<Proximities> {
    return within(this.#asker, clearance, options);
  }

  /**
   * The nearest point of a body's surface to each of the points (x, y, z triples, world). Every distance has a relative error of at
   * most 2^-52, slivers included, and is 0 if and only if the point is on the surface. The lowest of the nearest triangles is
   * given, decided exactly.
   */
  async closest(
    body: Body,
    points: Float32Array | Float64Array,
    options: ClosestOptions = {},
  ): Promise<ClosestPoints> {
    return closest(this.#asker, body, points, options);
  }

  /**
   * Where and how two bodies press on one another: a patch for each connected part of what two solids have in common,
   * and for each flat piece, line or point in which surfaces touch.
   */
  async contacts(a: Body, b: Body, options: ContactOptions = {}): Promise<Contacts> {
    checkTwo('contacts', a, b);
    return contacts(this.#asker, a, b, options);
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
    return intersectionVolume(this.#asker, bodies, options);
  }

  /** The distance to a body's surface at the samples of a grid, negative inside, with the triangle each comes from. */
  async field(body: Body, options: FieldOptions = {}): Promise<DistanceField> {
    return field(this.#asker, body, options);
  }

  /** The same slab by slab, for fields larger than memory: of the body as it now stands. */
  async fieldSlabs(body: Body, options: FieldOptions = {}): Promise<FieldSlabs> {
    return fieldSlabs(this.#asker, body, options);
  }

  /** The same as two textures on the scene's device, for another program to bind. They are the caller's to destroy. */
  async fieldTexture(body: Body, options: FieldTextureOptions = {}): Promise<FieldTexture> {
    return fieldTexture(this.#asker, body, options);
  }

  /**
   * How far b must move until the two solids have no common interior: bounds of the least such translation, and one that was
   * verified. The first question about a shape takes longer; what was found of it is kept. `points` asks how deep
   * single points lie, too: vertices of each in the other, and samples of what they have in common.
   */
  async penetration(a: Body, b: Body, options: PenetrationOptions = {}): Promise<Penetration> {
    checkTwo('penetration', a, b);
    return penetration(this.#asker, a, b, options);
  }

  /**
   * How far apart two bodies are along the lines of a view, pixel by pixel: gaps, and minus what they have in common. On the
   * GPU where the scene has one; lines it cannot follow, or all, are cast on the CPU. Which pixels overlap, touch and are
   * shown is decided exactly, so that counts, areas and the border are the same on every backend.
   */
  async distanceMap(a: Body, b: Body, options: DistanceMapOptions = {}): Promise<DistanceMap> {
    checkTwo('distanceMap', a, b);
    return distanceMap(this.#asker, a, b, options);
  }

  /** How a method comes to its answer about two bodies, as data for pictures: `{ method: 'hierarchy' }`. */
  async steps<M extends Steps['method']>(
    bodies: readonly [Body, Body],
    options: StepsOptions & { readonly method: M },
  ): Promise<StepsOf<M>> {
    return (await steps(this.#asker, bodies, options)) as StepsOf<M>;
  }

  /** All bodies leave, and what they held is freed. `nf.close()` closes every scene. */
  close(): void {
    if (this.#asker.closed) return;
    this.#asker.close();
    this.#onClose();
  }
}

/** The candidates of a question that is answered at once. Without a filter they are left to the engine to find. @internal */
export const candidatesOf = (asker: Asker, filter: PairFilter): Candidates =>
  new Candidates(asker.askAll(), asker).less(filter);
