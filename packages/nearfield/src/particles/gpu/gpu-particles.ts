// A system of particles as the GPU engine gives it: its lives on the device there is. They can be made again from the setup alone, so a
// lost device costs nothing but the work.

import type { Session } from '../../gpu/session.ts';
import { refusedSince, submittedSoFar } from '../../gpu/submit.ts';
import type { Limits } from '../../scene/engine.ts';
import type { Found, ParticleEngine, Setup } from '../seam.ts';
import { GpuLives, type LivesRoom } from './gpu-lives.ts';

/** What a system needs of the engine. */
export interface ParticleHost {
  readonly session: Session;
  /** Waits for questions before, and asks again on another device where one was lost. */
  inTurn<A>(ask: () => Promise<A>): Promise<A>;
  check(limits: Limits): void;
}

export class GpuParticles implements ParticleEngine {
  readonly #host: ParticleHost;
  readonly #room: LivesRoom | undefined;
  #setup: Setup;
  #lives: GpuLives;
  /** Whether a window was begun and what it left undecided has not been put back: the next one finds nothing known. */
  #isUndecided = false;
  /** Where they are. */
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

  /** For measurements. */
  get lives(): GpuLives {
    return this.#lives;
  }

  find(from: number, to: number, limits: Limits): Promise<Found> {
    return this.#host.inTurn(async () => {
      this.#host.check(limits);
      if (this.#device !== this.#host.session.opened.device) await this.#remake(this.#setup);
      if (this.#isUndecided) this.#lives.forget();
      this.#isUndecided = true;
      const before = submittedSoFar(this.#device);
      const found = await this.#lives.find(from, to, limits, () => this.#host.check(limits));
      const refusal = await refusedSince(this.#device, before);
      if (refusal !== undefined) throw refusal;
      return found;
    });
  }

  put(segments: Float64Array): void {
    this.#lives.put(segments);
    this.#isUndecided = false;
  }

  draw(t: number, encoder?: object): void {
    this.#lives.draw(t, encoder as GPUCommandEncoder | undefined);
  }

  get positions(): GPUBuffer {
    return this.#lives.positions;
  }

  paint(collider: number, texels: Uint32Array, values: Float32Array): void {
    this.#lives.textures.paint(collider, texels, values);
  }

  textureOf(collider: number): GPUTexture {
    return this.#lives.textures.of(collider);
  }

  setColliders(setup: Setup): Promise<void> {
    return this.#host.inTurn(() => this.#remake(setup));
  }

  close(): void {
    this.#isClosed = true;
    this.#lives.destroy();
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
