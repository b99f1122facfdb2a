// Solids and poses for the tests of penetration.

import type { Pose } from '../../math/pose.ts';
import { type Mesh, mesh } from '../../mesh/mesh.ts';
import { revolve } from '../../shapes/index.ts';

/** A rotation about an axis, then a translation. */
export function posed(
  x: number,
  y: number,
  z: number,
  [ax, ay, az]: readonly [number, number, number] = [0, 0, 1],
  angle = 0,
  scale = 1,
): Pose {
  const length = Math.hypot(ax, ay, az);
  const [u, v, w] = [ax / length, ay / length, az / length];
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const k = 1 - c;
  const linear = [
    [c + u * u * k, v * u * k + w * s, w * u * k - v * s],
    [u * v * k - w * s, c + v * v * k, w * v * k + u * s],
    [u * w * k + v * s, v * w * k - u * s, c + w * w * k],
  ];
  return new Float64Array([...linear.flatMap(column => [...column.map(n => n * scale), 0]), x, y, z, 1]);
}

/** A cylinder of a given length between two half spheres, along z. */
export function capsule(radius: number, length: number, segments = 64, rings = 16): Mesh {
  const cap = (from: number, z: number): [number, number][] =>
    Array.from({ length: rings + 1 }, (_, k) => {
      const angle = from + (k * Math.PI) / 2 / rings;
      return [radius * Math.cos(angle), z + radius * Math.sin(angle)];
    });
  const lower = cap(-Math.PI / 2, -length / 2);
  const upper = cap(0, length / 2);
  lower[0] = [0, -length / 2 - radius];
  upper[rings] = [0, length / 2 + radius];
  return revolve({ profile: [...lower, ...upper], segments });
}

/** A disc of a given height with a round groove in its top, which lies at z = 0: half of a torus is missing. */
export function grooved(major: number, minor: number, segments: number, minorSegments: number): Mesh {
  const groove: [number, number][] = Array.from({ length: minorSegments / 2 + 1 }, (_, k) => {
    const angle = -(k / minorSegments) * 2 * Math.PI;
    return [
      major + minor * Math.cos(angle),
      k === 0 || 2 * k === minorSegments ? 0 : minor * Math.sin(angle),
    ];
  });
  const outer = major + 3 * minor;
  return revolve({
    profile: [[0, -4 * minor], [outer, -4 * minor], [outer, 0], ...groove, [0, 0]],
    segments,
  });
}

export type Cuboid = readonly [x0: number, y0: number, z0: number, x1: number, y1: number, z1: number];

/** Boxes as one mesh, each closed. Where boxes overlap, the winding number is 2. */
export function cuboids(boxes: readonly Cuboid[]): Mesh {
  const positions: number[] = [];
  const indices: number[] = [];
  for (const box of boxes) {
    const first = positions.length / 3;
    for (let i = 0; i < 8; i++) positions.push(box[i & 1 ? 3 : 0], box[i & 2 ? 4 : 1], box[i & 4 ? 5 : 2]);
    for (const [a, b, c, d] of [
      [0, 4, 6, 2],
      [1, 3, 7, 5],
      [0, 1, 5, 4],
      [2, 6, 7, 3],
      [0, 2, 3, 1],
      [4, 5, 7, 6],
    ]) {
      indices.push(first + a, first + b, first + c, first + a, first + c, first + d);
    }
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

/** Every triangle is cut in four at the middles of its edges: the surface is the same if the middles are exact. */
export function subdivided({ positions, indices }: Mesh): Mesh {
  const p = Array.from(positions);
  const found = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = a < b ? `${a},${b}` : `${b},${a}`;
    let index = found.get(key);
    if (index === undefined) {
      index = p.length / 3;
      for (let axis = 0; axis < 3; axis++) p.push((p[3 * a + axis] + p[3 * b + axis]) / 2);
      found.set(key, index);
    }
    return index;
  };
  const out: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [indices[i], indices[i + 1], indices[i + 2]];
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    out.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return mesh(Float64Array.from(p), Uint32Array.from(out));
}
