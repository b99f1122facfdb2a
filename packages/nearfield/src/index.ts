export type { Body, BodyOptions } from './bodies/body.ts';
export type { BufferLayout, DeformOptions, DeviceBuffer } from './bodies/on-gpu/gpu-positions.ts';
export { broad, type Candidates } from './candidates/candidates.ts';
export type { PairFilter } from './candidates/filter.ts';
export type {
  ContactOptions,
  ContactPatch,
  ContactPoint,
  Contacts,
} from './contacts/contacts.ts';
export { type ErrorCode, NearfieldError } from './core/errors.ts';
export type { Limits } from './core/limits.ts';
export type { EngineStats } from './core/stats.ts';
export { CpuScene } from './cpu-scene.ts';
export {
  type ClosestOptions,
  type ClosestPoints,
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
export type { Answer, Interferences, Pair, Reliability, SelfIntersections } from './interferences/answer.ts';
export type { Curve } from './interferences/curves/curves.ts';
export type { InterferenceOptions } from './interferences/interferences.ts';
export type { Method } from './interferences/method.ts';
export type { NarrowOptions, TrianglePairs } from './interferences/narrow-phase.ts';
export type { Relation } from './interferences/relation/relation.ts';
export type { Detail, InterferenceStats } from './interferences/request.ts';
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
export { CpuNearfield, type Nearfield, type OpenOptions, open } from './nearfield.ts';
export type {
  Blob as ParticleBlob,
  BlobsCollider,
  BodyCollider,
  Bound,
  Collider,
  ColliderCommon,
  FieldCollider,
  Loop,
  MapForm,
  MapOptions,
  MeshCollider,
  Outline,
  PlaneCollider,
  QuadricCollider,
  Range,
  Response as ImpactResponse,
  RigidMotion,
  SphereCollider,
  SurfaceData,
  Vector,
} from './particles/colliders/shapes.ts';
export { CpuParticles } from './particles/cpu-particles.ts';
export type { Impacts } from './particles/impacts.ts';
export type { ImpactMap } from './particles/maps/map.ts';
export type {
  Impact,
  ImpactStats,
  Outcome,
  ParticleOptions,
  ParticleState,
  ParticleStats,
  Region,
  StartArrays,
  StartRule,
  SteppedMotion,
  Vary,
} from './particles/options.ts';
export type { CommandEncoder, Particles, SeekOptions } from './particles/particles.ts';
export type { Penetration, PenetrationOptions } from './penetration/penetration.ts';
export type { PenetratingPoints, PenetratingVertices } from './penetration/points.ts';
export type { DistanceField, GradientForm } from './sampled/field/field.ts';
export type { Grid, Sampling } from './sampled/field/grid.ts';
export type {
  FieldOptions,
  FieldSlabs,
  FieldTexture,
  FieldTextureOptions,
  VolumeOptions,
} from './sampled/field/questions.ts';
export type { DeviceTexture } from './sampled/field/sampling.ts';
export type { IntersectionVolume, PointDepths, VolumeRegion } from './sampled/field/volume.ts';
export type { LayersInterferences } from './sampled/layers/answer.ts';
export { CollisionCase } from './sampled/layers/cases.ts';
export type { CollisionMap } from './sampled/layers/collision-map.ts';
export { LayersKeep } from './sampled/layers/keep.ts';
export type { LayersAlgorithm, LayersOptions, LayersStats } from './sampled/layers/options.ts';
export type { LayersQuestion } from './sampled/layers/question.ts';
export type { MapBorder } from './sampled/map/border.ts';
export type { DistanceMap } from './sampled/map/map.ts';
export type { DistanceMapOptions, Labels } from './sampled/map/options.ts';
export type { Picture, PictureOptions } from './sampled/map/picture/picture.ts';
export type { MapRegion } from './sampled/map/regions.ts';
export type { MapStatistics } from './sampled/map/statistics.ts';
export type { View } from './sampled/raster/view.ts';
export type { RaycastInterferences } from './sampled/raycast/answer.ts';
export type { EdgeHits, RaycastFound, RaycastOptions, RaycastStats } from './sampled/raycast/options.ts';
export type { RaycastQuestion } from './sampled/raycast/question.ts';
export type { EdgePicture } from './sampled/raycast/seen.ts';
export type { Scene } from './scene.ts';
export * as shapes from './shapes/index.ts';
