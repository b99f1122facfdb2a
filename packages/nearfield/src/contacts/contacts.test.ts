import { afterAll, expect, test } from 'vitest';
import { identity, multiplyPoses, type Pose } from '../math/pose.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { open } from '../nearfield.ts';
import * as shapes from '../shapes/index.ts';
import type { ContactPatch } from './contacts.ts';
import { at, expectNear, patchesIn, turned } from './testing.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());

const patchesOf = (a: Mesh, poseA: Pose, b: Mesh, poseB: Pose): readonly ContactPatch[] =>
  patchesIn(nf, a, poseA, b, poseB);

const cube = shapes.box();
const slab = shapes.box({ size: [8, 8, 2] });
const small = shapes.box({ size: [1, 0.5, 1] });

test('a box flush on a box has one flat patch of depth 0', () => {
  const [patch, ...others] = patchesOf(slab, identity(), small, at(1, 2, 1.5));
  expect(others).toEqual([]);
  expectNear(patch.point, [1, 2, 1]);
  expect([...patch.normal]).toEqual([0, 0, 1]);
  expect(patch.depth).toBe(0);
  expect(patch.area).toBeCloseTo(0.5, 12);
  expect(patch.points.length).toBe(4);
  for (const { position, depth } of patch.points) {
    expect(depth).toBe(0);
    expect(Math.abs(position[0] - 1) <= 0.5 && Math.abs(position[1] - 2) <= 0.25).toBe(true);
    expect(position[2]).toBeCloseTo(1, 12);
  }
  // Two faces at a corner are two contacts; the edge between them is part of both.
  const corner = new shapes.SolidBuilder().add(shapes.box()).add(shapes.box(), [4, 0, 0]).mesh();
  const walls = patchesOf(corner, identity(), shapes.box({ size: [3, 1, 1] }), at(2, 0.25, 0));
  expect(walls.map(({ normal }) => [...normal])).toEqual([
    [1, 0, 0],
    [-1, 0, 0],
  ]);
  expect(walls.every(({ depth, area }) => depth === 0 && Math.abs(area - 0.75) < 1e-12)).toBe(true);
});

test('a box sunk into a box has the right depth, area and normal; tilted, its lower side is deeper', () => {
  for (const [x, y] of [
    [1, 2],
    [0, 0],
    [0.3, -0.7],
  ]) {
    const [patch, ...others] = patchesOf(slab, identity(), small, at(x, y, 1.25));
    expect(others).toEqual([]);
    expectNear(patch.point, [x, y, 0.875]);
    expectNear(patch.normal, [0, 0, 1]);
    expect(patch.depth).toBeCloseTo(0.25, 12);
    expect(patch.area).toBeCloseTo(0.5, 12);
    for (const point of patch.points) expect(point.depth).toBeCloseTo(0.25, 12);
  }
  // Sides that lie in one plane belong to both bodies equally: the normal does not lean.
  const [aligned] = patchesOf(cube, identity(), cube, at(0, 0, 0.75));
  expectNear(aligned.normal, [0, 0, 1]);
  expect(aligned.depth).toBeCloseTo(0.25, 12);
  expect(aligned.area).toBeCloseTo(1, 12);
  const [tilted] = patchesOf(slab, identity(), cube, multiplyPoses(at(0, 0, 1.4), turned(0.1, [0, 1, 0])));
  // Turned about y, the side of greater x is lower: its quarters are deeper.
  const mean = tilted.points.reduce((sum, { depth, area }) => sum + (depth * area) / tilted.area, 0);
  for (const { position, depth } of tilted.points) {
    expect(depth > mean).toBe(position[0] > tilted.point[0]);
  }
});

test('a sphere in a plane: the cap', () => {
  for (const depth of [0.02, 0.2, 0.7]) {
    const sphere = shapes.icosphere({ radius: 1, frequency: 48 });
    const [patch, ...others] = patchesOf(slab, identity(), sphere, at(0.1, 0.05, 2 - depth));
    expect(others).toEqual([]);
    // The polyhedron lies within (1 − cos of half an edge's angle) ≈ 3e-4 of the sphere.
    const radiusSquared = 2 * depth - depth ** 2;
    expect(Math.abs(patch.depth - depth)).toBeLessThan(4e-4);
    expect(Math.abs(patch.area / (Math.PI * radiusSquared) - 1)).toBeLessThan(4e-4 / depth);
    expectNear(patch.normal, [0, 0, 1], 1e-12);
    expectNear(patch.point.subarray(0, 2), [0.1, 0.05], 1e-3);
    // The mean height of the cap over its disc is volume over area.
    const mean = (((Math.PI * depth ** 2) / 3) * (3 - depth)) / (Math.PI * radiusSquared);
    for (const point of patch.points) expect(Math.abs(point.depth / mean - 1)).toBeLessThan(0.02);
  }
});

