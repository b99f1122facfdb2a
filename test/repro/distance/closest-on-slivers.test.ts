// closest accepted a single candidate without checking how far apart its bounds were: on slivers, a point far from
// the nearest.

import { mesh, open, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { randomFrom } from '../../oracle/triangles/generators.ts';
import { exactNearest, isRightTo } from '../../spec/proximity/closest-slivers.ts';
import { translation } from '../../spec/scenes.ts';

const nearfield = await open({ backend: 'cpu' });

test('points have their exact distance from single slivers', () => {
  const cases: [number[], number[], number][] = [
    [[-1, 3, -1e8, -1, -2, 2e8, -2, 3, 2e8], [-1, 2, -2], 0.1307],
    [[0, 3e6, 0, 2, -1e6, -2, 0, 2e6, 1], [-1, -1, -2], 2.5298],
  ];
  for (const [corners, point, distance] of cases) {
    const scene = nearfield.scene();
    const body = scene.add(mesh(new Float64Array(corners)));
    const found = scene.closestSync(body, new Float64Array(point));
    expect(found.distances[0]).toBeCloseTo(distance, 4);
    expect(isRightTo(found.distances[0], exactNearest(new Float64Array(corners), point).squared, 52)).toBe(
      true,
    );
    scene.close();
  }
});

test('points beside a thin rod of twelve sides have their exact distance and triangle', () => {
  const outline = Array.from({ length: 12 }, (_, k): [number, number] => {
    const angle = (Math.PI * k) / 6;
    return [0.01 * Math.cos(angle), 0.01 * Math.sin(angle)];
  });
  const rod = shapes.extrude({ outline, from: 0, to: 300 });
  const corners = worldCorners({ mesh: rod, pose: translation(0, 0, 0) });
  const random = randomFrom(1);
  const points = Float64Array.from({ length: 3 * 40 }, (_, i) =>
    i % 3 === 2 ? 300 * random() : 0.0101 * (2 * random() - 1),
  );
  const scene = nearfield.scene();
  const { distances, triangles } = scene.closestSync(scene.add(rod), points);
  for (let i = 0; i < 40; i++) {
    const exact = exactNearest(corners, points.subarray(3 * i, 3 * i + 3));
    expect(isRightTo(distances[i], exact.squared, 52), `point ${i}: ${distances[i]}`).toBe(true);
    expect(triangles[i], `point ${i}`).toBe(exact.triangle);
  }
  scene.close();
});
