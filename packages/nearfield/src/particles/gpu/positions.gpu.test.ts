// Compares positions for drawing with the evaluator's state: at any time, forwards and backwards, in the caller's own
// encoder.

import { expect, it } from 'vitest';
import { readWords, testDevice } from '../../gpu/testing/test-device.ts';
import type { Collider } from '../colliders/shapes.ts';
import { phases } from './layouts.ts';
import { collidersOf, rain, type System, systemOf } from './testing/systems.ts';

const count = process.env['NEARFIELD_SLOW'] === undefined ? 300 : 5000;

/** The bound in world units. The frame of these systems is 16, and paths are off by a few roundings of that. */
const bound = 2e-4;

/** The particles that may have hit something by a time. No window has been asked for in which that would be decided. */
async function undecidedAt({ gpu, engine }: System, time: number): Promise<Set<number>> {
  const { device } = await testDevice();
  const { ticks, lives, stride } = engine.lives.kept;
  const held = await readWords(device, ticks, 2 * gpu.count);
  const rows = await readWords(device, lives, 4 * stride * gpu.count);
  const now = Math.floor(time / gpu.tick);
  const undecided = new Set<number>();
  for (let i = 0; i < gpu.count; i++) {
    const phase = rows[4 * stride * i + 2] & 15;
    if (phase === phases.unsure && ((held[2 * i + 1] - now) | 0) <= 0) undecided.add(i);
  }
  return undecided;
}

async function compare(
  { gpu, cpu, engine }: System,
  time: number,
  what: string,
  undecided: ReadonlySet<number> = new Set(),
): Promise<number> {
  const { device } = await testDevice();
  const words = await readWords(device, engine.positions, 4 * gpu.count);
  const places = new Float32Array(words.buffer);
  const state = cpu.stateSync(time);
  let there = 0;
  for (let i = 0; i < gpu.count; i++) {
    const age = places[4 * i + 3];
    if (undecided.has(i)) continue;
    expect(age >= 0, `${what}, particle ${i}`).toBe(state.alive[i] !== 0);
    if (age < 0) continue;
    there++;
    expect(age).toBeLessThan(1);
    for (let axis = 0; axis < 3; axis++) {
      const off = Math.abs(places[4 * i + axis] + gpu.origin[axis] - state.position[3 * i + axis]);
      expect(off, `${what}, particle ${i}, axis ${axis}`).toBeLessThan(bound);
    }
  }
  return there;
}

it('places particles where the evaluator has them', async () => {
  const seed = 21;
  const floor: Collider = {
    plane: { point: [0, 0, 0], normal: [0, 0, 1] },
    response: { kind: 'bounce', restitution: 0.1, restSpeed: 0.8 },
    motion: { velocity: [0.1, 0, 0], turn: [0, 0, 0.5] },
  };
  const colliders = [floor, ...(await collidersOf('planes', seed)).slice(1)];
  const response = { kind: 'bounce', restitution: 0.5 } as const;
  const options = rain(count, seed, colliders, { response, generations: 3 });
  const system = await systemOf(options);
  const { gpu } = system;
  // After advancing to the time, undecided lives have been decided.
  for (const time of [0.4, 1.2, 1.7, 0.9, 3.3]) {
    gpu.seek(Math.max(0, time - 1.6));
    await gpu.advance(time);
    gpu.draw(time);
    expect(await compare(system, time, `seed ${seed}, at ${time}`)).toBeGreaterThan(count / 20);
  }
  gpu.close();
});

it('draws into the caller’s encoder, at any time, without a window before', async () => {
  const seed = 22;
  const system = await systemOf(rain(count, seed, await collidersOf('planes', seed)));
  const { gpu } = system;
  const { device } = await testDevice();
  for (const time of [1.3, 0.7, 5.1]) {
    const encoder = device.createCommandEncoder();
    gpu.draw(time, encoder);
    device.queue.submit([encoder.finish()]);
    // About one in thousands is undecided, on the border of an outline.
    const undecided = await undecidedAt(system, time);
    expect(undecided.size, `seed ${seed}, at ${time}`).toBeLessThanOrEqual(count / 1000);
    await compare(system, time, `seed ${seed}, at ${time}`, undecided);
  }
  // After asking for the windows of all lives of that time, they are decided.
  gpu.seek(3.4);
  await gpu.advance(5.1);
  gpu.draw(5.1);
  expect((await undecidedAt(system, 5.1)).size).toBe(0);
  await compare(system, 5.1, `seed ${seed}, at 5.1, decided`);
  gpu.draw(-1);
  expect(await compare(system, -1, 'before all births')).toBe(0);
  gpu.close();
});

// Regression: all particles were absent for the frame at which their next life begins, because the kept segment of the
// life before seemed to hold.
it('draws the life that begins at a birth', async () => {
  const position = Float64Array.from({ length: 3 * 20 }, (_, i) => 1 + i / 10);
  const start = { position, velocity: new Float64Array(3 * 20).fill(-1), life: 0.5 };
  const system = await systemOf({ ...rain(20, 23, await collidersOf('planes', 23)), start });
  const { gpu } = system;
  for (const time of [0.25, 0.5, 0.75, 1, 2.5, 2]) {
    await gpu.advance(time);
    gpu.draw(time);
    expect(await compare(system, time, `at ${time}`)).toBeGreaterThan(0);
  }
  gpu.close();
});
