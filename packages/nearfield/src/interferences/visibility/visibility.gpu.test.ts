import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { mesh } from '../../mesh/mesh.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { box, createRandom, icosphere } from '../../shapes/index.ts';
import { interfere } from '../driver.ts';
import { exactPairs, expectSound, keysOf, place, poseOf, rotation } from '../hierarchy/gpu/test-answers.ts';
import type { VisibilityOptions, VisibilityStats } from './options.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const slow = process.env.NEARFIELD_SLOW !== undefined;
let random = createRandom(1);
const between = (low: number, high: number) => random.between(low, high);
const whole = (count: number) => random.integer(count);
const someRotation = () => rotation(between(0, 6), [between(-1, 1), between(-1, 1), between(0.1, 1)]);
const unit = rotation(0, [0, 0, 1]);

/** Triangles of about one size, anywhere in a unit cube. */
function soup(count: number, size = 0.3) {
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const centre = [between(-0.5, 0.5), between(-0.5, 0.5), between(-0.5, 0.5)];
    for (let k = 0; k < 9; k++) positions[9 * i + k] = centre[k % 3] + size * between(-0.5, 0.5);
  }
  return mesh(positions);
}
/** Corners on a small integer grid, so that most pairs touch, are coplanar, edge-on or degenerate. */
const gridSoup = (count: number, side: number) =>
  mesh(Float64Array.from({ length: 9 * count }, () => whole(side)));

const scenes: Record<string, () => Placed[]> = {
  'small triangles': () => [place(soup(60, 0.1)), place(soup(60, 0.1), poseOf(someRotation(), 0.1))],
  'large and small': () => [place(soup(6, 2)), place(soup(40, 0.05), poseOf(someRotation()))],
  'a grid of 3': () => [place(gridSoup(20, 3)), place(gridSoup(20, 3), poseOf(unit, whole(3), whole(3), 0))],
  'a grid of 8': () => [place(gridSoup(20, 8)), place(gridSoup(20, 8), poseOf(unit, whole(2), whole(2), 0))],
  'boxes on one another': () =>
    Array.from({ length: 6 }, () => place(box(), poseOf(unit, whole(3), whole(3), whole(3)))),
  'turned boxes': () =>
    Array.from({ length: 6 }, () =>
      place(box(), poseOf(someRotation(), between(0, 2), between(0, 2), between(0, 2))),
    ),
  'far from the origin': () => [
    place(soup(40, 0.2), poseOf(someRotation(), 1e6, 2e6, -3e6)),
    place(soup(40, 0.2), poseOf(someRotation(), 1e6, 2e6, -3e6)),
  ],
  'far beyond single precision': () => [
    place(soup(20, 0.2), poseOf(someRotation(), 1e17, 2e17, -3e17)),
    place(soup(20, 0.2), poseOf(someRotation(), 1e17, 2e17, -3e17)),
  ],
  'very different in size': () => [
    place(soup(30, 0.2)),
    place(
      soup(30, 0.2),
      poseOf(
        unit.map(row => row.map(x => 1e-7 * x)),
        between(-0.3, 0.3),
        0,
        0,
      ),
    ),
  ],
  // Triangles that reach beyond the window, by some images up to thousands.
  'far larger than their intersection': () => [
    place(soup(8, 30)),
    place(soup(4, 3000)),
    place(soup(30, 0.05), poseOf(someRotation())),
  ],
  'more different in size than single precision can hold': () => [
    place(soup(12, 0.2), poseOf(unit.map(row => row.map(x => 1e20 * x)))),
    place(soup(12, 0.2)),
    place(soup(12, 0.2), poseOf(someRotation(), 0.1)),
  ],
  flattened: () => [
    place(
      soup(30, 0.3),
      poseOf([
        [1, 0, 0],
        [0, 1, 0],
        [0, 0, 0],
      ]),
    ),
    place(
      soup(30, 0.3),
      poseOf([
        [1, 2, 0],
        [0, 1, 0],
        [0, 0, 0],
      ]),
    ),
  ],
};

for (const [name, parts] of Object.entries(scenes)) {
  test(`loses no pair: ${name}`, { timeout: 300_000 }, async () => {
    const seeds = slow ? 60 : 1;
    for (let seed = 1; seed <= seeds; seed++) {
      random = createRandom(1000 * seed);
      const bodies = parts();
      const exact = exactPairs(bodies);
      for (const visibility of [
        { resolution: 64 },
        { resolution: 7, views: 1 },
        { resolution: 100, views: 2 },
        { resolution: 30, survivors: 'sweep', stages: 'published' },
      ] satisfies VisibilityOptions[]) {
        const answer = await interfere(engine, bodies, { detail: 'list', visibility });
        expectSound(answer, exact, `${name}, seed ${seed}, ${JSON.stringify(visibility)}`);
        expect(answer.stats.visibility!.resolution).toBe(visibility.resolution);
      }
    }
  });
}

