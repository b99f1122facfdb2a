// The raycast method with so many bodies that the GPU finds and lays out the candidates itself.

import { type Body, mesh as createMesh, type RaycastInterferences, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { holdToBounds, keyOf } from '../spec/sampled/bounds.ts';
import { boxBetween, solidParts } from '../spec/sampled/solids.ts';
import { affine, type Part, translation } from '../spec/scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
/** Answers are compared with exact ones, from other algorithms, on the CPU. */
const both = openBoth();

const method = 'raycast';
const resolution = 32;

/** Only tiles laid out on the GPU have pixels of this size. */
const isPowerOfTwo = (value: number) => Number.isInteger(Math.log2(value));

function scenesOf(parts: readonly Part[]) {
  const [scene, oracle] = [both.gpu.scene(), both.cpu.scene()];
  for (const { mesh, pose } of parts) {
    scene.add(mesh, { pose });
    oracle.add(mesh, { pose });
  }
  return { scene, oracle };
}

/** Random solids of a dozen meshes: rotated, stretched, sheared and mirrored. */
function solids(random: shapes.Random, count: number, reach: number): Part[] {
  const meshes = solidParts(random, 12, 1).map(({ mesh }) => mesh);
  return Array.from({ length: count }, () => ({
    mesh: meshes[random.integer(meshes.length)],
    pose: affine(random, reach),
  }));
}

/** The parts, moved somewhere and enlarged together. */
function moved(parts: readonly Part[], size: number, by: readonly number[]): Part[] {
  return parts.map(({ mesh, pose }) => {
    const there = Array.from(pose, (value, i) => (i === 15 ? 1 : size * value));
    for (let axis = 0; axis < 3; axis++) there[12 + axis] += by[axis];
    return { mesh, pose: there };
  });
}

describe('270 solids against exact relations', () => {
  const places: [string, number, readonly number[]][] = [
    ['at the origin', 1, [0, 0, 0]],
    ['a thousandth as large', 1e-3, [0.1, -0.2, 0.3]],
    ['a million away', 1, [1e6, -1e6, 3e5]],
    ['large and on the other side', 1e5, [-3e6, -7e6, -2e6]],
  ];
  test.each(places)('%s', async (name, size, by) => {
    for (let seed = 1; seed <= (slow ? 10 : 1); seed++) {
      const random = shapes.createRandom(seed);
      const views = (1 + random.integer(3)) as 1 | 2 | 3;
      const about = `${name}, seed ${seed}, ${views} views`;
      const scenes = scenesOf(moved(solids(random, 270, 9), size, by));
      const answer = await scenes.scene.sampledInterferences({ method, resolution, views });
      expect(isPowerOfTwo(answer.raycast.pixel), about).toBe(true);
      expect(answer.raycast.directions, about).toBe(views);
      expect(answer.raycast.tiles % views, about).toBe(0);
      expect(holdToBounds(scenes.oracle, answer, random, about).size, about).toBeGreaterThan(20);
      expect(answer.length, about).toBeGreaterThan(20);
      scenes.scene.close();
      scenes.oracle.close();
    }
  });
});

describe('invariance', () => {
  const boxesApart = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      mesh: boxBetween([0, 0, 0], [1, 1, 1]),
      pose: translation(3 * (i % 10), 3 * Math.floor(i / 10), 0),
    }));

  test('to candidates found on the GPU, given to it, or few', async () => {
    const random = shapes.createRandom(7);
    const parts = solids(random, 70, 4.5);
    const { scene, oracle } = scenesOf(parts);
    // More candidates than are laid out on the CPU.
    expect(oracle.candidates().length).toBeGreaterThan(64);
    const given = await scene.sampledInterferences({ method, resolution });
    expect(isPowerOfTwo(given.raycast.pixel)).toBe(true);
    // So many bodies that candidates are found on the GPU; the new ones meet nothing.
    for (const { mesh, pose } of boxesApart(200)) {
      const there = [...pose];
      there[14] += 100;
      scene.add(mesh, { pose: there });
    }
    const found = await scene.sampledInterferences({ method, resolution });
    expect(found.raycast.pixel).toBe(given.raycast.pixel);
    const apart = (answer: RaycastInterferences) =>
      Math.max(answer.mayMissBelow, answer.mayReportWithin) / answer.raycast.pixel;
    expect(apart(found)).toBeCloseTo(apart(given), 2);
    holdToBounds(oracle, found, random, 'found');
    holdToBounds(oracle, given, random, 'given');
    // Filtered down to few, whose tiles are laid out on the CPU.
    const some = new Set(found.pairs.slice(0, 5).map(keyOf));
    const kept = await scene.sampledInterferences({
      ...{ method, resolution },
      keep: (a, b) => some.has(keyOf({ a, b })),
    });
    expect(new Set(kept.pairs.map(keyOf))).toEqual(some);
  });

  test('to asking twice, and again after bodies moved and moved back', async () => {
    const random = shapes.createRandom(11);
    const { scene } = scenesOf(
      Array.from({ length: 300 }, () => ({
        mesh: boxBetween([0, 0, 0], [1, 1, 1]),
        pose: affine(random, 6),
      })),
    );
    const poses = Float64Array.from(scene.bodies.flatMap(({ pose }) => [...pose]));
    const ask = async () => [...(await scene.sampledInterferences({ method, resolution })).indices];
    const first = await ask();
    expect(await ask()).toEqual(first);
    scene.setPoses(poses.map((value, i) => (i % 16 === 12 ? value + 50 * (i % 3) : value)));
    expect(await ask()).not.toEqual(first);
    scene.setPoses(poses);
    expect(await ask()).toEqual(first);
  });
});

