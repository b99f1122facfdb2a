import { afterAll, expect, test } from 'vitest';
import { identity, multiplyPoses, type Pose } from '../math/pose.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { open } from '../nearfield.ts';
import * as shapes from '../shapes/index.ts';
import type { ContactPatch } from './contacts.ts';
import { at, expectNear, patchesIn, turned } from './testing.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const patchesOf = (a: Mesh, poseA: Pose, b: Mesh, poseB: Pose): readonly ContactPatch[] =>
  patchesIn(nf, a, poseA, b, poseB);

/** Every triangle cut into four at the middles of its sides. */
function divided({ positions, indices }: Mesh): Mesh {
  const soup: number[] = [];
  const p = (i: number): number[] => [...positions.slice(3 * i, 3 * i + 3)];
  const middle = (u: number[], v: number[]): number[] => u.map((x, axis) => x / 2 + v[axis] / 2);
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [p(indices[i]), p(indices[i + 1]), p(indices[i + 2])];
    const [d, e, f] = [middle(a, b), middle(b, c), middle(c, a)];
    soup.push(...a, ...d, ...f, ...d, ...b, ...e, ...f, ...e, ...c, ...d, ...e, ...f);
  }
  return mesh(Float64Array.from(soup));
}

const slab = shapes.box({ size: [8, 8, 2] });

test('rigid motion, distance from the origin and division of triangles only change rounding', () => {
  const rough = shapes.displacedSphere({ triangles: 2000, seed: 5 });
  const ball = shapes.icosphere({ frequency: 12 });
  const place = at(1.55, 0.3, -0.2);
  const [expected, ...others] = patchesOf(rough, identity(), ball, place);
  expect(others.length).toBe(0);
  const motion = multiplyPoses(at(3, -2, 5), turned(1.1, [0.6, 0, 0.8]));
  const [moved] = patchesOf(rough, motion, ball, multiplyPoses(motion, place));
  const turn = motion.slice();
  turn.set([0, 0, 0], 12);
  const image = (pose: Pose, p: ArrayLike<number>): number[] =>
    [0, 1, 2].map(i => pose[i] * p[0] + pose[4 + i] * p[1] + pose[8 + i] * p[2] + pose[12 + i]);
  expectNear(moved.point, image(motion, expected.point), 1e-11);
  expectNear(moved.normal, image(turn, expected.normal), 1e-11);
  expect(moved.depth).toBeCloseTo(expected.depth, 11);
  expect(moved.area).toBeCloseTo(expected.area, 11);
  // World positions are rounded to 2^-33 there.
  const [far] = patchesOf(
    rough,
    at(2 ** 20, -(2 ** 19), 2 ** 20),
    ball,
    multiplyPoses(at(2 ** 20, -(2 ** 19), 2 ** 20), place),
  );
  expectNear(
    far.point,
    [expected.point[0] + 2 ** 20, expected.point[1] - 2 ** 19, expected.point[2] + 2 ** 20],
    1e-8,
  );
  expectNear(far.normal, [...expected.normal], 1e-8);
  expect(far.depth).toBeCloseTo(expected.depth, 8);
  const [fine] = patchesOf(divided(rough), identity(), divided(ball), place);
  expectNear(fine.point, [...expected.point], 1e-11);
  expectNear(fine.normal, [...expected.normal], 1e-11);
  expect(fine.depth).toBeCloseTo(expected.depth, 11);
  expect(fine.points.length).toBe(expected.points.length);
  fine.points.forEach(({ position, depth }, i) => {
    expectNear(position, [...expected.points[i].position], 1e-10);
    expect(depth).toBeCloseTo(expected.points[i].depth, 10);
  });
});

test('during a motion in small steps patches keep their ids and points move little', () => {
  const scene = nf.scene();
  const feet = new shapes.SolidBuilder()
    .add(shapes.icosphere({ radius: 0.5, frequency: 8 }), [-1, 0, 0])
    .add(shapes.icosphere({ radius: 0.5, frequency: 8 }), [1, 0, 0])
    .mesh();
  const [floor, body] = [scene.add(slab), scene.add(feet)];
  const step = 1e-3;
  const poseAt = (t: number): Pose =>
    multiplyPoses(at(0.7 * Math.sin(t), 0.3 * t, 1.42), turned(0.08 * Math.sin(2 * t), [0, 1, 0]));
  body.pose = poseAt(0);
  let before = scene.contactsSync(floor, body);
  const ids = before.patches.map(({ id }) => id);
  expect(new Set(ids).size).toBe(2);
  for (let i = 1; i <= 300; i++) {
    body.pose = poseAt(i * step);
    const now = scene.contactsSync(floor, body, { previous: before });
    expect(now.patches.length).toBe(2);
    for (const patch of now) {
      const last = before.patches.find(({ id }) => id === patch.id)!;
      expect(last, `step ${i}`).toBeDefined();
      const moved = Math.hypot(...patch.point.map((x, axis) => x - last.point[axis]));
      expect(moved, `step ${i}`).toBeLessThan(5 * step);
      expect(Math.hypot(...patch.normal.map((x, axis) => x - last.normal[axis])), `step ${i}`).toBeLessThan(
        1e-9,
      );
      expect(patch.points.length).toBe(4);
      patch.points.forEach(({ position }, k) => {
        const way = Math.hypot(...position.map((x, axis) => x - last.points[k].position[axis]));
        expect(way, `step ${i}, point ${k}`).toBeLessThan(20 * step);
      });
    }
    before = now;
  }
  expect(before.patches.map(({ id }) => id).sort()).toEqual([...ids].sort());
  // One foot is lifted: the other keeps its id, and the new contact later gets a new one.
  body.pose = multiplyPoses(at(0, 0, 1.6), turned(0.3, [0, 1, 0]));
  const one = scene.contactsSync(floor, body, { previous: before });
  expect(one.patches.length).toBe(1);
  expect(ids).toContain(one.patches[0].id);
  body.pose = at(0, 0, 1.42);
  const again = scene.contactsSync(body, floor, { previous: one });
  expect(again.patches.filter(({ id }) => id === one.patches[0].id).length).toBe(1);
  expect(again.patches.filter(({ id }) => !ids.includes(id)).length).toBe(1);
  scene.close();
});
