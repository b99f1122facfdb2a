// The stages in the paper's order: images of all bodies first, then sweep and prune, then images of triangles. No pair is
// lost, whatever is drawn and however overlaps are found, and bodies that images leave out are not paired.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { mesh } from '../../mesh/mesh.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { box, createRandom, icosphere } from '../../shapes/index.ts';
import { interfere } from '../driver.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from '../hierarchy/gpu/test-answers.ts';
import type { VisibilityOptions } from './options.ts';

let engine: GpuEngine;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
}, 120_000);
afterAll(() => engine.close());

const slow = process.env.NEARFIELD_SLOW !== undefined;
const unit = rotation(0, [0, 0, 1]);
const stages = 'published';

const ways: readonly VisibilityOptions[] = [
  { resolution: 48, stages },
  { resolution: 16, stages, offset: 'boxes' },
  { resolution: 16, stages, queries: 'occlusion' },
  { resolution: 48, stages, survivors: 'sweep' },
  { resolution: 32, stages, queries: 'occlusion', survivors: 'sweep', views: 2 },
];

const ask = (bodies: readonly Placed[], visibility: VisibilityOptions, candidates?: Uint32Array) =>
  interfere(engine, bodies, { detail: 'list', visibility, candidates });

test('no pair is lost among bodies here and there', { timeout: 300_000 }, async () => {
  for (let seed = 1; seed <= (slow ? 40 : 2); seed++) {
    const random = createRandom(seed);
    const shapes = [box(), icosphere({ frequency: 2 }), mesh(new Float64Array(0))];
    const bodies = Array.from({ length: 3 + random.integer(9) }, () => {
      const [x, y, z] = [0, 1, 2].map(() => random.between(0, 3));
      const turned = rotation(random.between(0, 6), [1, 2, 3]);
      return place(shapes[random.integer(3)], poseOf(random.integer(2) === 0 ? unit : turned, x, y, z));
    });
    const exact = exactPairs(bodies);
    for (const way of ways)
      expectSound(await ask(bodies, way), exact, `seed ${seed}, ${JSON.stringify(way)}`);
    // Given candidates take the place of the sweep.
    const given = new Uint32Array([0, 1, 0, 2]);
    const wanted = new Set([...exact].filter(key => /^0 [12] /.test(key)));
    expectSound(await ask(bodies, ways[0], given), wanted, `seed ${seed}, given`);
  }
});

test('bodies that images leave out are not paired, though their boxes meet', async () => {
  // Slanted plates whose boxes meet; two boxes that cross.
  const plate = box({ size: [2, 2, 0.02] });
  const turned = rotation(0.7, [1, 0, 0]);
  const bodies = [
    place(plate, poseOf(turned)),
    place(plate, poseOf(turned, 0, 0, 0.4)),
    place(box(), poseOf(unit, 3, 0, 0)),
    place(box(), poseOf(unit, 3.5, 0.25, 0.125)),
  ];
  const exact = exactPairs(bodies);
  expect(exact.size).toBeGreaterThan(0);
  for (const way of ways.slice(0, 3)) {
    const visibility = { ...way, resolution: 64 };
    const answer = await ask(bodies, visibility);
    expectSound(answer, exact, JSON.stringify(visibility));
    expect([...answer.candidates]).toEqual([2, 3]);
    expect(answer.stats.visibility).toMatchObject({ boxPairs: 1, bodies: { boxesMeet: 2, kept: 2 } });
  }
  const usual = await ask(bodies, { resolution: 64 });
  expect(usual.stats.visibility!.boxPairs).toBe(2);
});

test('flags keep what queries keep, and hardly more', async () => {
  const sphere = icosphere({ frequency: 3 });
  const bodies = [0, 1, 2, 3].map(i => place(sphere, poseOf(rotation(i, [1, 2, 3]), 1.7 * i, 0.2 * i, 0)));
  const kept = [];
  for (const queries of ['owners', 'occlusion'] as const) {
    const answer = await ask(bodies, { resolution: 64, stages, offset: 'boxes', queries });
    expectSound(answer, exactPairs(bodies), queries);
    const { triangles, bodies: left, pairsKept, boxPairs } = answer.stats.visibility!;
    kept.push({ triangles, left, pairsKept, boxPairs });
  }
  const [flags, queries] = kept;
  expect(flags).toMatchObject({
    left: queries.left,
    pairsKept: queries.pairsKept,
    boxPairs: queries.boxPairs,
  });
  expect(flags.triangles.kept).toBeGreaterThanOrEqual(queries.triangles.kept);
  expect(flags.triangles.kept).toBeLessThanOrEqual(1.05 * queries.triangles.kept);
  expect(kept[0].triangles.kept).toBeLessThan(kept[0].triangles.all / 2);
});

test('lists that overflow grow', async () => {
  const small = await createGpuEngine({
    device: (await testDevice()).device,
    settings: {
      room: { candidates: 1, leafPairs: 1, certain: 1, unsure: 1, nodePairs: 1 },
      visibilityRoom: { fragments: 1, longRows: 1 },
    },
  });
  const bodies = [0, 1, 2, 3, 4].map(i => place(box(), poseOf(rotation(i, [1, 2, 3]), 0.7 * i, 0.2, 0)));
  const answer = await interfere(small, bodies, { detail: 'list', visibility: { resolution: 32, stages } });
  expect(answer.stats.growths).toBeGreaterThan(0);
  expectSound(answer, exactPairs(bodies), 'grown');
  small.close();
});
