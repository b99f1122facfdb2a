// Depths of solids whose faces are flush nearly everywhere: unions of boxes and tetrahedra on a grid, against oracles
// that know their pieces (oracle/depth/box-unions.ts, oracle/depth/forbidden-translations.ts). The shortest translation then
// mostly leads along faces that stay in contact, or into a slot that a box fits exactly.

import { type Body, type Mesh, mesh, open, type Penetration } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  boxesMesh,
  boxUnionDepthSquared,
  boxUnionPair,
  cornersOf,
  type GridBox,
} from '../oracle/depth/box-unions.ts';
import { anyTurn, connectedCells, exactMaps, gridTetrahedra, mapped } from '../oracle/depth/flush-solids.ts';
import { type ConvexPiece, forbiddenDepth, type Point } from '../oracle/depth/forbidden-translations.ts';
import { unionMesh } from '../oracle/depth/tetrahedra-unions.ts';
import { randomFrom, whole } from '../oracle/triangles/generators.ts';
import { cellSolid } from '../oracle/voxel-contacts.ts';

const slow = process.env.NEARFIELD_SLOW === '1';
const many = { timeout: 3_600_000 };

let nf: Awaited<ReturnType<typeof openCpu>>;
const openCpu = () => open({ backend: 'cpu' });
beforeAll(async () => {
  nf = await openCpu();
});
afterAll(() => nf.close());

const meshOf = ({ positions, indices }: { positions: Float64Array; indices: Uint32Array }): Mesh =>
  mesh(positions, indices);

/** The answer. After the translation found, the two share no interior, whichever of them moves. */
function penetrationOf(first: Mesh, second: Mesh, note: string): Penetration {
  const scene = nf.scene();
  try {
    const [a, b] = [scene.add(first), scene.add(second)];
    const found = scene.penetrationSync(a, b);
    if (found.depth.upper === 0) return found;
    const { translation } = found;
    const expectApart = (body: Body, sign: number): void => {
      const { pose } = body;
      body.pose = pose.map((x, i) => (i >= 12 && i < 15 ? x + sign * translation[i - 12] : x));
      for (const { relation } of scene.interferencesSync()) expect(relation, note).toBe('touching');
      body.pose = pose;
    };
    expectApart(b, 1);
    expectApart(a, -1);
    return found;
  } finally {
    scene.close();
  }
}

/** The bracket contains the depth, and both bounds are near it. */
function expectDepth({ depth }: Penetration, truth: number, note: string): void {
  expect(depth.lower, note).toBeLessThanOrEqual(truth * (1 + 1e-12));
  expect(depth.upper, note).toBeGreaterThanOrEqual(truth * (1 - 1e-12));
  expect(depth.upper, note).toBeLessThanOrEqual(truth * 1.05);
  expect(depth.lower, note).toBeGreaterThanOrEqual(truth / 1.051);
}

it('lets a box slide along a wall that it touches', () => {
  const a = [
    { low: [4, 4, 4], high: [8, 6, 6] },
    { low: [2, 4, 4], high: [5, 8, 8] },
  ] as const;
  const b = [{ low: [5, 4, 5], high: [8, 8, 8] }] as const;
  const halved = (boxes: readonly GridBox[]): Mesh =>
    meshOf(boxesMesh(boxes, p => [p[0] / 2, p[1] / 2, p[2] / 2]));
  // The upper bound was 1.2481.
  const found = penetrationOf(halved(a), halved(b), '');
  expectDepth(found, 0.5, '');
  expect(found.depth.upper).toBeLessThan(0.5 + 1e-9);
});

it('brackets the depth of unions of boxes on a grid, including slots that fit exactly', many, () => {
  let overlaps = 0;
  const count = slow ? 6000 : 150;
  for (let seed = 1; seed <= count; seed++) {
    const { a, b } = boxUnionPair(seed);
    const truth = Math.sqrt(boxUnionDepthSquared({ a, b }));
    // Exact powers of two and quarter turns change nothing else.
    const scale = 2 ** (4 * (seed % 7) - 16);
    const turn = seed % 2 ? exactMaps['a quarter turn'] : exactMaps['axes in another order'];
    const place = (p: Point): Point => mapped(turn, [p[0] * scale, p[1] * scale, p[2] * scale]);
    const note = `seed ${seed}`;
    const found = penetrationOf(meshOf(boxesMesh(a, place)), meshOf(boxesMesh(b, place)), note);
    if (truth > 0) overlaps++;
    expectDepth(found, truth * scale, note);
  }
  expect(overlaps).toBeGreaterThan(count / 4);
});

it('brackets the depth of unions of thin boxes', many, () => {
  for (let seed = 1; seed <= (slow ? 2000 : 40); seed++) {
    // Seeds 234, 281 and 345: the upper bound was up to 6 times the depth. Their shortest ways out lead into a slot.
    const aspect = 2 ** [10, -10, 20, -20, 34][seed % 5];
    const stretched = ({ low, high }: GridBox): GridBox => ({
      low: [low[0] * aspect, low[1], low[2]],
      high: [high[0] * aspect, high[1], high[2]],
    });
    const { a, b } = boxUnionPair(seed);
    const pair = { a: a.map(stretched), b: b.map(stretched) };
    const truth = Math.sqrt(boxUnionDepthSquared(pair));
    const note = `seed ${seed}`;
    expectDepth(penetrationOf(meshOf(boxesMesh(pair.a)), meshOf(boxesMesh(pair.b)), note), truth, note);
  }
});

