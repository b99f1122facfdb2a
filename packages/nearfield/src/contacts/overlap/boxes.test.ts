// Compares regions of turned boxes with another algorithm: the faces of each box cut by the planes of the other.

import { afterAll, expect, test } from 'vitest';
import { applyPose, type Pose } from '../../math/pose.ts';
import { open } from '../../nearfield.ts';
import * as shapes from '../../shapes/index.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

type Point = readonly number[];
const minus = (p: Point, q: Point): number[] => p.map((x, i) => x - q[i]);
const dot = (p: Point, q: Point): number => p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
const cross = (p: Point, q: Point): number[] => [
  p[1] * q[2] - p[2] * q[1],
  p[2] * q[0] - p[0] * q[2],
  p[0] * q[1] - p[1] * q[0],
];

/** The six faces of a placed box, each counter-clockwise seen from outside. */
function facesOf(size: Point, pose: Pose): Point[][] {
  const corner = (i: number, j: number, k: number): Point => {
    const out = new Float64Array(3);
    applyPose(pose, (i - 0.5) * size[0], (j - 0.5) * size[1], (k - 0.5) * size[2], out, 0);
    return [...out];
  };
  return [
    [corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1), corner(0, 1, 0)],
    [corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1)],
    [corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1)],
    [corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0)],
    [corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0)],
    [corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)],
  ];
}

/** The part of a convex polygon on the inner side of all faces. */
function cut(polygon: readonly Point[], faces: readonly Point[][]): Point[] {
  let kept = [...polygon];
  for (const [a, b, c] of faces) {
    const normal = cross(minus(b, a), minus(c, a));
    const heights = kept.map(p => dot(normal, minus(p, a)));
    kept = kept.flatMap((p, i) => {
      const j = (i + 1) % kept.length;
      const here = heights[i] <= 0 ? [p] : [];
      if (heights[i] > 0 === heights[j] > 0) return here;
      const share = heights[i] / (heights[i] - heights[j]);
      return [...here, p.map((x, axis) => x + share * (kept[j][axis] - x))];
    });
  }
  return kept;
}

const vectorArea = (polygon: readonly Point[]): number[] =>
  polygon
    .slice(2)
    .map((p, i) => cross(minus(polygon[i + 1], polygon[0]), minus(p, polygon[0])))
    .reduce((sum, v) => sum.map((x, axis) => x + v[axis] / 2), [0, 0, 0]);

test('turned boxes have the normal, area, depth and mean depth found by cutting faces', {
  timeout: 600_000,
}, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 5000 : 150;
  let [clear, within, apart] = [0, 0, 0];
  for (let seed = 1; seed <= rounds; seed++) {
    const random = shapes.createRandom(seed);
    // Every second pair is nearly concentric: there boxes pass through one another, or one is inside the other.
    const reach = seed % 2 === 0 ? 0.1 : 1.1;
    const sizes = [0, 1].map(() => [0, 1, 2].map(() => random.between(0.2, 2)) as [number, number, number]);
    const poses = [0, 1].map(() => {
      const [x, y] = [random.direction(), random.direction()];
      const z = cross(x, y).map(c => c / Math.hypot(...cross(x, y)));
      const place = [0, 1, 2].map(() => random.between(-reach, reach));
      return new Float64Array([...x, 0, ...cross(z, x), 0, ...z, 0, ...place, 1]);
    });
    const scene = nf.scene();
    const [a, b] = sizes.map((size, i) => scene.add(shapes.box({ size }), { pose: poses[i] }));
    const { patches } = scene.contactsSync(a, b);
    scene.close();
    const faces = sizes.map((size, i) => facesOf(size, poses[i]));
    const parts = faces.map((own, i) => own.map(face => cut(face, faces[1 - i])).filter(p => p.length > 2));
    const corners = parts.flat(2);
    expect(patches.length, `seed ${seed}`).toBe(corners.length > 0 ? 1 : 0);
    if (patches.length === 0) {
      apart++;
      continue;
    }
    const [{ normal, depth, area, points }] = patches;
    const along = corners.map(p => dot(p, [...normal]));
    expect(depth, `seed ${seed}`).toBeCloseTo(Math.max(...along) - Math.min(...along), 10);
    const ofA = parts[0].map(vectorArea);
    const vector = [0, 1, 2].map(axis => ofA.reduce((sum, v) => sum + v[axis], 0));
    const size = Math.hypot(...vector);
    const seen = parts.flat().reduce((sum, p) => sum + Math.abs(dot(vectorArea(p), vector)), 0) / (2 * size);
    if (!(size >= 0.2 * seen)) {
      within++;
      expect(points.length, `seed ${seed}`).toBe(1);
      continue;
    }
    clear++;
    expect(area, `seed ${seed}`).toBeCloseTo(size, 10);
    normal.forEach((x, axis) => {
      expect(x, `seed ${seed}`).toBeCloseTo(vector[axis] / size, 9);
    });
    // The volume is the mean depth times the area if each line along the normal crosses the region in one stretch; else
    // no less.
    const volume = parts.flat().reduce((sum, p) => sum + dot(vectorArea(p), minus(p[0], corners[0])) / 3, 0);
    const summed = points.reduce((sum, point) => sum + point.depth * point.area, 0);
    expect(summed, `seed ${seed}`).toBeGreaterThan(0);
    if (points.length === 4 && seen < size * (1 + 1e-9))
      expect(summed, `seed ${seed}`).toBeCloseTo(volume, 8);
  }
  expect(Math.min(clear, within, apart)).toBeGreaterThan(rounds / 100);
});
