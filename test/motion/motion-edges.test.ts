// What is hard about a motion: contacts at its very end, bodies that only touch, ends of contacts, sizes far from 1, and scenes that
// change while a question waits.

import { type Body, type CpuScene, type Mesh, mesh, open, shapes } from 'nearfield';
import { afterAll, describe, expect, it, test } from 'vitest';
import { PairMotion } from '../../packages/nearfield/src/motion/rigid/pair.ts';
import { restingPath, turningPath } from '../../packages/nearfield/src/motion/rigid/paths/path.ts';
import { nextEvent } from '../../packages/nearfield/src/motion/rigid/search.ts';
import { coreOf } from '../../packages/nearfield/src/questions/bare-scene.ts';

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

interface Given {
  readonly moving: Mesh;
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly other: Mesh;
  readonly pose?: Float64Array;
}

/** Asks about one body that moves and one that rests. */
async function inScene<T>(
  { moving, from, to, other, pose = at(0, 0, 0) }: Given,
  ask: (scene: CpuScene, motion: { bodies: { body: Body; to: Float64Array }[] }) => Promise<T>,
): Promise<T> {
  const scene = nf.scene() as CpuScene;
  const body = scene.add(moving, { pose: from });
  scene.add(other, { pose });
  try {
    return await ask(scene, { bodies: [{ body, to }] });
  } finally {
    scene.close();
  }
}

test('bodies that touch at time 1 meet: there, doubles are the path itself', async () => {
  for (const from of [turned(Math.PI / 2, 6, 0, 0), at(6, 0, 0)]) {
    const given = { moving: cube, from, to: at(2, 0, 0), other: cube };
    const [found] = await inScene(given, (scene, motion) => scene.firstContact(motion));
    expect(found).toMatchObject({ state: 'contact', time: { to: 1 } });
    expect(found.time.from).toBeGreaterThan(1 - 2 ** -35);
    const [swept] = await inScene(given, (scene, motion) => scene.sweep(motion));
    expect(swept.intervals).toMatchObject([{ state: 'contact', ends: { from: 1, to: 1 } }]);
    const [near] = await inScene(given, (scene, motion) => scene.nearestApproach(motion));
    expect(near).toMatchObject({ distance: { lower: 0, upper: 0 }, time: 1 });
    // Up to a time before, they are apart.
    expect(
      await inScene(given, (scene, motion) => scene.firstContact(motion, { upTo: 1 - 2 ** -20 })),
    ).toEqual([]);
  }
});

test('a body whose pose at time 1 is the one it has rests, however it is asked about', async () => {
  const given = { moving: cube, from: at(2, 0, 0), to: at(2, 0, 0), other: cube };
  expect(await inScene(given, (scene, motion) => scene.firstContact(motion))).toEqual([]);
  expect(await inScene(given, (scene, motion) => scene.sweep(motion))).toEqual([]);
  expect(await inScene(given, (scene, motion) => scene.nearestApproach(motion))).toEqual([]);
});

test('a contact ends as sharply as it begins', async () => {
  // A bar turns by half a turn, through a peg above its middle: the motion is its own mirror image.
  const bar = shapes.box({ size: [4, 0.5, 0.5] });
  const peg = shapes.box({ size: [0.2, 0.2, 0.2] });
  const given = { moving: bar, from: at(0, 0, 0), to: turned(Math.PI), other: peg, pose: at(0, 1.5, 0) };
  const [{ intervals }] = await inScene(given, (scene, motion) => scene.sweep(motion));
  // The corner (0.1, 1.4) of the peg is 0.25 from the axis of the bar.
  const angle = Math.atan2(1.4, 0.1) - Math.asin(0.25 / Math.hypot(0.1, 1.4));
  expect(intervals.map(({ state }) => state)).toEqual(['contact']);
  const [{ begins, ends }] = intervals;
  for (const [{ from, to }, time] of [
    [begins, angle / Math.PI],
    [ends, 1 - angle / Math.PI],
  ] as const) {
    expect(from).toBeLessThanOrEqual(time + 1e-15);
    expect(to).toBeGreaterThanOrEqual(time - 1e-15);
    expect(to - from).toBeLessThan(2 ** -35);
  }
});

