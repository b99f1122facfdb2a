// The interface between the raycast method's questions and the GPU: candidates go in, findings come out.

import type { Placed, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { Reliability } from '../../interferences/answer/answer.ts';
import type { Grouping } from './groups/grouping.ts';
import type { RaycastRequest, RaycastStats } from './options.ts';
import type { EdgePicture } from './seen.ts';

/** A task with known candidates, which are laid out one by one. */
export interface RaycastTask extends Omit<RaycastRequest, 'allowOpen' | 'levels'> {
  /** Indices of bodies whose boxes meet, two per candidate, in order. */
  readonly candidates: Uint32Array;
  /** Whether a filter removed candidates, so that findings must be attributed to pairs. */
  readonly filtered: boolean;
  /** Whether some body is not a solid. Then each is also viewed alone to find counts below 0. */
  readonly hasOpen: boolean;
  /** The tiles that bodies share, if that is much less work than a tile per candidate. */
  readonly groups?: Grouping | undefined;
  /** Called with every picture, if the way of counting draws. */
  readonly watch?: ((picture: EdgePicture) => void) | undefined;
}

/** Points of edges that lie inside another body, in any order. */
export interface RawEdges {
  /**
   * Two numbers per point: the candidate, then 2·edge plus 0 for an edge of its first body and 1 for one of its second.
   */
  readonly owners: Uint32Array;
  /** World points, if they come from pixel and depth. Otherwise `along` says where on the edge they are. */
  readonly points: Float64Array | undefined;
  /** The share along the side that the edge's record names (edges/edge-records.ts), 0 to 1. */
  readonly along: Float32Array | undefined;
}

/** The bits of `found`, per candidate. */
export const Found = {
  /** A ray has points in both bodies, over a stretch longer than its error. */
  ray: 1,
  /** An edge of the first body seems to lie inside the second, or one of the second inside the first. */
  firstInSecond: 2,
  secondInFirst: 4,
  /** A point of such an edge certainly lies inside. */
  certain: 8,
} as const;

export interface RawRaycast {
  readonly any: boolean;
  readonly found: Uint8Array;
  /**
   * Whether `found` says which pairs meet. If not, these lists do: bodies with an edge inside another, and the bodies
   * that contain those edges.
   */
  readonly byPairs: boolean;
  readonly penetrating: Uint32Array;
  readonly penetrated: Uint32Array;
  readonly notClosed: Uint32Array;
  readonly edges: RawEdges | undefined;
  /** Lines that single precision left open. They have to be cast exactly. */
  readonly lines: readonly OpenLine[];
  readonly mayMissBelow: number;
  readonly mayReportWithin: number;
  readonly complete: boolean;
  readonly raycast: RaycastStats;
  readonly stats: EngineStats;
}

/** A pixel of a candidate's picture whose ray has to be cast exactly. */
export interface OpenLine {
  readonly candidate: number;
  /** Tells whether the two bodies have points in common along the ray, over a stretch long enough to count. */
  readonly isCommon: (cpu: CpuEngine) => boolean;
}

/** A task for lists among so many bodies that the candidates, if none are given, stay on the GPU. */
export interface SceneTask extends Omit<RaycastRequest, 'allowOpen' | 'levels'> {
  /** Indices of bodies, two per candidate; undefined if the engine has to find them. */
  readonly candidates: Uint32Array | undefined;
  /** If the engine finds more candidates than this, the answer is 'dense': tiles may be shared (groups/). */
  readonly mostCandidates?: number | undefined;
  readonly bodyAt: (row: number) => Placed;
  /** Sorts records of three numbers. */
  readonly sortRecords: (records: Uint32Array) => void;
}

/**
 * The findings about the candidates in `rows`, two bodies per candidate, in order. For all other candidates nothing was
 * found.
 */
export interface SceneFindings extends Reliability {
  readonly rows: Uint32Array;
  /** Bits of `Found`. */
  readonly found: Uint8Array;
  /** Its candidates are indices into `rows`. */
  readonly edges: RawEdges;
  readonly lines: readonly OpenLine[];
  readonly raycast: RaycastStats;
  readonly stats: EngineStats;
}

export interface RaycastTurn {
  castAtEdges(bodies: readonly Placed[], task: RaycastTask): Promise<RawRaycast>;
  /** Undefined if single precision or memory does not suffice. Then candidates have to be laid out one by one. */
  castAmong(bodies: Snapshot, task: SceneTask): Promise<SceneFindings | 'dense' | undefined>;
}
