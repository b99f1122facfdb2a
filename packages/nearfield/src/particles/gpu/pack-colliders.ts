// Packs colliders for the kernels: one record per collider, and the rows of their parts (colliders/*.wgsl give the
// order). Everything is computed here in double, about each collider's own centre, and rounded to single once.

import { cross, dot } from '../../math/vector.ts';
import type { Vector } from '../colliders/shapes.ts';
import { turnsAtBirth } from '../motion/rigid.ts';
import {
  type BoxTree,
  boundNumbers,
  type CompiledCollider,
  type CompiledGrid,
  type CompiledOutline,
  type Setup,
} from '../seam.ts';
import { withoutComments } from './forces/without-comments.ts';
import { clipped, type Frame, unit } from './frame.ts';
import type { Kinds } from './kernels.ts';
import { ColliderLayout, colliderFlags, colliderKinds, noMap, noWind, outlineKinds } from './layouts.ts';
import { packMap, texelRangesOf } from './maps/pack-maps.ts';

export interface PackedColliders {
  readonly records: Uint32Array<ArrayBuffer>;
  readonly rows: Uint32Array<ArrayBuffer>;
  readonly kinds: Kinds;
  readonly alwaysAt: number;
  readonly treeAt: number;
  readonly treeItemsAt: number;
  readonly treeDepth: number;
  readonly windAt: number;
  readonly forceAt: number;
  /** Per collider: its centre, in the world. */
  readonly centres: readonly Vector[];
  /** For each collider that is a mesh: the leaf of each triangle. */
  readonly leafOf: ReadonlyMap<number, Uint32Array>;
  /** Colliders whose place has to be written for each window. */
  readonly moving: readonly CompiledCollider[];
}

/** Rows of four words, floats and integers alike. */
class Rows {
  #words = new Uint32Array(1024);
  #floats = new Float32Array(this.#words.buffer);
  count = 0;

  floats(a = 0, b = 0, c = 0, d = 0): void {
    this.#reserve(1);
    this.#floats.set([a, b, c, d], 4 * this.count++);
  }

  integers(a = 0, b = 0, c = 0, d = 0): void {
    this.#reserve(1);
    this.#words.set([a, b, c, d], 4 * this.count++);
  }

  /** Appends numbers or integers, four per row. Returns the first word. */
  many(values: Float32Array | Uint32Array): number {
    const at = 4 * this.count;
    this.#reserve(Math.ceil(values.length / 4));
    if (values instanceof Float32Array) this.#floats.set(values, at);
    else this.#words.set(values, at);
    this.count += Math.ceil(values.length / 4);
    return at;
  }

  get words(): Uint32Array<ArrayBuffer> {
    return this.#words.slice(0, 4 * Math.max(1, this.count));
  }

