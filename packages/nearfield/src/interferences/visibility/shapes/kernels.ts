// The compiled kernels of the paper's shapes: boxes around triangles, or the triangles themselves.

import { createKernel, type Kernel } from '../../../gpu/kernel.ts';
import filterModule from '../../../math/gpu/filter.wgsl';
import instanceModule from '../image/instance.wgsl';
import lookModule from '../image/look.wgsl';
import nearModule from '../image/near.wgsl';
import orderedModule from '../image/ordered-bits.wgsl';
import roundsModule from '../image/rounds.wgsl';
import sceneTriangleModule from '../image/scene-triangle.wgsl';
import {
  CullingLayout,
  farCornerWgsl,
  Look,
  type LookName,
  PlacingLayout,
  snappingWgsl,
  stateWgsl,
} from '../layouts.ts';
import offsetModule from '../offsets/touched-pixels.wgsl';
import nearestModule from '../owners/nearest.wgsl';
import boxModule from './box-triangles.wgsl';
import centreModule from './centre-in-triangle.wgsl';
import eachSource from './each-triangle.wgsl';
import lineModule from './line-in-box.wgsl';
import placeModule from './place-triangles.wgsl';
import rasterSource from './raster-shapes.wgsl';
import rectangleModule from './rectangle.wgsl';
import takesPartModule from './takes-part.wgsl';

/** Vectors of four numbers per triangle, whatever the shape (box-triangles.wgsl). */
export const shapeVectors = 7;
export const shapeVectorsWgsl = `const shapeVectors = ${shapeVectors}u;`;

/** 'boxes': around the triangles, with proven depths. 'triangles': themselves, which may miss pairs (CULLIDE). */
export type Shape = 'boxes' | 'triangles';

const state = [CullingLayout.wgsl, stateWgsl, roundsModule];
const common = [...state, shapeVectorsWgsl, instanceModule, lookModule, filterModule, rectangleModule];
const seen: Record<Shape, string> = { boxes: lineModule, triangles: centreModule };

/** Computes the shapes of a look, and tells which triangles lie where their bodies may meet others. */
export const createShapesKernel = (device: GPUDevice, shape: Shape, look: LookName): Promise<Kernel> =>
  createKernel(
    device,
    `${shape}, ${look}`,
    [
      ...common,
      seen[shape],
      PlacingLayout.wgsl,
      orderedModule,
      sceneTriangleModule,
      offsetModule,
      nearModule,
      ...(shape === 'boxes' ? [snappingWgsl, farCornerWgsl, boxModule] : [placeModule]),
      eachSource,
    ],
    { look: Look[look], squarePixels: 1 },
  );

/** Enters the shapes' fragments in the pixels of a view; or tests them against those of other owners. */
export const createShapeRaster = (
  device: GPUDevice,
  shape: Shape,
  look: LookName,
  testing: boolean,
): Promise<Kernel> =>
  createKernel(
    device,
    `${testing ? 'test' : 'enter'} ${shape}, ${look}`,
    [...common, seen[shape], takesPartModule, nearestModule, rasterSource],
    { look: Look[look], testing: testing ? 1 : 0 },
  );
