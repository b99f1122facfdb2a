// Casts several rays at once if only their first hits are wanted. Every ray has a stack of boxes, the nearest on top, and
// all rays take turns: each opens its nearest box, then the triangles that were found are tested, which may bound how far
// their rays are followed. A walk for one ray (cast.as.ts) waits for memory at every box, and branches by what it meets,
// which no processor can predict. Here the loads of different rays are in flight together, and the order of four boxes is
// computed without branches.

import { childMask, leafAt, nodeAt } from '../../bvh/cpu/build/layout.as';
import { NodeEntry, nodeEntryBytes } from '../../bvh/cpu/walk/node-entry.as';
import { firstChild, indexOf, levelOf } from '../../bvh/cpu/walk/node-word.as';
import { enterBoxes, placeRay, Ray, rayMisses, rayPlaced } from '../../bvh/cpu/walk/ray.as';
import { castRay, dropLate, limitOf, RaysJob, tryTriangle } from './cast.as';
import { packetSize } from './cast-packet.as';
import { mayMeet } from './ray-triangle.as';

/** A placed ray, how far it is followed, its number, and the end of its stack. */
@unmanaged
class FirstTask extends Ray {
  limit: f32;
  index: u32;
  top: usize;

  get stack(): usize {
    return changetype<usize>(this) + taskHeader;
  }
}

/** A triangle to test: its slot, and the address of its ray. */
@unmanaged
class Test {
  slot: u32;
  task: FirstTask;
}

const taskHeader: usize = (offsetof<FirstTask>() + 15) & ~(<usize>15);
/** A stack has three entries per level besides the last one, and room for four that are written and not kept. */
const stackBytes: usize = 64 * nodeEntryBytes;
const taskBytes: usize = taskHeader + stackBytes;
const activeOffset: usize = <usize>packetSize * taskBytes;
const testsOffset: usize = activeOffset + ((<usize>packetSize) << 2);
/** The last push writes four entries, whether it keeps them or not. */
export const firstBytes: usize = testsOffset + 4 * (<usize>packetSize + 1) * offsetof<Test>();

/**
 * Casts rays [first, end) of the chosen ones, at most packetSize. Returns false if the list of records has no room.
 */
export function castFirst(job: RaysJob, first: u32, end: u32): bool {
  const active = job.packet + activeOffset;
  const begun = job.listCount;
  let behind = active;
  for (let i = first; i < end; i++) {
    const index = load<u32>(job.chosen + ((<usize>i) << 2));
    const task = changetype<FirstTask>(job.packet + <usize>(i - first) * taskBytes);
    const placed = placeRay(job.body, job.rays + <usize>index * 48, 0, task);
    if (placed === rayMisses) continue;
    if (placed !== rayPlaced) {
      if (!castRay(job, index)) return false;
      continue;
    }
    task.index = index;
    task.limit = limitOf(task, load<f64>(job.bounds + ((<usize>index) << 3)));
    // The root.
    changetype<NodeEntry>(task.stack).key = 0;
    changetype<NodeEntry>(task.stack).node = 0;
    task.top = task.stack + nodeEntryBytes;
    store<usize>(behind, changetype<usize>(task));
    behind += 4;
  }
  const tests = job.packet + testsOffset;
  while (behind > active) {
    let testsEnd = tests;
    let kept = active;
    for (let at = active; at < behind; at += 4) {
      const task = changetype<FirstTask>(load<usize>(at));
      testsEnd = openNearest(job, task, testsEnd);
      store<usize>(kept, changetype<usize>(task));
      kept += task.top > task.stack ? 4 : 0;
    }
    behind = kept;
    for (let at = tests; at < testsEnd; at += offsetof<Test>())
      if (!tryTest(job, changetype<Test>(at))) return false;
  }
  dropLate(job, begun);
  return true;
}

