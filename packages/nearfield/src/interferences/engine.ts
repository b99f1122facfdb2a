// The seam between the scene and the engines. An engine (cpu or gpu) finds which triangles of which bodies
// meet as far as its arithmetic can tell: certain pairs, and unsure ones that the exact stage decides
// (exact.ts). Engines never decide anything they cannot prove.

import type { BufferLayout, HeldCopy, HeldItems, HeldPositions } from '../bodies/held.ts';
import type { HeldPoses } from '../bodies/held-poses.ts';
import { NearfieldError } from '../core/errors.ts';
import type { TreeBoxes } from '../inspect/seen.ts';
import type { Box } from '../math/box.ts';
import type { Pose } from '../math/pose.ts';
import type { Mesh, Positions } from '../mesh/mesh.ts';
import type { ParticleEngine, Setup } from '../particles/seam.ts';
import type { SolidKernels } from '../penetration/solids.ts';
import type { Measured } from '../sampled/field/distance/measured.ts';
import type { SamplingTurn } from '../sampled/sampling.ts';
import type { VisibilityOptions, VisibilityRequest, VisibilityStats } from './visibility/options.ts';

/**
 * What a body is made of: a mesh's triangles over the mesh's own positions, or over those the body was last
 * deformed to. Engines keep their trees by the shape object and refit or rebuild them when `revision` grew.
 * Vertices that `mesh.welds` identifies have equal positions in every revision.
 */
export interface Shape {
  readonly mesh: Mesh;
  /** Replaced, never written into, together with `revision`: who holds the array holds that revision. */
  positions: Positions;
  revision: number;
  /** The box of all vertices in this revision, where it was found when they were checked. */
  extent?: Box | undefined;
  /** Grows where a new revision shall have a tree of its own rather than a refitted one. */
  builds?: number;
  /** Set where the positions are on the GPU alone. `positions` can then be read only once they have been fetched. */
  held?: HeldPositions | undefined;
}

/** One body as engines see it. */
export interface Placed {
  readonly shape: Shape;
  readonly pose: Pose;
  /** Grows with every new pose, so an engine need not compare numbers. */
  readonly poseRevision: number;
}

/** What a body is made of at one moment. Never written to: a body that deforms gets another. */
export interface Form {
  readonly shape: Shape;
  /** The shape's mesh, positions and revision then. */
  readonly mesh: Mesh;
  readonly positions: Positions;
  readonly revision: number;
  readonly held?: HeldPositions | undefined;
}

/**
 * Many bodies as engines see them, one row a body, as they stood when the question was asked. While the question
 * waits nothing of it changes. Rows are those of a scene's table (table.ts), so that an engine that has seen the table
 * before takes over only what has changed since, and the poses in one copy.
 */
export interface Bodies {
  readonly count: number;
  /** Sixteen doubles a row. The array may be longer. Where they are held and not read, asking for them throws. */
  readonly poses: Float64Array<ArrayBuffer>;
  /** Set where all poses came in a GPUBuffer. */
  readonly held?: HeldPoses | undefined;
  /** Where they lie in an engine's own memory, if they do: that engine need not copy them. */
  readonly room?: PoseRows | undefined;
  readonly forms: readonly Form[];
  /** Which table; no two have the same number. */
  readonly table: number;
  /** Grows with every change to the table. A lower one than before means an older state of it. */
  readonly revision: number;
  /** By row, the table's revision when the body's pose last changed or another body took the row. */
  readonly changed: Float64Array;
  /** The table's revision when all poses were last replaced at once. */
  readonly replaced: number;
  /** Linear parts are below 10^30 and translations below 10^60. */
  readonly ordinary: boolean;
  /** The table's revision when the list of bodies or any body's form last changed. */
  readonly formsChanged: number;
}

/** Room for the poses of a table in an engine's memory. */
export interface PoseRows {
  readonly poses: Float64Array<ArrayBuffer>;
  /** Which memory, and where in it. */
  readonly memory: object;
  readonly at: number;
}

