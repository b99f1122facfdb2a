// The seam between the raycast method's questions and the engine that answers them: candidates in, what was found out.

import type { Placed, Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import type { Reliability } from '../../interferences/answer.ts';
import type { RaycastRequest, RaycastStats } from './options.ts';
import type { EdgePicture } from './seen.ts';

/** Candidates that the caller knows, and lays out one by one. */
export interface RaycastTask extends Omit<RaycastRequest, 'allowOpen'> {
  /** Places of bodies whose boxes meet, two a candidate, in order. */
  readonly candidates: Uint32Array;
  /** Whether they are fewer than there are, so that what is found must be told apart by pairs. */
  readonly filtered: boolean;
  /** Whether some body is not a solid: each is then looked at alone for counts below 0. */
  readonly hasOpen: boolean;
  /** Told of every picture that is drawn, where counting draws. */
  readonly watch?: ((picture: EdgePicture) => void) | undefined;
}

/** Points of edges that lie in another body, in any order. */
export interface RawEdges {
  /** By point: the candidate, then 2·edge plus 0 for an edge of its first body and 1 for one of its second. */
  readonly owners: Uint32Array;
  /** World points, where they come from pixel and depth; else how far along the edge they are: */
  readonly points: Float64Array | undefined;
  /** along the side that its record names (edges/edge-records.ts), 0 to 1. */
  readonly along: Float32Array | undefined;
}

/** Bits of `found`, by candidate. */
export const Found = {
  /** A ray has points in both bodies, over a stretch longer than what it may be off. */
  ray: 1,
  /** An edge of the first body seems to lie in the second; of the second in the first. */
  firstInSecond: 2,
  secondInFirst: 4,
  /** A point of such an edge certainly does. */
  certain: 8,
} as const;

export interface RawRaycast {
  readonly any: boolean;
  readonly found: Uint8Array;
  /** Whether `found` tells who meets whom; else these do: bodies with an edge in another, and those they are in. */
  readonly byPairs: boolean;
  readonly penetrating: Uint32Array;
  readonly penetrated: Uint32Array;
  readonly notClosed: Uint32Array;
  readonly edges: RawEdges | undefined;
  /** Lines to be cast again exactly: what single precision left open. */
  readonly lines: readonly OpenLine[];
  readonly mayMissBelow: number;
  readonly mayReportWithin: number;
  readonly complete: boolean;
  readonly raycast: RaycastStats;
  readonly stats: EngineStats;
}

/** A pixel of a candidate's picture whose ray is to be cast exactly. */
export interface OpenLine {
  readonly candidate: number;
  /** Whether the two bodies have points in common along it, over a stretch long enough to count. */
  readonly isCommon: (cpu: CpuEngine) => boolean;
}

/** By lists, among so many bodies that candidates, where none are given, stay on the GPU. */
export interface ManyTask extends Omit<RaycastRequest, 'allowOpen'> {
  /** Places of bodies, two a candidate; undefined where the engine is to find them. */
  readonly candidates: Uint32Array | undefined;
  readonly bodyAt: (row: number) => Placed;
  /** Sorts records of three numbers. */
  readonly sortRecords: (records: Uint32Array) => void;
}

/** What was found of the candidates in `rows`, two bodies each, in order; of all others nothing was. */
export interface RawMany extends Reliability {
  readonly rows: Uint32Array;
  /** Bits of `Found`. */
  readonly found: Uint8Array;
  /** Candidates here are places in `rows`. */
  readonly edges: RawEdges;
  readonly lines: readonly OpenLine[];
  readonly raycast: RaycastStats;
  readonly stats: EngineStats;
}

export interface RaycastTurn {
  castAtEdges(bodies: readonly Placed[], task: RaycastTask): Promise<RawRaycast>;
  /** Undefined where single precision does not suffice, or memory: candidates are then to be laid out one by one. */
  castAmong(bodies: Snapshot, task: ManyTask): Promise<RawMany | undefined>;
}
