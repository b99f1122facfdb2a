// Packs colliders for the kernels: one record per collider, and the rows of their parts (pack-shapes.ts). Everything
// is computed in double, about each collider's own centre, and rounded to single once.

import type { Vector } from '../../colliders/shapes.ts';
import { boundNumbers, type CompiledCollider, type CompiledGrid, type Setup } from '../../compiled.ts';
import { turnsAtBirth } from '../../motion/rigid.ts';
import { withoutComments } from '../forces/without-comments.ts';
import { clipped, type Frame, unit } from '../frame.ts';
import type { Kinds } from '../kernels.ts';
import { ColliderLayout, colliderFlags, colliderKinds, noMap, noWind } from '../layouts.ts';
import { packMap, texelRangesOf } from '../maps/pack-maps.ts';
import { packBounds, packKind, packNodes } from './pack-shapes.ts';
import { Rows } from './rows.ts';

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
