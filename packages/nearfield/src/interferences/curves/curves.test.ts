import { describe, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { toEnd } from '../../core/waiting.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { box, icosphere, torus } from '../../shapes/index.ts';
import { identityPose, meetingTriangles, placedSoup, randomIntegers } from '../testing/brute-engine.ts';
import { subdivided } from '../testing/grid-solids.ts';
import { type Curve, curvesOf } from './curves.ts';

const place = (mesh: Mesh, pose = identityPose()): Placed => ({
  shape: { mesh, positions: mesh.positions, revision: 0 },
  pose,
  poseRevision: 0,
});
const moved = (x: number, y: number, z: number): Float64Array => {
  const pose = identityPose();
  pose.set([x, y, z], 12);
  return pose;
};
const curvesBetween = (a: Placed, b: Placed): Curve[] => toEnd(curvesOf(a, b, meetingTriangles(a, b)));

/** A square from low to high in the plane z = height, as two triangles. */
const sheet = (low: number, high: number, height = 0): number[][] => [
  [low, low, height, high, low, height, high, high, height],
  [low, low, height, high, high, height, low, high, height],
];
/** A square from low to high in the plane x = at. */
const wall = (low: number, high: number, at = 0): number[][] => [
  [at, low, low, at, high, low, at, high, high],
  [at, low, low, at, high, high, at, low, high],
];

function lengthOf({ points, closed }: Curve): number {
  let length = 0;
  const count = points.length / 3;
  for (let i = 0; i < (closed ? count : count - 1); i++) {
    const [p, q] = [3 * i, 3 * ((i + 1) % count)];
    length += Math.hypot(points[p] - points[q], points[p + 1] - points[q + 1], points[p + 2] - points[q + 2]);
  }
  return length;
}
const totalLength = (curves: readonly Curve[]): number =>
  curves.reduce((sum, curve) => sum + lengthOf(curve), 0);

/** The larger of a point's distance to a triangle's plane and how far outside it is in barycentric coordinates. */
function offTriangle(body: Placed, t: number, points: Float64Array, at: number): number {
  const { positions, mesh } = body.shape;
  const corner = (i: number): number[] => {
    const v = 3 * mesh.indices[3 * t + i];
    return [0, 1, 2].map(axis => positions[v + axis] + body.pose[12 + axis]);
  };
  const [a, b, c] = [corner(0), corner(1), corner(2)];
  const minus = (x: number[], y: number[]): number[] => x.map((value, i) => value - y[i]);
  const cross = (x: number[], y: number[]): number[] => [
    x[1] * y[2] - x[2] * y[1],
    x[2] * y[0] - x[0] * y[2],
    x[0] * y[1] - x[1] * y[0],
  ];
  const dot = (x: number[], y: number[]): number => x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
  const point = [...points.subarray(at, at + 3)];
  const normal = cross(minus(b, a), minus(c, a));
  const area = Math.hypot(...normal);
  const off = Math.abs(dot(normal, minus(point, a))) / area;
  const outside = [
    [a, b],
    [b, c],
    [c, a],
  ].map(
    ([from, to]) =>
      -dot(normal, cross(minus(to, from), minus(point, from))) / (area * Math.hypot(...minus(to, from))),
  );
  return Math.max(off, ...outside);
}

/** Every segment lies on both triangles of its pair. */
function expectOnSurfaces(curves: readonly Curve[], a: Placed, b: Placed): void {
  for (const { points, closed, trianglePairs } of curves) {
    const count = points.length / 3;
    const segments = count === 1 ? 1 : closed ? count : count - 1;
    expect(trianglePairs.length).toBe(2 * segments);
    for (let i = 0; i < segments; i++) {
      for (const at of [3 * i, 3 * ((i + 1) % count)]) {
        expect(offTriangle(a, trianglePairs[2 * i], points, at)).toBeLessThan(1e-12);
        expect(offTriangle(b, trianglePairs[2 * i + 1], points, at)).toBeLessThan(1e-12);
      }
    }
  }
}

describe('curves', () => {
  test('a plane cuts a sphere in one closed curve close to a circle', () => {
    const ball = place(icosphere({ frequency: 8 }));
    const plane = placedSoup(sheet(-3, 3, 0.123));
    const curves = curvesBetween(ball, plane);
    expect(curves.length).toBe(1);
    expect(curves[0].closed).toBe(true);
    const radius = Math.sqrt(1 - 0.123 ** 2);
    expect(lengthOf(curves[0]) / (2 * Math.PI * radius)).toBeGreaterThan(0.97);
    expect(lengthOf(curves[0]) / (2 * Math.PI * radius)).toBeLessThanOrEqual(1);
    expectOnSurfaces(curves, ball, plane);
  });

  test('a plane through vertices of a sphere cuts it along edges, and each appears once', () => {
    // The octahedron's equator lies in z = 0.
    const points = [
      [1, 0, 0],
      [0, 1, 0],
      [-1, 0, 0],
      [0, -1, 0],
    ];
    const faces = points.flatMap((p, i) => {
      const q = points[(i + 1) % 4];
      return [
        [...p, ...q, 0, 0, 1],
        [...q, ...p, 0, 0, -1],
      ];
    });
    const [body, plane] = [placedSoup(faces), placedSoup(sheet(-3, 3.5))];
    const curves = curvesBetween(body, plane);
    expect(curves.length).toBe(1);
    expect(curves[0].closed).toBe(true);
    expect(lengthOf(curves[0])).toBeCloseTo(4 * Math.SQRT2, 12);
    expectOnSurfaces(curves, body, plane);
  });

  test('a torus and a plane across it meet in two closed curves', () => {
    const [ring, plane] = [place(torus()), placedSoup(wall(-5, 5, 0.0371))];
    const curves = curvesBetween(ring, plane);
    expect(curves.map(curve => curve.closed)).toEqual([true, true]);
    expectOnSurfaces(curves, ring, plane);
  });

  test('two boxes that overlap at a corner meet in one closed curve of six edges', () => {
    const [a, b] = [place(box({ size: [2, 2, 2] })), place(box({ size: [2, 2, 2] }), moved(1, 0.75, 0.5))];
    const curves = curvesBetween(a, b);
    expect(curves.length).toBe(1);
    expect(curves[0].closed).toBe(true);
    expect(lengthOf(curves[0])).toBeCloseTo(2 * (1 + 1.25 + 1.5), 12);
    expectOnSurfaces(curves, a, b);
  });

  test('boxes flush on a face meet in the outline of the overlap', () => {
    const [a, b] = [place(box({ size: [2, 2, 2] })), place(box({ size: [2, 2, 2] }), moved(2, 0.5, 0.25))];
    const curves = curvesBetween(a, b);
    expect(curves.length).toBe(1);
    expect(curves[0].closed).toBe(true);
    expect(lengthOf(curves[0])).toBeCloseTo(2 * (1.5 + 1.75), 12);
    const whole = curvesBetween(a, place(box({ size: [2, 2, 2] }), moved(2, 0, 0)));
    expect(whole.length).toBe(1);
    expect(lengthOf(whole[0])).toBeCloseTo(8, 12);
  });

  test('a body and its copy have no outline', () => {
    expect(curvesBetween(place(box()), place(box()))).toEqual([]);
  });

  test('sheets that cross along an edge of one of them', () => {
    const folded = placedSoup([
      [0, 0, 0, 0, 1, 0, 1, 0, 1],
      [0, 1, 0, 0, 0, 0, -1, 0, -1],
    ]);
    const curves = curvesBetween(folded, placedSoup(sheet(-4, 4)));
    expect(totalLength(curves)).toBeCloseTo(1, 12);
    expect(curves.length).toBe(1);
    expect(curves[0].closed).toBe(false);
  });

  test('touching in a point is a curve of one point', () => {
    const spike = placedSoup([
      [0, 0, 0, 1, 0, 1, 0, 1, 1],
      [0, 0, 0, 0, 1, 1, -1, -1, 1],
    ]);
    const curves = curvesBetween(spike, placedSoup(sheet(-4, 5)));
    expect(curves.length).toBe(1);
    expect([...curves[0].points]).toEqual([0, 0, 0]);
    expect(curves[0].trianglePairs.length).toBe(2);
  });

  test('coplanar sheets meet in the outline of their overlap, however they are triangulated', () => {
    const [a, b] = [placedSoup(sheet(0, 4)), placedSoup(sheet(1, 6))];
    const curves = curvesBetween(a, b);
    expect(curves.length).toBe(1);
    expect(curves[0].closed).toBe(true);
    expect(lengthOf(curves[0])).toBeCloseTo(12, 12);
  });

  test('subdivision on the dyadic grid changes neither the length nor the number of curves', () => {
    const random = randomIntegers(7);
    for (let round = 0; round < 10; round++) {
      const soup = (): number[][] => {
        const low = [random(5), random(5), random(5)];
        const [u, v] = [
          [1 + random(6), random(5) - 2, random(5) - 2],
          [random(5) - 2, 1 + random(6), random(5) - 2],
        ];
        const corner = (i: number, j: number): number[] => low.map((x, k) => x + i * u[k] + j * v[k]);
        return [
          [...corner(0, 0), ...corner(1, 0), ...corner(1, 1)],
          [...corner(0, 0), ...corner(1, 1), ...corner(0, 1)],
        ];
      };
      const [coarseA, coarseB] = [soup(), soup()];
      const coarse = curvesBetween(placedSoup(coarseA), placedSoup(coarseB));
      const fine = curvesBetween(placedSoup(subdivided(coarseA)), placedSoup(coarseB));
      const finest = curvesBetween(
        placedSoup(subdivided(coarseA)),
        placedSoup(subdivided(subdivided(coarseB))),
      );
      expect(totalLength(fine), `round ${round}`).toBeCloseTo(totalLength(coarse), 10);
      expect(totalLength(finest), `round ${round}`).toBeCloseTo(totalLength(coarse), 10);
      expect(finest.length, `round ${round}`).toBe(coarse.length);
    }
  });
});
