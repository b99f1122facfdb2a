// The public API of particles: every refusal, cancelling, progress, closing, and what answers do not depend on.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NearfieldError } from '../core/errors.ts';
import { identity } from '../math/pose.ts';
import { mesh } from '../mesh/mesh.ts';
import { type CpuNearfield, open } from '../nearfield.ts';
import { box } from '../shapes/index.ts';
import type { Collider } from './colliders/shapes.ts';
import type { ParticleOptions, StartRule } from './options.ts';
import type { Impacts } from './windows/impacts.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const rule: StartRule = {
  from: {
    box: [
      [-1, -1, 1],
      [1, 1, 2],
    ],
  },
  velocity: { ball: { centre: [0, 0, -2], radius: 1 } },
  life: [1, 2],
};
const colliders: Collider[] = [
  { plane: { point: [0, 0, -1], normal: [0, 0, 1] }, name: 'ground' },
  { sphere: { centre: [0, 0, 0], radius: 0.5 } },
];
const options: ParticleOptions = { count: 300, seed: 5, start: rule, acceleration: [0, 0, -3], colliders };

const rowsOf = (impacts: Impacts) =>
  Array.from(impacts, ({ time, particle, place, collider }) => [time, particle, collider, ...place]);

describe('particles refuse', () => {
  const arrays = { position: new Float64Array(6), velocity: new Float64Array(6), life: 1 };
  const plane = { point: [0, 0, 0], normal: [0, 0, 1] } as const;
  const withNaN = Float64Array.of(0, 0, 0, 0, Number.NaN, 0);
  const tetrahedron = mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1), Uint32Array.of(0, 1, 2));
  const one = (collider: unknown) => ({ colliders: [collider] }) as Partial<ParticleOptions>;
  const cases: [string, Partial<ParticleOptions>, string, RegExp][] = [
    ['no particles', { count: 0 }, 'bad-option', /count must be a whole number from 1/],
    ['too many particles', { count: 2 ** 27 }, 'bad-option', /count must be a whole number/],
    ['a seed of more than 32 bits', { seed: 2 ** 32 }, 'bad-option', /seed/],
    ['a length', { count: 3, start: arrays }, 'bad-array', /position has 6 numbers, not 9/],
    [
      'lists',
      { count: 2, start: { ...arrays, position: [0, 0] as never } },
      'bad-array',
      /Float32Array or a Float64Array, not Array/,
    ],
    [
      'a position that is not a number',
      { count: 2, start: { ...arrays, velocity: withNaN } },
      'not-finite',
      /velocity of particle 1, y, is NaN/,
    ],
    ['no life', { start: { ...rule, life: 0 } }, 'bad-option', /life must be above 0/],
    [
      'negative lives',
      { count: 2, start: { ...arrays, life: Float64Array.of(1, -2) } },
      'bad-option',
      /particle 1 must be above 0, not -2/,
    ],
    [
      'a cone of places',
      { start: { ...rule, from: { cone: { axis: [0, 0, 1], angle: 1, speed: [1, 2] } } } },
      'bad-option',
      /a cone is for velocities/,
    ],
    ['no region', { start: { ...rule, from: {} as never } }, 'bad-option', /point, box, disc, ball or cone/],
    ['generations', { generations: 0 }, 'bad-option', /generations/],
    ['no collider', one({}), 'bad-option', /none of plane/],
    ['no normal', one({ plane: { ...plane, normal: [0, 0, 0] } }), 'bad-option', /no direction/],
    [
      'no radius',
      one({ sphere: { centre: [0, 0, 0], radius: 0 } }),
      'bad-option',
      /radius must be above 0, not 0/,
    ],
    [
      'an asymmetric matrix',
      one({ quadric: [1, 2, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, -1] }),
      'bad-option',
      /not symmetric/,
    ],
    [
      'a quadric without a surface',
      one({ quadric: [0, 0, 0, 0, 0, 0, 0, 0, 0, 1] }),
      'bad-option',
      /everywhere or nowhere/,
    ],
    [
      'a polygon that crosses itself',
      one({
        plane,
        within: {
          polygon: [
            [0, 0],
            [1, 1],
            [1, 0],
            [0, 1],
          ],
        },
      }),
      'bad-option',
      /not simple|folds/,
    ],
    [
      'two corners',
      one({
        plane,
        within: {
          polygon: [
            [0, 0],
            [1, 1],
          ],
        },
      }),
      'bad-option',
      /three corners/,
    ],
    ['a ring inside out', one({ plane, within: { ring: [2, 1] } }), 'bad-option', /not below the outer/],
    ['restitution', { response: { kind: 'bounce', restitution: 1.5 } }, 'bad-option', /from 0 to 1/],
    ['friction', { response: { kind: 'bounce', friction: -1 } }, 'bad-option', /friction must be at least 0/],
    ['restSpeed', { response: { kind: 'bounce', restSpeed: 0 } }, 'bad-option', /restSpeed must be above 0/],
    [
      'a response of another kind',
      { response: { kind: 'explode' } as never },
      'bad-option',
      /'vanish' or 'bounce', not 'explode'/,
    ],
    ['sides', one({ plane, sides: 'back' }), 'bad-option', /'both' or 'front'/],
    ['a mesh that is none', one({ mesh: {} }), 'bad-option', /mesh\(positions, indices\)/],
    ['a singular pose', one({ mesh: tetrahedron, pose: new Float64Array(16) }), 'bad-pose', /collider 0/],
    ['a field that is none', one({ field: {} }), 'bad-option', /field is not/],
    ['no blobs', one({ blobs: [] }), 'bad-option', /at least one/],
    [
      'a map without texels',
      one({ plane, map: { width: 0, height: 4, combine: 'count' } }),
      'bad-option',
      /width must be a whole number/,
    ],
    [
      'a map of another form',
      one({ plane, map: { width: 4, height: 4, combine: 'count', form: 'equal-area' } }),
      'bad-option',
      /needs a sphere/,
    ],
    [
      'data of another length',
      one({ plane, data: { width: 2, height: 2, channels: 1, values: new Float32Array(3) } }),
      'bad-option',
      /3 numbers; expected 4 times 1/,
    ],
    [
      'motion that is not finite',
      one({ plane, motion: { velocity: [0, Infinity, 0] } }),
      'not-finite',
      /velocity, y is Infinity/,
    ],
  ];
  for (const [name, change, code, message] of cases) {
    it(name, async () => {
      const error = await nf.particles({ ...options, ...change }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(NearfieldError);
      expect((error as NearfieldError).code).toBe(code);
      expect((error as NearfieldError).message).toMatch(message);
    });
  }

  it('invalid times and particles', async () => {
    const particles = nf.particlesSync(options);
    expect(() => particles.impactsSync(Number.NaN, 1)).toThrow(/from must be a number of seconds, not NaN/);
    expect(() => particles.advanceSync(1e30)).toThrow(/beyond the limit of/);
    expect(() => particles.seek(0, { lookAhead: Number.NaN })).toThrow(/lookAhead/);
    expect(() => particles.stateSync(0, Uint32Array.of(1, 300))).toThrow(
      /names particle 300, but there are 300/,
    );
    expect(() => particles.map(0)).toThrow(/collider 0 has no map/);
    expect(() => particles.draw(0)).toThrow(/needs the GPU backend/);
    expect(() => particles.positions).toThrow(/needs the GPU backend/);
    await expect(particles.impacts(0, Infinity)).rejects.toThrow(/to must be a number of seconds/);
    particles.close();
  });
});

