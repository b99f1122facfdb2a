// Packs the shapes of colliders as rows (colliders/*.wgsl give the order): planes and their outlines, quadrics, meshes with
// their trees, fields, blobs, and the half-spaces and balls that bound them.

import { cross, dot } from '../../../math/vector.ts';
import type { Vector } from '../../colliders/shapes.ts';
import { type BoxTree, boundNumbers, type CompiledCollider, type CompiledOutline } from '../../compiled.ts';
import { clipped, type Frame, unit } from '../frame.ts';
import { outlineKinds } from '../layouts.ts';
import type { Rows } from './rows.ts';

/** Packs the rows of a collider by its kind. Returns the number of parts. */
export function packKind(
  collider: CompiledCollider,
  centre: Vector,
  frame: Frame,
  rows: Rows,
  leafOf: Map<number, Uint32Array>,
): number {
  const { plane, quadric, mesh, field, blobs } = collider;
  if (plane !== undefined) {
    rows.floats(...plane.normal, 0);
    rows.floats(...plane.right, 0);
    rows.floats(...plane.up, 0);
    packOutline(plane.outline, frame, rows);
    return 1;
  }
  if (quadric !== undefined) {
    const { length } = frame;
    const q = quadric.q.map((value, i) => value * (i < 6 ? length * length : i < 9 ? length : 1));
    // A power of two, so that the coefficients are rounded once.
    const scale = 2 ** -Math.ceil(Math.log2(Math.max(...q.map(Math.abs))));
    const [A, B, C, D, E, F, G, H, I, J] = q.map(value => value * scale);
    const [a, b, c, d, e, f] = [A, B, C, D, E, F].map(Math.abs);
    // No less than the spectral norm: the lesser of Frobenius' norm and the greatest row sum.
    const norm = Math.min(
      Math.sqrt(a * a + b * b + c * c + 2 * (d * d + e * e + f * f)),
      Math.max(a + d + e, d + b + f, e + f + c),
    );
    rows.floats(A, B, C, norm * (1 + 4 * unit));
    rows.floats(D, E, F, Math.hypot(G, H, I) * (1 + 4 * unit));
    rows.floats(G, H, I, J);
    return 1;
  }
  if (mesh !== undefined) {
    leafOf.set(collider.index, packMesh(mesh.triangles, mesh.tree, centre, frame, rows));
    return mesh.triangles.length / 9;
  }
  if (blobs !== undefined) {
    rows.floats(blobs.level);
    for (let i = 0; i < blobs.rows.length; i += 8) {
      const [fx, fy, fz, tx, ty, tz, radius, weight] = blobs.rows.subarray(i, i + 8);
      const scaled = (value: number, axis: number) => (value - centre[axis]) / frame.length;
      rows.floats(scaled(fx, 0), scaled(fy, 1), scaled(fz, 2), radius / frame.length);
      rows.floats((tx - fx) / frame.length, (ty - fy) / frame.length, (tz - fz) / frame.length, weight);
    }
    return blobs.rows.length / 8;
  }
  const { toCells, dimensions, values, lipschitz } = field!;
  for (let row = 0; row < 3; row++) {
    const [x, y, z, offset] = toCells.subarray(4 * row, 4 * row + 4);
    const at = x * centre[0] + y * centre[1] + z * centre[2] + offset;
    rows.floats(x * frame.length, y * frame.length, z * frame.length, at);
  }
  rows.integers(...dimensions, 0);
  rows.floats(clipped(lipschitz * frame.length));
  rows.many(values.map(clipped));
  return 1;
}

function packOutline({ kind, numbers, loops }: CompiledOutline, frame: Frame, rows: Rows): void {
  rows.integers(outlineKinds[kind], loops.length);
  const [a = 0, b = 0] = kind === 'polygon' ? [] : numbers;
  rows.floats(a / frame.length, b / frame.length);
  for (const loop of loops) {
    const corners = loop.length / 2;
    rows.integers(corners);
    for (let i = 0; i < corners; i++) {
      const next = (i + 1) % corners;
      const edge = [loop[2 * i], loop[2 * i + 1], loop[2 * next], loop[2 * next + 1]];
      rows.floats(...edge.map(value => value / frame.length));
    }
  }
}

