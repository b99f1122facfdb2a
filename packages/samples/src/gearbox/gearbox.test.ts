import { open } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { gearboxMistakes, gearboxParts } from './gearbox.ts';

describe('gearboxParts', () => {
  const parts = gearboxParts();

  it('has about five dozen named solids', () => {
    expect(parts.length).toBeGreaterThanOrEqual(36);
    expect(parts.length).toBeLessThanOrEqual(64);
    expect(new Set(parts.map(({ name }) => name)).size).toBe(parts.length);
    for (const { name, mesh } of parts) {
      expect([mesh.closed, mesh.oriented, mesh.manifold], name).toEqual([true, true, true]);
      expect(mesh.volume, name).toBeGreaterThan(0);
    }
  });

  it('places every part by quarter turns and shifts that are exact in doubles', () => {
    for (const { name, pose } of parts) {
      for (const k of [0, 1, 2, 4, 5, 6, 8, 9, 10]) expect(Math.abs(pose[k]), name).toBeOneOf([0, 1]);
      for (const k of [12, 13, 14]) expect(Number.isInteger(pose[k] * 64), name).toBe(true);
    }
  });

  it('has the planned mistakes, and otherwise parts that touch or are apart', async () => {
    const nearfield = await open({ backend: 'cpu' });
    try {
      const scene = nearfield.scene();
      for (const { name, mesh, pose } of parts) scene.add(mesh, { name, pose });
      const found = [...(await scene.interferences())];
      const wrong = found.filter(({ relation }) => relation !== 'touching');
      const described = wrong.map(({ a, b, relation }) => `${a.name} ${relation} ${b.name}`).sort();
      expect(described).toEqual(gearboxMistakes.map(({ a, b, relation }) => `${a} ${relation} ${b}`).sort());
      expect(found.length - wrong.length).toBe(59);
    } finally {
      nearfield.close();
    }
  });
});
