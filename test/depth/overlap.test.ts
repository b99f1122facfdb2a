// What two solids have in common, against other algorithms: counting cells, cutting tetrahedra in exact fractions, formulas for
// lenses, samples; and against itself after changes that must not matter. Every volume and area is compared within the error
// that the answer states.

import {
  type Body,
  type CpuScene,
  identity,
  type Mesh,
  mesh,
  NearfieldError,
  type Overlap,
  open,
  shapes,
} from 'nearfield';
import { afterAll, expect, test } from 'vitest';
import { commonVolume } from '../oracle/clipped-tetrahedra.ts';
import { boxesMesh, boxUnionPair, type GridBox } from '../oracle/depth/box-unions.ts';
import { connectedCells, gridTetrahedra } from '../oracle/depth/flush-solids.ts';
import type { ConvexPiece } from '../oracle/depth/forbidden-translations.ts';
import { unionMesh, unionPair } from '../oracle/depth/tetrahedra-unions.ts';
import { extremeSolid, moderate } from '../oracle/extremes.ts';
import { Failures } from '../oracle/failures.ts';
import { randomFrom, whole } from '../oracle/triangles/generators.ts';
import { type Cell, cellSolid, voxelContacts } from '../oracle/voxel-contacts.ts';
import { rigid, subdivided, translation } from '../spec/scenes.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const rounds = process.env.NEARFIELD_SLOW ? 20 : 1;

type Place = ArrayLike<number>;
const at = (x: number, y = 0, z = 0): number[] => translation(x, y, z);

function overlapOf(
  a: Mesh,
  poseA: Place,
  b: Mesh,
  poseB: Place,
  exchanged = false,
): Overlap & { inBoth: boolean } {
  const scene = nf.scene() as CpuScene;
  const [first, second] = [scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB })];
  const found = exchanged ? scene.overlapSync(second, first) : scene.overlapSync(first, second);
  const inBoth =
    found.point !== undefined &&
    [first, second].every(body => {
      if (scene.insideSync(body, found.point!)[0] !== 0) return true;
      const { distances } = scene.closestSync(body, found.point!);
      return (
        distances[0] <= 2 ** -42 * sizeOf(body) + 2 ** -50 * Math.max(...Array.from(found.point!, Math.abs))
      );
    });
  scene.close();
  return { ...found, inBoth };
}

/** No less than the extent of a body along an axis of the world. */
function sizeOf({ mesh: { bounds }, pose }: Body): number {
  const sizes = [0, 1, 2].map(axis => bounds[axis + 3] - bounds[axis]);
  return Math.max(
    ...[0, 1, 2].map(row => sizes.reduce((sum, x, k) => sum + Math.abs(pose[4 * k + row]) * x, 0)),
  );
}

/** What an oracle in doubles may be off by, as a share. */
const few = 2 ** -48;

const isRight = (found: number, error: number, expected: number, size = Math.abs(expected)): boolean =>
  error >= 0 && Math.abs(found - expected) <= error + few * size;

test('tetrahedra have the volume and the middle found by cutting them in fractions', () => {
  const failures = new Failures();
  let [count, worst] = [0, 0];
  for (let seed = 1; seed <= 60 * rounds; seed++) {
    const { a, b } = unionPair(seed);
    // Every third has all bits of its doubles; the oracle is slower then.
    const [p, q] = [a, b].map(pieces => pieces.slice(0, 1).map(piece => (seed % 3 ? rounded(piece) : piece)));
    const expected = commonVolume(p, q);
    const [meshA, meshB] = [p, q].map(pieces => meshOf(unionMesh(pieces)));
    const found = overlapOf(meshA, identity(), meshB, identity());
    failures.check(
      isRight(found.volume, found.volumeError, expected.volume),
      () => `seed ${seed}: ${found.volume} ± ${found.volumeError}, not ${expected.volume}`,
    );
    if (!(expected.volume > 1e-6)) continue;
    count++;
    worst = Math.max(worst, found.volumeError / expected.volume);
    // The common part is convex: its middle lies in it.
    const middle = expected.moment.map(x => x / expected.volume);
    failures.check(
      middle.every((x, axis) => Math.abs(x - found.point![axis]) < 1e-9),
      () => `seed ${seed}: middle ${found.point}, not ${middle}`,
    );
    failures.check(found.inBoth, () => `seed ${seed}: ${found.point} is not in both`);
  }
  expect(failures.list).toEqual([]);
  expect(count).toBeGreaterThan(10 * rounds);
  // The bound is worth stating.
  expect(worst).toBeLessThan(1e-6);
});

