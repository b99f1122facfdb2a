// However a solid is cut, its pieces are closed, fill it and do not overlap.

import { type Mesh, mesh, open, shapes } from 'nearfield';
import { afterAll, describe, expect, test } from 'vitest';
import { dragon } from '../creatures/dragon.ts';
import { length, times, type Vector } from '../rigid/vector.ts';
import { fillLoops } from './cap.ts';
import { cutSolid, Vertices } from './cut.ts';
import { fracture, lastPieces, meshOf } from './fracture.ts';

const nf = await open({ backend: 'cpu' });
afterAll(() => nf.close());
const slow = process.env.NEARFIELD_SLOW !== undefined;

const solids: readonly [string, (seed: number) => Mesh][] = [
  ['box', () => shapes.box()],
  ['bumpy sphere', seed => shapes.displacedSphere({ triangles: 2000, amplitude: 0.5, seed })],
  ['ring', () => shapes.torus({ majorSegments: 24, minorSegments: 12 })],
  ['knot', () => shapes.torusKnot({ segments: 96, sides: 10 })],
  ['tube', () => shapes.tube()],
  ['dragon', seed => dragon({ triangles: 4000, seed })],
];

const halvesOf = (solid: Mesh, normal: Vector, offset: number): [Mesh, Mesh] => {
  const vertices = new Vertices(solid.positions);
  const unit = times(normal, 1 / length(normal));
  const { above, below } = cutSolid(vertices, solid.indices, {
    normal: unit,
    offset: offset / length(normal),
  });
  const placed = vertices.positions.slice(0, 3 * vertices.count);
  return [mesh(placed, Uint32Array.from(above)), mesh(placed, Uint32Array.from(below))];
};

describe('a cut', () => {
  test('through vertices, along edges and along faces leaves two closed halves', () => {
    const box = shapes.box({ size: [2, 2, 2] });
    const volumes = (normal: Vector, offset: number): number[] =>
      halvesOf(box, normal, offset).map(half => (half.triangleCount === 0 ? 0 : half.volume));
    expect(volumes([0, 0, 1], 0)).toEqual([4, 4]);
    // Vertices on the plane count as above it.
    expect(volumes([0, 0, 1], 1)).toEqual([0, 8]);
    expect(volumes([0, 0, 1], -1)).toEqual([8, 0]);
    for (const half of halvesOf(box, [1, 1, 0], 0)) {
      expect(half.solid).toBe(true);
      expect(half.volume).toBeCloseTo(4, 12);
    }
  });

  test('of a ring along its middle leaves caps with a hole', () => {
    const ring = shapes.torus({ majorSegments: 40, minorSegments: 20 });
    const [above, below] = halvesOf(ring, [0, 0, 1], 1e-4);
    expect([above.solid, below.solid]).toEqual([true, true]);
    expect(above.volume + below.volume).toBeCloseTo(ring.volume, 12);
    expect(above.volume / ring.volume).toBeCloseTo(0.5, 3);
    // Seen from below the cap is an annulus: none of it lies in the hole.
    const [inner, scene] = [1 - 0.4, nf.scene()];
    const body = scene.add(above);
    expect(scene.insideSync(body, Float64Array.of(0, 0, 0.01, inner / 2, 0, 0.01))).toEqual(
      Uint8Array.of(0, 0),
    );
    scene.close();
  });
});

