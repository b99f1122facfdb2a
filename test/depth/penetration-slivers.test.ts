// Depths of slivers of every kind (oracle/extremes.ts), against oracles in integers (oracle/depth/convex-depth.ts). The
// depth is that of the world's doubles, over translations of any real numbers: the bracket contains it without slack.
// The upper bound is the length of a translation of doubles that was applied to a pose, which rounds. Only if the
// depth is at most some units in the last place may it be noticeably larger.

import { mesh, open, type Penetration } from 'nearfield';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConvexSolid, convexDepthSquared, isExactlyConvex } from '../oracle/depth/convex-depth.ts';
import type { ConvexPiece, Point } from '../oracle/depth/forbidden-translations.ts';
import { unionMesh, volumeOf } from '../oracle/depth/tetrahedra-unions.ts';
import { turn } from '../oracle/extreme-places.ts';
import { type ExtremePair, extremePair, extremeSolid, sizeOf } from '../oracle/extremes.ts';
import { type Random, randomFrom } from '../oracle/triangles/generators.ts';
import { compareFractions, type Fraction, fractionOf } from '../oracle/triangles/least-difference.ts';

const slow = process.env.NEARFIELD_SLOW === '1';

let nf: Awaited<ReturnType<typeof openCpu>>;
const openCpu = () => open({ backend: 'cpu' });
beforeAll(async () => {
  nf = await openCpu();
});
afterAll(() => nf.close());

function ask(a: ConvexSolid, b: ConvexSolid): Penetration {
  const scene = nf.scene();
  const [first, second] = [a, b].map(({ positions, indices }) =>
    scene.add(mesh(Float64Array.from(positions), Uint32Array.from(indices))),
  );
  const found = scene.penetrationSync(first, second);
  scene.close();
  return found;
}

const squareOf = (length: number): Fraction => {
  const { numerator, denominator } = fractionOf(length);
  return { numerator: numerator ** 2n, denominator: denominator ** 2n };
};

/** A pair with few triangles each, because the oracle tests all pairs of edges. */
function smallPair(seed: number, aspect: number): ExtremePair {
  const random = randomFrom(seed);
  for (;;) {
    const pair = extremePair(random, { aspect, exponent: 30 });
    const [a, b] = pair.parts;
    if (a.mesh.triangleCount * b.mesh.triangleCount <= (slow ? 200 : 100)) return pair;
  }
}

/**
 * Translations shorter than the lower bound leave the two with common interior: the exact relation says so, also for
 * bent solids. Poses round by less than a millionth of the bound.
 */
function expectNoShorter([a, b]: ExtremePair['parts'], lower: number, seed: number, note: string): void {
  const random = randomFrom(seed);
  const scene = nf.scene();
  scene.add(a.mesh);
  const body = scene.add(b.mesh);
  for (let way = 0; way < 6; way++) {
    const [x, y, z] = way < 3 ? [0, 1, 2].map(k => (k === way ? 1 : 0)) : [0, 1, 2].map(() => random() - 0.5);
    const length = ((way % 2 ? -1 : 1) * 0.999 * lower) / Math.hypot(x, y, z);
    body.pose = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x * length, y * length, z * length, 1];
    const relations = [...scene.interferencesSync()].map(({ relation }) => relation);
    expect(['crossing', 'inside', 'contains', 'coincident'], `${note}, way ${way}`).toContain(relations[0]);
  }
  scene.close();
}

