// Spheres with nearly even triangles: each face of an icosahedron split into n² (class I geodesic), pushed out to
// the sphere, and the same with seeded bumps. 20·n² triangles, 10·n² + 2 vertices.

import {
  aFiniteNumber,
  aNumber,
  checkOptions,
  lengthAbove0,
  type Rules,
  wholeNumber,
} from '../core/arguments.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { createNoise, octavesRule } from './noise.ts';
import { trianglesRule } from './rules.ts';

/** The size of a sphere, and how finely it is cut. Lengths are in the user's units. */
export interface IcosphereOptions {
  /** Default 1. */
  radius?: number;
  /** The number of pieces per edge of the icosahedron: 20·frequency² triangles. Default 8. */
  frequency?: number;
}

/** 20·frequency² triangles have to fit into a mesh. */
const icosphereRules: Rules<IcosphereOptions> = { radius: lengthAbove0, frequency: wholeNumber(1, 4096) };

/** A sphere about the origin, of an icosahedron whose faces are cut into equal triangles. Throws 'bad-option' for sizes that it cannot have. */
export function icosphere(options: IcosphereOptions = {}): Mesh {
  checkOptions(options, icosphereRules, 'icosphere');
  const { radius = 1, frequency = 8 } = options;
  return geodesic(frequency, () => radius);
}

/** A sphere with bumps of noise. Lengths are in the user's units. */
export interface DisplacedSphereOptions {
  /** Radius of the sphere without bumps. Default 1. */
  radius?: number;
  /** Approximate number of triangles; the nearest 20·n² is used, such as 81,920 (default) or 69,620. */
  triangles?: number;
  /** Height of the bumps as a share of the radius, below 1. Default 0.25. */
  amplitude?: number;
  /** The number of bumps along a radius. Default 2.5. */
  bumps?: number;
  /** Layers of bumps: each further one has twice the frequency and half the height. Default 4. */
  octaves?: number;
  /** The seed of the bumps. Default 1. */
  seed?: number;
}

const displacedRules: Rules<DisplacedSphereOptions> = {
  radius: lengthAbove0,
  triangles: trianglesRule,
  amplitude: aNumber('a share of the radius from 0, below 1', share => share >= 0 && share < 1),
  bumps: aFiniteNumber,
  octaves: octavesRule,
  seed: aFiniteNumber,
};

/**
 * Every vertex keeps its direction from the middle, so the surface is star-shaped: central projection onto the sphere
 * is one to one, and the surface cannot intersect itself, whatever the bumps. Throws 'bad-option' for sizes that it cannot have.
 */
export function displacedSphere(options: DisplacedSphereOptions = {}): Mesh {
  checkOptions(options, displacedRules, 'displacedSphere');
  const { radius = 1, triangles = 81920, amplitude = 0.25, bumps = 2.5, octaves = 4, seed = 1 } = options;
  const noise = createNoise(seed, octaves);
  const frequency = Math.max(1, Math.round(Math.sqrt(triangles / 20)));
  return geodesic(frequency, (x, y, z) => radius * (1 + amplitude * noise(x * bumps, y * bumps, z * bumps)));
}

function geodesic(frequency: number, radiusAt: (x: number, y: number, z: number) => number): Mesh {
  const n = frequency;
  const positions = new Float64Array(3 * (10 * n * n + 2));
  const indices = new Uint32Array(60 * n * n);
  let vertexCount = 0;
  const vertex = (x: number, y: number, z: number): number => {
    const length = Math.sqrt(x * x + y * y + z * z);
    const [ux, uy, uz] = [x / length, y / length, z / length];
    const r = radiusAt(ux, uy, uz);
    positions.set([r * ux, r * uy, r * uz], 3 * vertexCount);
    return vertexCount++;
  };
  const between = (
    a: readonly number[],
    b: readonly number[],
    c: readonly number[],
    i: number,
    j: number,
    k: number,
  ) => vertex(i * a[0] + j * b[0] + k * c[0], i * a[1] + j * b[1] + k * c[1], i * a[2] + j * b[2] + k * c[2]);

  const corners = icosahedronCorners.map(([x, y, z]) => vertex(x, y, z));
  const edges = new Map<number, number[]>();
  /** Vertices along an edge from corner a to corner b, both included. Created once, then read in either direction. */
  const edge = (a: number, b: number): number[] => {
    if (a > b) return edge(b, a).slice().reverse();
    const key = a * 12 + b;
    let line = edges.get(key);
    if (line === undefined) {
      const [p, q] = [icosahedronCorners[a], icosahedronCorners[b]];
      line = Array.from({ length: n + 1 }, (_, i) =>
        i === 0 ? corners[a] : i === n ? corners[b] : between(p, q, p, n - i, i, 0),
      );
      edges.set(key, line);
    }
    return line;
  };

  let at = 0;
  for (const [a, b, c] of icosahedronFaces) {
    const [ab, ac, bc] = [edge(a, b), edge(a, c), edge(b, c)];
    const [pa, pb, pc] = [icosahedronCorners[a], icosahedronCorners[b], icosahedronCorners[c]];
    // Row i lies i steps from corner a and has i + 1 vertices, from side ab to side ac.
    let above = [corners[a]];
    for (let i = 1; i <= n; i++) {
      const row = Array.from({ length: i + 1 }, (_, j) =>
        i === n ? bc[j] : j === 0 ? ab[i] : j === i ? ac[i] : between(pa, pb, pc, n - i, i - j, j),
      );
      for (let j = 0; j < i; j++) {
        indices.set([above[j], row[j], row[j + 1]], at);
        at += 3;
        if (j + 1 < i) {
          indices.set([above[j], row[j + 1], above[j + 1]], at);
          at += 3;
        }
      }
      above = row;
    }
  }
  return mesh(positions, indices);
}

const golden = (1 + Math.sqrt(5)) / 2;
/** The corners of three golden rectangles at right angles to one another. */
const icosahedronCorners: readonly (readonly [number, number, number])[] = [
  [-1, golden, 0],
  [1, golden, 0],
  [-1, -golden, 0],
  [1, -golden, 0],
  [0, -1, golden],
  [0, 1, golden],
  [0, -1, -golden],
  [0, 1, -golden],
  [golden, 0, -1],
  [golden, 0, 1],
  [-golden, 0, -1],
  [-golden, 0, 1],
];

/** Every three corners at distance 2 from one another, oriented to face outwards. */
const icosahedronFaces: readonly (readonly [number, number, number])[] = facesOf();

function facesOf(): [number, number, number][] {
  const faces: [number, number, number][] = [];
  const near = (i: number, j: number) => {
    const [p, q] = [icosahedronCorners[i], icosahedronCorners[j]];
    const [x, y, z] = [p[0] - q[0], p[1] - q[1], p[2] - q[2]];
    return x * x + y * y + z * z < 5;
  };
  for (let i = 0; i < 12; i++) {
    for (let j = i + 1; j < 12; j++) {
      for (let k = j + 1; k < 12; k++) {
        if (near(i, j) && near(j, k) && near(i, k)) faces.push(outwards(i, j, k) ? [i, j, k] : [i, k, j]);
      }
    }
  }
  return faces;
}

function outwards(i: number, j: number, k: number): boolean {
  const [a, b, c] = [icosahedronCorners[i], icosahedronCorners[j], icosahedronCorners[k]];
  return (
    a[0] * (b[1] * c[2] - b[2] * c[1]) -
      a[1] * (b[0] * c[2] - b[2] * c[0]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]) >
    0
  );
}