/** An engine's memory, for tables that keep their poses in it. */
export interface PoseMemory {
  /** Undefined where they are better kept in an ordinary array. */
  allocate(rows: number): PoseRows | undefined;
  free(rows: PoseRows): void;
  /** Copies many poses, sixteen numbers each. Says whether all of them are plainly good (`checkPoses`). */
  copy(values: Float64Array, rows: PoseRows): boolean;
  /** Where rooms may be lent to be written to: whether so many poses there are plainly good. */
  check?(rows: PoseRows, count: number): boolean;
  /** The same room, as only who asks can see it: arrays that others have of it are empty from now on. */
  reclaim?(rows: PoseRows): PoseRows;
}

/** Bodies of a scene's table, or a few of one's own. */
export type BodyList = Bodies | readonly Placed[];

/**
 * How pairs of triangles are found: a walk, on the CPU depth first through pairs of nodes, on the GPU a thread for every leaf
 * through the other tree; both trees level by level, all pairs of nodes at once (Greß and Zachmann, section 4.2); or every triangle against every triangle, no trees (section 3).
 */
export type Traversal = 'auto' | 'walk' | 'breadth-first' | 'brute-force';

/** How much of the answer is wanted: every triangle pair, how many, or only whether there is one. */
export type Detail = 'list' | 'count' | 'any';

export interface Limits {
  /**
   * Cancels the question, which then rejects with the signal's reason. Looked at when the question is asked, and whenever the
   * work lets others run: every few milliseconds on the CPU, between dispatches on a GPU. Building a tree is one piece.
   * Questions that end in `Sync` let nobody run and cannot be cancelled on the way.
   */
  readonly signal?: AbortSignal | undefined;
  /** Called with the share done, 0 to 1, at the same places. */
  readonly progress?: ((done: number) => void) | undefined;
}

export interface InterfereRequest extends Limits {
  readonly detail: Detail;
  /** Body indices (a, b), a < b, two a pair. Without it, the engine's own broad phase finds the candidates. */
  readonly candidates?: Uint32Array | undefined;
  /**
   * With detail 'any', an engine may stop at a candidate's first pair that meets or may, and say so. Where touching
   * is common, deciding one pair exactly is far less work than collecting all that are unsure.
   */
  readonly hasty?: boolean | undefined;
  /** How trees are traversed. Every way gives the same answer; 'auto' chooses. */
  readonly traversal?: Traversal | undefined;
  /** So many pairs of triangles are worth listing: an engine that finds more gives up with `TooManyPairs`. */
  readonly most?: number | undefined;
  /** Where given, bodies and triangles are left out by what images of the scene show. Only engines on a GPU can. */
  readonly visibility?: VisibilityRequest | undefined;
}

/** There are more pairs of triangles than were worth listing. */
export class TooManyPairs extends NearfieldError {
  constructor(most: number) {
    super('out-of-memory', `there are more than ${most} pairs of triangles that meet or may`);
  }
}

export interface SelfRequest extends Limits {
  /** Where given, triangles that images show to be clear of all but their own patch are left out. */
  readonly visibility?: VisibilityOptions | undefined;
}

export interface EngineStats {
  /** Triangle tests made, and how many of them the engine could not decide. */
  triangleTests: number;
  unsure: number;
  /** Box tests made in trees. */
  boxTests: number;
  /** GPU dispatches; 0 on the CPU. */
  dispatches: number;
  /** How often an output was too small and the work was resumed or run again with a larger one. */
  growths: number;
  /** What the visibility method left at each stage, where it was asked. */
  visibility?: VisibilityStats | undefined;
}

