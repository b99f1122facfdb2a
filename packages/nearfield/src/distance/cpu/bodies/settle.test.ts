// Compares what the kernel settles in double-double (settle.as.ts) with exact integers (exact/triangle-distance.ts),
// bit for bit.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CpuEngine, createCpuEngine } from '../../../cpu/engine.ts';
import { identity } from '../../../math/pose.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { createRandom, type Random } from '../../../shapes/random.ts';
import { distanceOf, nearestPoints, pointToDoubles } from '../../exact/triangle-distance.ts';
import { nearState, settledNumbers } from '../../request.ts';
import { cpuDistances } from '../driver.ts';

const scale = process.env.NEARFIELD_SLOW ? 40 : 1;

let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

/** The kernel's answer for two triangles, or undefined if it does not settle them. */
function settled(p: Float64Array): number[] | undefined {
  const bodies = [p.slice(0, 9), p.slice(9)].map(positions => {
    const triangle = mesh(positions);
    const shape = { mesh: triangle, positions: triangle.positions, revision: 0 };
    return { shape, pose: identity(), poseRevision: 0 };
  });
  const raw = cpuDistances(engine).nearestSync(bodies, {
    candidates: new Uint32Array([0, 1]),
    upTo: Infinity,
  });
  for (const { shape } of bodies) engine.forget(shape);
  if ((raw.states[0] & nearState.settled) === 0) return undefined;
  return [...raw.settled!.numbers.subarray(0, settledNumbers - 2)];
}

describe('distances settled in double-double', { timeout: 600_000 }, () => {
  const kinds: [name: string, share: number, draw: (random: Random) => () => number][] = [
    ['general position', 0.9, random => () => random.between(-1, 1)],
    ['single precision', 0.9, random => () => Math.fround(random.between(-1, 1))],
    ['far from the origin', 0.8, random => () => 1e6 + random.between(-1, 1)],
    ['very different sizes', 0.3, random => () => random.between(-1, 1) * 2 ** -random.integer(40)],
    ['a grid of five', 0.05, random => () => random.integer(5)],
    ['a wide grid', 0.5, random => () => random.integer(1000) - 500],
  ];
  for (const [name, share, draw] of kinds) {
    it(name, () => {
      const random = createRandom(31);
      let apart = 0;
      let count = 0;
      for (let i = 0; i < 500 * scale; i++) {
        const p = Float64Array.from({ length: 18 }, draw(random));
        // Every second pair is moved apart.
        if (i % 2) for (let k = 11; k < 18; k += 3) p[k] += 2;
        const { pointA, pointB, unit, ...nearest } = nearestPoints(p);
        const distance = distanceOf({ pointA, pointB, unit, ...nearest });
        if (distance === 0) continue;
        apart++;
        const found = settled(p);
        if (found === undefined) continue;
        count++;
        const expected = [distance, ...pointToDoubles(pointA, unit), ...pointToDoubles(pointB, unit)];
        expect(found, `${name}, number ${i}`).toEqual(expected);
      }
      // Guards against a kernel that settles too few for the test to mean anything.
      expect(count).toBeGreaterThan(share * apart);
    });
  }
});
