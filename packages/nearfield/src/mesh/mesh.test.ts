import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ErrorCode, NearfieldError } from '../core/errors.ts';
import { mesh, type Positions } from './mesh.ts';

const cubeCorners = (scale = 1): number[] =>
  Array.from({ length: 8 }, (_, i) => [i & 1, (i >> 1) & 1, (i >> 2) & 1].map(c => c * scale)).flat();
const cubeTriangles = [
  [0, 2, 1, 1, 2, 3],
  [4, 5, 6, 5, 7, 6],
  [0, 1, 4, 1, 5, 4],
  [2, 6, 3, 3, 6, 7],
  [0, 4, 2, 2, 4, 6],
  [1, 3, 5, 3, 7, 5],
].flat();
const cube = (scale = 1) => mesh(new Float64Array(cubeCorners(scale)), new Uint16Array(cubeTriangles));

function codeOf(action: () => unknown): ErrorCode | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof NearfieldError) return error.code;
    throw error;
  }
  return undefined;
}

describe('validation', () => {
  it('keeps the arrays without copying them', () => {
    const positions = new Float32Array(cubeCorners());
    const indices = new Uint32Array(cubeTriangles);
    const m = mesh(positions, indices);
    expect(m.positions).toBe(positions);
    expect(m.indices).toBe(indices);
    expect([m.vertexCount, m.triangleCount]).toEqual([8, 12]);
  });

  it('numbers the vertices of a soup', () => {
    expect([...mesh(new Float32Array(18)).indices]).toEqual([0, 1, 2, 3, 4, 5]);
  });

  it('accepts a mesh without triangles', () => {
    const empty = mesh(new Float64Array(0));
    expect([empty.closed, empty.solid, empty.bounds[0]]).toEqual([false, false, Infinity]);
  });

  it.each([
    ['bad-array', 'a plain array', () => mesh([0, 0, 0] as unknown as Positions)],
    ['bad-array', 'a half vertex', () => mesh(new Float64Array(4))],
    ['bad-array', 'a soup of four vertices', () => mesh(new Float64Array(12))],
    ['bad-array', 'four indices', () => mesh(new Float64Array(9), new Uint16Array(4))],
    [
      'bad-array',
      'signed indices',
      () => mesh(new Float64Array(9), new Int32Array(3) as unknown as Uint32Array),
    ],
    ['index-out-of-range', 'vertex 3 of 3', () => mesh(new Float64Array(9), new Uint16Array([0, 1, 3]))],
    ['not-finite', 'NaN', () => mesh(new Float64Array([0, Number.NaN, 0]), new Uint16Array(0))],
    ['not-finite', 'infinity', () => mesh(new Float32Array([0, 0, 1e39]), new Uint16Array(0))],
  ] as const)('refuses with %s: %s', (code, _, action) => {
    expect(codeOf(action)).toBe(code);
  });

  it('names the triangle, the vertex and the value', () => {
    expect(() => mesh(new Float64Array(9), new Uint16Array([0, 1, 2, 0, 7, 2]))).toThrow(
      'triangle 1 names vertex 7, but there are 3 vertices',
    );
    expect(() => mesh(new Float64Array([0, 0, 0, 0, Number.NaN, 0]), new Uint16Array(0))).toThrow(
      'position y of vertex 1 is NaN',
    );
  });

  it('finds the first number that is not finite, wherever it is', () => {
    const finite = [Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, -0, 2 ** -1022, -1];
    const single = finite.map(
      value => Math.sign(value) * Math.min(Math.abs(value), (2 - 2 ** -23) * 2 ** 127),
    );
    for (const bad of [NaN, Infinity, -Infinity]) {
      for (let length = 3; length <= 27; length += 3) {
        for (let at = 0; at < length; at++) {
          const doubles = Float64Array.from({ length }, (_, i) => finite[i % 6]);
          const singles = Float32Array.from({ length }, (_, i) => single[i % 6]);
          expect(codeOf(() => mesh(doubles, new Uint16Array(0)))).toBe(undefined);
          expect(codeOf(() => mesh(singles, new Uint16Array(0)))).toBe(undefined);
          for (const positions of [doubles, singles]) {
            positions[at] = bad;
            positions[length - 1] = bad;
            const place = `${'xyz'[at % 3]} of vertex ${Math.floor(at / 3)} is ${bad}`;
            expect(() => mesh(positions, new Uint16Array(0))).toThrow(place);
          }
        }
      }
    }
  });

  it('accepts exactly the arrays that are finite, in range and a multiple of three long', () => {
    const positions = fc.oneof(
      fc.float32Array({ maxLength: 30 }),
      fc.float64Array({ maxLength: 30 }),
    ) as fc.Arbitrary<Positions>;
    const indices = fc.uint32Array({ maxLength: 12, max: 12 });
    fc.assert(
      fc.property(positions, indices, (p, i) => {
        const valid =
          p.length % 3 === 0 &&
          i.length % 3 === 0 &&
          [...p].every(Number.isFinite) &&
          [...i].every(index => index < p.length / 3);
        expect(codeOf(() => mesh(p, i)) === undefined).toBe(valid);
      }),
      { numRuns: 500 },
    );
  });
});

