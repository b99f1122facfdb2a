// How surfaces are unrolled into the unit square (Knott, section 3.4.2: a two-dimensional representation of the places
// at which colliders are hit; section 3.5.1: linear if possible, so that the resolution is the same everywhere).

import { bad } from '../../core/arguments.ts';
import { barycentric } from '../colliders/mesh.ts';
import type { MapForm } from '../colliders/shapes.ts';
import type { CompiledCollider } from '../compiled.ts';
import { toOwn } from '../motion/rigid.ts';
import { impactRow } from '../seam.ts';

/** What the map of a collider is computed from. */
interface Unrolling {
  readonly kind: 'plane' | 'equal-area' | 'planar' | 'cylindrical' | 'uv' | 'triangles';
  /**
   * For planes: low along right and up, and 1 over the extents. For others: axis, low and 1 over the extents of the
   * box.
   */
  readonly low: Float64Array;
  readonly over: Float64Array;
  readonly axis: number;
  readonly uv: Float32Array | undefined;
  /** The texels of a map by triangle. */
  readonly width: number;
  readonly height: number;
}

const known = new WeakMap<CompiledCollider, Unrolling>();
const shares = new Float64Array(3);
const axes = { x: 0, y: 1, z: 2 } as const;

/** The parameters of a place in a collider's own coordinates, each from 0 to 1. */
export function parameterAt(
  collider: CompiledCollider,
  triangle: number,
  place: Float64Array,
  out: Float64Array,
): void {
  const form = unrollingOf(collider);
  const { low, over } = form;
  if (form.kind === 'plane') {
    const { point, right, up } = collider.plane!;
    const x = place[0] - point[0];
    const y = place[1] - point[1];
    const z = place[2] - point[2];
    out[0] = clamp((right[0] * x + right[1] * y + right[2] * z - low[0]) * over[0]);
    out[1] = clamp((up[0] * x + up[1] * y + up[2] * z - low[1]) * over[1]);
  } else if (form.kind === 'equal-area') {
    const { centre, radius } = collider.quadric!;
    out[0] = share(place[0] - centre[0], place[1] - centre[1]);
    out[1] = clamp(0.5 + (0.5 * (place[2] - centre[2])) / radius!);
  } else if (form.kind === 'planar') {
    const u = (form.axis + 1) % 3;
    const v = (form.axis + 2) % 3;
    out[0] = clamp((place[u] - low[u]) * over[u]);
    out[1] = clamp((place[v] - low[v]) * over[v]);
  } else if (form.kind === 'cylindrical') {
    const u = (form.axis + 1) % 3;
    const v = (form.axis + 2) % 3;
    out[0] = share((place[u] - low[u]) * over[u] - 0.5, (place[v] - low[v]) * over[v] - 0.5);
    out[1] = clamp((place[form.axis] - low[form.axis]) * over[form.axis]);
  } else if (form.kind === 'uv') {
    barycentric(collider.mesh!.triangles, triangle, place[0], place[1], place[2], shares);
    const uv = form.uv!;
    for (let i = 0; i < 2; i++) {
      const at = 6 * triangle + i;
      out[i] = clamp(shares[0] * uv[at] + shares[1] * uv[at + 2] + shares[2] * uv[at + 4]);
    }
  } else {
    out[0] = ((triangle % form.width) + 0.5) / form.width;
    out[1] = (Math.floor(triangle / form.width) + 0.5) / form.height;
  }
}

const place = new Float64Array(3);

/** The place of an impact's row in the own coordinates of its collider at that time. */
export function ownPlaceOf({ motion }: CompiledCollider, rows: Float64Array, at: number): Float64Array {
  for (let axis = 0; axis < 3; axis++) place[axis] = rows[at + impactRow.place + axis];
  if (motion !== undefined) toOwn(motion, rows[at + impactRow.time], 0, place, place);
  return place;
}

/** The parameters of an impact's row. */
export function parameterOf(
  collider: CompiledCollider,
  rows: Float64Array,
  at: number,
  out: Float64Array,
): void {
  parameterAt(collider, rows[at + impactRow.triangle], ownPlaceOf(collider, rows, at), out);
}

/** The texel of parameters in a map of this size; the last one contains its far border. */
export function texelAt(u: number, v: number, width: number, height: number): number {
  const column = Math.min(width - 1, Math.floor(u * width));
  const row = Math.min(height - 1, Math.floor(v * height));
  return column + width * row;
}

