// Casts several rays at once if all their hits are wanted. It goes level by level, with one list of the boxes that
// the rays may meet. A walk for one ray (cast.as.ts) branches by what it meets, which no processor can predict; here
// no branch depends on a box.

import { childMask, leafAt, Node, nodeBytes, nodesOf } from '../../bvh/cpu/build/layout.as';
import { openRay, placeRay, Ray, rayMisses, rayPlaced } from '../../bvh/cpu/walk/ray.as';
import { castRay, limitOf, RaysJob, tryTriangle } from './cast.as';
import { mayMeet } from './ray-triangle.as';

/** Rays at once: enough to hide how long memory takes, and few enough that their stacks (first-packet.as.ts) stay in the nearest cache. */
export const packetSize: u32 = 32;

/** A placed ray, how far it is followed, and its number. */
@unmanaged
class RayTask extends Ray {
  limit: f32;
  index: u32;
}

/** A box or triangle of the list: its index in its level, a triangle's slot; and the address of its ray. */
@unmanaged
class Entry {
  index: u32;
  task: RayTask;
}

const taskBytes: usize = (offsetof<RayTask>() + 15) & ~(<usize>15);
const entryBytes: usize = 8;
/** Entries of a list. If a level may need more, its rays are cast one by one. */
const capacity: usize = 8192;
// The last push writes four entries, whether it keeps them or not.
const listBytes: usize = (capacity + 4) * entryBytes;
const listsOffset: usize = <usize>packetSize * taskBytes;
export const packetBytes: usize = listsOffset + 2 * listBytes;

/**
 * Casts rays [first, end) of the chosen ones, at most packetSize. Returns false if the list of records has no room.
 */
export function castPacket(job: RaysJob, first: u32, end: u32): bool {
  const tree = job.body.tree;
  const levels = tree.levelCount;
  let from = job.packet + listsOffset;
  let to = from + listBytes;
  let behind = from;
  for (let i = first; i < end; i++) {
    const index = load<u32>(job.chosen + ((<usize>i) << 2));
    const task = changetype<RayTask>(job.packet + <usize>(i - first) * taskBytes);
    const placed = placeRay(job.body, job.rays + <usize>index * 48, 0, task);
    if (placed === rayMisses) continue;
    if (placed !== rayPlaced) {
      if (!castRay(job, index)) return false;
      continue;
    }
    task.index = index;
    task.limit = limitOf(task, load<f64>(job.bounds + ((<usize>index) << 3)));
    changetype<Entry>(behind).index = 0;
    changetype<Entry>(behind).task = task;
    behind += entryBytes;
  }
  for (let level: u32 = 0; level <= levels; level++) {
    if (behind - from > listBytes >> 2) return castEach(job, first, end);
    behind = level < levels ? openLevel(job, level, from, behind, to) : openLeaves(job, from, behind, to);
    const other = from;
    from = to;
    to = other;
  }
  for (; from < behind; from += entryBytes) {
    const index = changetype<Entry>(from).task.index;
    const world = job.rays + <usize>index * 48;
    if (!tryTriangle(job, index, world, changetype<Entry>(from).index, job.listCount)) return false;
  }
  return true;
}

/** Casts one ray after the other, except those that were cast already because they could not be placed. */
function castEach(job: RaysJob, first: u32, end: u32): bool {
  for (let i = first; i < end; i++) {
    const index = load<u32>(job.chosen + ((<usize>i) << 2));
    const state = placeRay(job.body, job.rays + <usize>index * 48, 0, job.ray);
    if (state === rayPlaced && !castRay(job, index)) return false;
  }
  return true;
}

/** Opens the nodes of a level. Returns the address behind the entries written, for the level below. */
function openLevel(job: RaysJob, level: u32, from: usize, end: usize, to: usize): usize {
  const tree = job.body.tree;
  const nodes = nodesOf(tree, level);
  const lanes = job.lanes;
  const last = tree.levelNodes(level) - 1;
  const lastMask = childMask(tree, level, last);
  for (let at = from; at < end; at += entryBytes) {
    const entry = changetype<Entry>(at);
    const index = entry.index;
    const task = entry.task;
    let open = openRay(changetype<Node>(nodes + <usize>index * nodeBytes), task, task.limit, lanes);
    if (index === last) open &= lastMask;
    to = pushOpen(to, open, index << 2, task);
  }
  return to;
}

/** Tests the triangles of leaves. Returns the address behind the entries written: slots. */
function openLeaves(job: RaysJob, from: usize, end: usize, to: usize): usize {
  const tree = job.body.tree;
  const last = tree.leafCount - 1;
  const lastMask: u32 = (1 << (tree.triangleCount - (last << 2))) - 1;
  for (let at = from; at < end; at += entryBytes) {
    const entry = changetype<Entry>(at);
    const index = entry.index;
    let open = mayMeet(leafAt(tree, index), entry.task);
    if (index === last) open &= lastMask;
    to = pushOpen(to, open, index << 2, entry.task);
  }
  return to;
}

/** Appends the open ones of four children. All four are written; those that are not open are overwritten. */
function pushOpen(to: usize, open: u32, first: u32, task: RayTask): usize {
  const entry = ((<u64>changetype<usize>(task)) << 32) | <u64>first;
  store<u64>(to, entry);
  to += (open << 3) & 8;
  store<u64>(to, entry + 1);
  to += (open << 2) & 8;
  store<u64>(to, entry + 2);
  to += (open << 1) & 8;
  store<u64>(to, entry + 3);
  return to + (open & 8);
}
