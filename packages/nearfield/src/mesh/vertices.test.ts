import { describe, expect, it } from 'vitest';
import { createRandom } from '../shapes/index.ts';
import { boundsOf, usesEveryVertex } from './facts.ts';
import { mesh, type Positions } from './mesh.ts';
import { boundIfFinite, boundsOfVertices, notFinite } from './vertices.ts';

const slow = process.env.NEARFIELD_SLOW === '1';
const kinds = [Float32Array, Float64Array];
const bad = [NaN, Infinity, -Infinity];

/** The kernel processes 8192 vertices at a time in single precision, 4096 in double precision. */
const counts = [1, 2, 3, 4, 5, 6, 7, 8, 13, 94, 4095, 4096, 4097, 4099, 8191, 8192, 8193, 8194, 8197, 16_385];

/** The box by sorting the coordinates per axis. */
function boxBySorting(positions: Positions): number[] {
  const axes = [0, 1, 2].map(axis => positions.filter((_, i) => i % 3 === axis).sort());
  return [...axes.map(values => values[0] + 0), ...axes.map(values => values[values.length - 1] + 0)];
}

describe('one pass over all vertices', () => {
  it('finds the box, for any number of vertices of any size', () => {
    for (let seed = 1; seed <= (slow ? 40 : 2); seed++) {
      const random = createRandom(seed);
      for (const count of counts) {
        for (const kind of kinds) {
          const scale = 10 ** random.between(-30, 30);
          const offset = random.between(-3, 3) * scale;
          const positions = new kind(3 * count).map(() => offset + random.between(-1, 1) * scale);
          const box = new Float64Array(6);
          expect(boundIfFinite(positions, box)).toBe(true);
          const context = `seed ${seed}, ${kind.name}, ${count} vertices`;
          expect([...box], context).toEqual(boxBySorting(positions));
        }
      }
    }
  });

  it('finds every number that is not finite, also the last and those at block boundaries', () => {
    const random = createRandom(5);
    for (const count of counts) {
      for (const kind of kinds) {
        const positions = new kind(3 * count).map(() => random.between(-1e30, 1e30));
        const { length } = positions;
        const places = new Set<number>();
        for (let i = 0; i < (slow ? 100 : 10); i++) {
          for (const at of [i, length - 1 - i, 3 * 4096 - 15 + i, 3 * 8192 - 15 + i]) {
            if (at >= 0 && at < length) places.add(at);
          }
        }
        for (const at of places) {
          const value = positions[at];
          for (const wrong of bad) {
            positions[at] = wrong;
            const context = `${wrong} at ${at} of ${length}, ${kind.name}`;
            expect(boundIfFinite(positions, new Float64Array(6)), context).toBe(false);
            const vertex = `it ${'xyz'[at % 3]} of vertex ${Math.floor(at / 3)} is ${wrong}`;
            expect(notFinite(positions, 'it').message).toBe(vertex);
          }
          positions[at] = value;
        }
        expect(boundIfFinite(positions, new Float64Array(6))).toBe(true);
      }
    }
  });

  it('rejects several bad numbers together, such as infinities of both signs', () => {
    for (const kind of kinds) {
      for (const count of [1, 2, 5, 94]) {
        for (const wrong of [[NaN], [Infinity, -Infinity], [NaN, Infinity], [-Infinity, NaN, Infinity]]) {
          const positions = new kind(3 * count).map((_, i) => wrong[i % wrong.length]);
          expect(boundIfFinite(positions, new Float64Array(6)), `${wrong}, ${count}`).toBe(false);
        }
      }
    }
  });

  it('accepts the largest and smallest doubles, beyond single precision too', () => {
    const largest = Number.MAX_VALUE;
    const box = new Float64Array(6);
    const doubles = Float64Array.of(largest, -largest, 1e300, largest, -largest, 5e-324, 0, largest, -5e-324);
    expect(boundIfFinite(doubles, box)).toBe(true);
    expect([...box]).toEqual([0, -largest, -5e-324, largest, largest, 1e300]);
    const single = (2 - 2 ** -23) * 2 ** 127;
    const singles = Float32Array.of(single, -single, 2 ** -149, single, -single, single, single, 0, -single);
    expect(boundIfFinite(singles, box)).toBe(true);
    expect([...box]).toEqual([single, -single, -single, single, 0, single]);
  });

  it('returns zeros without a sign', () => {
    for (const kind of kinds) {
      for (const count of [1, 4, 5]) {
        const box = new Float64Array(6).fill(7);
        expect(boundIfFinite(new kind(3 * count).fill(-0), box)).toBe(true);
        expect([...box]).toEqual([0, 0, 0, 0, 0, 0]);
      }
    }
  });

  it('reads nothing outside the array, neither before nor after it', () => {
    const box = new Float64Array(6);
    for (const kind of kinds) {
      // Nor anything left over from an earlier array.
      boundIfFinite(new kind(300).fill(100), box);
      const all = new kind(30).fill(NaN);
      for (const count of [1, 2, 3, 4, 5]) {
        const part = all
          .fill(NaN)
          .subarray(7, 7 + 3 * count)
          .fill(2);
        expect(boundIfFinite(part, box), `${count}`).toBe(true);
        expect([...box]).toEqual([2, 2, 2, 2, 2, 2]);
      }
    }
  });

  it('returns an empty box for no vertices', () => {
    for (const kind of kinds) {
      expect(boundIfFinite(new kind(0), new Float64Array(6))).toBe(true);
      const [low, , , high] = boundsOfVertices(new kind(0));
      expect(low).toBeGreaterThan(high);
    }
  });

  it('accepts shared memory', () => {
    const shared = new Float32Array(new SharedArrayBuffer(36)).fill(3);
    const box = new Float64Array(6);
    expect(boundIfFinite(shared, box)).toBe(true);
    expect([...box]).toEqual([3, 3, 3, 3, 3, 3]);
  });
});