test('two balls make a lens, also if their meshes are mirrored or inside out', () => {
  const ball = shapes.icosphere({ frequency: 24 });
  const flipped = mesh(
    ball.positions,
    ball.indices.map((_, i) => ball.indices[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]),
  );
  const mirror = identity();
  mirror[0] = -1;
  const mirrored = mesh(
    ball.positions.map((x, i) => (i % 3 === 0 ? -x : x)),
    ball.indices,
  );
  const [expected] = patchesOf(ball, identity(), ball, at(1, 0.9, 1.2));
  expectNear(expected.normal, [1 / 1.80277, 0.9 / 1.80277, 1.2 / 1.80277], 1e-3);
  expect(Math.abs(expected.depth - (2 - Math.hypot(1, 0.9, 1.2)))).toBeLessThan(4e-3);
  for (const [a, poseA] of [
    [flipped, identity()],
    [mirrored, mirror],
  ] as const) {
    const [patch] = patchesOf(a, poseA, ball, at(1, 0.9, 1.2));
    expectNear(patch.point, [...expected.point]);
    expectNear(patch.normal, [...expected.normal]);
    expect(patch.depth).toBeCloseTo(expected.depth, 12);
    expect(patch.area).toBeCloseTo(expected.area, 12);
  }
});

test('two feet on one triangle are two regions, a hollow foot is one', () => {
  const feet = new shapes.SolidBuilder()
    .add(shapes.icosphere({ radius: 0.5, frequency: 6 }), [-1, 0, 0])
    .add(shapes.icosphere({ radius: 0.5, frequency: 6 }), [1, 0, 0])
    .mesh();
  const patches = patchesOf(slab, identity(), feet, at(0.2, -1.5, 1.4));
  expect(patches.length).toBe(2);
  expect(
    patches
      .map(({ point }) => point[0])
      .sort((x, y) => x - y)
      .map(x => Math.round(10 * x)),
  ).toEqual([-8, 12]);
  expect(patches[0].trianglesA).toEqual(patches[1].trianglesA);
  // A shell: the outline of its cavity lies inside its own outline and does not touch it.
  const inner = shapes.icosphere({ radius: 0.45, frequency: 6 });
  const inwards = mesh(inner.positions, inner.indices.slice().reverse());
  const shell = new shapes.SolidBuilder()
    .add(shapes.icosphere({ radius: 0.5, frequency: 6 }))
    .add(inwards)
    .mesh();
  const [ring, ...others] = patchesOf(slab, identity(), shell, at(0.2, -1.5, 1.2));
  expect(others).toEqual([]);
  expect(ring.area).toBeLessThan(Math.PI * (0.25 - 0.45 ** 2) * 1.05);
  expectNear(ring.normal, [0, 0, 1]);
  // A cavity that lies entirely in the other solid bounds the same region.
  const [hollow, ...rest] = patchesOf(slab, identity(), shell, at(0.2, -1.5, 0.53));
  expect(rest).toEqual([]);
  expect(hollow.depth).toBeCloseTo(0.97, 2);
});

test('tori: linked without touching, linked and pressed, threaded by a rod', () => {
  const ring = shapes.torus({ majorRadius: 1, minorRadius: 0.2, majorSegments: 48, minorSegments: 24 });
  const upright = (x: number): Pose => multiplyPoses(at(x, 0, 0), turned(Math.PI / 2, [1, 0, 0]));
  expect(patchesOf(ring, identity(), ring, upright(1))).toEqual([]);
  // The tubes meet where the second comes through the first: at x = 2 − 0.4 + depth.
  const [pressed, ...others] = patchesOf(ring, identity(), ring, upright(1.7));
  expect(others).toEqual([]);
  expectNear(pressed.normal, [-1, 0, 0], 1e-9);
  expect(pressed.depth).toBeCloseTo(0.1, 1);
  // A rod thicker than the hole presses all around: no side is preferred, so a direction of least extent is taken.
  const rod = shapes.cylinder({ radius: 0.85, height: 4, segments: 48 });
  const [collar, ...rest] = patchesOf(ring, identity(), rod, at(0, 0, -2));
  expect(rest).toEqual([]);
  expect(Math.abs(collar.normal[2])).toBeGreaterThan(0.999);
  expect(collar.depth).toBeLessThan(0.4);
  // A thin rod pressed against the inside from within.
  const [side] = patchesOf(ring, identity(), shapes.cylinder({ radius: 0.1, height: 4 }), at(0.75, 0, -2));
  expectNear(side.normal, [-1, 0, 0], 1e-9);
});

