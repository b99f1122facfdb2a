// An engine for tests: no trees, every triangle against every triangle by the exact test. What an engine may
// leave out or add, it leaves out and adds as its promises allow.

import { boxesMeet } from '../../../math/box.ts';
import { neighboursMeet } from '../../../math/triangle-neighbours.ts';
import { trianglesMeet } from '../../../math/triangle-triangle.ts';
import { mesh } from '../../../mesh/mesh.ts';
import type { InterfereRequest, Limits, Placed, RawAnswer, SyncEngine } from '../../engine.ts';
import { relationOf } from '../relation.ts';
import { cornersBox, placeCorners } from '../world.ts';

const p = new Float64Array(18);
const stats = { triangleTests: 0, unsure: 0, boxTests: 0, dispatches: 0, growths: 0 };

export class BruteEngine implements SyncEngine {
  readonly backend = 'cpu';
  readonly name = 'brute force';
  /** Triangles given by trianglesInBox only where their own boxes meet the box. */
  constructor(readonly selective = true) {}

  interfereSync([a, b]: readonly Placed[], _request: InterfereRequest): RawAnswer {
    const certain: number[] = [];
    for (let i = 0; i < a.shape.mesh.triangleCount; i++) {
      placeCorners(a, i, p, 0);
      for (let j = 0; j < b.shape.mesh.triangleCount; j++) {
        placeCorners(b, j, p, 9);
        if (trianglesMeet(p)) certain.push(0, i, j);
      }
    }
    return { candidates: new Uint32Array([0, 1]), certain: Uint32Array.from(certain), unsure: new Uint32Array(), stats };
  }
  selfIntersectSync(body: Placed, _limits: Limits): RawAnswer {
    const certain: number[] = [];
    for (let i = 0; i < body.shape.mesh.triangleCount; i++) {
      placeCorners(body, i, p, 0);
      for (let j = i + 1; j < body.shape.mesh.triangleCount; j++) {
        placeCorners(body, j, p, 9);
        if (neighboursMeet(p)) certain.push(0, i, j);
      }
    }
    return { candidates: new Uint32Array([0, 0]), certain: Uint32Array.from(certain), unsure: new Uint32Array(), stats };
  }
  async interfere(bodies: readonly Placed[], request: InterfereRequest): Promise<RawAnswer> {
    return this.interfereSync(bodies, request);
  }
  async selfIntersect(body: Placed, limits: Limits): Promise<RawAnswer> {
    return this.selfIntersectSync(body, limits);
  }
  trianglesOnRay(body: Placed): Uint32Array {
    return Uint32Array.from({ length: body.shape.mesh.triangleCount }, (_, t) => t);
  }
  trianglesInBox(body: Placed, box: ArrayLike<number>): Uint32Array {
    const all = this.trianglesOnRay(body);
    if (!this.selective) return all;
    return all.filter(t => {
      placeCorners(body, t, p, 0);
      return boxesMeet(cornersBox(p, 0), Float64Array.from(box));
    });
  }
  sortRecords(records: Uint32Array): void {
    const rows = Array.from({ length: records.length / 3 }, (_, r) => [...records.subarray(3 * r, 3 * r + 3)]);
    rows.sort((a, b) => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]);
    records.set(rows.flat());
  }
  forget(): void {}
  close(): void {}
}

export const identityPose = (): Float64Array =>
  new Float64Array([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);

/** A body of the triangles given as nine numbers each. */
export function placedSoup(triangles: readonly (readonly number[])[], pose = identityPose()): Placed {
  const soup = mesh(new Float64Array(triangles.flat()));
  return { shape: { mesh: soup, positions: soup.positions, revision: 0 }, pose, poseRevision: 0 };
}

/** (i, j) of all triangles that meet. */
export function meetingTriangles(a: Placed, b: Placed): Uint32Array {
  const { certain } = new BruteEngine().interfereSync([a, b], { detail: 'list' });
  return certain.filter((_, i) => i % 3 !== 0);
}

export const bruteRelation = (a: Placed, b: Placed): string =>
  relationOf(new BruteEngine(), a, b, meetingTriangles(a, b));

/** Seeded random integers below n. */
export function randomIntegers(seed: number): (n: number) => number {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  return n => {
    // xorshift32
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state % n;
  };
}
