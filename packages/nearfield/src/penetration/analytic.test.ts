// Solids whose depth is known: the bracket holds it and lies within 5 % of it.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Pose } from '../math/pose.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { type CpuNearfield, open } from '../nearfield.ts';
import { box, cylinder, icosphere, revolve, torus, uvSphere } from '../shapes/index.ts';
import type { Penetration, PenetrationOptions } from './penetration.ts';
import { capsule, cuboids, grooved, posed, subdivided } from './testing/solids.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());

function ask(a: Mesh, poseA: Pose, b: Mesh, poseB: Pose, options?: PenetrationOptions): Penetration {
  const scene = nf.scene();
  try {
    const [first, body] = [scene.add(a, { pose: poseA }), scene.add(b, { pose: poseB })];
    const found = scene.penetrationSync(first, body, options);
    // After the translation found, the two share no more than points of their surfaces: the exact relation confirms it.
    body.pose = poseB.map((x, i) => (i >= 12 && i < 15 ? x + found.translation[i - 12] : x));
    expect([...scene.interferencesSync()].map(({ relation }) => relation)).toEqual([]);
    return found;
  } finally {
    scene.close();
  }
}

/** `less` bounds by how much the mesh's depth is below that of the shape it approximates. */
function expectDepth({ depth, ratio, translation, direction }: Penetration, truth: number, less = 0): void {
  expect(depth.lower).toBeLessThanOrEqual(truth * (1 + 1e-12));
  expect(depth.upper).toBeGreaterThanOrEqual((truth - less) * (1 - 1e-12));
  expect(depth.lower).toBeGreaterThanOrEqual((truth - less) / 1.05);
  expect(depth.upper).toBeLessThanOrEqual(truth * 1.05);
  expect(depth.upper).toBeGreaterThanOrEqual(Math.hypot(...translation));
  expect(depth.upper).toBeLessThanOrEqual(Math.hypot(...translation) * (1 + 1e-12));
  expect(Math.hypot(...direction)).toBeCloseTo(1, 12);
  expect(ratio).toBeCloseTo(depth.upper / depth.lower, 12);
}

const here = posed(0, 0, 0);

describe('spheres', () => {
  // A triangle of edge e on a sphere of radius 1 lies at most e²/6 within it (its middle, e/√3 from the corners).
  const sphere = icosphere({ frequency: 24 });
  const inside = 2 * ((1.2 / 24) ** 2 / 6) * 1.2;
  it.each([0.05, 0.3, 1, 1.9])('overlap by %f', depth => {
    expectDepth(ask(sphere, here, sphere, posed((2 - depth) * 0.6, 0, (2 - depth) * 0.8)), depth, inside);
  });
  it('have the same centre', () => {
    expectDepth(ask(sphere, here, sphere, posed(0, 0, 0, [1, 2, 3], 0.5)), 2, inside);
  });
  it('are nested, with different sizes', () => {
    const small = posed(0.3, 0.1, -0.2, [1, 2, 3], 0.7, 0.25);
    expectDepth(ask(sphere, here, sphere, small), 1.25 - Math.hypot(0.3, 0.1, 0.2), inside);
  });
});

describe('boxes', () => {
  const cube = box({ size: [2, 2, 2] });
  it('face to face, deep and shallow', () => {
    expectDepth(ask(cube, here, cube, posed(1.6, 0.3, 0.2)), 0.4);
    expectDepth(ask(cube, here, cube, posed(0.5, 0.3, 0.2)), 1.5);
    expectDepth(ask(cube, here, cube, posed(2 - 1e-6, 0.3, 0.2)), 2 - (2 - 1e-6));
  });
  it('edge to edge', () => {
    const [a, b] = [
      posed(0, 0, 0, [0, 0, 1], Math.PI / 4),
      posed(2 * Math.SQRT2 - 0.1, 0, 0, [0, 1, 0], Math.PI / 4),
    ];
    expectDepth(ask(cube, a, cube, b), 0.1);
  });
  it('corner into face', () => {
    // A cube on its corner reaches √3 down.
    const tilt = Math.acos(1 / Math.sqrt(3));
    expectDepth(ask(cube, here, cube, posed(0.2, 0.1, 1 + Math.sqrt(3) - 0.2, [1, -1, 0], tilt)), 0.2);
  });
  it('nested', () => {
    expectDepth(ask(box({ size: [10, 8, 6] }), here, cube, posed(1, 1, 0.5)), 3.5);
  });
  it('coincident', () => expectDepth(ask(cube, here, cube, here), 2));
  it('coincident, one cut into more triangles', () => {
    const finer = subdivided(subdivided(cube));
    for (const [a, b] of [
      [finer, cube],
      [cube, finer],
      [finer, finer],
    ]) {
      expectDepth(ask(a, here, b, posed(1.25, 0.5, 0.25)), 0.75);
      expectDepth(ask(a, here, b, posed(1.25, 0.5, 0.25, [1, 2, 3], 1e-9)), 0.75 + 5e-9, 1e-8);
    }
  });
});

