import { type Mesh, mesh, open, shapes } from 'nearfield';
import { expect, test } from 'vitest';
import { bruteDistance, worldCorners } from '../../oracle/triangles/brute-distance.ts';
import { compareFractions, type Fraction } from '../../oracle/triangles/least-difference.ts';

const at = (x: number, y: number, z: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];

/** A sheet of eight triangles over a grid, whose nine corners lie at these heights. */
function sheet(heights: readonly number[]): Mesh {
  const positions = heights.flatMap((height, i) => [Math.floor(i / 3), i % 3, height]);
  const indices = [0, 1, 3, 4].flatMap(i => [i, i + 3, i + 1, i + 3, i + 4, i + 1]);
  return mesh(Float32Array.from(positions), Uint32Array.from(indices));
}

/** The triangles of the nearest pair, the lowest of equally near ones: each pair is measured exactly. */
function nearestOfEvery(a: Float64Array, b: Float64Array): [number, number] {
  let best: { squared: Fraction; pair: [number, number] } | undefined;
  for (let i = 0; 9 * i < a.length; i++) {
    for (let j = 0; 9 * j < b.length; j++) {
      const { squared } = bruteDistance(a.subarray(9 * i, 9 * i + 9), b.subarray(9 * j, 9 * j + 9))!;
      if (!best || compareFractions(squared, best.squared) < 0) best = { squared, pair: [i, j] };
    }
  }
  return best!.pair;
}

// While the pairs of two leaves were tested, the direction along which they were known to be apart changed, and
// bounds along the old direction were used for the new one: the nearest pair was left out.
test('sheets that are nearly flat: the nearest pair of two leaves', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  const h = 2 ** -8;
  const made = sheet([0, h, 0, -h, 0, h, h, 0, h]);
  const a = scene.add(made, { pose: at(0, -8, 2) });
  const b = scene.add(made, { pose: at(1.0000000000000004, -6.999, 2) });
  const { distance, triangleA, triangleB } = scene.distanceSync(a, b);
  expect([distance, triangleA, triangleB]).toEqual([3.906190396722471e-6, 3, 0]);
  expect(scene.withinSync(3.9062e-6).length).toBe(1);
  nf.close();
});

test('flat sheets and squashed balls: the same answer with any initial bound', async () => {
  const nf = await open({ backend: 'cpu' });
  const count = process.env.NEARFIELD_SLOW ? 2000 : 30;
  for (let seed = 1; seed <= count; seed++) {
    const random = shapes.createRandom(seed);
    const made = (): Mesh => {
      const h = 2 ** -random.integer(12);
      if (seed % 2 === 0) return sheet(Array.from({ length: 9 }, () => h * (random.integer(3) - 1)));
      const { positions, indices } = shapes.icosphere({ frequency: 1 + random.integer(2) });
      return mesh(
        positions.map((x, i) => (i % 3 === 2 ? h * x : x)),
        indices,
      );
    };
    const above = 2 ** -random.integer(16);
    const parts = [
      { mesh: made(), pose: at(0, 0, 0) },
      { mesh: made(), pose: at(random.integer(9) / 8, 1 + random.integer(9) / 1000, above) },
    ];
    const scene = nf.scene();
    const [a, b] = parts.map(part => scene.add(part.mesh, { pose: part.pose }));
    const found = scene.distanceSync(a, b, { surface: true });
    if (seed % 2 === 0) {
      const expected = nearestOfEvery(worldCorners(parts[0]), worldCorners(parts[1]));
      expect([found.triangleA, found.triangleB], `seed ${seed}`).toEqual(expected);
    }
    if (found.distance > 0) {
      for (const more of [1e-12, 1e-6, 0.01, 1]) {
        const upTo = found.distance * (1 + more);
        const known = scene.distanceSync(a, b, { surface: true, upTo });
        expect(known, `seed ${seed}, up to ${upTo}`).toEqual({ ...found, stats: known.stats });
      }
    }
    scene.close();
  }
  nf.close();
});
