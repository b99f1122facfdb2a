// How far apart are boxes of two trees, at least? Four boxes of a node are compared with one box of the other tree.
// Boxes of one tree are moved into the frame of the other and enlarged as frame.as.ts derives. They then still hold
// what they held, and a gap on an axis, |c − c'| − (h + h'), is no more than the true one. The distance of two boxes
// along common axes is the root of the sum of the squares of their gaps. Both frames give one distance; B's is taken to
// A's frame by the ratio of the limits.

import { Node } from '../../../bvh/cpu/build/layout.as';
import { moved, reach } from '../../../bvh/cpu/place/frame.as';
import { DistanceJob } from './distance-job.as';

/**
 * Writes to `out` the squared distances, in A's frame, of the four boxes of `node` from one box of the other tree.
 * `here` maps the other tree's frame into the node's, `there` the node's into the other's. `ofB` says that the node is
 * B's. Returns false, and writes nothing, if the node's own frame already shows that none of the boxes in `open` is within
 * the limit.
 */
export function boxDistances(
  node: Node,
  box: usize,
  here: usize,
  there: usize,
  job: DistanceJob,
  ofB: bool,
  open: u32,
  out: usize,
): bool {
  const cx = v128.load32_splat(box);
  const cy = v128.load32_splat(box, 16);
  const cz = v128.load32_splat(box, 32);
  const hx = v128.load32_splat(box, 48);
  const hy = v128.load32_splat(box, 64);
  const hz = v128.load32_splat(box, 80);
  const nx = node.centreX;
  const ny = node.centreY;
  const nz = node.centreZ;
  const gx = node.halfX;
  const gy = node.halfY;
  const gz = node.halfZ;
  const own = squared(
    gap(moved(here, 0, cx, cy, cz), nx, reach(here, 0, hx, hy, hz), gx),
    gap(moved(here, 1, cx, cy, cz), ny, reach(here, 1, hx, hy, hz), gy),
    gap(moved(here, 2, cx, cy, cz), nz, reach(here, 2, hx, hy, hz), gz),
  );
  // A distance that is no number rules nothing out.
  const farther = f32x4.gt(own, f32x4.splat(ofB ? job.limitB : job.limitA));
  if ((open & ~i32x4.bitmask(farther)) === 0) return false;
  const others = squared(
    gap(moved(there, 0, nx, ny, nz), cx, reach(there, 0, gx, gy, gz), hx),
    gap(moved(there, 1, nx, ny, nz), cy, reach(there, 1, gx, gy, gz), hy),
    gap(moved(there, 2, nx, ny, nz), cz, reach(there, 2, gx, gy, gz), hz),
  );
  // A distance is within A's limit if and only if it is within B's: scaled so that the limits are equal. If a limit
  // or their ratio overflows, the other frame says nothing: an infinite bound would leave out pairs of nodes for good.
  const share = job.limitA / job.limitB;
  const ratio = f32x4.splat(share <= f32.MAX_VALUE ? share : 0);
  v128.store(
    out,
    ofB ? f32x4.pmax(others, f32x4.mul(own, ratio)) : f32x4.pmax(own, f32x4.mul(others, ratio)),
  );
  return true;
}

function gap(centre: v128, other: v128, half: v128, otherHalf: v128): v128 {
  return f32x4.pmax(
    f32x4.splat(0),
    f32x4.sub(f32x4.abs(f32x4.sub(centre, other)), f32x4.add(half, otherHalf)),
  );
}

function squared(x: v128, y: v128, z: v128): v128 {
  return f32x4.add(f32x4.add(f32x4.mul(x, x), f32x4.mul(y, y)), f32x4.mul(z, z));
}
