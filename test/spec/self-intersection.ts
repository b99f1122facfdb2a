// Self-intersection against exact brute force: triangles that share a point outside the hull of their common
// positions, or have all positions in common.

import { applyPose, identity, mesh as meshOf, type Nearfield, shapes } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toIntegers } from '../oracle/integers.ts';
import { neighboursByCorners } from '../oracle/triangles/shared-corners.ts';
import { boxesApart, type SuiteSize } from './interference.ts';
import { kinds, type Part, subdivided, translation } from './scenes.ts';

export function selfPairs({ mesh, pose }: Part): string[] {
  const world = new Float64Array(9 * mesh.triangleCount);
  for (let i = 0; i < mesh.indices.length; i++) {
    const v = 3 * mesh.indices[i];
    const [x, y, z] = mesh.positions.subarray(v, v + 3);
    applyPose(Float64Array.from(pose), x, y, z, world, 3 * i);
  }
  const found: string[] = [];
  const both = new Float64Array(18);
  const one = 1n as unknown as number; // the oracles' integers are bigints typed as numbers
  for (let i = 0; i < mesh.triangleCount; i++) {
    for (let j = i + 1; j < mesh.triangleCount; j++) {
      both.set(world.subarray(9 * i, 9 * i + 9));
      both.set(world.subarray(9 * j, 9 * j + 9), 9);
      if (!boxesApart(both) && neighboursByCorners(toIntegers(both), one)) found.push(`${i} ${j}`);
    }
  }
  return found;
}

export function selfIntersectionSpec(open: () => Promise<Nearfield>, { scenes, triangles }: SuiteSize): void {
  describe('self-intersection, against exact brute force', () => {
    let nf: Nearfield;
    beforeAll(async () => {
      nf = await open();
    });
    afterAll(() => nf.close());

    async function ask({ mesh, pose }: Part): Promise<string[]> {
      const scene = nf.scene();
      const { triangles: list, stats } = await scene.selfIntersections(scene.add(mesh, { pose }));
      if (nf.backend === 'gpu') expect(stats.dispatches).toBeGreaterThan(0);
      scene.close();
      return Array.from({ length: list.length / 2 }, (_, i) => `${list[2 * i]} ${list[2 * i + 1]}`);
    }

    for (const kind of kinds(triangles)) {
      it(kind.name, { timeout: 300_000 }, async () => {
        for (let seed = 1; seed <= scenes; seed++) {
          const part = kind.parts(shapes.createRandom(seed))[0];
          expect(await ask(part), `seed ${seed}`).toEqual(selfPairs(part));
        }
      });
    }

    it('a clean solid has none, however flat and finely divided', async () => {
      const box = shapes.box({ size: [1, 1, 1] });
      for (const mesh of [
        subdivided(subdivided(box)),
        shapes.icosphere({ frequency: 3 }),
        shapes.torus({ majorSegments: 16, minorSegments: 8 }),
      ]) {
        expect(await ask({ mesh, pose: [...identity()] })).toEqual([]);
        expect(await ask({ mesh, pose: translation(1e6, 0, 0) })).toEqual([]);
      }
    });

    it('a crumpled sheet, where neighbours fold onto each other', { timeout: 300_000 }, async () => {
      for (let seed = 1; seed <= scenes; seed++) {
        const random = shapes.createRandom(5000 + seed);
        const sheet = shapes.icosphere({ frequency: 2 });
        const scene = nf.scene();
        const body = scene.add(sheet);
        const crumpled = Float64Array.from(sheet.positions, () => random.integer(3));
        body.deform(crumpled);
        const { triangles: list } = await scene.selfIntersections(body);
        const found = Array.from({ length: list.length / 2 }, (_, i) => `${list[2 * i]} ${list[2 * i + 1]}`);
        expect(found, `seed ${seed}`).toEqual(
          selfPairs({ mesh: meshOf(crumpled, sheet.indices), pose: [...identity()] }),
        );
        scene.close();
      }
    });
  });
}
