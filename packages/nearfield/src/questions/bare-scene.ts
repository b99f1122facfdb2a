// A scene without questions: its bodies, and the engines that answer. `Scene` (scene.ts) adds the questions as methods.
// An application that imports single questions passes them a BareScene.

import { Body, type BodyOptions } from '../bodies/body.ts';
import type { Engine } from '../bodies/engine.ts';
import { type BufferLayout, type DeviceBuffer, isBuffer, layoutRules } from '../bodies/on-gpu/buffers.ts';
import { bad, checkOptions, inWords, isObject, wrong } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Backend } from '../core/stats.ts';
import type { CpuEngine } from '../cpu/engine.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { checkIsMesh } from './checks.ts';
import { SceneCore } from './scene-core.ts';

/** When a scene has so many bodies, threads start while the rest are added: questions about all bodies will need the threads. */
const manyBodies = 1 << 14;

/** Poses as doubles; undefined if they are not numbers. Typed arrays need no check per element. */
function numbersOfPoses(given: unknown): Float64Array | undefined {
  if (given instanceof Float64Array) return given;
  if (!isObject(given)) return undefined;
  const list = given as ArrayLike<unknown>;
  if (!Number.isSafeInteger(list.length)) return undefined;
  if (given instanceof BigInt64Array || given instanceof BigUint64Array) return undefined;
  const checked = ArrayBuffer.isView(given) ? 0 : list.length;
  for (let i = 0; i < checked; i++) if (typeof list[i] !== 'number') return undefined;
  return new Float64Array(list as ArrayLike<number>);
}

/** The part of a scene that questions work with. @internal */
export let coreOf: (scene: BareScene) => SceneCore;

/**
 * Bodies, and the engines that questions about them are asked of. The questions are functions: `interferences(scene)` of
 * `nearfield/interferences`; a `Scene` has them as methods too.
 *
 * Conventions for all questions. Coordinates and lengths are world units, the caller's own. Pairs have
 * a.index < b.index and are sorted. Normals point from a to b. An answer is about the bodies as they were when the
 * question was asked.
 *
 * Errors of all questions: 'bad-option' or 'bad-array' for a wrong argument, 'closed' if a body or the scene is gone,
 * 'not-finite' if a world position overflows, 'out-of-memory', and on the GPU 'gpu-lost'. An aborted question rejects
 * with `signal.reason`.
 */
