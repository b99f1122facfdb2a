// A scene without its questions: bodies, and the engines that questions about them are asked of. `Scene` (scene.ts) adds the questions as
// methods; an application that imports single questions asks them of this.

import { Body, type BodyOptions } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { type BufferLayout, type DeviceBuffer, isBuffer, layoutRules } from '../bodies/on-gpu/held.ts';
import { HeldPoses } from '../bodies/on-gpu/held-poses.ts';
import { bad, checkOptions, inWords, isObject, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { checkIsMesh } from './checks.ts';
import { SceneCore } from './scene-core.ts';

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

/** What questions about a scene are asked with. @internal */
export let coreOf: (scene: BareScene) => SceneCore;

export class BareScene<B extends Engine['backend'] = Engine['backend']> {
  static {
    coreOf = scene => {
      if (isObject(scene) && #asker in scene) return scene.#asker;
      throw wrong('scene', 'what scene() of an opened backend gave', scene);
    };
  }
  readonly #asker: SceneCore;
  readonly #onClose: () => void;
  #nextIndex = 0;

  /** Use `nf.scene()`. */
  constructor(engine: Engine, cpu: CpuEngine, onClose: () => void = () => {}) {
    this.#asker = new SceneCore(engine, cpu);
    this.#onClose = onClose;
  }

  /** Where questions are asked. */
  get backend(): B {
    return this.#asker.engine.backend as B;
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

  /** All bodies leave, and what they held is freed. `nf.close()` closes every scene. */
  close(): void {
    if (this.#asker.closed) return;
    this.#asker.close();
    this.#onClose();
  }
}
