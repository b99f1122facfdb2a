// Opening the library: choose a backend, hold its engine, make scenes, give everything back.

import type { Engine } from './bodies/engine.ts';
import { bad, checkOptions, isObject, oneOf, type Rules, wrong } from './core/arguments.ts';
import { NearfieldError } from './core/errors.ts';
import { whileOpen } from './core/waiting.ts';
import { type CpuEngine, createCpuEngine } from './cpu/engine.ts';
import { CpuScene } from './cpu-scene.ts';
import { distanceModules } from './distance/cpu/driver.ts';
import type { GpuEngine } from './gpu/engine.ts';
import { CpuParticles } from './particles/cpu-particles.ts';
import type { ParticleOptions } from './particles/options.ts';
import { Particles, readBodies } from './particles/particles.ts';
import type { ParticleEngine, Setup } from './particles/seam.ts';
import { gpuParticles } from './particles/seam.ts';
import { compileSetup } from './particles/setup.ts';
import { solidModule } from './penetration/kernels/module.ts';
import { Scene } from './scene.ts';

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

let makeParticlesNow: (nf: Nearfield, options: ParticleOptions) => Particles;

export class Nearfield {
  static {
    makeParticlesNow = (nf, options) => {
      nf.#checkOpen();
      return nf.#keepParticles(options, compileSetup(options), undefined);
    };
  }
  readonly #cpu: CpuEngine;
  readonly #engine: Engine;
  readonly #kinds: Kinds;
  readonly #scenes = new Set<Scene>();
  readonly #systems = new Set<Particles>();
  #closed = false;

  /** Use `open()`. */
  constructor(cpu: CpuEngine, engine: Engine, kinds: Kinds) {
    this.#cpu = cpu;
    this.#engine = engine;
    this.#kinds = kinds;
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
    const scene: Scene = new this.#kinds.Scene(this.#engine, this.#cpu, () => this.#scenes.delete(scene));
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
    const engine =
      this.#engine.backend === 'cpu'
        ? undefined
        : await (await (this.#engine as GpuEngine).driver(gpuParticles)).particles(setup);
    return this.#keepParticles(options, setup, engine);
  }

  #keepParticles(options: ParticleOptions, setup: Setup, engine: ParticleEngine | undefined): Particles {
    let particles: Particles;
    try {
      particles = new this.#kinds.Particles(options, setup, engine, () => this.#systems.delete(particles));
    } catch (error) {
      engine?.close();
      throw error;
    }
    if (this.#closed) particles.close();
    else this.#systems.add(particles);
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

/** What a backend makes scenes and systems of particles of. */
interface Kinds {
  readonly Scene: new (engine: Engine, cpu: CpuEngine, onClose: () => void) => Scene;
  readonly Particles: typeof Particles;
}

/** The library on the CPU backend, where questions have synchronous forms. */
export class CpuNearfield extends Nearfield {
  /** Use `open({ backend: 'cpu' })`. */
  constructor(cpu: CpuEngine) {
    super(cpu, cpu, { Scene: CpuScene, Particles: CpuParticles });
  }

  override get backend(): 'cpu' {
    return 'cpu';
  }

  override scene(): CpuScene {
    return super.scene() as CpuScene;
  }

  override async particles(options: ParticleOptions): Promise<CpuParticles> {
    return (await super.particles(options)) as CpuParticles;
  }

  /** `particles` without waiting. */
  particlesSync(options: ParticleOptions): CpuParticles {
    return makeParticlesNow(this, options) as CpuParticles;
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
 * `close()` gives it all back. With `backend: 'cpu'` questions have synchronous forms; what 'auto' opened has them if it is a
 * `CpuNearfield`.
 */
export function open(options: OpenOptions & { readonly backend: 'cpu' }): Promise<CpuNearfield>;
export function open(options?: OpenOptions): Promise<Nearfield>;
export async function open(options: OpenOptions = {}): Promise<Nearfield> {
  checkOptions(options, openRules, 'open');
  const { backend = options.device ? 'gpu' : 'auto', device } = options;
  if (device !== undefined && backend === 'cpu') throw bad(`a device was given, but backend is 'cpu'`);
  const cpu = createCpuEngine();
  await cpu.load(...distanceModules, solidModule);
  if (backend === 'cpu') return new CpuNearfield(cpu);
  try {
    const { createGpuEngine } = await import('./open-gpu.ts');
    const gpu = await createGpuEngine({ device, hardwareOnly: backend === 'auto' });
    return new Nearfield(cpu, gpu, { Scene, Particles });
  } catch (error) {
    if (backend === 'auto' && error instanceof NearfieldError && error.code === 'no-gpu') {
      return new CpuNearfield(cpu);
    }
    cpu.close();
    throw error;
  }
}