export class BareScene<B extends Backend = Backend> {
  static {
    coreOf = scene => {
      if (isObject(scene) && #core in scene) return scene.#core;
      throw wrong('scene', 'what scene() of an opened backend gave', scene);
    };
  }
  readonly #core: SceneCore;
  readonly #onClose: () => void;
  #nextIndex = 0;

  /** Use `scene()` of what was opened. */
  constructor(engine: Engine, cpu: CpuEngine, onClose: () => void = () => {}) {
    this.#core = new SceneCore(engine, cpu);
    this.#onClose = onClose;
  }

  /** Which engine answers the questions: 'cpu' or 'gpu'. */
  get backend(): B {
    return this.#core.engine.backend as B;
  }

  /** All bodies, in order of their index. */
  get bodies(): readonly Body[] {
    return this.#core.table.bodies;
  }

  /**
   * Adds a body made of a mesh. Any number of bodies may share a mesh. The body's index is the number of bodies added
   * before it. Throws 'bad-pose' for a bad pose, 'bad-option' for other wrong arguments, 'closed' if the scene is
   * closed.
   */
  add(mesh: Mesh, options: BodyOptions = {}): Body {
    const { engine, cpu, host } = this.#core;
    this.#core.checkOpen();
    checkIsMesh(mesh);
    const body = new Body(this.#nextIndex, mesh, options, host);
    // Only now: a body that could not be added takes no index.
    if (++this.#nextIndex === manyBodies && engine === cpu) cpu.threads.startAll();
    return body;
  }

  /**
   * Removes a body and frees what only it used. Questions under way still see it. Throws 'closed' if the body was
   * removed before, and 'bad-option' if it belongs to another scene.
   */
  remove(body: Body): void {
    this.#core.checkBody(body);
    body.leave();
  }

  /**
   * Sets the poses of all bodies, in the order of `scene.bodies`, or of the bodies given: 16 numbers per body,
   * column-major, last row 0 0 0 1. This is the same as assigning each `body.pose`, but in one copy. If any matrix is
   * not a pose, it throws 'bad-pose' and moves nothing. Throws 'closed' if the scene or a body is gone.
   */
  setPoses(poses: ArrayLike<number>, bodies?: readonly Body[]): void;
  /**
   * Sets the poses of all bodies from a GPUBuffer, for simulations on the GPU. Without a GPU it throws 'no-gpu'. The
   * buffer belongs to the device that the backend was opened with, has usage COPY_SRC, and is an `array<mat4x4f>` or as
   * the layout says. It is copied in queue order, and the copy stays on the GPU, where `interferences` uses it directly. If
   * a matrix is not a pose, every question rejects with 'bad-pose' until new poses are set. If the device refuses the
   * copy, questions reject too: with 'out-of-memory', or with 'bad-array' if the buffer cannot be copied.
   *
   * Other questions read the poses back, or throw 'unsupported' until `await scene.readPoses()`. If bodies are added or
   * removed before that, all poses become unknown, and questions throw 'stale' until all poses are set again.
   */
  setPoses(poses: DeviceBuffer, layout?: BufferLayout): void;
  setPoses(poses: ArrayLike<number> | DeviceBuffer, options?: readonly Body[] | BufferLayout): void {
    this.#core.checkOpen();
    if (isBuffer(poses)) this.#setGpuPoses(poses, options);
    else this.#setPoses(poses as ArrayLike<number>, options as readonly Body[] | undefined);
  }

  #setPoses(poses: ArrayLike<number>, bodies: readonly Body[] | undefined): void {
    const { table } = this.#core;
    if (bodies !== undefined && !Array.isArray(bodies)) {
      const message =
        'setPoses takes a layout only with a GPUBuffer; with an array it takes a list of bodies';
      throw bad(`${message}, not ${inWords(bodies)}`);
    }
    const moved = bodies ?? table.bodies;
    if (bodies) for (const body of bodies) this.#core.checkBody(body);
    const values = numbersOfPoses(poses);
    if (values?.length !== 16 * moved.length) {
      const given = values === undefined ? inWords(poses) : values.length;
      const message = `setPoses takes poses, 16 numbers per body: ${16 * moved.length} for ${moved.length} bodies, not ${given}`;
      throw new NearfieldError('bad-pose', message);
    }
    if (bodies) table.setPoses(bodies, values);
    else table.setAllPoses(values);
  }

  #setGpuPoses(buffer: object, given: readonly Body[] | BufferLayout | undefined): void {
    const { table, host } = this.#core;
    const layout = given === undefined ? {} : given;
    if (Array.isArray(layout)) {
      const message =
        'a GPUBuffer has to contain the poses of all bodies: setPoses takes no list of bodies with it';
      throw new NearfieldError('unsupported', message);
    }
    checkOptions(layout as BufferLayout, layoutRules, 'setPoses', 'layout');
    if (host.appBuffers === undefined) {
      const message =
        'setPoses takes a GPUBuffer only on the GPU backend, from the device that it was opened with';
      throw new NearfieldError('no-gpu', message);
    }
    const { bodies } = table;
    table.setGpuPoses(
      host.appBuffers.poses(buffer, bodies.length, layout as BufferLayout, row => bodies[row].name),
    );
  }

  /**
   * A copy of the current poses of all bodies, 16 doubles per body, in the order of `scene.bodies`. If they are on the
   * GPU, they are read back, and each `body.pose` is known from then on. Rejects with 'bad-pose' if one is not a pose,
   * and with 'closed' if newer poses replace them meanwhile.
   */
  async readPoses(): Promise<Float64Array> {
    this.#core.checkOpen();
    return this.#core.whileOpen(() => this.#core.table.readPoses());
  }

  /**
   * An array for the poses of all bodies, 16 doubles per body in the order of `scene.bodies`. Write all poses into it
   * and pass it to `setPoses`, which then adopts it: with many bodies on a GPU nothing is copied. Its initial contents
   * are undefined, so write every number. Use it for one `setPoses` only.
   */
  borrowPoses(): Float64Array {
    this.#core.checkOpen();
    return this.#core.table.lend();
  }

  /** Removes all bodies and frees what they used. Later calls throw 'closed'. Closing what the scene was opened from closes it too. */
  close(): void {
    if (this.#core.closed) return;
    this.#core.close();
    this.#onClose();
  }
}
