// No resolution of an image, and no way of culling, loses a pair. The scenes are small and made to be hard for images.
// Each seed is compared with every pair of triangles by exact integer arithmetic, and with the pairs of bodies of the
// CPU engine, including contained ones. There are 108 seeds of few triangles and 12 of more, one of each kind; with
// NEARFIELD_SLOW=1 there are 204 and 240, at resolutions from 64² to 2048².

import { type InterferenceOptions, shapes } from 'nearfield';
import { describe, expect, test } from 'vitest';
import { openBoth } from '../spec/both-engines.ts';
import { expectedPairs } from '../spec/interference.ts';
import { framed, type HiddenKind, hiddenKinds, small } from '../spec/sampled/hidden-scenes.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;
/** The number of scenes per kind. */
const seedCount = slow ? 20 : 1;
const method = 'visibility';

const ways: Readonly<Record<string, InterferenceOptions>> = {
  'touched pixels': {},
  boxes: { offset: 'boxes' },
  'boxes by occlusion queries': { queries: 'occlusion' },
  'bounded offsets': { offset: 'bounded' },
  'exact offsets': { offset: 'exact' },
  'as published': { stages: 'published', queries: 'occlusion', survivors: 'sweep' },
};
const wayNames = Object.keys(ways);

const both = openBoth();

/** Pixels that a software GPU has time for across the scene itself, which is a part of a larger image. */
const ownPixels = slow ? 32 : 20;

/** Asks about a scene in several ways, and compares every answer with brute force. */
async function hold(kind: HiddenKind, seed: number, asked: readonly InterferenceOptions[]): Promise<number> {
  const parts = kind.parts(shapes.createRandom(seed));
  const { resolution = 1 } = asked[0];
  const placed = resolution > ownPixels && !kind.fills ? framed(parts, resolution / ownPixels) : parts;
  const expected = expectedPairs(placed);
  const [scene, exact] = [both.gpu.scene(), both.cpu.scene()];
  for (const { mesh, pose } of placed) for (const one of [scene, exact]) one.add(mesh, { pose });
  const { indices } = exact.interferencesSync({ detail: 'any' });
  for (const options of asked) {
    const answer = await scene.interferences({ method, ...options });
    const found: string[] = [];
    for (const { a, b, triangles: list } of answer) {
      for (let i = 0; i < list.length; i += 2) found.push(`${a.index} ${b.index} ${list[i]} ${list[i + 1]}`);
    }
    const context = `${kind.name}, seed ${seed}, ${JSON.stringify(options)}`;
    expect(found, context).toEqual(expected);
    expect(answer.indices, context).toEqual(indices);
    expect([answer.method, answer.backend, answer.complete], context).toEqual(['visibility', 'gpu', true]);
    expect(answer.stats.visibility!.resolution, context).toBe(options.resolution);
  }
  scene.close();
  exact.close();
  return indices.length;
}

/**
 * Resolutions from 64 on: another one per seed, or in the usual suite per kind. Scenes whose parts fill any window get
 * few pixels.
 */
function resolutionOf(kind: HiddenKind, seed: number): number {
  if (kind.fills) return [64, 40, 100][seed % 3];
  if (!slow) return [64, 256][hiddenKinds.indexOf(kind) % 2];
  return [64, 256, 1024, 128, 2048, 512, 200, 1400][seed % 8];
}

let turn = 0;
describe.each(hiddenKinds)('$name', kind => {
  const first = 100 * hiddenKinds.indexOf(kind);
  test('loses no pair', { timeout: 900_000 }, async () => {
    let pairs = 0;
    for (let seed = first + 1; seed <= first + seedCount; seed++) {
      const resolution = resolutionOf(kind, seed);
      // One way after the other; at full size also the default one.
      const others = wayNames.slice(slow ? 1 : 0);
      const names = [...(slow ? [wayNames[0]] : []), others[turn++ % others.length]];
      pairs += await hold(
        kind,
        seed,
        names.map(name => ({ ...ways[name], resolution })),
      );
    }
    expect(pairs).toBeGreaterThan(0);
  });
});

/** Resolutions for scenes of a kind in turn: mostly as few pixels as a software GPU has time for. */
const manyResolutions = slow
  ? [64, 96, 64, 64, 128, 64, 64, 80, 64, 64, 256, 64, 64, 72, 64, 64, 64]
  : [64, 96, 64, 64, 128, 64, 80, 256, 72];
const byOwners = wayNames.filter(name => ways[name].queries === undefined);

describe.each(hiddenKinds.map(small))(`few triangles, ${manyResolutions.length} seeds: $name`, kind => {
  const number = hiddenKinds.findIndex(({ name }) => name === kind.name);
  test('owners and occlusion queries lose no pair', { timeout: 900_000 }, async () => {
    let pairs = 0;
    for (const [i, pixels] of manyResolutions.entries()) {
      const resolution = kind.fills ? Math.min(pixels, 100) : pixels;
      const views = ([1, 2, 3] as const)[i % 3];
      // One query per triangle, from both sides, twice. So the usual suite mostly looks along one axis.
      const seen = slow ? views : ([1, 1, 2, 1, 1, 3] as const)[i % 6];
      const asked = [
        { ...ways[byOwners[(i + number) % byOwners.length]], views, resolution },
        { ...ways['boxes by occlusion queries'], views: seen, resolution },
      ];
      pairs += await hold(kind, 10_000 + 100 * number + i, asked);
    }
    expect(pairs).toBeGreaterThan(manyResolutions.length / 3);
  });
});

test('at 2048 pixels, at 1 and at 7', { timeout: 900_000 }, async () => {
  for (const resolution of [1, 7, 2048]) {
    const kind = hiddenKinds[resolution === 2048 ? 0 : 11];
    const few = !slow && resolution === 2048;
    const names = few ? wayNames.slice(0, 1) : wayNames;
    await hold(
      kind,
      50 + resolution,
      names.map(name => ({ ...ways[name], resolution, ...(few ? { views: 1 } : {}) })),
    );
  }
});

test.each([1, 2] as const)('along %i axes', { timeout: 900_000 }, async views => {
  for (const [i, kind] of hiddenKinds.entries()) {
    if (!slow && i % 4 !== views) continue;
    await hold(kind, 100 * i + 60 + views, [{ views, resolution: 48 }]);
  }
});
