// Where particles are at a time. Each is followed from the birth of its current life, however many impacts that has.

import type { Setup } from '../compiled.ts';
import { birthTicksOf, generationAt, lifeTicksOf } from '../motion/ticks.ts';
import type { ParticleState } from '../options.ts';
import { impactNumbers, segmentStates } from '../seam.ts';
import { LifeCursor } from './life.ts';

/** For all particles, or those named. Yields the share done. */
export function* stateOf(
  setup: Setup,
  time: number,
  which: Uint32Array | undefined,
): Generator<number, ParticleState> {
  const count = which?.length ?? setup.count;
  const position = new Float64Array(3 * count);
  const velocity = new Float64Array(3 * count);
  const alive = new Uint8Array(count);
  const generation = new Uint32Array(count);
  const bounces = new Uint32Array(count);
  const cursor = new LifeCursor(setup);
  const row = new Float64Array(impactNumbers);
  for (let i = 0; i < count; i++) {
    if (i % 256 === 255) yield i / count;
    const particle = which === undefined ? i : which[i];
    const birth = birthTicksOf(setup, particle);
    const life = lifeTicksOf(setup, particle);
    const now = generationAt(time / setup.tick, birth, life);
    const lived = Math.min(Math.max(now, 0), setup.generations - 1);
    cursor.begin(particle, lived);
    // Before its first life it is where it starts, after its last where that ended.
    while (now >= 0 && cursor.peekTime() <= time) cursor.next(row);
    const s = now < 0 ? 0 : now > lived ? cursor.life : time - cursor.birth;
    cursor.place(s, position, velocity, 3 * i);
    const isGone = now !== lived || cursor.state === segmentStates.gone;
    alive[i] = isGone ? 0 : cursor.state === segmentStates.resting ? 2 : 1;
    generation[i] = lived;
    bounces[i] = cursor.bounce;
  }
  return { position, velocity, alive, generation, bounces };
}
