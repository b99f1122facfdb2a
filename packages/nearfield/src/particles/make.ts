// Makes systems of particles on a backend that was opened.

import { wrong } from '../core/arguments.ts';
import { whileOpen } from '../core/waiting.ts';
import type { GpuEngine } from '../gpu/engine.ts';
import { Host, type HostCore, hostCoreOf } from '../questions/host.ts';
import { readBodies } from './colliders/read-bodies.ts';
import type { Setup } from './compiled.ts';
import { CpuParticles } from './cpu-particles.ts';
import type { ParticleOptions } from './options.ts';
import { Particles } from './particles.ts';
import { gpuParticleDriver, type ParticleEngine } from './seam.ts';
import { compileSetup } from './setup.ts';

/**
 * A system of particles on the CPU backend, which has synchronous forms too. `host` is what `openCpu` or `open` gave;
 * closing it closes the particles. Rejects as the form for any backend does.
 */
export function particles(host: Host<'cpu'>, options: ParticleOptions): Promise<CpuParticles>;
/**
 * A system of particles whose lives are formulas, asked when and where they hit its colliders. `host` is what `openCpu`,
 * `openGpu` or `open` gave; closing it closes the particles. Rejects with 'bad-option', 'bad-array', 'bad-pose' or
 * 'not-finite' for options that it cannot have, 'closed' if the host is closed, and on the GPU with 'out-of-memory' or
 * 'gpu-lost'.
 */
export function particles(host: Host, options: ParticleOptions): Promise<Particles>;
export async function particles(host: Host, options: ParticleOptions): Promise<Particles> {
  const core = coreOf(host, 'particles');
  return whileOpen(
    () => core.closed,
    async () => {
      await readBodies(options?.colliders);
      const setup = compileSetup(options);
      const { engine } = core;
      const onGpu =
        engine.backend === 'cpu'
          ? undefined
          : await (await (engine as GpuEngine).driver(gpuParticleDriver)).particles(setup);
      return keep(core, options, setup, onGpu);
    },
  );
}

/** `particles` without waiting, of the CPU backend. */
export function particlesSync(host: Host<'cpu'>, options: ParticleOptions): CpuParticles {
  return keep(coreOf(host, 'particlesSync'), options, compileSetup(options), undefined) as CpuParticles;
}

function coreOf(host: Host, question: string): HostCore {
  if (!(host instanceof Host)) throw wrong(`${question}: host`, 'what openCpu, openGpu or open gave', host);
  const core = hostCoreOf(host);
  core.checkOpen();
  return core;
}

function keep(
  core: HostCore,
  options: ParticleOptions,
  setup: Setup,
  engine: ParticleEngine | undefined,
): Particles {
  const Kind = core.engine === core.cpu ? CpuParticles : Particles;
  try {
    return core.keep(onClose => new Kind(options, setup, engine, onClose));
  } catch (error) {
    engine?.close();
    throw error;
  }
}
