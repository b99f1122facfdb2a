// Triangles near rays and boxes: none that qualifies may be missing. The oracle samples points of triangles in world
// doubles and computes distances directly.

import { describe, expect, it } from 'vitest';
import { Failures } from '../../../../../../test/oracle/failures.ts';
import { randomFrom, whole } from '../../../../../../test/oracle/triangles/generators.ts';
import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { createCpuEngine } from '../../../cpu/engine.ts';
import { treeLevels } from '../../../inspect/tree-levels.ts';
import {
  hardPair,
  hardPoses,
  place,
  randomMesh,
  worldTriangles,
} from '../../../interferences/hierarchy/cpu/testing/scenes.ts';
import { mesh } from '../../../mesh/mesh.ts';
import { finderOf } from './finder.ts';

const engine = await createCpuEngine();
const rounds = process.env.NEARFIELD_SLOW ? 400 : 10;

/** A new body is searched triangle by triangle; one with a tree is walked. */
const ways = ['searched', 'walked'] as const;
const ready = (body: Placed, way: (typeof ways)[number]) => {
  if (way === 'walked') treeLevels(engine, body);
  return body;
};

/** Random bodies, one after the other, each with its own seed. The engine forgets each before the next. */
function* bodies(kind: (typeof hardPoses)[number], way: (typeof ways)[number], factor: number) {
  for (let round = 0; round < rounds; round++) {
    const seed = round * factor + hardPoses.indexOf(kind);
    const random = randomFrom(seed);
    const count = whole(random, 1, 120);
    const body = ready(place(randomMesh(random, count), hardPair(random, kind)[0]), way);
    const world = worldTriangles(body);
    yield { seed, random, count, body, world, size: extent(world) };
    engine.forget(body.shape);
  }
}

describe.each(hardPoses.flatMap(kind => ways.map(way => ({ kind, way }))))(
  'a body placed $kind, $way',
  ({ kind, way }) => {
    it('finds every triangle on a ray', () => {
      const failures = new Failures();
      for (const { seed, random, count, body, world, size } of bodies(kind, way, 31)) {
        for (let shot = 0; shot < 10; shot++) {
          // A ray through a point of a known triangle, from near or far, along an axis or not.
          const t = whole(random, 0, count - 1);
          const target = pointOf(world, t, random);
          const away = size * 10 ** whole(random, -3, 4);
          const axis = random() < 0.3 ? whole(random, 0, 2) : -1;
          const direction = [0, 1, 2].map(i => (axis < 0 ? random() - 0.5 : i === axis ? 1 : 0));
          const length = Math.hypot(...direction);
          const origin = target.map((v, i) => v - (direction[i] / length) * away);
          // Covers the rounding of the origin, the target and the direction.
          const slack = 2 ** -48 * (away + Math.max(...target.map(Math.abs), ...origin.map(Math.abs)));
          const found = finderOf(engine).trianglesOnRay(body, origin, direction, slack);
          if (!found.includes(t)) throw new Error(`seed ${seed}, shot ${shot}: triangle ${t} was missed`);
          for (let i = 1; i < found.length; i++) {
            failures.check(
              found[i] > found[i - 1],
              () => `seed ${seed}, shot ${shot}: triangle ${found[i]} after ${found[i - 1]}`,
            );
          }
        }
      }
      expect(failures.list).toEqual([]);
    });

    it('finds every triangle with a point in a box', () => {
      for (const { seed, random, count, body, world, size } of bodies(kind, way, 37)) {
        for (let shot = 0; shot < 10; shot++) {
          const t = whole(random, 0, count - 1);
          // A corner is exactly in the box; the box may be just that point.
          const corner = 9 * t + 3 * whole(random, 0, 2);
          const half = random() < 0.3 ? 0 : size * 10 ** -whole(random, 0, 12);
          const point = [0, 1, 2].map(i => world[corner + i]);
          const found = finderOf(engine).trianglesInBox(body, [
            ...point.map(v => v - half),
            ...point.map(v => v + half),
          ]);
          if (!found.includes(t)) throw new Error(`seed ${seed}, shot ${shot}: triangle ${t} was missed`);
        }
      }
    });
  },
);

describe.each(ways)('a large body %s', way => {
  const random = randomFrom(11);
  const positions = new Float64Array(9 * 20_000);
  for (let t = 0; t < 20_000; t++) {
    const at = [random(), random(), random()];
    for (let i = 0; i < 9; i++) positions[9 * t + i] = at[i % 3] + random() * 0.01;
  }
  const body = ready(place(mesh(positions)), way);

  it('returns few triangles besides those on a ray, and none behind it', () => {
    const found = finderOf(engine).trianglesOnRay(body, [0.5, 0.5, 0.5], [1, 0, 0], 0);
    expect(found.length).toBeLessThan(60);
    for (const t of found)
      expect(Math.max(positions[9 * t], positions[9 * t + 3], positions[9 * t + 6])).toBeGreaterThan(0.499);
    expect(finderOf(engine).trianglesOnRay(body, [2, 0.5, 0.5], [1, 0, 0], 0).length).toBe(0);
    expect(finderOf(engine).trianglesOnRay(body, [-2, 0.5, 0.5], [1, 0, 0], 0).length).toBeLessThan(120);
  });

  it('returns all its triangles in a box around it and none in a box beside it', () => {
    expect(finderOf(engine).trianglesInBox(body, [-1, -1, -1, 2, 2, 2]).length).toBe(20_000);
    expect(finderOf(engine).trianglesInBox(body, [-Infinity, -1, -1, Infinity, 2, 2]).length).toBe(20_000);
    expect(finderOf(engine).trianglesInBox(body, [2, 2, 2, 3, 3, 3]).length).toBe(0);
    expect(finderOf(engine).trianglesInBox(body, [0.5, 0.5, 0.5, 0.51, 0.51, 0.51]).length).toBeLessThan(20);
  });
});

it('builds a tree for a shape that is searched often, and again after it deforms', () => {
  const body = place(randomMesh(randomFrom(5), 3000));
  const search = () => [...finderOf(engine).trianglesInBox(body, [0.2, 0.2, 0.2, 0.3, 0.3, 0.3])];
  const before = engine.usedBytes;
  const linear = search();
  expect(engine.usedBytes).toBe(before);
  for (let i = 0; i < 200; i++) search();
  expect(engine.usedBytes).toBeGreaterThan(before);
  // The boxes of a tree are slightly larger, so it may return more.
  expect(new Set(search())).toEqual(new Set([...search(), ...linear]));
  body.shape.positions = body.shape.positions.map(x => x / 2);
  body.shape.revision++;
  const halved = place(mesh(body.shape.positions, body.shape.mesh.indices));
  expect(search()).toEqual([...finderOf(engine).trianglesInBox(halved, [0.2, 0.2, 0.2, 0.3, 0.3, 0.3])]);
  engine.forget(body.shape);
});

function extent(world: Float64Array): number {
  let most = 0;
  for (let i = 3; i < world.length; i++) most = Math.max(most, Math.abs(world[i] - world[i % 3]));
  return most || 1;
}

function pointOf(world: Float64Array, t: number, random: () => number): number[] {
  const u = random();
  const v = random() * (1 - u);
  return [0, 1, 2].map(
    i => world[9 * t + i] * (1 - u - v) + world[9 * t + 3 + i] * u + world[9 * t + 6 + i] * v,
  );
}
