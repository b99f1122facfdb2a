import {
  type Collider,
  type CpuNearfield,
  type CpuParticles,
  open,
  type ParticleOptions,
  shapes,
  type Vector,
} from 'nearfield';
import { afterAll, beforeAll, expect, test } from 'vitest';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

const thrown = (
  from: ArrayLike<number>,
  velocity: ArrayLike<number>,
  collider: Collider,
  more: Partial<ParticleOptions> & { life?: number } = {},
): CpuParticles => {
  const { life = 8, ...options } = more;
  return nf.particlesSync({
    count: 1,
    start: { position: Float64Array.from(from), velocity: Float64Array.from(velocity), life },
    colliders: [collider],
    generations: 1,
    ...options,
  });
};

// The side of a triangle on which a path is born came from a rounded sum. At a corner, where it is 0, two of three
// particles that flew away from a ball hit it 10^-17 s after their birth.
test('a particle that is born at a corner of a mesh and leaves hits nothing', () => {
  const ball = shapes.icosphere({ radius: 1, frequency: 4 });
  let inward = 0;
  for (let vertex = 0; vertex < ball.vertexCount; vertex++) {
    const at = ball.positions.subarray(3 * vertex, 3 * vertex + 3);
    expect(thrown(at, at, { mesh: ball }).impactsSync(0, 8).count, `vertex ${vertex}`).toBe(0);
    // Through it, the impact is on the other side.
    const [first] = thrown(
      at,
      at.map(value => -value),
      { mesh: ball },
    ).impactsSync(0, 8);
    expect(first.time, `vertex ${vertex}`).toBeGreaterThan(1.8);
    inward++;
  }
  expect(inward).toBe(ball.vertexCount);
});

// A sphere that turns about its centre was taken for one that stands still: it dragged and carried nothing.
test('a spinning sphere drags and carries particles, as the same quadric does', () => {
  const motion = { pivot: [0, 0, 0], turn: [0, 0, 3], velocity: [0, 0, 0.25] } as const;
  const sphere: Collider = { sphere: { centre: [0, 0, 0], radius: 1 }, motion };
  const quadric: Collider = { quadric: [1, 1, 1, 0, 0, 0, 0, 0, 0, -1], motion };
  for (const restitution of [0, 0.5]) {
    const response = { kind: 'bounce', restitution, friction: 0.25 } as const;
    const [one, other] = [sphere, quadric].map(each => thrown([3, 0, 0.5], [-1, 0, 0], each, { response }));
    const [[a], [b]] = [one.impactsSync(0, 8), other.impactsSync(0, 8)];
    expect([a.time, a.speed, a.outcome]).toEqual([
      expect.closeTo(b.time, 12),
      expect.closeTo(b.speed, 12),
      b.outcome,
    ]);
    // The equator moves at 3 per second.
    expect(a.speed).toBeGreaterThan(3);
    const [p, q] = [one.stateSync(4), other.stateSync(4)];
    expect([...p.position, ...p.velocity]).toEqual(
      [...q.position, ...q.velocity].map(x => expect.closeTo(x, 10)),
    );
    expect(p.velocity[1]).not.toBe(0);
  }
});

// Evaluations along the whole path counted against the limit of bracketing. If a blade had passed a place a thousand
// times, its next passes were skipped, and the impact came 28 turns late.
test('a fast blade hits a sinking particle at its first pass', () => {
  for (const omega of [100, 1000, 3000]) {
    const blade: Collider = {
      plane: { point: [0, 0, 0], normal: [0, 1, 0], right: [1, 0, 0] },
      within: { rectangle: [1, 0.05] },
      motion: { turn: [0, 0, omega] },
    };
    const from: Vector = [0.5, 0.1, 0.06];
    const [hit] = thrown(from, [0, 0, -0.001], blade, { life: 20 }).impactsSync(0, 20);
    const angle = Math.atan2(0.1, 0.5);
    const pass = Math.ceil((10 * omega - angle) / Math.PI);
    expect(hit.time, `${omega} a second`).toBeCloseTo((angle + pass * Math.PI) / omega, 10);
  }
});

// `box` of a sphere, `within` of anything but a plane, and a second shape were silently ignored.
test('refuses options that a collider does not have, and a sphere has a box', () => {
  const centre: Vector = [0, 0, 0];
  const ball = { sphere: { centre, radius: 1 } };
  const low: Collider = {
    ...ball,
    box: [
      [-1, -1, -1],
      [1, 1, 0],
    ],
  };
  const [hit] = thrown([0.5, 0, 3], [0, 0, -1], low).impactsSync(0, 8);
  expect(hit.place[2]).toBeCloseTo(-Math.sqrt(0.75), 12);
  const refuse = (collider: object, what: RegExp) =>
    expect(() => thrown([0, 0, 3], [0, 0, -1], collider as Collider)).toThrow(what);
  refuse({ ...ball, within: { disc: 1 } }, /a sphere has no within/);
  refuse({ ...ball, plane: { point: [0, 0, 0], normal: [0, 0, 1] } }, /plane and sphere/);
  refuse({ ...ball, bounds: {} }, /bounds must be an array/);
});

// Generations of one-tick lives that began long ago were cut to 32 bits.
test('more generations than are counted are refused', () => {
  const start = (birth: number) => ({
    position: new Float64Array(6),
    velocity: new Float64Array(6),
    life: Float64Array.of(1, 1e-9),
    birth,
  });
  const made = (birth: number) => nf.particlesSync({ count: 2, start: start(birth), colliders: [] });
  expect(() => made(-100)).toThrow(/2\^32 of the shortest lives/);
  const particles = made(-3);
  expect([...particles.stateSync(0).generation]).toEqual([3, 3 * 2 ** 30]);
  expect(() => particles.stateSync(2)).toThrow(/beyond the limit of/);
});
