// Motions that are hard to decide in single precision, on the GPU: every pair of triangles and every cell of time is
// that of the CPU, and an oracle in integers agrees, whose times come from Newton's method and whose contacts at time
// 0 from difference hulls.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { Failures } from '../../../../../../test/oracle/failures.ts';
import { toIntegers } from '../../../../../../test/oracle/integers.ts';
import { cellOfTriangles } from '../../../../../../test/oracle/motion/first-contact.ts';
import { meetByDifferences } from '../../../../../../test/oracle/triangles/difference-hull.ts';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import type { GpuEngine } from '../../../gpu/engine.ts';
import { testDevice } from '../../../gpu/testing/test-device.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { createGpuEngine } from '../../../open-gpu.ts';
import { Scene } from '../../../scene.ts';
import * as shapes from '../../../shapes/index.ts';

const seed = Number(process.env.NEARFIELD_SEED ?? 18690512);
const [count, judged] = process.env.NEARFIELD_SLOW ? [1200, 60] : [60, 3];
const random = shapes.createRandom(seed);

let gpu: GpuEngine;
let cpu: CpuEngine;
beforeAll(async () => {
  gpu = await createGpuEngine({ device: (await testDevice()).device, settings: { leastMoving: 0 } });
  cpu = await createCpuEngine();
}, 120_000);
afterAll(() => {
  gpu.close();
  cpu.close();
});

type Point = readonly number[];
type Triangle = readonly Point[];
/** A and B at time 0, then at time 1, each within about 1 of the origin. */
type Pair = readonly [Triangle, Triangle, Triangle, Triangle];

const add = (p: Point, q: Point, times = 1): Point => p.map((x, k) => x + times * q[k]);
const mixed = (p: Point, q: Point, share: number): Point => p.map((x, k) => x + share * (q[k] - x));
const shifted = (triangle: Triangle, by: Point): Triangle => triangle.map(p => add(p, by));
const cross = (p: Point, q: Point): Point =>
  [0, 1, 2].map(k => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return p[i] * q[j] - p[j] * q[i];
  });
/** Multiples of 1/64, so that sums and halves are exact. */
const coarse = (): number => (random.integer(65) - 32) / 64;
const point = (): Point => [coarse(), coarse(), coarse()];
const triangle = (): Triangle => [point(), point(), point()];
const oneOf = <T>(list: readonly T[]): T => list[random.integer(list.length)];
/** A point of a triangle: a corner, on an edge, or inside. */
const pointOf = ([p, q, r]: Triangle): Point =>
  mixed(mixed(p, q, oneOf([0, 0.5, 1, random.next()])), r, oneOf([0, 0, 0.25, random.next()]));
const moving = (from: Triangle, to: Triangle, time: number): Triangle =>
  from.map((p, i) => mixed(p, to[i], time));

/** A triangle whose corners nearly lie on a line. */
function sliver(): Triangle {
  const [p, along] = [point(), point()];
  const off = 2 ** -random.integer(40);
  return [p, add(p, along), add(add(p, along, random.next()), point(), off)];
}

/** Moves b so that it touches a at a time, up to a step of `off`, and passes, stays or leaves. */
function touching(a: Triangle, b: Triangle, aEnd: Triangle, time: number, off: number): Pair {
  const place = pointOf(moving(a, aEnd, time));
  const by = add(add(place, pointOf(b), -1), point(), off);
  const there = shifted(b, by);
  const velocity = oneOf([point(), [0, 0, 0], add(a[1], a[0], -1)]);
  return [
    a,
    shifted(
      there,
      velocity.map(x => -time * x),
    ),
    aEnd,
    shifted(
      there,
      velocity.map(x => (1 - time) * x),
    ),
  ];
}

const digit = 2 ** -29;
const kinds: Record<string, () => Pair> = {
  slivers: () =>
    touching(sliver(), sliver(), sliver(), random.next(), oneOf([0, 2 ** -22, 2 ** -29, 2 ** -50])),
  'contacts at time 0 or 1': () =>
    touching(triangle(), triangle(), triangle(), random.integer(2), oneOf([0, 0, 2 ** -40, digit])),
  'what rests, or moves together': () => {
    const [a, b, ,] = touching(triangle(), triangle(), triangle(), 0, oneOf([0, digit]));
    const by = oneOf([[0, 0, 0], point()]);
    return [a, b, shifted(a, by), shifted(b, by)];
  },
  'sliding in one plane': () => {
    // z = x + y, or a plane of an axis.
    const isSlanted = random.integer(2) === 0;
    const flat = (): Triangle => triangle().map(([x, y]) => [x, y, isSlanted ? x + y : 0.25]);
    return [flat(), flat(), flat(), flat()];
  },
  'passing at a few digits': () => {
    const [a, b] = [triangle(), triangle()];
    const normal = cross(add(a[1], a[0], -1), add(a[2], a[0], -1));
    const along = oneOf([normal, [1, 0, 0], [0, 1, 0], add(a[1], a[0], -1)]);
    const velocity = add(a[2], a[0], -1);
    const by = add(add(pointOf(a), pointOf(b), -1), along, (random.integer(17) - 8) * digit);
    const there = shifted(b, by);
    return [
      a,
      shifted(
        there,
        velocity.map(x => -0.5 * x),
      ),
      a,
      shifted(
        there,
        velocity.map(x => 0.5 * x),
      ),
    ];
  },
  'triangles that turn inside out': () => {
    const [a, b] = [triangle(), triangle()];
    const through = pointOf(a);
    const inverted = (t: Triangle, c: Point): Triangle => t.map(p => add(c, add(p, c, -1), -1));
    return oneOf([
      [a, b, inverted(a, through), b],
      [a, b, inverted(a, point()), inverted(b, through)],
      [a, b, [a[1], a[2], a[0]], b],
    ] as const);
  },
  'segments and points': () => {
    const thin = (): Triangle => {
      const [p, q] = [point(), point()];
      return oneOf([
        [p, p, p],
        [p, q, q],
        [p, q, mixed(p, q, 0.5)],
      ]);
    };
    return touching(
      thin(),
      oneOf([thin(), triangle()]),
      oneOf([thin(), triangle()]),
      random.next(),
      oneOf([0, 2 ** -30]),
    );
  },
  'two of very different sizes': () => {
    const small = 2 ** -random.integer(30);
    const b = triangle().map(p => p.map(x => small * x));
    return touching(triangle(), b, triangle(), random.next(), oneOf([0, small * 2 ** -20]));
  },
};

