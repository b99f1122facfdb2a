// Rigid motions against dense sampling: poses by formulas of their own, and the exact relation at every sample. No sample that meets is
// missed, and the times agree. Reversed time, the other order of bodies and a motion of the whole give the same.

import { type Body, type CpuScene, type FirstContact, type Mesh, open, shapes } from 'nearfield';
import { createRandom } from 'nearfield/shapes';
import { afterAll, expect, test } from 'vitest';
import { Failures } from '../oracle/failures.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const rounds = process.env.NEARFIELD_SLOW ? 2000 : 30;
const samples = process.env.NEARFIELD_SLOW ? 400 : 100;
const seed = Number(process.env.NEARFIELD_SEED ?? 22);

const numbers = (from: number): (() => number) => {
  const random = createRandom(from);
  return () => random.next();
};

type Three = [number, number, number];

/** Rodrigues, row by row of the formula cos·I + sin·[u]× + (1 − cos)·u·uᵀ, as a function of a vector. */
function rotate([ux, uy, uz]: Three, angle: number, [x, y, z]: Three): Three {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const dot = (ux * x + uy * y + uz * z) * (1 - c);
  return [
    c * x + s * (uy * z - uz * y) + dot * ux,
    c * y + s * (uz * x - ux * z) + dot * uy,
    c * z + s * (ux * y - uy * x) + dot * uz,
  ];
}

interface Move {
  readonly axis: Three;
  readonly angle: number;
  /** The turn at time 0. */
  readonly own: { readonly axis: Three; readonly angle: number };
  readonly from: Three;
  readonly to: Three;
  readonly centre: Three;
  readonly path: 'turn' | 'screw';
}