describe('caps', () => {
  const filledArea = (loops: readonly (readonly [number, number][])[]): number => {
    const points = loops.flat();
    const [x, y] = [0, 1].map(k => Float64Array.from(points, p => p[k]));
    let first = 0;
    const numbered = loops.map(loop => {
      first += loop.length;
      return loop.map((_, i) => first - loop.length + i);
    });
    const triangles = fillLoops(numbered, x, y);
    let area = 0;
    for (let i = 0; i < triangles.length; i += 3) {
      const [a, b, c] = triangles.slice(i, i + 3);
      area += ((x[b] - x[a]) * (y[c] - y[a]) - (x[c] - x[a]) * (y[b] - y[a])) / 2;
    }
    return area;
  };
  const square = (middle: number, half: number): [number, number][] => [
    [middle - half, -half],
    [middle + half, -half],
    [middle + half, half],
    [middle - half, half],
  ];
  test('have holes, and islands in the holes', () => {
    const loops = [
      square(0, 8),
      square(-3, 2).reverse(),
      square(3, 2).reverse(),
      square(3, 1),
      square(20, 1),
    ];
    expect(filledArea(loops)).toBe(256 - 16 - 16 + 4 + 4);
  });
  test('fill loops that touch or retrace themselves', () => {
    expect(filledArea([[...square(0, 1), [-1, -1], [-1, -1]]])).toBe(4);
    expect(
      filledArea([
        [
          [0, 0],
          [1, 0],
          [2, 0],
          [1, 0],
        ],
      ]),
    ).toBe(0);
  });
});

describe.each(solids)('the pieces of a %s', (_, make) => {
  const seeds = Array.from({ length: slow ? 20 : 2 }, (_, i) => i + 1);
  test.each(seeds)('are closed, fill it and keep its triangles, seed %i', seed => {
    const solid = make(seed);
    const random = shapes.createRandom(seed);
    const struck: Vector = [0.3, 0.1, 0.9];
    const broken = fracture(solid, { pieces: 24, struck, reach: 0.7, random });
    const pieces = lastPieces(broken.whole);
    expect(pieces.length).toBeGreaterThan(12);
    const meshes = pieces.map(piece => meshOf(broken, piece));
    expect(meshes.every(piece => piece.solid)).toBe(true);
    const volumes = meshes.map(piece => piece.volume);
    const sum = volumes.reduce((total, volume) => total + volume, 0);
    expect(Math.abs(sum / solid.volume - 1)).toBeLessThan(1e-12);
    // The thin wings of such a coarse dragon pass through themselves in places, and leave inverted specks.
    expect(Math.min(...volumes)).toBeGreaterThan((solid.vertexCount > 1500 ? -1e-6 : -1e-12) * solid.volume);
    // No triangle of the solid is in two pieces.
    const own = pieces.flatMap(({ triangles }) =>
      Array.from({ length: triangles.length / 3 }, (_, t) => triangles.subarray(3 * t, 3 * t + 3))
        .filter(corners => corners.every(vertex => vertex < solid.vertexCount))
        .map(corners => corners.join()),
    );
    expect(new Set(own).size).toBe(own.length);
    const given = new Set(
      Array.from({ length: solid.triangleCount }, (_, t) => solid.indices.slice(3 * t, 3 * t + 3).join()),
    );
    const turned = (key: string): string[] => {
      const [a, b, c] = key.split(',');
      return [key, [b, c, a].join(), [c, a, b].join()];
    };
    expect(own.filter(key => !turned(key).some(other => given.has(other)))).toEqual([]);
  });

  test('contain every point of it, in exactly one piece', () => {
    const solid = make(7);
    const random = shapes.createRandom(7);
    const broken = fracture(solid, { pieces: 16, struck: [0, 0, 0], reach: 1, random });
    const scene = nf.scene();
    const whole = scene.add(solid);
    const points = Float64Array.from({ length: 900 }, (_, i) => {
      const [low, high] = [solid.bounds[i % 3], solid.bounds[3 + (i % 3)]];
      return random.between(low, high);
    });
    const within = scene.insideSync(whole, points);
    const holding = new Uint8Array(within.length);
    for (const piece of lastPieces(broken.whole)) {
      const body = scene.add(meshOf(broken, piece));
      scene.insideSync(body, points).forEach((state, i) => {
        if (state === 1) holding[i]++;
      });
    }
    expect(holding).toEqual(within);
    expect(within.includes(1)).toBe(true);
    scene.close();
  });
});
