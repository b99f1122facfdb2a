export type { Body, BodyOptions } from './bodies/body.ts';
export type { BufferLayout, DeformOptions, DeviceBuffer } from './bodies/on-gpu/buffers.ts';
export { broad, type Candidates } from './candidates/candidates.ts';
export type { PairFilter } from './candidates/filter.ts';
export type {
  ContactOptions,
  ContactPatch,
  ContactPoint,
  Contacts,
} from './contacts/contacts.ts';
export type { BackendCosts, CostSums } from './core/backend-costs.ts';
export { type ErrorCode, NearfieldError } from './core/errors.ts';
export type { Limits } from './core/limits.ts';
export type { Backend, EngineStats } from './core/stats.ts';
export { CpuScene } from './cpu-scene.ts';
export {
  type ClosestOptions,
  type ClosestPoints,
  type ClosestTriangles,
  type ClosestTrianglesOptions,
  feature,
} from './distance/closest-points.ts';
export type { Distance, DistanceOptions } from './distance/distance.ts';
export type { Proximities, Proximity } from './distance/proximities.ts';
export type { Separation } from './distance/separation.ts';
export type { WithinOptions } from './distance/within.ts';
export type { Device } from './given-device.ts';
export type { FieldSlice, FieldSteps } from './inspect/field.ts';
export type { FrontLevel, HierarchySteps } from './inspect/hierarchy.ts';
export type { LayersPasses, LayersSteps } from './inspect/layers.ts';
export type { RaycastSteps } from './inspect/raycast.ts';
export type { Steps, StepsOf, StepsOptions } from './inspect/steps.ts';
export type { TreeLevel } from './inspect/tree-levels.ts';
export type { VisibilitySteps } from './inspect/visibility.ts';
export type {
  Answer,
  Interferences,
  Pair,
  Reliability,
  SelfIntersections,
} from './interferences/answer/answer.ts';
export type { Curve } from './interferences/curves/curves.ts';
export type { InterferenceOptions } from './interferences/interferences.ts';
export type { Method } from './interferences/method.ts';
export type { NarrowOptions, TrianglePairs } from './interferences/narrow-phase.ts';
export type { Relation } from './interferences/relation/relation.ts';
export type { AnswerStats, Detail, InterferenceStats } from './interferences/request.ts';
export type { SelfIntersectionOptions } from './interferences/self-intersections.ts';
export {
  exact,
  exactOf,
  type FoundRecords,
  narrow,
  narrowSync,
} from './interferences/stages.ts';
export type { VisibilityOptions, VisibilityStats } from './interferences/visibility/options.ts';
export type { SeenLook, SeenView } from './interferences/visibility/seen.ts';
export type { Box } from './math/box.ts';
export { applyPoseChecked as applyPose, identity, multiplyPoses, type Pose } from './math/pose.ts';
export type { Adjacency, Edges } from './mesh/facts.ts';
export { type Indices, type Mesh, mesh, type Positions } from './mesh/mesh.ts';
export type { MotionAnswer, MotionStats } from './motion/answer.ts';
export type * from './motion/types.ts';
export { CpuNearfield, type Nearfield, type OpenOptions, open } from './nearfield.ts';
export type { Overlap } from './overlap/overlap.ts';
export { CpuParticles } from './particles/cpu-particles.ts';
export type * from './particles/types.ts';
export type { DeeperThan, DeeperThanOptions } from './penetration/depths/deeper-than.ts';
export type { Depths, DepthsOptions, PairDepth, TwoBodies } from './penetration/depths/depths.ts';
export type { Penetration, PenetrationOptions } from './penetration/penetration.ts';
export type { PenetratingPoints, PenetratingVertices } from './penetration/points/points.ts';
export type { RayHits } from './rays/hits.ts';
export type { RayOptions } from './rays/rays.ts';
export { type RegionHit, RegionHits } from './regions/answer.ts';
export type { RegionOptions } from './regions/regions.ts';
export { CollisionCase } from './sampled/layers/cases.ts';
export { LayersKeep } from './sampled/layers/keep.ts';
export type * from './sampled/types.ts';
export type { Scene } from './scene.ts';
export * as shapes from './shapes/index.ts';
