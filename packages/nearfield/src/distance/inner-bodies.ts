// May one of two bodies lie within the other, if their surfaces do not meet? A cheap test for a million candidates: a body in one
// piece is outside another if one of its corners is outside the other's world box. The pairs that this leaves open are decided by
// the box in the other's own axes (interferences/relation/containment.ts).

import type { Snapshot } from '../bodies/snapshot/snapshot.ts';
import { placeBox } from '../bodies/snapshot/world.ts';
import { mayHoldPartOf, placeOf } from '../interferences/relation/containment.ts';
import { emptyBox } from '../math/box.ts';
import { boundsOf } from '../mesh/facts.ts';
import type { Mesh, Positions } from '../mesh/mesh.ts';

/** A box around the body, then one of its corners: NaN if the body has several pieces, since another may lie elsewhere. */
const numbersPerBody = 9;

export class InnerBodies {
  readonly #seen: Snapshot;
  readonly #numbers: Float64Array;
  readonly #isKnown: Uint8Array;
  /** The shape of the last body, its local box, and where the numbers of its corner begin: −1 if it has several pieces. */
  #mesh: Mesh | undefined;
  #positions: Positions | undefined;
  #box = emptyBox();
  #vertex = -1;

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
    if (this.#isKnown[row] === 0) {
      this.#isKnown[row] = 1;
      this.#find(row, at);
    }
    return at;
  }

  /** Allocates nothing, and looks up facts only if the shape is not that of the last body: most bodies of a scene may come here. */
  #find(row: number, at: number): void {
    const { shapeStates, poses } = this.#seen;
    const { mesh, positions } = shapeStates[row];
    if (mesh !== this.#mesh || positions !== this.#positions) {
      const { componentVertices } = mesh.adjacency;
      this.#mesh = mesh;
      this.#positions = positions;
      this.#box = boundsOf(positions, mesh.indices);
      this.#vertex = componentVertices.length === 1 ? 3 * componentVertices[0] : -1;
    }
    // The corners of the body in world doubles are in this box, and so is its solid. NaN leaves every pair open.
    placeBox(poses, 16 * row, this.#box, this.#numbers, at);
    for (let axis = 0; axis < 3; axis++) {
      this.#numbers[at + 6 + axis] =
        this.#vertex < 0 ? Number.NaN : placeOf(poses, 16 * row + axis, positions, this.#vertex);
    }
  }
}