describe('answers', () => {
  it('are the same in both forms, and columns equal those of single impacts', async () => {
    const particles = await nf.particles(options);
    const [now, later] = [particles.impactsSync(0, 5), await particles.impacts(0, 5)];
    expect(rowsOf(later)).toEqual(rowsOf(now));
    expect(now.count).toBeGreaterThan(500);
    expect(now.stats).toMatchObject({ backend: 'cpu', unsure: 0, dispatches: 0, first: now.count });
    for (const i of [0, 1, 63, 64, 65, 128, now.count - 1]) {
      const impact = now.at(i);
      expect(impact.time).toBe(now.time[i]);
      expect(impact.particle).toBe(now.particle[i]);
      expect(impact.generation).toBe(now.generation[i]);
      expect(impact.place).toEqual([...now.place.subarray(3 * i, 3 * i + 3)]);
      expect(impact.normal).toEqual([...now.normal.subarray(3 * i, 3 * i + 3)]);
      expect(impact.outcome).toBe('vanish');
      expect(impact.triangle).toBeUndefined();
      expect(now.triangle[i]).toBe(0xffffffff);
    }
    expect(() => now.at(now.count)).toThrow(/i must be a whole number up to/);
    // Every impact once: no row is lost where the list of rows grows.
    expect(new Set(rowsOf(now).map(row => row.slice(0, 2).join())).size).toBe(now.count);
    expect(particles.impactsSync(2, 2).count).toBe(0);
    expect(particles.stats.windows).toBe(3);
    particles.close();
  });

  it('are the same if several are asked for without waiting', async () => {
    const [one, other] = [nf.particlesSync(options), nf.particlesSync(options)];
    const together = await Promise.all([one.advance(1), one.advance(2), one.impacts(0, 3), one.advance(3)]);
    expect(rowsOf(together[0])).toEqual(rowsOf(other.impactsSync(0, 1)));
    expect(rowsOf(together[1])).toEqual(rowsOf(other.impactsSync(1, 2)));
    expect(rowsOf(together[2])).toEqual(rowsOf(other.impactsSync(0, 3)));
    expect(rowsOf(together[3])).toEqual(rowsOf(other.impactsSync(2, 3)));
    expect(one.time).toBe(3);
    const waiting = one.advance(4);
    expect(() => one.advanceSync(5)).toThrow(/being answered/);
    await waiting;
    one.close();
    other.close();
  });

  it('do not depend on the order of particles, nor on others', () => {
    const random = (i: number) => ((i * 7919) % 1000) / 1000 - 0.5;
    const position = Float64Array.from({ length: 150 }, (_, i) => 2 * random(i) + (i % 3 === 2 ? 2 : 0));
    const velocity = Float64Array.from({ length: 150 }, (_, i) => random(i + 500) - (i % 3 === 2 ? 2 : 0));
    const make = (order: number[]) =>
      nf.particlesSync({
        ...options,
        count: order.length,
        start: {
          position: Float64Array.from(order.flatMap(p => [...position.subarray(3 * p, 3 * p + 3)])),
          velocity: Float64Array.from(order.flatMap(p => [...velocity.subarray(3 * p, 3 * p + 3)])),
          life: 2,
        },
      });
    const all = Array.from({ length: 50 }, (_, i) => i);
    const by = (order: number[]) => {
      const particles = make(order);
      const rows = rowsOf(particles.impactsSync(0, 4)).map(row => [row[0], order[row[1]], ...row.slice(2)]);
      particles.close();
      return rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    };
    const expected = by(all);
    expect(expected.length).toBeGreaterThan(40);
    expect(by([...all].reverse())).toEqual(expected);
    expect(by(all.filter(i => i % 2 === 0))).toEqual(expected.filter(row => row[1] % 2 === 0));
  });

  it('are the same far from the origin, except for the rounding of places', () => {
    const far = 2 ** 20;
    const shifted = (x: number): ParticleOptions => ({
      count: 200,
      start: {
        // Multiples of 2^-20: exact at both places.
        position: Float64Array.from(
          { length: 600 },
          (_, i) =>
            (i % 3 === 0 ? x : 0) + Math.round(random(i) * 2 ** 20) * 2 ** -20 + (i % 3 === 2 ? 2 : 0),
        ),
        velocity: Float64Array.from({ length: 600 }, (_, i) => random(i + 999) - (i % 3 === 2 ? 2 : 0)),
        life: 3,
      },
      acceleration: [0, 0, -3],
      colliders: [
        { sphere: { centre: [x, 0, 0], radius: 0.75 } },
        { plane: { point: [x, 0, -1], normal: [0.25, 0, 1] }, within: { disc: 4 } },
        { mesh: box(), pose: Object.assign(identity(), { 12: x + 0.5, 13: 0.5 }) },
      ],
    });
    const random = (i: number) => ((i * 7919) % 1000) / 1000 - 0.5;
    const [near, away] = [nf.particlesSync(shifted(0)), nf.particlesSync(shifted(far))];
    const [a, b] = [near.impactsSync(0, 3), away.impactsSync(0, 3)];
    expect(b.count).toBe(a.count);
    const order = (impacts: Impacts) => [...impacts].sort((p, q) => p.particle - q.particle);
    order(a).forEach((impact, i) => {
      const other = order(b)[i];
      expect(other.collider).toBe(impact.collider);
      expect(Math.abs(other.time - impact.time)).toBeLessThan(1e-8);
    });
    near.close();
    away.close();
  });

  it('with other colliders are as if those had always been there', async () => {
    const particles = nf.particlesSync(options);
    particles.advanceSync(1);
    await particles.setColliders([{ ...colliders[1], map: { width: 2, height: 2, combine: 'count' } }]);
    const other = nf.particlesSync({ ...options, colliders: [colliders[1]] });
    expect(rowsOf(particles.advanceSync(3))).toEqual(rowsOf(other.impactsSync(1, 3)));
    expect(particles.map(0).values.some(value => value > 0)).toBe(true);
    expect(particles.colliders.length).toBe(1);
    particles.close();
    other.close();
  });

  it('with a body use its state when the particles are created', async () => {
    const scene = nf.scene();
    const body = scene.add(box(), { pose: Object.assign(identity(), { 14: -0.75 }) });
    const particles = await nf.particles({ ...options, colliders: [{ body }] });
    const impacts = particles.impactsSync(0, 2);
    body.pose = Object.assign(identity(), { 14: 7 });
    expect(rowsOf(particles.impactsSync(0, 2))).toEqual(rowsOf(impacts));
    const moved = await nf.particles({ ...options, colliders: [{ body }] });
    expect(moved.impactsSync(0, 2).count).not.toBe(impacts.count);
    particles.close();
    moved.close();
    scene.close();
  });
});

