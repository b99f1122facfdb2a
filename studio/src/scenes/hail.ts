// Hail in the scenes' worker: stones whose life is a formula, what they hit and when, and what that sounds like.

import { createHail, type Hail, Synthesiser } from '@nearfield/samples';
import type { Nearfield } from 'nearfield';
import type { Program } from './programs.ts';
import type { Found } from './types.ts';

/** Impacts are known this early, so that their sound is there when it is due. */
const lookAhead = 0.15;
const frameTime = 1 / 60;
const soundRate = 44_100;

export async function createHailProgram(nf: Nearfield, stones: number): Promise<Program> {
  const hail = await createHail(nf, { particles: stones, lookAhead });
  const synthesiser = new Synthesiser(hail.sounding, soundRate);
  const struck = new Map<string, number>();
  let [now, impacts, total] = [0, 0, 0];
  let answer: Found = await found(0);

  async function found(time: number): Promise<Found> {
    const { position, alive } = await hail.particles.state(now);
    const points: number[] = [];
    for (let i = 0; i < alive.length; i++) {
      if (alive[i] > 0) points.push(position[3 * i], position[3 * i + 1], position[3 * i + 2]);
    }
    const most = [...struck].sort(([, a], [, b]) => b - a).slice(0, 4);
    const facts = [
      ['stones in the air or lying', points.length / 3],
      ['impacts in this step', impacts],
      ['impacts so far', total],
      ...most,
    ] as const;
    const { width, height, data } = mapOf(hail);
    const shown = {
      meeting: new Uint32Array(0),
      stones: Float32Array.from(points),
      picture: { width, height, data },
    };
    const sound = synthesiser.next(Math.round(soundRate * frameTime));
    return { time, backend: hail.particles.backend, facts, ...shown, sound };
  }

  return {
    get bodies() {
      return hail.looks(now).map((_, index) => ({ index }));
    },
    parts: () => hail.looks(now),
    async advance() {
      now += frameTime;
      const start = performance.now();
      const step = await hail.step(frameTime);
      impacts = step.impacts.count;
      total += impacts;
      for (const strike of step.strikes) {
        const name = hail.parts[strike.thing].collider.name ?? `collider ${strike.thing}`;
        struck.set(name, (struck.get(name) ?? 0) + 1);
      }
      synthesiser.add(step.strikes);
      answer = await found(performance.now() - start);
    },
    ask: async () => answer,
    close: () => hail.close(),
  };
}

/** The impact map of what is hit most: counts, painted by every step. */
function mapOf({ particles, parts }: Hail) {
  const mapped = parts.flatMap(({ collider }, i) => (collider.map ? [particles.map(i)] : []));
  const countOf = (values: Float32Array) => {
    let count = 0;
    for (let i = 3; i < values.length; i += 4) count += values[i];
    return count;
  };
  return mapped.reduce((a, b) => (countOf(b.values) > countOf(a.values) ? b : a)).picture();
}
