export { type ErrorCode, NearfieldError } from './errors.ts';
export type { Box } from './math/box.ts';
export { applyPoseChecked as applyPose, identity, multiplyPoses, type Pose } from './math/pose.ts';
export type { Adjacency, Edges } from './mesh/facts.ts';
export { type Indices, type Mesh, mesh, type Positions } from './mesh/mesh.ts';
export * as shapes from './mesh/shapes/index.ts';
export type { DistanceField, GradientForm } from './methods/field/field.ts';
export type { Grid, Sampling } from './methods/field/grid.ts';
export type {
  FieldOptions,
  FieldSlabs,
  FieldTexture,
  FieldTextureOptions,
  VolumeOptions,
} from './methods/field/questions.ts';
export type { DeviceTexture } from './methods/field/sampling.ts';
export type { IntersectionVolume, PointDepths, VolumeRegion } from './methods/field/volume.ts';
export type { LayersInterferences } from './methods/layers/answer.ts';
export { CollisionCase } from './methods/layers/cases.ts';
export type { CollisionMap } from './methods/layers/collision-map.ts';
export { LayersKeep } from './methods/layers/keep.ts';
export type { LayersAlgorithm, LayersOptions, LayersStats } from './methods/layers/options.ts';
export type { LayersQuestion } from './methods/layers/question.ts';
export type { View } from './methods/raster/view.ts';
export type { RaycastInterferences } from './methods/raycast/answer.ts';
export type { EdgeHits, RaycastFound, RaycastOptions, RaycastStats } from './methods/raycast/options.ts';
export type { VisibilityOptions, VisibilityStats } from './methods/visibility/options.ts';
export { CpuNearfield, type Device, type Nearfield, type OpenOptions, open } from './nearfield.ts';
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
export type {
  ContactOptions,
  ContactPatch,
  ContactPoint,
  Contacts,
} from './proximity/contacts/contacts.ts';
export {
  type ClosestOptions,
  type ClosestPoints,
  feature,
} from './proximity/distance/closest-points.ts';
export type {
  Distance,
  DistanceOptions,
  Proximities,
  Proximity,
  Separation,
  WithinOptions,
} from './proximity/distance/distance.ts';
export type { MapBorder } from './proximity/maps/border.ts';
export type { DistanceMap } from './proximity/maps/map.ts';
export type { DistanceMapOptions, Labels } from './proximity/maps/options.ts';
export type { Picture, PictureOptions } from './proximity/maps/picture/picture.ts';
export type { MapRegion } from './proximity/maps/regions.ts';
export type { MapStatistics } from './proximity/maps/statistics.ts';
export type { Penetration, PenetrationOptions } from './proximity/penetration/penetration.ts';
export type { PenetratingPoints, PenetratingVertices } from './proximity/penetration/points.ts';
export type { Answer, Interferences, Pair, Reliability, SelfIntersections } from './scene/answer.ts';
export type { Body, BodyOptions } from './scene/bodies/body.ts';
export type { BufferLayout, DeformOptions, DeviceBuffer } from './scene/bodies/held.ts';
export { CpuScene } from './scene/cpu-scene.ts';
export type { Detail, EngineStats, Limits } from './scene/engine.ts';
export type { PairFilter } from './scene/filter.ts';
export type { Method } from './scene/method.ts';
export type { Curve } from './scene/questions/curves.ts';
export type { SelfIntersectionOptions } from './scene/questions/self-intersections.ts';
export type { Relation } from './scene/relation/relation.ts';
export type { RaycastQuestion } from './scene/sampled.ts';
export type { InterferenceOptions, Scene } from './scene/scene.ts';
export {
  broad,
  type Candidates,
  exact,
  exactOf,
  type FoundRecords,
  type NarrowOptions,
  narrow,
  narrowSync,
  type TrianglePairs,
} from './scene/stages.ts';
export type { FieldSlice, FieldSteps } from './steps/field.ts';
export type { FrontLevel, HierarchySteps } from './steps/hierarchy.ts';
export type { LayersPasses, LayersSteps } from './steps/layers.ts';
export type { RaycastSteps } from './steps/raycast.ts';
export type { EdgePicture, SeenLook, SeenView, TreeLevel } from './steps/seen.ts';
export type { Steps, StepsOf, StepsOptions } from './steps/steps.ts';
export type { VisibilitySteps } from './steps/visibility.ts';
