// First contacts of bodies: against all pairs of triangles, against times that are known, and against themselves.

import {
  type Body,
  type CpuScene,
  type FirstContact,
  type FirstContactOptions,
  mesh,
  open,
  shapes,
} from 'nearfield';
import { afterAll, describe, expect, it, test } from 'vitest';
import { trianglesMeet } from '../../packages/nearfield/src/math/triangles/triangle-triangle.ts';
import { coreOf } from '../../packages/nearfield/src/questions/bare-scene.ts';
import { Failures } from '../oracle/failures.ts';
import { cellOfTriangles } from '../oracle/motion/first-contact.ts';
import { type Random, randomFrom, whole } from '../oracle/triangles/generators.ts';
import { translation } from '../spec/scenes.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const isSlow = process.env.NEARFIELD_SLOW !== undefined;

function inScene<T>(ask: (scene: CpuScene) => T): T {
  const scene = nf.scene();
  try {
    return ask(scene);
  } finally {
    scene.close();
  }
}

/** The cell of a contact in a grid of 2^-40. */
const cellOfContact = ({ time: { from, to } }: FirstContact): number => (from + to) * 2 ** 40;

/** Positions of triangles, on a grid so coarse that many touch. */
const soup = (random: Random, count: number, size: number, spread: number): Float64Array => {
  const out = new Float64Array(9 * count);
  for (let t = 0; t < count; t++) {
    const centre = [0, 1, 2].map(() => whole(random, -spread, spread));
    for (let i = 0; i < 9; i++) out[9 * t + i] = centre[i % 3] + whole(random, -size, size);
  }
  return out;
};

const separate = (positions: Float64Array) => Uint32Array.from({ length: positions.length / 3 }, (_, i) => i);

/** Every pair of triangles by the oracle: 0 if they meet at time 0, else the first contact of their features. */
function oracleCell(start: Float64Array[], end: Float64Array[], i: number, j: number): number {
  const corners = (p: Float64Array, t: number) =>
    [0, 3, 6].map(k => [...p.subarray(9 * t + k, 9 * t + k + 3)]);
  const [a0, b0] = [corners(start[0], i), corners(start[1], j)];
  const [a1, b1] = [corners(end[0], i), corners(end[1], j)];
  if (trianglesMeet(Float64Array.from([...a0, ...b0].flat()))) return 0;
  return cellOfTriangles([a0, b0, a1, b1], 40);
}

describe('triangles of two bodies', () => {
  for (const kind of ['deforming', 'translating'] as const) {
    it(`that are ${kind} meet as the oracle says`, { timeout: 1e7 }, () => {
      const failures = new Failures();
      for (let seed = 1; seed <= (isSlow ? 200 : 4); seed++) {
        const random = randomFrom(seed);
        const [p, q] = [soup(random, 6, 3, 6), soup(random, 6, 3, 6)];
        const step = [0, 1, 2].map(() => whole(random, -12, 12));
        const end = kind === 'deforming' ? soup(random, 6, 3, 6) : p.map((x, i) => x + step[i % 3]);
        inScene(scene => {
          const a = scene.add(mesh(p, separate(p)));
          scene.add(mesh(q, separate(q)));
          const motion =
            kind === 'deforming'
              ? { body: a, positions: end }
              : { body: a, to: translation(step[0], step[1], step[2]) };
          const found = scene.firstContactSync({ bodies: [motion] }, { which: 'triangles' });
          const cells = new Map(found.map(c => [6 * c.triangleA + c.triangleB, cellOfContact(c)]));
          const truth = Array.from({ length: 36 }, (_, n) =>
            oracleCell([p, q], [end, q], Math.floor(n / 6), n % 6),
          );
          truth.forEach((cell, n) => {
            const got = cells.get(n) ?? Infinity;
            failures.check(got === cell, () => `seed ${seed}, pair ${n}: ${got}, not ${cell}`);
          });
          const inOrder = found.every((c, n) => n === 0 || cellOfContact(found[n - 1]) <= cellOfContact(c));
          failures.check(inOrder, () => `seed ${seed}: not in order of time`);
          const least = Math.min(...truth);
          const [all] = scene.firstContactSync({ bodies: [motion] });
          failures.check(
            (all === undefined ? Infinity : cellOfContact(all)) === least,
            () => `seed ${seed}: ${JSON.stringify(all)}, not ${least}`,
          );
          // The first in order is also the one with the lowest triangles, unless a relation was found.
          if (all?.state === 'contact') {
            failures.check(
              all.triangleA === found[0].triangleA && all.triangleB === found[0].triangleB,
              () => `seed ${seed}: other triangles`,
            );
          }
        });
      }
      expect(failures.list).toEqual([]);
    });
  }
});