export interface RawAnswer {
  /** Pairs of body indices (a, b), a < b, whose boxes meet. */
  readonly candidates: Uint32Array;
  /**
   * Records of three: index of the candidate pair, triangle of a, triangle of b. In any order.
   * With detail 'any', one record or more for each candidate that has a certain pair. With 'count', empty.
   */
  readonly certain: Uint32Array;
  /** With detail 'count': how many certain pairs each candidate has. */
  readonly counts?: Uint32Array | undefined;
  /** Records of the same form, not decided. With 'any' they may be left out for candidates with a certain pair. */
  readonly unsure: Uint32Array;
  /**
   * Where positions are on the GPU alone: eighteen words an unsure record, the bits of x, y, z of the three corners of
   * the triangle of a, then of b, as given. Those of bodies whose positions are known say nothing.
   */
  readonly unsureCorners?: Uint32Array | undefined;
  /**
   * By candidate, 1 where boxes around the bodies, turned with them, certainly have no point in common, as far as that was
   * looked at: no solid among them then holds a part of the other.
   */
  readonly apart?: Uint32Array | undefined;
  /**
   * By candidate of which no two triangles meet, as far as that was looked at: 1 where a corner of a certainly lies outside
   * the solid of b, 2 added where one of b lies outside that of a.
   */
  readonly outside?: Uint32Array | undefined;
  /**
   * Whether the search of each candidate ended with its first record, certain or unsure; or by candidate, 1 where it ended
   * with unsure ones alone and there may be more.
   */
  readonly hasty?: boolean | Uint8Array | undefined;
  readonly stats: EngineStats;
}

export interface NearestRequest extends Limits {
  /** Body indices (a, b), two a pair, whose order says which is a. */
  readonly candidates: Uint32Array;
  /** Only what is nearer than this matters, world units. */
  readonly upTo: number;
  /** Go on where triangles meet or may: whoever asks knows that they do not. */
  readonly evenIfMeeting?: boolean | undefined;
}

/** The same, of an engine that finds bodies nearer than `upTo` itself where no candidates are given. */
export interface NearestPairsRequest extends Limits {
  readonly candidates?: Uint32Array | undefined;
  readonly upTo: number;
  /** Where given, bodies that images of the scene show to be farther from all others are left out first. */
  readonly visibility?: VisibilityOptions | undefined;
}

export const settledNumbers = 9;

/** What an engine found of the nearest triangles of pairs of bodies. The exact stage decides among them. */
export interface RawNearest {
  readonly candidates: Uint32Array;
  /** Pairs that may be the nearest (triangle of a, triangle of b), in any order: of candidate c start[c] to start[c + 1]. */
  readonly start: Uint32Array;
  readonly triangles: Uint32Array;
  /**
   * By candidate, added up: 1 certainly nearer than `upTo`, 2 triangles meet or may meet, which ended the search, 4 they
   * certainly do, 8 too much for a GPU's single precision: the CPU engine's to search, 16 settled, with nothing left to decide.
   */
  readonly states: Uint8Array;
  /**
   * Of candidates that are settled, nine numbers each: the distance, the point of a, that of b, all correctly rounded, the
   * triangle of a and that of b. No pairs are listed of them.
   */
  readonly settled?: Float64Array | undefined;
  /** For candidates whose triangles may meet, where that has been decided: the first pair that meets, or none. */
  readonly meetings?: ReadonlyMap<number, Uint32Array> | undefined;
  readonly stats: EngineStats;
}

/** What an engine found of the triangles nearest to points. */
export interface RawClosest {
  readonly distances: Float64Array;
  /** Three numbers a point. */
  readonly points: Float64Array;
  /** −1: nothing within reach; −2: to be decided. */
  readonly triangles: Int32Array;
  /** 0 the face, 1 to 3 the edges from corner 0 to 1, 1 to 2, 2 to 0, 4 to 6 the corners. */
  readonly features: Uint8Array;
  /** (point, triangle) pairs: for each point to be decided, the triangles that may be its nearest. */
  readonly unsure: Uint32Array;
}

/** For each point the triangles that may be its nearest. */
export interface NearTriangles {
  /** Two words a point: its first among `triangles`, and how many; 2^32 − 1 where it is left open. */
  readonly ranges: Uint32Array;
  readonly triangles: Uint32Array;
}

