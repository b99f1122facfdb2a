// Opening the library: choose a backend, hold its engine, make scenes, give everything back.

import { bad, checkOptions, isObject, oneOf, type Rules, wrong } from './arguments.ts';
import { createCpuEngine } from './cpu/engine.ts';
import { whileOpen } from './cpu/waiting.ts';
import { NearfieldError } from './errors.ts';
import { createGpuEngine } from './gpu/engine.ts';
import type { ParticleOptions } from './particles/options.ts';
import { Particles, readBodies } from './particles/particles.ts';
import { compileSetup } from './particles/setup.ts';
import type { Engine, SyncEngine } from './scene/engine.ts';
import { Scene } from './scene/scene.ts';

/** A GPUDevice, where the compiler knows WebGPU; projects without its types can still compile against these. */
export type Device = typeof globalThis extends { GPUDevice: { prototype: infer Known } } ? Known : object;

export interface OpenOptions {
  /**
   * 'gpu': WebGPU or an error. 'cpu': never WebGPU. 'auto' (default): WebGPU where there is real hardware for
   * it; a software adapter loses to the CPU engine and is taken only when asked for by name.
   */
  readonly backend?: 'auto' | 'gpu' | 'cpu' | undefined;
  /** The application's own device, shared. It is not destroyed by `close`. Implies the gpu backend. */
  readonly device?: Device | undefined;
}

export class Nearfield {
  readonly #cpu: SyncEngine;
  readonly #engine: Engine;
  readonly #scenes = new Set<Scene>();
  readonly #systems = new Set<Particles>();
  #closed = false;

  /** Use `open()`. */
  constructor(cpu: SyncEngine, gpu: Engine | undefined) {
    this.#cpu = cpu;
    this.#engine = gpu ?? cpu;
  }

  /** Where questions are asked: 'cpu' also where 'auto' found no GPU. */
  get backend(): 'gpu' | 'cpu' {
    return this.#engine.backend;
  }
  /** The adapter or processor, in words. */
  get name(): string {
    return this.#engine.name;
  }

  /** A new, empty scene. Scenes of one library share its engines, and know nothing of each other's bodies. */
  scene(): Scene {
    this.#checkOpen();
    const scene: Scene = new Scene(this.#engine, this.#cpu, () => this.#scenes.delete(scene));
    this.#scenes.add(scene);
    return scene;
  }

  /** A system of particles whose lives are formulas, asked when and where they hit its colliders. */
  async particles(options: ParticleOptions): Promise<Particles> {
    this.#checkOpen();
    return whileOpen(
      () => this.#closed,
      () => this.#makeParticles(options),
    );
  }

  async #makeParticles(options: ParticleOptions): Promise<Particles> {
    await readBodies(options?.colliders);
    const setup = compileSetup(options);
    const engine = await this.#engine.particles?.(setup);
    let particles: Particles;
    try {
      particles = new Particles(options, setup, engine, () => this.#systems.delete(particles));
    } catch (error) {
      engine?.close();
      throw error;
    }
    if (this.#closed) particles.close();
    else this.#systems.add(particles);
    return particles;
  }

  /** The same without waiting, on the CPU backend. */
  particlesSync(options: ParticleOptions): Particles {
    this.#checkOpen();
    if (this.#engine.particles !== undefined) {
      throw new NearfieldError(
        'unsupported',
        'particles are made at once on the CPU backend; here await particles()',
      );
    }
    const particles: Particles = new Particles(options, compileSetup(options), undefined, () =>
      this.#systems.delete(particles),
    );
    this.#systems.add(particles);
    return particles;
  }

  /**
   * Gives all memory back; the process is free to end. Scenes and bodies are dead afterwards, and questions that still wait
   * reject with the code 'closed'.
   */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const particles of [...this.#systems]) particles.close();
    for (const scene of [...this.#scenes]) scene.close();
    if (this.#engine !== this.#cpu) this.#engine.close();
    this.#cpu.close();
  }

  #checkOpen(): void {
    if (this.#closed) throw new NearfieldError('closed', 'this Nearfield has been closed');
  }
}

const openRules: Rules<OpenOptions> = {
  backend: oneOf('auto', 'gpu', 'cpu'),
  device(given, what) {
    if (!isDevice(given)) throw wrong(what, 'a GPUDevice', given);
  },
};

/** By what is asked of one: which class it has depends on where WebGPU comes from. */
function isDevice(given: unknown): boolean {
  if (!isObject(given)) return false;
  const { queue, limits, features, lost, createBuffer } = given as Partial<GPUDevice>;
  return [queue, limits, features, lost].every(isObject) && typeof createBuffer === 'function';
}

/**
 * Opens the library: the GPU where there is one, else the CPU, unless `backend` says which. Everything begins here;
 * `close()` gives it all back.
 */
export async function open(options: OpenOptions = {}): Promise<Nearfield> {
  checkOptions(options, openRules, 'open');
  const { backend = options.device ? 'gpu' : 'auto', device } = options;
  if (device !== undefined && backend === 'cpu') throw bad(`a device was given, but backend is 'cpu'`);
  const cpu = await createCpuEngine();
  if (backend === 'cpu') return new Nearfield(cpu, undefined);
  try {
    return new Nearfield(cpu, await createGpuEngine({ device, hardwareOnly: backend === 'auto' }));
  } catch (error) {
    if (backend === 'auto' && error instanceof NearfieldError && error.code === 'no-gpu') {
      return new Nearfield(cpu, undefined);
    }
    cpu.close();
    throw error;
  }
}