/** On a grid of 2^-10, which keeps the oracle's numbers short. */
const rounded = (piece: ConvexPiece): ConvexPiece =>
  piece.map(corner => corner.map(x => Math.round(x * 1024) / 1024)) as unknown as ConvexPiece;

const meshOf = ({ positions, indices }: { positions: Float64Array; indices: Uint32Array }): Mesh =>
  mesh(positions, indices);

test.each([
  ['in general position', (seed: number) => unionPair(seed)],
  ['on a small grid', (seed: number) => gridTetrahedra(randomFrom(seed))],
] as const)(
  'unions of tetrahedra %s, which overlap themselves, have the volume found by inclusion and exclusion',
  (_, pairOf) => {
    const failures = new Failures();
    let count = 0;
    for (let seed = 1; seed <= 150 * rounds; seed++) {
      const pair = pairOf(seed);
      const [a, b] = [pair.a, pair.b].map(pieces => pieces.slice(0, 3).map(rounded));
      const { volume } = commonVolume(a, b);
      const [meshA, meshB] = [meshOf(unionMesh(a)), meshOf(unionMesh(b))];
      const found = overlapOf(meshA, identity(), meshB, identity(), seed % 2 === 0);
      failures.check(
        isRight(found.volume, found.volumeError, volume, 1),
        () => `seed ${seed}: ${found.volume} ± ${found.volumeError}, not ${volume}`,
      );
      if (volume > 0) {
        count++;
        failures.check(found.inBoth, () => `seed ${seed}: ${found.point} is not in both`);
      }
    }
    expect(failures.list).toEqual([]);
    expect(count).toBeGreaterThan(5 * rounds);
  },
);

/** Volume, surface area and touching area of what two unions of boxes have in common, by counting unit cells. */
function counted(a: readonly GridBox[], b: readonly GridBox[]) {
  const has = (boxes: readonly GridBox[], cell: readonly number[]): boolean =>
    boxes.some(({ low, high }) => cell.every((x, axis) => x >= low[axis] && x < high[axis]));
  const most = Math.max(...[...a, ...b].flatMap(({ high }) => [...high]));
  let [volume, area, touching] = [0, 0, 0];
  for (let x = -1; x <= most; x++) {
    for (let y = -1; y <= most; y++) {
      for (let z = -1; z <= most; z++) {
        const cell = [x, y, z];
        const [inA, inB] = [has(a, cell), has(b, cell)];
        if (inA && inB) volume++;
        for (let axis = 0; axis < 3; axis++) {
          const next = cell.map((c, k) => (k === axis ? c + 1 : c));
          const [nextA, nextB] = [has(a, next), has(b, next)];
          if ((inA && inB) !== (nextA && nextB)) area++;
          else if ((inA && !nextA && nextB && !inB) || (inB && !nextB && nextA && !inA)) touching++;
        }
      }
    }
  }
  return { volume, area: area + touching, touching };
}

test('unions of boxes, flush nearly everywhere, have the volume and areas found by counting', () => {
  const failures = new Failures();
  let [overlaps, touches] = [0, 0];
  for (let seed = 1; seed <= 60 * rounds; seed++) {
    const { a, b } = boxUnionPair(seed);
    if (a.concat(b).some(({ high }) => high.some(x => x > 14))) continue;
    const expected = counted(a, b);
    const found = overlapOf(
      meshOf(boxesMesh(a)),
      identity(),
      meshOf(boxesMesh(b)),
      identity(),
      seed % 2 === 0,
    );
    const { volume, area, touching } = expected;
    const { touchingArea, areaError } = found;
    if (volume > 0) overlaps++;
    if (touching > 0) touches++;
    failures.check(
      isRight(found.volume, found.volumeError, volume) &&
        isRight(found.area, areaError, area) &&
        isRight(touchingArea, areaError, touching) &&
        (area === 0 || found.inBoth),
      () => `seed ${seed}: ${JSON.stringify({ ...found, stats: 0 })}, not ${JSON.stringify(expected)}`,
    );
  }
  expect(failures.list).toEqual([]);
  expect(Math.min(overlaps, touches)).toBeGreaterThan(3 * rounds);
});

