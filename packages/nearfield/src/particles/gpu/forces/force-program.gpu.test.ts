// Forces given as WGSL: the GPU gives the impacts that the TypeScript gives, to the last bit, and refuses WGSL that
// does not compile, that uses what the kernels declare, or that is another force.

import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../shapes/random.ts';
import type { ForceProgram } from '../../options.ts';
import { gusty, oscillator } from '../testing/programs.ts';
import { collidersOf, expectSameWindows, rain, systemOf, unevenTimes } from '../testing/systems.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const count = slow ? 3000 : 150;
const small = { allKinds: false } as const;
/** The same force, for particles that start farther from the point that it pulls to. */
const farther = { ...gusty.force, greatest: 32 };

describe('a force as WGSL', () => {
  it('is of second order on the GPU, against its closed form', async () => {
    const { exact, options } = gusty;
    const errors: number[] = [];
    for (const step of [1 / 16, 1 / 32, 1 / 64, 1 / 128]) {
      const { gpu } = await systemOf(options(step), small);
      const { count: hits, time, stats, single } = await gpu.impacts(0, 4, { columns: 'single' });
      expect(hits).toBe(1);
      // Found on the GPU, not by the CPU.
      expect(stats.unsure).toBe(0);
      expect(Math.abs(single.time[0] - time[0])).toBeLessThanOrEqual(single.timeError[0]);
      errors.push(Math.abs(single.time[0] - exact));
      gpu.close();
    }
    const order = Math.log2(errors[0] / errors.at(-1)!) / (errors.length - 1);
    expect(order).toBeGreaterThan(1.8);
    expect(order).toBeLessThan(2.25);
  });

  const kinds = slow ? (['planes', 'quadrics', 'mesh', 'turning'] as const) : (['planes'] as const);
  it.each(kinds)('gives the evaluator’s impacts: %s', async kind => {
    const seed = 123;
    const colliders = await collidersOf(kind, seed);
    for (const response of [undefined, { kind: 'bounce', restitution: 0.6, friction: 0.1 } as const]) {
      const motion = { step: 0.02, order: 2, drag: 0.2, force: farther } as const;
      const system = await systemOf(rain(count, seed, colliders, { motion, response }), small);
      const times = unevenTimes(createRandom(seed), slow ? 100 : 8, slow ? 0.2 : 1);
      const what = `${kind}, ${response?.kind ?? 'vanish'}, seed ${seed}`;
      expect(await expectSameWindows(system, times, what)).toBeGreaterThan(count / 10);
      const { stats } = system.gpu;
      expect(stats.unsureFirst, what).toBeLessThanOrEqual(Math.max(5, 0.05 * stats.first));
      system.gpu.draw(1);
      system.gpu.close();
    }
  });

  it('gets times before 0 and late times', async () => {
    const colliders = await collidersOf('planes', 124);
    for (const birth of [-3, 40_000]) {
      const options = rain(40, 124, colliders, {
        // Three times 40,000 is a turn to three digits in single precision.
        motion: { step: 0.02, order: 2, drag: 0.2, force: { ...farther, error: 0.02 } },
        generations: 3,
      });
      const system = await systemOf({ ...options, start: { ...options.start, birth } as never }, small);
      const times = [birth + 0.7, birth + 1.5, birth + 2.5, birth + 4];
      system.gpu.seek(birth);
      system.cpu.seek(birth);
      expect(await expectSameWindows(system, times, `born at ${birth}`)).toBeGreaterThan(10);
      expect(system.gpu.stats.unsure).toBeLessThan(system.gpu.stats.impacts);
      system.gpu.close();
    }
  });

  const refused = (wgsl: string, more: Partial<ForceProgram> = {}) => {
    const options = oscillator.options(1 / 16);
    const force = { ...oscillator.force, wgsl, ...more };
    return systemOf({ ...options, motion: { step: 1 / 16, order: 2, force } }, small);
  };
  const right = oscillator.force.wgsl;

  it.each([
    [
      'a slip',
      'fn acceleration(place: vec3f, velocity: vec3f, time: f32) -> vec3f {\n  return -4.0 * plase;\n}',
      /line 2: .*plase[\s\S]*return -4\.0 \* plase;/,
    ],
    ['no function', 'fn force() -> vec3f { return vec3f(0.0); }', /needs fn acceleration\(place: vec3f/],
    [
      'another signature',
      'fn acceleration(place: vec3f) -> vec3f { return place; }',
      /needs fn acceleration/,
    ],
    ['a variable of the kernels', `${right}fn mine() -> u32 { return system.count; }`, /line 4: .*system/],
    [
      'a function of the kernels',
      right.replace('-4.0 * place', 'vec3f(largest(place))'),
      /line 2: .*largest/,
    ],
    [
      'a name that kernels declare',
      `${right}fn largest(v: vec3f) -> f32 { return v.x; }`,
      /line 4: .*largest/,
    ],
    ['an entry point named as theirs', `${right}@compute @workgroup_size(1) fn main() {}`, /main/],
    ['a binding', `@group(0) @binding(9) var<storage> mine: array<u32>;\n${right}`, /may not have bindings/],
    [
      'a binding behind a comment',
      `@/**/group(0) @/**/binding(9) var<storage> mine: array<u32>;\n${right.replace('-4.0', 'f32(mine[0])')}`,
      /bindings/,
    ],
    [
      'a binding behind nested comments',
      `/* /* */ // */ @group(0) @binding(9) var<storage> mine: array<u32>;\n${right.replace('-4.0', 'f32(mine[0])')}`,
      /bindings/,
    ],
    [
      'a name that the kernel of places declares',
      `${right}fn positionOf(v: vec3f) -> f32 { return v.x; }`,
      /line 4: .*positionOf/,
    ],
    [
      'a constant without a value',
      `override pull: f32;\n${right.replace('-4.0', 'pull')}`,
      /cannot be used: .*pull/s,
    ],
    [
      'more memory of a workgroup than there is',
      `var<workgroup> much: array<f32, 100000>;\n${right.replace('-4.0', 'much[u32(time)]')}`,
      /does not compile|cannot be used/,
    ],
    [
      'a function of WGSL that the kernels call',
      `fn ldexp(value: f32, power: i32) -> f32 { return 0.0; }\n${right}`,
      /declares ldexp, which/,
    ],
    [
      'a function of WGSL behind nested comments',
      `/* /* */ // */ fn ldexp(value: f32, power: i32) -> f32 { return 0.0; }\n${right}`,
      /declares ldexp, which/,
    ],
    ['a type of WGSL that the kernels use', `alias vec3u = vec3<i32>;\n${right}`, /declares vec3u, which/],
    [
      'another force',
      right.replace('4.0', '4.1'),
      /gives .* its function gives .* differ by .* more than the stated error/,
    ],
    ['what is not a number', right.replace('-4.0 * place', 'place / (place.x - place.x)'), /its function/],
  ])('refuses %s', async (_, wgsl, message) => {
    await expect(refused(wgsl)).rejects.toMatchObject({
      code: 'bad-option',
      message: expect.stringMatching(message),
    });
  });

  it('decides on the CPU where the WGSL gives NaN', async () => {
    // The WGSL is right where it is tried, in the first steps. A quarter of a second later, before the impact, the particle is
    // more than 2 below the point that pulls it, where the WGSL gives NaN.
    const options = gusty.options(1 / 128);
    const position = Float64Array.of(1, 0, -0.2);
    const velocity = Float64Array.of(0, 0, -4);
    const system = await systemOf(
      { ...options, start: { ...options.start, position, velocity } as never },
      small,
    );
    expect(await expectSameWindows(system, [1, 2, 4], 'not a number')).toBe(1);
    expect(system.gpu.stats.unsure).toBe(1);
    system.gpu.close();
  });
});
