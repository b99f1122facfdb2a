// All pairs of triangles of many pairs of bodies: for each candidate a depth-first walk over pairs of nodes (the
// traversal of Gress & Zachmann, CG-2004-2 §4, depth first since there is one thread), testing the children of one
// against the children of the other, sixteen boxes at a time, by the six axes of "SAT lite" (their appendix A):
// the faces of both boxes. Boxes of one tree are moved into the frame of the other and enlarged (frame.as.ts).
// Where one node is much larger than the other, or the other is a leaf, only the larger one is opened.

import {
  boxAt,
  childMask,
  nodeAt,
  treeLeafCount,
  treeLevelCount,
  treeRoot,
  treeTriangleCount,
} from '../../bvh/layout.as';
import { flatUncertainty, openFlat } from './flat.as';
import { mapAbs, mapBytes, mapSlack, mapUncertainty, relate } from './frame.as';
import {
  anyMode,
  hasRoom,
  jobBoxTests,
  jobBruteForce,
  jobCandidate,
  jobCandidateCount,
  jobCandidates,
  jobDone,
  jobFlat,
  jobFound,
  jobFrame,
  jobFull,
  jobLeafScratch,
  jobMode,
  jobPaused,
  jobSerial,
  jobStack,
  jobStackCount,
  jobTable,
  push,
  stackEntryBytes,
} from './job.as';
import { leafPair } from './leaves.as';
import { bodyBytes, bodyTree } from './place.as';

/** A node is opened alone if it is this much larger than the other. */
const imbalance: f32 = 2.0;

// Scratch while opening nodes: A's children in B's frame (centres and half extents, enlarged), the overlap depths.
const _movedA: usize = 0;
const depths: usize = 96;

/** Works on the candidates until done, out of room or past `budget` node pairs. */
export function traversePairs(job: usize, budget: i32): i32 {
  const table = load<usize>(job, jobTable);
  const count = load<u32>(job, jobCandidateCount);
  let candidate = load<u32>(job, jobCandidate);
  for (; candidate < count; candidate++) {
    store<u32>(job, candidate, jobCandidate);
    const pair = load<usize>(job, jobCandidates) + ((<usize>candidate) << 3);
    const a = table + <usize>load<u32>(pair) * bodyBytes;
    const b = table + <usize>load<u32>(pair, 4) * bodyBytes;
    if (load<u32>(job, jobStackCount) === 0) startPair(job, a, b);
    while (load<u32>(job, jobStackCount) > 0) {
      if (!hasRoom(job)) return jobFull;
      if (--budget < 0) return jobPaused;
      stepPair(job, a, b);
    }
  }
  store<u32>(job, candidate, jobCandidate);
  return jobDone;
}

export function startPair(job: usize, a: usize, b: usize): void {
  const treeA = load<usize>(a, bodyTree);
  const treeB = load<usize>(b, bodyTree);
  store<u32>(job, 0, jobFound);
  if (load<u32>(treeA, treeTriangleCount) === 0 || load<u32>(treeB, treeTriangleCount) === 0) return;
  relate(a, b, job + jobFrame);
  store<u32>(job, load<u32>(job, jobSerial) + 1, jobSerial);
  const uncertainty = min(
    load<f32>(job + jobFrame, mapUncertainty),
    load<f32>(job + jobFrame + mapBytes, mapUncertainty),
  );
  store<u32>(job, uncertainty > flatUncertainty ? 1 : 0, jobFlat);
  if (load<u32>(job, jobBruteForce)) {
    push(job, 0, 0, 0, 0);
    return;
  }
  // The world boxes met; the turned ones may not.
  store<f64>(job, load<f64>(job, jobBoxTests) + 1.0, jobBoxTests);
  if (openOne(treeA + treeRoot, treeB + treeRoot, job + jobFrame, job + jobFrame + mapBytes) === 0) return;
  push(job, 0, 0, boxSize(treeA + treeRoot), movedSize(treeB + treeRoot, job + jobFrame));
}

function boxSize(box: usize): f32 {
  return load<f32>(box, 48) + load<f32>(box, 64) + load<f32>(box, 80);
}

/** The same of a box seen through a map's absolute values. */
function movedSize(box: usize, map: usize): f32 {
  let size: f32 = 0;
  for (let row: usize = 0; row < 144; row += 48) {
    size +=
      load<f32>(map + row, mapAbs) * load<f32>(box, 48) +
      load<f32>(map + row, mapAbs + 16) * load<f32>(box, 64) +
      load<f32>(map + row, mapAbs + 32) * load<f32>(box, 80);
  }
  return size;
}

