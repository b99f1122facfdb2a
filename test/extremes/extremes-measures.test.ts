// Slivers and extreme scales through rays, boxes, balls, common parts and depths. All but common parts are compared with exact oracles. Common parts
// agree with the exact relation, keep when the bodies are exchanged or scaled, and have a point in both bodies.

import { type CpuScene, type Mesh, mesh, open, type RegionHits } from 'nearfield';
import { afterAll, expect, it } from 'vitest';
import { oracleHits } from '../../packages/nearfield/src/rays/testing/oracle.ts';
import { oracleBoxMeets, oracleSphereMeets } from '../../packages/nearfield/src/regions/testing/oracle.ts';
import { convexDepthSquared, isExactlyConvex } from '../oracle/depth/convex-depth.ts';
import { type ExtremeLimits, extremePair, extremePoints, extremeSolid } from '../oracle/extremes.ts';
import { Failures } from '../oracle/failures.ts';
import { type Random, randomFrom, whole } from '../oracle/triangles/generators.ts';
import { compareFractions, fractionOf } from '../oracle/triangles/least-difference.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const count = process.env.NEARFIELD_SLOW ? 2000 : 60;
const first = Number(process.env.NEARFIELD_SEED ?? 1);
const forLong = { timeout: 10_000_000 };

/** Cubes of lengths stay in the range of doubles. */
const withVolume: ExtremeLimits = { exponent: 140 };

const scaled = (own: Mesh, power: number): Mesh =>
  mesh(
    Float64Array.from(own.positions, x => x * 2 ** power),
    own.indices,
  );

function inScene<T>(ask: (scene: CpuScene) => T): T {
  const scene = nf.scene();
  try {
    return ask(scene);
  } finally {
    scene.close();
  }
}

/** Corners of all triangles, nine numbers each. */
const cornersOf = ({ positions, indices }: Mesh): Float64Array =>
  Float64Array.from(
    { length: 3 * indices.length },
    (_, i) => positions[3 * indices[Math.floor(i / 3)] + (i % 3)],
  );

const sizeOf = ({ bounds }: Mesh): number => Math.max(...[0, 1, 2].map(i => bounds[i + 3] - bounds[i]));

/** Rays from places beside a body to others, with directions of any length. */
function raysAt(random: Random, corners: Float64Array, rays: number): Float64Array {
  const [origins, targets] = [extremePoints(random, corners, rays), extremePoints(random, corners, rays)];
  const out = new Float64Array(6 * rays);
  for (let ray = 0; ray < rays; ray++) {
    const factor = 2 ** (random() < 0.5 ? 0 : whole(random, -60, 60));
    for (let k = 0; k < 3; k++) {
      out[6 * ray + k] = origins[3 * ray + k];
      const way = (targets[3 * ray + k] - origins[3 * ray + k]) * factor;
      out[6 * ray + 3 + k] = Number.isFinite(way) ? way : 1;
    }
    const isZero = out.subarray(6 * ray + 3, 6 * ray + 6).every(x => x === 0);
    if (isZero) out[6 * ray + 3] = 1;
  }
  return out;
}

it('rays: the hits of exact fractions, in order, with their times', forLong, () => {
  const failures = new Failures();
  for (let seed = first; seed < first + count; seed++) {
    const random = randomFrom(seed);
    const { kind, mesh: solid } = extremeSolid(random);
    if (solid.triangleCount > 20) continue;
    const corners = cornersOf(solid);
    const rays = raysAt(random, corners, 6);
    const expected = oracleHits(
      corners,
      Uint32Array.from({ length: corners.length / 3 }, (_, i) => i),
      rays,
    );
    inScene(scene => {
      const body = scene.add(solid);
      const listed = (hits: 'all' | 'first') => {
        const { count: found, rays: of, triangles } = scene.raysSync(body, rays, { hits });
        return Array.from({ length: found }, (_, i) => `${of[i]}:${triangles[i]}`).join();
      };
      const all = expected.map(hit => `${hit.ray}:${hit.triangle}`).join();
      const firsts = expected.filter((hit, i) => expected[i - 1]?.ray !== hit.ray);
      const what = () => `seed ${seed}: ${kind}: ${listed('all')}, not ${all}`;
      failures.check(listed('all') === all, what);
      failures.check(listed('first') === firsts.map(hit => `${hit.ray}:${hit.triangle}`).join(), what);
      const { times, weights } = scene.raysSync(body, rays, { hits: 'all' });
      expected.forEach(({ time }, i) => {
        const isRight = Math.abs(times[i] - time) <= 2 ** -40 * time + 2 ** -1070;
        failures.check(isRight, () => `seed ${seed}: ${kind}: time ${times[i]}, not ${time}`);
      });
      failures.check(
        weights.every(weight => weight >= 0 && weight <= 1),
        () => `seed ${seed}: ${kind}: weights ${weights}`,
      );
    });
  }
  expect(failures.list).toEqual([]);
});