test('triangles of one body that share no position meet as the oracle says', { timeout: 1e7 }, () => {
  const failures = new Failures();
  for (let seed = 11; seed <= (isSlow ? 210 : 14); seed++) {
    const random = randomFrom(seed);
    const [p, q] = [soup(random, 8, 3, 5), soup(random, 8, 3, 5)];
    inScene(scene => {
      const body = scene.add(mesh(p, separate(p)));
      const found = scene.firstContactSync(
        { bodies: [{ body, positions: q }] },
        { which: 'triangles', self: true },
      );
      const cells = new Map(found.map(c => [8 * c.triangleA + c.triangleB, cellOfContact(c)]));
      for (let i = 0; i < 8; i++) {
        for (let j = i + 1; j < 8; j++) {
          const corner = (t: number, k: number) => p.subarray(9 * t + 3 * k, 9 * t + 3 * k + 3).join();
          const isShared = [0, 1, 2].some(k => [0, 1, 2].some(l => corner(i, k) === corner(j, l)));
          const truth = isShared ? Infinity : oracleCell([p, p], [q, q], i, j);
          const got = cells.get(8 * i + j) ?? Infinity;
          failures.check(got === truth, () => `seed ${seed}, triangles ${i}, ${j}: ${got}, not ${truth}`);
        }
      }
    });
  }
  expect(failures.list).toEqual([]);
});

test('many triangles meet as all pairs of them do', () => {
  const random = randomFrom(5);
  const sphere = shapes.icosphere({ frequency: 6 });
  const start = Float64Array.from(sphere.positions);
  const moved = start.map(x => x + (random() - 0.5));
  inScene(scene => {
    const a = scene.add(sphere);
    const b = scene.add(sphere, { pose: translation(1.5, 0.7, 1.125) });
    const found = scene.firstContactSync({ bodies: [{ body: a, positions: moved }] }, { which: 'triangles' });
    // One triangle at a time, without trees.
    const { indices, triangleCount } = sphere;
    let expected = 0;
    for (let i = 0; i < triangleCount; i += 2) {
      const pick = (p: Float64Array) =>
        Float64Array.from({ length: 9 }, (_, k) => p[3 * indices[3 * i + Math.floor(k / 3)] + (k % 3)]);
      inScene(other => {
        const one = other.add(mesh(pick(start), Uint32Array.of(0, 1, 2)));
        other.add(sphere, { pose: b.pose });
        const part = other.firstContactSync(
          { bodies: [{ body: one, positions: pick(moved) }] },
          { which: 'triangles' },
        );
        expected += part.length;
        const same = found.filter(({ triangleA }) => triangleA === i);
        expect(part.map(c => [c.time, c.triangleB])).toEqual(same.map(c => [c.time, c.triangleB]));
      });
    }
    expect(expected).toBeGreaterThan(0);
  });
});

