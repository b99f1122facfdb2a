// A system of particles of the CPU backend, whose questions have synchronous forms.

import type { Impacts } from './impacts.ts';
import { answerNow, Particles } from './particles.ts';

export class CpuParticles extends Particles {
  /** `impacts` without waiting. Refused ('unsupported') while another question waits. */
  impactsSync(from: number, to: number): Impacts {
    return answerNow.impacts(this, from, to);
  }

  /** `advance` without waiting. Refused ('unsupported') while another question waits. */
  advanceSync(to: number): Impacts {
    return answerNow.advance(this, to);
  }
}