describe('capsules', () => {
  // Flat in two directions: the middle of a facet is 1 − cos(π/64) inside the round shape.
  const within = 2 * 0.5 * (1 - Math.cos(Math.PI / 64));
  it('crossed', () => {
    const across = posed(0.8, 0, 0, [1, 0, 0], Math.PI / 2);
    expectDepth(ask(capsule(0.5, 2), here, capsule(0.5, 2), across), 0.2, within);
  });
  it('side by side', () => {
    expectDepth(ask(capsule(0.5, 2), here, capsule(0.5, 2), posed(0.6, 0, 0.4)), 0.4, within);
  });
  it('end to end', () => {
    expectDepth(ask(capsule(0.5, 2), here, capsule(0.5, 2), posed(0, 0, 2.7)), 0.3, within);
  });
});

describe('a torus in a groove', () => {
  it.each([0.02, 0.1, 0.3])('pressed in by %f', depth => {
    const [segments, minorSegments] = [96, 48];
    const ring = torus({ majorRadius: 3, minorRadius: 1, majorSegments: segments, minorSegments });
    const ground = grooved(3, 1, segments, minorSegments);
    // Facets are flat across: a direction slightly off straight up is shorter by some of their bend.
    expectDepth(ask(ground, here, ring, posed(0, 0, -depth)), depth, 0.002 * depth);
  });
});

describe('a nail', () => {
  const plate = box({ size: [10, 10, 1] });
  it('through a plate leaves the way it came', () => {
    const nail = cylinder({ radius: 0.05, height: 4, segments: 24 });
    // Down to −1.5, up to 2.5.
    expectDepth(ask(plate, here, nail, posed(0.3, 0.1, -1.5)), 2);
  });
  const headed = revolve({
    profile: [
      [0, -2],
      [0.05, -2],
      [0.05, 1.9],
      [0.3, 1.9],
      [0.3, 2],
      [0, 2],
    ],
    segments: 24,
  });
  it('with a head, through a plate', () => {
    expectDepth(ask(plate, here, headed, posed(0.3, 0.1, 0.5)), 2);
    // Its head is in the plate: it goes on, out at the bottom.
    expectDepth(ask(plate, here, headed, posed(0.3, 0.1, -1)), 1.5);
  });
  it('with a head, through a thick plate', () => {
    const thick = box({ size: [10, 10, 3] });
    expectDepth(ask(thick, here, headed, posed(0.3, 0.1, 0)), 3.5);
    expectDepth(ask(thick, here, headed, posed(0.3, 0.1, 0.4, [1, 2, 0], 0)), 3.1);
  });
  it('turned, both', () => {
    const turn = [[1, 2, 3], 0.7] as const;
    const [a, b] = [posed(0, 0, 0, ...turn), posed(0, 0, 0, ...turn)];
    for (let i = 0; i < 3; i++) b[12 + i] = 0.3 * b[i] + 0.1 * b[4 + i] + 0.5 * b[8 + i];
    expectDepth(ask(plate, a, headed, b), 2);
  });
});

describe('solids that are not convex', () => {
  const corner = cuboids([
    [0, 0, 0, 4, 1, 1],
    [0, 0, 0, 1, 4, 1],
  ]);
  it('a peg in the inner corner of an L', () => {
    expectDepth(ask(corner, here, box({ size: [1, 1, 3] }), posed(1.3, 1.4, 0.5)), Math.hypot(0.2, 0.1));
  });
  it('a bar across a fork', () => {
    const fork = cuboids([
      [0, 0, 0, 5, 1, 1],
      [0, 0, 0, 1, 4, 1],
      [4, 0, 0, 5, 4, 1],
    ]);
    // The bar is wider than the gap and has an end in either prong. It leaves along the prongs, from 2.7 to 4.
    expectDepth(ask(fork, here, box({ size: [3.5, 1, 8] }), posed(2.5, 3.2, 0.5)), 1.3);
  });
  it('a sphere in a hollow box', () => {
    // Two shells, the inner one turned inside out.
    const [outer, inner] = [cuboids([[-3, -3, -3, 3, 3, 3]]), cuboids([[-2, -2, -2, 2, 2, 2]])];
    const turned = inner.indices.slice().reverse();
    const hollow = mesh(
      Float64Array.from([...outer.positions, ...inner.positions]),
      Uint32Array.from([...outer.indices, ...turned.map(v => v + 8)]),
    );
    // The sphere goes back into the hollow.
    expectDepth(ask(hollow, here, uvSphere(), posed(0.1, 0.2, 1.2)), 0.2, 0.001);
  });
  it('linked rings: a gap that no path from outside reaches', () => {
    const ring = torus({ majorRadius: 1, minorRadius: 0.3, majorSegments: 64, minorSegments: 32 });
    // The second ring, upright, passes through the first's hole off its middle, and is 0.1 into its tube.
    const across = posed(0.5, 0, 0, [1, 0, 0], Math.PI / 2);
    expectDepth(ask(ring, here, ring, across), 0.1, 0.004);
  });
});