const clamp = (value: number): number => (value > 0 ? (value < 1 ? value : 1) : 0);

/** The angle of a direction as a share of a turn, in [0, 1). */
function share(x: number, y: number): number {
  const turns = Math.atan2(y, x) / (2 * Math.PI);
  return turns < 0 ? Math.min(turns + 1, 1 - 2 ** -53) : turns;
}

export function unrollingOf(collider: CompiledCollider): Unrolling {
  let unrolling = known.get(collider);
  if (unrolling === undefined) known.set(collider, (unrolling = unroll(collider)));
  return unrolling;
}

function unroll(collider: CompiledCollider): Unrolling {
  const { name, given, mesh } = collider;
  const { map } = given;
  const form = map?.form ?? usualForm(collider);
  const triangles = mesh?.mesh.triangleCount ?? 0;
  const width = map?.width ?? Math.max(1, Math.ceil(Math.sqrt(triangles)));
  const height = map?.height ?? Math.max(1, Math.ceil(triangles / width));
  const plain = {
    low: new Float64Array(3),
    over: new Float64Array(3),
    axis: 2,
    uv: undefined,
    width,
    height,
  };
  if (form === 'plane') {
    if (collider.plane === undefined) throw bad(`${name}: a map of the form 'plane' needs a plane`);
    return { ...plain, kind: 'plane', ...extentOf(collider) };
  }
  if (form === 'equal-area') {
    if (collider.quadric?.radius === undefined)
      throw bad(`${name}: a map of the form 'equal-area' needs a sphere`);
    return { ...plain, kind: 'equal-area' };
  }
  if (form === 'triangles' || 'uv' in form) {
    if (mesh === undefined) throw bad(`${name}: a map by triangles or by uv needs a mesh`);
    if (form === 'triangles') {
      if (width * height < triangles) {
        throw bad(
          `${name}: a map of ${width} × ${height} texels has fewer texels than the mesh has triangles (${triangles})`,
        );
      }
      return { ...plain, kind: 'triangles' };
    }
    if (!(form.uv instanceof Float32Array) || form.uv.length !== 6 * triangles) {
      throw bad(
        `${name}: uv must be a Float32Array of ${6 * triangles} numbers, two per corner of each triangle`,
      );
    }
    return { ...plain, kind: 'uv', uv: form.uv };
  }
  const kind = 'planar' in form ? 'planar' : 'cylindrical';
  const axis = axes['planar' in form ? form.planar : form.cylindrical];
  if (axis === undefined) throw bad(`${name}: a map's axis must be 'x', 'y' or 'z'`);
  return { ...plain, kind, axis, ...boxOf(collider) };
}

function usualForm(collider: CompiledCollider): MapForm {
  if (collider.plane !== undefined) return 'plane';
  if (collider.quadric?.radius !== undefined) return 'equal-area';
  return collider.mesh !== undefined ? 'triangles' : { cylindrical: 'z' };
}

/** For planes along right and up. A plane without an outline is mapped within 1 of its point. */
function extentOf({ plane }: CompiledCollider): { low: Float64Array; over: Float64Array } {
  const { kind, numbers: n } = plane!.outline;
  const radius = kind === 'disc' ? n[0] : kind === 'ring' ? n[1] : 1;
  const [a0, a1, b0, b1] =
    kind === 'polygon'
      ? n
      : kind === 'rectangle'
        ? [-n[0], n[0], -n[1], n[1]]
        : [-radius, radius, -radius, radius];
  return { low: Float64Array.of(a0, b0, 0), over: Float64Array.of(1 / (a1 - a0), 1 / (b1 - b0), 0) };
}

/** The box of a planar or cylindrical map. Along infinite sides it extends to 1 from 0. */
function boxOf({ ownBox: box }: CompiledCollider): { low: Float64Array; over: Float64Array } {
  const low = new Float64Array(3);
  const over = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) {
    const isBounded = Number.isFinite(box[axis]) && Number.isFinite(box[axis + 3]);
    low[axis] = isBounded ? box[axis] : -1;
    const extent = isBounded ? box[axis + 3] - box[axis] : 2;
    over[axis] = extent > 0 ? 1 / extent : 0;
  }
  return { low, over };
}