describe('facts', () => {
  it('of a cube', () => {
    const m = cube(2);
    expect([m.closed, m.manifold, m.oriented, m.solid]).toEqual([true, true, true, true]);
    expect(m.volume).toBe(8);
    expect([...m.bounds]).toEqual([0, 0, 0, 2, 2, 2]);
    expect(m.edges.count).toBe(18);
    expect(m.adjacency.componentCount).toBe(1);
  });

  it('identify vertices by position: a soup of the cube is closed, and −0 is 0', () => {
    const corners = cubeCorners().map((c, i) => (c === 0 && i % 2 === 1 ? -0 : c));
    const soup = mesh(new Float64Array(cubeTriangles.flatMap(v => corners.slice(3 * v, 3 * v + 3))));
    expect([soup.closed, soup.manifold, soup.oriented]).toEqual([true, true, true]);
    expect(soup.welds.positionCount).toBe(8);
    expect(soup.vertexCount).toBe(36);
  });

  it('detect an opening and a flipped triangle', () => {
    const corners = new Float64Array(cubeCorners());
    const open = mesh(corners, new Uint16Array(cubeTriangles.slice(3)));
    expect([open.closed, open.manifold, open.oriented, open.solid]).toEqual([false, true, true, false]);
    expect(() => open.volume).toThrow(NearfieldError);
    const flipped = mesh(corners, new Uint16Array([0, 1, 2, ...cubeTriangles.slice(3)]));
    expect([flipped.closed, flipped.oriented, flipped.solid]).toEqual([true, false, false]);
  });

  it('call two cubes that share an edge, or a corner, not manifold', () => {
    const joined = (dx: number, dy: number, dz: number) => {
      const corners = cubeCorners();
      const moved = corners.map((c, i) => c + [dx, dy, dz][i % 3]);
      return mesh(
        new Float64Array([...corners, ...moved]),
        new Uint16Array([...cubeTriangles, ...cubeTriangles.map(v => v + 8)]),
      );
    };
    for (const [dx, dy, dz] of [
      [1, 1, 0],
      [1, 1, 1],
    ]) {
      const m = joined(dx, dy, dz);
      expect([m.closed, m.manifold, m.oriented, m.volume]).toEqual([true, false, true, 2]);
      expect(m.adjacency.componentCount).toBe(1);
    }
    expect(joined(5, 0, 0).adjacency.componentCount).toBe(2);
    expect(joined(5, 0, 0).manifold).toBe(true);
  });

  it('give an inverted cube a negative volume', () => {
    const turned = cubeTriangles.map((_, i) => cubeTriangles[i - (i % 3) + ((3 - (i % 3)) % 3)]);
    expect(mesh(new Float64Array(cubeCorners()), new Uint16Array(turned)).volume).toBe(-1);
  });

  it('hold far from the origin', () => {
    const far = new Float64Array(cubeCorners().map(c => c + 2 ** 40));
    expect(mesh(far, new Uint16Array(cubeTriangles)).volume).toBe(1);
  });

  it('count every side once among the triangles of its edge', () => {
    const { edges, edgeOf } = cube().adjacency;
    expect(edges.start[edges.count]).toBe(36);
    for (let side = 0; side < 36; side++) {
      const e = edgeOf[side];
      const triangles = edges.triangles.subarray(edges.start[e], edges.start[e + 1]);
      expect([...triangles]).toContain(Math.floor(side / 3));
    }
  });
});
