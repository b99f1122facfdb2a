// A system of particles on the GPU engine: its lives on the current device. They can be created again from the setup
// alone, so a lost device costs only the work.

import { NearfieldError } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import type { Session } from '../../gpu/session.ts';
import { refusedSince, submittedSoFar } from '../../gpu/submit.ts';
import type { Setup } from '../compiled.ts';
import { isPaintedInSingle } from '../maps/map.ts';
import type { ColumnsWanted, Found, ParticleEngine, Points } from '../seam.ts';
import { GpuLives, type LivesRoom } from './gpu-lives.ts';

/** The parts of the engine that a system needs. */
export interface ParticleHost {
  readonly session: Session;
  /** Waits for earlier questions, and asks again on another device if one was lost. */
  inTurn<A>(ask: () => Promise<A>): Promise<A>;
  check(limits: Limits): void;
}

export class GpuParticles implements ParticleEngine {
  readonly #host: ParticleHost;
  readonly #room: LivesRoom | undefined;
  #setup: Setup;
  #lives: GpuLives;
  /** The lives that a window is being found with, and those of the last window. */
  #finding: GpuLives | undefined;
  #found: GpuLives | undefined;
  /**
   * Whether a window was begun and its undecided particles have not been put back. Then the next window starts without
   * any known lives.
   */
  #isUndecided = false;
  /** Colliders whose maps, painted by the GPU, were lost with a device, and have not been cleared since. */
  readonly #lostMaps = new Set<number>();
  /** The device that the lives are on. */
  #device: GPUDevice;
  #isClosed = false;

  static async create(host: ParticleHost, setup: Setup, room: LivesRoom | undefined): Promise<GpuParticles> {
    const { device } = host.session.opened;
    const lives = await GpuLives.create(device, setup, room);
    return new GpuParticles(host, setup, room, lives, device);
  }

  /** Use `create()`. */
  constructor(
    host: ParticleHost,
    setup: Setup,
    room: LivesRoom | undefined,
    lives: GpuLives,
    device: GPUDevice,
  ) {
    this.#host = host;
    this.#setup = setup;
    this.#room = room;
    this.#lives = lives;
    this.#device = device;
  }

  /** The current lives. Only measurements use this. */
  get lives(): GpuLives {
    return this.#lives;
  }

  find(from: number, to: number, limits: Limits, columns?: ColumnsWanted): Promise<Found> {
    return this.#host.inTurn(async () => {
      this.#host.check(limits);
      if (this.#device !== this.#host.session.opened.device) {
        this.#loseMaps();
        await this.#remake(this.#setup);
      }
      const lives = this.#livesNow();
      if (this.#isUndecided) lives.forget();
      this.#isUndecided = true;
      return this.#findWith(lives, from, to, limits, columns);
    });
  }

  async #findWith(
    lives: GpuLives,
    from: number,
    to: number,
    limits: Limits,
    columns: ColumnsWanted | undefined,
  ): Promise<Found> {
    const before = submittedSoFar(this.#device);
    let stop: unknown;
    const stopping = (work: () => void) => {
      try {
        work();
      } catch (error) {
        stop = error;
        throw error;
      }
    };
    const progress = (done: number) => stopping(() => limits.progress?.(done));
    const check = () => stopping(() => this.#host.check(limits));
    this.#found = this.#finding = lives;
    try {
      const found = await lives.find(from, to, { ...limits, progress }, check, columns);
      const refused = await refusedSince(this.#device, before);
      if (refused !== undefined) throw refused;
      return found;
    } catch (error) {
      const refused = await refusedSince(this.#device, before);
      if (refused !== undefined || error !== stop) lives.spoil();
      throw error === stop ? error : (refused ?? error);
    } finally {
      this.#finding = undefined;
    }
  }

  put(segments: Float64Array): void {
    // Lives created since then know nothing, and will solve these particles too.
    if (this.#found !== this.#lives) return;
    this.#lives.put(segments);
    this.#isUndecided = false;
  }

  draw(t: number, encoder?: object): void {
    this.#livesNow().draw(t, encoder as GPUCommandEncoder | undefined);
  }

  get positions(): GPUBuffer {
    return this.#livesNow().positions;
  }

  paint(collider: number, texels: Uint32Array, values: Float32Array): void {
    this.#livesNow().textures.paint(collider, texels, values);
  }

  textureOf(collider: number): GPUTexture {
    const lives = this.#livesNow();
    if (!isPaintedInSingle(this.#setup.colliders[collider])) return lives.textures.of(collider);
    this.#checkMap(collider);
    return lives.maps.textureOf(collider);
  }

  paintPoints(points: Points): void {
    // If the lives were created again since the window was found, its impacts are lost, and so are the maps.
    const lives = this.#livesNow();
    if (lives !== this.#found) {
      this.#loseMaps();
      return;
    }
    try {
      lives.paintPoints(points);
    } catch {
      // The impacts are known, so the window is answered. How far painting got is not known.
      lives.spoil();
      this.#loseMaps();
    }
  }

  firstTexelOf(collider: number): number {
    return this.#livesNow().maps.firstTexelOf(collider);
  }

  async readMap(collider: number): Promise<Float32Array> {
    const lives = this.#livesNow();
    this.#checkMap(collider);
    return lives.maps.read(collider);
  }

  clearMap(collider: number): void {
    this.#livesNow().maps.clear(collider);
    this.#lostMaps.delete(collider);
  }

  #loseMaps(): void {
    for (const collider of this.#setup.colliders) {
      if (isPaintedInSingle(collider)) this.#lostMaps.add(collider.index);
    }
  }

  #checkMap(collider: number): void {
    if (!this.#lostMaps.has(collider)) return;
    throw new NearfieldError(
      'gpu-lost',
      `the impact map of collider ${collider} was lost with the GPU that painted it; clear() begins again`,
    );
  }

  setColliders(setup: Setup): Promise<void> {
    return this.#host.inTurn(async () => {
      await this.#remake(setup);
      this.#lostMaps.clear();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#lives.destroy();
  }

  /**
   * The lives, created again if the device refused something of them. Not to be called while a window is found with
   * them.
   */
  #livesNow(): GpuLives {
    const lives = this.#lives;
    if (!lives.isSpoilt || this.#isClosed || this.#finding !== undefined) return lives;
    this.#lives = lives.remade();
    this.#loseMaps();
    this.#isUndecided = false;
    lives.destroy();
    return this.#lives;
  }

  async #remake(setup: Setup): Promise<void> {
    const { device } = this.#host.session.opened;
    const lives = await GpuLives.create(device, setup, this.#room);
    this.#lives.destroy();
    if (this.#isClosed) lives.destroy();
    this.#lives = lives;
    this.#setup = setup;
    this.#device = device;
    this.#isUndecided = false;
  }
}
