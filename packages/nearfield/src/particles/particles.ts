// Particles whose whole lives are formulas (Knott, chapter 3), asked when and where they hit. Adjoining windows of time
// give every impact once, whatever their lengths, forwards and backwards. The state at any time needs no stepping.

import type { DeviceBuffer } from '../bodies/on-gpu/buffers.ts';
import {
  aNumber,
  bad,
  checkOptions,
  inWords,
  limitRules,
  oneOf,
  type Rules,
  wrong,
} from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';
import type { Limits } from '../core/limits.ts';
import { inSlices, throwIfAborted, toEnd, whileOpen } from '../core/waiting.ts';
import { checkTime, checkWhich } from './check.ts';
import { readBodies } from './colliders/read-bodies.ts';
import type { Collider, Vector } from './colliders/shapes.ts';
import type { Setup } from './compiled.ts';
import { CpuLives } from './lives/cpu-lives.ts';
import { Decider } from './lives/decide.ts';
import { Rows } from './lives/rows.ts';
import { stateOf } from './lives/state.ts';
import { ImpactMap } from './maps/map.ts';
import type { ImpactOptions, ParticleOptions, ParticleState, ParticleStats } from './options.ts';
import type { ParticleEngine, Points } from './seam.ts';
import { compileOtherColliders } from './setup.ts';
import { Timeline } from './time/timeline.ts';
import { type Window, windowOnGpu } from './windows/gpu-window.ts';
import { Impacts } from './windows/impacts.ts';
import { noCounts, withWindow } from './windows/window-stats.ts';

/** A GPUCommandEncoder, if the compiler knows WebGPU. */
export type CommandEncoder = typeof globalThis extends { GPUCommandEncoder: { prototype: infer Known } }
  ? Known
  : object;

/** How a system goes to another time. */
export interface SeekOptions {
  /**
   * Seconds by which every `advance` looks ahead, so that what is heard or shown later is known in time (Knott, section
   * 3.5.1).
   */
  readonly lookAhead?: number | undefined;
}

const seekRules: Rules<SeekOptions> = { lookAhead: aNumber('a number of seconds', Number.isFinite) };

const impactRules: Rules<ImpactOptions> = { ...limitRules, columns: oneOf('single') };

/** How a window is worked on: to its end at once, or in slices. */
type Run = <T>(work: Generator<number, T>) => T | Promise<T>;

/** The synchronous forms, for `CpuParticles` only. @internal */
export let answerNow: {
  impacts(particles: Particles, from: number, to: number): Impacts;
  advance(particles: Particles, to: number): Impacts;
};

/**
 * A system of particles, made by `particles(host, options)` or by the method of the opened library. Times are in seconds.
 * Its questions reject with 'bad-option' for a time that is not finite or too far from 0, 'closed' after `close`, on the GPU
 * 'out-of-memory' and 'gpu-lost', and with `signal.reason` when they are cancelled.
 */
