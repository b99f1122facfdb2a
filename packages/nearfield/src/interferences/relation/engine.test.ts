import { afterAll, describe, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import { createCpuEngine } from '../../cpu/engine.ts';
import { pointsInside } from '../../inside/winding.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { box, cylinder, icosphere, torus, tube } from '../../shapes/index.ts';
import { BruteEngine, meetingTriangles, placedSoup, randomIntegers } from '../testing/brute-engine.ts';
import { countedRelation, randomBoxes, randomCubes } from '../testing/grid-solids.ts';
import { relationOf } from './relation.ts';

// Relations are the same with the engine's trees as with a search over every triangle.

const engine = await createCpuEngine();
afterAll(() => engine.close());

const place = (mesh: Mesh, pose: readonly number[]): Placed => ({
  shape: { mesh, positions: mesh.positions, revision: 0 },
  pose: Float64Array.from(pose),
  poseRevision: 0,
});

/** Per relation, in which of the two solids points may lie. */
const allowed: Record<string, string[]> = {
  separate: ['none', 'a', 'b'],
  touching: ['none', 'a', 'b'],
  coincident: ['none', 'both'],
  inside: ['none', 'both', 'b'],
  contains: ['none', 'both', 'a'],
  crossing: ['none', 'both', 'a', 'b'],
};

describe('relations with the trees of the CPU engine', () => {
  test('solids on the grid', () => {
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomIntegers(seed);
      const make = (): ReturnType<typeof randomBoxes> =>
        random(2) ? randomBoxes(random, 4, 3) : randomCubes(random, 3);
      const [solidA, solidB] = [make(), make()];
      const pose = (): Float64Array =>
        Float64Array.from([3, 1, -2, 0, 1, 2, 1, 0, -1, 1, 4, 0, 2 ** 20, -(2 ** 20), 1, 1]);
      const [a, b] = [placedSoup(solidA.triangles, pose()), placedSoup(solidB.triangles, pose())];
      const expected = countedRelation(solidA, solidB, 3);
      expect(relationOf(finderOf(engine), a, b, meetingTriangles(a, b)), `seed ${seed}`).toBe(expected);
    }
  });

  test('shapes in general position', () => {
    const meshes = [
      box(),
      icosphere({ frequency: 2 }),
      torus({ majorSegments: 10, minorSegments: 6 }),
      cylinder({ segments: 12 }),
      tube({ segments: 10 }),
    ];
    const seen = new Map<string, number>();
    for (let seed = 1; seed <= 60; seed++) {
      const random = randomIntegers(seed);
      const number = (): number => random(2001) / 1000 - 1;
      const pose = (): number[] => {
        const scale = 2 ** (random(5) - 2);
        const linear = [
          [1, number() / 3, number() / 3, 0],
          [number() / 3, 1, number() / 3, 0],
          [number() / 3, number() / 3, 1, 0],
        ];
        return [...linear.flat().map(x => x * scale), number(), number(), number(), 1];
      };
      const a = place(meshes[random(meshes.length)], pose());
      const b = place(meshes[random(meshes.length)], pose());
      const triangles = meetingTriangles(a, b);
      const relation = relationOf(finderOf(engine), a, b, triangles);
      expect(relation, `seed ${seed}`).toBe(relationOf(new BruteEngine(), a, b, triangles));
      seen.set(relation, (seen.get(relation) ?? 0) + 1);
      // Random points must lie only where the relation allows.
      const points = Array.from({ length: 600 }, number);
      const [inA, inB] = [
        pointsInside(finderOf(engine), a, points),
        pointsInside(finderOf(engine), b, points),
      ];
      expect(inA, `seed ${seed}`).toEqual(pointsInside(new BruteEngine(), a, points));
      inA.forEach((inside, i) => {
        const kind = inside === 1 && inB[i] === 1 ? 'both' : inside === 1 ? 'a' : inB[i] === 1 ? 'b' : 'none';
        expect(allowed[relation], `seed ${seed}: a point in ${kind}`).toContain(kind);
      });
    }
    expect(seen.size).toBeGreaterThan(2);
  });
});
