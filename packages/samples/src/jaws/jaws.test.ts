// The generated jaws: exactly closed, teeth clear of one another, the requested number of triangles, and stages that
// match their names.

import { open } from 'nearfield';
import { afterAll, describe, expect, test } from 'vitest';
import { type JawOptions, type Jaws, jawParts, jawStages } from './jaws.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const slow = process.env.NEARFIELD_SLOW !== undefined;

const triangleCount = ({ upper, lower }: Jaws): number => upper.mesh.triangleCount + lower.mesh.triangleCount;
const small: JawOptions = { teeth: 'five', triangles: 6000 };

describe('teeth', () => {
  test.each([
    ['all, coarse', { teeth: 'all', triangles: 20_000 }, 14, 14],
    ...(slow ? ([['all', { teeth: 'all' }, 14, 14]] as const) : []),
    ['five', { teeth: 'five' }, 3, 2],
  ] as const)(
    '%s: each closed, each a part of its own, each with its number',
    (_, options, uppers, lowers) => {
      const jaws = jawParts(options);
      for (const [jaw, teeth] of [
        [jaws.upper, uppers],
        [jaws.lower, lowers],
      ] as const) {
        const { solid, adjacency, volume, triangleCount: triangles } = jaw.mesh;
        expect([solid, adjacency.componentCount]).toEqual([true, teeth]);
        // A tooth is a block of some 7 × 8 × 13 mm.
        expect(volume / teeth).toBeGreaterThan(300);
        expect(volume / teeth).toBeLessThan(1500);
        expect(jaw.labels.length).toBe(triangles);
        expect(new Set(jaw.labels).size).toBe(teeth);
      }
    },
  );

  test('do not meet themselves or their neighbours', async () => {
    const { upper, lower } = jawParts({ teeth: 'all', triangles: slow ? 300_000 : 40_000 });
    for (const { mesh } of [upper, lower]) {
      const scene = nf.scene();
      expect((await scene.selfIntersections(scene.add(mesh))).triangles.length).toBe(0);
      scene.close();
    }
  });

  test('have more than 110,000 triangles for the paper’s five, and at least the requested number', () => {
    expect(triangleCount(jawParts({ teeth: 'five' }))).toBeGreaterThan(110_000);
    for (const triangles of [6000, 50_000]) {
      const made = triangleCount(jawParts({ teeth: 'five', triangles }));
      expect(made).toBeGreaterThanOrEqual(triangles);
      expect(made).toBeLessThan(1.2 * triangles);
    }
  });

  test('lie on a lattice of 2⁻¹⁴ mm, the same for the same seed', () => {
    const [first, again, other] = [1, 1, 2].map(seed => jawParts({ ...small, seed }));
    const { positions } = first.upper.mesh;
    expect(positions.every(value => Number.isInteger(value * 2 ** 14))).toBe(true);
    expect(again.upper.mesh.positions).toEqual(positions);
    expect(other.upper.mesh.positions).not.toEqual(positions);
    expect(again.poseAt('touching')).toEqual(first.poseAt('touching'));
  });

  test('face outwards, upper teeth down and lower teeth up', () => {
    const { upper, lower } = jawParts(small);
    expect(upper.mesh.bounds[5]).toBe(12);
    expect(lower.mesh.bounds[2]).toBe(-12);
  });
});

describe('stages', () => {
  const meeting = (jaws: Jaws, stage: (typeof jawStages)[number]) => {
    const scene = nf.scene();
    scene.add(jaws.upper.mesh, { pose: jaws.upper.pose });
    scene.add(jaws.lower.mesh, { pose: jaws.poseAt(stage) });
    const [pair] = scene.interferencesSync();
    const found = { relation: pair?.relation ?? 'separate', triangles: pair?.triangleCount ?? 0 };
    scene.close();
    return found;
  };

  test.each([
    ['five', small],
    ['all', { teeth: 'all', triangles: 20_000 }],
  ] as const)('of %s teeth: apart, a few spots, closed, crossed', (_, options) => {
    const jaws = jawParts(options);
    const [apart, touching, closed, crossed] = jawStages.map(stage => meeting(jaws, stage));
    expect(apart.relation).toBe('separate');
    for (const { relation } of [touching, closed, crossed]) expect(relation).toBe('crossing');
    expect(touching.triangles).toBeLessThan(closed.triangles / 4);
    expect(closed.triangles).toBeLessThan(crossed.triangles);
  });

  test('apart has a gap of half a millimetre along the bite, and boxes that meet', () => {
    const jaws = jawParts(small);
    const scene = nf.scene();
    scene.add(jaws.upper.mesh);
    const pose = jaws.poseAt('apart');
    const apart = scene.add(jaws.lower.mesh, { pose });
    expect(scene.candidates().length).toBe(1);
    scene.remove(apart);
    // Raised by less than the gap it is still apart, by more it is not: the lattice of the gap search is 1/16 mm
    // wide.
    for (const [raise, meets] of [
      [0.4, false],
      [0.5 + 1 / 32, true],
    ] as const) {
      const raised = pose.slice();
      raised[14] += raise;
      const lower = scene.add(jaws.lower.mesh, { pose: raised });
      expect(scene.interferencesSync().length > 0, `raised by ${raise}`).toBe(meets);
      scene.remove(lower);
    }
    scene.close();
  });
});
