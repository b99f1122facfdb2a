// Compares the steps of the methods that draw with the answers of the same methods.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { testDevice } from '../gpu/testing/test-device.ts';
import { applyPose } from '../math/pose.ts';
import { type Nearfield, open } from '../nearfield.ts';
import { icosphere, torus } from '../shapes/index.ts';

let nf: Nearfield;
beforeAll(async () => {
  nf = await open({ device: (await testDevice()).device });
});
afterAll(() => nf.close());

it('gives the layer maps of two bodies among others, in either order', async () => {
  const scene = nf.scene();
  const ball = icosphere({ frequency: 4 });
  scene.add(ball);
  const a = scene.add(ball, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0.2, 0.1, 1] });
  const b = scene.add(torus({ majorSegments: 24, minorSegments: 12 }));
  const options = { method: 'layers', resolution: 24 } as const;
  const found = await scene.sampledInterferences({ ...options, keep: (p, q) => p === a && q === b });
  const { maps, meets, stats } = await scene.steps([b, a], options);
  expect(meets).toBe(true);
  expect(stats.resolution).toBe(found.layers.resolution);
  expect(maps.map(({ cases }) => cases)).toEqual(found.mapsOf({ a, b }).map(({ cases }) => cases));
  expect(maps[0].meeting).toBeGreaterThan(0);
  scene.close();
});

it('names the lines that each test of layers leaves open, as the order of all layers of a line implies', async () => {
  const scene = nf.scene();
  // Many lines pass both bodies twice.
  const ring = torus({ majorSegments: 24, minorSegments: 12 });
  const a = scene.add(ring, { pose: [1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0.3, 0.1, 0.2, 1] });
  const b = scene.add(ring);
  const options = { method: 'layers', resolution: 48, direction: [1, 0.2, 0.1] } as const;
  const { maps, passes, stats } = await scene.steps([a, b], options);
  const { maps: ordered } = await scene.steps([a, b], { ...options, algorithm: 'general' });
  const [{ cases, columns }, { farSide, nearSide }] = [maps[0], passes[0]];
  const [drawn, other] = stats.order === 'ab' ? ['A', 'B'] : ['B', 'A'];
  let [open, casting] = [0, 0];
  cases.forEach((value, pixel) => {
    const [column, row] = [pixel % columns, Math.floor(pixel / columns)];
    const order = ordered[0].orderAt(column, row);
    const isMarked = maps[0].orderAt(column, row) !== undefined;
    expect(nearSide[pixel] === 1, `pixel ${pixel}`).toBe(
      isMarked && value !== 0 && value !== 7 && value !== 8,
    );
    if (order === undefined || !order.includes('A') || !order.includes('B')) {
      expect(farSide[pixel], `pixel ${pixel}`).toBe(0);
      return;
    }
    const before = order.slice(0, order.lastIndexOf(drawn)).split(other).length - 1;
    const isOpen = before > 0 && before % 2 === 0;
    expect(farSide[pixel] === 1, `pixel ${pixel}: ${order}`).toBe(isOpen || isMarked);
    if (isOpen && !isMarked) open++;
    if (isMarked) casting++;
  });
  // The engine's own counts: the lines that needed test (3), and those it left open.
  expect(open).toBeGreaterThan(0);
  expect(casting).toBeGreaterThan(0);
  expect(open).toBeLessThanOrEqual(stats.second);
  expect(stats.second - open).toBeLessThanOrEqual(casting);
  scene.close();
});

it('gives edges and stencil counts of rays; a count above 0 means inside', async () => {
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
        // Closer to the other surface than this, the middle of a pixel and its edge may lie on different sides.
        if (distances[i] < 2 * offset) return;
        counts[inside[i]]++;
        expect(others[pixel] > 0, `pixel ${pixel}`).toBe(inside[i] === 1);
      });
    }
    expect(Math.min(...counts)).toBeGreaterThan(50);
  }
  scene.close();
});

it('has no pictures if the boxes of the bodies do not meet', async () => {
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
  const nothing = { views: [], resolution: 0 };
  expect(await scene.steps([a, b], { method: 'visibility' })).toMatchObject({
    glance: nothing,
    close: nothing,
  });
  scene.close();
});

it('gives the coarse and the fine views; every view keeps triangles that meet', async () => {
  const scene = nf.scene();
  const ball = icosphere({ frequency: 6 });
  const a = scene.add(ball, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.9, 0.2, 0.1, 1] });
  const b = scene.add(torus({ majorSegments: 24, minorSegments: 12 }), {
    pose: [1, 0, 0, 0, 0, 0.6, 0.8, 0, 0, -0.8, 0.6, 0, 0, 0, 0, 1],
  });
  const steps = await scene.steps([a, b], { method: 'visibility', resolution: 64 });
  const { glance, close, trianglePairs, window } = steps;
  const [found] = await scene.interferences();
  expect(trianglePairs).toEqual(found.triangles);
  expect([glance.resolution, close.resolution]).toEqual([16, 64]);
  for (const { views } of [glance, close]) {
    expect(views.map(({ axis, from }) => [axis, from])).toEqual(
      [1, -1].flatMap(from => [0, 1, 2].map(axis => [axis, from])),
    );
  }
  const sides = [0, 1] as const;
  const lookedAt = sides.flatMap(side => [
    { side, look: glance, before: undefined },
    { side, look: close, before: glance.kept[side] },
  ]);
  for (const { side, look, before } of lookedAt) {
    const [body, { kept, views, resolution }] = [[a, b][side], look];
    const meeting = [...new Set(trianglePairs.filter((_, i) => i % 2 === side))];
    const left = new Set(kept[side]);
    expect(meeting.filter(triangle => !left.has(triangle))).toEqual([]);
    expect(kept[side].length).toBeLessThan(before?.length ?? body.mesh.triangleCount);
    // The fine pass examines exactly what the coarse pass left.
    if (before) {
      const known = new Set(before);
      for (const { overlapping } of views)
        expect(overlapping[side].filter(triangle => !known.has(triangle))).toEqual(new Uint32Array(0));
    }
    // The coarse pass keeps triangles that overlap in all of its views.
    else {
      const [first, ...others] = views.map(({ overlapping }) => overlapping[side]);
      const sets = others.map(list => new Set(list));
      expect(first.filter(triangle => sets.every(set => set.has(triangle)))).toEqual(kept[side]);
    }
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
