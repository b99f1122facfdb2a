// What the benchmarks measure: a case is one question about some bodies, asked frame after frame, with the
// same numbers for every engine. Positions are single precision and poses double, so no engine rounds them
// first and the exact answer is the same for all.

import type { Mesh } from 'nearfield';

/**
 * pairs: every triangle pair of two bodies. any: do two bodies meet. bodies: which of many bodies meet. boxes: which of their
 * boxes do, along the axes of the world: the broad phase alone.
 * self: triangles of one body that meet. build: make the tree of one mesh. refit: new positions, same tree.
 * distance: how far apart two bodies are. clearance: which of many are nearer than `boxClearance`. closest: the nearest
 * point of the first body to each vertex of the second.
 * separation: a verified translation that separates two solids. penetration: the bracket of their depth.
 * volume: points that lie in two bodies, sampled at a tolerance, with depth and direction.
 * scene: every triangle pair of different bodies, of many that move, deform, come and go.
 * relation: how two solids lie to one another: one within the other, touching, crossing.
 * field: distance, sign and nearest triangle at every sample of a grid around a body.
 * contacts: where two solids press on one another, as patches.
 * map: how far apart two bodies are along a direction, pixel by pixel.
 */
export type Question =
  | 'pairs'
  | 'any'
  | 'bodies'
  | 'boxes'
  | 'self'
  | 'build'
  | 'refit'
  | 'volume'
  | 'distance'
  | 'clearance'
  | 'closest'
  | 'separation'
  | 'penetration'
  | 'scene'
  | 'relation'
  | 'contacts'
  | 'map'
  | 'field';

export interface Placement {
  readonly mesh: Mesh;
  /** Column-major 4×4. */
  readonly pose: Float64Array;
}

/**
 * What changes before a question is asked again: poses of all bodies, positions of the only body, or of all (an empty array
 * for one that keeps its own). With `present` these are of the bodies that are there, in its order; the others have left.
 */
export interface Frame {
  readonly present?: Uint32Array;
  readonly poses?: readonly Float64Array[];
  /** The same poses one after the other, for engines that take them all at once. */
  readonly allPoses?: Float64Array;
  readonly positions?: Float32Array;
  readonly allPositions?: readonly Float32Array[];
}

export interface Case {
  readonly scene: string;
  readonly name: string;
  readonly question: Question;
  readonly bodies: readonly Placement[];
  /** At least one; asked in turn. A frame without poses leaves the bodies where they are. */
  readonly frames: readonly Frame[];
  /** Bodies are boxes around their own origin, moved rigidly: engines that only know boxes can take part. */
  readonly boxes?: 'axis-aligned' | 'turned';
  /** Of a volume: how close samples are, and how often boxes are narrowed first; not at all unless told. */
  readonly tolerance?: number | undefined;
  readonly localisation?: number | undefined;
  /** Pairs of bodies whose boxes meet, over all frames: what sweep and prune leaves. */
  readonly candidates?: number | undefined;
  /** What a paper had for the same: milliseconds on its machine, and points found. */
  readonly paper?: PaperFigures | undefined;
  /** How methods that look at images are asked. */
  readonly images?: Images | undefined;
  /** Cases that differ in size alone, to show how cost grows. */
  readonly series?: Series | undefined;
}

export interface Images {
  /** Pixels along the longer side; or how wide one is. */
  readonly resolution?: number | undefined;
  readonly pixel?: number | undefined;
  /** Of layers: which of the paper's algorithms, and where to look along. */
  readonly algorithm?: 'convex' | 'extended' | 'general' | undefined;
  readonly direction?: readonly [number, number, number] | undefined;
}

export interface Series {
  readonly name: string;
  /** What is counted, and how many there are. */
  readonly unit: string;
  readonly size: number;
}

export interface PaperFigures {
  readonly milliseconds: number;
  /** Where the paper has a range, its lower end. */
  readonly from?: number | undefined;
  readonly points?: number | undefined;
  /** What the paper measured on, and when. */
  readonly machine?: string | undefined;
}

/** As the paper has it: a number, or two. */
export const paperTime = ({ from, milliseconds }: PaperFigures): string =>
  from === undefined ? `${milliseconds}` : `${from}–${milliseconds}`;

/** A scene makes its cases one by one, so that only one is in memory. */
export interface SceneFile {
  readonly name: string;
  readonly about: string;
  readonly caseCount: number;
  /** About how long it takes: each of Nearfield's engines, and all peers together. On two cores of an AMD EPYC. */
  readonly seconds: { readonly each: number; readonly peers: number };
  cases(): AsyncGenerator<Case> | Generator<Case>;
}

/** A frame that moves all bodies; its poses are views of one array. */
export function movedTo(poses: readonly Float64Array[]): Required<Pick<Frame, 'poses' | 'allPoses'>> {
  const allPoses = new Float64Array(16 * poses.length);
  poses.forEach((pose, i) => {
    allPoses.set(pose, 16 * i);
  });
  return { allPoses, poses: rowsOf(allPoses) };
}

export const rowsOf = (allPoses: Float64Array): Float64Array[] =>
  Array.from({ length: allPoses.length / 16 }, (_, i) => allPoses.subarray(16 * i, 16 * i + 16));

/** Which bodies are there in a frame. */
export const presentIn = ({ bodies }: Case, { present }: Frame): Uint32Array =>
  present ?? Uint32Array.from(bodies, (_, i) => i);

/** Where each body's triangles begin when those of all are numbered one after the other. */
export function firstTriangles({ bodies }: Case): Uint32Array {
  const first = new Uint32Array(bodies.length);
  for (let i = 1; i < first.length; i++) first[i] = first[i - 1] + bodies[i - 1].mesh.triangleCount;
  return first;
}

export const still: readonly Frame[] = [{}];

export function triangleCount({ bodies }: Case): number {
  return bodies.reduce((sum, { mesh }) => sum + mesh.triangleCount, 0);
}
