// Opening the complete library: choose a backend, hold its engine, make scenes with every question, give everything back.

import { bad, checkOptions, oneOf, type Rules } from './core/arguments.ts';
import { type BackendCosts, checkCosts } from './core/backend-costs.ts';
import { NearfieldError } from './core/errors.ts';
import type { Backend } from './core/stats.ts';
import { type CpuEngine, createCpuEngine } from './cpu/engine.ts';
import { aMemorySize } from './cpu/memory.ts';
import { aThreadCount } from './cpu/threads/threads.ts';
import type { CpuScene } from './cpu-scene.ts';
import { checkDevice, type Device } from './given-device.ts';
import type { GpuEngine } from './gpu/engine.ts';
import { loadLevelSearchBy } from './interferences/hierarchy/cpu/level-search.ts';
import { loadEmbeddedBy } from './interferences/relation/solids/embedded-later.ts';
import type { CpuParticles } from './particles/cpu-particles.ts';
import type { ParticleOptions } from './particles/options.ts';
import type { Particles } from './particles/particles.ts';
import { Host, hostCoreOf, makeScene } from './questions/host.ts';
import { Scene } from './scene.ts';

/** Which backend is opened. */
export interface OpenOptions {
  /**
   * 'gpu': WebGPU or an error. 'cpu': never WebGPU. 'auto' (default): WebGPU where there is real hardware for
   * it; a software adapter loses to the CPU engine and is taken only when asked for by name. On a GPU that 'auto' found, each
   * question is answered by the backend that is expected to answer it sooner, judged by what earlier answers took, and by the
   * CPU while kernels are being compiled. The answers are the same; `answer.backend` says who gave one.
   */
  readonly backend?: 'auto' | 'gpu' | 'cpu' | undefined;
  /**
   * The application's own device, shared. It is not destroyed by `close`. It answers every question, unless `backend` is 'auto':
   * then the CPU answers what it is expected to answer sooner.
   */
  readonly device?: Device | undefined;
  /**
   * How many threads of the CPU work on a long question, the calling one included; default: as many as there are cores. The
   * answer does not depend on it. Other threads start with the first long question and end with `close`. In a page that is not
   * cross-origin isolated there is one thread.
   */
  readonly threads?: number | undefined;
  /**
   * The most bytes of memory for trees, poses and lists of the CPU, 2^24 or more; default and at most 4 GiB. A question that needs
   * more rejects with 'out-of-memory'. JavaScript's own objects, such as meshes and answers, are not counted.
   */
  readonly maxMemory?: number | undefined;
  /**
   * What answers took on this machine before, as `nf.costs()` gave it: then 'auto' need not find out again which backend answers
   * sooner. Ignored if it is about another GPU, if 'auto' has opened this GPU before in this process, and by other backends.
   */
  readonly costs?: BackendCosts | undefined;
}

/** The library, opened: a backend whose scenes have every question as a method. */
export class Nearfield<B extends Backend = Backend> extends Host<B> {
  /** A new, empty scene. Scenes of one library share engines but no bodies. Throws 'closed' after `close`. */
  override scene(): Scene<B> {
    return makeScene(this, Scene<B>);
  }

  /**
   * What answers have taken so far on the GPU that 'auto' found and on the CPU, as plain data: keep it, for example in
   * `localStorage`, and give it to `open({ costs })` the next time. Undefined if 'auto' found no GPU or was not asked.
   */
  costs(): BackendCosts | undefined {
    const { engine } = hostCoreOf(this);
    return engine.costs?.given(engine.name);
  }

  /**
   * A system of particles whose lives are formulas, asked when and where they hit its colliders. Times are in seconds.
   * Rejects with 'bad-option', 'bad-array', 'bad-pose' or 'not-finite' for options that it cannot have, 'closed' after
   * `close`, and on the GPU with 'out-of-memory' or 'gpu-lost'.
   */
  async particles(options: ParticleOptions): Promise<Particles> {
    const { particles } = await import('./entries/particles.ts');
    return particles(this, options);
  }
}

