import { type Mesh, mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { cornerBox } from '../shapes.ts';

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/** Closed and oriented, but made of segments and points only. */
const segments = (): Mesh =>
  mesh(new Float64Array([0, 0, 1, 0, 1, 0, 1, 0, 0]), new Uint32Array([2, 2, 2, 1, 1, 0, 2, 2, 1, 0, 2, 0]));
/** A bent sheet of two triangles, and the same from behind, each side divided differently. */
const foldedSheet = (): Mesh =>
  mesh(
    new Float64Array([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 2, 0, 1, 2, 1, 1]),
    new Uint32Array([0, 1, 2, 0, 2, 3, 1, 3, 2, 0, 3, 1, 1, 4, 5, 1, 5, 2, 4, 2, 5, 1, 2, 4]),
  );
/** A solid with volume beside a part without. */
const withVolume = (): Mesh =>
  mesh(
    new Float64Array([0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 2, 3, 2, 2, 2, 3, 2, 2, 2, 3]),
    new Uint32Array([0, 1, 2, 0, 2, 1, 3, 5, 4, 3, 4, 6, 4, 5, 6, 3, 6, 5]),
  );

// A closed mesh without volume was touching every solid around it, although they have no common point.
for (const [name, made] of [
  ['segments', segments],
  ['a folded sheet', foldedSheet],
] as const) {
  test(`${name}, which bound no volume, are separate from a surrounding solid`, async () => {
    const nf = await open({ backend: 'cpu' });
    for (const first of [true, false]) {
      const scene = nf.scene();
      const flat = made();
      expect(flat.solid).toBe(true);
      const [a, b] = first
        ? [scene.add(flat, { pose: at(3, 3, 3) }), scene.add(cornerBox(8))]
        : [scene.add(cornerBox(8)), scene.add(flat, { pose: at(3, 3, 3) })];
      expect(scene.interferencesSync().length).toBe(0);
      const surface = scene.distanceSync(a, b, { surface: true }).distance;
      expect(scene.distanceSync(a, b).distance).toBe(surface);
      expect(surface).toBe(3);
      expect(scene.withinSync(3).length).toBe(0);
      expect([...scene.withinSync(3.5)].map(pair => pair.distance)).toEqual([3]);
      expect(scene.penetrationSync(a, b).depth).toEqual({ lower: 0, upper: 0 });
      expect(scene.contactsSync(a, b).patches.length).toBe(0);
      // In contact they touch.
      (first ? a : b).pose = at(0, 3, 3);
      expect([...scene.interferencesSync()].map(pair => pair.relation)).toEqual(['touching']);
      expect(scene.distanceSync(a, b).distance).toBe(0);
      scene.close();
    }
    nf.close();
  });
}

test('a part that bounds a volume counts, whatever lies beside it', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const a = scene.add(withVolume(), { pose: at(2, 2, 2) });
  const b = scene.add(cornerBox(8));
  expect([...scene.interferencesSync()].map(pair => pair.relation)).toEqual(['inside']);
  expect(scene.distanceSync(a, b).distance).toBe(0);
  a.pose = at(-2.25, -2.25, -2.25);
  expect([...scene.interferencesSync()].map(pair => pair.relation)).toEqual(['crossing']);
  // The volume is outside, the flat part inside.
  a.pose = at(7, 7, 7);
  b.pose = at(0.5, 0.5, 0.5);
  expect(scene.interferencesSync().length).toBe(0);
  expect(scene.distanceSync(a, b).distance).toBe(0.5);
  nf.close();
});