/** The cell of the first contact by the oracle. */
function oracleCell(pair: Pair): number {
  const [a0, b0] = pair;
  return meetByDifferences(toIntegers([...a0, ...b0].flat())) ? 0 : cellOfTriangles(pair, 40);
}

/** The bodies A and B: their triangles at time 0, and where they are at time 1, each in a cell of its own. */
function bodiesOf(pairs: readonly Pair[], size: number, far: number): readonly Float64Array[] {
  const side = Math.ceil(Math.cbrt(pairs.length));
  return [0, 1, 2, 3].map(part =>
    Float64Array.from(
      pairs.flatMap((pair, n) => {
        const cell = [n % side, Math.floor(n / side) % side, Math.floor(n / side / side)];
        return pair[part].flatMap(p => p.map((x, k) => size * (x + 4 * cell[k] + far)));
      }),
    ),
  );
}

/** First contacts of all triangles; or, if asked for, the intervals in which the bodies meet. */
async function ask(engine: GpuEngine | CpuEngine, parts: readonly Float64Array[], isSweep = false) {
  const indices = Uint32Array.from({ length: parts[0].length / 3 }, (_, i) => i);
  const scene = new Scene(engine, cpu);
  const bodies = [0, 1].map(i => ({ body: scene.add(mesh(parts[i], indices)), positions: parts[2 + i] }));
  const found = isSweep
    ? await scene.sweep({ bodies })
    : await scene.firstContact({ bodies }, { which: 'triangles' });
  scene.close();
  expect(found.backend).toBe(engine === gpu ? 'gpu' : 'cpu');
  return found.map(({ a, b, ...rest }) => ({ a: a.index, b: b.index, ...rest }));
}

/** The unit, how many units away everything is, and the share of the pairs that are asked about. */
const places = [
  [1, 0, 1],
  [2 ** 1017, 0, 0.3],
  [2 ** -900, 2 ** 12, 1],
  [2 ** -7, 2 ** 34, 1],
  // Denormal coordinates are one point on the GPU, so everything is unsure.
  [2 ** -1060, 0, 0.05],
];

test.each(Object.keys(kinds))(`%s (seed ${seed})`, async kind => {
  const failures = new Failures();
  let contacts = 0;
  for (const [size, far, share] of places) {
    const pairs = Array.from({ length: Math.ceil(share * count) }, kinds[kind]);
    const parts = bodiesOf(pairs, size, far);
    const found = await ask(gpu, parts);
    expect(found, `seed ${seed}, size ${size}`).toEqual(await ask(cpu, parts));
    const few = parts.map(part => part.subarray(0, 9 * 12));
    expect(await ask(gpu, few, true), `seed ${seed}, size ${size}`).toEqual(await ask(cpu, few, true));
    const own = found.flatMap(one => ('time' in one && one.triangleA === one.triangleB ? [one] : []));
    contacts += own.length;
    const cells = new Map(own.map(({ triangleA, time: { from, to } }) => [triangleA, (from + to) * 2 ** 40]));
    for (let n = 0; n < pairs.length; n += Math.ceil(count / judged)) {
      const cornersOf = (part: Float64Array): Triangle =>
        [0, 3, 6].map(i => Array.from(part.subarray(9 * n + i, 9 * n + i + 3)));
      const [a0, b0, a1, b1] = parts.map(cornersOf);
      const truth = oracleCell([a0, b0, a1, b1]);
      const got = cells.get(n) ?? Number.POSITIVE_INFINITY;
      failures.check(got === truth, () => `seed ${seed}, size ${size}, pair ${n}: ${got}, not ${truth}`);
    }
  }
  expect(failures.list).toEqual([]);
  expect(contacts).toBeGreaterThan(count / 10);
});

test(`triangles that reach beyond the frame of a small body (seed ${seed})`, async () => {
  const large: Pair[] = Array.from({ length: 40 }, () => {
    const place = point();
    const far = () => {
      const size = 2 ** (10 + 14 * random.next());
      return point().map(x => size * x);
    };
    // The third corner is opposite to a mean of the others, so that the triangle contains the place.
    const [p, q, times] = [far(), far(), 2 ** (4 * random.next())];
    const corners = [p, q, mixed(p, q, random.next()).map(x => -times * x)];
    const from = corners.map(corner => add(corner, place));
    return [from, from, shifted(from, point()), from];
  });
  const [start, end] = [0, 2].map(part => Float64Array.from(large.flatMap(pair => pair[part].flat())));
  const ball = shapes.icosphere({ frequency: 2 });
  const small = Float64Array.from(
    Array.from(ball.indices).flatMap(i => [...ball.positions.subarray(3 * i, 3 * i + 3)]),
  );
  const parts = [start, small, end, small.map((x, i) => x + [0.5, 1, -1.5][i % 3])];
  const found = await ask(gpu, parts);
  expect(found).toEqual(await ask(cpu, parts));
  expect(found.length).toBeGreaterThan(100);
});
