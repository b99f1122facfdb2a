// Records how trees find the triangles that meet: the boxes of every level of both trees, and the front, which is the
// pairs of nodes whose boxes meet, level by level (Greß and Zachmann, CG-2004-2, section 4.2). The front is replayed
// here in double precision from the engine's own trees. Engines test the same pairs in single precision, with a
// little more slack.

import { multiplyPoses, type Pose } from '../math/pose.ts';
import type { TreeBoxes, TreeLevel } from './tree-levels.ts';

/** The pairs of nodes that are left at one level of two trees. */
export interface FrontLevel {
  /**
   * The level of the first body's tree at this step. The deeper tree descends alone until both have equally many levels left.
   */
  readonly a: TreeLevel;
  /** The level of the second body's tree at this step. */
  readonly b: TreeLevel;
  /** (node of a, node of b) whose boxes meet: the pairs that the next step opens. */
  readonly front: Uint32Array;
  /** The number of pairs of boxes tested for it. */
  readonly tested: number;
}

/** How the hierarchy method comes to the triangles that meet. */
export interface HierarchySteps {
  /** Which method these steps are of. */
  readonly method: 'hierarchy';
  /** From both roots to the leaves; empty if a body has no triangles. */
  readonly levels: readonly FrontLevel[];
  /** Triangles per body, in the order of its leaves: leaf i holds four of them, from 4i on. */
  readonly triangles: readonly [Uint32Array, Uint32Array];
  /** Pairs of triangles in the leaves of the last front: those that are tested. */
  readonly candidates: number;
  /** (in a, in b) per pair that meets exactly, sorted. */
  readonly trianglePairs: Uint32Array;
}

interface PosedTree {
  readonly tree: TreeBoxes;
  readonly pose: Pose;
}

/** Yields the share that is done. */
export function* frontOf(a: PosedTree, b: PosedTree): Generator<number, FrontLevel[]> {
  const [treeA, treeB] = [a.tree.levels, b.tree.levels];
  const depth = Math.max(treeA.length, treeB.length);
  if (treeA.length === 0 || treeB.length === 0) return [];
  const meet = meetingOf(a.pose, b.pose);
  const levels: FrontLevel[] = [];
  for (let step = 0; step < depth; step++) {
    const [atA, atB] = [step - depth + treeA.length, step - depth + treeB.length];
    const [levelA, levelB] = [treeA[Math.max(atA, 0)], treeB[Math.max(atB, 0)]];
    const front: number[] = [];
    let tested = 0;
    const test = (nodeA: number, nodeB: number) => {
      tested++;
      if (meet(levelA.boxes, nodeA, levelB.boxes, nodeB)) front.push(nodeA, nodeB);
    };
    if (step === 0) test(0, 0);
    else {
      const above = levels[step - 1].front;
      for (let i = 0; i < above.length; i += 2) {
        const [firstA, endA] = childrenOf(above[i], atA, levelA);
        const [firstB, endB] = childrenOf(above[i + 1], atB, levelB);
        for (let nodeA = firstA; nodeA < endA; nodeA++)
          for (let nodeB = firstB; nodeB < endB; nodeB++) test(nodeA, nodeB);
        if (i % 2048 === 0) yield (step + i / above.length) / depth;
      }
    }
    levels.push({ a: levelA, b: levelB, front: Uint32Array.from(front), tested });
  }
  return levels;
}

/** The children of a node above the level at `depth`; for a tree that waits, the node itself. */
function childrenOf(node: number, depth: number, { count }: TreeLevel): [first: number, end: number] {
  return depth <= 0 ? [node, node + 1] : [4 * node, Math.min(4 * node + 4, count)];
}

/** The number of pairs of triangles in the pairs of leaves of a front. */
export function candidatesOf({ front }: FrontLevel, counts: readonly [number, number]): number {
  const trianglesIn = (leaf: number, count: number) => Math.min(4, count - 4 * leaf);
  let sum = 0;
  for (let i = 0; i < front.length; i += 2)
    sum += trianglesIn(front[i], counts[0]) * trianglesIn(front[i + 1], counts[1]);
  return sum;
}

type Meeting = (boxesA: Float64Array, nodeA: number, boxesB: Float64Array, nodeB: number) => boolean;

/**
 * Whether the boxes of two bodies meet, as far as the six planes along their sides can tell. Seen from the other
 * frame, a box spans
 * |R|·h around R·c + T. The rounding of these sums, and of the inverse of a pose that is not nearly singular, is far
 * below 2^-40 of their largest term; boxes as close as that count as meeting.
 */
function meetingOf(poseA: Pose, poseB: Pose): Meeting {
  const [intoA, intoB] = [seenFrom(poseA, poseB), seenFrom(poseB, poseA)];
  return (boxesA, nodeA, boxesB, nodeB) =>
    overlap(intoA, boxesA, 6 * nodeA, boxesB, 6 * nodeB) &&
    overlap(intoB, boxesB, 6 * nodeB, boxesA, 6 * nodeA);
}

function overlap(m: Pose, own: Float64Array, atOwn: number, other: Float64Array, atOther: number): boolean {
  for (let row = 0; row < 3; row++) {
    let [middle, half, size] = [m[12 + row], 0, Math.abs(m[12 + row])];
    for (let column = 0; column < 3; column++) {
      const entry = m[4 * column + row];
      middle += entry * other[atOther + column];
      half += Math.abs(entry) * other[atOther + 3 + column];
      size += Math.abs(entry * other[atOther + column]);
    }
    const gap = Math.abs(middle - own[atOwn + row]) - half - own[atOwn + 3 + row];
    if (gap > 2 ** -40 * (size + half + Math.abs(own[atOwn + row]) + own[atOwn + 3 + row])) return false;
  }
  return true;
}

/** Maps positions of `other` into the frame of `own`: own⁻¹·other, with the translations subtracted first. */
function seenFrom(own: Pose, other: Pose): Pose {
  const linear = inverseOf(own);
  const shifted = Float64Array.from(other);
  for (let row = 0; row < 3; row++) shifted[12 + row] -= own[12 + row];
  return multiplyPoses(linear, shifted);
}

/** The inverse of a pose's linear part. */
function inverseOf(m: Pose): Pose {
  const cofactor = (row: number, column: number) => {
    const at = (r: number, c: number) => m[4 * ((column + c) % 3) + ((row + r) % 3)];
    return at(1, 1) * at(2, 2) - at(1, 2) * at(2, 1);
  };
  const determinant = m[0] * cofactor(0, 0) + m[4] * cofactor(0, 1) + m[8] * cofactor(0, 2);
  const out = new Float64Array(16);
  for (let row = 0; row < 3; row++)
    for (let column = 0; column < 3; column++) out[4 * row + column] = cofactor(row, column) / determinant;
  out[15] = 1;
  return out;
}
