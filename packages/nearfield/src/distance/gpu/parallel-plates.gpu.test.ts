// Plates that are nearly parallel: tilted by 10^-6 to 10^-9, every triangle of one has several of the other that are
// about equally near, and single precision cannot distinguish them. The pairs that the GPU leaves are decided
// exactly: the answer equals the CPU's to the last bit, and that of measuring every pair in fractions.

import { shapes } from 'nearfield';
import { expect, it } from 'vitest';
import { compareFractions, squaredDistance } from '../../../../../test/oracle/triangles/least-difference.ts';
import { openBoth } from '../../../../../test/spec/both-engines.ts';
import { multiplyPoses, type Pose, placeTriangle } from '../../math/pose.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import type { Nearfield } from '../../nearfield.ts';
import { posed } from '../../penetration/testing/solids.ts';

const both = openBoth();

/** A square of side 1 around the origin, of n × n pieces with two triangles each. */
function plate(n: number): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (let j = 0; j <= n; j++) for (let i = 0; i <= n; i++) positions.push(i / n - 0.5, j / n - 0.5, 0);
  for (let j = 0; j < n; j++) {
    for (let i = 0; i < n; i++) {
      const v = j * (n + 1) + i;
      indices.push(v, v + 1, v + n + 2, v, v + n + 2, v + n + 1);
    }
  }
  return mesh(new Float64Array(positions), new Uint32Array(indices));
}

interface Scene {
  readonly tilt: number;
  readonly gap: number;
  readonly poses: readonly [Pose, Pose];
}

/**
 * One plate above the other, tilted about a random line. Both are rotated together, and some are far from the origin.
 */
function plates(seed: number, tilt: number): Scene {
  const random = shapes.createRandom(seed);
  const gap = [1, 0.1, 0.01][random.integer(3)];
  const far = random.integer(3) === 0 ? 1e4 : 0;
  const whole = posed(far, -far, far / 2, random.direction(), random.between(0, 6));
  const about = random.between(0, 6);
  const shift = [random.between(-0.3, 0.3), random.between(-0.3, 0.3)];
  const upper = posed(shift[0], shift[1], gap, [Math.cos(about), Math.sin(about), 0], tilt);
  return { tilt, gap, poses: [whole, multiplyPoses(whole, upper)] };
}

async function ask(nf: Nearfield, n: number, { poses }: Scene) {
  const scene = nf.scene();
  const [a, b] = poses.map(pose => scene.add(plate(n), { pose }));
  const { stats, backend, ...found } = await scene.distance(a, b);
  expect(backend).toBe(nf.backend);
  scene.close();
  return { found, stats };
}

const tilts = [1e-6, 1e-7, 1e-8, 1e-9, 0];
const rounds = process.env.NEARFIELD_SLOW ? 10 : 1;

it('finds the nearest of all pairs, measured exactly', { timeout: 600_000 }, async () => {
  const n = 2;
  const part = plate(n);
  for (let seed = 1; seed <= rounds; seed++) {
    for (const tilt of tilts) {
      const scene = plates(seed, tilt);
      const { found } = await ask(both.gpu, n, scene);
      const p = new Float64Array(18);
      let best: { squared: ReturnType<typeof squaredDistance>; pair: [number, number] } | undefined;
      for (let i = 0; i < part.triangleCount; i++) {
        for (let j = 0; j < part.triangleCount; j++) {
          placeTriangle(scene.poses[0], part.positions, part.indices, i, p, 0);
          placeTriangle(scene.poses[1], part.positions, part.indices, j, p, 9);
          const squared = squaredDistance(p);
          if (!best || compareFractions(squared, best.squared) < 0) best = { squared, pair: [i, j] };
        }
      }
      expect([found.triangleA, found.triangleB], `seed ${seed}, tilt ${tilt}`).toEqual(best!.pair);
    }
  }
});

it('distances are the same as on the CPU', { timeout: 1_200_000 }, async () => {
  const n = 16;
  for (let seed = 1; seed <= rounds; seed++) {
    for (const tilt of tilts) {
      const scene = plates(seed, tilt);
      const [there, here] = [await ask(both.gpu, n, scene), await ask(both.cpu, n, scene)];
      expect(there.found, `seed ${seed}, tilt ${tilt}`).toEqual(here.found);
      expect(there.stats.dispatches).toBeGreaterThan(0);
      // The tilt shortens the gap by less than itself, since the plate reaches less than 1 from its axis.
      const off = scene.gap - there.found.distance;
      expect(off).toBeGreaterThan(-1e-11);
      expect(off).toBeLessThan(tilt + 1e-11);
    }
  }
});
