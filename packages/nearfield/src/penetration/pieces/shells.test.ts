import { expect, it } from 'vitest';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { box, displacedSphere } from '../../shapes/index.ts';
import { cuboids } from '../testing/solids.ts';
import { convexShells } from './shells.ts';

const frame = {
  centre: new Float64Array(3),
  scale: 0.125,
  half: Float64Array.of(8, 8, 8),
  reach: Float64Array.of(8, 8, 8),
};
const shellsOf = (solid: Mesh) =>
  convexShells({ mesh: solid, positions: solid.positions, revision: 0 } as never, frame);

/** One mesh of several, one after the other. */
function joined(...parts: readonly { positions: ArrayLike<number>; indices: ArrayLike<number> }[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const part of parts) {
    const first = positions.length / 3;
    positions.push(...Array.from(part.positions));
    indices.push(...Array.from(part.indices, i => i + first));
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

const tetrahedron = {
  positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
  indices: [0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3],
};
const turned = ({ positions, indices }: { positions: ArrayLike<number>; indices: ArrayLike<number> }) => ({
  positions,
  indices: Array.from(indices).reverse(),
});

it('accepts tetrahedra and boxes as pieces, overlapping or at a common edge', () => {
  const alone = shellsOf(joined(tetrahedron))!;
  expect([alone.whole, alone.pieces.length, alone.pieces[0].simplex]).toEqual([true, 1, true]);
  // The radius of the ball in a corner of a cube of side 1, in units of 8.
  expect(alone.pieces[0].inner).toBeCloseTo(1 / (3 + Math.sqrt(3)) / 8, 6);
  expect(shellsOf(joined(tetrahedron, box({ size: [1, 2, 3] })))).toMatchObject({
    whole: true,
    pieces: { length: 2 },
  });
  const two = shellsOf(
    cuboids([
      [0, 0, 0, 1, 1, 1],
      [1, 1, 0, 2, 2, 1],
    ]),
  );
  expect(two).toMatchObject({ whole: true, pieces: { length: 2 } });
  // At a common face: four faces meet at each of its edges, in the order of the mesh or as loose triangles.
  const beside = {
    positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, -1],
    indices: [0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0],
  };
  const atFace = joined(tetrahedron, beside);
  expect(shellsOf(atFace)).toMatchObject({ whole: true, pieces: { length: 2 } });
  const corners = Array.from(atFace.indices).flatMap(v => [...atFace.positions.slice(3 * v, 3 * v + 3)]);
  expect(shellsOf(mesh(Float64Array.from(corners)))).toMatchObject({ whole: true, pieces: { length: 2 } });
  // Both turned inside out: the solid is the same.
  expect(shellsOf(joined(turned(tetrahedron), turned(box({ size: [1, 2, 3] }))))?.whole).toBe(true);
});

it('finds no piece in a solid with a hollow, nor in a sheet of two sides', () => {
  const hollow = joined(box({ size: [4, 4, 4] }), turned(box({ size: [2, 2, 2] })));
  expect(shellsOf(hollow)).toBeUndefined();
  const sheet = { positions: tetrahedron.positions, indices: [0, 1, 2, 0, 2, 3, 0, 2, 1, 0, 3, 2] };
  expect(shellsOf(joined(sheet))).toBeUndefined();
  expect(shellsOf(joined(tetrahedron, sheet))).toBeUndefined();
});

it('finds no piece in a deformed body that has come apart', () => {
  // Each face has corners of its own.
  const positions = Float64Array.from(
    tetrahedron.indices.flatMap(i => tetrahedron.positions.slice(3 * i, 3 * i + 3)),
  );
  const loose = mesh(
    positions,
    Uint32Array.from({ length: 12 }, (_, i) => i),
  );
  const shells = (p: Float64Array) =>
    convexShells({ mesh: loose, positions: p, revision: 0 } as never, frame);
  expect(shells(positions)?.whole).toBe(true);
  expect(shells(positions.map((x, i) => (i < 9 ? x + 0.5 : x)))).toBeUndefined();
});

it('finds the convex ones among star-shaped shells', () => {
  const bumpy = displacedSphere({ triangles: 200, amplitude: 0.3 });
  expect(shellsOf(bumpy)).toBeUndefined();
  expect(shellsOf(joined(bumpy, tetrahedron))).toMatchObject({ whole: false, pieces: { length: 1 } });
});
