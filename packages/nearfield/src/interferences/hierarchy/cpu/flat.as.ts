// Opens nodes if neither body's frame is useful: the poses are so flat or so different in size that no map between the
// frames has a good error bound (frame.as.ts). Boxes are then compared in the world, in double precision, which needs
// no inverse.
//
// A box of the tree's frame, with centre c and half extent h, lies in the world within |K|(h + 2^-23) + 2e of K·c + W
// on every axis. 2^-23 covers the rounding of stored vertices (2^-24). One e covers the rounding of w and W, the other
// the evaluation of this expression (place.as.ts: together 8.2 + 10 of e's 32 roundings of S).

import { boxAt, childMask, laneOf, nodeAt } from '../../../bvh/cpu/build/layout.as';
import { Body } from '../../../bvh/cpu/place/place.as';
import { firstChild, indexOf, levelOf } from '../../../bvh/cpu/walk/node-word.as';
import { Job, push } from './job/job.as';

const storedRounding: f64 = 1.1920928955078125e-7; // 2^-23

/** A frame whose uncertainty exceeds this, relative to its size of 2, is not useful. */
export const flatUncertainty: f32 = 0.01;

/**
 * Writes the world box of a box in the frame of a body's tree, six doubles, to `out`. Returns its size. The coordinates of
 * the centre, and so those of the half extents, lie `step` bytes apart.
 */
export function worldBox(body: Body, centreAt: usize, halfAt: usize, step: usize, out: usize): f64 {
  const cx = <f64>load<f32>(centreAt);
  const cy = <f64>load<f32>(centreAt + step);
  const cz = <f64>load<f32>(centreAt + 2 * step);
  const hx = <f64>load<f32>(halfAt) + storedRounding;
  const hy = <f64>load<f32>(halfAt + step) + storedRounding;
  const hz = <f64>load<f32>(halfAt + 2 * step) + storedRounding;
  let size: f64 = 0;
  for (let axis: usize = 0; axis < 24; axis += 8) {
    const kx = load<f64>(body.k + axis);
    const ky = load<f64>(body.k + axis, 24);
    const kz = load<f64>(body.k + axis, 48);
    const centre = kx * cx + ky * cy + kz * cz + load<f64>(body.w + axis);
    const half = abs(kx) * hx + abs(ky) * hy + abs(kz) * hz + 2.0 * load<f64>(body.e + axis);
    store<f64>(out + axis, centre - half);
    store<f64>(out + axis, centre + half, 24);
    size += half;
  }
  return size;
}

/** The world box of a lane of a node. */
function worldLane(body: Body, lane: usize, out: usize): f64 {
  return worldBox(body, lane, lane + 48, 16, out);
}

/** Opens node A or node B, the larger one that is not a leaf, and pushes the pairs whose world boxes meet. */
export function openFlat(job: Job, a: Body, b: Body, nodeA: u32, nodeB: u32, leafA: bool, leafB: bool): void {
  const treeA = a.tree;
  const treeB = b.tree;
  const scratch = job.leafScratch;
  const sizeA = worldLane(a, boxAt(treeA, levelOf(nodeA), indexOf(nodeA)), scratch);
  const sizeB = worldLane(b, boxAt(treeB, levelOf(nodeB), indexOf(nodeB)), scratch + 48);
  const openA = leafB || (!leafA && sizeA >= sizeB);
  const node = openA ? nodeA : nodeB;
  const tree = openA ? treeA : treeB;
  const body = openA ? a : b;
  const other = openA ? scratch + 48 : scratch;
  const level = levelOf(node);
  const index = indexOf(node);
  const children = nodeAt(tree, level, index);
  const first = firstChild(level, index);
  job.boxTests += 4.0;
  for (let open = childMask(tree, level, index); open !== 0; open &= open - 1) {
    const lane = <u32>ctz(open);
    worldLane(body, laneOf(children, lane), scratch + 96);
    if (worldBoxesApart(scratch + 96, other)) continue;
    if (openA) push(job, first + lane, nodeB, 0, 0);
    else push(job, nodeA, first + lane, 0, 0);
  }
}

/** Whether two boxes are certainly apart. False for NaN. */
export function worldBoxesApart(a: usize, b: usize): bool {
  for (let axis: usize = 0; axis < 24; axis += 8) {
    if (load<f64>(a + axis) > load<f64>(b + axis, 24) || load<f64>(b + axis) > load<f64>(a + axis, 24))
      return true;
  }
  return false;
}
