// Slivers and extreme scales through the questions about motions. Linear motions: against exact brute force, the same when bodies
// are exchanged or scaled, with a point on both triangles. Motions that turn: exactly the same at every size, since multiplying all
// lengths by a power of two rounds nothing.

import { type CpuScene, type FirstContact, type Mesh, type Motion, mesh, open } from 'nearfield';
import { afterAll, expect, it } from 'vitest';
import { trianglesMeet } from '../../packages/nearfield/src/math/triangles/triangle-triangle.ts';
import { extremePair, extremeSolid } from '../oracle/extremes.ts';
import { Failures } from '../oracle/failures.ts';
import { cellOf, oracleContact } from '../oracle/motion/first-contact.ts';
import { type Random, randomFrom, whole } from '../oracle/triangles/generators.ts';
import { translation } from '../spec/scenes.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const isSlow = process.env.NEARFIELD_SLOW !== undefined;
const first = Number(process.env.NEARFIELD_SEED ?? 1);
const forLong = { timeout: 10_000_000 };

type Three = [number, number, number];

const scaled = (own: Mesh, factor: number): Mesh =>
  mesh(
    Float64Array.from(own.positions, x => x * factor),
    own.indices,
  );

const at = (place: readonly number[]): number[] => translation(...(place as Three));

/** The corners of a triangle. */
const cornersOf = ({ indices }: Mesh, positions: ArrayLike<number>, t: number): Three[] =>
  [0, 1, 2].map(k => [0, 1, 2].map(axis => positions[3 * indices[3 * t + k] + axis]) as Three);

/** When two triangles first meet, by the oracle: a cell of a grid of 2^-40, Infinity without contact. */
function oracleCell(a: Three[], [b0, b1]: Three[][]): number {
  if (trianglesMeet(Float64Array.from([...a, ...b0].flat()))) return 0;
  let least = Infinity;
  const ask = (kind: 'vf' | 'ee', from: Three[], to: Three[]) => {
    least = Math.min(least, cellOf(oracleContact(kind, [...from, ...to].flat()), 40));
  };
  for (let k = 0; k < 3; k++) {
    ask('vf', [a[k], ...b0], [a[k], ...b1]);
    ask('vf', [b0[k], ...a], [b1[k], ...a]);
    for (let l = 0; l < 3; l++) {
      const [m, n] = [(k + 1) % 3, (l + 1) % 3];
      ask('ee', [a[k], a[m], b0[l], b0[n]], [a[k], a[m], b1[l], b1[n]]);
    }
  }
  return least;
}

/** The second solid comes from beside the first, and goes back to where the two meet, or beyond; half of them deform. */
interface LinearCase {
  readonly kind: string;
  readonly a: Mesh;
  readonly b: Mesh;
  readonly from: Three;
  readonly to: Three;
  /** Positions at time 1, if it deforms. */
  readonly positions: Float64Array | undefined;
}

function linearCase(seed: number): LinearCase | undefined {
  const random = randomFrom(seed + 8_000_000);
  const { kind, parts } = extremePair(random, {});
  const [a, b] = parts.map(part => part.mesh);
  if (a.triangleCount * b.triangleCount > 150) return undefined;
  const size = Math.max(...[0, 1, 2].map(axis => b.bounds[axis + 3] - b.bounds[axis]));
  const way = [0, 1, 2].map(() => (2 * random() - 1) * size * 2 ** whole(random, -20, 3));
  const from = way.map(x => -x) as Three;
  const to = (random() < 0.5 ? [0, 0, 0] : way.map(x => x * random())) as Three;
  if ([...b.positions].some(x => way.some(y => Math.abs(x) + Math.abs(y) > 1e307))) return undefined;
  const positions =
    random() < 0.5
      ? undefined
      : Float64Array.from(b.positions, (x, i) => x * (1 + whole(random, -1, 1) / 4) + to[i % 3]);
  return { kind: `seed ${seed}: ${kind}`, a, b, from, to, positions };
}

type Timed = FirstContact & { readonly cell: number };