test('solids of cells moved by halves have the volume and touching area of the contacts by counting', () => {
  const failures = new Failures();
  for (let seed = 1; seed <= 60 * rounds; seed++) {
    const random = randomFrom(seed);
    const [a, b]: Cell[][] = [connectedCells(random), connectedCells(random)];
    const shift = [0, 1, 2].map(() => whole(random, -2, 2));
    const contacts = voxelContacts(a, b, shift);
    const sum = (kind: string): number =>
      contacts.filter(contact => contact.kind === kind).reduce((total, { size }) => total + size, 0);
    const place = at(shift[0] / 2, shift[1] / 2, shift[2] / 2);
    const found = overlapOf(cellSolid(a), identity(), cellSolid(b, seed % 2 === 0), place);
    failures.check(
      isRight(found.volume, found.volumeError, sum('overlap')) &&
        isRight(found.touchingArea, found.areaError, sum('flat')) &&
        (found.point !== undefined) === contacts.length > 0 &&
        (found.point === undefined || found.inBoth),
      () => `seed ${seed}: ${JSON.stringify({ ...found, stats: 0 })}, not ${JSON.stringify(contacts)}`,
    );
  }
  expect(failures.list).toEqual([]);
});

const lens = (radius: number, distance: number): number =>
  (Math.PI * (4 * radius + distance) * (2 * radius - distance) ** 2) / 12;

test('spheres have the volume of a lens, the nearer the finer they are', () => {
  for (const distance of [0.3, 1, 1.9]) {
    let before = Infinity;
    for (const frequency of [4, 8, 16]) {
      const ball = shapes.icosphere({ frequency });
      const { volume, point, inBoth } = overlapOf(ball, identity(), ball, at(distance));
      const share = 1 - volume / lens(1, distance);
      // Facets lie within the sphere.
      expect(share).toBeGreaterThan(0);
      expect(share).toBeLessThan(before / 2);
      before = share;
      expect(inBoth).toBe(true);
      expect(point![0]).toBeCloseTo(distance / 2, 2);
    }
    expect(before).toBeLessThan(distance > 1.5 ? 0.2 : 0.03);
  }
});

test('samples of the common part agree, within their own spacing', () => {
  const scene = nf.scene() as CpuScene;
  const ring = shapes.torus({ majorRadius: 1, minorRadius: 0.4, majorSegments: 32, minorSegments: 16 });
  const [a, b] = [scene.add(ring), scene.add(ring, { pose: rigid(shapes.createRandom(3), 0.5) })];
  const { volume } = scene.overlapSync(a, b);
  const sampled = scene.intersectionVolumeSync([a, b], { tolerance: 0.02 });
  expect(volume / sampled.volume).toBeGreaterThan(0.99);
  expect(volume / sampled.volume).toBeLessThan(1.01);
  scene.close();
});

test('exchange, exact scaling, refinement and distance from the origin do not matter', () => {
  const random = shapes.createRandom(5);
  const a = shapes.displacedSphere({ triangles: 300, seed: 1 });
  const b = shapes.torus({ majorRadius: 0.8, minorRadius: 0.4, majorSegments: 16, minorSegments: 8 });
  const pose = rigid(random, 0.4);
  const found = overlapOf(a, identity(), b, pose);
  expect(found.volumeError).toBeLessThan(1e-9 * found.volume);
  expect(found.areaError).toBeLessThan(1e-8 * found.area);
  const exchanged = overlapOf(a, identity(), b, pose, true);
  expect({ ...exchanged, stats: 0 }).toEqual({ ...found, stats: 0 });
  for (const exponent of [-60, -20, 20, 60, 300]) {
    const scale = 2 ** exponent;
    const scaled = (m: Place): number[] => Array.from(m, (x, i) => (i % 4 === 3 ? x : x * scale));
    const { volume, area, point } = overlapOf(a, scaled(identity()), b, scaled(pose));
    expect([volume / scale / scale / scale, area / scale / scale]).toEqual([found.volume, found.area]);
    expect(point).toEqual(found.point!.map(x => x * scale));
  }
  for (const factor of [1e-6, 1e6]) {
    const scaled = (m: Place): number[] => Array.from(m, (x, i) => (i % 4 === 3 ? x : x * factor));
    const { volume, volumeError } = overlapOf(a, scaled(identity()), b, scaled(pose));
    expect(Math.abs(volume / factor ** 3 - found.volume)).toBeLessThan(
      2 * (volumeError / factor ** 3 + found.volumeError) + 1e-13,
    );
  }
  // At 10^6 the vertices themselves are rounded, by 2^-34 at most.
  const far = (m: Place): number[] => Array.from(m, (x, i) => (i === 12 || i === 13 ? x + 1e6 : x));
  const away = overlapOf(a, far(identity()), b, far(pose));
  expect(Math.abs(away.volume - found.volume)).toBeLessThan(away.volumeError + 2 ** -33 * found.area);
  expect(away.inBoth).toBe(true);
});

