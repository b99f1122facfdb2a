// With `survivors: 'sweep'` no tree is built on the GPU, and the pairs are those of exact brute force. Trees that other
// questions need afterwards are built then, and revisions of shapes that have a tree are stored without one.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { treesIn } from '../../bvh/gpu/ask.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import type { GpuEngine } from '../../gpu/engine.ts';
import { testDevice } from '../../gpu/testing/test-device.ts';
import { mesh } from '../../mesh/mesh.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { createRandom, icosphere } from '../../shapes/index.ts';
import { interfere } from '../driver.ts';
import { exactPairs, expectSound, place, poseOf, rotation } from '../hierarchy/gpu/test-answers.ts';
import { bothOutside, firstOutside, isApart } from '../request.ts';
import type { VisibilityOptions } from './options.ts';

let engine: GpuEngine;
let trees: GpuTrees;
beforeAll(async () => {
  engine = await createGpuEngine({ device: (await testDevice()).device });
  trees = await engine.ask({}, async ({ session }) => treesIn(session));
}, 120_000);
afterAll(() => engine.close());

const slow = process.env.NEARFIELD_SLOW !== undefined;
const unit = rotation(0, [0, 0, 1]);
const sweep: VisibilityOptions = { resolution: 32, survivors: 'sweep' };

/** Triangles of many sizes on a grid and off it: some share their least coordinate, so that the sweep meets ties. */
function soup(random: ReturnType<typeof createRandom>, count: number) {
  const positions = new Float64Array(9 * count);
  for (let i = 0; i < count; i++) {
    const size = 2 ** -random.integer(5);
    const snap = random.integer(2) === 0 ? 0.125 : 2 ** -20;
    const centre = [0, 1, 2].map(() => random.between(-0.5, 0.5));
    for (let k = 0; k < 9; k++) {
      const at = centre[k % 3] + size * random.between(-0.5, 0.5);
      positions[9 * i + k] = snap * Math.round(at / snap);
    }
  }
  return mesh(positions);
}

/** Asks, and compares with brute force in exact arithmetic. Returns the number of trees that were built. */
async function built(bodies: readonly Placed[], context: string, visibility?: VisibilityOptions) {
  const before = trees.builds;
  const answer = await interfere(engine, bodies, { detail: 'list', visibility });
  expectSound(answer, exactPairs(bodies), context);
  if (visibility) expect(answer.stats.visibility!.treesBuilt).toBe(trees.builds - before);
  return trees.builds - before;
}

test('no tree is built, and no pair is lost', { timeout: 300_000 }, async () => {
  for (let seed = 1; seed <= (slow ? 200 : 4); seed++) {
    const random = createRandom(seed);
    const bodies = Array.from({ length: 2 + random.integer(4) }, () =>
      place(
        soup(random, 1 + random.integer(60)),
        poseOf(
          random.integer(2) === 0 ? unit : rotation(random.between(0, 6), [1, 2, 3]),
          random.between(0, 0.5),
        ),
      ),
    );
    const resolution = [1, 7, 32, 64][seed % 4];
    const context = `seed ${seed} at ${resolution}`;
    expect(await built(bodies, context, { ...sweep, resolution }), context).toBe(0);
    // The shapes of the same bodies get trees when a question needs them, and the sweep then uses their leaves.
    expect(await built(bodies, `${context}, then trees`), context).toBe(bodies.length);
    expect(await built(bodies, `${context}, then a sweep`, { ...sweep, resolution }), context).toBe(0);
  }
});

test('shapes of several chunks, small images and many ties', async () => {
  // More than 1,024 triangles, so that boxes of chunks are joined.
  const sphere = icosphere({ frequency: 8 });
  expect(sphere.triangleCount).toBeGreaterThan(1024);
  const bodies = [
    place(sphere),
    place(sphere, poseOf(unit, 1.2, 1.1, 0.9)),
    place(sphere, poseOf(unit, 9, 0, 0)),
  ];
  expect(await built(bodies, 'spheres', sweep)).toBe(0);
  // Coincident spheres: every box begins where another does.
  const both = [place(icosphere({ frequency: 3 })), place(icosphere({ frequency: 3 }))];
  expect(await built(both, 'coincident', sweep)).toBe(0);
});