describe('what only touches is undecided, with a gap of at most 2^-40 of the size', () => {
  const ball = shapes.icosphere({ frequency: 4 });
  const low = Math.min(...ball.positions.filter((_, i) => i % 3 === 2));
  const square = shapes.box({ size: [2, 2, 0.5] });
  const cases: Record<string, Given> = {
    'a corner at the top of its circle': {
      ...{ moving: square, from: at(0, 0, 0), to: turned(Math.PI / 2) },
      ...{ other: shapes.box({ size: [1, 8, 8] }), pose: at(Math.SQRT2 + 0.5, 0, 0) },
    },
    'the same along a wall': {
      ...{ moving: square, from: at(0, -10, 0), to: turned(Math.PI / 2, 0, 10, 0) },
      ...{ other: shapes.box({ size: [1, 40, 8] }), pose: at(Math.SQRT2 + 0.5, 0, 0) },
    },
    'a ball that spins on a plane': {
      ...{ moving: ball, from: at(-4, 0, -low), to: turned(3, 4, 0, -low) },
      ...{ other: shapes.box({ size: [4, 4, 1] }), pose: at(0, 0, -0.5) },
    },
    'flush faces that slide and turn': {
      ...{ moving: cube, from: at(-5, 0, 2), to: turned(1, 5, 0, 2) },
      ...{ other: shapes.box({ size: [4, 4, 2] }) },
    },
  };
  it.each(Object.entries(cases))('%s', async (_, given) => {
    const [found] = await inScene(given, (scene, motion) => scene.firstContact(motion));
    expect(found.state).toBe('undecided');
    const extent = ({ bounds: b }: Mesh) => Math.hypot(b[3] - b[0], b[4] - b[1], b[5] - b[2]);
    const size = Math.max(extent(given.moving), extent(given.other));
    expect(found.gap).toBeGreaterThan(0);
    expect(found.gap).toBeLessThanOrEqual(2 ** -40 * size);
  });

  // If the triangles of a wall are far longer than the gap, the way from point to point has lost the digits that separate them.
  it.each([10, 1e6])('takes few steps along a wall of 4 times %d', long => {
    const { moving, pose } = cases['the same along a wall'];
    const scene = nf.scene();
    const to = turned(Math.PI / 2, 0, long, 0);
    scene.add(moving, { pose: at(0, -long, 0) });
    scene.add(shapes.box({ size: [1, 4 * long, 8] }), { pose: pose! });
    const core = coreOf(scene);
    const question = core.questionAboutAll();
    const [a, b] = [question.readableAt(0), question.readableAt(1)];
    const pair = new PairMotion(core.cpu, a, b, turningPath(a, to, 'turn', 'square'), restingPath(b));
    const search = nextEvent(pair, 0, { end: 1, last: 1 }, 2 ** -40);
    let steps = 0;
    while (!search.next().done) steps++;
    expect(steps).toBeLessThan(100);
    scene.close();
  });
});

test('the earliest contact has the interval that it has among all: later pairs are followed in the same steps', async () => {
  const ball = shapes.displacedSphere({ triangles: 320, amplitude: 0.4, seed: 3 });
  for (let i = 0; i < 8; i++) {
    const scene = nf.scene() as CpuScene;
    // Two balls fall on boxes, the second one a little earlier.
    const bodies = [0, 1].map(k => {
      scene.add(shapes.box({ size: [3, 3, 1] }), { pose: at(20 * k, 0, 0) });
      const body = scene.add(ball, { pose: at(20 * k, 0, 6 + 0.1 * i - 2 ** -i * 0.1 * k) });
      return { body, to: turned(1 + 0.2 * i, 20 * k, 0.3, -2) };
    });
    const all = await scene.firstContact({ bodies });
    expect(all.map(({ a }) => a.index)).toEqual([2, 0]);
    expect(await scene.firstContact({ bodies }, { which: 'earliest' })).toEqual(all.slice(0, 1));
    scene.close();
  }
});