test('refinement changes nothing: triangles in four on a grid of short fractions', () => {
  for (let seed = 1; seed <= 10 * rounds; seed++) {
    const pair = gridTetrahedra(randomFrom(seed));
    const [a, b] = [pair.a, pair.b].map(pieces => meshOf(unionMesh(pieces.slice(0, 2))));
    const [coarse, fine] = [
      overlapOf(a, identity(), b, identity()),
      overlapOf(subdivided(a), identity(), subdivided(b), identity()),
    ];
    expect(Math.abs(coarse.volume - fine.volume), `seed ${seed}`).toBeLessThanOrEqual(
      coarse.volumeError + fine.volumeError,
    );
    expect(Math.abs(coarse.area - fine.area), `seed ${seed}`).toBeLessThanOrEqual(
      coarse.areaError + fine.areaError + 1e-12,
    );
  }
});

test('the relations: coincident, contained, hollow, touching, separate', () => {
  const cube = shapes.box();
  const same = overlapOf(cube, identity(), cube, identity());
  expect([same.volume, same.area, same.touchingArea, ...same.point!]).toEqual([1, 6, 0, 0, 0, 0]);
  const inner = overlapOf(shapes.box({ size: [4, 4, 4] }), identity(), cube, at(0.5, 0.25));
  expect([inner.volume, inner.area, ...inner.point!]).toEqual([1, 6, 0.5, 0.25, 0]);
  // A box with a cavity, around a box that fills the cavity and more.
  const walls = shapes.box({ size: [4, 4, 4] });
  const hollow = mesh(
    Float64Array.from([...walls.positions, ...cube.positions]),
    Uint32Array.from([...walls.indices, ...Array.from(cube.indices, v => v + walls.vertexCount).reverse()]),
  );
  const around = overlapOf(hollow, identity(), shapes.box({ size: [2, 2, 2] }), identity());
  expect(around.volume).toBeCloseTo(7, 13);
  expect(around.area).toBeCloseTo(30, 13);
  expect(around.inBoth).toBe(true);
  const filled = overlapOf(hollow, identity(), cube, identity());
  expect([filled.volume, filled.area, filled.touchingArea]).toEqual([0, 6, 6]);
  const face = overlapOf(cube, identity(), cube, at(1, 0.5));
  expect([face.volume, face.area, face.touchingArea]).toEqual([0, 0.5, 0.5]);
  for (const [axis, x] of [0.5, 0.25, 0].entries()) expect(face.point![axis]).toBeCloseTo(x, 15);
  const edge = overlapOf(cube, identity(), cube, at(1, 1, 0.5));
  expect([edge.volume, edge.area, ...edge.point!]).toEqual([0, 0, 0.5, 0.5, 0.25]);
  const corner = overlapOf(cube, identity(), cube, at(1, 1, 1));
  expect([corner.volume, corner.area, ...corner.point!]).toEqual([0, 0, 0.5, 0.5, 0.5]);
  const apart = overlapOf(cube, identity(), cube, at(2));
  expect([apart.volume, apart.volumeError, apart.area, apart.point]).toEqual([0, 0, 0, undefined]);
});

test('overlaps and touching faces of one pair add up', () => {
  // A comb of two teeth, one of which enters the slab while the other stands on a step of it.
  const comb = cellSolid([
    [0, 0, 1],
    [1, 0, 1],
    [2, 0, 1],
    [0, 0, 0],
    [2, 0, 0],
  ]);
  const slab = cellSolid([
    [0, 0, -1],
    [1, 0, -1],
    [2, 0, -1],
    [2, 0, 0],
  ]);
  const { volume, area, touchingArea } = overlapOf(comb, identity(), slab, identity());
  expect([volume, area, touchingArea]).toEqual([1, 7, 1]);
});

