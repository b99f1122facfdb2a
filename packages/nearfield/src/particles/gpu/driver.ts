// Particles on the GPU engine's own device.

import type { GpuEngine } from '../../gpu/engine.ts';
import type { ParticleDriver } from '../seam.ts';
import type { LivesRoom } from './gpu-lives.ts';
import { GpuParticles, type ParticleHost } from './gpu-particles.ts';

export function createDriver(engine: GpuEngine): ParticleDriver {
  const host: ParticleHost = {
    get session() {
      return engine.sessionNow();
    },
    inTurn: ask => engine.inTurn(ask),
    check: limits => engine.check(limits),
  };
  return {
    particles(setup) {
      engine.check({});
      const room = engine.settings.livesRoom as LivesRoom | undefined;
      return engine.inTurn(async () => {
        const made = await GpuParticles.create(host, setup, room);
        // The turn then rejects, so that nobody else can give their buffers back.
        if (engine.closed) made.close();
        return made;
      });
    },
  };
}