test('one sample per pixel misses pairs that touched pixels keep', async () => {
  // Triangles of size 1/50, far apart: at 16 pixels most lie between the centres. Each meets its slightly bent double.
  random = createRandom(5);
  const first = soup(40, 0.02);
  const second = mesh(first.positions.map(x => x + between(-2e-3, 2e-3)));
  const bodies = [place(first), place(second)];
  const exact = exactPairs(bodies);
  expect(exact.size).toBeGreaterThan(20);
  const ask = (culling: 'reliable' | 'may-miss', queries?: 'owners' | 'occlusion') =>
    interfere(engine, bodies, { detail: 'list', visibility: { resolution: 16, culling, queries } });
  const reliable = await ask('reliable');
  expectSound(reliable, exact, 'reliable');
  // Both bodies lie around one origin. The scene's frame once had size 0 then, and nothing was rastered.
  expect(reliable.stats.visibility!.fragments).toBeGreaterThan(0);
  for (const queries of ['owners', 'occlusion'] as const) {
    const plain = await ask('may-miss', queries);
    const found = new Set([...keysOf(plain, plain.certain), ...keysOf(plain, plain.unsure)]);
    const missed = [...exact].filter(key => !found.has(key));
    expect(missed.length, queries).toBeGreaterThan(exact.size / 2);
  }
});

test("CULLIDE's queries of the triangles themselves find about what samples by owners find", async () => {
  const sphere = icosphere({ frequency: 2 });
  const shifts = [[0, 0, 0] as const, [0.9, 0.4, 0.2] as const, [6, 0, 0] as const];
  const bodies = shifts.map(shift => place(sphere, poseOf(unit, ...shift)));
  const exact = exactPairs(bodies);
  for (const stages of ['boxes-first', 'published'] as const) {
    const found: number[] = [];
    for (const queries of ['owners', 'occlusion'] as const) {
      const visibility = { resolution: 96, culling: 'may-miss', queries, stages } as const;
      const answer = await interfere(engine, bodies, { detail: 'list', visibility });
      const keys = new Set([...keysOf(answer, answer.certain), ...keysOf(answer, answer.unsure)]);
      found.push([...exact].filter(key => keys.has(key)).length);
      expect(answer.stats.visibility!.triangles.kept, `${queries}, ${stages}`).toBeLessThan(320);
    }
    // 13 of 38 pairs: the rest have a triangle of which no sample lies behind the other sphere in some view. Rasterisers
    // may move corners, so a few may differ.
    expect(found[0], stages).toBeGreaterThan(exact.size / 5);
    expect(Math.abs(found[1] - found[0]), stages).toBeLessThanOrEqual(4);
  }
});

test('culls bodies that a view sees clear of each other', async () => {
  // Two parallel, slanted plates. Their boxes meet, and they overlap in two of the three views, but they do not touch.
  const plate = box({ size: [2, 2, 0.02] });
  const turned = rotation(0.7, [1, 0, 0]);
  const bodies = [place(plate, poseOf(turned)), place(plate, poseOf(turned, 0, 0, 0.3))];
  const { stats, certain, unsure } = await interfere(engine, bodies, {
    detail: 'list',
    visibility: { resolution: 64 },
  });
  expect(certain.length + unsure.length).toBe(0);
  expect(stats.visibility).toMatchObject({
    bodies: { boxesMeet: 2, kept: 0 },
    triangles: { all: 24, kept: 0 },
    pairsKept: 0,
  });
  expect(stats.visibility!.fragments).toBeGreaterThan(1000);
});

test('keeps few of the triangles of spheres that overlap a little', async () => {
  const sphere = icosphere({ frequency: 10 });
  const bodies = [place(sphere), place(sphere, poseOf(unit, 1.2, 1.1, 0.9))];
  const exact = exactPairs(bodies);
  expect(exact.size).toBeGreaterThan(20);
  const kept: number[] = [];
  for (const resolution of [32, 128]) {
    const answer = await interfere(engine, bodies, { detail: 'list', visibility: { resolution } });
    expectSound(answer, exact, `resolution ${resolution}`);
    const { triangles, pairsKept } = answer.stats.visibility!;
    expect(pairsKept).toBe(1);
    expect(triangles.all).toBe(4000);
    kept.push(triangles.kept);
  }
  // About 60 triangles of each meet the other. Keeping all would be 4,000; keeping all in the common box, about 600.
  expect(kept[0]).toBeLessThan(500);
  expect(kept[1]).toBeLessThan(300);
  expect(kept[1]).toBeLessThanOrEqual(kept[0]);
});

