import { afterAll, expect, test, vi } from 'vitest';
import { createRandom } from '../../shapes/random.ts';
import { KnownSigns } from './known-signs.ts';
import { orient3dAt } from './orient.ts';
import { cross, dot, fromTo, pointAt, signOf } from './rational.ts';

/** Called once per sign that needed Shewchuk's expansions. */
const expansions = vi.spyOn(KnownSigns.prototype, 'keep');
afterAll(() => expansions.mockRestore());

/** det[a−d; b−d; c−d] in fractions. */
function exactSign(p: Float64Array, order: readonly number[]): number {
  const [a, b, c, d] = order.map(k => pointAt(p, 3 * k));
  return signOf(dot(cross(fromTo(d, a), fromTo(d, b)), fromTo(d, c)));
}

const orders = [0, 1, 2, 3].flatMap(i =>
  [0, 1, 2, 3].flatMap(j => [0, 1, 2, 3].flatMap(k => [[i, j, k, 6 - i - j - k]])),
);
const permutations = orders.filter(order => new Set(order).size === 4);

test('points in any order have the sign they have in fractions, decided once', () => {
  const rounds = process.env['NEARFIELD_SLOW'] ? 20_000 : 400;
  const seen = new Map<number, number>();
  for (let seed = 1; seed <= rounds; seed++) {
    const random = createRandom(seed);
    // Four points in a plane far from the origin, up to rounding; of some seeds exactly.
    const p = new Float64Array(12);
    const isExact = random.integer(3) === 0;
    const shift = isExact ? 0 : 2 ** random.integer(40);
    for (let k = 0; k < 12; k += 3) {
      p[k] = isExact ? random.integer(2 ** 30) : shift * random.between(1, 2);
      p[k + 1] = p[k] * (isExact ? 2 ** 20 + 1 : 1 / 3);
      p[k + 2] = p[k] * (isExact ? 2 ** 22 - 1 : 1 / 7) * (random.integer(2) ? 1 : -1);
    }
    expansions.mockClear();
    for (const order of permutations) {
      const [a, b, c, d] = order.map(k => 3 * k);
      const sign = orient3dAt(p, a, b, c, d);
      expect(sign, `seed ${seed}, order ${order}`).toBe(exactSign(p, order) + 0);
    }
    expect(expansions.mock.calls.length, `seed ${seed}`).toBeLessThanOrEqual(1);
    seen.set(expansions.mock.calls.length, (seen.get(expansions.mock.calls.length) ?? 0) + 1);
  }
  expect(seen.get(1), 'of some, expansions were needed').toBeGreaterThan(rounds / 20);
});