describe('waiting', () => {
  const many: ParticleOptions = { ...options, count: 20_000 };

  it('can be cancelled, and then nothing has advanced', async () => {
    const particles = nf.particlesSync(many);
    const abort = new AbortController();
    const asked = particles.advance(2, { signal: abort.signal, progress: () => abort.abort() });
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
    expect(particles.time).toBe(0);
    const other = nf.particlesSync(many);
    expect(particles.advanceSync(2).count).toBe(other.advanceSync(2).count);
    await expect(particles.state(1, undefined, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    particles.close();
    other.close();
  });

  it('reports progress up to 1', async () => {
    const particles = nf.particlesSync(many);
    const shares: number[] = [];
    await particles.impacts(0, 2, { progress: share => shares.push(share) });
    expect(shares[shares.length - 1]).toBe(1);
    expect(shares.every((share, i) => i === 0 || share >= shares[i - 1])).toBe(true);
    particles.close();
  });

  it('fails if the particles, or the whole library, are closed', async () => {
    const own = await open({ backend: 'cpu' });
    const particles = own.particlesSync(many);
    const other = own.particlesSync(options);
    const asked = particles.impacts(0, 2);
    particles.close();
    particles.close();
    await expect(asked).rejects.toMatchObject({ code: 'closed' });
    expect(() => particles.advanceSync(1)).toThrow(/closed/);
    const kept = other.impactsSync(0, 1);
    own.close();
    expect(kept.time.length).toBe(kept.count);
    expect(() => other.impactsSync(0, 1)).toThrow(/closed/);
    await expect(own.particles(options)).rejects.toMatchObject({ code: 'closed' });
  });
});