describe('times that are known', () => {
  const unit = shapes.box({ size: [1, 1, 1] });

  it('a bullet of a step of 10^5 times the thickness of the wall', () => {
    inScene(scene => {
      const wall = scene.add(shapes.box({ size: [2 ** -10, 8, 8] }));
      const bullet = scene.add(shapes.icosphere({ frequency: 2 }), { pose: translation(-64, 0, 0) });
      const to = translation(64, 0, 0);
      expect(scene.interferencesSync().length).toBe(0);
      const [contact, ...more] = scene.firstContactSync({ bodies: [{ body: bullet, to }] });
      expect(more).toEqual([]);
      expect([contact.a, contact.b, contact.state]).toEqual([wall, bullet, 'contact']);
      // The bullet's foremost point reaches the wall's face.
      const front = Math.max(...bullet.mesh.positions.filter((_, i) => i % 3 === 0));
      const time = (64 - front - 2 ** -11) / 128;
      expect(contact.time.from).toBeLessThanOrEqual(time);
      expect(contact.time.to).toBeGreaterThanOrEqual(time);
      expect(contact.time.to - contact.time.from).toBeLessThanOrEqual(2 ** -40);
    });
  });

  it('two boxes that meet face to face, at an exact time', () => {
    inScene(scene => {
      scene.add(unit);
      const b = scene.add(unit, { pose: translation(3, 0.25, 0.125) });
      const [contact] = scene.firstContactSync({ bodies: [{ body: b, to: translation(-1, 0.25, 0.125) }] });
      expect(contact).toMatchObject({ state: 'contact', time: { from: 0.5, to: 0.5 } });
      expect(contact.point?.[0]).toBe(0.5);
      // Up to a time before it, at it.
      const upTo = (time: number) =>
        scene.firstContactSync({ bodies: [{ body: b, to: translation(-1, 0.25, 0.125) }] }, { upTo: time });
      expect(upTo(0.5 - 2 ** -53).length).toBe(0);
      expect(upTo(0.5).length).toBe(1);
    });
  });

  it('a third of the time, as an interval of the width asked for', () => {
    inScene(scene => {
      scene.add(unit);
      const b = scene.add(unit, { pose: translation(0, 0, 2) });
      const motion = { bodies: [{ body: b, to: translation(0, 0, -1) }] };
      for (const width of [2 ** -10, 2 ** -40, 2 ** -50, 0.3]) {
        const [{ time }] = scene.firstContactSync(motion, { width });
        expect(time.from).toBeLessThanOrEqual(1 / 3);
        expect(time.to).toBeGreaterThanOrEqual(1 / 3);
        expect(time.to - time.from).toBeLessThanOrEqual(width);
      }
      // Times before and after a third, in one cell of time.
      expect(scene.firstContactSync(motion, { upTo: 1 / 3, width: 0.5 }).length).toBe(0);
      expect(scene.firstContactSync(motion, { upTo: 1 / 3 + 2 ** -54, width: 0.5 }).length).toBe(1);
    });
  });

  it('boxes that pass without touching, and that graze', () => {
    inScene(scene => {
      scene.add(unit);
      const past = (y: number) => {
        const b = scene.add(unit, { pose: translation(3, y, 0) });
        const found = scene.firstContactSync({ bodies: [{ body: b, to: translation(-3, y, 0) }] });
        scene.remove(b);
        return found.map(({ time }) => time);
      };
      expect(past(1 + 2 ** -40)).toEqual([]);
      const [{ from, to }] = past(1);
      expect(from).toBeLessThanOrEqual(1 / 3);
      expect(to).toBeGreaterThanOrEqual(1 / 3);
    });
  });

  it('a sheet that folds onto itself', () => {
    // Two strips side by side in one mesh; the second turns over the first: one vertex row comes down.
    const p = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0, 3, 0, 0, 2, 1, 0);
    const q = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1, 1, 0, -1, 0, 1, -1);
    p.fill(1, 11, 12);
    p.fill(1, 14, 15);
    p.fill(1, 17, 18);
    inScene(scene => {
      const body = scene.add(mesh(p, Uint32Array.of(0, 1, 2, 3, 4, 5)));
      const motion = { bodies: [{ body, positions: q }] };
      expect(scene.firstContactSync(motion)).toEqual([]);
      const [contact] = scene.firstContactSync(motion, { self: true });
      // Both are level at time 1/2, and then the second is shifted by one: they share an edge point.
      expect(contact).toMatchObject({ a: body, b: body, state: 'contact', triangleA: 0, triangleB: 1 });
      expect(contact.time).toEqual({ from: 0.5, to: 0.5 });
    });
  });
});

describe('what already meets', () => {
  const at = (x: number): number[] => translation(x, 0, 0);
  const relations: readonly (readonly [string, number, number])[] = [
    ['touching', 2, 1],
    ['crossing', 1.5, 1],
    ['inside', 0.25, 0.5],
  ];
  it.each(relations)('is told apart: %s', (relation, x, size) => {
    inScene(scene => {
      const a = scene.add(shapes.box({ size: [size, size, size] }), { pose: at(x) });
      const b = scene.add(shapes.box({ size: [3, 3, 3] }));
      const [contact] = scene.firstContactSync({ bodies: [{ body: a, to: at(9) }] });
      expect(contact).toMatchObject({ a, b, state: 'initial', relation, time: { from: 0, to: 0 } });
      expect(contact.triangleA).toBe(relation === 'inside' ? -1 : contact.triangleA);
      expect(contact.triangleA >= 0).toBe(relation !== 'inside');
    });
  });
});