/** The pose at a time: the centre goes from `from` to `to`, straight or on a helix about an axis line found by its own formula. */
function poseAt(move: Move, t: number): Float64Array {
  const { axis, angle, own, from, to, centre } = move;
  const columns = (
    [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as Three[]
  ).map(v => rotate(axis, t * angle, rotate(own.axis, own.angle, v)));
  let place: Three;
  const way = to.map((value, i) => value - from[i]) as Three;
  if (move.path === 'turn' || angle === 0) place = from.map((value, i) => value + t * way[i]) as Three;
  else {
    // The fixed line of the screw: q = ½·(from + to⊥ + cot(θ/2)·u × d).
    const along = way[0] * axis[0] + way[1] * axis[1] + way[2] * axis[2];
    const d = way.map((value, i) => value - along * axis[i]) as Three;
    const cot = 1 / Math.tan(angle / 2);
    const across: Three = [
      axis[1] * d[2] - axis[2] * d[1],
      axis[2] * d[0] - axis[0] * d[2],
      axis[0] * d[1] - axis[1] * d[0],
    ];
    const q = from.map((value, i) => value + 0.5 * (d[i] + cot * across[i])) as Three;
    const turned = rotate(axis, t * angle, from.map((value, i) => value - q[i]) as Three);
    place = q.map((value, i) => value + turned[i] + t * along * axis[i]) as Three;
  }
  const moved = [0, 1, 2].map(
    row => columns[0][row] * centre[0] + columns[1][row] * centre[1] + columns[2][row] * centre[2],
  );
  return Float64Array.of(
    ...columns.flatMap(column => [...column, 0]),
    ...place.map((value, i) => value - moved[i]),
    1,
  );
}

const centreOf = ({ bounds }: Mesh): Three =>
  [0, 1, 2].map(i => 0.5 * bounds[i] + 0.5 * bounds[i + 3]) as Three;

const meshes: Mesh[] = [
  shapes.box({ size: [2, 1, 0.5] }),
  shapes.displacedSphere({ triangles: 320, amplitude: 0.4, seed: 3 }),
  shapes.torusKnot({ segments: 80, sides: 8 }),
  shapes.gear({ teeth: 8, module: 0.25, width: 0.5, boreSegments: 12 }),
  shapes.cloth({ triangles: 600 }),
];

function randomMove(random: () => number, mesh: Mesh, spread: number): Move {
  const unit = (): Three => {
    for (;;) {
      const v = [0, 1, 2].map(() => 2 * random() - 1) as Three;
      const length = Math.hypot(...v);
      if (length > 0.1 && length < 1) return v.map(x => x / length) as Three;
    }
  };
  const place = (): Three => unit().map(x => x * spread * (0.3 + random())) as Three;
  return {
    axis: unit(),
    angle: random() < 0.15 ? 0 : 3.1 * random(),
    own: { axis: unit(), angle: 3 * random() },
    from: place(),
    to: place(),
    centre: centreOf(mesh),
    path: random() < 0.5 ? 'turn' : 'screw',
  };
}

const fail = (failures: Failures, what: string): void => failures.check(false, () => what);

interface Case {
  readonly scene: CpuScene;
  readonly bodies: readonly [Body, Body];
  readonly moves: readonly [Move, Move];
}

function randomCase(random: () => number): Case {
  const scene = nf.scene() as CpuScene;
  const pick = () => meshes[Math.floor(random() * meshes.length)];
  const [a, b] = [pick(), pick()];
  const moves = [randomMove(random, a, 1.5), randomMove(random, b, 2.5)] as const;
  const bodies = [scene.add(a), scene.add(b)] as const;
  return { scene, bodies, moves };
}

function place({ bodies, moves }: Case, t: number): void {
  bodies.forEach((body, i) => {
    body.pose = poseAt(moves[i], t);
  });
}

function meets(given: Case, t: number): boolean {
  place(given, t);
  return given.scene.interferencesSync({ detail: 'any' }).length > 0;
}

async function firstOf(given: Case, reversed = false): Promise<FirstContact | undefined> {
  const motion = () => ({
    bodies: given.bodies.map((body, i) => ({
      body,
      to: poseAt(given.moves[i], reversed ? 0 : 1),
      path: given.moves[i].path,
    })),
  });
  place(given, reversed ? 1 : 0);
  return (await given.scene.firstContact(motion()))[0];
}

test(`random motions: no sampled contact is missed, and first times agree (seed ${seed})`, async () => {
  const random = numbers(seed);
  const failures = new Failures();
  const count = { contact: 0, initial: 0, undecided: 0, none: 0 };
  for (let round = 0; round < rounds; round++) {
    const given = randomCase(random);
    const found = await firstOf(given);
    count[found?.state ?? 'none']++;
    let first: number | undefined;
    for (let i = 0; i <= samples && first === undefined; i++)
      if (meets(given, i / samples)) first = i / samples;
    const say = (what: string) =>
      fail(
        failures,
        `round ${round}: ${what}: ${JSON.stringify(found?.time)} ${found?.state}, sampled ${first}`,
      );
    if (found === undefined) {
      if (first !== undefined) say('a contact is missed');
    } else if (found.state === 'initial') {
      if (first !== 0) say('no contact at the start');
    } else if (found.state === 'contact') {
      const { from, to } = found.time;
      if (first !== undefined && first < from - 1e-12) say('a contact before the interval');
      if (to - from > 2 ** -30) say('the interval is long');
      // Rounding of the oracle's poses is far below the way of 10^-9.
      if (from > 1e-9 && meets(given, from - 1e-9)) say('they meet before');
      if (given.bodies.every(({ mesh }) => mesh.solid) && to < 1 - 1e-9 && !meets(given, to + 1e-9))
        say('they do not meet after');
      const back = await firstOf(given, true);
      if (back === undefined) say('reversed, they do not meet');
      else if (back.time.from > 1 - found.time.from + 1e-9)
        say(`reversed, they meet too late: ${back.time.from}`);
    }
    given.scene.close();
  }
  if (process.env.NEARFIELD_SLOW) console.log(`rigid motions: ${JSON.stringify(count)}`);
  expect(failures.list).toEqual([]);
  expect(count.contact).toBeGreaterThan(rounds / 8);
  expect(count.none).toBeGreaterThan(rounds / 20);
});

test(`the other order of bodies gives the same times (seed ${seed + 1})`, async () => {
  const random = numbers(seed + 1);
  for (let round = 0; round < rounds / 6; round++) {
    const given = randomCase(random);
    const found = await firstOf(given);
    const scene = nf.scene() as CpuScene;
    const [b, a] = [scene.add(given.bodies[1].mesh), scene.add(given.bodies[0].mesh)];
    const other = await firstOf({ scene, bodies: [a, b], moves: given.moves });
    expect(other?.state).toBe(found?.state);
    if (found?.state === 'contact') {
      expect(other!.time.from).toBeLessThanOrEqual(found.time.to);
      expect(found.time.from).toBeLessThanOrEqual(other!.time.to);
    }
    given.scene.close();
    scene.close();
  }
});

/** A quarter turn about z and a translation, applied to a pose from outside: both are exact up to one rounding of each entry. */
function carried(pose: Float64Array): Float64Array {
  const out = pose.slice();
  for (let column = 0; column < 16; column += 4)
    [out[column], out[column + 1]] = [-pose[column + 1], pose[column]];
  out[12] += 3;
  out[13] -= 2;
  out[14] += 0.5;
  return out;
}

test(`the whole moved, and the time in two halves, give the same times (seed ${seed + 3})`, async () => {
  const random = numbers(seed + 3);
  const failures = new Failures();
  const count = { contact: 0, other: 0 };
  for (let round = 0; round < rounds / 6; round++) {
    const given = randomCase(random);
    const { scene, bodies, moves } = given;
    const found = await firstOf(given);
    const between = async (from: number, to: number, change = (pose: Float64Array) => pose) => {
      bodies.forEach((body, i) => {
        body.pose = change(poseAt(moves[i], from));
      });
      const motion = bodies.map((body, i) => ({
        ...{ body, to: change(poseAt(moves[i], to)), path: moves[i].path },
      }));
      return (await scene.firstContact({ bodies: motion }))[0];
    };
    const moved = await between(0, 1, carried);
    const [first, second] = [await between(0, 0.5), await between(0.5, 1)];
    const time = first ? 0.5 * first.time.from : second && 0.5 + 0.5 * second.time.from;
    const says = () =>
      `round ${round}: ${found?.state} ${found?.time.from}, moved ${moved?.time.from}, halves ${time}`;
    const isSame = (other: number | undefined) =>
      found === undefined ? other === undefined : Math.abs(found.time.from - (other ?? 9)) < 1e-9;
    failures.check(moved?.state === found?.state && isSame(moved?.time.from) && isSame(time), says);
    count[found?.state === 'contact' ? 'contact' : 'other']++;
    scene.close();
  }
  expect(failures.list).toEqual([]);
  expect(Math.min(count.contact, count.other)).toBeGreaterThan(0);
});

test(`the earliest of many is the first of all (seed ${seed + 4})`, async () => {
  const random = numbers(seed + 4);
  for (let round = 0; round < rounds / 12; round++) {
    const scene = nf.scene() as CpuScene;
    const moving = Array.from({ length: 6 }, (_, i) => {
      const mesh = meshes[i % meshes.length];
      const move = randomMove(random, mesh, 6);
      return { body: scene.add(mesh, { pose: poseAt(move, 0) }), to: poseAt(move, 1), path: move.path };
    });
    const all = await scene.firstContact({ bodies: moving });
    const earliest = await scene.firstContact({ bodies: moving }, { which: 'earliest' });
    expect(earliest).toEqual(all.slice(0, 1));
    all.forEach(({ time }, i) => {
      expect(time.from).toBeGreaterThanOrEqual(all[Math.max(0, i - 1)].time.from);
    });
    scene.close();
  }
});

test(`nearest approaches and sweeps hold at every sample (seed ${seed + 2})`, async () => {
  const random = numbers(seed + 2);
  const failures = new Failures();
  const count = { throughout: 0, notKnown: 0 };
  for (let round = 0; round < rounds / 6; round++) {
    const given = randomCase(random);
    place(given, 0);
    const motion = {
      bodies: given.bodies.map((body, i) => ({
        body,
        to: poseAt(given.moves[i], 1),
        path: given.moves[i].path,
      })),
    };
    const [approach] = await given.scene.nearestApproach(motion);
    const [swept] = await given.scene.sweep(motion);
    const intervals = swept?.intervals ?? [];
    for (const { throughout } of intervals) count[throughout ? 'throughout' : 'notKnown']++;
    let least = Infinity;
    for (let i = 0; i <= samples; i++) {
      const t = i / samples;
      place(given, t);
      const { distance } = given.scene.distanceSync(...given.bodies);
      least = Math.min(least, distance);
      const within = intervals.find(({ begins, ends }) => t >= begins.from - 1e-12 && t <= ends.to + 1e-12);
      if (distance === 0 && !within)
        fail(failures, `round ${round}: meets at ${t}, outside of every interval`);
      const certain = intervals.find(
        ({ begins, ends, throughout }) => throughout && t >= begins.to + 1e-12 && t <= ends.from - 1e-12,
      );
      if (distance > 0 && certain)
        fail(failures, `round ${round}: apart at ${t}, within ${JSON.stringify(certain)}`);
    }
    const { lower, upper } = approach.distance;
    if (least < lower * (1 - 1e-9) - 1e-12) fail(failures, `round ${round}: ${least} is below ${lower}`);
    if (upper > 0 && upper - lower > 0.01 * upper + 1e-9)
      fail(failures, `round ${round}: ${lower} to ${upper} is wide`);
    place(given, approach.time);
    const then = given.scene.distanceSync(...given.bodies).distance;
    if (then > upper + 1e-9) fail(failures, `round ${round}: ${then} at its time, above ${upper}`);
    given.scene.close();
  }
  if (process.env.NEARFIELD_SLOW) console.log(`sweeps: ${JSON.stringify(count)}`);
  expect(failures.list).toEqual([]);
  expect(count.throughout).toBeGreaterThan(count.notKnown);
});