describe('one shell each', () => {
  // Seeds that once failed. Aspect 10^6: 60 is less deep than a unit in the last place; rounding bent 198, 205 and 358 by
  // much. Aspect 10^12: rounding pressed 2036 flat in places.
  it.each([
    [1e3, []],
    [1e6, [60, 198, 205, 358]],
    [1e12, [2036]],
  ])('of aspect %d', { timeout: 3_600_000 }, (aspect, seeds) => {
    let [all, wide, zero] = [0, 0, 0];
    // The pairs that are deeper than 64 units in the last place, and those of them with wide brackets.
    let [deep, deepAndWide] = [0, 0];
    const more = Array.from({ length: slow ? 3000 : 40 }, (_, i) => i + 1);
    for (const seed of slow ? more : [...seeds, ...more]) {
      const { kind, parts } = smallPair(seed, aspect);
      const note = `seed ${seed}: ${kind}`;
      const [a, b] = parts.map(({ mesh: { positions, indices } }) => ({ positions, indices }));
      const squared = convexDepthSquared(a, b);
      const { depth, ratio } = ask(a, b);
      const isConvex = isExactlyConvex(a) && isExactlyConvex(b);
      if (squared.numerator === 0n) {
        expect(depth, note).toEqual({ lower: 0, upper: 0 });
        continue;
      }
      const far = Math.max(...[...a.positions, ...b.positions].map(Math.abs));
      expect(
        compareFractions(squareOf(depth.lower), squared),
        `${note}, lower ${depth.lower}`,
      ).toBeLessThanOrEqual(0);
      if (isConvex) {
        expect(
          compareFractions(squareOf(depth.upper), squared),
          `${note}, upper ${depth.upper}`,
        ).toBeGreaterThanOrEqual(0);
        // The lower bound is the depth, but for the last digits.
        const more = squareOf(depth.lower * (1 + 1e-12));
        if (ratio > 1.05)
          expect(compareFractions(more, squared), `${note}, lower ${depth.lower}`).toBeGreaterThan(0);
        const most = 1.06 * depth.lower + 2 ** -48 * far;
        expect(depth.upper, `${note}, lower ${depth.lower}`).toBeLessThanOrEqual(most);
      }
      if (depth.upper === 0) continue;
      if (!isConvex && depth.lower > 2 ** -36 * far) expectNoShorter(parts, depth.lower, seed, note);
      const isWide = !(ratio <= 1.06);
      const isDeep = compareFractions(squared, squareOf(2 ** -46 * far)) > 0;
      all++;
      if (depth.lower === 0) zero++;
      if (isWide) wide++;
      if (isDeep) deep++;
      if (isWide && isDeep) deepAndWide++;
    }
    expect(all).toBeGreaterThan(more.length / 3);
    if (slow) {
      console.log(
        `aspect ${aspect}: ${all} overlap, ${wide} above 1.06, ${zero} with a lower bound of 0; of ${deep} deeper than 64 units ${deepAndWide}`,
      );
      if (aspect < 1e12) expect(wide / all).toBeLessThan(0.05);
    }
    // Shapes that rounding crumpled until no point sees all of their surface.
    const crumpled = aspect < 1e12 ? 0.01 : 0.1;
    expect(deepAndWide / deep).toBeLessThan(crumpled);
    expect(zero / all).toBeLessThan(crumpled);
  });
});

it('bounds the depth of slivers that rounding crumpled until no piece of them is convex', () => {
  // Their lower bounds were 0, although they overlap by far more than rounding.
  for (const seed of [2_000_969, 2_001_091, 2_001_279]) {
    const { kind, parts } = extremePair(randomFrom(seed), { aspect: 1e12, exponent: 30 });
    const [a, b] = parts.map(({ mesh: { positions, indices } }) => ({ positions, indices }));
    const { depth } = ask(a, b);
    const note = `seed ${seed}: ${kind}: ${depth.lower} to ${depth.upper}`;
    expect(depth.lower, note).toBeGreaterThan(depth.upper / 2);
    expect(compareFractions(squareOf(depth.lower), convexDepthSquared(a, b)), note).toBeLessThanOrEqual(0);
    expectNoShorter(parts, depth.lower, seed, note);
  }
});

it('brackets the depth of world positions under poses that rotate, scale and round', {
  timeout: 600_000,
}, () => {
  let [all, wide] = [0, 0];
  for (let seed = 1; seed <= (slow ? 600 : 12); seed++) {
    const random = randomFrom(seed);
    const { kind, parts } = smallPair(seed, 1e3);
    // One rotation for both, so that their relative position stays.
    const axes = [0, 1, 2].map(axis => [0, 1, 2].map(k => (k === axis ? 1 : 0)) as unknown as Point);
    const [x, y, z] = turn(random, axes);
    const [size, at] = [
      0.5 + random(),
      [0, 1, 2].map(() => sizeOf(cornersOf(parts[0].mesh.positions)) * random()),
    ];
    const pose = [...x, 0, ...y, 0, ...z, 0].map(value => value * size).concat(at, 1);
    const [a, b] = parts.map(({ mesh: { positions, indices } }) => ({
      positions: placed(positions, pose),
      indices,
    }));
    const scene = nf.scene();
    const [first, second] = parts.map(part => scene.add(part.mesh, { pose }));
    const { depth, ratio } = scene.penetrationSync(first, second);
    scene.close();
    const squared = convexDepthSquared(a, b);
    const note = `seed ${seed}: ${kind}`;
    expect(
      compareFractions(squareOf(depth.lower), squared),
      `${note}, lower ${depth.lower}`,
    ).toBeLessThanOrEqual(0);
    expect(depth.upper, note).toBeGreaterThanOrEqual(depth.lower);
    if (isExactlyConvex(a) && isExactlyConvex(b))
      expect(
        compareFractions(squareOf(depth.upper), squared),
        `${note}, upper ${depth.upper}`,
      ).toBeGreaterThanOrEqual(0);
    const far = Math.max(...[...a.positions, ...b.positions].map(Math.abs));
    if (compareFractions(squared, squareOf(2 ** -44 * far)) < 0) continue;
    all++;
    if (!(ratio <= 1.06)) wide++;
  }
  if (slow) console.log(`under poses: ${all} overlap, ${wide} above 1.06`);
  expect(wide / all).toBeLessThan(0.05);
});

