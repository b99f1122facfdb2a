// Opens pairs of nodes of one tree against itself, each pair once.

import { childMask, laneOf, nodeAt, Tree } from '../../../bvh/cpu/build/layout.as';
import { Job } from './job/job.as';

/** A pair of nodes on the stack of a self-intersection. */
@unmanaged
class SelfEntry {
  /** As in node-word.as.ts. */
  first: u32;
  /** The index of the other, on the same level. */
  second: u32;
}

export const selfEntryBytes: usize = offsetof<SelfEntry>();

export function selfEntryAt(job: Job, place: u32): SelfEntry {
  return changetype<SelfEntry>(job.stack + <usize>place * selfEntryBytes);
}

/** Pushes a pair. */
export function pushSelf(job: Job, first: u32, second: u32): void {
  const entry = selfEntryAt(job, job.stackCount++);
  entry.first = first;
  entry.second = second;
}

/**
 * Pairs of children of nodes i ≤ j of one level whose boxes, enlarged by the slack, meet. Each pair once, including
 * k = l.
 */
export function openSelf(tree: Tree, level: u32, i: u32, j: u32, slack: v128): u32 {
  const a = nodeAt(tree, level, i);
  const b = nodeAt(tree, level, j);
  const cx = b.centreX;
  const cy = b.centreY;
  const cz = b.centreZ;
  const hx = f32x4.add(b.halfX, slack);
  const hy = f32x4.add(b.halfY, slack);
  const hz = f32x4.add(b.halfZ, slack);
  const mask = childMask(tree, level, j);
  let pairs: u32 = 0;
  for (let k: u32 = 0; k < 4; k++) {
    const own = laneOf(a, k);
    const outside = v128.or(
      v128.or(
        f32x4.gt(f32x4.abs(f32x4.sub(cx, v128.load32_splat(own))), f32x4.add(hx, v128.load32_splat(own, 48))),
        f32x4.gt(
          f32x4.abs(f32x4.sub(cy, v128.load32_splat(own, 16))),
          f32x4.add(hy, v128.load32_splat(own, 64)),
        ),
      ),
      f32x4.gt(
        f32x4.abs(f32x4.sub(cz, v128.load32_splat(own, 32))),
        f32x4.add(hz, v128.load32_splat(own, 80)),
      ),
    );
    pairs |= (~i32x4.bitmask(outside) & mask) << (k << 2);
  }
  // For a node with itself, keep only the pairs k ≤ l (bit 4k + l).
  if (i === j) pairs &= 0x8cef;
  const maskA = childMask(tree, level, i);
  if (maskA !== 15) pairs &= (1 << (popcnt(maskA) << 2)) - 1;
  return pairs;
}