/** What the CPU backend has beyond a GPU's: synchronous forms, which cannot wait for their code. */
type CpuForms = typeof import('./cpu-forms.ts');

/** The library on the CPU backend, where questions have synchronous forms. */
export class CpuNearfield extends Nearfield<'cpu'> {
  readonly #forms: CpuForms;

  /** Use `open({ backend: 'cpu' })`. */
  constructor(cpu: CpuEngine, forms: CpuForms) {
    super(cpu, cpu);
    this.#forms = forms;
  }

  /** A new, empty scene whose questions have synchronous forms too. Throws 'closed' after `close`. */
  override scene(): CpuScene {
    return makeScene(this, this.#forms.CpuScene);
  }

  /** As `Nearfield.particles`; these have synchronous forms too. */
  override async particles(options: ParticleOptions): Promise<CpuParticles> {
    return this.#forms.particles(this, options);
  }

  /** `particles` without waiting. */
  particlesSync(options: ParticleOptions): CpuParticles {
    return this.#forms.particlesSync(this, options);
  }
}

const openRules: Rules<OpenOptions> = {
  backend: oneOf('auto', 'gpu', 'cpu'),
  device: checkDevice,
  threads: aThreadCount,
  maxMemory: aMemorySize,
  costs: checkCosts,
};

/**
 * Opens the library on the CPU, where questions have synchronous forms too. `close()` gives everything back. Rejects with
 * 'bad-option' for options that do not exist or do not go together.
 */
export function open(options: OpenOptions & { readonly backend: 'cpu' }): Promise<CpuNearfield>;
/**
 * Opens the library: the GPU if there is one, else the CPU, unless `backend` says which. `close()` gives everything back.
 * The code of a question is loaded when it is first asked, so what 'auto' opened has no synchronous forms, not on the CPU
 * either. Rejects with 'no-gpu' if `backend` is 'gpu' and there is none, 'bad-option' for options that do not exist or do
 * not go together.
 */
export function open(options?: OpenOptions): Promise<Nearfield>;
export async function open(options: OpenOptions = {}): Promise<Nearfield> {
  checkOptions(options, openRules, 'open');
  loadEmbeddedBy(() =>
    import('./interferences/relation/solids/embedded.ts').then(
      loaded => loaded.isEmbedded,
      () => undefined,
    ),
  );
  loadLevelSearchBy(() => import('./interferences/hierarchy/cpu/breadth-first/levels.ts'));
  const { backend = options.device ? 'gpu' : 'auto', device, threads, maxMemory } = options;
  if (device !== undefined && backend === 'cpu') throw bad(`a device was given, but backend is 'cpu'`);
  const cpu = createCpuEngine({ threads, maxMemory });
  try {
    const forms = backend === 'cpu' ? await import('./cpu-forms.ts') : undefined;
    await cpu.compile();
    if (forms !== undefined) return new CpuNearfield(cpu, forms);
    return new Nearfield((await openGpu(device, backend === 'auto', options.costs)) ?? cpu, cpu);
  } catch (error) {
    cpu.close();
    throw error;
  }
}

/** Opens a GPU engine. With `isOptional`, undefined if there is no GPU, and the CPU may answer in its place. */
async function openGpu(
  device: Device | undefined,
  isOptional: boolean,
  given: BackendCosts | undefined,
): Promise<GpuEngine | undefined> {
  try {
    const { createGpuEngine } = await import('./open-gpu.ts');
    return await createGpuEngine({
      device,
      hardwareOnly: isOptional && device === undefined,
      learnsCosts: isOptional,
      costs: given,
    });
  } catch (error) {
    if (isOptional && error instanceof NearfieldError && error.code === 'no-gpu') return undefined;
    throw error;
  }
}
