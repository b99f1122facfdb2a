// `nearfield/sampled`: the questions that are answered by samples: interferences along lines through pixels, what bodies have in common,
// distance fields and distance maps. Their answers say how close the samples are.

export type { Limits } from '../core/limits.ts';
export type { Reliability } from '../interferences/answer/answer.ts';
export {
  field,
  fieldSlabs,
  fieldSync,
  fieldTexture,
  intersectionVolume,
  intersectionVolumeSync,
} from '../sampled/field/questions.ts';
export { sampledInterferences } from '../sampled/interferences.ts';
export { CollisionCase } from '../sampled/layers/cases.ts';
export { LayersKeep } from '../sampled/layers/keep.ts';
export { distanceMap, distanceMapSync } from '../sampled/map/distance-map.ts';
export type * from '../sampled/types.ts';
