// The sampling methods as their papers published them, on the render pipeline. They are loaded together, by the first question that
// asks for one.

export { DistanceMeshes } from './field/gpu/meshes/meshes.ts';
export { DrawnLayers } from './layers/drawn/drawn-layers.ts';
export { Drawing } from './raycast/drawn/drawing.ts';
