import { mesh, open } from 'nearfield';
import { expect, test } from 'vitest';

const faces = [0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4, 2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5];

/** An octahedron, by the distances of its corners from the origin: along +x, -x, +y, -y, +z, -z. */
const octahedron = (reach: readonly number[]) =>
  mesh(
    Float64Array.from({ length: 18 }, (_, i) => {
      const corner = Math.floor(i / 3);
      return corner >> 1 === i % 3 ? (corner % 2 === 0 ? 1 : -1) * reach[corner] : 0;
    }),
    Uint32Array.from(faces),
  );

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

// If solids only touch, their common part is flat, and its area, a sum of rounded terms that cancel, may come out
// below zero. It counted as a region with a volume, although it had none, and so as a hole of itself, merged without
// end.
test('contacts of touching octahedra terminate', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const a = scene.add(octahedron([2, 1, 1, 1, 1, 2]), { pose: at(0.5, 0.5, 1) });
  const b = scene.add(octahedron([1, 1, 1, 1, 1, 1]), { pose: at(1, 0, -1) });
  expect([...scene.interferencesSync()].map(pair => pair.relation)).toEqual(['touching']);
  for (const { depth } of scene.contactsSync(a, b).patches) expect(depth).toBe(0);
  nf.close();
});

test('contacts of octahedra on a half-integer grid are finite, and deep only where the solids overlap', async () => {
  const nf = await open({ backend: 'cpu' });
  const count = process.env.NEARFIELD_SLOW ? 20_000 : 100;
  let state = 1;
  const random = (from: number, to: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return from + Math.floor((state / 2 ** 32) * (to - from + 1));
  };
  for (let trial = 0; trial < count; trial++) {
    const scene = nf.scene();
    const [a, b] = [0, 1].map(() =>
      scene.add(octahedron(Array.from({ length: 6 }, () => random(1, 2))), {
        pose: at(random(-3, 3) / 2, random(-3, 3) / 2, random(-3, 3) / 2),
      }),
    );
    const pairs = [...scene.interferencesSync()];
    const { patches } = scene.contactsSync(a, b);
    const said = `trial ${trial}, ${pairs[0]?.relation}`;
    for (const { point, normal, depth, area } of patches) {
      expect([...point, ...normal, depth, area].every(Number.isFinite), said).toBe(true);
    }
    const overlaps = pairs.length > 0 && pairs[0].relation !== 'touching';
    expect(
      patches.some(({ depth }) => depth > 0),
      said,
    ).toBe(overlaps);
    scene.close();
  }
  nf.close();
});