test('lists that overflow grow, and the answer is the same', async () => {
  random = createRandom(9);
  const small = await createGpuEngine({
    device: (await testDevice()).device,
    settings: {
      room: { candidates: 1, leafPairs: 1, certain: 1, unsure: 1, nodePairs: 1 },
      visibilityRoom: { fragments: 1, longRows: 1 },
    },
  });
  const bodies = [place(soup(30, 0.4)), place(soup(30, 0.4)), place(soup(4, 3))];
  const answer = await interfere(small, bodies, { detail: 'list', visibility: { resolution: 64 } });
  expect(answer.stats.growths).toBeGreaterThan(0);
  expectSound(answer, exactPairs(bodies), 'grown');
  small.close();
});

test('images too large for the device are made coarser, and the answer says so', {
  timeout: 300_000,
}, async () => {
  // Small triangles far apart leave most of the image empty.
  random = createRandom(6);
  const first = soup(40, 0.01);
  const bodies = [place(first), place(mesh(first.positions.map(x => x + between(-1e-3, 1e-3))))];
  const exact = exactPairs(bodies);
  expect(exact.size).toBeGreaterThan(0);
  const visibility = { resolution: 8192, views: slow ? 3 : 1 } as const;
  const answer = await interfere(engine, bodies, { detail: 'list', visibility });
  expectSound(answer, exact, '8192');
  const { resolution } = answer.stats.visibility!;
  expect(resolution).toBeGreaterThanOrEqual(512);
  if (engine.software) expect(resolution).toBeLessThan(8192);
});

test('slanted needles touch few pixels of their bounding rectangles in a fine image, and no pair is lost', {
  timeout: 300_000,
}, async () => {
  const needle = box({ size: [1, 0.002, 0.002] });
  const bodies = [
    place(needle, poseOf(rotation(0.6, [0, 1, 1]))),
    place(needle, poseOf(rotation(-0.7, [1, 0.2, 1]), 0.001)),
  ];
  const exact = exactPairs(bodies);
  expect(exact.size).toBeGreaterThan(0);
  const resolution = slow ? 1000 : 300;
  const answer = await interfere(engine, bodies, { detail: 'list', visibility: { resolution } });
  expectSound(answer, exact, 'needles');
  expect(answer.stats.visibility!.resolution).toBe(resolution);
});

test('images with too many fragments are made coarser, and lose no pair', async () => {
  const { device } = await testDevice();
  const fitted = await createGpuEngine({
    device,
    settings: { visibilityRoom: { fragments: 100, longRows: 10, mostFragments: 6000 } },
  });
  for (const name of ['turned boxes', 'a grid of 3', 'large and small']) {
    random = createRandom(31);
    const bodies = scenes[name]();
    const exact = exactPairs(bodies);
    for (const offset of ['triangles', 'boxes'] as const) {
      const visibility = { resolution: 128, offset };
      const answer = await interfere(fitted, bodies, { detail: 'list', visibility });
      expectSound(answer, exact, `${name}, ${offset}`);
      const { resolution, fragments } = answer.stats.visibility!;
      expect(resolution, `${name}, ${offset}`).toBeLessThan(128);
      // There are two looks, each below the limit.
      expect(fragments, `${name}, ${offset}`).toBeLessThan(2 * 6000);
    }
  }
  fitted.close();
});

test('given candidates, counts, and the first pair only', async () => {
  random = createRandom(13);
  const bodies = [0, 1, 2, 3].map(() => place(soup(30, 0.3), poseOf(unit, between(0, 0.4), 0, 0)));
  const candidates = new Uint32Array([0, 2, 1, 3]);
  const visibility = { resolution: 64 };
  const wanted = new Set([...exactPairs(bodies)].filter(key => /^(0 2|1 3) /.test(key)));
  const list = await interfere(engine, bodies, { detail: 'list', visibility, candidates });
  expectSound(list, wanted, 'given');
  const count = await interfere(engine, bodies, { detail: 'count', visibility, candidates });
  const certain = [0, 1].map(c => list.certain.filter((value, i) => i % 3 === 0 && value === c).length);
  expect([...count.counts!]).toEqual(certain);
  const any = await interfere(engine, bodies, { detail: 'any', visibility, candidates });
  const withCertain = new Set([0, 1].filter(c => certain[c] > 0));
  expect(new Set(any.certain.filter((_, i) => i % 3 === 0))).toEqual(withCertain);
  expect(withCertain.size).toBeGreaterThan(0);
});