export interface Engine {
  readonly backend: 'cpu' | 'gpu';
  /** The adapter or processor, in words. */
  readonly name: string;
  /** Where tables may keep their poses; undefined where its memory moves when it grows. */
  readonly poseMemory?: PoseMemory | undefined;
  interfere(bodies: BodyList, request: InterfereRequest): Promise<RawAnswer>;
  /** Records (0, i, j), i < j, of triangles of one body that may share more than their common positions. */
  selfIntersect(body: Placed, request: SelfRequest): Promise<RawAnswer>;
  /** Copies positions or poses from an application's buffer on the engine's own device. Only engines on a GPU can. */
  hold?(buffer: object, items: HeldItems, layout: BufferLayout, owner: string): HeldCopy;
  /** The nearest triangles of all pairs of bodies at once, in order of a, then b. Only engines on a GPU can. */
  nearestPairs?(bodies: BodyList, request: NearestPairsRequest): Promise<RawNearest>;
  /** What may be nearest to points; undefined where the engine cannot tell. Only engines on a GPU can. */
  nearTriangles?(
    body: Placed,
    points: Float64Array,
    upTo: number,
    limits: Limits,
  ): Promise<NearTriangles | undefined>;
  /** Runs sampling work on the engine's own device (sampled/sampling.ts). Only engines on a GPU can. */
  sample?<A>(bodies: BodyList, limits: Limits, work: (turn: SamplingTurn) => Promise<A>): Promise<A>;
  /** Follows particles on the engine's own device (particles/seam.ts). Only engines on a GPU can. */
  particles?(setup: Setup): Promise<ParticleEngine>;
  /** Frees what the engine keeps for a shape. */
  forget(shape: Shape): void;
  close(): void;
}

/** The second and third numbers of records: those with the first number g are pairs start[g] to start[g + 1]. */
export interface GroupedRecords {
  readonly start: Uint32Array;
  readonly pairs: Uint32Array;
}

/** What only the CPU engine can do: answer without waiting, and find the triangles near a ray or a box. */
export interface SyncEngine extends Engine {
  readonly backend: 'cpu';
  /** Whether it was closed: then it answers nothing any more. */
  readonly closed: boolean;
  /** Pairs of body indices (a, b), a < b, whose world boxes meet or are nearer than the clearance, sorted. A fresh array. */
  broadSync(bodies: BodyList, clearance?: number): Uint32Array;
  nearest(bodies: BodyList, request: NearestRequest): Promise<RawNearest>;
  nearestSync(bodies: BodyList, request: NearestRequest): RawNearest;
  /** World points, three doubles each; only triangles nearer than `upTo`; of `near` where another engine found those. */
  closestPoints(
    body: Placed,
    points: Float64Array,
    upTo: number,
    limits: Limits,
    near?: NearTriangles,
  ): Promise<RawClosest>;
  closestPointsSync(body: Placed, points: Float64Array, upTo: number, limits: Limits): RawClosest;
  interfereSync(bodies: BodyList, request: InterfereRequest): RawAnswer;
  selfIntersectSync(body: Placed, limits: Limits): RawAnswer;
  /**
   * Every triangle of the body that has a world point within `slack` of the ray origin + s·direction, s ≥ 0,
   * and maybe others. Sorted. The array is the engine's own and is overwritten by the next call.
   */
  trianglesOnRay(
    body: Placed,
    origin: ArrayLike<number>,
    direction: ArrayLike<number>,
    slack: number,
  ): Uint32Array;
  /** Every triangle of the body that has a world point in the box, and maybe others. Sorted; overwritten likewise. */
  trianglesInBox(body: Placed, box: ArrayLike<number>): Uint32Array;
  /** The boxes of a body's tree, for pictures. Only engines with trees of boxes can. */
  treeOf?(body: Placed): TreeBoxes;
  /** Measures points against a body, to double precision (sampled/field/distance/measurer.ts). */
  measurePoints(
    body: Placed,
    points: Float64Array,
    count: number,
    upTo: number | ArrayLike<number>,
    out: Measured,
    at: number,
  ): void;
  /** Questions about how deep solids overlap. */
  readonly solids: SolidKernels;
  /** Sorts records of three in place by all three numbers. */
  sortRecords(records: Uint32Array): void;
  /** Records of both lists in that order, taken apart by their first number, which is less than `groups`. */
  groupRecords(first: Uint32Array, second: Uint32Array, groups: number): GroupedRecords;
}
