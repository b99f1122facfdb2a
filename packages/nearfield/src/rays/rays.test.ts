import { describe, expect, it } from 'vitest';
import { mesh } from '../mesh/mesh.ts';
import { open } from '../nearfield.ts';
import * as shapes from '../shapes/index.ts';
import { oracleHits } from './testing/oracle.ts';

const nf = await open({ backend: 'cpu' });

/** A seeded generator of numbers in [0, 1). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const large = process.env['NEARFIELD_SLOW'] ? 50 : 1;

describe('against exact fractions, all triangles', () => {
  it('on a small grid, where most rays meet edges, corners or planes', () => {
    for (let seed = 1; seed <= 60 * large; seed++) {
      const random = randomOf(seed);
      const whole = (n: number) => Math.floor(random() * n);
      const count = 1 + whole(12);
      const positions = Float64Array.from({ length: 9 * count }, () => whole(4) - 1);
      const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
      const rays = Float64Array.from({ length: 6 * 40 }, (_, i) => (i % 6 < 3 ? whole(5) - 2 : whole(3) - 1));
      for (let i = 3; i < rays.length; i += 6) if (!rays[i] && !rays[i + 1] && !rays[i + 2]) rays[i] = 1;
      compare(positions, indices, rays, `seed ${seed}`);
    }
  });

  it('of random triangles, slivers and far origins', () => {
    for (let seed = 1; seed <= 40 * large; seed++) {
      const random = randomOf(1000 + seed);
      const count = 1 + Math.floor(random() * 12);
      const thin = seed % 3 === 0 ? 1e-9 : 1;
      const size = [1, 1e-150, 1e90, 1e6][seed % 4];
      const positions = Float64Array.from({ length: 9 * count }, (_, i) => {
        const base = Math.floor(i / 9);
        return (
          size *
          (Math.sin(base * 12.9 + (i % 3)) + (i % 9 < 3 ? 0 : (random() - 0.5) * (i % 3 === 1 ? thin : 1)))
        );
      });
      const indices = Uint32Array.from({ length: 3 * count }, (_, i) => i);
      const rays = new Float64Array(6 * 20);
      for (let r = 0; r < 20; r++) {
        // Towards a point of a triangle: its inside, an edge or a corner, rounded.
        const t = 9 * Math.floor(random() * count);
        let [u, v] = [random(), random()];
        if (u + v > 1) [u, v] = [1 - u, 1 - v];
        if (r % 5 === 1) v = 0;
        if (r % 5 === 2) u = v = 0;
        for (let k = 0; k < 3; k++) {
          const target =
            positions[t + k] +
            u * (positions[t + 3 + k] - positions[t + k]) +
            v * (positions[t + 6 + k] - positions[t + k]);
          const origin = size * (random() - 0.5) * [4, 4, 4e5, 0.1][r % 4];
          rays[6 * r + k] = origin;
          rays[6 * r + 3 + k] = (target - origin) * [1, 1e-3, 1e10, 1][r % 4];
        }
      }
      compare(positions, indices, rays, `seed ${seed}`);
    }
  });
});

function compare(positions: Float64Array, indices: Uint32Array, rays: Float64Array, said: string): void {
  const scene = nf.scene();
  const body = scene.add(mesh(positions, indices));
  const all = scene.raysSync(body, rays, { hits: 'all' });
  const first = scene.raysSync(body, rays);
  const half = scene.raysSync(body, rays, { hits: 'all', upTo: 0.5 });
  const expected = oracleHits(positions, indices, rays);
  const listed = (hits: typeof all) =>
    Array.from({ length: hits.count }, (_, i) => `${hits.rays[i]}:${hits.triangles[i]}`);
  expect(listed(all), said).toEqual(expected.map(hit => `${hit.ray}:${hit.triangle}`));
  expect(listed(half), said).toEqual(
    expected.filter(hit => hit.isByHalf).map(hit => `${hit.ray}:${hit.triangle}`),
  );
  const firsts = expected.filter((hit, i) => expected[i - 1]?.ray !== hit.ray);
  expect(listed(first), said).toEqual(firsts.map(hit => `${hit.ray}:${hit.triangle}`));
  expected.forEach((hit, i) => {
    expect(Math.abs(all.times[i] - hit.time), said).toBeLessThanOrEqual(2 ** -40 * hit.time);
    // The weights of a triangle without area are not unique, so the points are compared.
    const t = 3 * hit.triangle;
    for (let k = 0; k < 3; k++) {
      const [a, b, c] = [0, 1, 2].map(corner => positions[3 * indices[t + corner] + k]);
      const byWeights = (second: number, third: number) => second * (b - a) + third * (c - a);
      const difference =
        byWeights(all.weights[2 * i], all.weights[2 * i + 1]) - byWeights(hit.second, hit.third);
      const size = Math.abs(b - a) + Math.abs(c - a);
      expect(Math.abs(difference), said).toBeLessThanOrEqual(2 ** -39 * size);
    }
  });
  scene.remove(body);
}

describe('closed surfaces', () => {
  const ball = shapes.icosphere({ frequency: 12 });

  it('nothing leaks: rays from inside through vertices, edges and faces leave once', () => {
    const scene = nf.scene();
    const body = scene.add(ball);
    const { positions, indices } = ball;
    const targets: number[][] = [];
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map(k =>
        Array.from(positions.subarray(3 * indices[t + k], 3 * indices[t + k] + 3)),
      );
      targets.push(
        a,
        a.map((x, i) => (x + b[i]) / 2),
        a.map((x, i) => (x + b[i] + c[i]) / 3),
      );
    }
    const rays = Float64Array.from(targets.flatMap(target => [0, 0, 0, ...target]));
    const first = scene.raysSync(body, rays);
    expect(first.firsts.every(hit => hit >= 0)).toBe(true);
    const all = scene.raysSync(body, rays, { hits: 'all' });
    const sums = new Float64Array(targets.length);
    for (let i = 0; i < all.count; i++) sums[all.rays[i]] += all.crossings[i];
    expect(sums.every(sum => sum === 1)).toBe(true);
    expect(all.count).toBeGreaterThan(2 * targets.length);
  });

  it('a ray from outside crosses a closed surface as often in as out, whatever it touches', () => {
    const scene = nf.scene();
    const body = scene.add(shapes.box({ size: [2, 2, 2] }));
    const rays: number[] = [];
    for (let x = -2; x <= 2; x++)
      for (let y = -2; y <= 2; y++)
        for (let z = -2; z <= 2; z++) rays.push(-3, x, y, 3, z - x, y - z, -3, x, y, 1, 0, 0);
    const all = scene.raysSync(body, Float64Array.from(rays), { hits: 'all' });
    const sums = new Float64Array(rays.length / 6);
    for (let i = 0; i < all.count; i++) sums[all.rays[i]] += all.crossings[i];
    expect(sums.every(sum => sum === 0)).toBe(true);
    expect(all.crossings.some(crossing => crossing === 0)).toBe(true);
  });

  it('a mirrored body is left along its mirrored normals', () => {
    const scene = nf.scene();
    const body = scene.add(ball, { pose: [-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1] });
    const hits = scene.raysSync(body, Float64Array.of(0, 0, 0, 0.3, 0.2, 0.1));
    expect(hits.crossings[0]).toBe(1);
  });
});

it('finds the same among many bodies as one body after another', async () => {
  const random = randomOf(7);
  const scene = nf.scene();
  const shape = shapes.box({ size: [1, 1, 1] });
  const bodies = Array.from({ length: 60 }, () =>
    scene.add(shape, {
      pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, ...[0, 0, 0].map(() => Math.floor(random() * 8)), 1],
    }),
  );
  const rays = Float64Array.from({ length: 6 * 300 }, (_, i) => (i % 6 < 3 ? random() * 8 : random() - 0.5));
  for (let i = 3; i < rays.length; i += 60) rays.set([1, 0, 0], i);
  for (const hits of ['first', 'all'] as const) {
    const together = await scene.rays(bodies, rays, { hits });
    const singly = bodies.flatMap((body, index) => {
      const own = scene.raysSync(body, rays, { hits: 'all' });
      return Array.from({ length: own.count }, (_, i) => ({
        ray: own.rays[i],
        body: index,
        triangle: own.triangles[i],
        time: own.times[i],
      }));
    });
    singly.sort((a, b) => a.ray - b.ray || a.time - b.time || a.body - b.body || a.triangle - b.triangle);
    const wanted = hits === 'all' ? singly : singly.filter((hit, i) => singly[i - 1]?.ray !== hit.ray);
    expect(Array.from(together.rays)).toEqual(wanted.map(hit => hit.ray));
    expect(Array.from(together.bodies)).toEqual(wanted.map(hit => hit.body));
    expect(Array.from(together.triangles)).toEqual(wanted.map(hit => hit.triangle));
  }
});

it('refuses input that is not a ray', () => {
  const scene = nf.scene();
  const body = scene.add(shapes.box({ size: [1, 1, 1] }));
  expect(() => scene.raysSync(body, Float64Array.of(0, 0, 0, 0, 0, 0))).toThrow(
    'the direction of ray 0 is 0 0 0',
  );
  expect(() => scene.raysSync(body, Float64Array.of(0, 0, 0, 1, Number.NaN, 0))).toThrow(
    'rays: y of the direction of ray 0 is NaN',
  );
  expect(() => scene.raysSync(body, Float64Array.of(0, 0, 0, 1))).toThrow('multiple of 6');
});

it('accepts a body without triangles, and an empty list of rays', () => {
  const scene = nf.scene();
  const body = scene.add(mesh(new Float64Array(), new Uint32Array()));
  expect(scene.raysSync(body, Float64Array.of(0, 0, 0, 1, 0, 0)).firsts).toEqual(Int32Array.of(-1));
  expect(scene.raysSync(body, new Float64Array()).count).toBe(0);
});

it('lists every layer of a deep stack, in order, if a list of boxes overflows', () => {
  // Every ray meets all triangles, more than there is room to search for together.
  const layers = 700;
  const rayCount = 70;
  const positions = Float64Array.from({ length: 9 * layers }, (_, i) => {
    const corner = Math.floor((i % 9) / 3);
    return i % 3 === 2 ? Math.floor(i / 9) : corner === 1 + (i % 3) ? 4 : -1;
  });
  const indices = Uint32Array.from({ length: 3 * layers }, (_, i) => i);
  const scene = nf.scene();
  const body = scene.add(mesh(positions, indices));
  // Rays go up and down in turn. One of them misses.
  const rays = Float64Array.from({ length: 6 * rayCount }, (_, i) => {
    const ray = Math.floor(i / 6);
    const up = ray % 2 === 0;
    return [ray === 33 ? 9 : 0.01 * ray, 0.25, up ? -1 : layers, 0, 0, up ? 1 : -1][i % 6];
  });
  const { count, rays: hit, triangles, times } = scene.raysSync(body, rays, { hits: 'all' });
  scene.close();
  const expected = Array.from({ length: rayCount }, (_, ray) =>
    Array.from({ length: ray === 33 ? 0 : layers }, (_, i) => [
      ray,
      ray % 2 === 0 ? i : layers - 1 - i,
      i + 1,
    ]),
  ).flat();
  expect(count).toBe(expected.length);
  expect(Array.from(hit, (ray, i) => [ray, triangles[i], times[i]])).toEqual(expected);
});

it('finds among thousands of triangles, many of them equally early, the first of all hits', () => {
  const random = randomOf(7);
  const triangles = 3000;
  // On a coarse grid, so that rays to its points meet several triangles at once.
  const positions = Float64Array.from({ length: 9 * triangles }, () => Math.floor(9 * random()));
  const indices = Uint32Array.from({ length: 3 * triangles }, (_, i) => i);
  const rays = Float64Array.from({ length: 6 * 700 }, (_, i) =>
    i % 6 < 3 ? 20 * random() - 6 : Math.floor(9 * random()),
  );
  for (let i = 0; i < rays.length; i += 6) for (let k = 0; k < 3; k++) rays[i + 3 + k] -= rays[i + k];
  const scene = nf.scene();
  const body = scene.add(mesh(positions, indices));
  for (const upTo of [Infinity, 0.5]) {
    const all = scene.raysSync(body, rays, { hits: 'all', upTo });
    const first = scene.raysSync(body, rays, { hits: 'first', upTo });
    const told = ({ rays: ray, triangles, times }: typeof all, i: number) => [ray[i], triangles[i], times[i]];
    const expected = Array.from(
      all.firsts.filter(i => i >= 0),
      i => told(all, i),
    );
    expect(expected.length).toBeGreaterThan(100);
    expect(Array.from({ length: first.count }, (_, i) => told(first, i))).toEqual(expected);
  }
  scene.close();
});
