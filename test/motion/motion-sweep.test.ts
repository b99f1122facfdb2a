// All times at which triangles and bodies meet on linear paths. Triangles are compared with the exact test at times at which
// their corners are doubles. Bodies are compared with dense sampling and with intervals known in closed form.

import {
  type Body,
  type CpuScene,
  type Mesh,
  type Motion,
  mesh,
  open,
  type SweptPair,
  shapes,
} from 'nearfield';
import { afterAll, describe, expect, it, test } from 'vitest';
import { trianglesMeet } from '../../packages/nearfield/src/math/triangles/triangle-triangle.ts';
import { contactTimes } from '../../packages/nearfield/src/motion/linear/exact/contact-times.ts';
import { Failures } from '../oracle/failures.ts';
import { randomFrom, whole } from '../oracle/triangles/generators.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const isSlow = process.env.NEARFIELD_SLOW !== undefined;
const seed = Number(process.env.NEARFIELD_SEED ?? 5);

const at = (x: number, y: number, z: number) =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);

test(`contactTimes agrees with the exact test of triangles at sampled times (seed ${seed})`, {
  timeout: 1e7,
}, () => {
  const failures = new Failures();
  const random = randomFrom(seed);
  const bits = 40;
  const samples = 64;
  const count = { stretches: 0, moments: 0, throughout: 0 };
  for (let n = 0; n < (isSlow ? 20_000 : 400); n++) {
    // Few places: corners coincide, triangles are flat, edges parallel. A third stays in one plane.
    const range = [2, 3, 8, 40][n % 4];
    const p = Float64Array.from({ length: 36 }, (_, i) =>
      n % 3 === 0 && i % 3 === 2 ? 0 : whole(random, -range, range),
    );
    const upTo = n % 5 === 0 ? 0.625 : 1;
    const lastCell = 2 * upTo * 2 ** bits;
    const stretches = contactTimes(p, bits, upTo, lastCell);
    count.stretches += stretches.length;
    for (const { begins, ends, throughout } of stretches) {
      if (begins[0] === ends[1]) count.moments++;
      if (throughout) count.throughout++;
    }
    for (let k = 0; k <= samples * upTo; k++) {
      const t = k / samples;
      const now = Float64Array.from({ length: 18 }, (_, i) => p[i] + t * (p[18 + i] - p[i]));
      const cell = 2 * t * 2 ** bits;
      const inside = stretches.find(({ begins, ends }) => cell >= begins[0] && cell <= ends[1]);
      const isSure =
        inside === undefined || (inside.throughout && cell >= inside.begins[1] && cell <= inside.ends[0]);
      const meets = trianglesMeet(now);
      failures.check(meets ? inside !== undefined : inside === undefined || !isSure, () => {
        return `seed ${seed}, query ${n}, time ${k}/${samples}: ${meets}: ${JSON.stringify(stretches)}: ${Array.from(p)}`;
      });
    }
    for (const [i, { begins }] of stretches.entries())
      failures.check(i === 0 || begins[0] > stretches[i - 1].ends[1] + 1, () => `query ${n}: not in order`);
  }
  expect(failures.list).toEqual([]);
  expect(Math.min(...Object.values(count))).toBeGreaterThan(10);
});

async function inScene<T>(
  meshes: readonly { own: Mesh; pose?: Float64Array }[],
  ask: (scene: CpuScene, bodies: Body[]) => Promise<T>,
): Promise<T> {
  const scene = nf.scene() as CpuScene;
  const bodies = meshes.map(({ own, pose }) => scene.add(own, pose && { pose }));
  try {
    return await ask(scene, bodies);
  } finally {
    scene.close();
  }
}

const intervalsOf = ([swept]: SweptPair[]) =>
  swept.intervals.map(({ begins, ends, throughout, state }) => [
    begins.from,
    begins.to,
    ends.from,
    ends.to,
    throughout,
    state,
  ]);