/** Opens the nearest box of a ray, if it is near enough. Returns the end of the list of triangles to test. */
function openNearest(job: RaysJob, task: FirstTask, tests: usize): usize {
  const tree = job.body.tree;
  const top = task.top - nodeEntryBytes;
  const entry = changetype<NodeEntry>(top);
  const node = entry.node;
  const level = levelOf(node);
  const place = indexOf(node);
  task.top = top;
  if (entry.key > task.limit) return tests;
  if (level === tree.levelCount) {
    const left = tree.triangleCount - (place << 2);
    const open = mayMeet(leafAt(tree, place), task) & (left < 4 ? (1 << left) - 1 : 15);
    return pushTests(tests, open, place << 2, task);
  }
  task.top = pushOpen(
    top,
    enterBoxes(nodeAt(tree, level, place), task, task.limit),
    childMask(tree, level, place),
    firstChild(level, place),
  );
  return tests;
}

/**
 * Pushes the boxes that a ray enters, the farthest first. `begins` are those of `enterBoxes`. A box goes behind all that are farther: these are
 * counted by comparing each with each. Floats that are not negative are in the order of their bits as integers. The lane replaces the last
 * two bits, so that no two are equal. So a key is off by less than four units in its last place, which is less than what `limitOf` adds to
 * the limit that keys are compared with. Boxes that are not entered become negative: they come last, and are overwritten.
 */
function pushOpen(top: usize, begins: v128, mask: u32, first: u32): usize {
  const lanes = i32x4(0, 1, 2, 3);
  const missed = f32x4.lt(begins, f32x4.splat(0));
  const open = ~i32x4.bitmask(missed) & mask;
  const isOpen = i32x4.ne(v128.and(i32x4.splat(open), i32x4(1, 2, 4, 8)), i32x4.splat(0));
  const keys = v128.bitselect(
    v128.or(v128.and(begins, i32x4.splat(0x7ffffffc)), lanes),
    i32x4.sub(lanes, i32x4.splat(4)),
    isOpen,
  );
  const farther = i32x4.add(
    i32x4.add(
      i32x4.gt_s(v128.shuffle<i32>(keys, keys, 1, 2, 3, 0), keys),
      i32x4.gt_s(v128.shuffle<i32>(keys, keys, 2, 3, 0, 1), keys),
    ),
    i32x4.gt_s(v128.shuffle<i32>(keys, keys, 3, 0, 1, 2), keys),
  );
  // Comparisons give −1.
  const places = i32x4.sub(i32x4.splat(<i32>top), i32x4.shl(farther, 3));
  const nodes = i32x4.add(i32x4.splat(<i32>first), lanes);
  const entries01 = v128.shuffle<i32>(nodes, keys, 0, 4, 1, 5);
  const entries23 = v128.shuffle<i32>(nodes, keys, 2, 6, 3, 7);
  v128.store64_lane(<usize>i32x4.extract_lane(places, 0), entries01, 0);
  v128.store64_lane(<usize>i32x4.extract_lane(places, 1), entries01, 1);
  v128.store64_lane(<usize>i32x4.extract_lane(places, 2), entries23, 0);
  v128.store64_lane(<usize>i32x4.extract_lane(places, 3), entries23, 1);
  return top + ((<usize>popcnt(open)) << 3);
}

/** Appends the open ones of a leaf's triangles. All four are written; those that are not open are overwritten. */
function pushTests(to: usize, open: u32, first: u32, task: FirstTask): usize {
  const test = ((<u64>changetype<usize>(task)) << 32) | <u64>first;
  store<u64>(to, test);
  to += (open << 3) & 8;
  store<u64>(to, test + 1);
  to += (open << 2) & 8;
  store<u64>(to, test + 2);
  to += (open << 1) & 8;
  store<u64>(to, test + 3);
  return to + (open & 8);
}

/** Tests a triangle in double. Returns false if the list of records has no room. */
function tryTest(job: RaysJob, test: Test): bool {
  const task = test.task;
  const index = task.index;
  // Records of other rays are in between, so later ones are dropped at the end.
  if (!tryTriangle(job, index, job.rays + <usize>index * 48, test.slot, job.listCount)) return false;
  task.limit = limitOf(task, load<f64>(job.bounds + ((<usize>index) << 3)));
  return true;
}
