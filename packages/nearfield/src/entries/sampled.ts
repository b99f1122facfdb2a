// `nearfield/sampled`: the questions that are answered by samples: interferences along lines through pixels, what bodies have in common,
// distance fields and distance maps. Their answers say how close the samples are.

export type { Limits } from '../core/limits.ts';
export type { Reliability } from '../interferences/answer.ts';
export type { DistanceField, GradientForm } from '../sampled/field/field.ts';
export type { Grid, Sampling } from '../sampled/field/grid.ts';
export {
  type FieldOptions,
  type FieldSlabs,
  type FieldTexture,
  type FieldTextureOptions,
  field,
  fieldSlabs,
  fieldSync,
  fieldTexture,
  intersectionVolume,
  intersectionVolumeSync,
  type VolumeOptions,
} from '../sampled/field/questions.ts';
export type { DeviceTexture } from '../sampled/field/sampling.ts';
export type { IntersectionVolume, PointDepths, VolumeRegion } from '../sampled/field/volume.ts';
export { sampledInterferences } from '../sampled/interferences.ts';
export type { LayersInterferences } from '../sampled/layers/answer.ts';
export { CollisionCase } from '../sampled/layers/cases.ts';
export type { CollisionMap } from '../sampled/layers/collision-map.ts';
export { LayersKeep } from '../sampled/layers/keep.ts';
export type { LayersAlgorithm, LayersOptions, LayersStats } from '../sampled/layers/options.ts';
export type { LayersQuestion } from '../sampled/layers/question.ts';
export type { MapBorder } from '../sampled/map/border.ts';
export { distanceMap, distanceMapSync } from '../sampled/map/distance-map.ts';
export type { DistanceMap } from '../sampled/map/map.ts';
export type { DistanceMapOptions, Labels } from '../sampled/map/options.ts';
export type { Picture, PictureOptions } from '../sampled/map/picture/picture.ts';
export type { MapRegion } from '../sampled/map/regions.ts';
export type { MapStatistics } from '../sampled/map/statistics.ts';
export type { View } from '../sampled/raster/view.ts';
export type { RaycastInterferences } from '../sampled/raycast/answer.ts';
export type { EdgeHits, RaycastFound, RaycastOptions, RaycastStats } from '../sampled/raycast/options.ts';
export type { RaycastQuestion } from '../sampled/raycast/question.ts';
export type { EdgePicture } from '../sampled/raycast/seen.ts';
