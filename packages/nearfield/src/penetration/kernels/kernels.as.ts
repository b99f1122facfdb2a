// The module of the penetration kernels (depths, sweeps and pieces of solids): the functions that TypeScript calls
// (kernels.ts) and the offsets it reads.

export { treeCentre, treeHalf, treeReach, treeScale } from '../../bvh/cpu/build/layout.as';
export { carve, carvePlanes } from './carve.as';
export { deepest, growBall, sampleInside } from './deepest.as';
export { deepestSum, depthOf } from './depths.as';
export {
  modelBytes,
  modelInverse,
  modelR,
  modelStretch,
  modelT,
  modelTreeA,
  modelTreeB,
  modelWork,
} from './model.as';
export { convexExcess, support } from './support.as';
export { sweep } from './sweep.as';
export { sweepFound, sweepNormal, sweepTime } from './sweep-triangles.as';
