import { describe, expect, it } from 'vitest';
import { applyPose, identity } from '../../math/pose.ts';
import { createRandom } from '../../shapes/index.ts';
import { randomRotation } from './testing/poses.ts';
import { axesAlong, boxAlong, View, viewOf } from './view.ts';

const dot = (u: readonly number[], v: readonly number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

describe('views', () => {
  it('have right-handed frames that only exchange coordinates along an axis', () => {
    const { direction } = createRandom(1);
    for (let i = 0; i < 100; i++) {
      const axes = axesAlong(direction().map(x => 1e-7 * x));
      const { right, up, direction: along } = axes;
      expect(dot(right, up)).toBeCloseTo(0, 14);
      expect(dot(right, along)).toBeCloseTo(0, 14);
      const turn = [
        right[1] * up[2] - right[2] * up[1],
        right[2] * up[0] - right[0] * up[2],
        right[0] * up[1] - right[1] * up[0],
      ];
      expect(dot(turn, along)).toBeCloseTo(1, 14);
    }
    for (let axis = 0; axis < 3; axis++) {
      for (const sign of [1, -1]) {
        const along = [0, 0, 0];
        along[axis] = 7 * sign;
        const { right, up, direction: unit } = axesAlong(along);
        for (const row of [right, up, unit]) {
          expect(row.map(Math.abs).sort()).toEqual([0, 0, 1]);
        }
      }
    }
    for (const bad of [
      [0, 0, 0],
      [1, Number.NaN, 0],
      [Infinity, 0, 0],
      [1, 0],
    ]) {
      expect(() => axesAlong(bad)).toThrow(/three finite numbers/);
    }
  });

  it('map world points to the image and back', () => {
    const view = new View(axesAlong([1, 2, 3]), [4, 5, 6], 0.25, 8, 8, 0, 1);
    const [column, row, depth] = view.toImage(view.toWorld(3.5, 1.25, 2));
    expect(
      [column, row, depth]
        .map((x, i) => x - [3.5, 1.25, 2][i])
        .map(Math.abs)
        .every(x => x < 1e-12),
    ).toBe(true);
  });

  it('transform poses and positions alike', () => {
    const { next } = createRandom(2);
    const view = new View(axesAlong([0.3, -0.2, 0.9]), [1e3, -2e3, 5], 0.125, 4, 4, 0, 1);
    const pose = identity();
    randomRotation(next).forEach((x, i) => {
      pose[4 * Math.floor(i / 3) + (i % 3)] = x;
    });
    pose.set([1001, -2003, 7], 12);
    const [world, seen, turned] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
    applyPose(pose, 0.5, 0.25, -0.75, world, 0);
    view.see(world[0], world[1], world[2], seen, 0);
    applyPose(view.turn(pose), 0.5, 0.25, -0.75, turned, 0);
    for (let k = 0; k < 3; k++) expect(Math.abs(turned[k] * view.pixel - seen[k])).toBeLessThan(1e-11);
  });

  it('cover a box with pixels to spare, however middles are shifted', () => {
    const axes = axesAlong([0, 1, 1]);
    const box = boxAlong(axes, Float64Array.of(-1, 2, -3, 4, 5, 6));
    for (const size of [
      { resolution: 64 },
      { pixel: 0.3 },
      { resolution: 1 },
      { pixel: 0.3, shift: [0.382, 0.236] as const },
    ]) {
      const view = viewOf(axes, box, size);
      for (let i = 0; i < 8; i++) {
        const [x, y, depth] = view.toImage([i & 1 ? 4 : -1, i & 2 ? 5 : 2, i & 4 ? 6 : -3]);
        expect(Math.min(x, y)).toBeGreaterThan(0);
        expect(x).toBeLessThan(view.columns);
        expect(y).toBeLessThan(view.rows);
        expect(depth).toBeGreaterThan(-1e-9);
        expect(depth).toBeLessThan(view.far + 1e-9);
      }
      if (size.resolution !== undefined)
        expect(Math.max(view.columns, view.rows)).toBeLessThanOrEqual(Math.max(2, size.resolution + 1));
    }
  });
});
