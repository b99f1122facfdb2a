import { describe, expect, test } from 'vitest';
import { fromDoubles, type Homogeneous } from '../math/rational.ts';
import { icosphere } from '../mesh/shapes/index.ts';
import type { Placed } from './engine.ts';
import { BruteEngine, identityPose, placedSoup, randomIntegers } from './testing/brute-engine.ts';
import { type GridSolid, randomBoxes, randomCubes } from './testing/grid-solids.ts';
import { pointsInside, windingNumber } from './winding.ts';

const engine = new BruteEngine();
const size = 3;

/** Every point of the grid and between, in halves. */
function* halves(): Generator<[number, number, number]> {
  for (let x = -1; x <= 2 * size + 1; x++) {
    for (let y = -1; y <= 2 * size + 1; y++) {
      for (let z = -1; z <= 2 * size + 1; z++) yield [x, y, z];
    }
  }
}

function* solids(count: number): Generator<{ seed: number; solid: GridSolid; body: Placed }> {
  for (let seed = 1; seed <= count; seed++) {
    const random = randomIntegers(seed);
    const solid = seed % 2 ? randomBoxes(random, 4, size) : randomCubes(random, size);
    yield { seed, solid, body: placedSoup(solid.triangles) };
  }
}

describe('points in solids on the grid', () => {
  test('points of the grid and between: outside, inside, on the surface', () => {
    for (const { seed, solid, body } of solids(12)) {
      const points = [...halves()];
      const places = pointsInside(
        engine,
        body,
        points.flat().map(x => x / 2),
      );
      points.forEach(([x, y, z], i) => {
        const expected = solid.onSurface(x, y, z) ? 2 : solid.holds(x, y, z) ? 1 : 0;
        expect(places[i], `seed ${seed}, point ${x / 2} ${y / 2} ${z / 2}`).toBe(expected);
      });
    }
  });

  test('the same for exact points, and for points that are no doubles', () => {
    for (const { seed, solid, body } of solids(4)) {
      for (const [x, y, z] of halves()) {
        const exact = windingNumber(engine, body, fromDoubles(x / 2, y / 2, z / 2));
        const rounded = windingNumber(engine, body, [x / 2, y / 2, z / 2]);
        expect(exact, `seed ${seed}, point ${x / 2} ${y / 2} ${z / 2}`).toEqual(rounded);
        if (x % 2 === 0 || y % 2 === 0 || z % 2 === 0) continue;
        // A third of the way through the cube in each direction.
        const [i, j, k] = [(x - 1) / 2, (y - 1) / 2, (z - 1) / 2];
        const third: Homogeneous = {
          x: BigInt(3 * i + 1),
          y: BigInt(3 * j + 1),
          z: BigInt(3 * k + 2),
          w: 3n,
        };
        expect(windingNumber(engine, body, third).winding !== 0).toBe(solid.inside(i, j, k));
      }
    }
  });
});

describe('points in a ball', () => {
  const ball = (pose: Float64Array): Placed => {
    const mesh = icosphere({ frequency: 4 });
    return { shape: { mesh, positions: mesh.positions, revision: 0 }, pose, poseRevision: 0 };
  };
  test('once around, and once the other way in a mirror', () => {
    expect(windingNumber(engine, ball(identityPose()), [0, 0, 0])).toEqual({ winding: 1, on: false });
    const mirror = identityPose();
    mirror[5] = -1;
    expect(windingNumber(engine, ball(mirror), [0, 0, 0])).toEqual({ winding: -1, on: false });
    expect(windingNumber(engine, ball(mirror), [0, 0.9, 0.9])).toEqual({ winding: 0, on: false });
  });
  test('its own vertices are on it', () => {
    const body = ball(identityPose());
    expect(pointsInside(engine, body, body.shape.positions).every(place => place === 2)).toBe(true);
  });
  test('no points', () => expect(pointsInside(engine, ball(identityPose()), [])).toEqual(new Uint8Array()));
});
