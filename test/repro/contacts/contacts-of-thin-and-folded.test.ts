// Contacts that were wrong: points far from both bodies, thin overlaps without area, inner walls that counted, pieces that
// merged and lines that were lost.

import { type ContactPatch, type Mesh, mesh, open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { cellSolid } from '../../oracle/voxel-contacts.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

type Place = readonly number[];

/** The patches of two bodies, and how far each of their points lies from either solid. */
function patchesOf(a: Mesh, poseA: Place, b: Mesh, poseB: Place): readonly ContactPatch[] {
  const scene = nf.scene();
  const bodies = [scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB })] as const;
  const { patches } = scene.contactsSync(...bodies);
  for (const { point, points } of patches) {
    for (const position of [point, ...points.map(({ position }) => position)]) {
      for (const body of bodies) {
        const inside = !body.mesh.solid || scene.insideSync(body, position)[0] === 1;
        const away = inside ? 0 : scene.closestSync(body, position).distances[0];
        expect(away, `${position}`).toBeLessThan(1e-14);
      }
    }
  }
  scene.close();
  return patches;
}

/** A box from one corner to another. */
const box = (low: readonly number[], high: readonly number[]): Mesh => {
  const { positions, indices } = shapes.box();
  return mesh(
    positions.map((x, i) => (x < 0 ? low[i % 3] : high[i % 3])),
    indices,
  );
};

/** Several meshes as one. */
const together = (...meshes: Mesh[]): Mesh => {
  const builder = new shapes.SolidBuilder();
  for (const part of meshes) builder.add(part);
  return builder.mesh();
};

/** Patches by depth, area and normal, rounded. */
const seen = (patches: readonly ContactPatch[]) =>
  patches
    .map(({ depth, area, normal }) => [depth, area, ...normal].map(x => Math.round(1e9 * x) / 1e9 + 0))
    .sort((p, q) => q[1] - p[1] || q[2] - p[2] || q[3] - p[3] || q[4] - p[4]);

test('points lie in both bodies: a bar through a cube', () => {
  const [c, s] = [Math.cos(1.5), Math.sin(1.5)];
  const [x, y] = [Math.SQRT1_2, Math.SQRT1_2];
  const turn = [
    ...[c + x * x * (1 - c), x * y * (1 - c), -y * s, 0],
    ...[x * y * (1 - c), c + y * y * (1 - c), x * s, 0],
    ...[y * s, -x * s, c, 0],
    ...[0.25, -0.0625, -0.1875, 1],
  ];
  const patches = patchesOf(shapes.box(), at(0, 0, 0), shapes.box({ size: [0.5, 0.5, 4.5] }), turn);
  expect(patches.length).toBe(1);
});

test('points lie in both bodies: cells that are not convex', () => {
  const cells = [
    [0, 1, 2],
    [0, 1, 1],
    [0, 2, 2],
    [1, 2, 2],
  ];
  const patches = patchesOf(cellSolid(cells), at(0, 0, 0), cellSolid(cells.slice(0, 2)), at(0.5, 0.5, 0.5));
  expect(patches.length).toBeGreaterThan(0);
});

test('a thinning overlap becomes touching', () => {
  for (const thickness of [0, 1e-16, 2 ** -52, 1e-15, 1e-13, 1e-12, 1e-11, 1e-8, 1e-4]) {
    const thin = box([0.25, 0.25, 1 - thickness], [0.75, 0.75, 2]);
    const [patch, ...others] = patchesOf(box([0, 0, 0], [1, 1, 1]), at(0, 0, 0), thin, at(0, 0, 0));
    expect(others).toEqual([]);
    expect(patch.area).toBeCloseTo(0.25, 12);
    expect(patch.depth).toBeCloseTo(1 - (1 - thickness), 15);
    expect([...patch.normal].map(n => Math.round(n * 1e9) / 1e9 + 0)).toEqual([0, 0, 1]);
    expect([...patch.point].map(n => Math.round(n * 1e3) / 1e3)).toEqual([0.5, 0.5, 1]);
    expect(patch.points.length).toBe(4);
  }
});

