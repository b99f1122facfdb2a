// Pictures of drawing methods by the CPU, against boxes whose lines are known and against the exact pairs of triangles.

import { CollisionCase, mesh, open } from 'nearfield';
import { expect, test } from 'vitest';
import { preparePair } from '../prepared.ts';
import type { PairName, Shape, Two } from '../types.ts';
import { edgesOf } from './edges.ts';
import { linesOf } from './layers.ts';
import { viewsOf } from './views.ts';

/** A box from one corner to the opposite one, outward faces. */
function box(low: readonly number[], high: readonly number[]): Shape {
  const positions = Float64Array.from({ length: 24 }, (_, i) =>
    (Math.floor(i / 3) >> (i % 3)) & 1 ? high[i % 3] : low[i % 3],
  );
  const faces = [0, 2, 3, 1, 4, 5, 7, 6, 0, 1, 5, 4, 2, 6, 7, 3, 0, 4, 6, 2, 1, 3, 7, 5];
  const indices = Uint32Array.from(
    [0, 4, 8, 12, 16, 20].flatMap(f => [0, 1, 2, 0, 2, 3].map(k => faces[f + k])),
  );
  const pose = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
  return { name: 'box', positions, indices, pose };
}

const casesOf = (two: Two): number[] => {
  const { map } = linesOf(two, 24);
  return [...new Set(map!.cases)].filter(value => value !== CollisionCase.neither);
};

test('lines through two boxes have the one case that the boxes have', () => {
  const a = box([0, 0, 0], [4, 4, 2]);
  expect(casesOf([a, box([0, 0, 1], [4, 4, 3])])).toEqual([CollisionCase.b]);
  expect(casesOf([box([0, 0, 1], [4, 4, 3]), a])).toEqual([CollisionCase.e]);
  expect(casesOf([a, box([0, 0, 0.5], [4, 4, 1.5])])).toEqual([CollisionCase.d]);
  expect(casesOf([box([0, 0, 0.5], [4, 4, 1.5]), a])).toEqual([CollisionCase.c]);
  expect(linesOf([a, box([0, 0, 2.5], [4, 4, 3])], 24).map).toBeUndefined();
});

test('the edges of a small box in a large one are seen to lie in it, and no others', () => {
  const { picture } = edgesOf([box([0, 0, 0], [8, 8, 8]), box([2, 2, 2], [6, 6, 6])], 48);
  const { body, all, others } = picture!;
  const ofB = [...body.keys()].filter(pixel => body[pixel] === 2);
  expect(ofB.length).toBeGreaterThan(100);
  expect(ofB.every(pixel => others[pixel] === 1)).toBe(true);
  expect([...body.keys()].some(pixel => body[pixel] === 1 && others[pixel] !== 0)).toBe(false);
  expect(all.some(count => count < 0)).toBe(false);
});

test.each(['rotating', 'tori', 'heart', 'bunnies', 'jaws'] as const)(
  'views of %s cull no triangle that meets the other body, and cull others',
  async (name: PairName) => {
    const nf = await open({ backend: 'cpu' });
    const two = preparePair(nf, name);
    const scene = nf.scene();
    const [a, b] = two.map(({ positions, indices, pose }) => scene.add(mesh(positions, indices), { pose }));
    const { trianglePairs } = await scene.steps([a, b], { method: 'hierarchy' });
    scene.close();
    const { glance, close } = viewsOf(two, 128, trianglePairs);
    expect(trianglePairs.length).toBeGreaterThan(0);
    for (const look of [glance, close]) {
      const kept = look.kept.map(list => new Set(list));
      expect([...trianglePairs].every((triangle, i) => kept[i % 2].has(triangle))).toBe(true);
    }
    const [all, left] = [
      two[0].indices.length / 3 + two[1].indices.length / 3,
      close.kept[0].length + close.kept[1].length,
    ];
    expect(left).toBeLessThan(0.9 * all);
    expect(linesOf(two, 64).map!.cases.some(value => value >= 2 && value <= 5)).toBe(true);
  },
);