function contactOf(given: LinearCase, factor = 1, exchanged = false): Timed | undefined {
  const scene = nf.scene();
  const place = (own: readonly number[]) => at(own.map(x => x * factor));
  const add = [
    () => scene.add(scaled(given.a, factor)),
    () => scene.add(scaled(given.b, factor), { pose: place(given.from) }),
  ];
  const [one, other] = (exchanged ? add.reverse() : add).map(make => make());
  const body = exchanged ? one : other;
  const positions = given.positions?.map(x => x * factor);
  const motion: Motion = { bodies: [positions ? { body, positions } : { body, to: place(given.to) }] };
  const [found] = scene.firstContactSync(motion);
  scene.close();
  return found && { ...found, cell: (found.time.from + found.time.to) * 2 ** 40 };
}

it('linear motions: the times of exact brute force, and a point on both triangles', forLong, () => {
  const failures = new Failures();
  let [contacts, byOracle] = [0, 0];
  // The first once had a point half of the body's size away.
  for (const seed of [10, 148, ...Array.from({ length: isSlow ? 3000 : 80 }, (_, i) => first + i)]) {
    const given = linearCase(seed);
    if (given === undefined) continue;
    const { kind, a, b, from, to, positions } = given;
    const found = contactOf(given);
    const note = () => `${kind}: ${found?.state} in ${found?.cell}, at ${found?.point}`;
    const exchanged = contactOf(given, 1, true);
    failures.check(exchanged?.cell === found?.cell && exchanged?.state === found?.state, note);
    const start = Float64Array.from(b.positions, (x, i) => x + from[i % 3]);
    const end = (positions ?? b.positions).map((x, i) => x + (positions ? from : to)[i % 3]);
    const magnitudes = [...a.positions, ...start, ...end, ...from, ...to, ...(positions ?? b.positions)].map(
      Math.abs,
    );
    const most = Math.max(...magnitudes);
    // If nothing is lost to underflow.
    if (magnitudes.every(x => x === 0 || x > 2 ** -880)) {
      const other = contactOf(given, most > 1 ? 2 ** -100 : 2 ** 100);
      failures.check(other?.cell === found?.cell, () => `${note()}, scaled ${other?.cell}`);
    }
    if (found?.state === 'contact') {
      contacts++;
      const time = found.time.from / 2 + found.time.to / 2;
      const now = start.map((x, i) => x * (1 - time) + end[i] * time);
      const scene = nf.scene();
      for (const triangle of [
        cornersOf(a, a.positions, found.triangleA),
        cornersOf(b, now, found.triangleB),
      ]) {
        const [away] = scene.closestSync(
          scene.add(mesh(Float64Array.from(triangle.flat()))),
          found.point!,
        ).distances;
        failures.check(away <= 2 ** -38 * most, () => `${note()}, ${away} away`);
      }
      scene.close();
    }
    if (a.triangleCount * b.triangleCount > 16 || found?.state === 'initial' || byOracle > (isSlow ? 300 : 1))
      continue;
    byOracle++;
    let least = Infinity;
    for (let i = 0; i < a.triangleCount; i++)
      for (let j = 0; j < b.triangleCount; j++)
        least = Math.min(
          least,
          oracleCell(cornersOf(a, a.positions, i), [cornersOf(b, start, j), cornersOf(b, end, j)]),
        );
    failures.check((found?.cell ?? Infinity) === least, () => `${note()}, not ${least}`);
  }
  expect(failures.list).toEqual([]);
  expect(contacts).toBeGreaterThan(10);
});

/** A solid about the origin, of size 1. */
function centred(random: Random): { kind: string; own: Mesh } {
  for (;;) {
    const { kind, mesh: solid } = extremeSolid(random, { aspect: 1e4, exponent: 0 });
    if (solid.triangleCount > 20) continue;
    const { bounds } = solid;
    const size = Math.max(...[0, 1, 2].map(i => bounds[i + 3] - bounds[i]));
    const own = Float64Array.from(
      solid.positions,
      (x, i) => (x - bounds[i % 3] / 2 - bounds[3 + (i % 3)] / 2) / size,
    );
    return { kind, own: mesh(own, solid.indices) };
  }
}

const sizes = isSlow ? [-900, -600, -300, -170, 170, 300, 600, 900] : [-600, 300, 900];

