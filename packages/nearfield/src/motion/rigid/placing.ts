// Where are two triangles, one of each body, at a time, and how fast do their corners move? There are two ways. Poses in
// doubles are fast, but their slack grows with the distance from the origin. Frames (paths/frames.ts) are slow, but place
// corners to 2^-45 of the bodies' size wherever they are.

import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { minus, type Wide, wide } from '../../math/exact/wide.ts';
import { placeTriangle } from '../../math/pose.ts';
import type { BodyAtTime, Frames } from './paths/frames.ts';
import type { BodyPath } from './paths/path.ts';

export interface Placing {
  /** The sum, over both bodies, of how far their corners may be from the paths. */
  readonly slack: number;
  /** The same for their velocities. */
  readonly velocitySlack: number;
  /** Nearer than this, the slack may hide how near they are. */
  readonly leastGap: number;
  /** Writes three corners of A and three of B, relative to the origin of that time. */
  place(t: number, triangleA: number, triangleB: number, out: Float64Array): void;
  /** Writes their velocities, relative to one that both have. */
  velocities(t: number, triangleA: number, triangleB: number, out: Float64Array): void;
  /** The origin of that time as a point of the pair's units, rounded. */
  originAt(t: number): ArrayLike<number>;
}

/** The least gap for a slack, and for the size of the larger body. */
const leastGapOf = (slack: number, size: number): number => Math.max(2 ** -41 * size, 4 * slack);

const pose = new Float64Array(16);
const noOrigin = [0, 0, 0];

/** Corners by the poses of the paths. */
export function placingByPoses(
  a: SnapshotBody,
  b: SnapshotBody,
  pathA: BodyPath,
  pathB: BodyPath,
  size: number,
): Placing {
  const slack = pathA.slack + pathB.slack;
  return {
    slack,
    velocitySlack: pathA.velocitySlack + pathB.velocitySlack,
    leastGap: leastGapOf(slack, size),
    place(t, triangleA, triangleB, out) {
      pathA.poseAt(t, pose);
      placeTriangle(pose, a.positions, a.mesh.indices, triangleA, out, 0);
      pathB.poseAt(t, pose);
      placeTriangle(pose, b.positions, b.mesh.indices, triangleB, out, 9);
    },
    velocities(t, triangleA, triangleB, out) {
      pathA.derivativeAt(t, pose);
      placeTriangle(pose, a.positions, a.mesh.indices, triangleA, out, 0);
      pathB.derivativeAt(t, pose);
      placeTriangle(pose, b.positions, b.mesh.indices, triangleB, out, 9);
    },
    originAt: () => noOrigin,
  };
}

/** Corners by frames, relative to the reference point of A. */
export function placingByFrames(
  a: SnapshotBody,
  b: SnapshotBody,
  framesA: Frames,
  framesB: Frames,
  size: number,
): Placing {
  const [first, second] = [new Corners(a, framesA), new Corners(b, framesB)];
  const slack = framesA.slack + framesB.slack;
  const shift = new Float64Array(3);
  const between = (from: readonly Wide[], to: readonly Wide[]): Float64Array => {
    for (let i = 0; i < 3; i++) shift[i] = minus(to[i], from[i])[0];
    return shift;
  };
  return {
    slack,
    velocitySlack: framesA.velocitySlack + framesB.velocitySlack,
    leastGap: leastGapOf(slack, size),
    place(t, triangleA, triangleB, out) {
      first.place(t, triangleA, out, 0);
      second.place(t, triangleB, out, 9);
      add(between(first.at(t).centre, second.at(t).centre), out);
    },
    velocities(t, triangleA, triangleB, out) {
      first.velocities(t, triangleA, out, 0);
      second.velocities(t, triangleB, out, 9);
      add(between(first.at(t).velocity, second.at(t).velocity), out);
    },
    originAt: t => first.at(t).centre.map(([high]) => high),
  };
}

function add(vector: Float64Array, out: Float64Array): void {
  for (let i = 9; i < 18; i++) out[i] += vector[i % 3];
}

const [offset, end] = [new Float64Array(3), new Float64Array(3)];
const [error0, error1] = [new Float64Array(3), new Float64Array(3)];

/** Corners of one body, relative to its reference point. */
class Corners {
  readonly #body: SnapshotBody;
  readonly #frames: Frames;
  readonly #first: BodyAtTime;
  readonly #last: BodyAtTime;
  #time = Number.NaN;
  #frame: BodyAtTime;

  constructor(body: SnapshotBody, frames: Frames) {
    this.#body = body;
    this.#frames = frames;
    this.#first = this.#frame = frames.at(wide(0));
    this.#last = frames.at(wide(1));
  }

  at(t: number): BodyAtTime {
    if (t !== this.#time) {
      this.#frame = this.#frames.at(wide(t));
      this.#time = t;
    }
    return this.#frame;
  }

  place(t: number, triangle: number, out: Float64Array, at: number): void {
    const { linear } = this.at(t);
    this.#each(triangle, at, to => {
      for (let i = 0; i < 3; i++)
        out[to + i] = along(linear, i, offset) + ((1 - t) * error0[i] + t * error1[i]);
    });
  }

  velocities(t: number, triangle: number, out: Float64Array, at: number): void {
    const { turning } = this.at(t);
    this.#each(triangle, at, to => {
      for (let i = 0; i < 3; i++) out[to + i] = along(turning, i, offset) + (error1[i] - error0[i]);
    });
  }

  /** Calls back per corner, with its offset and what is missing at both ends. */
  #each(triangle: number, at: number, write: (to: number) => void): void {
    const { indices } = this.#body.mesh;
    for (let corner = 0; corner < 3; corner++) {
      const vertex = indices[3 * triangle + corner];
      this.#frames.offsetOf(vertex, offset);
      this.#missing(0, vertex, this.#first, error0);
      this.#missing(1, vertex, this.#last, error1);
      write(at + 3 * corner);
    }
  }

  #missing(time: 0 | 1, vertex: number, { centre, linear }: BodyAtTime, out: Float64Array): void {
    this.#frames.endOf(time, vertex, end);
    for (let i = 0; i < 3; i++) out[i] = end[i] - centre[i][0] - centre[i][1] - along(linear, i, offset);
  }
}

const along = (m: Float64Array, row: number, v: Float64Array): number =>
  m[row] * v[0] + m[3 + row] * v[1] + m[6 + row] * v[2];
