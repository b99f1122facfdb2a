// Silhouettes never leave out a line that crosses the body: compared with exact whole numbers.

import { expect, test } from 'vitest';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { identity } from '../../../math/pose.ts';
import { type Mesh, mesh } from '../../../mesh/mesh.ts';
import { createRandom } from '../../../shapes/index.ts';
import { View } from '../../raster/view.ts';
import { axesOf } from '../lists/axis-tile.ts';
import { Silhouette } from './silhouette.ts';

const seed = Number(process.env['NEARFIELD_SEED'] ?? 20261118);
const rounds = process.env['NEARFIELD_SLOW'] === '1' ? 20_000 : 400;

/** Places of lines and of corners are multiples of this many pixels. */
const grid = 1 / 8;

const placed = (part: Mesh): Placed => ({
  shape: { mesh: part, positions: part.positions, revision: 0 },
  pose: identity(),
  poseRevision: 0,
});

/** Whether a place lies in a closed triangle, all of whole numbers. */
function isWithin(x: bigint, y: bigint, corners: readonly (readonly [bigint, bigint])[]): boolean {
  const turns = corners.map(([ax, ay], k) => {
    const [bx, by] = corners[(k + 1) % 3];
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
  });
  const inBox = [0, 1].every(k => {
    const place = k === 0 ? x : y;
    const own = corners.map(corner => corner[k]);
    return own.some(c => c <= place) && own.some(c => c >= place);
  });
  return inBox && (turns.every(turn => turn >= 0n) || turns.every(turn => turn <= 0n));
}

test(`leaves every line that crosses, seed ${seed}`, () => {
  const random = createRandom(seed);
  let [crossed, spared] = [0, 0];
  for (let round = 0; round < rounds; round++) {
    // Whole numbers of grid steps: small and large triangles, needles, segments and points among them.
    const reach = 2 ** random.integer(30);
    const pixel = 2 ** (random.integer(80) - 40);
    const flat = random.integer(4);
    const whole = () => Math.round(random.between(-reach, reach));
    const count = 1 + random.integer(6);
    const axis = random.integer(3);
    const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
    const triangles = Array.from({ length: count }, () => {
      const [a, b, c] = [0, 1, 2].map(() => [whole(), whole()]);
      if (flat === 0) return [a, b, [2 * b[0] - a[0], 2 * b[1] - a[1]]];
      if (flat === 1) return [a, a, b];
      return flat === 2 ? [a, [a[0] + 1, a[1] + random.integer(3)], c] : [a, b, c];
    });
    const positions = new Float64Array(9 * count);
    for (const [t, corners] of triangles.entries()) {
      for (const [k, [x, y]] of corners.entries()) {
        positions[9 * t + 3 * k + u] = x * grid * pixel;
        positions[9 * t + 3 * k + v] = y * grid * pixel;
        positions[9 * t + 3 * k + axis] = whole() * grid * pixel;
      }
    }
    const part = mesh(
      positions,
      Uint32Array.from({ length: 3 * count }, (_, i) => i),
    );
    const view = new View(axesOf[axis], [0, 0, 0], pixel, 64, 64, 0, 1);
    const silhouette = new Silhouette(view, placed(part));
    for (let k = 0; k < 40; k++) {
      const corner = triangles[random.integer(count)];
      const weights = [random.next(), random.next()];
      const near = corner[0].map((value, i) =>
        Math.round(value + weights[0] * (corner[1][i] - value) + weights[1] * (corner[2][i] - value)),
      );
      const [x, y] = k % 4 === 0 ? corner[k % 3] : near;
      const at = triangles.map(own => own.map(([p, q]) => [BigInt(p), BigInt(q)] as const));
      const isCrossed = at.some(own => isWithin(BigInt(x), BigInt(y), own));
      const mayCross = silhouette.mayCross(x * grid, y * grid);
      if (isCrossed) {
        crossed++;
        expect(mayCross, `round ${round}, place ${x}, ${y}, triangles ${JSON.stringify(triangles)}`).toBe(
          true,
        );
      } else if (!mayCross) spared++;
    }
  }
  expect(crossed).toBeGreaterThan(4 * rounds);
  expect(spared).toBeGreaterThan(rounds);
});

test('tests few triangles by their edges, and many by the box around them', () => {
  const view = new View(axesOf[2], [0, 0, 0], 1, 64, 64, 0, 1);
  const rod = [0, 0, 0, 64, 64, 0, 64, 62, 0];
  const rods = (triangles: number) =>
    placed(
      mesh(
        Float64Array.from(rod),
        Uint32Array.from({ length: 3 * triangles }, (_, i) => i % 3),
      ),
    );
  const few = new Silhouette(view, rods(1));
  expect(few.mayCross(32, 31.5)).toBe(true);
  expect(few.mayCross(60, 10)).toBe(false);
  const many = new Silhouette(view, rods(300));
  expect(many.mayCross(60, 10)).toBe(true);
  expect(many.mayCross(70, 10)).toBe(false);
});
