// Contacts of solids made of unit cells, moved by halves, against counting (oracle/voxel-contacts.ts). Every
// coordinate is a multiple of a half, so nothing is rounded and all faces are flush. The answers are also requested
// after exact quarter turns, doubled, added in the other order and exchanged.

import { type ContactPatch, type Mesh, mesh, open, shapes } from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { randomIntegers } from '../../packages/nearfield/src/interferences/testing/brute-engine.ts';
import { type Cell, cellSolid, type VoxelContact, voxelContacts } from '../oracle/voxel-contacts.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

/** The seeds of a test: those that once showed a bug, and this many from the first. */
function seedsOf(found: readonly number[], rounds: number): number[] {
  const first = Number(process.env.NEARFIELD_SEED ?? 1);
  return [...found, ...Array.from({ length: rounds }, (_, i) => first + i)];
}

function randomCells(random: (n: number) => number, size: readonly number[]): Cell[] {
  const share = 1 + random(5);
  const all = Array.from({ length: size[0] * size[1] * size[2] }, (_, i) => [
    i % size[0],
    Math.floor(i / size[0]) % size[1],
    Math.floor(i / (size[0] * size[1])),
  ]);
  const kept = all.filter(() => random(7) < share);
  return kept.length > 0 ? kept : [all[random(all.length)]];
}

