// A system of particles as the GPU engine gives it: its lives on the device there is. They can be made again from the setup alone, so a
// lost device costs nothing but the work.

import type { Session } from '../../gpu/session.ts';
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
  #session: Session;

  static async create(host: ParticleHost, setup: Setup, room: LivesRoom | undefined): Promise<GpuParticles> {
    const { session } = host;
    const lives = await GpuLives.create(session.opened.device, setup, room);
    return new GpuParticles(host, setup, room, lives, session);
  }

  /** Use `create()`. */
  constructor(
    host: ParticleHost,
    setup: Setup,
    room: LivesRoom | undefined,
    lives: GpuLives,
    session: Session,
  ) {
    this.#host = host;
    this.#setup = setup;
    this.#room = room;
    this.#lives = lives;
    this.#session = session;
  }

  /** For measurements. */
  get lives(): GpuLives {
    return this.#lives;
  }

  find(from: number, to: number, limits: Limits): Promise<Found> {
    return this.#host.inTurn(async () => {
      this.#host.check(limits);
      if (this.#session !== this.#host.session) await this.#remake();
      return this.#lives.find(from, to, limits, () => this.#host.check(limits));
    });
  }

  put(segments: Float64Array): void {
    this.#lives.put(segments);
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
    return this.#host.inTurn(async () => {
      this.#setup = setup;
      await this.#remake();
    });
  }

  close(): void {
    this.#lives.destroy();
  }

  async #remake(): Promise<void> {
    const { session } = this.#host;
    const lives = await GpuLives.create(session.opened.device, this.#setup, this.#room);
    this.#lives.destroy();
    this.#lives = lives;
    this.#session = session;
  }
}
