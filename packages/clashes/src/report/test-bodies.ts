// Small bodies for the report's tests.

import { encodePng, type Pixels } from '@nearfield/io/png';
import type { ReportBody, ReportInput, ReportPair } from './types.ts';

export const pngUri = (pixels: Pixels): string =>
  `data:image/png;base64,${Buffer.from(encodePng(pixels)).toString('base64')}`;

/** An axis-aligned cube of 12 triangles, facing outwards. */
export function cube(name: string, center: readonly [number, number, number], size: number): ReportBody {
  const positions = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * corner + axis] = center[axis] + ((corner >> axis) & 1 ? size / 2 : -size / 2);
    }
  }
  const faces = ['0462', '1375', '0154', '2673', '0231', '4576'].map(face => [...face].map(Number));
  const indices = Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));
  return { name, triangles: 12, vertices: 8, closed: true, solid: true, positions, indices };
}

/** A sphere of radius 1 around (x, 0, 0), of 4·steps² triangles. */
export function ball(name: string, x: number, steps: number): ReportBody {
  const columns = 2 * steps;
  const positions = Float64Array.from({ length: 3 * (steps + 1) * columns }, (_, i) => {
    const [row, column] = [Math.floor(i / 3 / columns), Math.floor(i / 3) % columns];
    const [up, around] = [(Math.PI * row) / steps, (2 * Math.PI * column) / columns];
    return [x + Math.sin(up) * Math.cos(around), Math.sin(up) * Math.sin(around), Math.cos(up)][i % 3];
  });
  const indices = Uint32Array.from({ length: 6 * steps * columns }, (_, i) => {
    const [row, column] = [Math.floor(i / 6 / columns), Math.floor(i / 6) % columns];
    const [down, right] = [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 0],
      [1, 1],
      [0, 1],
    ][i % 6];
    return (row + down) * columns + ((column + right) % columns);
  });
  const triangles = indices.length / 3;
  return { name, triangles, vertices: positions.length / 3, closed: true, solid: true, positions, indices };
}

/**
 * Every triangle of one cube with every triangle of the other. That is more than really meet, but good enough for a
 * picture.
 */
export function pairOf(a: number, b: number, relation: ReportPair['relation']): ReportPair {
  const triangles = new Uint32Array(relation === 'contains' || relation === 'inside' ? 0 : 288);
  for (let i = 0; i < triangles.length / 2; i++) triangles.set([Math.floor(i / 12), i % 12], 2 * i);
  return { a, b, relation, triangles, triangleCount: triangles.length / 2 };
}

export function inputOf(bodies: ReportBody[], pairs: ReportPair[]): ReportInput {
  return {
    bodies,
    pairs,
    backend: { kind: 'cpu', name: 'a processor' },
    method: 'hierarchy',
    timing: { query: 1.25 },
    version: '0.1.0',
  };
}
