import { describe, expect, test } from 'vitest';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { box, icosphere, torus } from '../../shapes/index.ts';
import { bruteRelation, identityPose, placedSoup } from '../testing/brute-engine.ts';
import { rectangleCorners } from '../testing/grid-solids.ts';

type Triangles = readonly (readonly number[])[];
type Point = readonly [number, number, number];

const place = (mesh: Mesh, pose: Float64Array = identityPose()): Placed => ({
  shape: { mesh, positions: mesh.positions, revision: 0 },
  pose,
  poseRevision: 0,
});

/** A box from low to high, twelve triangles, with diagonals in one direction or the other. */
function cuboid(low: Point, high: Point, otherDiagonal = false): number[][] {
  return [0, 1, 2].flatMap(axis =>
    [low[axis], high[axis]].flatMap((at, end) => {
      const corners = rectangleCorners(axis, at, low, high);
      if (end === 0) corners.reverse();
      const [a, b, c, d] = otherDiagonal ? [...corners.slice(1), corners[0]] : corners;
      return [
        [...a, ...b, ...c],
        [...a, ...c, ...d],
      ];
    }),
  );
}
const reversed = (triangles: Triangles): number[][] =>
  triangles.map(t => [...t.slice(0, 3), ...t.slice(6, 9), ...t.slice(3, 6)]);
const relation = (a: Triangles, b: Triangles): string => bruteRelation(placedSoup(a), placedSoup(b));

/** Checks both orders: the relation of (b, a) mirrors that of (a, b). */
function expectRelation(a: Triangles, b: Triangles, expected: string): void {
  const mirrored = { inside: 'contains', contains: 'inside' }[expected] ?? expected;
  expect(relation(a, b)).toBe(expected);
  expect(relation(b, a)).toBe(mirrored);
}

const unit = cuboid([0, 0, 0], [4, 4, 4]);

