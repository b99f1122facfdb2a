import { shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { surfaceOf } from '../surfaces.ts';
import { candidatesOf, type Trajectory } from './trajectories.ts';

const path = (changes: Partial<Trajectory>): Trajectory => ({
  ...{ position: [0, 0, 5], velocity: [0, 0, -1], acceleration: [0, 0, 0], birth: 0, life: 16 },
  ...changes,
});

test('a fall on a plane takes √(2h/g), and a throw comes down once', () => {
  const ground = surfaceOf({ plane: { point: [0, 0, 0], normal: [0, 0, 1] } });
  const [fall] = candidatesOf(path({ velocity: [1, 0, 0], acceleration: [0, 0, -10] }), [ground]);
  expect(fall).toMatchObject({ time: expect.closeTo(1, 13), sure: true });
  expect(fall.place[0]).toBeCloseTo(1, 13);
  const [thrown] = candidatesOf(
    path({ position: [0, 0, 0.75], velocity: [0, 0, 1], acceleration: [0, 0, -2] }),
    [ground],
  );
  expect(thrown.time).toBeCloseTo(1.5, 13);
});

test('a sphere is hit at its near side; a touch is doubtful; a path beside it hits nothing', () => {
  const ball = surfaceOf({ sphere: { centre: [0, 0, 0], radius: 3 } });
  expect(candidatesOf(path({}), [ball])[0]).toMatchObject({ time: expect.closeTo(2, 13), sure: true });
  const touching = candidatesOf(path({ position: [3, 0, 5] }), [ball]);
  expect(touching.length).toBeGreaterThan(0);
  expect(touching.every(({ sure }) => !sure)).toBe(true);
  expect(candidatesOf(path({ position: [3.001, 0, 5] }), [ball])).toEqual([]);
});

test('a dip between two samples is not missed', () => {
  const ball = surfaceOf({ sphere: { centre: [0, 0, 0], radius: 3 } });
  const found = candidatesOf(path({ position: [3 - 1e-6, 0, 5] }), [ball], 32);
  expect(found).toMatchObject([{ sure: true, time: expect.closeTo(5 - Math.sqrt(9 - (3 - 1e-6) ** 2), 9) }]);
});

test('a collider that moves and turns is hit at its current place', () => {
  const door = surfaceOf({
    plane: { point: [2, 0, 0], normal: [0, 1, 0], right: [1, 0, 0] },
    within: { rectangle: [2, 1] },
    motion: { pivot: [0, 0, 0], turn: [0, 0, Math.PI / 2], velocity: [0, 0, 0.5] },
  });
  // Stands still at (0, 2, 0.25), where the door is after a second.
  const still = path({ position: [0, 2, 0.25], velocity: [0, 0, 0], life: 2 });
  expect(candidatesOf(still, [door])).toMatchObject([{ time: expect.closeTo(1, 12), sure: true }]);
  const above = path({ position: [0, 2, 1.75], velocity: [0, 0, 0], life: 2 });
  expect(candidatesOf(above, [door])).toEqual([]);
});

test('a box is hit on the right triangle, at the same time as its plane', () => {
  const box = surfaceOf({ mesh: shapes.box({ size: [2, 2, 2] }) });
  const lid = surfaceOf({
    plane: { point: [0, 0, 1], normal: [0, 0, 1], right: [1, 0, 0] },
    within: { rectangle: [1, 1] },
  });
  const throws = path({ position: [0.3, -0.2, 5], velocity: [0.1, 0, 2], acceleration: [0, 0, -4] });
  const [[onBox], [onLid]] = [candidatesOf(throws, [box]), candidatesOf(throws, [lid])];
  expect(onBox.time).toBeCloseTo(onLid.time, 12);
  expect(onBox.triangle).toBeGreaterThanOrEqual(0);
});

test('holes are not hit, but their borders are', () => {
  const square = (r: number): [number, number][] => [
    [-r, -r],
    [r, -r],
    [r, r],
    [-r, r],
  ];
  const table = surfaceOf({
    plane: { point: [0, 0, 0], normal: [0, 0, 1], right: [1, 0, 0] },
    within: { polygon: square(2), holes: [square(0.5)] },
  });
  const at = (x: number) => candidatesOf(path({ position: [x, 0.1, 5] }), [table]).length;
  expect([0, 0.4, 0.6, 1.9, 2.1].map(at)).toEqual([0, 0, 1, 1, 0]);
});