test('a table pressed slightly into a floor stands on four feet', () => {
  for (const thickness of [0, 1e-13]) {
    const foot = shapes.box({ size: [0.1, 0.1, 1] });
    const table = new shapes.SolidBuilder();
    for (const x of [-1, 1]) for (const y of [-0.5, 0.5]) table.add(foot, [x, y, 0.5]);
    const patches = patchesOf(
      shapes.box({ size: [8, 8, 2] }),
      at(0, 0, -1),
      table.mesh(),
      at(0, 0, -thickness),
    );
    expect(patches.length).toBe(4);
    for (const { area, depth } of patches) {
      expect(area).toBeCloseTo(0.01, 12);
      expect(depth).toBeCloseTo(thickness, 15);
    }
  }
});

test('boxes that overlap by the rounding of 0.1 + 0.2 against 0.3 have the area of touching', () => {
  const low = box([0, 0, 0], [1, 1, 0.1 + 0.2]);
  const high = box([0.25, 0.25, 0.3], [0.75, 0.75, 1]);
  const [patch, ...others] = patchesOf(low, at(0, 0, 0), high, at(0, 0, 0));
  expect(others).toEqual([]);
  expect(patch.area).toBeCloseTo(0.25, 12);
  expect(patch.depth).toBeLessThan(1e-16);
  expect([...patch.normal].map(n => Math.round(n * 1e9) / 1e9 + 0)).toEqual([0, 0, 1]);
});

test('inner walls of a solid that overlaps itself do not count', () => {
  const folded = together(box([0, 0, 0], [3, 4, 1]), box([1.3, 0, 0], [4, 4, 1]));
  const pin = box([1, 1, 0.8], [2, 2, 2]);
  expect(seen(patchesOf(folded, at(0, 0, 0), pin, at(0, 0, 0)))).toEqual([[0.2, 1, 0, 0, 1]]);
  // Touching: the top of both parts is one face.
  expect(seen(patchesOf(folded, at(0, 0, 0), pin, at(0, 0, 0.2)))).toEqual([[0, 1, 0, 0, 1]]);
});

test('a mesh laid twice upon itself has the contacts of the same solid', () => {
  const cube = shapes.box();
  const twice = together(cube, cube);
  for (const height of [0.75, 1]) {
    const expected = seen(patchesOf(cube, at(0, 0, 0), cube, at(0.25, 0, height)));
    expect(seen(patchesOf(twice, at(0, 0, 0), cube, at(0.25, 0, height)))).toEqual(expected);
    expect(seen(patchesOf(cube, at(0, 0, 0), twice, at(0.25, 0, height)))).toEqual(expected);
  }
});

test('coplanar pieces with opposite normals stay separate at a common corner', () => {
  const a = cellSolid([
    [0, 1, 2],
    [1, 1, 2],
    [0, 1, 1],
    [1, 2, 2],
  ]);
  const b = cellSolid([
    [0, 2, 2],
    [0, 2, 1],
    [1, 2, 1],
    [1, 1, 1],
  ]);
  expect(seen(patchesOf(a, at(0, 0, 0), b, at(0, 0, 0)))).toEqual([
    [0, 2, 0, 1, 0],
    [0, 2, 0, 0, -1],
    [0, 1, 1, 0, 0],
    [0, 1, -1, 0, 0],
  ]);
});

test('a line of contact that ends at a flat patch is a separate contact', () => {
  const a = cellSolid([
    [1, 1, 0],
    [1, 0, 0],
    [0, 1, 0],
  ]);
  const b = cellSolid([
    [1, 0, 1],
    [0, 0, 1],
  ]);
  const patches = patchesOf(a, at(0, 0, 0), b, at(0, 0, 0));
  const lines = patches.filter(({ area }) => area === 0);
  expect(patches.filter(({ area }) => area > 0).map(({ area }) => Math.round(area * 1e9) / 1e9)).toEqual([1]);
  expect(lines.some(({ point }) => [...point].join() === '0.5,1,1')).toBe(true);
});