const at = (x: number, y: number, z: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

function patchesOf(
  [a, poseA]: readonly [Mesh, readonly number[]],
  [b, poseB]: readonly [Mesh, readonly number[]],
  exchanged = false,
): readonly ContactPatch[] {
  const scene = nf.scene();
  const first = scene.add(exchanged ? b : a, { pose: exchanged ? poseB : poseA });
  const second = scene.add(exchanged ? a : b, { pose: exchanged ? poseA : poseB });
  const { patches } = exchanged ? scene.contactsSync(second, first) : scene.contactsSync(first, second);
  scene.close();
  return patches;
}

const rounded = (values: ArrayLike<number>): number[] =>
  Array.from(values, x => Math.round(x * 2 ** 20) / 2 ** 20 + 0);
const inOrder = (lists: readonly (readonly number[])[]): string[] => lists.map(list => list.join(' ')).sort();

const kindOf = ({ depth, area, points }: ContactPatch): VoxelContact['kind'] =>
  depth > 0 ? 'overlap' : area > 0 ? 'flat' : points.length > 1 ? 'line' : 'point';

/** Whether a box from one corner to the other holds a point. */
const within = (low: readonly number[], high: readonly number[], point: ArrayLike<number>, slack: number) =>
  low.every((x, axis) => point[axis] >= x - slack && point[axis] <= high[axis] + slack);

function compare(
  patches: readonly ContactPatch[],
  expected: readonly VoxelContact[],
  solids: readonly (readonly Cell[])[],
  said: string,
): void {
  for (const { point, normal, points, area } of patches) {
    expect(Math.hypot(...normal), said).toBeCloseTo(1, 12);
    for (const position of [point, ...points.map(({ position }) => position)]) {
      for (const cells of solids) {
        const held = cells.some(cell =>
          within(
            cell,
            cell.map(x => x + 1),
            position,
            1e-14,
          ),
        );
        expect(held, `${said}: ${position} in ${JSON.stringify(cells)}`).toBe(true);
      }
    }
    const sum = points.reduce((total, part) => total + part.area, 0);
    expect(sum, said).toBeCloseTo(area, 12);
  }
  const of = (kind: VoxelContact['kind']): ContactPatch[] => patches.filter(patch => kindOf(patch) === kind);
  const expectedOf = (kind: VoxelContact['kind']): VoxelContact[] =>
    expected.filter(contact => contact.kind === kind);
  expect(
    inOrder(of('flat').map(({ normal, area }) => rounded(normal.map(x => x * area)))),
    `${said}: flat`,
  ).toEqual(inOrder(expectedOf('flat').map(({ vector }) => rounded(vector))));
  expect(inOrder(of('point').map(({ point }) => rounded(point))), `${said}: points`).toEqual(
    inOrder(expectedOf('point').map(({ corners }) => rounded(corners[0]))),
  );
  // A line is identified by its end point with the smallest coordinates.
  expect(of('line').length, `${said}: lines`).toBe(expectedOf('line').length);
  for (const { points } of of('line')) {
    const held = expectedOf('line').some(({ corners }) =>
      points.every(({ position }) => corners.some(corner => corner.every((x, i) => x === position[i]))),
    );
    expect(held, `${said}: line ${points.map(({ position }) => position)}`).toBe(true);
  }
  expect(of('overlap').length, `${said}: overlaps`).toBe(expectedOf('overlap').length);
  for (const { vector, corners } of expectedOf('overlap')) {
    const boxes = corners.length / 8;
    const patch = of('overlap').find(({ point }) =>
      Array.from({ length: boxes }, (_, i) => corners.slice(8 * i, 8 * i + 8)).some(box =>
        within(
          [0, 1, 2].map(axis => Math.min(...box.map(corner => corner[axis]))),
          [0, 1, 2].map(axis => Math.max(...box.map(corner => corner[axis]))),
          point,
          1e-14,
        ),
      ),
    );
    expect(patch, `${said}: a patch in each overlap`).toBeDefined();
    const along = corners.map(corner => corner.reduce((sum, x, i) => sum + x * patch!.normal[i], 0));
    expect(patch!.depth, `${said}: depth`).toBeCloseTo(Math.max(...along) - Math.min(...along), 10);
    const size = Math.hypot(...vector);
    // If the vector cancels, the normal is another one, and one point stands for the patch.
    const cancels = patch!.points.length === 1 && Math.abs(patch!.area - size) > 1e-9;
    if (!cancels) expect(rounded(patch!.normal.map(x => x * patch!.area)), said).toEqual(rounded(vector));
  }
}

/**
 * The parts of a patch that a symmetry keeps: its normal rotated back, depth and area scaled down. Its point may be
 * one of several that are equally near to the middle, if that lies outside.
 */
type Seen = readonly number[];

function seenBack(patches: readonly ContactPatch[], turn: readonly number[], scale: number): Seen[] {
  const back = (v: ArrayLike<number>): number[] =>
    [0, 1, 2].map(i => turn[4 * i] * v[0] + turn[4 * i + 1] * v[1] + turn[4 * i + 2] * v[2]);
  return patches.map(({ normal, depth, area, points }) => {
    const seen = rounded([...back(normal), depth / scale, area / scale ** 2]);
    if (kindOf({ depth, area, points } as ContactPatch) !== 'overlap' || points.length > 1) return seen;
    // A direction of least extent. Several may be equally short, as for a cube, and no rule prefers one in every
    // rotation.
    return [seen[3]];
  });
}

const product = (a: readonly number[], b: readonly number[]): number[] =>
  Array.from({ length: 16 }, (_, k) =>
    [0, 1, 2, 3].reduce((sum, i) => sum + a[(k % 4) + 4 * i] * b[4 * Math.floor(k / 4) + i], 0),
  );

/** The 24 rotations that map axes to axes. */
const turns = ((): number[][] => {
  const found = new Map<string, number[]>([[at(0, 0, 0).join(), at(0, 0, 0)]]);
  const steps = [
    [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1],
    [1, 0, 0, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1],
  ];
  for (const turn of found.values()) {
    for (const step of steps) {
      const next = product(step, turn).map(x => x + 0);
      if (!found.has(next.join())) found.set(next.join(), next);
    }
  }
  return [...found.values()];
})();

test('contacts of cells equal those found by counting', { timeout: 3_600_000 }, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 40_000 : 30;
  const counts = { overlap: 0, flat: 0, line: 0, point: 0 };
  for (const seed of seedsOf([205_210, 211_753, 214_786], rounds)) {
    const random = randomIntegers(seed);
    const [a, b] = [randomCells(random, [2, 3, 3]), randomCells(random, [2, 3, 2])];
    const shift = [0, 1, 2].map(() => (random(2) === 0 ? 2 * (random(3) - 1) : random(5) - 2));
    const expected = voxelContacts(a, b, shift);
    const [solidA, solidB] = [cellSolid(a, random(2) === 0), cellSolid(b, random(2) === 0)];
    const place = at(shift[0] / 2, shift[1] / 2, shift[2] / 2);
    const patches = patchesOf([solidA, at(0, 0, 0)], [solidB, place]);
    const moved = b.map(cell => cell.map((x, axis) => x + shift[axis] / 2));
    const said = `seed ${seed}, ${JSON.stringify(a)} and ${JSON.stringify(b)} by ${shift} halves`;
    compare(patches, expected, [a, moved], said);
    for (const { kind } of expected) counts[kind]++;
  }
  expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(0);
});

