// The cases of the benchmarks. A case is one question about some bodies, asked frame after frame, with the same numbers
// for every engine. Positions are single precision and poses double, so no engine rounds them first and the exact
// answer is the same for all.

import type { Mesh } from 'nearfield';

/**
 * - pairs: every triangle pair of two bodies.
 * - any: do two bodies meet.
 * - bodies: which of many bodies meet.
 * - boxes: which of their axis-aligned world boxes meet: the broad phase only.
 * - self: triangles of one body that meet.
 * - motion: first contacts of the triangles of one body with each other, on the way to the next frame's positions.
 * - build: build the tree of one mesh.
 * - refit: new positions, same tree.
 * - distance: how far apart two bodies are.
 * - clearance: which of many are closer than `boxClearance`.
 * - closest: the nearest point of the first body to each vertex of the second.
 * - nearest: the triangle of the first body that is nearest to each of them, without the point.
 * - rays: the first triangle of the first body on each ray between two consecutive vertices of the second.
 * - hits: every triangle of the first body on each of those rays.
 * - inBox: the triangles of the first body in a box around each vertex of the second, of half width `regionSize` of the first body's.
 * - inSphere: the same in spheres of that radius.
 * - separation: a verified translation that separates two solids.
 * - penetration: the bracket of their depth.
 * - volume: points in two bodies, sampled at a tolerance, with depth and direction.
 * - scene: every triangle pair of different bodies, for many that move, deform, come and go.
 * - relation: the relation of two solids: one within the other, touching, crossing.
 * - field: distance, sign and nearest triangle at every sample of a grid around a body.
 * - relations: which of many bodies meet, and the relation of each pair.
 * - points: the same with a common point per pair.
 * - check: the same with all pairs closer than `assemblyClearance`: what `nearfield check --json --clearance` asks.
 * - contacts: contact patches of two solids.
 * - overlap: volume, area and middle of what two solids have in common.
 * - map: the distance between two bodies along a direction, per pixel.
 */
export type Question =
  | 'pairs'
  | 'any'
  | 'bodies'
  | 'boxes'
  | 'self'
  | 'motion'
  | 'build'
  | 'refit'
  | 'volume'
  | 'distance'
  | 'clearance'
  | 'closest'
  | 'nearest'
  | 'rays'
  | 'hits'
  | 'inBox'
  | 'inSphere'
  | 'separation'
  | 'penetration'
  | 'scene'
  | 'relation'
  | 'relations'
  | 'points'
  | 'check'
  | 'contacts'
  | 'overlap'
  | 'map'
  | 'field';

/** Questions about many bodies at once that ask for relations. */
export const isAboutAssembly = (question: Question): boolean =>
  question === 'relations' || question === 'points' || question === 'check';

export interface Placement {
  readonly mesh: Mesh;
  /** Column-major 4×4. */
  readonly pose: Float64Array;
}

/**
 * The changes before the question is asked again: poses of all bodies, positions of the only body, or of all (an empty
 * array keeps a body's own). With `present`, these are for the bodies that exist, in its order; the others have left.
 */
export interface Frame {
  readonly present?: Uint32Array;
  readonly poses?: readonly Float64Array[];
  /** The same poses in one array, for engines that take them all at once. */
  readonly allPoses?: Float64Array;
  readonly positions?: Float32Array;
  readonly allPositions?: readonly Float32Array[];
}

export interface Case {
  readonly scene: string;
  readonly name: string;
  readonly question: Question;
  readonly bodies: readonly Placement[];
  /** At least one; used in turn. A frame without poses leaves the bodies where they are. */
  readonly frames: readonly Frame[];
  /** True if bodies are boxes around their own origin, moved rigidly, so that engines for boxes can take part. */
  readonly boxes?: 'axis-aligned' | 'turned';
  /** For a volume: the spacing of samples, and how often boxes are narrowed first (default: not at all). */
  readonly tolerance?: number | undefined;
  readonly localisation?: number | undefined;
  /** Pairs of bodies whose boxes meet, over all frames: those that sweep and prune leaves. */
  readonly candidates?: number | undefined;
  /** The paper's result for the same case: milliseconds on its machine, and points found. */
  readonly paper?: PaperFigures | undefined;
  /** Options for methods that render images. */
  readonly images?: Images | undefined;
  /** For cases that differ only in size, to show how cost grows. */
  readonly series?: Series | undefined;
}

