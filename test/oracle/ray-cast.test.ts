import { identity, mesh, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { type Axes, compareCrossings, orderOf, RayCaster, stretchesOf } from './ray-cast.ts';

const alongZ: Axes = { direction: [0, 0, 1], right: [1, 0, 0], up: [0, 1, 0] };
const unitBox = { mesh: shapes.box({ center: [0.5, 0.5, 0.5] }), pose: identity() };

describe('rays through a box', () => {
  it('pass where slabs predict, from any side', () => {
    const seed = 5;
    const random = shapes.createRandom(seed);
    for (let k = 0; k < 200; k++) {
      const direction = random.direction();
      const right = unit(cross(direction, random.direction()));
      const axes = { direction, right, up: cross(direction, right) };
      const origin = [random.between(-0.2, 1.2), random.between(-0.2, 1.2), random.between(-0.2, 1.2)];
      const [crossings] = new RayCaster([unitBox], axes, 0.3).cast(origin);
      const near = Math.max(
        ...[0, 1, 2].map(i => Math.min(-origin[i] / direction[i], (1 - origin[i]) / direction[i])),
      );
      const far = Math.min(
        ...[0, 1, 2].map(i => Math.max(-origin[i] / direction[i], (1 - origin[i]) / direction[i])),
      );
      const expected = near < far ? [near, far] : [];
      expect(
        crossings.map(({ enters }) => enters),
        `seed ${seed}, ray ${k}`,
      ).toEqual(near < far ? [true, false] : []);
      crossings.forEach(({ depth }, i) => {
        expect(Math.abs(depth - expected[i]), `seed ${seed}, ray ${k}`).toBeLessThan(1e-12);
      });
    }
  });

  it('count shared edges and corners once, and side faces never', () => {
    const caster = new RayCaster([unitBox], alongZ, 0.25);
    const depths = (x: number, y: number) => caster.cast([x, y, -1])[0].map(({ depth }) => depth);
    // On the diagonals of both faces, and on their sides: moved to the right and a little up.
    expect(depths(0.5, 0.5)).toEqual([1, 2]);
    expect(depths(0, 0)).toEqual([1, 2]);
    expect(depths(0, 0.5)).toEqual([1, 2]);
    expect(depths(0.5, 0)).toEqual([1, 2]);
    expect(depths(1, 0.5)).toEqual([]);
    expect(depths(0.5, 1)).toEqual([]);
    expect(depths(1, 1)).toEqual([]);
  });

  it('stay outside a mirrored box', () => {
    const pose = Float64Array.of(-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1, 0, 0, 1);
    const [crossings] = new RayCaster([{ ...unitBox, pose }], alongZ, 0.25).cast([0.3, 0.4, -1]);
    expect(crossings.map(({ enters }) => enters)).toEqual([true, false]);
  });
});

it('leaves every closed surface as often as it enters it, on a lattice through its vertices', () => {
  for (const seed of [1, 2, 3]) {
    const random = shapes.createRandom(seed);
    const { positions, indices } = shapes.torus({ majorSegments: 12, minorSegments: 9 });
    const coarse = mesh(
      positions.map(value => Math.round(8 * (value + random.between(-0.1, 0.1))) / 8) as Float64Array,
      indices,
    );
    const caster = new RayCaster([{ mesh: coarse, pose: identity() }], alongZ, 0.25);
    for (let j = -12; j <= 12; j++) {
      for (let i = -12; i <= 12; i++) {
        const [crossings] = caster.cast([i / 8, j / 8, -4]);
        const winding = crossings.reduce((sum, { enters }) => sum + (enters ? 1 : -1), 0);
        expect(winding, `seed ${seed}, (${i}, ${j})`).toBe(0);
      }
    }
  }
});

it('joins stretches that touch, and leaves out those of no length', () => {
  const upper = { mesh: shapes.box({ center: [0.5, 0.5, 1.5] }), pose: identity() };
  const [low, high] = new RayCaster([unitBox, upper], alongZ, 0.5).cast([0.3, 0.6, -1]);
  expect(
    stretchesOf([...low, ...high].sort(compareCrossings)).map(({ from, to }) => [from.depth, to.depth]),
  ).toEqual([[1, 3]]);
  expect(stretchesOf(low).map(({ from, to }) => [from.depth, to.depth])).toEqual([[1, 2]]);
  expect(orderOf(low, high)).toMatch(/^A(AB|BA)B$/);
  expect(() => stretchesOf(low.slice(0, 1))).toThrow('not closed');
});

const cross = (a: readonly number[], b: readonly number[]): [number, number, number] => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const unit = (v: readonly number[]): [number, number, number] => {
  const length = Math.hypot(v[0], v[1], v[2]);
  return [v[0] / length, v[1] / length, v[2] / length];
};
