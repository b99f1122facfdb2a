// `nearfield/interferences`: which bodies share a point, in which triangles, and how the two lie to one another.

export { broad, type Candidates } from '../candidates/candidates.ts';
export type { PairFilter } from '../candidates/filter.ts';
export type { Limits } from '../core/limits.ts';
export { inside, insideSync } from '../inside/inside.ts';
export type {
  Answer,
  Interferences,
  Pair,
  Reliability,
  SelfIntersections,
} from '../interferences/answer/answer.ts';
export { type Curve, curves, curvesSync } from '../interferences/curves/curves.ts';
export {
  type InterferenceOptions,
  interferences,
  interferencesSync,
} from '../interferences/interferences.ts';
export type { Method } from '../interferences/method.ts';
export type { NarrowOptions, TrianglePairs } from '../interferences/narrow-phase.ts';
export type { Relation } from '../interferences/relation/relation.ts';
export type { AnswerStats, Detail, InterferenceStats } from '../interferences/request.ts';
export {
  type SelfIntersectionOptions,
  selfIntersections,
  selfIntersectionsSync,
} from '../interferences/self-intersections.ts';
export {
  exact,
  exactOf,
  type FoundRecords,
  narrow,
  narrowSync,
} from '../interferences/stages.ts';
export type { VisibilityOptions, VisibilityStats } from '../interferences/visibility/options.ts';
export type { SeenLook, SeenView } from '../interferences/visibility/seen.ts';
