// First contacts whose times are known: boxes, bars, bullets, screws and gears, contained and touching starts, what grazes.

import { afterAll, expect, test } from 'vitest';
import { type FirstContact, type Mesh, mesh, open, shapes } from '../../index.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const at = (x: number, y: number, z: number) =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);
/** A turn about z by an angle, and then a translation. */
const turned = (angle: number, x = 0, y = 0, z = 0) => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return Float64Array.of(c, s, 0, 0, -s, c, 0, 0, 0, 0, 1, 0, x, y, z, 1);
};
const cube = shapes.box({ size: [2, 2, 2] });

function expectTime(found: FirstContact | undefined, value: number, width = 2 ** -35): void {
  expect(found?.state).toBe('contact');
  const { from, to } = found!.time;
  // The time is known to a few units of rounding.
  expect(from).toBeLessThanOrEqual(value + 1e-15);
  expect(to).toBeGreaterThanOrEqual(value - 1e-15);
  expect(to - from).toBeLessThanOrEqual(width);
}

/** The first contact of two bodies, one of which moves. */
async function first(moving: Mesh, from: Float64Array, to: Float64Array, other: Mesh, pose = at(0, 0, 0)) {
  const scene = nf.scene();
  const body = scene.add(moving, { pose: from });
  scene.add(other, { pose });
  const found = await scene.firstContact({ bodies: [{ body, to }] });
  scene.close();
  return found;
}

test('a box meets a box when the gap is closed', async () => {
  expectTime((await first(cube, at(10, 0.25, 0.5), at(0, 0.25, 0.5), cube))[0], 0.8);
});

test('flush boxes of equal size meet too: no edge crosses a face, a point lies in both', async () => {
  const [found] = await first(cube, at(10, 0, 0), at(0, 0, 0), cube);
  expectTime(found, 0.8);
  expect(found.triangleA).toBeGreaterThanOrEqual(0);
});

test('spheres of facets meet after the spheres around them, and before the spheres within them', async () => {
  /** The time at which centres on the line y = 1 are so far from each other. The x falls from 6 to -2. */
  const timeOf = (distance: number) => (6 - Math.sqrt(distance ** 2 - 1)) / 8;
  for (const [frequency, within] of [
    [2, 0.06],
    [16, 0.001],
  ]) {
    const ball = shapes.icosphere({ frequency });
    const least = leastRadius(ball);
    for (const to of [at(-2, 1, 0), turned(2.5, -2, 1, 0)]) {
      const [{ state, time }] = await first(ball, at(6, 1, 0), to, ball);
      expect(state).toBe('contact');
      expect(time.to).toBeGreaterThanOrEqual(timeOf(2));
      expect(time.from).toBeLessThanOrEqual(timeOf(2 * least));
      expect(timeOf(2 * least) - timeOf(2)).toBeLessThan(within);
      expect(time.to - time.from).toBeLessThanOrEqual(2 ** -35);
    }
  }
});

/** The radius of the largest sphere about the origin that no facet cuts. */
function leastRadius({ positions: p, indices }: Mesh): number {
  let least = Infinity;
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map(k => p.subarray(3 * indices[t + k], 3 * indices[t + k] + 3));
    const [u, v] = [b, c].map(corner => corner.map((x, k) => x - a[k]));
    const normal = [0, 1, 2].map(k => u[(k + 1) % 3] * v[(k + 2) % 3] - u[(k + 2) % 3] * v[(k + 1) % 3]);
    least = Math.min(
      least,
      Math.abs(normal.reduce((sum, x, k) => sum + x * a[k], 0)) / Math.hypot(...normal),
    );
  }
  return least;
}

test('a turning bar hits a peg at a known angle', async () => {
  const bar = shapes.box({ size: [4, 0.2, 0.2] });
  const peg = shapes.box({ size: [0.2, 0.2, 2] });
  const [found] = await first(bar, at(0, 0, 0), turned(Math.PI / 2), peg, at(0, 1.5, 0));
  // The side of the bar reaches the peg's corner (0.1, 1.4).
  const angle = Math.atan2(1.4, 0.1) - Math.asin(0.1 / Math.hypot(0.1, 1.4));
  expectTime(found, angle / (Math.PI / 2));
});