it('boxes and balls: the triangles of exact fractions', forLong, () => {
  const failures = new Failures();
  for (let seed = first; seed < first + count; seed++) {
    const random = randomFrom(seed + 9_000_000);
    const { kind, mesh: solid } = extremeSolid(random);
    if (solid.triangleCount > 20) continue;
    const corners = cornersOf(solid);
    const [low, high] = [extremePoints(random, corners, 4), extremePoints(random, corners, 4)];
    const boxes = Float64Array.from({ length: 24 }, (_, i) => {
      const at = 3 * Math.floor(i / 6) + (i % 3);
      return i % 6 < 3 ? Math.min(low[at], high[at]) : Math.max(low[at], high[at]);
    });
    const spheres = Float64Array.from({ length: 16 }, (_, i) => {
      const at = 3 * Math.floor(i / 4);
      if (i % 4 < 3) return low[at + (i % 4)];
      return Math.min(Number.MAX_VALUE, Math.hypot(...[0, 1, 2].map(k => low[at + k] - corners[k])));
    });
    const expected = (regions: Float64Array, numbers: number, meets: typeof oracleBoxMeets) =>
      Array.from({ length: regions.length / numbers }, (_, i) =>
        Array.from({ length: corners.length / 9 }, (_, t) => t)
          .filter(t => {
            const region = regions.subarray(numbers * i, numbers * i + numbers);
            return meets(region, corners.subarray(9 * t, 9 * t + 9));
          })
          .join(),
      ).join(';');
    inScene(scene => {
      const body = scene.add(solid);
      const listed = (found: RegionHits, regions: number) =>
        Array.from({ length: regions }, (_, i) => {
          const hit = found.starts[i];
          return hit < found.starts[i + 1] ? found.at(hit).triangles!.join() : '';
        }).join(';');
      const inBoxes = listed(scene.inBoxSync(body, boxes), 4);
      const boxesExpected = expected(boxes, 6, oracleBoxMeets);
      failures.check(
        inBoxes === boxesExpected,
        () => `seed ${seed}: ${kind}: ${inBoxes}, not ${boxesExpected}`,
      );
      const inSpheres = listed(scene.inSphereSync(body, spheres), 4);
      const ballsExpected = expected(spheres, 4, oracleSphereMeets);
      failures.check(
        inSpheres === ballsExpected,
        () => `seed ${seed}: ${kind}: ${inSpheres}, not ${ballsExpected}`,
      );
    });
  }
  expect(failures.list).toEqual([]);
});