describe('every question', () => {
  /** Rows of boxes. Every second box is stuck in the one before it. */
  const chain = () => {
    const scene = both.gpu.scene();
    const part = boxBetween([0, 0, 0], [1, 1, 1]);
    const small = boxBetween([0.25, 0.25, 0.25], [0.5, 0.5, 0.5]);
    for (let i = 0; i < 150; i++) {
      scene.add(part, { pose: translation(3 * (i % 12), 3 * Math.floor(i / 12), 0) });
      scene.add(small, { pose: translation(3 * (i % 12), 3 * Math.floor(i / 12), 0) });
    }
    return scene;
  };
  test('gives whose edges lie in which body; and any', async () => {
    const scene = chain();
    const both = await scene.sampledInterferences({ method, ask: 'both', resolution });
    expect(isPowerOfTwo(both.raycast.pixel)).toBe(true);
    const indices = (bodies: readonly Body[]) => bodies.map(({ index }) => index);
    expect(indices(both.penetrating)).toEqual(Array.from({ length: 150 }, (_, i) => 2 * i + 1));
    expect(indices(both.penetrated)).toEqual(Array.from({ length: 150 }, (_, i) => 2 * i));
    const any = await scene.sampledInterferences({ method, ask: 'any', resolution });
    expect([any.any, any.raycast.early, any.penetrating]).toEqual([true, true, []]);
  });
  test('gives which edges, and where, for the bodies at the time of the question', async () => {
    const scene = chain();
    const answer = await scene.sampledInterferences({ method, ask: 'edges', resolution });
    expect(answer.length).toBe(150);
    const pair = answer.pairs[77];
    scene.setPoses(Float64Array.from(scene.bodies.flatMap(() => translation(9, 9, 9))));
    const { body, edge, points } = answer.edgesOf(pair)!;
    expect(new Set(body)).toEqual(new Set([1]));
    expect(new Set(edge)).toEqual(new Set(Array(pair.b.mesh.edges.count).keys()));
    const corner = [3 * (77 % 12), 3 * Math.floor(77 / 12), 0];
    points.forEach((value, i) => {
      expect(value - corner[i % 3]).toBeGreaterThanOrEqual(0.25);
      expect(value - corner[i % 3]).toBeLessThanOrEqual(0.5);
    });
  });
  test('finds nothing if all are apart, or if only boxes meet', async () => {
    const scene = both.gpu.scene();
    const ring = shapes.torus({ majorRadius: 1, minorRadius: 0.25, majorSegments: 16, minorSegments: 8 });
    const ball = shapes.icosphere({ radius: 0.5, frequency: 2 });
    for (let i = 0; i < 260; i++) {
      scene.add(i % 2 === 0 ? ring : ball, { pose: translation(4 * Math.floor(i / 2), 0, 0) });
    }
    const answer = await scene.sampledInterferences({ method, resolution });
    expect([answer.length, answer.complete, answer.raycast.tiles]).toEqual([0, true, 130]);
    const apart = both.gpu.scene();
    for (let i = 0; i < 260; i++) apart.add(ball, { pose: translation(2 * i, 0, 0) });
    const nothing = await apart.sampledInterferences({ method, resolution });
    expect(nothing).toMatchObject({ length: 0, complete: true, mayMissBelow: 0, mayReportWithin: 0 });
    expect(nothing.raycast).toMatchObject({ tiles: 0, pixel: 0 });
  });
  test('refuses a body that is not a solid by name, only if it is in a candidate', async () => {
    const scene = chain();
    const { positions, indices } = boxBetween([0, 0, 0], [1, 1, 1]);
    const openBox = scene.add(createMesh(positions, indices.slice(3)), { pose: translation(0, 0, 50) });
    expect((await scene.sampledInterferences({ method, resolution })).length).toBe(150);
    openBox.pose = Float64Array.from(translation(0.5, 0.5, 0.5));
    await expect(scene.sampledInterferences({ method, resolution })).rejects.toMatchObject({
      code: 'not-solid',
      message: expect.stringContaining('body 300 is open'),
    });
  });
});