test('contacts of cells stay the same under quarter turns, doubling, other insertion order and exchange', {
  timeout: 3_600_000,
}, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 5_000 : 15;
  for (const seed of seedsOf([4_473, 200_199, 202_505], rounds)) {
    const random = randomIntegers(seed);
    const [a, b] = [randomCells(random, [2, 2, 3]), randomCells(random, [2, 3, 2])];
    const shift = [0, 1, 2].map(() => random(5) - 2);
    const [solidA, solidB] = [cellSolid(a), cellSolid(b)];
    const place = at(shift[0] / 2, shift[1] / 2, shift[2] / 2);
    const expected = inOrder(seenBack(patchesOf([solidA, at(0, 0, 0)], [solidB, place]), turns[0], 1));
    const turn = turns[random(24)];
    const scale = 2 ** (random(41) - 20);
    const said = `seed ${seed}, turned by ${turn.slice(0, 11)}, scaled by ${scale}`;
    const scaled = turn.map((x, i) => (i < 12 ? x * scale : x));
    const exchanged = random(2) === 1;
    const turned = patchesOf([solidA, scaled], [solidB, product(scaled, place)], exchanged);
    expect(inOrder(seenBack(turned, turn, scale)), said).toEqual(expected);
  }
});

/** Boxes of whole numbers that may overlap, each facing outwards or inwards, as one mesh, and the cells it winds around. */
function randomFolds(random: (n: number) => number): { folded: Mesh; cells: Cell[] } {
  const boxes = Array.from({ length: 1 + random(3) }, () => {
    const low = [0, 1, 2].map(() => random(2));
    return { low, high: low.map(x => x + 1 + random(2)), sign: random(4) === 0 ? -1 : 1 };
  });
  const soup: number[] = [];
  for (const { low, high, sign } of boxes) {
    const { positions, indices } = shapes.box();
    for (let i = 0; i < indices.length; i += 3) {
      const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
      for (const vertex of sign > 0 ? [a, b, c] : [a, c, b]) {
        for (let axis = 0; axis < 3; axis++) {
          soup.push(positions[3 * vertex + axis] < 0 ? low[axis] : high[axis]);
        }
      }
    }
  }
  const cells: Cell[] = [];
  for (let i = 0; i < 27; i++) {
    const cell = [i % 3, Math.floor(i / 3) % 3, Math.floor(i / 9)];
    const winding = boxes.reduce(
      (sum, { low, high, sign }) => sum + (cell.every((x, k) => x >= low[k] && x < high[k]) ? sign : 0),
      0,
    );
    if (winding !== 0) cells.push(cell);
  }
  return { folded: mesh(Float64Array.from(soup)), cells };
}

test('contacts of solids that overlap themselves equal those of the cells they wind around', {
  timeout: 3_600_000,
}, () => {
  const rounds = process.env.NEARFIELD_SLOW ? 5_000 : 5;
  for (const seed of seedsOf([206_639, 211_546], rounds)) {
    const random = randomIntegers(seed);
    const [a, b] = [randomFolds(random), randomFolds(random)];
    if (a.cells.length === 0 || b.cells.length === 0) continue;
    const shift = [0, 1, 2].map(() => random(5) - 2);
    const place = at(shift[0] / 2, shift[1] / 2, shift[2] / 2);
    const patches = patchesOf([a.folded, at(0, 0, 0)], [b.folded, place]);
    const moved = b.cells.map(cell => cell.map((x, axis) => x + shift[axis] / 2));
    const said = `seed ${seed}, ${JSON.stringify(a.cells)} and ${JSON.stringify(b.cells)} by ${shift} halves`;
    compare(patches, voxelContacts(a.cells, b.cells, shift), [a.cells, moved], said);
  }
});