test('numbers near the ends of the range of doubles', async () => {
  for (const scale of [1e-160, 1e-105, 1e-100, 1e100, 1e105, 1e150]) {
    const box = shapes.box({ size: [2 * scale, 2 * scale, 2 * scale] });
    const from = at(10 * scale, 0.25 * scale, 0.5 * scale);
    const straight = { moving: box, from, to: at(0, 0.25 * scale, 0.5 * scale), other: box };
    const turning = { ...straight, to: turned(1, 0, 0.25 * scale, 0.5 * scale) };
    const [met] = await inScene(straight, (scene, motion) => scene.firstContact(motion));
    expect(met.state).toBe('contact');
    expect(met.time.from).toBeLessThanOrEqual(0.8);
    expect(met.time.to).toBeGreaterThanOrEqual(0.8 - 1e-15);
    // The time is that of scale 1.
    const [also] = await inScene(turning, (scene, motion) => scene.firstContact(motion));
    expect(also.state).toBe('contact');
    expect(also.time.from).toBeLessThanOrEqual(0.75862930999523);
    expect(also.time.to).toBeGreaterThanOrEqual(0.75862930999432);
  }
});

describe('a scene that changes while a question waits', () => {
  const questions = {
    firstContact: (scene: CpuScene, motion: { bodies: { body: Body; to: Float64Array }[] }) =>
      scene.firstContact(motion),
    sweep: (scene: CpuScene, motion: { bodies: { body: Body; to: Float64Array }[] }) => scene.sweep(motion),
    nearestApproach: (scene: CpuScene, motion: { bodies: { body: Body; to: Float64Array }[] }) =>
      scene.nearestApproach(motion),
  };
  const changes: Record<string, (scene: CpuScene, body: Body, other: Body) => void> = {
    'the body is moved': (_, body) => {
      body.pose = at(50, 50, 50);
    },
    'the other body is removed': (scene, _, other) => scene.remove(other),
    'the other body deforms': (_, __, other) => other.deform(other.mesh.positions.map(x => 9 * x)),
    'a body is added in the way': scene => scene.add(cube, { pose: at(5, 0, 0) }),
  };
  for (const [question, ask] of Object.entries(questions)) {
    it.each(Object.entries(changes))(`${question}: %s`, async (_, change) => {
      for (const to of [at(0, 0.25, 0.5), turned(1, 0, 0.25, 0.5)]) {
        const answers = [];
        for (const isChanged of [false, true]) {
          const scene = nf.scene() as CpuScene;
          const body = scene.add(cube, { pose: at(10, 0.25, 0.5) });
          const other = scene.add(cube);
          const given = { bodies: [{ body, to: to.slice() }] };
          const waiting = ask(scene, given);
          if (isChanged) {
            change(scene, body, other);
            given.bodies[0].to.fill(0);
          }
          const found = await waiting;
          // Bodies are told by their identity, the rest by value.
          answers.push(
            (found as object[]).map(one =>
              JSON.stringify(one, (key, value) => (key === 'a' || key === 'b' ? undefined : value)),
            ),
          );
          scene.close();
        }
        expect(answers[1]).toEqual(answers[0]);
        expect(answers[0].length).toBe(1);
      }
    });
  }
});

test('degenerate triangles meet as the segments and points they are', async () => {
  const segment = mesh(Float64Array.of(-1, 0, 0, 1, 0, 0, 0, 0, 0), Uint32Array.of(0, 1, 2));
  const point = mesh(Float64Array.of(0.5, 0, 0, 0.5, 0, 0, 0.5, 0, 0), Uint32Array.of(0, 1, 2));
  for (const moving of [segment, point]) {
    const given = { moving, from: at(0, 0, 4), to: at(0, 0, -4), other: cube };
    const [found] = await inScene(given, (scene, motion) => scene.firstContact(motion));
    expect(found).toMatchObject({ state: 'contact', time: { from: 0.375, to: 0.375 } });
    const spinning = { ...given, to: turned(0.5, 0, 0, -4) };
    const [also] = await inScene(spinning, (scene, motion) => scene.firstContact(motion));
    expect(also.time.from).toBeLessThanOrEqual(0.375);
    expect(also.time.to).toBeGreaterThanOrEqual(0.375);
  }
});
