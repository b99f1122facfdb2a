// A system of particles on the CPU backend, which has synchronous forms of its questions.

import { answerNow, Particles } from './particles.ts';
import type { Impacts } from './windows/impacts.ts';

/** A system of particles of the CPU backend: its questions also have synchronous forms. */
export class CpuParticles extends Particles {
  /** The synchronous form of `impacts`. Refused ('unsupported') while another question waits. */
  impactsSync(from: number, to: number): Impacts {
    return answerNow.impacts(this, from, to);
  }

  /** The synchronous form of `advance`. Refused ('unsupported') while another question waits. */
  advanceSync(to: number): Impacts {
    return answerNow.advance(this, to);
  }
}
