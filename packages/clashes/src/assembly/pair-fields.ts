// Pairs with a place for every field that a check adds to most of them: an engine then keeps them all in one shape. A field that is
// added to an object later gets memory of its own, and spreading an object takes thirty times as long as naming its fields. There may
// be millions of pairs.

import type { Relation } from 'nearfield';
import type { OpenPair } from '../severity/judge.ts';
import type { FoundPair } from './types.ts';

/** Two bodies that meet, if the check adds only a verdict to most pairs. Takes half the memory of a pair with all fields. */
export const plainPair = (a: number, b: number, relation: Relation, triangleCount: number): OpenPair => ({
  a,
  b,
  relation,
  triangleCount,
  verdict: undefined,
});

/** The same with a place for a common point and an identity, which JSON has. */
export const namedPair = (
  a: number,
  b: number,
  relation: Relation,
  triangleCount: number,
  point?: Float64Array,
): OpenPair => ({ a, b, relation, triangleCount, point, verdict: undefined, clash: undefined });

/** Two bodies that meet. */
export const meetingPair = (
  a: number,
  b: number,
  relation: Relation,
  triangleCount: number,
  point?: Float64Array,
  triangles?: Uint32Array,
): OpenPair => ({
  a,
  b,
  relation,
  triangleCount,
  distance: undefined,
  point,
  pointA: undefined,
  pointB: undefined,
  triangles,
  verdict: undefined,
  test: undefined,
  severity: undefined,
  clash: undefined,
});

/** Two bodies that are closer than their clearance. */
export const nearPair = (
  a: number,
  b: number,
  distance: number,
  pointA: Float64Array,
  pointB: Float64Array,
): OpenPair => ({
  a,
  b,
  relation: 'separate',
  triangleCount: 0,
  distance,
  point: undefined,
  pointA,
  pointB,
  triangles: undefined,
  verdict: undefined,
  test: undefined,
  severity: undefined,
  clash: undefined,
});

/** What was found out about a pair, without what was decided about it. Decisions need all pairs and are made later. */
export const foundOf = (pair: FoundPair, parted?: boolean): FoundPair => ({
  a: pair.a,
  b: pair.b,
  relation: pair.relation,
  triangleCount: pair.triangleCount,
  distance: pair.distance,
  point: pair.point,
  pointA: pair.pointA,
  pointB: pair.pointB,
  triangles: pair.triangles,
  depth: pair.depth,
  translation: pair.translation,
  volume: pair.volume,
  area: pair.area,
  verdict: undefined,
  parted,
});

/** Whether nothing is known about a pair but its relation, a common point, and whether a change within rounding parts the two. */
export const isShort = (pair: FoundPair): boolean =>
  pair.distance === undefined &&
  pair.triangles === undefined &&
  pair.depth === undefined &&
  pair.volume === undefined;
