// `nearfield/inspect`: how a method comes to its answer, step by step, as data for pictures.

export type { FieldSlice, FieldSteps } from '../inspect/field.ts';
export type { FrontLevel, HierarchySteps } from '../inspect/hierarchy.ts';
export type { LayersPasses, LayersSteps } from '../inspect/layers.ts';
export type { RaycastSteps } from '../inspect/raycast.ts';
export { type Steps, type StepsOf, type StepsOptions, steps } from '../inspect/steps.ts';
export type { TreeLevel } from '../inspect/tree-levels.ts';
export type { VisibilitySteps } from '../inspect/visibility.ts';