test('an empty scene, and bodies without triangles', async () => {
  const empty = mesh(new Float64Array(0));
  for (const bodies of [[], [place(box())], [place(empty), place(box()), place(empty)]]) {
    const { certain, unsure } = await interfere(engine, bodies, { detail: 'list', visibility: {} });
    expect(certain.length + unsure.length).toBe(0);
  }
  const between = [place(empty), place(box()), place(empty), place(box(), poseOf(unit, 0.5, 0.25, 0.125))];
  expectSound(
    await interfere(engine, between, { detail: 'list', visibility: {} }),
    exactPairs(between),
    'with empty bodies',
  );
});

test('boxes by flags keep what occlusion queries keep and hardly more, and neither loses a pair', {
  timeout: 300_000,
}, async () => {
  const some = ['small triangles', 'a grid of 3', 'boxes on one another', 'turned boxes', 'flattened'];
  const far = ['very different in size', 'far from the origin', 'far larger than their intersection'];
  for (const [i, name] of [...some, ...far].entries()) {
    for (let seed = 1; seed <= (slow ? 30 : 1); seed++) {
      random = createRandom(77 * seed);
      const bodies = scenes[name]();
      const exact = exactPairs(bodies);
      const ask = async (queries: 'owners' | 'occlusion', resolution: number) => {
        const visibility = { offset: 'boxes', queries, resolution } as const;
        const answer = await interfere(engine, bodies, { detail: 'list', visibility });
        expectSound(answer, exact, `${name}, seed ${seed}, ${queries} at ${resolution}`);
        return answer.stats.visibility!;
      };
      // The usual suite alternates: one scene coarse, the next one fine.
      for (const resolution of slow ? [16, 64] : [[16, 64][i % 2]]) {
        expectHardlyMore(await ask('owners', resolution), await ask('occlusion', resolution), name);
      }
    }
  }
});

test('boxes keep few of the triangles of spheres, and more queries than a set holds take several sets', async () => {
  const sphere = icosphere({ frequency: 11 });
  const bodies = [place(sphere), place(sphere, poseOf(unit, 1.2, 1.1, 0.9))];
  const exact = exactPairs(bodies);
  const ask = async (queries: 'owners' | 'occlusion') => {
    const visibility = { offset: 'boxes', queries, resolution: 128, views: slow ? 3 : 1 } as const;
    const answer = await interfere(engine, bodies, { detail: 'list', visibility });
    expectSound(answer, exact, queries);
    return answer.stats.visibility!.triangles;
  };
  const occlusion = await ask('occlusion');
  expect(occlusion.all).toBeGreaterThan(4096);
  expect(occlusion.kept).toBeLessThan(500);
  const owners = await ask('owners');
  expect(owners).toMatchObject({ all: occlusion.all, boxesMeet: occlusion.boxesMeet });
  expect(owners.kept).toBeGreaterThanOrEqual(occlusion.kept);
  expect(owners.kept).toBeLessThanOrEqual(1.05 * occlusion.kept);
});

/** The rasteriser leaves out some pixels at the edges of boxes, whose middle lines hardly meet them. */
function expectHardlyMore(owners: VisibilityStats, queries: VisibilityStats, message: string): void {
  expect(owners.bodies, message).toEqual(queries.bodies);
  expect(owners.pairsKept, message).toBeGreaterThanOrEqual(queries.pairsKept);
  expect(owners.triangles.boxesMeet, message).toBe(queries.triangles.boxesMeet);
  expect(owners.triangles.kept, message).toBeGreaterThanOrEqual(queries.triangles.kept);
  expect(owners.triangles.kept, message).toBeLessThanOrEqual(1.1 * queries.triangles.kept + 1);
}

test('boxes cull slanted plates that are far apart, as every other offset does', async () => {
  // Two parallel plates of two triangles, seen slanted along every axis, 37 pixels apart at 256². Every fragment once had
  // the least or greatest depth of its whole box, so that all four triangles were kept.
  const [u, v] = [
    [1, -1, 0],
    [1, 1, -2],
  ];
  const corners = [-1, 1].flatMap(s => [-s, s].map(t => u.map((x, axis) => s * x + t * v[axis])));
  const plate = mesh(new Float64Array(corners.flat()), new Uint32Array([0, 1, 2, 0, 2, 3]));
  // The window is 3.69 wide, which is 256 pixels, and the planes are 0.31·√3 apart.
  const apart = 0.31;
  const bodies = [place(plate), place(plate, poseOf(unit, apart, apart, apart))];
  for (const offset of ['triangles', 'boxes', 'bounded', 'exact'] as const) {
    for (const queries of offset === 'boxes' ? (['owners', 'occlusion'] as const) : [undefined]) {
      const visibility = { offset, queries, resolution: slow ? 256 : 64 };
      const { stats } = await interfere(engine, bodies, { detail: 'list', visibility });
      expect(stats.visibility!.triangles, `${offset}, ${queries}`).toMatchObject({ all: 4, kept: 0 });
    }
  }
});
