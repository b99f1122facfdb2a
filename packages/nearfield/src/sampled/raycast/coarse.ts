// Rejects candidates by coarse approximations of their bodies before rays are cast at the full models, and narrows the
// windows of the others, as Knott proposes for future work (section 5.2.2): levels of detail whose coarser levels are
// boxes around parts of the surface, and rays at the leaves of a hierarchy only.
//
// A body's triangles are divided into up to 2^levels parts, and each part has the box around its world positions
// (`placeBox`, without slack). Let no box of A meet one of B. Then the surfaces have no point in common, and each box of
// A lies wholly inside or wholly outside B, since B's surface does not pass through it. One vertex of each part tells
// which, exactly. If all parts of both bodies lie outside the other, no point of either surface lies in the other solid,
// so the solids have no common point. A candidate is rejected in this case alone: nothing that rays could find is lost,
// and the bounds of the answer stay as they are.
//
// Let some boxes meet, and let every part whose box meets none lie outside the other body. Then the border of the common
// part of the two solids lies in the boxes that meet (proof.md), so rays need to be cast only in the box around those.

import type { Placed, Shape } from '../../bodies/snapshot/snapshot.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { pointsInside } from '../../inside/winding.ts';
import { type Box, boxesMeet, boxHolds, emptyBox, growBox, placeBox } from '../../math/box.ts';
import { applyPose } from '../../math/pose.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { boxesOf, windowsOf } from './windows.ts';

/** The candidates that are left, in the same order. */
export interface Coarse {
  /** Two rows per candidate. */
  readonly rows: Uint32Array;
  /** A box around the common part of the two bodies, six numbers per candidate. */
  readonly windows: Float64Array;
  /** How many windows are smaller than the common part of the bodies' boxes. */
  readonly narrowed: number;
}

/** Two rows per candidate; yields the share that is done. */
export function* rejectCoarse(
  rows: Uint32Array,
  bodyAt: (row: number) => Placed,
  levels: number,
  cpu: CpuEngine,
): Generator<number, Coarse> {
  const known = new Map<number, PlacedParts>();
  const partsAt = (row: number): PlacedParts => {
    let parts = known.get(row);
    if (parts === undefined) known.set(row, (parts = placeParts(bodyAt(row), levels)));
    return parts;
  };
  const left: number[] = [];
  const windows: number[] = [];
  let narrowed = 0;
  for (let at = 0; at < rows.length; at += 2) {
    const [a, b] = [partsAt(rows[at]), partsAt(rows[at + 1])];
    yield at / rows.length;
    let window: Float64Array = windowsOf(Float64Array.of(...a.box, ...b.box), onePair);
    const areSolid = a.body.shape.mesh.solid && b.body.shape.mesh.solid;
    if (areSolid) {
      const [nearA, nearB] = partsThatMeet(a, b);
      if (isOutside(cpu, a, nearA, b) && isOutside(cpu, b, nearB, a)) {
        const around = boxAroundParts(a, nearA, boxAroundParts(b, nearB, emptyBox()));
        if (!boxesMeet(around, window)) continue;
        const narrow = windowsOf(Float64Array.of(...around, ...window), onePair);
        if (narrow.some((value, i) => value !== window[i])) narrowed++;
        window = narrow;
      }
    }
    left.push(rows[at], rows[at + 1]);
    windows.push(...window);
  }
  return { rows: Uint32Array.from(left), windows: Float64Array.from(windows), narrowed };
}

const onePair = Uint32Array.of(0, 1);

/** Parts of a shape's surface: a local box and a vertex each. */
interface Parts {
  readonly boxes: readonly Float64Array[];
  readonly vertices: readonly number[];
}

interface PlacedParts {
  readonly body: Placed;
  readonly box: Float64Array;
  readonly boxes: readonly Float64Array[];
  /** World positions, one per part. */
  readonly points: Float64Array;
}