describe('solids', () => {
  test('crossing, inside, separate, touching', () => {
    expectRelation(unit, cuboid([2, 2, 2], [6, 6, 6]), 'crossing');
    expectRelation(unit, cuboid([1, 1, 1], [2, 2, 2]), 'contains');
    expectRelation(unit, cuboid([5, 0, 0], [6, 1, 1]), 'separate');
    expectRelation(unit, cuboid([4, 0, 0], [6, 1, 1]), 'touching');
    expectRelation(unit, cuboid([4, 4, 4], [6, 6, 6]), 'touching');
  });
  test('a bar through a box crosses it although no corner is inside', () => {
    expectRelation(unit, cuboid([1, 1, -1], [3, 3, 5]), 'crossing');
  });
  test('one component inside and one outside', () => {
    const two = [...cuboid([1, 1, 1], [2, 2, 2]), ...cuboid([7, 7, 7], [8, 8, 8])];
    expectRelation(two, unit, 'crossing');
    expectRelation([...two, ...cuboid([4, 1, 1], [5, 2, 2])], unit, 'crossing');
  });
  test('one component inside and one touching from outside', () => {
    expectRelation([...cuboid([1, 1, 1], [2, 2, 2]), ...cuboid([4, 1, 1], [5, 2, 2])], unit, 'crossing');
  });
  test('inside with a shared coplanar face, a shared edge, a shared corner', () => {
    expectRelation(cuboid([0, 1, 1], [2, 3, 3]), unit, 'inside');
    expectRelation(cuboid([0, 0, 1], [2, 3, 3]), unit, 'inside');
    expectRelation(cuboid([0, 0, 0], [2, 3, 3], true), unit, 'inside');
    expectRelation(cuboid([0, 0, 0], [4, 4, 3], true), unit, 'inside');
  });
  test('coincident with other diagonals, reversed, in pieces', () => {
    expectRelation(unit, unit, 'coincident');
    expectRelation(unit, cuboid([0, 0, 0], [4, 4, 4], true), 'coincident');
    expectRelation(unit, reversed(unit), 'coincident');
    const halves = [...cuboid([0, 0, 0], [4, 4, 2]), ...reversed(cuboid([0, 0, 2], [4, 4, 4], true))];
    expectRelation(unit, halves, 'coincident');
  });
  test('boxes flush on a face with different diagonals', () => {
    expectRelation(unit, cuboid([4, 0, 0], [8, 4, 4], true), 'touching');
    expectRelation(unit, cuboid([4, 1, 1], [8, 5, 5], true), 'touching');
    // In a notch: the bodies' bounding boxes overlap, but the bodies only touch.
    const notched = [...cuboid([0, 0, 0], [4, 4, 2]), ...cuboid([0, 0, 2], [2, 4, 4], true)];
    expectRelation(notched, cuboid([2, 0, 2], [4, 4, 4]), 'touching');
    expectRelation(notched, cuboid([2, 0, 1.5], [4, 4, 4]), 'crossing');
  });
  test('nested shells: a hollow body and a body in its hollow', () => {
    const hollow = [...cuboid([0, 0, 0], [8, 8, 8]), ...reversed(cuboid([2, 2, 2], [6, 6, 6]))];
    expectRelation(hollow, cuboid([3, 3, 3], [5, 5, 5]), 'separate');
    expectRelation(hollow, cuboid([2, 3, 3], [5, 5, 5]), 'touching');
    expectRelation(hollow, cuboid([2, 2, 2], [6, 6, 6], true), 'touching');
    expectRelation(hollow, cuboid([1, 3, 3], [5, 5, 5]), 'crossing');
    expectRelation(hollow, cuboid([0.5, 0.5, 0.5], [1.5, 1.5, 1.5]), 'contains');
    expectRelation(hollow, cuboid([-1, -1, -1], [9, 9, 9]), 'inside');
    expectRelation(hollow, cuboid([0, 0, 0], [8, 8, 8], true), 'inside');
    // Two shells wound the same way: winding number 2 inside, and no hollow.
    const filled = [...cuboid([0, 0, 0], [8, 8, 8]), ...cuboid([2, 2, 2], [6, 6, 6])];
    expectRelation(filled, cuboid([3, 3, 3], [5, 5, 5]), 'contains');
    expectRelation(filled, cuboid([0, 0, 0], [8, 8, 8], true), 'coincident');
  });
  test('a hollow that is connected to a lump at a corner', () => {
    // The lump comes first and bounds no hollow. The hollow, which is connected to it, reaches into B.
    const lump = cuboid([2, 2, 2], [3, 3, 3]);
    const hollow = reversed(cuboid([3, 3, 3], [5, 5, 5]));
    const outer = cuboid([0, 0, 0], [10, 10, 10]);
    expectRelation([...lump, ...hollow, ...outer], cuboid([1, 1, 1], [9, 9, 9]), 'crossing');
    expectRelation([...lump, ...outer], cuboid([1, 1, 1], [9, 9, 9]), 'contains');
  });
  test('overlapping components of one body', () => {
    const cross = [...cuboid([0, 2, 2], [8, 4, 4]), ...cuboid([2, 0, 2], [4, 8, 4])];
    expectRelation(cross, cuboid([2, 2, 2], [4, 4, 4]), 'contains');
    expectRelation(cross, cuboid([0, 0, 2], [8, 8, 4]), 'inside');
    expectRelation(cross, cuboid([4, 4, 2], [8, 8, 4]), 'touching');
    // Wound in opposite directions, they cancel in their overlap.
    const cancelled = [...cuboid([0, 2, 2], [8, 4, 4]), ...reversed(cuboid([2, 0, 2], [4, 8, 4]))];
    expectRelation(cancelled, cuboid([2, 2, 2], [4, 4, 4], true), 'touching');
    expectRelation(cancelled, cuboid([2.5, 2.5, 2.5], [3.5, 3.5, 3.5]), 'separate');
  });
  test('flaps without volume touch what they meet, and are separate from a solid around them', () => {
    const flap = [
      [1, 1, 1, 2, 1, 1, 1, 2, 1],
      [1, 1, 1, 1, 2, 1, 2, 1, 1],
    ];
    expectRelation(flap, unit, 'separate');
    expectRelation(flap, cuboid([0, 0, 0], [3, 3, 1]), 'touching');
    expectRelation(flap, cuboid([5, 5, 5], [6, 6, 6]), 'separate');
    expectRelation(flap, flap, 'touching');
    const withFlap = [...unit, ...flap.map(t => t.map(x => x + 4))];
    expectRelation(withFlap, cuboid([4, 4, 4], [8, 8, 8]), 'touching');
    expectRelation(withFlap, cuboid([0, 0, 0], [8, 8, 8]), 'inside');
    expectRelation(withFlap, unit, 'coincident');
    // A needle: closed, but with no area at all.
    const needle = [
      [1, 1, 1, 2, 2, 2, 3, 3, 3],
      [3, 3, 3, 2, 2, 2, 1, 1, 1],
    ];
    expectRelation(needle, unit, 'separate');
    expectRelation(needle, needle, 'touching');
  });
  test('mirrored poses', () => {
    const mirror = identityPose();
    mirror[0] = -1;
    const ball = icosphere({ frequency: 2 });
    expect(bruteRelation(place(ball, mirror), place(box({ size: [4, 4, 4] })))).toBe('inside');
    expect(bruteRelation(place(ball, mirror), place(box({ size: [1.5, 1.5, 1.5] })))).toBe('crossing');
  });
  test('a ball in the hole of a ring is apart, one in its tube crosses or is inside', () => {
    const ring = place(torus());
    const scaled = (scale: number, x: number): Float64Array =>
      new Float64Array([scale, 0, 0, 0, 0, scale, 0, 0, 0, 0, scale, 0, x, 0, 0, 1]);
    const ball = icosphere({ frequency: 2 });
    expect(bruteRelation(place(ball, scaled(2 ** -6, 0)), ring)).toBe('separate');
    const middle = ring.shape.mesh.bounds[3] * 0.8;
    expect(bruteRelation(ring, place(ball, scaled(2 ** -6, middle)))).toBe('contains');
  });
});

