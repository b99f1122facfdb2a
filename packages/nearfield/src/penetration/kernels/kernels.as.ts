// The module of the penetration kernels (depths, sweeps and pieces of solids): the functions that TypeScript calls
// (kernels.ts), and what it knows of their memory.

export { Tree } from '../../bvh/cpu/build/layout.as';
export { carve } from './carve.as';
export { deepest, growBall, sampleInside } from './deepest.as';
export { Depths, depthOf } from './depths.as';
export { Model, modelBytes, modelInverse, modelOut, modelR, modelWork } from './model.as';
export { convexExcess, support } from './support.as';
export { sweep } from './sweep.as';
export { Swept } from './sweep-triangles.as';