function placeParts(body: Placed, levels: number): PlacedParts {
  const { shape, pose } = body;
  const { boxes, vertices } = partsOf(shape, levels);
  const points = new Float64Array(3 * vertices.length);
  const { positions } = shape;
  vertices.forEach((vertex, i) => {
    const [x, y, z] = [positions[3 * vertex], positions[3 * vertex + 1], positions[3 * vertex + 2]];
    applyPose(pose, x, y, z, points, 3 * i);
  });
  return { body, box: boxesOf([body]), boxes: boxes.map(box => placeBox(pose, box)), points };
}

/** Per part of each, 1 if its box meets a box of the other. */
function partsThatMeet(a: PlacedParts, b: PlacedParts): [Uint8Array, Uint8Array] {
  const [metA, metB] = [new Uint8Array(a.boxes.length), new Uint8Array(b.boxes.length)];
  const nearB = [...b.boxes.keys()].filter(j => boxesMeet(b.boxes[j], a.box));
  a.boxes.forEach((box, i) => {
    if (!boxesMeet(box, b.box)) return;
    for (const j of nearB) if (boxesMeet(box, b.boxes[j])) metA[i] = metB[j] = 1;
  });
  return [metA, metB];
}

function boxAroundParts({ boxes }: PlacedParts, met: Uint8Array, around: Box): Box {
  boxes.forEach((box, i) => {
    if (met[i] === 0) return;
    growBox(around, box[0], box[1], box[2]);
    growBox(around, box[3], box[4], box[5]);
  });
  return around;
}

/** Whether no part of one lies in the other, apart from those whose boxes meet a box of the other. */
function isOutside(cpu: CpuEngine, one: PlacedParts, met: Uint8Array, other: PlacedParts): boolean {
  const { box } = other;
  for (let i = 0; i < met.length; i++) {
    if (met[i] === 1) continue;
    const point = one.points.subarray(3 * i, 3 * i + 3);
    if (boxHolds(box, point) && pointsInside(finderOf(cpu), other.body, point)[0] !== 0) return false;
  }
  return true;
}

/** Kept per positions, mesh and number of levels. An array of positions never changes. */
const kept = new WeakMap<ArrayLike<number>, WeakMap<Mesh, Map<number, Parts>>>();

function partsOf(shape: Shape, levels: number): Parts {
  const { positions, mesh } = shape;
  let byMesh = kept.get(positions);
  if (byMesh === undefined) kept.set(positions, (byMesh = new WeakMap()));
  let byLevel = byMesh.get(mesh);
  if (byLevel === undefined) byMesh.set(mesh, (byLevel = new Map()));
  let parts = byLevel.get(levels);
  if (parts === undefined) byLevel.set(levels, (parts = divide(shape, levels)));
  return parts;
}

/** Halves the triangles `levels` times, each time by the middles of their boxes along the longest side of all of them. */
function divide({ mesh, positions }: Shape, levels: number): Parts {
  const { indices, triangleCount } = mesh;
  const triangles = Uint32Array.from({ length: triangleCount }, (_, t) => t);
  const boxOf = (some: Uint32Array) => {
    const box = emptyBox();
    for (const t of some) {
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const at = 3 * indices[corner];
        growBox(box, positions[at], positions[at + 1], positions[at + 2]);
      }
    }
    return box;
  };
  const middleAlong = (t: number, axis: number) =>
    positions[3 * indices[3 * t] + axis] +
    positions[3 * indices[3 * t + 1] + axis] +
    positions[3 * indices[3 * t + 2] + axis];
  const boxes: Float64Array[] = [];
  const vertices: number[] = [];
  const halve = (some: Uint32Array, left: number) => {
    const box = boxOf(some);
    if (left === 0 || some.length < 2) {
      if (some.length === 0) return;
      boxes.push(box);
      vertices.push(indices[3 * some[0]]);
      return;
    }
    const sizes = [0, 1, 2].map(axis => box[axis + 3] - box[axis]);
    const axis = sizes.indexOf(Math.max(...sizes));
    some.sort((p, q) => middleAlong(p, axis) - middleAlong(q, axis));
    const half = some.length >> 1;
    halve(some.subarray(0, half), left - 1);
    halve(some.subarray(half), left - 1);
  };
  halve(triangles, levels);
  return { boxes, vertices };
}