test('a nail through a plate and a box inside a box have the normal of least extent', () => {
  const nail = shapes.cylinder({ radius: 0.1, height: 12, segments: 32 });
  const [patch, ...others] = patchesOf(slab, identity(), nail, at(0.11, 0.07, -6));
  expect(others).toEqual([]);
  expectNear(patch.point, [0.11, 0.07, 0], 1e-9);
  expect(Math.abs(patch.normal[2])).toBeLessThan(1e-9);
  expect(patch.depth).toBeCloseTo(0.2, 2);
  const [within, ...rest] = patchesOf(
    slab,
    identity(),
    shapes.box({ size: [1, 2, 0.5] }),
    at(0.5, 0.25, -0.5),
  );
  expect(rest).toEqual([]);
  expectNear(within.point, [0.5, 0.25, -0.5]);
  expectNear(within.normal, [0, 0, -1]);
  expect(within.depth).toBeCloseTo(0.5, 12);
  expect(within.trianglesB.length).toBe(12);
});

test('square sections have the normal of a face, however they are turned', () => {
  const small = shapes.box({ size: [0.1, 0.1, 0.1] });
  const bar = shapes.box({ size: [0.1, 0.1, 3] });
  for (const turn of [identity(), turned(0.3, [0.6, 0, 0.8]), turned(2.1, [0.48, -0.6, 0.64])]) {
    const axes = [at(1, 0, 0), at(0, 1, 0), at(0, 0, 1)].map(axis => multiplyPoses(turn, axis).slice(12, 15));
    const along = (normal: ArrayLike<number>): number[] =>
      axes.map(axis => Math.abs(axis[0] * normal[0] + axis[1] * normal[1] + axis[2] * normal[2]));
    const [within, ...others] = patchesOf(cube, turn, small, turn);
    expect(others).toEqual([]);
    expect(within.depth).toBeCloseTo(0.1, 9);
    expect(Math.max(...along(within.normal))).toBeCloseTo(1, 9);
    // Through a slab, off its middle: across the bar.
    const through = multiplyPoses(turn, at(0.3, 0.2, 0));
    const [nailed, ...rest] = patchesOf(shapes.box({ size: [2, 2, 0.5] }), turn, bar, through);
    expect(rest).toEqual([]);
    expect(nailed.depth).toBeCloseTo(0.1, 9);
    // Both ways across are equally short; the slab's middle is farther off along the first.
    expect(along(nailed.normal)[0]).toBeCloseTo(1, 9);
    // Out of the slab and into the bar means towards the bar's middle; exchanging the bodies mirrors it.
    const outwards = nailed.normal.reduce((sum, x, i) => sum + x * axes[0][i], 0);
    expect(outwards).toBeCloseTo(1, 9);
    const [other] = patchesOf(bar, through, shapes.box({ size: [2, 2, 0.5] }), turn);
    expectNear(
      other.normal,
      [...nailed.normal].map(x => -x),
      1e-9,
    );
  }
});

test('touching in a corner or an edge has area and depth 0', () => {
  const point = patchesOf(
    slab,
    identity(),
    mesh(
      Float64Array.from([
        0, 0, 1, 1, 0, 2, 0, 1, 2, 0, 0, 1, 0, 1, 2, -1, -1, 2, 0, 0, 1, -1, -1, 2, 1, 0, 2, 1, 0, 2, -1, -1,
        2, 0, 1, 2,
      ]),
    ),
    identity(),
  );
  expect(point.length).toBe(1);
  expect([...point[0].point]).toEqual([0, 0, 1]);
  expect([...point[0].normal]).toEqual([0, 0, 1]);
  expect([point[0].depth, point[0].area, point[0].points.length]).toEqual([0, 0, 1]);
  const [edge, ...others] = patchesOf(cube, identity(), cube, at(1, 0.5, 1));
  expect(others).toEqual([]);
  expectNear(edge.point, [0.5, 0.25, 0.5]);
  expectNear(edge.normal, [Math.SQRT1_2, 0, Math.SQRT1_2]);
  expect([edge.depth, edge.area, edge.points.length]).toEqual([0, 0, 2]);
});