it.each([
  ['of any size', {}],
  ['whose volumes are in the range of doubles', withVolume],
] as const)('overlap of solids %s: as the relation says, with a point in both', forLong, (_, limits) => {
  const failures = new Failures();
  // The first is a region so thin that its corners round to one line: it once had no point.
  for (const seed of [4, ...Array.from({ length: count }, (_, i) => first + i)]) {
    const { kind, parts } = extremePair(randomFrom(seed + 5_000_000), limits);
    if (parts[0].mesh.triangleCount * parts[1].mesh.triangleCount > 400) continue;
    inScene(scene => {
      const [a, b] = parts.map(part => scene.add(part.mesh));
      const found = scene.overlapSync(a, b);
      const other = scene.overlapSync(b, a);
      const relation = scene.interferencesSync().pairs[0]?.relation ?? 'separate';
      const { volume, volumeError, area, areaError, touchingArea, point } = found;
      const numbers = [volume, volumeError, area, areaError, touchingArea];
      const note = `seed ${seed}: ${kind}: ${relation}, ${numbers}, ${point}`;
      const check = (holds: boolean, what: string) => failures.check(holds, () => `${what}: ${note}`);
      check(
        numbers.every(x => x >= 0 && (limits !== withVolume || x < Infinity)),
        'no numbers',
      );
      check(other.volume === volume && other.area === area, 'changes when exchanged');
      const sharesInterior = relation !== 'separate' && relation !== 'touching';
      check(sharesInterior ? volume + volumeError > 0 || limits !== withVolume : volume === 0, 'volume');
      // What touches may do so where a body has no thickness.
      check(sharesInterior ? point !== undefined : relation !== 'separate' || point === undefined, 'point');
      if (point !== undefined) {
        check(point.every(Number.isFinite), 'point');
        for (const body of [a, b]) {
          if (scene.insideSync(body, point)[0] > 0) continue;
          const bound = 2 ** -42 * sizeOf(body.mesh) + 2 ** -50 * Math.max(...point.map(Math.abs));
          check(scene.closestSync(body, point).distances[0] <= bound, 'the point is off');
        }
      }
      if (limits !== withVolume) return;
      const larger = inScene(scaledScene => {
        const [c, d] = parts.map(part => scaledScene.add(scaled(part.mesh, 20)));
        return scaledScene.overlapSync(c, d);
      });
      const apart = Math.abs(larger.volume * 2 ** -60 - volume);
      check(apart <= volumeError + larger.volumeError * 2 ** -60, `${larger.volume * 2 ** -60} when scaled`);
    });
  }
  expect(failures.list).toEqual([]);
});

it('depths and deeperThan: brackets and decisions hold for the exact depth of convex solids', forLong, () => {
  const failures = new Failures();
  let compared = 0;
  for (let seed = first; seed < first + count; seed++) {
    const { kind, parts } = extremePair(randomFrom(seed + 7_000_000), withVolume);
    const [p, q] = parts.map(({ mesh: own }) => ({ positions: own.positions, indices: own.indices }));
    if (p.indices.length * q.indices.length > 1800 || !isExactlyConvex(p) || !isExactlyConvex(q)) continue;
    compared++;
    const squared = convexDepthSquared(p, q);
    const isLess = (length: number): boolean => {
      const { numerator, denominator } = fractionOf(length);
      return compareFractions({ numerator: numerator ** 2n, denominator: denominator ** 2n }, squared) < 0;
    };
    // Translations are applied to poses, which rounds.
    const rounding = 2 ** -50 * Math.max(...[...p.positions, ...q.positions].map(Math.abs));
    inScene(scene => {
      const [a, b] = parts.map(part => scene.add(part.mesh));
      const [{ depth }] = scene.depthsSync([{ a, b }]).pairs;
      const [{ depth: exchanged }] = scene.depthsSync([{ a: b, b: a }]).pairs;
      const note = () => `seed ${seed}: ${kind}: ${depth.lower} to ${depth.upper}`;
      failures.check(exchanged.lower === depth.lower && exchanged.upper === depth.upper, note);
      failures.check(depth.lower >= 0 && depth.upper < Infinity, note);
      failures.check(depth.lower === 0 || isLess(depth.lower * (1 - 2 ** -52)), note);
      failures.check(!isLess(depth.upper + rounding), note);
      const middle = depth.lower / 2 + depth.upper / 2;
      for (const limit of [
        0,
        depth.lower * (1 - 1e-15),
        depth.lower,
        middle,
        depth.upper,
        1.1 * depth.upper,
      ]) {
        const said = scene.deeperThanSync(a, b, limit);
        const holds = said === 'deeper' ? isLess(limit) : said !== 'not-deeper' || !isLess(limit + rounding);
        failures.check(holds, () => `${said} than ${limit}: ${note()}`);
      }
    });
  }
  expect(failures.list).toEqual([]);
  expect(compared).toBeGreaterThan(count / 4);
});