/** Takes one pair of nodes from the stack and opens it. */
export function stepPair(job: usize, a: usize, b: usize): void {
  const top = load<u32>(job, jobStackCount) - 1;
  const entry = load<usize>(job, jobStack) + <usize>top * stackEntryBytes;
  store<u32>(job, top, jobStackCount);
  const nodeA = load<u32>(entry);
  const nodeB = load<u32>(entry, 4);
  const treeA = load<usize>(a, bodyTree);
  const treeB = load<usize>(b, bodyTree);
  if (load<u32>(job, jobBruteForce)) {
    bruteForceStep(job, a, b, nodeA, nodeB);
    return;
  }
  const sizeA = load<f32>(entry, 8);
  const sizeB = load<f32>(entry, 12);
  const levelA = nodeA >> 28;
  const levelB = nodeB >> 28;
  const indexA = nodeA & 0xfffffff;
  const indexB = nodeB & 0xfffffff;
  const leafA = levelA === load<u32>(treeA, treeLevelCount);
  const leafB = levelB === load<u32>(treeB, treeLevelCount);
  if (leafA && leafB) {
    leafPair(job, a, b, indexA, indexB, triangleMask(treeA, indexA), triangleMask(treeB, indexB));
    if (load<u32>(job, jobMode) >= anyMode && load<u32>(job, jobFound)) store<u32>(job, 0, jobStackCount);
    return;
  }
  if (load<u32>(job, jobFlat)) {
    openFlat(job, a, b, nodeA, nodeB, leafA, leafB);
    return;
  }
  const frame = job + jobFrame;
  if (leafA || (!leafB && sizeB > sizeA * imbalance)) {
    const children = nodeAt(treeB, levelB, indexB);
    let open = openOne(children, boxAt(treeA, levelA, indexA), frame + mapBytes, frame);
    open &= childMask(treeB, levelB, indexB);
    store<f64>(job, load<f64>(job, jobBoxTests) + 4.0, jobBoxTests);
    const first = ((levelB + 1) << 28) | (indexB << 2);
    for (; open !== 0; open &= open - 1) {
      const lane = <u32>ctz(open);
      push(job, nodeA, first + lane, sizeA, movedSize(children + ((<usize>lane) << 2), frame));
    }
    return;
  }
  if (leafB || sizeA > sizeB * imbalance) {
    const children = nodeAt(treeA, levelA, indexA);
    let open = openOne(children, boxAt(treeB, levelB, indexB), frame, frame + mapBytes);
    open &= childMask(treeA, levelA, indexA);
    store<f64>(job, load<f64>(job, jobBoxTests) + 4.0, jobBoxTests);
    const first = ((levelA + 1) << 28) | (indexA << 2);
    for (; open !== 0; open &= open - 1) {
      const lane = <u32>ctz(open);
      push(job, first + lane, nodeB, boxSize(children + ((<usize>lane) << 2)), sizeB);
    }
    return;
  }
  openBoth(job, treeA, treeB, levelA, indexA, levelB, indexB);
}

/** Which triangles of a leaf exist. */
export function triangleMask(tree: usize, leaf: u32): u32 {
  const left = load<u32>(tree, treeTriangleCount) - (leaf << 2);
  return left >= 4 ? 15 : (1 << left) - 1;
}

/** Tests every pair of leaves (G1): the entry holds the next pair. */
function bruteForceStep(job: usize, a: usize, b: usize, leafA: u32, leafB: u32): void {
  const treeA = load<usize>(a, bodyTree);
  const treeB = load<usize>(b, bodyTree);
  leafPair(job, a, b, leafA, leafB, triangleMask(treeA, leafA), triangleMask(treeB, leafB));
  if (load<u32>(job, jobMode) >= anyMode && load<u32>(job, jobFound)) return;
  if (leafB + 1 < load<u32>(treeB, treeLeafCount)) push(job, leafA, leafB + 1, 0, 0);
  else if (leafA + 1 < load<u32>(treeA, treeLeafCount)) push(job, leafA + 1, 0, 0, 0);
}

/**
 * Which of a node's four boxes meet one box of the other tree. `here` maps the other tree's frame into the node's,
 * `there` the node's into the other's.
 */
