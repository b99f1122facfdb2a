import type { Particles } from 'nearfield';
import { expect, test } from 'vitest';
import { systemOf } from '../../../packages/nearfield/src/particles/gpu/testing/systems.ts';

// An impact 2^-40 s before the end of a life, a million seconds after 0, rounds to the time at which the next life
// begins, so it belongs to the window that begins there. On a GPU that window asked only the next life, and the
// window before rightly left the impact out.
test('an impact that rounds to the next birth is in the window that begins there', async () => {
  const before = 1 - 2 ** -40;
  const systemAt = (late: number, bounces: boolean, generations: number | undefined) =>
    systemOf({
      count: 2,
      start: {
        position: Float64Array.of(0, 0, before, 0, 0, before / 2),
        velocity: Float64Array.of(0, 0, -1, 0, 0, -1),
        life: 1,
        birth: generations === undefined ? 0 : late - 1,
      },
      colliders: [{ plane: { point: [0, 0, 0], normal: [0, 0, 1] } }],
      response: bounces ? { kind: 'bounce', restitution: 1, restSpeed: 1e-9 } : { kind: 'vanish' },
      generations,
    });
  const listOf = async (particles: Particles, late: number) => {
    const windows = [
      [0.2, 1],
      [1, 1.2],
      [1.2, 2],
      [2, 2.2],
      [2, 2.2],
      [2.2, 1],
      [1, 0.2],
      [1, 1.5],
      [0.2, 2.5],
    ];
    const lists: number[][][] = [];
    for (const [from, to] of windows) {
      const found = await particles.impacts(late + from, late + to);
      lists.push([...found].map(({ time, particle, generation }) => [time - late, particle, generation]));
    }
    return lists;
  };
  for (const late of [0, 1e6, 4e6]) {
    for (const bounces of [false, true]) {
      for (const generations of [undefined, 1, 2]) {
        const { gpu, cpu } = await systemAt(late, bounces, generations);
        const expected = await listOf(cpu, late);
        if (late > 0 && generations !== 1) expect(expected[1]).toHaveLength(1);
        expect(await listOf(gpu, late), `${late} ${bounces} ${generations}`).toEqual(expected);
        expect(gpu.stats.dispatches).toBeGreaterThan(0);
        gpu.close();
      }
    }
  }
});