test('a revision of a shape that has a tree is stored without one, and gets one when it is needed', async () => {
  const shape = icosphere({ frequency: 3 });
  const other = place(icosphere({ frequency: 3 }), poseOf(unit, 1.3, 0.2, 0.1));
  const at = (revision: number, stretch: number): Placed => {
    Object.assign(deforming.shape, { positions: shape.positions.map(x => stretch * x), revision });
    return deforming;
  };
  const deforming = place(shape);
  expect(await built([deforming, other], 'at first, with trees')).toBe(2);
  expect(await built([at(1, 1.1), other], 'deformed', sweep)).toBe(0);
  expect(await built([at(2, 0.9), other], 'deformed again', sweep)).toBe(0);
  expect(await built([deforming, other], 'with trees again')).toBe(1);
  expect(await built([at(3, 1.05), other], 'refitted or built')).toBe(1);
});

test('counts and the first pair only, and lists that overflow', async () => {
  const random = createRandom(13);
  const bodies = [0, 1, 2].map(() => place(soup(random, 40), poseOf(unit, random.between(0, 0.4), 0, 0)));
  const list = await interfere(engine, bodies, { detail: 'list', visibility: sweep });
  const counted = (records: Uint32Array) => {
    const counts = [0, 0, 0];
    for (let r = 0; r < records.length; r += 3) counts[records[r]]++;
    return counts;
  };
  const count = await interfere(engine, bodies, { detail: 'count', visibility: sweep });
  const byPair = ({ candidates }: { candidates: Uint32Array }, counts: readonly number[]) =>
    new Map(counts.map((each, c) => [`${candidates[2 * c]} ${candidates[2 * c + 1]}`, each]));
  expect(byPair(count, [...count.counts!])).toEqual(byPair(list, counted(list.certain)));
  const any = await interfere(engine, bodies, { detail: 'any', visibility: sweep, stopAtFirst: true });
  expect(any.stoppedAtFirst).toBeFalsy();
  const small = await createGpuEngine({
    device: (await testDevice()).device,
    settings: {
      room: { candidates: 1, leafPairs: 1, certain: 1, unsure: 1, nodePairs: 1 },
      visibilityRoom: { fragments: 1, longRows: 1 },
    },
  });
  const grown = await interfere(small, bodies, { detail: 'list', visibility: sweep });
  expect(grown.stats.growths).toBeGreaterThan(0);
  expectSound(grown, exactPairs(bodies), 'grown');
  small.close();
});

test('bodies beside one another are found to be apart without trees, and one inside another is not', async () => {
  const sphere = icosphere({ frequency: 3 });
  const small = mesh(
    sphere.positions.map(x => 0.25 * x),
    sphere.indices,
  );
  const bodies = [
    place(sphere),
    // Within the first; diagonally beside it, so that boxes meet; and in the corner between these boxes.
    place(small, poseOf(unit, 0.2, 0.1, 0)),
    place(sphere, poseOf(rotation(1, [1, 2, 3]), 1.3, 1.3, 1.3)),
    place(small, poseOf(unit, 0.95, 0.95, -0.5)),
  ];
  // One pixel per image leaves nothing out.
  const visibility: VisibilityOptions = { ...sweep, resolution: 1 };
  const answer = await interfere(engine, bodies, { detail: 'list', visibility });
  expect([answer.certain.length, answer.unsure.length]).toEqual([0, 0]);
  const { candidates, known, outside } = answer;
  const found: Record<string, number> = {};
  for (let c = 0; c < candidates.length / 2; c++) {
    if (known![c] !== isApart) found[`${candidates[2 * c]} ${candidates[2 * c + 1]}`] = outside![c];
  }
  expect(found).toEqual({ '0 1': firstOutside, '0 2': bothOutside, '0 3': bothOutside });
});