it('brackets the depth of solids of cells, each one surface', many, () => {
  for (let seed = 1; seed <= (slow ? 1500 : 30); seed++) {
    const random = randomFrom(seed);
    const [first, second] = [connectedCells(random), connectedCells(random)];
    const shift = [0, 1, 2].map(() => whole(random, -2, 2));
    const boxes = (cells: readonly (readonly number[])[], by: readonly number[]): GridBox[] =>
      cells.map(cell => {
        const [x, y, z] = cell.map((c, axis) => 2 * c + by[axis]);
        return { low: [x, y, z], high: [x + 2, y + 2, z + 2] };
      });
    const truth =
      Math.sqrt(boxUnionDepthSquared({ a: boxes(first, [0, 0, 0]), b: boxes(second, shift) })) / 2;
    const { positions, indices } = cellSolid(second);
    const moved = mesh(
      Float64Array.from(positions, (x, i) => x + shift[i % 3] / 2),
      indices,
    );
    const note = `seed ${seed}`;
    expectDepth(penetrationOf(cellSolid(first), moved, note), truth, note);
  }
});

it('a smaller ratio gives no worse bound', many, () => {
  for (let seed = 1; seed <= (slow ? 200 : 10); seed++) {
    const random = randomFrom(seed);
    const tetrahedra = gridTetrahedra(random);
    const boxes = boxUnionPair(seed);
    const solids = [
      [meshOf(unionMesh(tetrahedra.a)), meshOf(unionMesh(tetrahedra.b))],
      [meshOf(boxesMesh(boxes.a)), meshOf(boxesMesh(boxes.b))],
    ][seed % 2];
    const scene = nf.scene();
    const [a, b] = solids.map(solid => scene.add(solid));
    let last = scene.penetrationSync(a, b, { stopAtRatio: Infinity }).depth;
    for (const stopAtRatio of [4, 1.2, 1.05, 1.001, 1]) {
      const { depth } = scene.penetrationSync(a, b, { stopAtRatio });
      expect(depth.lower, `seed ${seed}, ${stopAtRatio}`).toBeGreaterThanOrEqual(last.lower);
      expect(depth.upper, `seed ${seed}, ${stopAtRatio}`).toBeLessThanOrEqual(last.upper);
      last = depth;
    }
    scene.close();
  }
});

describe('against the oracle of convex pieces', () => {
  /** Where a slot is narrower than 2·10^-9, what fits it may not be a translation of doubles. */
  function expectBracket(
    solids: readonly [Mesh, Mesh],
    a: readonly ConvexPiece[],
    b: readonly ConvexPiece[],
    note: string,
  ): void {
    const [low, high] = [-1e-9, 1e-9].map(grow => forbiddenDepth(a, b, grow).depth);
    const { depth } = penetrationOf(...solids, note);
    expect(depth.lower, note).toBeLessThanOrEqual(high);
    expect(depth.upper, note).toBeGreaterThanOrEqual(low);
    if (low < 1e-6) return;
    expect(depth.upper, note).toBeLessThanOrEqual(high * 1.05);
    expect(depth.lower, note).toBeGreaterThanOrEqual(low / 1.051);
  }

  it('brackets the depth of unions of tetrahedra on a grid', many, () => {
    for (let seed = 1; seed <= (slow ? 3000 : 60); seed++) {
      const { a, b } = gridTetrahedra(randomFrom(seed));
      expectBracket([meshOf(unionMesh(a)), meshOf(unionMesh(b))], a, b, `seed ${seed}`);
    }
  });

  it('brackets the depth of rotated and sheared boxes', many, () => {
    const maps = Object.values(exactMaps);
    for (let seed = 1; seed <= (slow ? 300 : 6); seed++) {
      const { a, b } = boxUnionPair(seed);
      const random = randomFrom(seed);
      const map = seed % 3 === 0 ? anyTurn(random) : maps[whole(random, 0, maps.length - 1)];
      // Every third time, the second is turned or sheared by itself first.
      const own = seed % 3 === 1 ? maps[whole(random, 0, maps.length - 1)] : undefined;
      const placeA = (p: Point): Point => mapped(map, p);
      const placeB = (p: Point): Point => placeA(own ? mapped(own, p) : p);
      const pieces = (boxes: readonly GridBox[], place: (p: Point) => Point): ConvexPiece[] =>
        boxes.map(box => cornersOf(box).map(place));
      const solids = [meshOf(boxesMesh(a, placeA)), meshOf(boxesMesh(b, placeB))] as const;
      expectBracket(solids, pieces(a, placeA), pieces(b, placeB), `seed ${seed}`);
    }
  });
});
