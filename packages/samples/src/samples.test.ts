// The samples run for long and stay stable: no NaN, no energy from nowhere, nothing falls through anything. Small
// ones for a while in the suite, those of the paper for a thousand steps with NEARFIELD_SLOW=1.

import { type Body, open } from 'nearfield';
import { afterAll, describe, expect, test } from 'vitest';
import { createCylinders, createHeart, createRings, createTori, type Sample, type Step } from './index.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const slow = process.env.NEARFIELD_SLOW !== undefined;
const stepCount = slow ? 1000 : 160;

async function run(sample: Sample, count: number, look: (step: Step) => void = () => {}): Promise<Step[]> {
  const steps: Step[] = [];
  for (let i = 0; i < count; i++) {
    const step = await sample.step();
    for (const value of Object.values(step)) expect(Number.isFinite(value), `step ${i}`).toBe(true);
    look(step);
    steps.push(step);
  }
  return steps;
}

const triangleCount = (bodies: readonly Body[]): number =>
  bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);

describe('the sizes of the paper', () => {
  test.each([
    ['cylinders', createCylinders, 2000],
    ['tori', createTori, 5000],
    ['heart', createHeart, 8000],
  ] as const)('%s', (_, create, triangles) => {
    const sample = create(nf);
    expect(Math.abs(triangleCount(sample.bodies) / triangles - 1)).toBeLessThan(0.03);
    expect(sample.bodies.every(body => body.solid)).toBe(true);
    sample.close();
  });
  test('rings', () => {
    const sample = createRings(nf);
    const rings = sample.bodies.filter(({ name }) => name.startsWith('ring'));
    expect([rings.length, triangleCount(rings)]).toEqual([6, 15000]);
    sample.close();
  });
});

describe.each([
  ['cylinders', createCylinders, 500],
  ['tori', createTori, 800],
  ['heart', createHeart, 1200],
] as const)('%s', (_, create, small) => {
  const options = slow ? {} : { triangles: small, tolerance: 0.07 };
  test('overlap; less deep with a response, and the energy of the springs stays bounded', async () => {
    const free = create(nf, options);
    const pushed = create(nf, { ...options, response: true });
    const without = await run(free, stepCount);
    const withResponse = await run(pushed, stepCount);
    // Both begin as the motion does; then the springs have absorbed their load.
    const settled = 60;
    const deepest = (steps: readonly Step[]): number =>
      Math.max(...steps.slice(settled).map(step => step.deepest));
    expect(deepest(without)).toBeGreaterThan(0.01);
    expect(deepest(withResponse)).toBeLessThan(0.7 * deepest(without));
    expect(without.every(({ energy }) => energy === 0)).toBe(true);
    // The motion drives the springs again in every period; in the last they hold no more energy than in the first.
    const most = (steps: readonly Step[]): number => Math.max(...steps.map(step => step.energy));
    const half = stepCount / 2;
    expect(most(withResponse.slice(half))).toBeLessThan(2 * most(withResponse.slice(0, half)) + 1);
    expect(pushed.bodies.every(body => body.solid)).toBe(true);
    free.close();
    pushed.close();
  }, 600_000);
});

test('rings fall into the bowl and stay in it, and energy only decreases', async () => {
  const options = slow ? {} : { count: 3, triangles: 200, tolerance: 0.03 };
  const sample = createRings(nf, options);
  const rings = sample.bodies.filter(({ name }) => name.startsWith('ring'));
  let [first, last] = [0, Number.POSITIVE_INFINITY];
  const steps = await run(sample, slow ? 2000 : 360, ({ step, energy, deepest }) => {
    // The energy of springs is as precise as the sampling: a fiftieth of the initial energy.
    if (step === 1) first = energy;
    expect(energy, `step ${step}`).toBeLessThan(last + first / 50);
    last = Math.min(last, energy);
    // Less deep than the middle of a ring's tube; beyond that, springs would push it out of the other side.
    expect(deepest, `step ${step}`).toBeLessThan(0.3);
    for (const ring of rings) {
      const [x, y, z] = ring.pose.subarray(12, 15);
      expect(Math.hypot(x, y) < 2.3 && z > 0.2, `step ${step}: ${ring.name} at ${x}, ${y}, ${z}`).toBe(true);
    }
  });
  expect(Math.max(...steps.map(({ pairs }) => pairs))).toBeGreaterThan(1);
  expect(last).toBeLessThan(0.9 * first);
  sample.close();
}, 900_000);

test('the same seed gives the same steps, another seed others', async () => {
  const options = { count: 2, triangles: 200, tolerance: 0.07 };
  const samples = [1, 1, 2].map(seed => createRings(nf, { ...options, seed }));
  const ends = await Promise.all(samples.map(async sample => (await run(sample, 150)).at(-1)));
  expect(ends[1]).toEqual(ends[0]);
  expect(ends[2]).not.toEqual(ends[0]);
  for (const sample of samples) sample.close();
});