export interface Images {
  /** Pixels along the longer side, or the width of one pixel. */
  readonly resolution?: number | undefined;
  readonly pixel?: number | undefined;
  /** For layers: which of the paper's algorithms, and the view direction. */
  readonly algorithm?: 'convex' | 'extended' | 'general' | undefined;
  readonly direction?: readonly [number, number, number] | undefined;
  /** For fields: the paper's distance meshes instead of the default form. */
  readonly form?: 'distance-meshes' | undefined;
}

export interface Series {
  readonly name: string;
  /** The unit of the size, and the size. */
  readonly unit: string;
  readonly size: number;
}

export interface PaperFigures {
  readonly milliseconds: number;
  /** The lower end if the paper gives a range. */
  readonly from?: number | undefined;
  readonly points?: number | undefined;
  /** The paper's machine and year. */
  readonly machine?: string | undefined;
}

/** As in the paper: one number, or two. */
export const paperTime = ({ from, milliseconds }: PaperFigures): string =>
  from === undefined ? `${milliseconds}` : `${from}–${milliseconds}`;

/** A scene creates its cases one by one, so that only one is in memory. */
export interface SceneFile {
  readonly name: string;
  readonly about: string;
  readonly caseCount: number;
  /** Approximate time: for each of Nearfield's engines, and for all peers together, on two cores of an AMD EPYC. */
  readonly seconds: { readonly each: number; readonly peers: number };
  cases(): AsyncGenerator<Case> | Generator<Case>;
}

/** A frame that moves all bodies. Its poses are views of one array. */
export function movedTo(poses: readonly Float64Array[]): Required<Pick<Frame, 'poses' | 'allPoses'>> {
  const allPoses = new Float64Array(16 * poses.length);
  poses.forEach((pose, i) => {
    allPoses.set(pose, 16 * i);
  });
  return { allPoses, poses: rowsOf(allPoses) };
}

export const rowsOf = (allPoses: Float64Array): Float64Array[] =>
  Array.from({ length: allPoses.length / 16 }, (_, i) => allPoses.subarray(16 * i, 16 * i + 16));

/** Which bodies exist in a frame. */
export const presentIn = ({ bodies }: Case, { present }: Frame): Uint32Array =>
  present ?? Uint32Array.from(bodies, (_, i) => i);

/** The first triangle number of each body, if the triangles of all bodies are numbered consecutively. */
export function firstTriangles({ bodies }: Case): Uint32Array {
  const first = new Uint32Array(bodies.length);
  for (let i = 1; i < first.length; i++) first[i] = first[i - 1] + bodies[i - 1].mesh.triangleCount;
  return first;
}

export const still: readonly Frame[] = [{}];

export function triangleCount({ bodies }: Case): number {
  return bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
}

/** Half the width of a box, or the radius of a sphere, as a share of the first body's largest extent. */
export const regionSize = 0.01;

const reachOf = ({ bodies }: Case): number => {
  const { bounds } = bodies[0].mesh;
  return regionSize * Math.max(bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]);
};

/** The boxes of a case about boxes, six doubles each. */
export function boxesOf(job: Case): Float64Array {
  const { positions } = job.bodies[1].mesh;
  const reach = reachOf(job);
  return Float64Array.from({ length: 2 * positions.length }, (_, i) => {
    const at = positions[3 * Math.floor(i / 6) + (i % 3)];
    return i % 6 < 3 ? at - reach : at + reach;
  });
}

/** The spheres of a case about spheres, four doubles each. */
export function spheresOf(job: Case): Float64Array {
  const { positions } = job.bodies[1].mesh;
  const reach = reachOf(job);
  return Float64Array.from({ length: (4 * positions.length) / 3 }, (_, i) =>
    i % 4 === 3 ? reach : positions[3 * Math.floor(i / 4) + (i % 4)],
  );
}

/** The rays of a case about rays, six doubles each: from every other vertex of the second body through the one after it. */
export function raysOf(job: Case): Float64Array {
  const rays = Float64Array.from(job.bodies[1].mesh.positions);
  for (let i = 0; i < rays.length; i += 6) for (let k = 0; k < 3; k++) rays[i + 3 + k] -= rays[i + k];
  return rays;
}
