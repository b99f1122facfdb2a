// Steps of the methods that draw, against the same methods' own answers.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { applyPose } from '../math/pose.ts';
import { icosphere, torus } from '../mesh/shapes/index.ts';
import { type Nearfield, open } from '../nearfield.ts';

let nf: Nearfield;
beforeAll(async () => {
  nf = await open({ backend: 'gpu' });
});
afterAll(() => nf.close());

it('gives the maps of layers, of two bodies among others, in either order', async () => {
  const scene = nf.scene();
  const ball = icosphere({ frequency: 4 });
  scene.add(ball);
  const a = scene.add(ball, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0.2, 0.1, 1] });
  const b = scene.add(torus({ majorSegments: 24, minorSegments: 12 }));
  const options = { method: 'layers', resolution: 24 } as const;
  const found = await scene.interferences({ ...options, keep: (p, q) => p === a && q === b });
  const { maps, meets, stats } = await scene.steps([b, a], options);
  expect(meets).toBe(true);
  expect(stats.resolution).toBe(found.layers.resolution);
  expect(maps.map(({ cases }) => cases)).toEqual(found.mapsOf({ a, b }).map(({ cases }) => cases));
  expect(maps[0].meeting).toBeGreaterThan(0);
  scene.close();
});

it('gives the edges and stencil counts of rays: inside is where faces are entered more often than left', async () => {
  const scene = nf.scene();
  const a = scene.add(icosphere({ frequency: 4 }), {
    pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0.2, 0.1, 1],
  });
  const b = scene.add(torus({ majorSegments: 24, minorSegments: 12 }), {
    pose: [1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1],
  });
  const { pictures, meets } = await scene.steps([a, b], { method: 'raycast', resolution: 96, views: 2 });
  expect(meets).toBe(true);
  expect(pictures).toHaveLength(2);
  for (const { view, body, depth, others, offset } of pictures) {
    const counts = [0, 0];
    for (const [own, other] of [
      [1, b],
      [2, a],
    ] as const) {
      const pixels = Array.from(body.keys()).filter(pixel => body[pixel] === own);
      const points = Float64Array.from(
        pixels.flatMap(pixel => {
          const [column, row] = [pixel % view.columns, Math.floor(pixel / view.columns)];
          return view.toWorld(column + 0.5, row + 0.5, depth[pixel]);
        }),
      );
      const inside = await scene.inside(other, points);
      const { distances } = await scene.closest(other, points);
      pixels.forEach((pixel, i) => {
        // Nearer to the other surface, a pixel's middle and its edge may lie on different sides.
        if (distances[i] < 2 * offset) return;
        counts[inside[i]]++;
        expect(others[pixel] > 0, `pixel ${pixel}`).toBe(inside[i] === 1);
      });
    }
    expect(Math.min(...counts)).toBeGreaterThan(50);
  }
  scene.close();
});

it('has no pictures of bodies whose boxes do not meet', async () => {
  const scene = nf.scene();
  const ball = icosphere({ frequency: 2 });
  const [a, b] = [
    scene.add(ball),
    scene.add(ball, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 0, 0, 1] }),
  ];
  expect(await scene.steps([a, b], { method: 'raycast' })).toEqual({
    method: 'raycast',
    pictures: [],
    meets: false,
  });
  expect((await scene.steps([a, b], { method: 'layers' })).maps).toEqual([]);
  expect(await scene.steps([a, b], { method: 'visibility' })).toMatchObject({ views: [], resolution: 0 });
  scene.close();
});

it('gives what views saw: triangles that meet are seen to overlap by every one of them, and are kept', async () => {
  const scene = nf.scene();
  const ball = icosphere({ frequency: 6 });
  const a = scene.add(ball, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0.2, 0.1, 1] });
  const b = scene.add(torus({ majorSegments: 24, minorSegments: 12 }), {
    pose: [1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1],
  });
  const resolution = 64;
  const { views, kept, trianglePairs, window } = await scene.steps([a, b], {
    method: 'visibility',
    resolution,
  });
  const [found] = await scene.interferences();
  expect(trianglePairs).toEqual(found.triangles);
  expect(views.map(({ axis, from }) => [axis, from])).toEqual(
    [1, -1].flatMap(from => [0, 1, 2].map(axis => [axis, from])),
  );
  for (const [side, body] of [a, b].entries()) {
    const meeting = [...new Set(trianglePairs.filter((_, i) => i % 2 === side))];
    const left = new Set(kept[side]);
    expect(meeting.filter(triangle => !left.has(triangle))).toEqual([]);
    expect(kept[side].length).toBeLessThan(body.mesh.triangleCount);
    for (const { overlapping, axis, from, nearest, owner } of views) {
      const over = new Set(overlapping[side]);
      expect([...kept[side], ...meeting].filter(triangle => !over.has(triangle))).toEqual([]);
      for (const triangle of meeting) {
        const middle = [0, 0, 0];
        const place = new Float64Array(3);
        for (let corner = 0; corner < 3; corner++) {
          const at = 3 * body.mesh.indices[3 * triangle + corner];
          const [x, y, z] = body.mesh.positions.subarray(at, at + 3);
          applyPose(body.pose, x, y, z, place, 0);
          for (let k = 0; k < 3; k++) middle[k] += place[k] / 3;
        }
        const share = middle.map((value, k) => (value - window[k]) / (window[k + 3] - window[k]));
        if (share.some(value => value < 0.01 || value > 0.99)) continue;
        const pixel =
          Math.floor(share[(axis + 2) % 3] * resolution) * resolution +
          Math.floor(share[(axis + 1) % 3] * resolution);
        const depth = from === 1 ? share[axis] : 1 - share[axis];
        expect(owner[pixel]).toBeGreaterThan(0);
        expect(nearest[pixel]).toBeLessThan(depth + 1e-4);
      }
    }
  }
  scene.close();
});