describe('solids far away, huge, tiny', () => {
  const pairs: [Triangles, Triangles, string][] = [
    [unit, cuboid([2, 2, 2], [6, 6, 6]), 'crossing'],
    [unit, cuboid([1, 0, 1], [2, 2, 2]), 'contains'],
    [
      [...cuboid([0, 0, 0], [4, 4, 2]), ...cuboid([0, 0, 2], [2, 4, 4])],
      cuboid([2, 0, 2], [4, 4, 4]),
      'touching',
    ],
    [unit, cuboid([0, 0, 0], [4, 4, 4], true), 'coincident'],
  ];
  for (const scale of [2 ** -1060, 2 ** -340, 2 ** 300, 2 ** 1000]) {
    test(`scaled by 2^${Math.log2(scale)}`, () => {
      for (const [a, b, expected] of pairs) {
        const scaled = (triangles: Triangles): number[][] => triangles.map(t => t.map(x => x * scale));
        expectRelation(scaled(a), scaled(b), expected);
      }
    });
  }
  test('moved by a million, exactly', () => {
    for (const [a, b, expected] of pairs) {
      const moved = (triangles: Triangles): number[][] => triangles.map(t => t.map(x => x + 1e6));
      expectRelation(moved(a), moved(b), expected);
    }
  });
  test('one unit in the last place decides', () => {
    const next = 4 + 2 ** -50;
    expectRelation(unit, cuboid([4, 1, 1], [6, 2, 2]), 'touching');
    expectRelation(unit, cuboid([next, 1, 1], [6, 2, 2]), 'separate');
    expectRelation(unit, cuboid([4 - 2 ** -51, 1, 1], [6, 2, 2]), 'crossing');
    expectRelation(unit, cuboid([1, 1, 1], [next, 2, 2]), 'crossing');
    expectRelation(unit, cuboid([1, 1, 1], [4, 2, 2]), 'contains');
  });
});

describe('open surfaces', () => {
  const sheet = [
    [-4, -4, 0, 4, -4, 0, 4, 4, 0],
    [-4, -4, 0, 4, 4, 0, -4, 4, 0],
  ];
  test('crossing in the open, ending on the other, apart', () => {
    expectRelation([[1, 0, -1, 1, 1, -1, 1, 0, 2]], sheet, 'crossing');
    expectRelation([[1, 0, 0, 1, 1, 0, 1, 0, 2]], sheet, 'touching');
    expectRelation([[1, 0, 1, 1, 1, 1, 1, 0, 2]], sheet, 'separate');
  });
  test('crossing exactly along an edge of one of them, or of both', () => {
    const folded = [
      [1, 0, 0, 1, 2, 0, 1, 1, 2],
      [1, 2, 0, 1, 0, 0, 1, 1, -2],
    ];
    expectRelation(folded, sheet, 'crossing');
    const along = [
      [0, 0, 0, 2, 2, 0, 1, 1, 2],
      [2, 2, 0, 0, 0, 0, 1, 1, -2],
    ];
    expectRelation(along, sheet, 'crossing');
    // Folded back: both wings on one side.
    expectRelation([folded[0], [1, 2, 0, 1, 0, 0, 2, 1, 2]], sheet, 'touching');
    // One wing lies in the sheet.
    expectRelation([folded[0], [1, 2, 0, 1, 0, 0, 3, 1, 0]], sheet, 'touching');
    // Across a boundary edge of the sheet: nothing is on both sides.
    expectRelation([[4, 0, -1, 4, 1, -1, 4, 0, 2]], sheet, 'touching');
  });
  test('through a vertex', () => {
    const spikes = [
      [1, 0, 0, 1, 1, 2, 2, 0, 2],
      [1, 0, 0, 1, 1, -2, 2, 0, -2],
    ];
    expectRelation(spikes, sheet, 'crossing');
    expectRelation([spikes[0]], sheet, 'touching');
    expectRelation([[1, 0, -1, 1, 0, 1, 1, 0, 2]], sheet, 'crossing');
  });
  test('a copy of a surface that crosses itself only touches it', () => {
    const selfCrossing = [...sheet, [1, -1, -2, 1, 3, -2, 1, 1, 3]];
    expectRelation(selfCrossing, selfCrossing, 'touching');
    const subset = [selfCrossing[2]];
    expectRelation(selfCrossing, subset, 'crossing');
  });
  test('a sheet in a closed box is separate from it', () => {
    expectRelation([[1, 1, 1, 2, 1, 1, 1, 2, 1]], unit, 'separate');
    expectRelation([[1, 1, 1, 2, 1, 1, 1, 2, 9]], unit, 'crossing');
    expectRelation([[1, 1, 4, 2, 1, 4, 1, 2, 4]], unit, 'touching');
  });
});
