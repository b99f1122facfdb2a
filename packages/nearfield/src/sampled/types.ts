// The types of the questions that are answered by samples, as `nearfield` and `nearfield/sampled` export them.

export type { DistanceField, GradientForm, MeshWork } from './field/field.ts';
export type { Grid, Sampling } from './field/grid.ts';
export type {
  FieldOptions,
  FieldSlabs,
  FieldTexture,
  FieldTextureOptions,
  VolumeOptions,
} from './field/questions.ts';
export type { DeviceTexture } from './field/sampling.ts';
export type { IntersectionVolume, PointDepths, VolumeRegion, VolumeWork } from './field/volume.ts';
export type { LayersInterferences } from './layers/answer.ts';
export type { CollisionMap } from './layers/collision-map.ts';
export type {
  LayersAlgorithm,
  LayersForm,
  LayersOptions,
  LayersPhase,
  LayersStats,
} from './layers/options.ts';
export type { LayersQuestion } from './layers/question.ts';
export type { MapBorder } from './map/border.ts';
export type { DistanceMap } from './map/map.ts';
export type { DistanceMapOptions, Labels } from './map/options.ts';
export type { Picture, PictureOptions } from './map/picture/picture.ts';
export type { MapRegion } from './map/regions.ts';
export type { MapStatistics } from './map/statistics.ts';
export type { View } from './raster/view.ts';
export type { RaycastInterferences } from './raycast/answer.ts';
export type { EdgeHits, PixelPhases, RaycastFound, RaycastOptions, RaycastStats } from './raycast/options.ts';
export type { RaycastQuestion } from './raycast/question.ts';
export type { EdgePicture } from './raycast/seen.ts';
