// Packs the impact maps that the GPU paints: how places on a collider become texels (map-forms.wgsl), as functions that
// are linear in the collider's own coordinates about its centre, in units of the frame.

import type { Vector } from '../../colliders/shapes.ts';
import type { CompiledCollider } from '../../compiled.ts';
import { unrollingOf } from '../../maps/forms.ts';
import { isPaintedInSingle } from '../../maps/map.ts';
import { mapForms, mapValues } from '../layouts.ts';
import type { Rows } from '../pack/rows.ts';

/** A function of a place: gradient·place + offset. */
type Linear = readonly [x: number, y: number, z: number, offset: number];

/** Where the texels of each map begin, by collider, and how many there are in all. */
export interface TexelRanges {
  readonly first: ReadonlyMap<number, number>;
  readonly count: number;
}

export function texelRangesOf(colliders: readonly CompiledCollider[]): TexelRanges {
  const first = new Map<number, number>();
  let count = 0;
  for (const collider of colliders) {
    if (!isPaintedInSingle(collider)) continue;
    const { width, height } = collider.given.map!;
    first.set(collider.index, count);
    count += width * height;
  }
  return { first, count };
}

/** `leaves` has the leaf of each triangle of a mesh. */
export function packMap(
  collider: CompiledCollider,
  centre: Vector,
  length: number,
  firstTexel: number,
  leaves: Uint32Array | undefined,
  rows: Rows,
): void {
  const { width, height, of = 'speed' } = collider.given.map!;
  const form = unrollingOf(collider);
  const { low, over, axis } = form;
  const begin = (kind: number) => {
    rows.integers(kind, width, height, firstTexel);
    rows.integers(mapValues[of]);
  };
  /** From world coordinates to those of the frame. */
  const put = ([x, y, z, offset]: Linear) =>
    rows.floats(x * length, y * length, z * length, x * centre[0] + y * centre[1] + z * centre[2] + offset);
  /** (coordinate − low)·over + offset. */
  const along = (which: number, offset = 0): Linear => {
    const gradient = [0, 0, 0];
    gradient[which] = over[which];
    return [gradient[0], gradient[1], gradient[2], offset - low[which] * over[which]];
  };
  switch (form.kind) {
    case 'plane': {
      begin(mapForms.flat);
      const { point, right, up } = collider.plane!;
      for (const [i, way] of [right, up].entries()) {
        const height = way[0] * point[0] + way[1] * point[1] + way[2] * point[2];
        const s = over[i];
        put([way[0] * s, way[1] * s, way[2] * s, -(height + low[i]) * s]);
      }
      return;
    }
    case 'planar':
      begin(mapForms.flat);
      put(along((axis + 1) % 3));
      put(along((axis + 2) % 3));
      return;
    case 'cylindrical':
      begin(mapForms.around);
      put(along((axis + 1) % 3, -0.5));
      put(along((axis + 2) % 3, -0.5));
      put(along(axis));
      return;
    case 'equal-area': {
      begin(mapForms.around);
      const { centre: middle, radius } = collider.quadric!;
      const scale = 0.5 / radius!;
      put([scale, 0, 0, -middle[0] * scale]);
      put([0, scale, 0, -middle[1] * scale]);
      put([0, 0, scale, 0.5 - middle[2] * scale]);
      return;
    }
    default:
      begin(mapForms.leaf);
      packLeaves(collider, leaves!, put, rows);
  }
}

/** Two functions per leaf: constants for one texel per triangle; for uv those that have the corners' values there. */
function packLeaves(
  collider: CompiledCollider,
  leaves: Uint32Array,
  put: (linear: Linear) => void,
  rows: Rows,
): void {
  const { triangles, tree } = collider.mesh!;
  const { uv, width, height } = unrollingOf(collider);
  const triangleOf = new Uint32Array(tree.leafCount).fill(none);
  leaves.forEach((leaf, triangle) => {
    triangleOf[leaf] = triangle;
  });
  for (const triangle of triangleOf) {
    if (triangle === none) {
      rows.floats();
      rows.floats();
    } else if (uv === undefined) {
      rows.floats(0, 0, 0, ((triangle % width) + 0.5) / width);
      rows.floats(0, 0, 0, (Math.floor(triangle / width) + 0.5) / height);
    } else {
      for (let i = 0; i < 2; i++) put(overTriangle(triangles, triangle, uv, i));
    }
  }
}

const none = 0xffffffff;
/** The function of places on a triangle that has the corners' values in its corners (`barycentric` without clamping). */
function overTriangle(triangles: Float64Array, triangle: number, uv: Float32Array, which: number): Linear {
  const corner = (i: number) => triangles.subarray(9 * triangle + 3 * i, 9 * triangle + 3 * i + 3);
  const value = (i: number) => uv[6 * triangle + 2 * i + which];
  const [origin, first, second] = [corner(0), corner(1), corner(2)];
  const u = first.map((x, axis) => x - origin[axis]);
  const v = second.map((x, axis) => x - origin[axis]);
  const dot = (a: Float64Array, b: Float64Array) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const [uu, uv2, vv] = [dot(u, u), dot(u, v), dot(v, v)];
  const determinant = uu * vv - uv2 * uv2;
  // A triangle without area is never hit.
  if (!(determinant > 0)) return [0, 0, 0, value(0)];
  const [toFirst, toSecond] = [value(1) - value(0), value(2) - value(0)];
  const gradient = u.map(
    (_, axis) =>
      (toFirst * (vv * u[axis] - uv2 * v[axis]) + toSecond * (uu * v[axis] - uv2 * u[axis])) / determinant,
  );
  return [gradient[0], gradient[1], gradient[2], value(0) - dot(gradient, origin)];
}