test('a screw motion carries the centre along an arc, a turn along its chord', async () => {
  // A small cube on a circle of radius 10 about the origin, and a wall that only the arc reaches.
  const small = shapes.box({ size: [0.2, 0.2, 0.2] });
  const wall = shapes.box({ size: [2, 2, 2] });
  for (const path of ['screw', 'turn'] as const) {
    const scene = nf.scene();
    const body = scene.add(small, { pose: at(10, 0, 0) });
    scene.add(wall, { pose: at(10.3 * Math.SQRT1_2, 10.3 * Math.SQRT1_2, 0) });
    const found = await scene.firstContact({ bodies: [{ body, to: turned(Math.PI / 2, 0, 10), path }] });
    expect(found.map(({ state }) => state)).toEqual(path === 'screw' ? ['contact'] : []);
    scene.close();
  }
});

test('a bullet of 10⁵ thicknesses of the wall per step is found', async () => {
  const bullet = shapes.icosphere({ radius: 0.01, frequency: 3 });
  const wall = shapes.box({ size: [0.001, 1, 1] });
  const spin = turned(3, 50, 0, 0);
  const [found] = await first(bullet, at(-50, 0.01, 0.02), spin, wall);
  expect(found.state).toBe('contact');
  expect(found.time.from).toBeGreaterThan(0.4998);
  expect(found.time.to).toBeLessThan(0.4999);
  expect(found.time.to - found.time.from).toBeLessThan(2 ** -35);
});

test('starts in contact are told apart by their relation', async () => {
  const far = turned(1, 9, 0, 0);
  const inner = shapes.box({ size: [1, 1, 1] });
  const relationOf = async (moving: Mesh, pose: Float64Array) => {
    const [found] = await first(moving, pose, far, cube);
    expect(found).toMatchObject({ state: 'initial', time: { from: 0, to: 0 } });
    return found.relation;
  };
  expect(await relationOf(cube, at(2, 0, 0))).toBe('touching');
  expect(await relationOf(cube, at(1, 0.5, 0))).toBe('crossing');
  expect(await relationOf(inner, at(0, 0, 0))).toBe('inside');
  expect(await relationOf(cube, at(0, 0, 0))).toBe('coincident');
});

test('an open body within a solid is separate until it reaches the surface', async () => {
  const leaf = mesh(Float64Array.of(-0.5, -0.5, 0, 0.5, -0.5, 0, 0, 0.5, 0), Uint32Array.of(0, 1, 2));
  const [found] = await first(leaf, at(0, 0, 0), at(0, 0, 4), cube);
  expectTime(found, 0.25);
});

test('what grazes is undecided, with a gap of at most 2^-40 of the size', async () => {
  // The corner of a square that turns by half a turn about its centre just reaches a plane.
  const square = shapes.box({ size: [2, 2, 0.5] });
  const wall = shapes.box({ size: [1, 8, 8] });
  const [found] = await first(square, at(0, 0, 0), turned(Math.PI / 2), wall, at(Math.SQRT2 + 0.5, 0, 0));
  expect(found.state).toBe('undecided');
  expect(found.time.from).toBeLessThan(0.5);
  expect(found.time.to).toBeGreaterThan(0.5);
  expect(found.time.to - found.time.from).toBeLessThan(1e-4);
  expect(found.gap).toBeLessThanOrEqual(2 ** -40 * 8);
  // A little farther or nearer, it is decided.
  const [nearer] = await first(
    square,
    at(0, 0, 0),
    turned(Math.PI / 2),
    wall,
    at(Math.SQRT2 + 0.5 - 1e-9, 0, 0),
  );
  expect(nearer.state).toBe('contact');
  expect(
    await first(square, at(0, 0, 0), turned(Math.PI / 2), wall, at(Math.SQRT2 + 0.5 + 1e-9, 0, 0)),
  ).toEqual([]);
});

test('a screw turns through its nut, and hits it if the nut is not in step', async () => {
  const { screw, nut } = thread(0.02);
  const pitch = 0.5;
  const scene = nf.scene();
  const body = scene.add(screw, { pose: at(0, 0, -pitch) });
  scene.add(nut);
  const through = { body, to: turned(Math.PI, 0, 0, -pitch / 2), path: 'screw' } as const;
  expect(await scene.firstContact({ bodies: [through] })).toEqual([]);
  const stuck = { body, to: turned(Math.PI, 0, 0, -pitch), path: 'screw' } as const;
  expect((await scene.firstContact({ bodies: [stuck] }))[0]).toMatchObject({ state: 'contact' });
  scene.close();
});