describe('known intervals', () => {
  const cube = shapes.box({ size: [2, 2, 2] });
  it('flush faces that slide touch from edge to edge', async () => {
    const found = await inScene([{ own: cube, pose: at(-4, 0, 2) }, { own: cube }], (scene, [body]) =>
      scene.sweep({ bodies: [{ body, to: at(4, 0, 2) }] }),
    );
    expect(intervalsOf(found)).toEqual([[0.25, 0.25, 0.75, 0.75, true, 'contact']]);
  });
  it('a solid that flies through another one meets it from side to side, also while it is within', async () => {
    const small = shapes.box({ size: [0.5, 0.5, 0.5] });
    const found = await inScene([{ own: small, pose: at(-4, 0.25, 0.125) }, { own: cube }], (scene, [body]) =>
      scene.sweep({ bodies: [{ body, to: at(4, 0.25, 0.125) }] }),
    );
    expect(intervalsOf(found)).toEqual([[0.34375, 0.34375, 0.65625, 0.65625, true, 'contact']]);
  });
  it('a shell has two walls, and nothing between them', async () => {
    const small = shapes.box({ size: [0.5, 0.5, 0.5] });
    const open = mesh(cube.positions, cube.indices.slice(3));
    const found = await inScene([{ own: small, pose: at(-4, 0.25, 0.125) }, { own: open }], (scene, [body]) =>
      scene.sweep({ bodies: [{ body, to: at(4, 0.25, 0.125) }] }),
    );
    expect(intervalsOf(found).length).toBe(2);
  });
  it('begins at 0, ends at the time asked for, and a solid within another from the start', async () => {
    const small = shapes.box({ size: [0.5, 0.5, 0.5] });
    const inside = await inScene([{ own: small }, { own: cube }], (scene, [body]) =>
      scene.sweep({ bodies: [{ body, to: at(0.25, 0.25, 0) }] }, { upTo: 0.75 }),
    );
    expect(intervalsOf(inside)).toEqual([[0, 0, 0.75, 0.75, true, 'contact']]);
  });
  it('a sheet that passes another one flat meets it for a moment', async () => {
    const sheet = mesh(Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint32Array.of(0, 1, 2));
    const found = await inScene([{ own: sheet, pose: at(0, 0, -1) }, { own: sheet }], (scene, [body]) =>
      scene.sweep({ bodies: [{ body, to: at(0, 0, 2) }] }),
    );
    const [[from, to, endFrom, endTo]] = intervalsOf(found);
    expect([endFrom, endTo]).toEqual([from, to]);
    expect(from).toBeLessThan(1 / 3);
    expect(to).toBeGreaterThan(1 / 3);
  });
  it('a body that grows, reaches another and shrinks back, in two motions', async () => {
    const grown = cube.positions.map(x => 3 * x);
    const found = await inScene([{ own: cube }, { own: cube, pose: at(4, 0, 0) }], (scene, [body]) =>
      scene.sweep({ bodies: [{ body, positions: grown }] }),
    );
    // From 1 to 3, and the other begins at 3.
    expect(intervalsOf(found)).toEqual([[1, 1, 1, 1, true, 'contact']]);
  });
});

/** A body that deforms: every vertex goes somewhere else, by multiples of 2^-6. */
function shaken(own: Mesh, random: () => number, most: number): Float64Array {
  return own.positions.map(x => x + Math.round((2 * random() - 1) * most * 64) / 64) as Float64Array;
}
const rounded = (own: Mesh): Mesh =>
  mesh(
    Float64Array.from(own.positions, x => Math.round(x * 64) / 64),
    own.indices,
  );

const ball = rounded(shapes.icosphere({ frequency: 2 }));
const block = rounded(shapes.box({ size: [2, 1, 1] }));
const cloth = rounded(shapes.cloth({ triangles: 60 }));