export function openOne(node: usize, box: usize, here: usize, there: usize): u32 {
  const cx = v128.load32_splat(box);
  const cy = v128.load32_splat(box, 16);
  const cz = v128.load32_splat(box, 32);
  const hx = v128.load32_splat(box, 48);
  const hy = v128.load32_splat(box, 64);
  const hz = v128.load32_splat(box, 80);
  const nx = v128.load(node);
  const ny = v128.load(node, 16);
  const nz = v128.load(node, 32);
  const gx = v128.load(node, 48);
  const gy = v128.load(node, 64);
  const gz = v128.load(node, 80);
  let outside = f32x4.gt(
    f32x4.abs(f32x4.sub(moved(here, 0, cx, cy, cz), nx)),
    f32x4.add(reach(here, 0, hx, hy, hz), gx),
  );
  outside = v128.or(
    outside,
    f32x4.gt(f32x4.abs(f32x4.sub(moved(here, 1, cx, cy, cz), ny)), f32x4.add(reach(here, 1, hx, hy, hz), gy)),
  );
  outside = v128.or(
    outside,
    f32x4.gt(f32x4.abs(f32x4.sub(moved(here, 2, cx, cy, cz), nz)), f32x4.add(reach(here, 2, hx, hy, hz), gz)),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(there, 0, nx, ny, nz), cx)),
      f32x4.add(reach(there, 0, gx, gy, gz), hx),
    ),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(there, 1, nx, ny, nz), cy)),
      f32x4.add(reach(there, 1, gx, gy, gz), hy),
    ),
  );
  outside = v128.or(
    outside,
    f32x4.gt(
      f32x4.abs(f32x4.sub(moved(there, 2, nx, ny, nz), cz)),
      f32x4.add(reach(there, 2, gx, gy, gz), hz),
    ),
  );
  return ~i32x4.bitmask(outside) & 15;
}

/** One coordinate of points through a map. */
function moved(map: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  const at = map + (row << 6);
  return f32x4.add(
    f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at), x), f32x4.mul(v128.load(at, 16), y)),
      f32x4.mul(v128.load(at, 32), z),
    ),
    v128.load(at, 48),
  );
}

/** One half extent of boxes through a map, with its slack. */
function reach(map: usize, row: usize, x: v128, y: v128, z: v128): v128 {
  const at = map + row * 48;
  return f32x4.add(
    f32x4.add(
      f32x4.add(f32x4.mul(v128.load(at, mapAbs), x), f32x4.mul(v128.load(at, mapAbs + 16), y)),
      f32x4.mul(v128.load(at, mapAbs + 32), z),
    ),
    v128.load(map + (row << 4), mapSlack),
  );
}

