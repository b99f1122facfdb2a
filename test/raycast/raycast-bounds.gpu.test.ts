// The bounds of the raycast method, on both sides; hidden edges; and rays through edges and corners.

import { type Mesh, mesh, type Nearfield, open, type Scene, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { boxBetween, joined } from '../spec/sampled/solids.ts';
import { rigid, subdivided, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
let nf: Nearfield;
beforeAll(async () => {
  nf = await open({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => nf.close());

const method = 'raycast';

function sceneOf(...parts: readonly Mesh[]): Scene {
  const scene = nf.scene();
  for (const part of parts) scene.add(part);
  return scene;
}

describe('mayMissBelow', () => {
  const slab = boxBetween([0, 0, 0], [16, 16, 4]);
  /** Two posts above the slab span the view; the cube that hangs in the slab lies wholly in it. */
  const hanging = (side: number, x: number, y: number) =>
    joined(
      boxBetween([0, 0, 4.5], [0.5, 0.5, 5]),
      boxBetween([15.5, 15.5, 4.5], [16, 16, 5]),
      boxBetween([x - side / 2, y - side / 2, 1], [x + side / 2, y + side / 2, 1 + side]),
    );
  const resolution = 32;
  test('finds a slightly larger interference anywhere between the rays', async () => {
    const { mayMissBelow, raycast } = await sceneOf(slab, hanging(1, 8, 8)).sampledInterferences({
      method,
      resolution,
    });
    expect(raycast.pixel).toBeCloseTo(16 / 31, 12);
    // A ball of this diameter fits into the cube, and no larger one.
    const side = 1.001 * mayMissBelow;
    const phases = slow ? 8 : 3;
    for (let i = 0; i < phases; i++) {
      for (let j = 0; j < phases; j++) {
        const [x, y] = [8 + (raycast.pixel * i) / phases, 8 + (raycast.pixel * j) / phases];
        const answer = await sceneOf(slab, hanging(side, x, y)).sampledInterferences({ method, resolution });
        expect(answer.length, `phase ${i}, ${j}`).toBe(1);
        expect(answer.raycast.byEdgesAlone, `phase ${i}, ${j}: a ray finds it`).toBe(0);
      }
    }
  });
  test('rays miss some smaller ones, so the bound is tight; edges may still find them', async () => {
    const { raycast } = await sceneOf(slab, hanging(1, 8, 8)).sampledInterferences({ method, resolution });
    let byEdgesAlone = 0;
    for (let i = 0; i < 4; i++) {
      const at = 8 + (raycast.pixel * i) / 4;
      const answer = await sceneOf(slab, hanging(0.6 * raycast.pixel, at, at)).sampledInterferences({
        method,
        resolution,
      });
      byEdgesAlone += answer.raycast.byEdgesAlone;
      expect(answer.length).toBe(1);
    }
    expect(byEdgesAlone).toBeGreaterThan(0);
  });
  test('bodies that share a corner miss nothing large compared with them', async () => {
    for (const size of [1e-6, 1, 1e6]) {
      const part = shapes.box({ size: [size, size, size] });
      const scene = nf.scene();
      scene.add(part);
      scene.add(part, { pose: translation(size, size, size) });
      const answer = await scene.sampledInterferences({ method });
      expect([answer.length, size]).toEqual([0, size]);
      expect(answer.mayMissBelow).toBeLessThan(0.02 * size);
    }
  });
  test('the bound is positive, at most two per cent of the scene at 512 pixels, and less with more pixels', async () => {
    const bar = [1, 0.01, 0.01] as const;
    const scene = sceneOf(shapes.box({ size: bar }), shapes.box({ size: bar, center: [0, 0, 0.005] }));
    const answer = await scene.sampledInterferences({ method, ask: 'any', resolution: 512 });
    expect(answer.mayMissBelow).toBeGreaterThan(1 / 512);
    expect(answer.mayMissBelow).toBeLessThan(0.02);
    expect(answer.mayReportWithin).toBeGreaterThan(0);
    expect(answer.mayReportWithin).toBeLessThan(0.02);
    const drawn = await scene.sampledInterferences({
      method,
      ask: 'both',
      counting: 'stencil',
      resolution: 512,
    });
    expect(drawn.mayReportWithin).toBeLessThan(0.02);
    expect([drawn.complete, drawn.mayMissBelow]).toEqual([false, Infinity]);
    const finer = await scene.sampledInterferences({ method, ask: 'any', resolution: 1024 });
    expect(finer.mayMissBelow).toBeLessThan(0.51 * answer.mayMissBelow);
  });
});

describe('mayReportWithin', () => {
  // Slanted, so that depths are rounded.
  const turned = [0.8, 0, -0.6, 0, 0, 1, 0, 0, 0.6, 0, 0.8, 0, 0, 0, 0, 1];
  const gapped = (gap: number) => {
    const scene = nf.scene();
    scene.add(boxBetween([-1, -1, 0], [1, 1, 1]), { pose: turned });
    scene.add(boxBetween([-1, -1, 1 + gap], [1, 1, 2]), { pose: turned });
    return scene;
  };
  test('does not report wider gaps, but reports overlaps that deep', async () => {
    const ask = { method, resolution: 64 } as const;
    const within = (await gapped(-0.5).sampledInterferences(ask)).mayReportWithin;
    expect(within).toBeGreaterThan(0);
    for (const share of [1.01, 2, 100]) {
      const apart = await gapped(share * within).sampledInterferences(ask);
      expect([apart.length, share]).toEqual([0, share]);
    }
    for (const share of [4, 10, 1000]) {
      const deep = await gapped(-share * within).sampledInterferences(ask);
      expect([deep.length, share]).toEqual([1, share]);
    }
  });
  test('does not report gaps beside a body 10^6 and 10^8 times as large, which double precision decides', async () => {
    /** The part of a block above, or below, a slanted plane. */
    const slanted = (size: number, height: number, gap: number): Mesh => {
      const corners = [
        [-size, -size],
        [size, -size],
        [size, size],
        [-size, size],
      ];
      const level = [gap, gap + height].flatMap(up =>
        corners.map(([x, y]) => [x, y, 0.3 * x + 0.7 * y + up]),
      );
      const faces = [
        [0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7],
        [0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
      ].flat();
      const turned = height > 0 ? faces : faces.map((_, i) => faces[i - (i % 3) + [0, 2, 1][i % 3]]);
      return mesh(new Float64Array(level.flat()), new Uint32Array(turned));
    };
    const cpu = await open({ backend: 'cpu' });
    for (const size of [1e6, 1e8]) {
      for (const gap of [1e-15, 1e-12, 1e-9]) {
        const parts = [slanted(size, -size, 0), slanted(1.37, 1.37, gap)];
        const exact = cpu.scene();
        const [a, b] = parts.map(part => exact.add(part));
        const { distance } = await exact.distance(a, b);
        const answer = await sceneOf(...parts).sampledInterferences({ method, resolution: 32 });
        const what = `${size}, ${gap}`;
        expect([answer.stats.unsure > 0, distance > 0, what]).toEqual([true, true, what]);
        expect([answer.length, what]).toEqual([0, what]);
        expect(answer.mayReportWithin, what).toBeGreaterThan(0);
        expect(answer.mayReportWithin, what).toBeLessThan(1e-9 * size);
      }
      const deep = await sceneOf(slanted(size, -size, 0), slanted(1, 1, -0.2)).sampledInterferences({
        method,
        resolution: 64,
      });
      expect([deep.length, size]).toEqual([1, size]);
      expect(deep.mayMissBelow).toBeLessThan(0.07 + 1e-8 * size);
    }
    cpu.close();
  });
  test('rays do not report oblique faces that touch, whose depths are rounded', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const pose = rigid(shapes.createRandom(seed), 1);
      const scene = nf.scene();
      scene.add(boxBetween([-1, -1, 0], [1, 1, 1]), { pose });
      scene.add(boxBetween([-0.7, -0.6, 1], [0.8, 0.5, 2]), { pose });
      const { length, raycast } = await scene.sampledInterferences({ method, resolution: 64 });
      // World positions are rounded: an edge may truly lie in the other box, which is decided exactly.
      expect(length - raycast.byEdgesAlone, `seed ${seed}`).toBe(0);
    }
  });
  test('does not report faces that touch', async () => {
    const beside = [translation(1, 0, 0), translation(0, 1, 0), translation(0, 0, 1), translation(1, 1, 0)];
    for (const pose of beside) {
      const scene = nf.scene();
      scene.add(shapes.box());
      scene.add(shapes.box(), { pose });
      for (const views of [1, 3] as const) {
        const answer = await scene.sampledInterferences({ method, resolution: 32, views });
        expect(answer.length).toBe(0);
      }
    }
  });
});

describe('edges behind edges (KR6)', () => {
  /**
   * A trough with a box stuck in its floor, and bars above it that touch neither: seen from above, every pixel of the
   * box or the floor has an edge of the bars in front of it.
   */
  const hidden = () =>
    sceneOf(
      joined(
        boxBetween([-2, -1.2, 1], [2, 1.2, 2]),
        boxBetween([-2, -1.2, 0], [-1.5, 1.2, 1]),
        boxBetween([1.5, -1.2, 0], [2, 1.2, 1]),
      ),
      boxBetween([-0.5, -0.4, 0.8], [0.5, 0.5, 1.6]),
      joined(
        ...Array.from({ length: 60 }, (_, i) =>
          boxBetween([-1.2, -1.2 + i / 25, 0.2], [1.2, -1.2 + (i + 0.5) / 25, 0.4]),
        ),
      ),
    );
  const ask = { method, resolution: 32 } as const;
  test('drawn, a large interference hides behind other edges, and the answer says so; lists find it', async () => {
    const drawn = await hidden().sampledInterferences({ ...ask, counting: 'stencil' });
    expect([drawn.length, drawn.complete, drawn.mayMissBelow]).toEqual([0, false, Infinity]);
    expect(drawn.raycast.edgeFragments).toBeGreaterThan(100);
    const lists = await hidden().sampledInterferences(ask);
    expect(lists.indices).toEqual(Uint32Array.from([0, 1]));
    expect(lists.complete).toBe(true);
  });
  test('more directions see what one misses', async () => {
    const drawn = await hidden().sampledInterferences({ ...ask, counting: 'stencil', views: 3 });
    expect(drawn.indices).toEqual(Uint32Array.from([0, 1]));
    expect(drawn.raycast.directions).toBe(3);
  });
  test('the view fits the intersection of the boxes, not the scene', async () => {
    const all = sceneOf(boxBetween([0, 0, 0], [100, 100, 100]), boxBetween([99, 99, 99.5], [200, 200, 200]));
    for (const counting of ['lists', 'stencil'] as const) {
      const { raycast } = await all.sampledInterferences({ method, ask: 'any', counting, resolution: 64 });
      expect(raycast.pixel).toBeLessThan(1 / 50);
    }
  });
  test.runIf(slow)(
    'closed meshes of 70,000 triangles',
    async () => {
      const part = shapes.displacedSphere({ triangles: 69_620, seed: 3 });
      const other = shapes.displacedSphere({ triangles: 69_620, seed: 4 });
      for (const x of [1.2, 1.9, 2.05, 2.3]) {
        const all = nf.scene();
        all.add(part);
        all.add(other, { pose: translation(x, 0.2, 0.1) });
        const exact = await all.interferences({ detail: 'any' });
        const answer = await all.sampledInterferences({ method, resolution: 512 });
        expect([answer.length, x]).toEqual([exact.length, x]);
        expect(answer.complete).toBe(true);
      }
    },
    600_000,
  );
});

describe('the drawn form is complete only if nothing is left to find', () => {
  const countings = ['stencil', 'queries'] as const;
  test('misses a large interference though every edge is seen: a slightly smaller box within another (proof.md)', async () => {
    const thinner = 1 / 64;
    const boxes = () =>
      sceneOf(
        boxBetween([0, 0, 0], [1, 1, 1]),
        boxBetween([thinner, thinner, thinner], [1 - thinner, 1 - thinner, 1 - thinner]),
      );
    for (const counting of countings) {
      for (const views of [1, 3] as const) {
        // Edges are moved by twice as much as the boxes differ.
        const drawn = await boxes().sampledInterferences({
          ...{ method, ask: 'both', counting, views, resolution: 128 },
          offset: 2 * thinner,
        });
        expect([drawn.any, drawn.complete, drawn.mayMissBelow]).toEqual([false, false, Infinity]);
      }
    }
    const lists = await boxes().sampledInterferences({ method, resolution: 128 });
    expect([lists.length, lists.complete]).toEqual([1, true]);
    expect(lists.mayMissBelow).toBeLessThan(1 - 2 * thinner);
  });
  test('finds everything that could be found', async () => {
    const [a, b] = [boxBetween([0, 0, 0], [2, 2, 2]), boxBetween([1, 1.1, 1.2], [3, 3.1, 3.2])];
    const near = boxBetween([-3, 1, 1], [-2, 1.5, 1.5]);
    for (const counting of countings) {
      const ask = { method, counting, views: 3, resolution: 64 } as const;
      // Two boxes with a corner of each in the other.
      for (const what of ['any', 'penetrating', 'both'] as const) {
        const answer = await sceneOf(a, b).sampledInterferences({ ...ask, ask: what });
        expect([answer.any, answer.complete, answer.mayMissBelow]).toEqual([true, true, 0]);
      }
    }
    const ask = { method, counting: 'stencil', views: 3, resolution: 64 } as const;
    expect((await sceneOf(a, b).sampledInterferences(ask)).complete).toBe(true);
    // Edges of a pixel hide each other; a third body whose box meets another's is not a pair.
    expect((await sceneOf(a, b).sampledInterferences({ ...ask, ask: 'edges' })).complete).toBe(false);
    const hook = joined(near, boxBetween([-3, -3, 1], [3, -2, 1.5]));
    const more = await sceneOf(a, b, hook).sampledInterferences(ask);
    expect([more.length, more.complete, more.mayMissBelow]).toEqual([1, false, Infinity]);
    // A box within another has no edge of the other in it: one penetrates, the other is penetrated.
    const within = sceneOf(a, boxBetween([0.5, 0.5, 0.5], [1.5, 1.5, 1.5]));
    for (const [what, complete] of [
      ['any', true],
      ['penetrating', false],
      ['both', false],
    ] as const) {
      const answer = await within.sampledInterferences({ ...ask, ask: what });
      expect([what, answer.any, answer.complete]).toEqual([what, true, complete]);
    }
    expect((await within.sampledInterferences(ask)).complete).toBe(true);
  });
});

describe('rays through corners and along edges (KR8)', () => {
  /** The rays of a window from 0 to `size`, as answers describe their pixels. */
  const linesOf = (size: number, pixel: number, shift: number) => {
    const columns = Math.ceil(size / pixel + 1);
    const left = size / 2 - (columns / 2 + shift) * pixel;
    return Array.from({ length: columns }, (_, i) => left + (i + 0.5) * pixel).filter(x => x > 0 && x < size);
  };
  /** A block whose top and bottom have a vertex on every ray: each passes six triangles at a corner. */
  function studded(low: number, high: number, size: number, xs: number[], ys: number[]): Mesh {
    const along = (lines: number[]) => [0, ...lines, size];
    const [x, y] = [along(xs), along(ys)];
    const positions: number[] = [];
    const indices: number[] = [];
    for (const z of [low, high]) for (const v of y) for (const u of x) positions.push(u, v, z);
    const number = (i: number, j: number, top: number) => (top * y.length + j) * x.length + i;
    const quad = (a: number, b: number, c: number, d: number) => indices.push(a, b, c, a, c, d);
    for (let j = 0; j + 1 < y.length; j++) {
      for (let i = 0; i + 1 < x.length; i++) {
        quad(number(i, j, 1), number(i + 1, j, 1), number(i + 1, j + 1, 1), number(i, j + 1, 1));
        quad(number(i, j, 0), number(i, j + 1, 0), number(i + 1, j + 1, 0), number(i + 1, j, 0));
      }
    }
    for (let i = 0; i + 1 < x.length; i++) {
      quad(number(i, 0, 0), number(i + 1, 0, 0), number(i + 1, 0, 1), number(i, 0, 1));
      const last = y.length - 1;
      quad(number(i + 1, last, 0), number(i, last, 0), number(i, last, 1), number(i + 1, last, 1));
    }
    for (let j = 0; j + 1 < y.length; j++) {
      quad(number(0, j + 1, 0), number(0, j, 0), number(0, j, 1), number(0, j + 1, 1));
      const last = x.length - 1;
      quad(number(last, j, 0), number(last, j + 1, 0), number(last, j + 1, 1), number(last, j, 1));
    }
    return mesh(new Float64Array(positions), new Uint32Array(indices));
  }
  const resolution = 9;
  const pixel = 1 / (resolution - 1);
  const xs = linesOf(1, pixel, 0.382);
  const ys = linesOf(1, pixel, 0.236);

  test.each([
    ['in a hollow, with nothing in common', 0, 0.45],
    ['through the hollow’s floor', 1, 0.25],
  ])('every ray through shared corners of triangles (#3): %s', async (_, expected, low) => {
    // A trough around the block, open above: boxes meet, and every ray passes its floor first.
    const trough = joined(
      boxBetween([-1, -1, 0.2], [2, 2, 0.4]),
      boxBetween([-1, -1, 0.4], [-0.2, 2, 0.9]),
      boxBetween([1.2, -1, 0.4], [2, 2, 0.9]),
    );
    const block = studded(low, low + 0.4, 1, xs, ys);
    expect(block.solid).toBe(true);
    const answer = await sceneOf(block, trough).sampledInterferences({ method, resolution });
    expect(answer.raycast.pixel).toBe(pixel);
    // Only exact rays can decide: all of them went to the exact stage, or were decided before it.
    expect(answer.stats.unsure).toBeGreaterThan(xs.length * ys.length - 1);
    expect(answer.length).toBe(expected);
  });
  test('rays that pass a silhouette’s corner (#1)', async () => {
    // The tip of a pyramid on a ray, and a slab that the tip only comes near to, or pierces.
    const tip = (depth: number) =>
      mesh(
        new Float64Array([xs[3], ys[3], depth, 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0]),
        new Uint32Array([1, 2, 0, 2, 3, 0, 3, 4, 0, 4, 1, 0, 1, 4, 3, 1, 3, 2]),
      );
    for (const [depth, expected] of [
      [0.7, 1],
      [0.45, 0],
    ] as const) {
      const slab = joined(boxBetween([-1, -1, 0.5], [2, 2, 0.8]), boxBetween([-1, -1, 0], [-0.5, 2, 0.5]));
      const answer = await sceneOf(tip(depth), slab).sampledInterferences({ method, resolution });
      expect(answer.length, `tip at ${depth}`).toBe(expected);
    }
  });
  test('rays along edges and within faces (#2)', async () => {
    // A prism whose sides all lie along the rays, one of its edges on a ray, right through a slab: no corner in it.
    const prism = (x: number) =>
      shapes.extrude({
        outline: [
          [xs[2] + x, ys[2]],
          [xs[5] + x, ys[2]],
          [xs[5] + x, ys[5]],
          [xs[2] + x, ys[5]],
        ],
        from: -1,
        to: 2,
      });
    const slab = boxBetween([0, 0, 0.3], [1, 1, 0.7]);
    const through = await sceneOf(prism(0), slab).sampledInterferences({ method, ask: 'edges', resolution });
    expect(through.length).toBe(1);
    expect(new Set(through.edgesOf(through.pairs[0])!.body)).toContain(0);
    const beside = await sceneOf(prism(1), slab).sampledInterferences({ method, resolution });
    expect(beside.length).toBe(0);
  });
  test('subdividing triangles changes nothing', async () => {
    const parts = [boxBetween([0, 0, 0], [1, 1, 1]), boxBetween([0.25, 0.25, 0.5], [1.5, 0.75, 2])];
    const whole = await sceneOf(...parts).sampledInterferences({ method, resolution: 16 });
    const cut = await sceneOf(...parts.map(part => subdivided(subdivided(part)))).sampledInterferences({
      method,
      resolution: 16,
    });
    expect([whole.length, cut.length]).toEqual([1, 1]);
    expect(cut.raycast.fragments).toBe(whole.raycast.fragments);
    expect(cut.mayMissBelow).toBeCloseTo(whole.mayMissBelow, 4);
  });
});
