import { expect, it } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { boxesMeet } from '../../../math/box.ts';
import type { Mesh } from '../../../mesh/mesh.ts';
import { box, createRandom, type Random } from '../../../shapes/index.ts';
import { boxesOf } from '../windows.ts';
import { groupsOf } from './grouping.ts';

/** A random rotation, from a random unit quaternion, and a random place in a cube. */
function randomPose(random: Random, reach: number): Float64Array {
  const [x, y, z] = random.direction();
  const angle = random.between(0, 2 * Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  const place = () => random.between(-reach, reach);
  return Float64Array.of(
    ...[t * x * x + c, t * x * y + s * z, t * x * z - s * y, 0],
    ...[t * x * y - s * z, t * y * y + c, t * y * z + s * x, 0],
    ...[t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0],
    ...[place(), place(), place(), 1],
  );
}

function sharedTiles(mesh: Mesh, count: number, reach: number, seed: number): number | undefined {
  const random = createRandom(seed);
  const bodies: Placed[] = Array.from({ length: count }, () => ({
    shape: { mesh, positions: mesh.positions, revision: 0 },
    pose: randomPose(random, reach),
    poseRevision: 0,
  }));
  const boxes = boxesOf(bodies);
  const candidates: number[] = [];
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      if (boxesMeet(boxes.subarray(6 * a, 6 * a + 6), boxes.subarray(6 * b, 6 * b + 6)))
        candidates.push(a, b);
    }
  }
  return groupsOf(bodies, { candidates: Uint32Array.from(candidates), resolution: 256, views: 1 })?.tiles
    .length;
}

it('rods through one place share a tile', () => {
  const rod = box({ size: [4, 0.12, 0.12] });
  for (const count of [8, 16, 32]) expect(sharedTiles(rod, count, 0.5, 1), `${count} rods`).toBe(1);
});

it("boxes as dense as those of the thesis's Figure 4.15 do not share: each has few candidates", () => {
  for (const count of [50, 100, 150, 200, 250]) {
    for (let seed = 1; seed <= 5; seed++) {
      const side = 1.6 * Math.cbrt(count);
      expect(sharedTiles(box(), count, side / 2, seed), `${count} boxes, seed ${seed}`).toBeUndefined();
    }
  }
});
