import { expect, test } from 'vitest';
import { mesh } from '../../../mesh/mesh.ts';
import { box, createRandom, icosphere, torus } from '../../../shapes/index.ts';
import { edgeRecords, noTriangle } from './edge-records.ts';

const ends = (indices: ArrayLike<number>, side: number) => [
  indices[side],
  indices[side % 3 === 2 ? side - 2 : side + 1],
];

test('a record is a side along its edge and the triangle on the other side', () => {
  for (const part of [box(), icosphere({ frequency: 3 }), torus({ majorSegments: 7, minorSegments: 5 })]) {
    const records = edgeRecords(part);
    const { edges, adjacency, indices } = part;
    expect(records.length).toBe(2 * edges.count);
    for (let edge = 0; edge < edges.count; edge++) {
      const [side, other] = records.subarray(2 * edge, 2 * edge + 2);
      const vertices = ends(indices, side).map(v => adjacency.vertexOf[v]);
      expect(vertices.sort((a, b) => a - b)).toEqual([...edges.vertices.subarray(2 * edge, 2 * edge + 2)]);
      const triangles = [...edges.triangles.subarray(edges.start[edge], edges.start[edge + 1])];
      expect([Math.floor(side / 3), other].sort((a, b) => a - b)).toEqual(triangles.sort((a, b) => a - b));
    }
  }
});

test('vertices with equal positions are one, whatever the indices say', () => {
  const part = box();
  const soup = mesh(
    Float64Array.from([...part.indices].flatMap(v => [...part.positions.subarray(3 * v, 3 * v + 3)])),
  );
  expect(edgeRecords(soup).length).toBe(edgeRecords(part).length);
});

test('open borders have no other triangle; sides of length 0 have no edge', () => {
  const lone = mesh(new Float64Array([0, 0, 0, 1, 0, 0, 0, 1, 0]));
  expect([...edgeRecords(lone)]).toEqual([0, noTriangle, 1, noTriangle, 2, noTriangle]);
  const needle = mesh(new Float64Array([0, 0, 0, 0, 0, 0, 0, 1, 0]));
  expect([...edgeRecords(needle)]).toEqual([1, 0]);
});

test('if many triangles share an edge, two of them represent it', () => {
  const random = createRandom(9);
  const fan = Array.from({ length: 5 }, () => [0, 0, 0, 0, 0, 1, random.next(), random.next(), 0]);
  const records = edgeRecords(mesh(new Float64Array(fan.flat())));
  expect([...records.subarray(0, 2)]).toEqual([0, 1]);
});