describe.each(['translates', 'turns'] as const)('a body that deforms, another that %s', other => {
  test(`sweeps and nearest approaches hold at every sample (seed ${seed})`, { timeout: 1e7 }, async () => {
    const failures = new Failures();
    const random = randomFrom(seed + 1);
    const samples = 64;
    const count = { met: 0, apart: 0, throughout: 0 };
    for (let n = 0; n < (isSlow ? 200 : 12); n++) {
      const own = [ball, block, cloth][n % 3];
      const still = [block, ball][n % 2];
      const move = () => [0, 1, 2].map(() => Math.round((2 * random() - 1) * 2.5 * 64) / 64);
      const [from, to, place] = [move(), move(), move()];
      const end = shaken(own, random, 0.5).map((x, i) => x + to[i % 3] - from[i % 3]);
      const turned = Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, place[0], place[1], place[2], 1);
      const then = other === 'turns' ? turned : at(place[0], place[1], place[2]);
      const poses = [at(from[0], from[1], from[2]), at(0, 0, 0)];
      const motionOf = ([a, b]: Body[]): Motion => ({
        bodies: [
          { body: a, positions: end },
          { body: b, to: then },
        ],
      });
      const scene = nf.scene() as CpuScene;
      const bodies = [scene.add(own, { pose: poses[0] }), scene.add(still, { pose: poses[1] })];
      const swept = await scene.sweep(motionOf(bodies));
      const [near] = await scene.nearestApproach(motionOf(bodies));
      const [first] = await scene.firstContact(motionOf(bodies));
      const intervals = swept[0]?.intervals ?? [];
      const what = `seed ${seed}, motion ${n}`;
      failures.check(
        intervals.length > 0 === (first !== undefined),
        () => `${what}: ${JSON.stringify(intervals)} but first contact ${first?.state}`,
      );
      if (first && intervals.length > 0)
        failures.check(
          Math.abs(intervals[0].begins.from - first.time.from) < 1e-9,
          () => `${what}: begins at ${intervals[0].begins.from}, first contact at ${first.time.from}`,
        );
      let [least, isMet] = [Infinity, false];
      for (let k = 0; k <= samples; k++) {
        const t = k / samples;
        const now = nf.scene() as CpuScene;
        const positions = Float64Array.from(own.positions, (x, i) => x + t * (end[i] - x));
        const a = now.add(mesh(positions, own.indices), { pose: poses[0] });
        const [c, s] =
          other === 'turns' ? [Math.cos((t * Math.PI) / 2), Math.sin((t * Math.PI) / 2)] : [1, 0];
        const pose = Float64Array.of(
          c,
          s,
          0,
          0,
          -s,
          c,
          0,
          0,
          0,
          0,
          1,
          0,
          t * place[0],
          t * place[1],
          t * place[2],
          1,
        );
        const b = now.add(still, { pose });
        const { distance } = now.distanceSync(a, b);
        now.close();
        least = Math.min(least, distance);
        if (distance === 0) isMet = true;
        const inside = intervals.find(({ begins, ends }) => t >= begins.from - 1e-9 && t <= ends.to + 1e-9);
        failures.check(
          distance > 0 || inside !== undefined,
          () => `${what}: meets at ${t}, ${JSON.stringify(intervals)}`,
        );
        if (inside?.throughout && t > inside.begins.to + 1e-9 && t < inside.ends.from - 1e-9) {
          count.throughout++;
          failures.check(distance < 1e-12, () => `${what}: apart at ${t}, ${JSON.stringify(intervals)}`);
        }
      }
      if (isMet) count.met++;
      else count.apart++;
      failures.check(
        near.distance.lower <= least * (1 + 1e-12) + 1e-12,
        () => `${what}: never below ${near.distance.lower}, but ${least}`,
      );
      failures.check(
        near.distance.upper - near.distance.lower <= 0.02 * near.distance.upper + 1e-9,
        () => `${what}: ${JSON.stringify(near.distance)}`,
      );
      scene.close();
    }
    expect(failures.list).toEqual([]);
    expect(count.met).toBeGreaterThan(0);
    expect(count.apart).toBeGreaterThan(0);
    expect(count.throughout).toBeGreaterThan(0);
  });
});