const cornersOf = (positions: ArrayLike<number>): Point[] =>
  Array.from({ length: positions.length / 3 }, (_, i) => [
    positions[3 * i],
    positions[3 * i + 1],
    positions[3 * i + 2],
  ]);

/** World positions, in the order of operations that the contract states. */
const placed = (positions: ArrayLike<number>, m: readonly number[]): number[] =>
  cornersOf(positions).flatMap(([x, y, z]) =>
    [0, 1, 2].map(k => m[k] * x + m[k + 4] * y + m[k + 8] * z + m[k + 12]),
  );

it('a smaller ratio gives no worse bound', { timeout: 600_000 }, () => {
  for (let seed = 1; seed <= (slow ? 300 : 10); seed++) {
    const { kind, parts } = smallPair(seed, 1e6);
    const scene = nf.scene();
    const [a, b] = parts.map(part => scene.add(part.mesh));
    let last = scene.penetrationSync(a, b, { stopAtRatio: Infinity }).depth;
    for (const stopAtRatio of [4, 1.2, 1.05, 1.001, 1]) {
      const { depth } = scene.penetrationSync(a, b, { stopAtRatio });
      const note = `seed ${seed}: ${kind}, ${stopAtRatio}`;
      expect(depth.lower, note).toBeGreaterThanOrEqual(last.lower);
      expect(depth.upper, note).toBeLessThanOrEqual(last.upper);
      last = depth;
    }
    scene.close();
  }
});

describe('unions of slivers', () => {
  function sliver(random: Random, aspect: number): ConvexPiece {
    for (;;) {
      const { positions, triangleCount } = extremeSolid(random, { aspect, exponent: 0 }).mesh;
      if (triangleCount !== 4) continue;
      const corners = [0, 3, 6, 9].map((at): Point => [positions[at], positions[at + 1], positions[at + 2]]);
      const size = sizeOf(corners);
      const middle = [0, 1, 2].map(k => corners.reduce((sum, p) => sum + p[k], 0) / 4);
      const offset = middle.map(() => 0.3 * (random() - 0.5));
      const placed = corners.map(
        p => p.map((x, k) => (x - middle[k]) / size + offset[k]) as unknown as Point,
      );
      if (Math.abs(volumeOf(placed)) > 1e-25) return placed;
    }
  }

  /** Whether B moved by a translation is deeper in A than `most`, exactly, for at least two pieces. */
  const overlaps = (
    a: readonly ConvexPiece[],
    b: readonly ConvexPiece[],
    t: readonly number[],
    most = 0,
  ): boolean =>
    a.some(p =>
      b.some(
        q => compareFractions(convexDepthSquared(unionMesh([p]), unionMesh([q]), t), squareOf(most)) > 0,
      ),
    );

  it.each([1e3, 1e6])('of aspect %d', { timeout: 3_600_000 }, aspect => {
    let [all, wide] = [0, 0];
    for (let seed = 1; seed <= (slow ? 2000 : 12); seed++) {
      const random = randomFrom(seed);
      const a = [sliver(random, aspect), sliver(random, aspect)];
      const b = seed % 2 ? [sliver(random, aspect)] : [sliver(random, aspect), sliver(random, aspect)];
      const { depth, ratio, translation, direction } = ask(unionMesh(a), unionMesh(b));
      const note = `seed ${seed}, aspect ${aspect}`;
      if (depth.upper === 0) {
        expect(overlaps(a, b, [0, 0, 0]), note).toBe(false);
        continue;
      }
      all++;
      expect(depth.lower, note).toBeGreaterThan(0);
      if (!(ratio <= 1.06)) wide++;
      // Applied to a pose it separates: exactly, no more than rounding is left.
      expect(overlaps(a, b, [...translation], 2 ** -50), note).toBe(false);
      // No shorter one separates: along the direction found, and along others.
      for (let way = 0; way < 8; way++) {
        const [x, y, z] = way === 0 ? direction : [0, 1, 2].map(() => random() - 0.5);
        const length = (0.999999 * depth.lower) / Math.hypot(x, y, z);
        expect(overlaps(a, b, [x * length, y * length, z * length]), `${note}, way ${way}`).toBe(true);
      }
    }
    if (slow) console.log(`unions of aspect ${aspect}: ${all} overlap, ${wide} above 1.06`);
    expect(wide / all).toBeLessThan(0.05);
  });
});