test('filters, the earliest of all, bodies at rest, progress, cancelling, and bodies that turn', async () => {
  const scene = nf.scene();
  const box = shapes.box({ size: [1, 1, 1] });
  const bodies: Body[] = [0, 4, 8].map(x => scene.add(box, { pose: translation(x, 0, 0) }));
  const [a, b, c] = bodies;
  const motion = { bodies: [{ body: b, to: translation(20, 0, 0) }] };
  // b goes through c; a rests.
  expect((await scene.firstContact(motion)).map(({ a, b }) => [a, b])).toEqual([[b, c]]);
  expect(await scene.firstContact(motion, { allowed: [[b, c]] })).toEqual([]);
  const back = { bodies: [...motion.bodies, { body: a, to: translation(30, 0, 0) }] };
  const all = await scene.firstContact(back);
  const [earliest, ...none] = await scene.firstContact(back, { which: 'earliest' });
  expect(none).toEqual([]);
  expect(earliest).toEqual(all[0]);
  expect(scene.firstContactSync(back)).toEqual(all);
  const progress: number[] = [];
  await scene.firstContact(back, { progress: done => progress.push(done) });
  expect(progress.at(-1)).toBe(1);
  await expect(scene.firstContact(back, { signal: AbortSignal.abort('enough') })).rejects.toBe('enough');
  const turned = Float64Array.of(0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  // a turns in place.
  expect(await scene.firstContact({ bodies: [{ body: a, to: turned }] })).toEqual([]);
  scene.close();
});

test('a question that is cancelled, or closed, gives its memory back', async () => {
  const own = await open({ backend: 'cpu' });
  const scene = own.scene();
  const body = scene.add(shapes.icosphere({ frequency: 24 }));
  const random = randomFrom(3);
  const positions = Float64Array.from(body.mesh.positions, x => x + (random() - 0.5) / 12);
  const ask = (options: FirstContactOptions = {}) =>
    scene.firstContact({ bodies: [{ body, positions }] }, { self: true, which: 'triangles', ...options });
  const { length } = await ask();
  expect(length).toBeGreaterThan(0);
  const { memory } = coreOf(scene).cpu;
  const before = memory.usedBytes;
  const controller = new AbortController();
  await expect(ask({ signal: controller.signal, progress: () => controller.abort('enough') })).rejects.toBe(
    'enough',
  );
  expect(memory.usedBytes).toBe(before);
  expect((await ask()).length).toBe(length);
  expect(memory.usedBytes).toBe(before);
  const waiting = ask({ progress: () => own.close() });
  await expect(waiting).rejects.toMatchObject({ code: 'closed' });
});

test('many bodies against one: the order of time, and none missed', () => {
  const random = randomFrom(9);
  inScene(scene => {
    const floor = scene.add(shapes.box({ size: [64, 64, 1] }));
    const box = shapes.box({ size: [1, 1, 1] });
    // The time at which each box reaches the floor, at z = 1/2, is known.
    const falling = Array.from({ length: 60 }, (_, i) => {
      const [x, y, z] = [4 * (i % 8) - 16, 4 * Math.floor(i / 8) - 16, 2 + random() * 20];
      const body = scene.add(box, { pose: translation(x, y, z) });
      const end = z - 1 - random() * 30;
      return { body, to: translation(x, y, end), time: (z - 1) / (z - end) };
    });
    const found = scene.firstContactSync({ bodies: falling });
    const expected = falling.filter(({ time }) => time <= 1).sort((p, q) => p.time - q.time);
    expect(found.map(({ a, b }) => [a, b])).toEqual(expected.map(({ body }) => [floor, body]));
    found.forEach(({ time }, i) => {
      // The pose rounds world positions: the time is known up to that.
      expect(Math.abs(time.from - expected[i].time)).toBeLessThan(2 ** -39);
    });
  });
});
