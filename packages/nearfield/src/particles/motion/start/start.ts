// Where a particle begins a life: position, velocity and acceleration from arrays or from a rule (Knott, section 3.1.2:
// the generation count feeds a procedural change of the starting conditions).

import type { CompiledStart, Setup } from '../../compiled.ts';
import { positionChannel, velocityChannel } from '../../compiled.ts';
import { hashGeneration, hashParticle, hashSeed } from './hash.ts';
import { RegionSampler } from './regions.ts';

/** Computes the starts of one setup. */
export class Starts {
  readonly #start: CompiledStart;
  readonly #acceleration: readonly [number, number, number];
  readonly #from: RegionSampler | undefined;
  readonly #velocity: RegionSampler | undefined;
  readonly #seeds: Int32Array;

  constructor({ start, acceleration, seed }: Pick<Setup, 'start' | 'acceleration' | 'seed'>) {
    this.#start = start;
    this.#acceleration = acceleration;
    if (start.kind === 'rule') {
      this.#from = new RegionSampler(start.from, seed);
      this.#velocity = new RegionSampler(start.velocity, seed);
    }
    this.#seeds = Int32Array.from({ length: 6 }, (_, i) =>
      hashSeed(seed, i < 3 ? positionChannel + i : velocityChannel + i - 3),
    );
  }

  /** Position, velocity and acceleration, three numbers each. */
  of(particle: number, generation: number, out: Float64Array): void {
    const start = this.#start;
    out[6] = this.#acceleration[0];
    out[7] = this.#acceleration[1];
    out[8] = this.#acceleration[2];
    if (start.kind === 'rule') {
      this.#from!.sample(particle, generation, out, 0);
      this.#velocity!.sample(particle, generation, out, 3);
      return;
    }
    const { position, velocity, acceleration, vary } = start;
    const at = 3 * particle;
    for (let axis = 0; axis < 3; axis++) {
      out[axis] = position[at + axis];
      out[3 + axis] = velocity[at + axis];
      if (acceleration !== undefined) out[6 + axis] = acceleration[at + axis];
    }
    if (vary === undefined || generation === 0) return;
    for (let i = 0; i < 6; i++) {
      const u = (hashGeneration(hashParticle(this.#seeds[i], particle), generation) >>> 8) * 2 ** -24;
      out[i] += (2 * u - 1) * vary[i];
    }
  }
}

/** One start: nine numbers. */
export function startOf(setup: Setup, particle: number, generation: number, out: Float64Array): void {
  new Starts(setup).of(particle, generation, out);
}
