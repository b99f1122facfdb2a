// The raycast method against exact relations: the interferences it finds, the edges it names, and the bodies it refuses
// (Knott, chapter 4).

import { type Body, type Mesh, mesh, type RaycastFound, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { holdToBounds } from '../spec/sampled/bounds.ts';
import { boxBetween, comb, joined, solidParts, star } from '../spec/sampled/solids.ts';
import { kinds, type Part, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
/** Answers are compared with exact ones, from other algorithms, on the CPU. */
const both = openBoth();

const countings = ['lists', 'stencil', 'queries'] as const;
const resolution = 64;
const method = 'raycast';
const indices = (bodies: readonly Body[]) => bodies.map(({ index }) => index);

type Given = readonly [Mesh, (readonly number[])?];

function sceneOf(...parts: readonly Given[]) {
  const scene = both.gpu.scene();
  for (const [part, pose] of parts) scene.add(part, pose ? { pose } : {});
  return scene;
}

/** Scenes in which it is obvious whether something interferes, and deeply if it does. */
const plain: Record<string, { parts: () => Given[]; meets: boolean }> = {
  'boxes that cross': {
    parts: () => [[shapes.box()], [shapes.box(), translation(0.3, 0.2, 0.4)]],
    meets: true,
  },
  'boxes apart whose balls would meet': {
    parts: () => [[star(4, 0.2)], [star(4, 0.2), translation(1.2, 1.2, 0.1)]],
    meets: false,
  },
  'a star in a star': {
    parts: () => [[star(5, 0.4)], [star(7, 0.3), translation(0.2, 0.1, 0.1)]],
    meets: true,
  },
  'teeth between teeth': {
    parts: () => [[comb(4, 3)], [comb(4, 3), [-1, 0, 0, 0, 0, -1, 0, 0, 0, 0, 1, 0, 6 + 1.5, 3.2, 0, 1]]],
    meets: true,
  },
  'a ball in a ring': {
    parts: () => [
      [shapes.torus({ majorRadius: 1, minorRadius: 0.3, majorSegments: 16, minorSegments: 8 })],
      [shapes.icosphere({ radius: 0.5, frequency: 3 })],
    ],
    meets: false,
  },
  'a box within a box': {
    parts: () => [
      [shapes.box({ size: [4, 4, 4] })],
      [shapes.box({ size: [1, 1, 1], center: [0.5, 0.4, 0.3] })],
    ],
    meets: true,
  },
};

describe('any: Algorithm 1 (KR1)', () => {
  for (const counting of countings) {
    for (const [name, { parts, meets }] of Object.entries(plain)) {
      test(`${name}, ${counting}`, async () => {
        const scene = sceneOf(...parts());
        const answer = await scene.sampledInterferences({ method, ask: 'any', counting, resolution });
        expect(answer.any).toBe(meets);
        expect(answer.method).toBe('raycast');
        expect(answer.backend).toBe('gpu');
        expect(answer.stats.dispatches).toBeGreaterThan(0);
        if (counting === 'lists') expect(answer.complete).toBe(true);
        // If edges are drawn, the answer is certain only about what it found.
        else expect(answer.complete).toBe(meets);
      });
    }
  }

  test('equal bodies interfere, although no edge lies in the other', async () => {
    const scene = sceneOf([shapes.box()], [shapes.box()]);
    const answer = await scene.sampledInterferences({ method, resolution });
    expect([...answer].map(({ relation }) => relation)).toEqual(['coincident']);
    expect(answer.complete).toBe(true);
  });

  test('nothing interferes with a mesh without triangles, or if no boxes meet', async () => {
    const empty = mesh(new Float64Array(0), new Uint32Array(0));
    const scene = sceneOf([empty], [shapes.box()], [shapes.box(), translation(5, 0, 0)]);
    for (const counting of countings) {
      const answer = await scene.sampledInterferences({ method, ask: 'any', counting, resolution });
      expect(answer).toMatchObject({ any: false, complete: true, mayMissBelow: 0, mayReportWithin: 0 });
    }
  });
});

/** Asks with lists, and checks what was and was not found against the bounds of the answer. */
async function heldToBounds(parts: readonly Part[], random: shapes.Random, views: 1 | 2 | 3, about: string) {
  const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
  for (const { mesh: part, pose } of parts) {
    scene.add(part, { pose });
    oracle.add(part, { pose });
  }
  const answer = await scene.sampledInterferences({ method, resolution, views });
  holdToBounds(oracle, answer, random, about);
  return { scene, oracle, answer };
}

describe('all scenes: solids are within the bounds, soups are refused by name', () => {
  for (const { name, parts } of kinds(16)) {
    test(name, async () => {
      for (let seed = 1; seed <= (slow ? 20 : 2); seed++) {
        const random = shapes.createRandom(seed);
        const given = parts(random);
        if (given.every(part => part.mesh.solid)) {
          const { scene, oracle } = await heldToBounds(given, random, 1, `${name}, seed ${seed}`);
          scene.close();
          oracle.close();
          continue;
        }
        const scene = sceneOf(...given.map(({ mesh: part, pose }): Given => [part, pose]));
        if (scene.candidates().length === 0) continue;
        await expect(scene.sampledInterferences({ method, resolution })).rejects.toMatchObject({
          code: 'not-solid',
          message: expect.stringContaining('body '),
        });
      }
    });
  }
});

describe('random solids against exact relations (KR1, KR3)', () => {
  const seeds = Array.from({ length: slow ? 40 : 4 }, (_, i) => 100 + i);
  test.each(seeds)('seed %i', async seed => {
    const random = shapes.createRandom(seed);
    const views = (1 + random.integer(3)) as 1 | 2 | 3;
    const parts = solidParts(random, 2 + random.integer(slow ? 11 : 4), 1);
    const { scene, oracle, answer } = await heldToBounds(parts, random, views, `seed ${seed}`);
    const both = await scene.sampledInterferences({ method, ask: 'both', resolution, views });
    const named = new Set(answer.pairs.flatMap(({ a, b }) => [a.index, b.index]));
    expect(new Set(indices([...both.penetrating, ...both.penetrated]))).toEqual(named);
    // The drawn forms report nothing farther apart than they say, and no body without a neighbour that near.
    for (const counting of ['stencil', 'queries'] as const) {
      const drawn = await scene.sampledInterferences({ method, ask: 'both', counting, resolution, views });
      const near = oracle.withinSync(drawn.mayReportWithin * 1.0001);
      const nearby = new Set([...near].flatMap(({ a, b }) => [a.index, b.index]));
      for (const index of indices([...drawn.penetrating, ...drawn.penetrated])) {
        expect(nearby, `seed ${seed}: ${counting} names ${index}`).toContain(index);
      }
      expect(drawn.notClosed).toEqual([]);
    }
    scene.close();
    oracle.close();
  });
});

test('edges moved outward do not meet their own body; otherwise they do (KR2), and are not reported (KR5)', async () => {
  // A ring around a ball: the view holds the whole ball, and nothing interferes.
  const parts: Given[] = [
    [shapes.icosphere({ frequency: 4 })],
    [shapes.torus({ majorRadius: 1.7, minorRadius: 0.3, majorSegments: 16, minorSegments: 8 })],
  ];
  const ask = { method, ask: 'any', counting: 'stencil', resolution } as const;
  const usual = await sceneOf(...parts).sampledInterferences(ask);
  expect(usual.raycast.edgeFragments).toBeGreaterThan(50);
  expect(usual.raycast.selfHits).toBe(0);
  const inPlace = await sceneOf(...parts).sampledInterferences({ ...ask, offset: 0 });
  expect(inPlace.raycast.selfHits).toBeGreaterThan(0);
  expect([usual.any, inPlace.any]).toEqual([false, false]);
  // Those that count only other bodies' faces before an edge have nothing to subtract.
  for (const counting of ['queries', 'pixels'] as const) {
    const { any, raycast } = await sceneOf(...parts).sampledInterferences({ ...ask, counting, offset: 0 });
    expect([any, raycast.selfHits, raycast.inSeveral], counting).toEqual([false, undefined, undefined]);
  }
});

describe('gives whose edges lie in which body (KR3)', () => {
  // 1 pierces 0; 3 lies in 2; 4 is near 2 and meets nothing.
  const five = () =>
    sceneOf(
      [boxBetween([0, 0, 0], [2, 2, 2])],
      [boxBetween([0.3, 1, -1], [0.5, 1.3, 3])],
      [boxBetween([4, 0, 0], [6, 2, 2])],
      [boxBetween([4.5, 0.5, 0.5], [5.3, 1.3, 1.5])],
      [boxBetween([3, 0, 0], [3.8, 2, 2])],
    );
  test.each(countings)('%s', async counting => {
    const scene = five();
    const penetrating = await scene.sampledInterferences({
      method,
      ask: 'penetrating',
      counting,
      resolution,
    });
    const both = await scene.sampledInterferences({ method, ask: 'both', counting, resolution });
    expect([indices(penetrating.penetrating), penetrating.penetrated]).toEqual([[1, 3], []]);
    expect([indices(both.penetrating), indices(both.penetrated)]).toEqual([
      [1, 3],
      [0, 2],
    ]);
  });
  test.each(['lists', 'stencil'] as const)('pairs, %s', async counting => {
    const answer = await five().sampledInterferences({ method, counting, resolution });
    expect([...answer].map(({ a, b, relation }) => `${a.index} ${relation} ${b.index}`)).toEqual([
      '0 crossing 1',
      '2 contains 3',
    ]);
  });
  test('lists give all pairs of an edge in several bodies; drawn, one per pixel and not complete', async () => {
    const scene = sceneOf(
      [boxBetween([0, 0, 0], [4, 4, 4])],
      [boxBetween([0.5, 0.5, 0.5], [3.5, 3.5, 3.5])],
      [boxBetween([1, 1, 1], [3, 3, 3])],
    );
    const lists = await scene.sampledInterferences({ method, resolution });
    expect(lists.indices).toEqual(Uint32Array.from([0, 1, 0, 2, 1, 2]));
    const drawn = await scene.sampledInterferences({ method, counting: 'stencil', resolution });
    expect(drawn.raycast.inSeveral).toBeGreaterThan(0);
    expect(drawn.complete).toBe(false);
  });
  test.runIf(slow)('more bodies than a set has queries', async () => {
    const scene = both.gpu.scene();
    const part = shapes.box({ size: [1.8, 1.8, 8] });
    const side = 65;
    for (let i = 0; i < side * side; i++) {
      scene.add(part, { pose: translation(i % side, Math.floor(i / side), 2 * (i % 4)) });
    }
    const ask = { method, ask: 'penetrating', resolution: 256 } as const;
    const drawn = await scene.sampledInterferences({ ...ask, counting: 'stencil' });
    const asked = await scene.sampledInterferences({ ...ask, counting: 'queries' });
    expect(scene.bodies.length).toBeGreaterThan(4096);
    expect(indices(asked.penetrating)).toEqual(indices(drawn.penetrating));
    expect(indices(asked.penetrating).filter(index => index >= 4096).length).toBeGreaterThan(50);
    scene.close();
  });
  test('ends early if nothing is enclosed, or if one interference is enough', async () => {
    const dispatches = async (x: number, counting: 'stencil' | 'queries') => {
      const scene = sceneOf([star(4, 0.2)], [star(4, 0.2), translation(x, x, 0.1)]);
      const { stats, raycast } = await scene.sampledInterferences({
        method,
        ask: 'both',
        counting,
        resolution,
      });
      return [stats.dispatches, raycast.early] as const;
    };
    for (const counting of ['stencil', 'queries'] as const) {
      const [full, fullEarly] = await dispatches(0.2, counting);
      const [nothing, early] = await dispatches(1.2, counting);
      expect(nothing).toBeLessThan(full);
      expect([fullEarly, early]).toEqual([false, true]);
    }
    // A hundred pairs; the one with the largest overlap of boxes is examined first.
    const scene = both.gpu.scene();
    for (let i = 0; i < 100; i++) {
      scene.add(star(4, 0.2), { pose: translation(10 * i, 0, 0) });
      const by = i === 70 ? 0.1 : 1.2;
      scene.add(star(4, 0.2), { pose: translation(10 * i + by, by, 0.1) });
    }
    const all = await scene.sampledInterferences({ method, resolution: 128 });
    const any = await scene.sampledInterferences({ method, ask: 'any', resolution: 128 });
    expect([all.length, any.any, any.raycast.early]).toEqual([1, true, true]);
    expect(any.stats.triangleTests).toBeLessThan(all.stats.triangleTests);
  });
});

describe('gives which edges, and where (KR4)', () => {
  const outer = boxBetween([-2, -2, -2], [2, 2, 2]);
  const inner = boxBetween([-0.5, -0.4, -0.3], [0.6, 0.7, 0.8]);
  const distanceToEdge = (part: Mesh, edge: number, point: ArrayLike<number>) => {
    const [p, q] = [0, 1].map(end => {
      const at = 3 * part.edges.vertices[2 * edge + end];
      return Array.from(part.positions.slice(at, at + 3));
    });
    const run = q.map((value, i) => value - p[i]);
    const length = run.reduce((sum, value) => sum + value * value, 0);
    const along = run.reduce((sum, value, i) => sum + value * (point[i] - p[i]), 0) / length;
    const share = Math.min(1, Math.max(0, along));
    return Math.hypot(...p.map((value, i) => value + share * run[i] - point[i]));
  };
  test.each(['lists', 'stencil'] as const)('every edge of a box within another, %s', async counting => {
    const scene = sceneOf([outer], [inner]);
    const answer = await scene.sampledInterferences({ method, ask: 'edges', counting, resolution });
    const hits = answer.edgesOf(answer.pairs[0])!;
    expect(new Set(hits.body)).toEqual(new Set([1]));
    const found = new Set(hits.edge);
    if (counting === 'lists') expect(found).toEqual(new Set(Array(inner.edges.count).keys()));
    else expect(found.size).toBeGreaterThan(4);
    const slack = counting === 'lists' ? 1e-6 : answer.mayReportWithin;
    hits.edge.forEach((edge, i) => {
      const point = hits.points.subarray(3 * i, 3 * i + 3);
      expect(distanceToEdge(inner, edge, point)).toBeLessThan(slack);
    });
  });
  test('gives the inner part of an edge that pierces', async () => {
    const scene = sceneOf([outer], [boxBetween([-0.5, -0.5, -5], [0.5, 0.5, 5])]);
    const answer = await scene.sampledInterferences({ method, ask: 'edges', resolution });
    const [pair] = answer.pairs;
    const { points, body } = answer.edgesOf(pair)!;
    expect(body).toContain(1);
    const oracle = both.cpu.scene();
    const box = oracle.add(outer);
    const places = oracle.insideSync(box, points);
    const { distances } = oracle.closestSync(box, points);
    const pixel = answer.raycast.pixel;
    places.forEach((place, i) => {
      if (place === 0) expect(distances[i]).toBeLessThan(1.5 * pixel);
    });
    const depths = Array.from({ length: points.length / 3 }, (_, i) => points[3 * i + 2]);
    expect(Math.min(...depths)).toBeGreaterThan(-2 - 1.5 * pixel);
    expect(Math.max(...depths)).toBeLessThan(2 + 1.5 * pixel);
  });
  test('edges keep their numbers while a body deforms, even after its leaves are sorted again', async () => {
    const part = shapes.icosphere({ radius: 0.5, frequency: 2 });
    const scene = both.gpu.scene();
    scene.add(shapes.box({ size: [4, 4, 4] }));
    const ball = scene.add(part);
    for (let step = 0; step < 33; step++) {
      const moved = part.positions.map((x, i) => x * (i % 3 === step % 3 ? 1 + 0.02 * step : 1));
      ball.deform(moved);
      if (step % 8 !== 0) {
        await scene.sampledInterferences({ method, ask: 'any', resolution: 4 });
        continue;
      }
      const answer = await scene.sampledInterferences({ method, ask: 'edges', resolution });
      const { edge, points } = answer.edgesOf(answer.pairs[0])!;
      const deformed = mesh(moved, part.indices);
      expect(new Set(edge).size).toBe(part.edges.count);
      edge.forEach((number, i) => {
        const at = points.subarray(3 * i, 3 * i + 3);
        expect(distanceToEdge(deformed, number, at), `step ${step}`).toBeLessThan(1e-6);
      });
    }
  });
});

describe('meshes that are not closed (KR5)', () => {
  /** A box without the side that faces the viewer along +z. */
  const openBox = (() => {
    const { positions, indices: all } = boxBetween([-1, -1, 0], [1, 1, 0.5]);
    const kept = Array.from({ length: 12 }, (_, t) => [...all.subarray(3 * t, 3 * t + 3)]).filter(
      corners => !corners.every(v => positions[3 * v + 2] === 0),
    );
    return mesh(positions as Float64Array, Uint32Array.from(kept.flat()));
  })();
  // A plate in its opening, and two boxes behind it that are seen through it.
  const scene = () =>
    sceneOf(
      [boxBetween([-1, -1, -0.1], [1, 1, 0.1])],
      [openBox],
      [boxBetween([-0.6, -0.6, 0.8], [0.6, 0.6, 1.2])],
      [boxBetween([-0.5, -0.5, 1.1], [0.5, 0.5, 1.5])],
    );
  test('names a body that is left more often than entered', async () => {
    const ask = { method, ask: 'any', counting: 'stencil', resolution, allowOpen: true } as const;
    const answer = await scene().sampledInterferences(ask);
    expect(indices(answer.notClosed)).toEqual([1]);
    expect([answer.complete, answer.mayReportWithin]).toEqual([false, Infinity]);
  });
  test.each(countings)('%s refuse it by its name', async counting => {
    const ask = { method, ask: 'both', counting, resolution } as const;
    await expect(scene().sampledInterferences(ask)).rejects.toMatchObject({
      code: 'not-solid',
      message: expect.stringContaining('body 1 is open'),
    });
  });
  test('a solid that overlaps itself is not a pair with itself, and points it winds around twice are inside', async () => {
    const folded = joined(boxBetween([0, 0, 0], [2, 2, 2]), boxBetween([1, 1, 1], [3, 3, 3]));
    const answer = await sceneOf(
      [folded],
      [boxBetween([1.4, 1.4, 1.4], [1.6, 1.6, 1.6])],
    ).sampledInterferences({
      method,
      resolution,
    });
    expect(answer.indices).toEqual(Uint32Array.from([0, 1]));
    const apart: RaycastFound = await sceneOf(
      [folded],
      [boxBetween([2.2, 0, 0], [2.8, 0.9, 0.9])],
    ).sampledInterferences({
      method,
      ask: 'any',
      resolution,
    });
    expect(apart.any).toBe(false);
  });
});