describe('vertices that no triangle uses', () => {
  it('are recognised', () => {
    expect(usesEveryVertex(Uint32Array.of(0, 1, 2), 3)).toBe(true);
    expect(usesEveryVertex(Uint16Array.of(2, 1, 0, 0, 1, 2), 3)).toBe(true);
    expect(usesEveryVertex(Uint32Array.of(0, 1, 2), 4)).toBe(false);
    expect(usesEveryVertex(Uint32Array.of(0, 1, 3, 3, 1, 0), 4)).toBe(false);
    expect(usesEveryVertex(new Uint32Array(0), 0)).toBe(true);
    // The same triangles with more vertices and with fewer.
    const indices = Uint32Array.of(0, 1, 2);
    for (const count of [3, 4, 3]) expect(usesEveryVertex(indices, count)).toBe(count === 3);
  });

  it('are not in the bounds, wherever they are', () => {
    for (let seed = 1; seed <= 30; seed++) {
      const random = createRandom(seed);
      const vertexCount = 4 + random.integer(20);
      const positions = Float64Array.from({ length: 3 * vertexCount }, () => random.between(-1, 1));
      const indices = Uint32Array.from({ length: 3 * (1 + random.integer(20)) }, () =>
        random.integer(vertexCount),
      );
      const used = [...new Set(indices)];
      for (let v = 0; v < vertexCount; v++) {
        if (!used.includes(v)) positions.set([100, -200, 300], 3 * v);
      }
      const corners = Float64Array.from(used.flatMap(v => [...positions.subarray(3 * v, 3 * v + 3)]));
      expect(usesEveryVertex(indices, vertexCount), `seed ${seed}`).toBe(used.length === vertexCount);
      expect([...boundsOf(positions, indices)], `seed ${seed}`).toEqual(boxBySorting(corners));
      expect(mesh(positions, indices).bounds).toEqual(boundsOf(positions, indices));
    }
  });
});