/** Tests the four children of a node of A against the four of a node of B and stacks the pairs that meet. */
function openBoth(
  job: usize,
  treeA: usize,
  treeB: usize,
  levelA: u32,
  indexA: u32,
  levelB: u32,
  indexB: u32,
): void {
  const frame = job + jobFrame;
  const scratch = job + jobLeafScratch;
  const a = nodeAt(treeA, levelA, indexA);
  const b = nodeAt(treeB, levelB, indexB);
  const acx = v128.load(a);
  const acy = v128.load(a, 16);
  const acz = v128.load(a, 32);
  const ahx = v128.load(a, 48);
  const ahy = v128.load(a, 64);
  const ahz = v128.load(a, 80);
  v128.store(scratch, moved(frame + mapBytes, 0, acx, acy, acz));
  v128.store(scratch, moved(frame + mapBytes, 1, acx, acy, acz), 16);
  v128.store(scratch, moved(frame + mapBytes, 2, acx, acy, acz), 32);
  v128.store(scratch, reach(frame + mapBytes, 0, ahx, ahy, ahz), 48);
  v128.store(scratch, reach(frame + mapBytes, 1, ahx, ahy, ahz), 64);
  v128.store(scratch, reach(frame + mapBytes, 2, ahx, ahy, ahz), 80);
  const bcx = v128.load(b);
  const bcy = v128.load(b, 16);
  const bcz = v128.load(b, 32);
  const bhx = v128.load(b, 48);
  const bhy = v128.load(b, 64);
  const bhz = v128.load(b, 80);
  const cx = moved(frame, 0, bcx, bcy, bcz);
  const cy = moved(frame, 1, bcx, bcy, bcz);
  const cz = moved(frame, 2, bcx, bcy, bcz);
  const hx = reach(frame, 0, bhx, bhy, bhz);
  const hy = reach(frame, 1, bhx, bhy, bhz);
  const hz = reach(frame, 2, bhx, bhy, bhz);
  const maskB = childMask(treeB, levelB, indexB);
  let pairs: u32 = 0;
  for (let i: usize = 0; i < 4; i++) {
    const own = a + (i << 2);
    const other = scratch + (i << 2);
    const outside = v128.or(
      v128.or(
        v128.or(
          f32x4.gt(
            f32x4.abs(f32x4.sub(cx, v128.load32_splat(own))),
            f32x4.add(hx, v128.load32_splat(own, 48)),
          ),
          f32x4.gt(
            f32x4.abs(f32x4.sub(cy, v128.load32_splat(own, 16))),
            f32x4.add(hy, v128.load32_splat(own, 64)),
          ),
        ),
        v128.or(
          f32x4.gt(
            f32x4.abs(f32x4.sub(cz, v128.load32_splat(own, 32))),
            f32x4.add(hz, v128.load32_splat(own, 80)),
          ),
          f32x4.gt(
            f32x4.abs(f32x4.sub(bcx, v128.load32_splat(other))),
            f32x4.add(bhx, v128.load32_splat(other, 48)),
          ),
        ),
      ),
      v128.or(
        f32x4.gt(
          f32x4.abs(f32x4.sub(bcy, v128.load32_splat(other, 16))),
          f32x4.add(bhy, v128.load32_splat(other, 64)),
        ),
        f32x4.gt(
          f32x4.abs(f32x4.sub(bcz, v128.load32_splat(other, 32))),
          f32x4.add(bhz, v128.load32_splat(other, 80)),
        ),
      ),
    );
    pairs |= (~i32x4.bitmask(outside) & maskB) << ((<u32>i) << 2);
  }
  const maskA = childMask(treeA, levelA, indexA);
  if (maskA !== 15) pairs &= (1 << (popcnt(maskA) << 2)) - 1;
  store<f64>(job, load<f64>(job, jobBoxTests) + 16.0, jobBoxTests);
  if (pairs === 0) return;
  const sizesA = f32x4.add(f32x4.add(ahx, ahy), ahz);
  const sizesB = f32x4.add(f32x4.add(hx, hy), hz);
  v128.store(scratch, sizesA, 176);
  v128.store(scratch, sizesB, 192);
  const any = load<u32>(job, jobMode) >= anyMode;
  if (any) {
    for (let i: usize = 0; i < 4; i++) {
      const own = a + (i << 2);
      const dx = f32x4.sub(
        f32x4.add(hx, v128.load32_splat(own, 48)),
        f32x4.abs(f32x4.sub(cx, v128.load32_splat(own))),
      );
      const dy = f32x4.sub(
        f32x4.add(hy, v128.load32_splat(own, 64)),
        f32x4.abs(f32x4.sub(cy, v128.load32_splat(own, 16))),
      );
      const dz = f32x4.sub(
        f32x4.add(hz, v128.load32_splat(own, 80)),
        f32x4.abs(f32x4.sub(cz, v128.load32_splat(own, 32))),
      );
      v128.store(scratch + (i << 4), f32x4.pmin(f32x4.pmin(dx, dy), dz), depths);
    }
  }
  const firstA = ((levelA + 1) << 28) | (indexA << 2);
  const firstB = ((levelB + 1) << 28) | (indexB << 2);
  while (pairs !== 0) {
    // Deepest overlap last on the stack, so first to be opened; otherwise in order.
    let pick = <u32>ctz(pairs);
    if (any) {
      let shallowest = load<f32>(scratch + ((<usize>pick) << 2), depths);
      for (let rest = pairs & (pairs - 1); rest !== 0; rest &= rest - 1) {
        const next = <u32>ctz(rest);
        const depth = load<f32>(scratch + ((<usize>next) << 2), depths);
        if (depth < shallowest) {
          shallowest = depth;
          pick = next;
        }
      }
    }
    pairs &= ~(1 << pick);
    const i = pick >> 2;
    const j = pick & 3;
    push(
      job,
      firstA + i,
      firstB + j,
      load<f32>(scratch + ((<usize>i) << 2), 176),
      load<f32>(scratch + ((<usize>j) << 2), 192),
    );
  }
}