export class Particles {
  static {
    answerNow = {
      impacts(particles, from, to) {
        particles.#checkNoneWaits();
        return particles.#windowOnCpu(from, to, toEnd) as Impacts;
      },
      advance(particles, to) {
        particles.#checkNoneWaits();
        checkTime(to, 'to', particles.#setup);
        const timeline = particles.#timeline;
        const [from, until] = [timeline.ahead(timeline.time), timeline.ahead(to)];
        return particles.#advanced(to, particles.#windowOnCpu(from, until, toEnd) as Impacts);
      },
    };
  }
  /** The number of particles. */
  readonly count: number;
  /** Seconds. Births and life spans are whole numbers of ticks. */
  readonly tick: number;
  readonly #options: ParticleOptions;
  readonly #engine: ParticleEngine | undefined;
  readonly #onClose: () => void;
  #setup: Setup;
  #lives: CpuLives | undefined;
  #decider: Decider;
  #maps: (ImpactMap | undefined)[] = [];
  readonly #timeline = new Timeline();
  #closed = false;
  #colliders: readonly Collider[] = [];
  #stats: ParticleStats;

  /** Use `particles(host, options)`. @internal */
  constructor(
    options: ParticleOptions,
    setup: Setup,
    engine: ParticleEngine | undefined,
    onClose: () => void,
  ) {
    this.#options = options;
    this.#setup = setup;
    this.#engine = engine;
    this.#onClose = onClose;
    this.count = setup.count;
    this.tick = setup.tick;
    this.#decider = new Decider(setup);
    if (engine === undefined) this.#lives = new CpuLives(setup);
    this.#maps = this.#mapsOf(setup);
    this.#colliders = collidersOf(setup);
    this.#stats = { backend: this.backend, windows: 0, impacts: 0, ...noCounts };
  }

  /** Where impacts are found. */
  get backend(): 'gpu' | 'cpu' {
    return this.#engine === undefined ? 'cpu' : 'gpu';
  }
  /** The colliders as they were given; impacts name them by their index here. */
  get colliders(): readonly Collider[] {
    return this.#colliders;
  }
  /** The time from which `advance` continues, in seconds; 0 at first. */
  get time(): number {
    return this.#timeline.time;
  }
  /** Sums over all windows so far. */
  get stats(): ParticleStats {
    return this.#stats;
  }

  /**
   * Every impact with from ≤ time < to, in order; if from > to, those with to ≤ time < from in reverse order. Windows
   * may be asked for in any order, also in the future.
   */
  impacts(from: number, to: number, options: ImpactOptions = {}): Promise<Impacts> {
    return this.#inTurn(
      options,
      async () => (await this.#window(from, to, options, false)).impacts,
      impactRules,
    );
  }

  /**
   * The impacts since the last call. Windows adjoin, so that no impact is lost and none comes twice. Backwards if `to`
   * is earlier. Paints the maps of colliders that have one.
   */
  advance(to: number, options: ImpactOptions = {}): Promise<Impacts> {
    const work = async () => {
      checkTime(to, 'to', this.#setup);
      const paints = this.#maps.some(map => map?.isOnGpu);
      const { impacts, points } = await this.#window(
        this.#timeline.ahead(this.time),
        this.#timeline.ahead(to),
        options,
        paints,
      );
      if (points !== undefined) this.#paintOnGpu(points());
      return this.#advanced(to, impacts);
    };
    return this.#inTurn(options, work, impactRules);
  }

  /**
   * Sets the time from which `advance` continues, and how far it looks ahead (unchanged if not given). It takes effect
   * at once if no question is being answered; otherwise after the questions asked before it and ahead of those asked
   * after it.
   */
  seek(time: number, options: SeekOptions = {}): void {
    this.#checkOpen();
    checkOptions(options, seekRules, 'seek');
    checkTime(time, 'time', this.#setup);
    const { lookAhead = this.#timeline.nextLookAhead } = options;
    checkTime(time + lookAhead, 'time', this.#setup);
    this.#timeline.seek(time, lookAhead);
  }

  /**
   * Where all particles are at a time, or those named by their indices, in double precision and without stepping. Rejects
   * with 'index-out-of-range' for a particle that does not exist.
   */
  state(time: number, which?: Uint32Array, limits: Limits = {}): Promise<ParticleState> {
    return this.#inTurn(limits, () => {
      this.#checkState(time, which);
      return inSlices(stateOf(this.#setup, time, which), limits, this.#checkOpen);
    });
  }

  /** The synchronous form of `state`, on every backend. */
  stateSync(time: number, which?: Uint32Array): ParticleState {
    this.#checkOpen();
    this.#checkState(time, which);
    return toEnd(stateOf(this.#setup, time, which));
  }

  /**
   * Computes the positions at a time on the GPU: into the caller's encoder, or at once. The CPU does nothing for any
   * particle. So a particle whose next impact is unsure continues as if there were none, until a window up to this time
   * has been asked for. If an encoder is given, it must be submitted before anything else is asked of these particles.
   * Throws 'no-gpu' on the CPU.
   */
  draw(time: number, encoder?: CommandEncoder): void {
    this.#checkOpen();
    checkTime(time, 'time', this.#setup);
    if (
      encoder !== undefined &&
      typeof (encoder as GPUCommandEncoder | null)?.beginComputePass !== 'function'
    ) {
      throw wrong('draw: encoder', 'a GPUCommandEncoder', encoder);
    }
    this.#engineOf('draw').draw(time, encoder);
  }

  /**
   * The GPUBuffer that `draw` writes: four floats per particle, its place minus `origin`, and its age as a share of its
   * life, −1 if it is unborn or gone. Usage STORAGE, VERTEX and COPY_SRC. It is replaced if the device was lost or
   * refused something, so read this property before every `draw`. On the CPU it throws 'no-gpu'.
   */
  get positions(): DeviceBuffer {
    return this.#engineOf('positions').positions as DeviceBuffer;
  }
  /** The world point that `positions` are relative to. */
  get origin(): Vector {
    return this.#setup.origin;
  }

  /** The impact map of a collider, by its index. Throws 'bad-option' if it was given none. */
  map(collider: number): ImpactMap {
    const map = typeof collider === 'number' ? this.#maps[collider] : undefined;
    if (map === undefined) throw bad(`collider ${inWords(collider)} has no map`);
    return map;
  }

  /**
   * Replaces the colliders, as if the new ones had always been there: every life is solved anew. Maps start empty, and
   * `map` returns new ones. A body is taken as it is now; a collider that moves by itself has a `motion`.
   */
  setColliders(colliders: readonly Collider[], limits: Limits = {}): Promise<void> {
    return this.#inTurn(limits, async () => {
      await readBodies(colliders);
      const setup = compileOtherColliders(this.#setup, this.#options, colliders);
      // Everything that can fail comes first, so that a failure leaves the colliders as they were.
      const decider = new Decider(setup);
      const lives = this.#lives && new CpuLives(setup);
      const maps = this.#mapsOf(setup);
      await this.#engine?.setColliders(setup);
      this.#setup = setup;
      this.#decider = decider;
      if (!this.#closed) this.#lives = lives;
      this.#maps = maps;
      this.#colliders = collidersOf(setup);
    });
  }

  /** Frees memory. Answers that were given stay valid. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#engine?.close();
    this.#lives = undefined;
    this.#onClose();
  }

  #mapsOf({ colliders }: Setup): (ImpactMap | undefined)[] {
    const engine = this.#engine;
    return colliders.map(collider => {
      if (collider.given.map === undefined) return undefined;
      // The engine may be replaced after a device was lost.
      const texture = engine && {
        get texture() {
          return engine.textureOf(collider.index);
        },
        write: (texels: Uint32Array, values: Float32Array) => engine.paint(collider.index, texels, values),
        read: () => this.#mapRead(collider.index, engine),
        clear: () => engine.clearMap(collider.index),
      };
      return new ImpactMap(collider, texture);
    });
  }

  async #mapRead(collider: number, engine: ParticleEngine): Promise<Float32Array> {
    this.#checkOpen();
    return await whileOpen(
      () => this.#closed,
      () => engine.readMap(collider),
    );
  }

  /** Has the GPU paint its maps. */
  #paintOnGpu(points: Points): void {
    for (const map of this.#maps) if (map?.isOnGpu) map.paintedOnGpu();
    this.#engine!.paintPoints(points);
  }

  #advanced(to: number, impacts: Impacts): Impacts {
    if (impacts.count > 0 && this.#maps.some(map => map !== undefined && !map.isOnGpu)) {
      const { rows, order } = impacts.made();
      for (const map of this.#maps) map?.paint(rows, order, impacts.from);
    }
    this.#timeline.time = to;
    return impacts;
  }

  /** With `paints`, also what the GPU is to paint. */
  async #window(from: number, to: number, options: ImpactOptions, paints: boolean): Promise<Window> {
    const engine = this.#engine;
    if (engine === undefined) {
      const { columns: _, ...limits } = options;
      return { impacts: await this.#windowOnCpu(from, to, work => inSlices(work, limits, this.#checkOpen)) };
    }
    checkTime(from, 'from', this.#setup);
    checkTime(to, 'to', this.#setup);
    const asked = {
      engine,
      setup: this.#setup,
      decider: this.#decider,
      paints,
      isPainted: (collider: number) => this.#maps[collider]?.isOnGpu === true,
      checkOpen: this.#checkOpen,
    };
    const window = await windowOnGpu(asked, from, to, options);
    // An empty window finds nothing, and is not counted.
    if (from !== to) this.#counted(window.impacts);
    return window;
  }

  #windowOnCpu(from: number, to: number, run: Run): Impacts | Promise<Impacts> {
    checkTime(from, 'from', this.#setup);
    checkTime(to, 'to', this.#setup);
    const setup = this.#setup;
    const lives = this.#lives!;
    const rows = new Rows();
    const done = () => {
      const stats = { ...noCounts, backend: 'cpu' as const, first: lives.first, due: lives.due };
      return this.#counted(new Impacts(setup, from, to, rows.count, stats, () => rows.values));
    };
    const work = lives.find(Math.min(from, to), Math.max(from, to), from <= to, rows);
    const running = run(work);
    return running instanceof Promise ? running.then(done) : done();
  }

  #counted(impacts: Impacts): Impacts {
    this.#stats = withWindow(this.#stats, impacts.stats, impacts.count);
    return impacts;
  }

  #inTurn<T>(
    limits: Limits,
    work: () => Promise<T>,
    rules: Rules<Limits> | Rules<ImpactOptions> = limitRules,
  ): Promise<T> {
    return this.#timeline.inTurn(async () => {
      this.#checkOpen();
      checkOptions(limits, rules as Rules<Limits>, 'particles', rules === limitRules ? 'limits' : 'options');
      throwIfAborted(limits);
      return await whileOpen(() => this.#closed, work);
    });
  }

  #engineOf(what: string): ParticleEngine {
    if (this.#engine !== undefined) return this.#engine;
    throw new NearfieldError('no-gpu', `${what} needs the GPU backend; on the CPU ask state(time)`);
  }

  #checkNoneWaits(): void {
    this.#checkOpen();
    if (this.#timeline.isBusy) {
      throw new NearfieldError(
        'unsupported',
        'a question is being answered: await it before calling a synchronous form',
      );
    }
  }

  readonly #checkOpen = (): void => {
    if (this.#closed) throw new NearfieldError('closed', 'these particles have been closed');
  };

  #checkState(time: number, which: Uint32Array | undefined): void {
    checkTime(time, 'time', this.#setup);
    if (which !== undefined) checkWhich(which, this.count);
  }
}

const collidersOf = ({ colliders }: Setup): readonly Collider[] =>
  Object.freeze(colliders.map(({ given }) => given));