test('open surfaces touch and cross with depth 0', () => {
  const sheet = mesh(
    Float64Array.from([-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0]),
    Uint32Array.from([0, 1, 2, 0, 2, 3]),
  );
  const [laid, ...others] = patchesOf(slab, identity(), sheet, at(0, 0, 1));
  expect(others).toEqual([]);
  expect(laid.area).toBeCloseTo(4, 12);
  expect([...laid.normal]).toEqual([0, 0, 1]);
  const [cut, ...rest] = patchesOf(
    sheet,
    identity(),
    sheet,
    multiplyPoses(at(0.25, 0, 0), turned(Math.PI / 2, [0, 1, 0])),
  );
  expect(rest).toEqual([]);
  expect([cut.depth, cut.area]).toEqual([0, 0]);
  expectNear(cut.point, [0.25, 0, 0]);
  expectNear(cut.normal, [0, 0, 1]);
});

test('degenerate triangles change nothing', () => {
  // The cube with a point on each edge of its top that only the top uses, closed by triangles without area.
  const soup: number[] = [];
  const { positions, indices } = cube;
  const p = (i: number): number[] => [...positions.slice(3 * i, 3 * i + 3)];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [p(indices[i]), p(indices[i + 1]), p(indices[i + 2])];
    const isTop = [a, b, c].every(corner => corner[2] === 0.5);
    if (!isTop) {
      soup.push(...a, ...b, ...c);
      continue;
    }
    const middle = a.map((x, axis) => (x + b[axis]) / 2);
    soup.push(
      ...a,
      ...middle,
      ...c,
      ...middle,
      ...b,
      ...c,
      ...a,
      ...b,
      ...middle,
      ...a,
      ...a,
      ...b,
      ...b,
      ...a,
      ...a,
    );
  }
  const odd = mesh(Float64Array.from(soup));
  expect(odd.solid).toBe(true);
  for (const pose of [at(0, 0, 1), at(0.25, 0.5, 0.75), at(0, 0.5, 0.5), at(0.3, 0.2, 0.9), at(0.5, 0, 0)]) {
    const [expected, found] = [
      patchesOf(cube, identity(), cube, pose),
      patchesOf(odd, identity(), cube, pose),
    ];
    expect(found.length).toBe(expected.length);
    found.forEach((patch, i) => {
      expectNear(patch.point, [...expected[i].point]);
      expectNear(patch.normal, [...expected[i].normal]);
      expect(patch.depth).toBeCloseTo(expected[i].depth, 12);
      expect(patch.area).toBeCloseTo(expected[i].area, 12);
    });
  }
});

test('bodies of any size have contacts; areas beyond the range of doubles are infinite or 0', () => {
  const scaled = (by: number): ContactPatch => {
    const pose = new Float64Array([by, 0, 0, 0, 0, by, 0, 0, 0, 0, by, 0, 0, 0, 0, 1]);
    return patchesOf(slab, pose, small, multiplyPoses(pose, at(1, 2, 1.25)))[0];
  };
  const [first] = [scaled(1)];
  for (const power of [-190, 190, -300, 300, -500, 500, -1000, 1000]) {
    const by = 2 ** power;
    const patch = scaled(by);
    expect(patch.normal).toEqual(first.normal);
    expect(patch.depth / by).toBe(first.depth);
    expect([...patch.point].map(x => x / by)).toEqual([...first.point]);
    if (Math.abs(power) <= 500) expect(patch.area / by / by).toBeCloseTo(0.5, 12);
    else expect(patch.area).toBe(power > 0 ? Infinity : 0);
  }
});

test('works synchronously and asynchronously, for deformed bodies, and refuses wrong arguments', async () => {
  const scene = nf.scene();
  const [a, b, c] = [
    scene.add(slab),
    scene.add(small, { pose: at(0, 0, 1.25) }),
    scene.add(cube, { pose: at(0, 0, 9) }),
  ];
  const waited = scene.contacts(a, b);
  b.deform(small.positions.map(x => 2 * x));
  const [now] = scene.contactsSync(a, b);
  expect(now.depth).toBeCloseTo(0.75, 12);
  const then = await waited;
  expect(then.patches[0].depth).toBeCloseTo(0.25, 12);
  expect(then.backend).toBe('cpu');
  expect(scene.contactsSync(a, c).patches).toEqual([]);
  expect([scene.contactsSync(a, c).length, then.length]).toEqual([0, 1]);
  expect(() => scene.contactsSync(a, a)).toThrow(expect.objectContaining({ code: 'bad-option' }));
  expect(() => scene.contactsSync(a, c, { previous: then })).toThrow(
    expect.objectContaining({ code: 'bad-option' }),
  );
  scene.close();
});