it('motions that turn, and joints: the same at every size', forLong, async () => {
  const failures = new Failures();
  let contacts = 0;
  for (let seed = first; seed < first + (isSlow ? 300 : 6); seed++) {
    const random = randomFrom(seed + 9_000_000);
    const [p, q] = [centred(random), centred(random)];
    const angle = 3 * random();
    const axis = whole(random, 0, 2);
    const [from, to] = [0, 1].map(() => [0, 1, 2].map(() => 2 * random() - 1));
    const turned = turnAbout(axis, angle);
    const path = random() < 0.5 ? 'turn' : 'screw';
    const kind = ['positions', 'poses', 'joints'][seed % 3];
    /** The answers, lengths divided by the factor. With 'poses' they have it, else positions do. */
    const ask = async (factor: number) => {
      const scene = nf.scene();
      const linear = kind === 'poses' ? factor : 1;
      const place = (matrix: readonly number[], moved: readonly number[]) => [
        ...matrix.map(x => x * linear),
        ...moved.map(x => x * factor),
        1,
      ];
      const add = (own: Mesh, moved: readonly number[]) =>
        scene.add(kind === 'poses' ? own : scaled(own, factor), { pose: place(turnAbout(0, 0), moved) });
      const [, body] = [add(p.own, [0, 0, 0]), add(q.own, from)];
      const turning = { origin: at(from.map(x => x * factor)), kind: 'turn', from: 0, to: angle } as const;
      const sliding = { origin: at([0, 0, 0]), kind: 'slide', from: 0, to: to[0] * factor } as const;
      const motion: Motion = {
        bodies: [
          kind === 'joints'
            ? {
                body,
                joints: [
                  { ...turning, axis: unit(axis) },
                  { ...sliding, axis: unit(0) },
                ],
              }
            : { body, to: place(turned, to), path },
        ],
      };
      const contact = (await scene.firstContact(motion)).map(({ state, time, gap, point }) => [
        ...[state, time.from, time.to, gap && gap / factor],
        point?.map(x => x / factor).join(),
      ]);
      const intervals = (await scene.sweep(motion)).map(pair => pair.intervals);
      const near = (await scene.nearestApproach(motion)).map(({ distance, time, pointA, pointB }) => [
        ...[distance.lower / factor, distance.upper / factor, time],
        ...[...pointA, ...pointB].map(x => x / factor),
      ]);
      scene.close();
      return { contact, intervals, near };
    };
    const usual = await ask(1);
    if (usual.contact.length > 0) contacts++;
    for (const power of sizes) {
      const other = await ask(2 ** power);
      failures.check(
        JSON.stringify(other) === JSON.stringify(usual),
        () =>
          `seed ${seed}, ${kind}: ${p.kind} and ${q.kind}, times 2^${power}: ${JSON.stringify(other)}, not ${JSON.stringify(usual)}`,
      );
    }
  }
  expect(failures.list).toEqual([]);
  expect(contacts).toBeGreaterThan(0);
});

const unit = (axis: number): Three => [0, 1, 2].map(i => (i === axis ? 1 : 0)) as Three;

/** The first three columns of a pose that turns about an axis. */
function turnAbout(axis: number, angle: number): number[] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const columns = new Array<number>(12).fill(0);
  const [i, j] = [(axis + 1) % 3, (axis + 2) % 3];
  columns[5 * axis] = 1;
  columns[5 * i] = columns[5 * j] = c;
  columns[4 * i + j] = s;
  columns[4 * j + i] = -s;
  return columns;
}

it('a body of 10^-180 beside a large one is followed, too', () => {
  // Squares of its lengths vanish: it once counted as a point that does not turn.
  const scene: CpuScene = nf.scene();
  const size = 2 ** -600;
  const rod = mesh(
    Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0.01, 0, 0, 0, 0.01).map(x => x * size),
    Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3),
  );
  scene.add(rod, { pose: at([0, 0.25 * size, 0.002 * size]) });
  const body = scene.add(rod, { pose: at([0.125 * size, 0, 0]) });
  scene.add(mesh(Float64Array.of(5, 0, 0, 6, 0, 0, 5, 1, 0)));
  const [found] = scene.firstContactSync({
    bodies: [{ body, to: [...turnAbout(2, 1.5), 0.125 * size, 0, 0, 1] }],
  });
  expect([found?.a.index, found?.b.index, found?.state]).toEqual([0, 1, 'contact']);
  scene.close();
});