test('thin overlaps: as deep as the last bits allow, the error says what is known', () => {
  const cube = shapes.box();
  for (let exponent = -4; exponent >= -52; exponent -= 4) {
    const thin = 2 ** exponent;
    const { volume, volumeError, inBoth, area } = overlapOf(cube, identity(), cube, at(1 - thin, 0.25));
    expect(Math.abs(volume - 0.75 * thin), `${thin}`).toBeLessThanOrEqual(volumeError);
    expect(volumeError, `${thin}`).toBeLessThan(2 ** -36);
    expect(area, `${thin}`).toBeCloseTo(2 * (0.75 + 0.75 * thin + thin), 10);
    expect(inBoth, `${thin}`).toBe(true);
  }
});

test('needles, caps and slivers: what two halves of a box have in common with them adds up to the whole', () => {
  const failures = new Failures();
  let [count, overlaps] = [0, 0];
  for (let seed = 1; seed <= 60 * rounds; seed++) {
    const { kind, mesh: solid } = extremeSolid(randomFrom(seed), moderate);
    const { bounds } = solid;
    const [low, high] = [bounds.slice(0, 3), bounds.slice(3)];
    const middle = low.map((x, axis) => x / 2 + high[axis] / 2);
    const from = low.map((x, axis) => x / 2 + middle[axis] / 2);
    const to = high.map((x, axis) => x / 2 + middle[axis] / 2);
    if (from.some((x, axis) => !(x < middle[axis] && middle[axis] < to[axis]))) continue;
    count++;
    const axis = seed % 3;
    const measure = (a: ArrayLike<number>, b: ArrayLike<number>): Overlap =>
      overlapOf(solid, identity(), boxMesh(a, b), identity());
    const cut = (x: ArrayLike<number>): number[] =>
      Array.from(x, (value, k) => (k === axis ? middle[k] : value));
    const [all, first, second] = [measure(from, to), measure(from, cut(to)), measure(cut(from), to)];
    if (all.volume > all.volumeError) overlaps++;
    const error = all.volumeError + first.volumeError + second.volumeError;
    const sum = first.volume + second.volume;
    failures.check(
      Math.abs(all.volume - sum) <= error + few * sum,
      () => `seed ${seed}, ${kind}: ${all.volume} and ${first.volume} + ${second.volume}, up to ${error}`,
    );
  }
  expect(failures.list).toEqual([]);
  expect(Math.min(count, overlaps)).toBeGreaterThan(10 * rounds);
});

function boxMesh(low: ArrayLike<number>, high: ArrayLike<number>): Mesh {
  const { positions, indices } = shapes.box();
  return mesh(
    Float64Array.from(positions, (x, i) => (x < 0 ? low[i % 3] : high[i % 3])),
    indices,
  );
}

test('a point in the middle of a ring is on the ring', () => {
  const rod = shapes.cylinder({ radius: 0.6, height: 1 });
  const ring = shapes.torus({ majorRadius: 0.6, minorRadius: 0.2, majorSegments: 24, minorSegments: 12 });
  const { inBoth, volume } = overlapOf(ring, identity(), rod, at(0, 0, -0.5));
  expect(volume).toBeGreaterThan(0);
  expect(inBoth).toBe(true);
});

test('open bodies are refused by name, and a body with itself', async () => {
  const scene = nf.scene() as CpuScene;
  const solid = scene.add(shapes.box(), { name: 'block' });
  const sheet = scene.add(mesh(Float64Array.of(0, 0, 0, 2, 0, 0, 0, 2, 0)), { name: 'sheet' });
  await expect(scene.overlap(solid, sheet)).rejects.toThrow(/sheet is open/);
  expect(() => scene.overlapSync(sheet, solid)).toThrow(NearfieldError);
  await expect(scene.overlap(sheet, solid)).rejects.toMatchObject({ code: 'not-solid' });
  await expect(scene.overlap(solid, solid)).rejects.toMatchObject({ code: 'bad-option' });
  const reason = new Error('enough');
  await expect(scene.overlap(solid, sheet, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  scene.close();
});