/** Packs half-spaces and balls about the centre. Normals have length 1. */
export function packBounds({ bounds }: CompiledCollider, centre: Vector, frame: Frame, rows: Rows): void {
  for (let i = 0; i < bounds.length; i += boundNumbers) {
    const [kind, x, y, z, w] = bounds.subarray(i, i + boundNumbers);
    if (kind === 0) {
      const size = Math.hypot(x, y, z);
      const offset = w - (x * centre[0] + y * centre[1] + z * centre[2]);
      rows.floats(x / size, y / size, z / size, offset / size / frame.length);
    } else {
      const about = [x, y, z].map((value, axis) => (value - centre[axis]) / frame.length);
      rows.floats(about[0], about[1], about[2], w / frame.length);
    }
    rows.integers(kind);
  }
}

/** Packs two rows per node, from node 0 on. Boxes are enlarged by more than their rounding. */
export function packNodes({ leafCount, nodes }: BoxTree, about: Vector, frame: Frame, rows: Rows): void {
  const packed = new Float32Array(8 * 2 * leafCount);
  for (let node = 1; node < 2 * leafCount; node++) {
    for (let axis = 0; axis < 3; axis++) {
      const low = clipped((nodes[6 * node + axis] - about[axis]) / frame.length);
      const high = clipped((nodes[6 * node + 3 + axis] - about[axis]) / frame.length);
      const room = frame.referenceX + 2 * unit * Math.max(Math.abs(low), Math.abs(high));
      packed[8 * node + axis] = low > high ? 2 ** 60 : low - room;
      packed[8 * node + 4 + axis] = low > high ? -(2 ** 60) : high + room;
    }
  }
  rows.many(packed);
}

/**
 * Packs the tree, and per leaf a triangle's plane and its three edges in the plane, all of length 1. Returns the leaves
 * of triangles.
 */
function packMesh(
  triangles: Float64Array,
  tree: BoxTree,
  centre: Vector,
  frame: Frame,
  rows: Rows,
): Uint32Array {
  const leaves = new Uint32Array(triangles.length / 9);
  rows.integers(Math.log2(tree.leafCount));
  packNodes(tree, centre, frame, rows);
  const packed = new Float32Array(16 * tree.leafCount);
  for (let leaf = 0; leaf < tree.leafCount; leaf++) {
    const triangle = tree.items[leaf];
    if (triangle === 0xffffffff) continue;
    leaves[triangle] = leaf;
    const corner = (i: number) =>
      [0, 1, 2].map(axis => (triangles[9 * triangle + 3 * i + axis] - centre[axis]) / frame.length);
    const corners = [corner(0), corner(1), corner(2)];
    const edges = [0, 1, 2].map(i => corners[(i + 1) % 3].map((value, axis) => value - corners[i][axis]));
    const across = cross(edges[0], edges[1]);
    const area = Math.hypot(...across);
    const longest = Math.max(...edges.map(edge => Math.hypot(...edge)));
    // Nothing is certain about a needle (a plane without a normal decides nothing). A triangle without area cannot be
    // hit.
    if (!(area > 2 ** -20 * longest * longest)) {
      packed[16 * leaf + 3] = area > 0 ? 0 : 1;
      continue;
    }
    const normal = across.map(value => value / area);
    packed.set([...normal, dot(normal, corners[0])], 16 * leaf);
    edges.forEach((edge, i) => {
      const outward = cross(edge, normal);
      const size = Math.hypot(...outward);
      const side = outward.map(value => value / size);
      packed.set([...side, dot(side, corners[i])], 16 * leaf + 4 + 4 * i);
    });
  }
  rows.many(packed);
  return leaves;
}