  #reserve(rows: number): void {
    const needed = 4 * (this.count + rows);
    if (needed <= this.#words.length) return;
    const grown = new Uint32Array(2 ** Math.ceil(Math.log2(needed)));
    grown.set(this.#words);
    this.#words = grown;
    this.#floats = new Float32Array(grown.buffer);
  }
}

export function packColliders(setup: Setup, frame: Frame): PackedColliders {
  const { colliders, tree } = setup;
  const records = new Uint32Array(ColliderLayout.words * Math.max(1, colliders.length));
  const rows = new Rows();
  const centres: Vector[] = [];
  const leafOf = new Map<number, Uint32Array>();
  const { first: texels } = texelRangesOf(colliders);
  colliders.forEach((collider, i) => {
    const centre = centreOf(collider);
    centres.push(centre);
    const at = rows.count;
    const count = packKind(collider, centre, frame, rows, leafOf);
    const bounds = rows.count;
    packBounds(collider, centre, frame, rows);
    const firstTexel = texels.get(i);
    const map = firstTexel === undefined ? noMap : rows.count;
    if (firstTexel !== undefined) packMap(collider, centre, frame.length, firstTexel, leafOf.get(i), rows);
    const record = records.subarray(ColliderLayout.words * i);
    writeRecord(record, collider, centre, frame, { at, count, bounds, map });
  });
  const alwaysAt = rows.many(tree.always);
  const treeItemsAt = rows.many(tree.tree.items);
  const treeAt = rows.count;
  packNodes(tree.tree, frame.origin, frame, rows);
  const some = (kind: CompiledCollider['kind']) => colliders.some(collider => collider.kind === kind);
  const { stepped } = setup;
  const windAt = stepped?.order === 2 ? packGrid(stepped.blowing, rows) : packWind(setup, rows);
  const forceAt = packGrid(stepped?.pushing, rows);
  return {
    records,
    rows: rows.words,
    kinds: {
      turns: colliders.some(({ motion }) => motion?.turns === true),
      quadrics: some('quadric'),
      meshes: some('mesh'),
      fields: some('field'),
      blobs: some('blobs'),
      steps: stepped !== undefined,
      secondOrder: stepped?.order === 2,
      force: stepped?.program && withoutComments(stepped.program.wgsl),
    },
    alwaysAt,
    treeAt,
    treeItemsAt,
    windAt,
    forceAt,
    treeDepth: tree.tree.items.some(item => item !== 0xffffffff)
      ? Math.log2(tree.tree.leafCount)
      : 0xffffffff,
    centres,
    leafOf,
    moving: colliders.filter(({ motion }) => motion !== undefined),
  };
}

/** Packs the wind: the low corner and size of a cell; cells along the axes, and the word at which velocities begin. */
function packWind({ stepped }: Setup, rows: Rows): number {
  const wind = stepped?.wind;
  if (wind === undefined) return noWind;
  const velocities = rows.many(new Uint32Array(wind.velocity));
  const at = rows.count;
  rows.integers(wind.low[0], wind.low[1], wind.low[2], wind.cell);
  rows.integers(wind.dimensions[0], wind.dimensions[1], wind.dimensions[2], velocities);
  return at;
}

/** Packs vectors on a grid (motion/stepped/sampled-grid.wgsl). */
function packGrid(grid: CompiledGrid | undefined, rows: Rows): number {
  if (grid === undefined) return noWind;
  const vectors = rows.many(new Uint32Array(grid.values));
  const at = rows.count;
  rows.integers(grid.low[0], grid.low[1], grid.low[2], grid.cell);
  rows.integers(grid.dimensions[0], grid.dimensions[1], grid.dimensions[2], vectors);
  const slope = new Uint32Array(Float32Array.of(grid.slope * (1 + 2 ** -20)).buffer)[0];
  rows.integers(grid.multiplier, grid.shift, slope);
  return at;
}

/** The origin of own coordinates: near the surface. */
function centreOf({ plane, quadric, box }: CompiledCollider): Vector {
  if (plane !== undefined) return plane.point;
  if (quadric !== undefined) return quadric.centre;
  return [0, 1, 2].map(axis => {
    const middle = 0.5 * (box[axis] + box[axis + 3]);
    return Number.isFinite(middle) ? middle : 0;
  }) as unknown as Vector;
}

function writeRecord(
  words: Uint32Array,
  collider: CompiledCollider,
  centre: Vector,
  frame: Frame,
  { at: rowsAt, count, bounds, map }: { at: number; count: number; bounds: number; map: number },
): void {
  const floats = new Float32Array(words.buffer, words.byteOffset, ColliderLayout.words);
  const { at } = ColliderLayout;
  const { box, motion, response, sides } = collider;
  for (let axis = 0; axis < 3; axis++) {
    floats[at.centre + axis] = frame.place(centre[axis], axis);
    const low = clipped((box[axis] - centre[axis]) / frame.length);
    const high = clipped((box[axis + 3] - centre[axis]) / frame.length);
    floats[at.low + axis] = low - 2 * unit * Math.abs(low) - 2 ** -40;
    floats[at.high + axis] = high + 2 * unit * Math.abs(high) + 2 ** -40;
  }
  const distance = Math.hypot(...[0, 1, 2].map(axis => floats[at.centre + axis]));
  floats[at.centre + 3] = 4 * unit * distance + frame.referenceX;
  floats[at.low + 3] = response.restitution;
  floats[at.high + 3] = response.friction;
  floats[at.restSpeed] = response.restSpeed * frame.velocity;
  words[at.most] = Math.min(response.most, 0xffff);
  words[at.kind] = colliderKinds[collider.kind];
  words[at.flags] =
    (sides === 'front' ? colliderFlags.front : 0) |
    (response.bounces ? colliderFlags.bounces : 0) |
    (motion?.translates ? colliderFlags.moves : 0) |
    (motion?.turns ? colliderFlags.turns : 0);
  words[at.rows] = rowsAt;
  words[at.count] = count;
  words[at.bounds] = bounds;
  words[at.map] = map;
  words[at.boundCount] = collider.bounds.length / boundNumbers;
  if (motion === undefined) return;
  for (let axis = 0; axis < 3; axis++) {
    floats[at.pivot + axis] = clipped((motion.pivot[axis] - centre[axis]) / frame.length);
    floats[at.axis + axis] = motion.axis[axis];
  }
  const turns = motion.turnsPerSecond * frame.time;
  floats[at.pivot + 3] = 2 * Math.PI * turns;
  floats[at.axis + 3] = turns;
}

/** Packs the rows of a collider by its kind. Returns the number of parts. */
function packKind(
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
function packBounds({ bounds }: CompiledCollider, centre: Vector, frame: Frame, rows: Rows): void {
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
function packNodes({ leafCount, nodes }: BoxTree, about: Vector, frame: Frame, rows: Rows): void {
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

/** Writes the places of moving colliders at a tick into their records. */
export function placeMoving(
  { moving, records }: PackedColliders,
  frame: Frame,
  tick: number,
  seconds: number,
): void {
  const floats = new Float32Array(records.buffer);
  const { at, words } = ColliderLayout;
  for (const { index, motion } of moving) {
    const record = words * index;
    const elapsed = seconds - motion!.at;
    const { velocity, acceleration, turnsPerSecond } = motion!;
    let [offset, speed, pull] = [0, 0, 0];
    for (let axis = 0; axis < 3; axis++) {
      const [v, a] = [velocity[axis], acceleration[axis]];
      floats[record + at.offset + axis] = clipped(((v + 0.5 * a * elapsed) * elapsed) / frame.length);
      floats[record + at.velocity + axis] = (v + a * elapsed) * frame.velocity;
      floats[record + at.acceleration + axis] = a * frame.acceleration;
      offset = Math.max(offset, (Math.abs(v) + Math.abs(a * elapsed)) * Math.abs(elapsed));
      speed = Math.max(speed, Math.abs(v) + Math.abs(a * elapsed));
      pull = Math.max(pull, Math.abs(a));
    }
    // The rounding to single, plus that of the reference, which multiplies by a time that is itself rounded.
    floats[record + at.offset + 3] = clipped(
      4 * unit * Math.hypot(...floats.subarray(record + at.offset, record + at.offset + 3)) +
        (2 ** -48 * offset) / frame.length,
    );
    floats[record + at.velocity + 3] = (4 * unit + 2 ** -48) * speed * frame.velocity;
    floats[record + at.acceleration + 3] = 4 * unit * pull * frame.acceleration;
    if (!motion!.turns) continue;
    const turned = turnsAtBirth(motion!, seconds);
    records[record + at.turn] = Math.floor((turned - Math.floor(turned)) * 2 ** 32);
    const each = turnsPerSecond * tick;
    const fraction = each - Math.floor(each);
    records[record + at.turnHigh] = Math.floor(fraction * 2 ** 32);
    records[record + at.turnLow] = Math.floor(
      (fraction * 2 ** 32 - Math.floor(fraction * 2 ** 32)) * 2 ** 32,
    );
  }
}
