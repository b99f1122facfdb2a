// May one of two bodies lie within the other, if their surfaces do not meet? A cheap test for a million candidates: a body in one
// piece is outside another if one of its corners is outside the other's world box. The pairs that this leaves open are decided by
// the box in the other's own axes (interferences/relation/containment.ts).

import type { Snapshot } from '../bodies/snapshot/snapshot.ts';
import { boxAround } from '../bodies/snapshot/world.ts';
import { mayHoldPartOf } from '../interferences/relation/containment.ts';
import { applyPose } from '../math/pose.ts';

/** A box around the body, then one of its corners: NaN if the body has several pieces, since another may lie elsewhere. */
const numbersPerBody = 9;

export class InnerBodies {
  readonly #seen: Snapshot;
  readonly #numbers: Float64Array;
  readonly #isKnown: Uint8Array;

  constructor(seen: Snapshot) {
    this.#seen = seen;
    this.#numbers = new Float64Array(numbersPerBody * seen.count);
    this.#isKnown = new Uint8Array(seen.count);
  }

  /** Whether, judged by boxes, a part of one of the two may lie within the solid of the other. */
  mayShare(i: number, j: number): boolean {
    const p = this.#at(i);
    const q = this.#at(j);
    return (
      (this.#mayReachInto(p, q) && mayHoldPartOf(this.#seen, i, j)) ||
      (this.#mayReachInto(q, p) && mayHoldPartOf(this.#seen, j, i))
    );
  }

  /** Whether the corner of the body at q is in the box of the one at p, or is not known. */
  #mayReachInto(p: number, q: number): boolean {
    const n = this.#numbers;
    const x = n[q + 6];
    const y = n[q + 7];
    const z = n[q + 8];
    // Every comparison is false for NaN.
    return !(x < n[p] || y < n[p + 1] || z < n[p + 2] || x > n[p + 3] || y > n[p + 4] || z > n[p + 5]);
  }

  #at(row: number): number {
    const at = numbersPerBody * row;
    if (this.#isKnown[row] === 1) return at;
    this.#isKnown[row] = 1;
    const { shapeStates, poses } = this.#seen;
    const { mesh, positions, revision } = shapeStates[row];
    const pose = poses.subarray(16 * row, 16 * row + 16);
    // The corners of the body in world doubles are in this box, and so is its solid.
    this.#numbers.set(boxAround({ shape: { mesh, positions, revision }, pose, poseRevision: 0 }), at);
    const { componentVertices } = mesh.adjacency;
    if (componentVertices.length !== 1) this.#numbers.fill(Number.NaN, at + 6, at + 9);
    else {
      const v = 3 * componentVertices[0];
      applyPose(pose, positions[v], positions[v + 1], positions[v + 2], this.#numbers, at + 6);
    }
    return at;
  }
}