describe('edges between the lines', () => {
  /** A prism whose edge at x = 0 points against x. */
  const wedge = createMesh(
    Float64Array.from([0, 1].flatMap(z => [0, 0, z, 1, -1, z, 2, 0, z, 1, 1, z])),
    Uint32Array.from([
      ...[0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7],
      ...[0, 1, 5, 0, 5, 4, 1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7],
    ]),
  );
  test('finds an edge that enters by any depth, but not one that touches or stays away', async () => {
    const scene = both.gpu.scene();
    const part = boxBetween([-1, -1.25, -0.25], [0, 1.25, 1.25]);
    const depths = Array.from({ length: 150 }, (_, i) => {
      const size = 2 ** -(6 + (Math.floor(i / 3) % 30));
      return [size, 0, -size][i % 3];
    });
    depths.forEach((depth, i) => {
      const [x, y] = [5 * (i % 12), 5 * Math.floor(i / 12)];
      scene.add(part, { pose: translation(x, y, 0) });
      scene.add(wedge, { pose: translation(x - depth, y, 0) });
    });
    const answer = await scene.sampledInterferences({ method, resolution: 64 });
    expect(isPowerOfTwo(answer.raycast.pixel)).toBe(true);
    const found = new Set(answer.pairs.map(({ a }) => a.index / 2));
    depths.forEach((depth, i) => {
      expect([i, depth, found.has(i)]).toEqual([i, depth, depth > 0]);
    });
    expect(answer.raycast.byEdgesAlone).toBeGreaterThan(40);
  });
  test('the GPU’s certain results are right, however coarse the pixels', async () => {
    for (let seed = 1; seed <= (slow ? 20 : 1); seed++) {
      const random = shapes.createRandom(seed);
      const part = shapes.box();
      const { scene, oracle } = scenesOf(
        Array.from({ length: 400 }, () => ({ mesh: part, pose: affine(random, 7) })),
      );
      const exact = new Set(oracle.interferencesSync({ detail: 'any' }).pairs.map(keyOf));
      const answer = await scene.sampledInterferences({ method, resolution: 8 });
      const wrong = answer.pairs.map(keyOf).filter(key => !exact.has(key));
      expect([seed, wrong]).toEqual([seed, []]);
      expect(answer.raycast.byEdgesAlone, `seed ${seed}`).toBeGreaterThan(20);
      scene.close();
      oracle.close();
    }
  });
});

describe('lines that single precision cannot decide', () => {
  test('edges along lines are cast exactly, at the GPU’s own places', async () => {
    const sized = await chainOf(0.5, 0).sampledInterferences({ method, resolution });
    const { pixel } = sized.raycast;
    // Faces that lines of the lattice run along (lattice.wgsl: middles are at 1/2 + 391/1024 and 1/2 + 242/1024 of a
    // pixel).
    const along = (0.5 + 391 / 1024) * pixel;
    const answer = await chainOf(0.5, along).sampledInterferences({ method, resolution });
    expect(answer.raycast.pixel).toBe(pixel);
    expect(answer.stats.unsure).toBeGreaterThan(100);
    expect(answer.length).toBe(150);
    // Repeats this with boxes that only touch.
    const touching = await chainOf(1, along).sampledInterferences({ method, resolution });
    expect(touching.stats.unsure).toBeGreaterThan(100);
    expect(touching.raycast.recast).toBeGreaterThan(0);
    expect(touching.length).toBe(0);
  });
  test('beside a body 10^8 times as large, tiles are laid out one by one', async () => {
    const scene = chainOf(0.5, 0);
    const size = 1e8;
    scene.add(boxBetween([-size, -size, -2 * size], [size, size, 0.25]));
    const answer = await scene.sampledInterferences({ method, resolution: 16 });
    expect(isPowerOfTwo(answer.raycast.pixel)).toBe(false);
    expect(answer.length).toBeGreaterThan(290);
  });

  /** 150 pairs of boxes. The second of each is shifted by a share of its width, then all are moved. */
  function chainOf(share: number, by: number) {
    const scene = both.gpu.scene();
    const part = boxBetween([0, 0, 0], [1, 1, 1]);
    for (let i = 0; i < 300; i++) {
      const [column, row] = [Math.floor(i / 2) % 12, Math.floor(i / 24)];
      scene.add(part, { pose: translation(4 * column + by + (i % 2) * share, 4 * row + by, by) });
    }
    return scene;
  }
});