test('gears in step clear each other, and meet if one stands still', async () => {
  const gear = shapes.gear({ teeth: 12, module: 1, backlash: 0.2 });
  const scene = nf.scene();
  const a = scene.add(gear);
  const b = scene.add(gear, { pose: turned(Math.PI / 12, 12, 0, 0) });
  const step = Math.PI / 6;
  const inStep = [
    { body: a, to: turned(step) },
    { body: b, to: turned(Math.PI / 12 - step, 12, 0, 0) },
  ];
  expect(await scene.firstContact({ bodies: inStep })).toEqual([]);
  const [found] = await scene.firstContact({ bodies: inStep.slice(0, 1) });
  expect(found.state).toBe('contact');
  scene.close();
});

test('many bodies: all pairs in order of time, or those that may be first', async () => {
  const scene = nf.scene();
  const body = scene.add(cube, { pose: at(-10, 0, 0), name: 'mover' });
  const others = [0, 5, 10, 15].map(x =>
    scene.add(cube, { pose: at(x, 0.25 + x / 100, 0.125), name: `at ${x}` }),
  );
  const motion = { bodies: [{ body, to: at(20, 0, 0) }] };
  const all = await scene.firstContact(motion);
  expect(all.map(({ b }) => b)).toEqual(others);
  all.forEach((found, i) => {
    expectTime(found, (8 + 5 * i) / 30);
  });
  const earliest = await scene.firstContact(motion, { which: 'earliest' });
  expect(earliest.map(({ b }) => b)).toEqual([others[0]]);
  const early = await scene.firstContact(motion, { upTo: 0.3 });
  expect(early.map(({ b }) => b)).toEqual([others[0]]);
  const filtered = await scene.firstContact(motion, { between: [[body], others.slice(2)] });
  expect(filtered.map(({ b }) => b)).toEqual(others.slice(2));
  scene.close();
});

test('a pose at time 1 with another scale, a shear or a reflection is refused by name', async () => {
  const scene = nf.scene();
  const body = scene.add(cube, { name: 'lid' });
  scene.add(cube, { pose: at(5, 0, 0) });
  for (const linear of [
    [2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0],
    [1, 0, 0, 0, 0.01, 1, 0, 0, 0, 0, 1, 0],
    [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0],
  ]) {
    const to = [...linear, 0, 0, 0, 1];
    await expect(scene.firstContact({ bodies: [{ body, to }] })).rejects.toMatchObject({
      code: 'bad-pose',
      message: expect.stringMatching(/lid.*not a rotation/),
    });
  }
  scene.close();
});

test('a question can be cancelled, and reports progress', async () => {
  const scene = nf.scene();
  const ball = shapes.icosphere({ frequency: 20 });
  const body = scene.add(ball, { pose: at(2.001, 0, 0) });
  scene.add(ball);
  const stop = new AbortController();
  const seen: number[] = [];
  const progress = (done: number) => {
    seen.push(done);
    stop.abort(new Error('enough'));
  };
  const motion = { bodies: [{ body, to: turned(3, 2.001, 0, 0) }] };
  const waiting = scene.firstContact(motion, { signal: stop.signal, progress });
  await expect(waiting).rejects.toThrow('enough');
  expect(seen.every(done => done >= 0 && done <= 1)).toBe(true);
  scene.close();
});

/** A square thread and the nut around it, apart by a gap: helices of 24 corners per turn. */
function thread(gap: number): { screw: Mesh; nut: Mesh } {
  const ribbon = (radius: number, width: number, depth: number, turns: number, from: number): Mesh => {
    const per = 24;
    const positions: number[] = [];
    const indices: number[] = [];
    const sections = turns * per + 1;
    for (let i = 0; i < sections; i++) {
      const angle = (i / per) * 2 * Math.PI;
      const z = from + (i / per) * 0.5;
      for (const [r, h] of [
        [radius, -width],
        [radius + depth, -width],
        [radius + depth, width],
        [radius, width],
      ])
        positions.push(r * Math.cos(angle), r * Math.sin(angle), z + h);
    }
    for (let i = 0; i + 1 < sections; i++)
      for (let k = 0; k < 4; k++) {
        const [p, q] = [4 * i + k, 4 * i + ((k + 1) % 4)];
        indices.push(p, q, q + 4, p, q + 4, p + 4);
      }
    return mesh(Float64Array.from(positions), Uint32Array.from(indices));
  };
  // The nut's thread reaches into the groove of the screw's, half a pitch farther.
  return { screw: ribbon(1, 0.125 - gap, 0.3, 4, 0), nut: ribbon(1.1, 0.125 - gap, 0.3, 1, 0.75) };
}
