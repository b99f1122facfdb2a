import { expect, test } from 'vitest';
import { localFrame } from '../../../bvh/gpu-local.ts';
import type { Entry } from '../../../bvh/gpu-trees.ts';
import { box, createRandom, icosphere } from '../../../mesh/shapes/index.ts';
import type { Placed } from '../../../scene/engine.ts';
import { SideLayout } from '../../raster/layouts.ts';
import { layTiles } from '../../raster/tiles.ts';
import { layAxisTiles } from './lay-axis-tiles.ts';
import { tilesOf } from './tiling.ts';

test('many tiles are written as the raster writes any', () => {
  for (let seed = 1; seed <= 20; seed++) {
    const random = createRandom(seed);
    const far = seed % 4 === 0 ? 1e6 : 0;
    const size = 10 ** random.between(-3, 3);
    const bodies: Placed[] = Array.from({ length: 6 }, () => {
      const mesh = random.integer(2) === 0 ? box() : icosphere({ frequency: 2 });
      const shape = { mesh, positions: mesh.positions, revision: 0 };
      const pose = new Float64Array(16);
      for (let k = 0; k < 12; k++) if (k % 4 < 3) pose[k] = size * random.between(-1, 1);
      for (let k = 12; k < 15; k++) pose[k] = far + size * random.between(-0.5, 0.5);
      pose[15] = 1;
      return { shape, pose, poseRevision: 0 };
    });
    const entries = new Map<object, Entry>();
    const entryOf = ({ shape }: Placed): Entry => {
      let entry = entries.get(shape);
      if (entry === undefined) {
        const count = entries.size;
        const known = { leafOffset: 100 * count, leafCount: shape.mesh.triangleCount };
        entry = { ...known, frame: localFrame(shape.mesh.bounds) } as unknown as Entry;
        entries.set(shape, entry);
      }
      return entry;
    };
    const candidates = Uint32Array.from([0, 1, 0, 2, 1, 3, 4, 5]);
    const task = { candidates, resolution: 40, views: 3, ask: 'pairs' } as Parameters<typeof tilesOf>[1];
    const { tiles } = tilesOf(bodies, task);
    const banded = tiles.map((tile, i) =>
      i % 3 === 0 && tile.height > 2 ? tile.band(1, tile.height - 1) : tile,
    );
    const one = layAxisTiles(bodies, entryOf, banded);
    const other = layTiles(bodies, entryOf, banded);
    expect(one.tileWords, `seed ${seed}`).toEqual(other.tileWords);
    expect([one.pixelCount, one.triangleCount]).toEqual([other.pixelCount, other.triangleCount]);
    for (let record = 0; record < one.sideWords.length; record += SideLayout.words) {
      const [mine, theirs] = [one, other].map(({ sideWords }) => sideOf(sideWords, record));
      expect([mine.linear, mine.rest], `seed ${seed}`).toEqual([theirs.linear, theirs.rest]);
      // Both are rounded, on the way to whole units: by far less than the noise says.
      mine.centre.forEach((value, k) => {
        expect(Math.abs(value - theirs.centre[k]), `seed ${seed}`).toBeLessThan(0.01 * theirs.noise);
      });
      expect(mine.noise / theirs.noise, `seed ${seed}`).toBeCloseTo(1, 3);
    }
    expect(one.noise / other.noise).toBeCloseTo(1, 3);
  }
});

function sideOf(words: Uint32Array, record: number) {
  const { at } = SideLayout;
  const whole = new Int32Array(words.buffer);
  const floats = new Float32Array(words.buffer);
  return {
    linear: [...whole.subarray(record + at.linear, record + at.linear + 12)],
    centre: [0, 1, 2].map(k => whole[record + at.offset + k] + floats[record + at.rest + k]),
    noise: floats[record + at.rest + 3],
    rest: [
      whole[record + at.offset + 3],
      ...words.subarray(record + at.leafOffset, record + SideLayout.words),
    ],
  };
}
