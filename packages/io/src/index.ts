export {
  type InCommonCoordinates,
  inCommonCoordinates,
  type NamedResult,
} from './common-coordinates.ts';
export { roundingAt } from './facts/rounding.ts';
export { type Length, nameOfUnit, parseLength, parseUnit } from './facts/units.ts';
export type { FetchWasm } from './foreign/fetch-wasm.ts';
export type { OpenThread, PageThread } from './foreign/page-thread.ts';
export { serveForeign } from './foreign/serve-foreign.ts';
export type { MapPlacement } from './ifc/map-placement.ts';
export { mergeBodies } from './merge-bodies.ts';
export { modelExtensions, type ReadOptions, readFile } from './read-file.ts';
export type { AllowedPair, PartProperties, ReadBody, ReadResult } from './read-result.ts';
export type { FetchBeside } from './reading/fetch-beside.ts';
export type { Tessellation } from './tessellation.ts';
export { findRepeatedKey, type RepeatedKey } from './text/json-keys.ts';
export { type JointChain, jointMotions } from './urdf/joint-motions.ts';
export {
  type JointType,
  type JointValues,
  jointWarnings,
  posesOfJoints,
  type Robot,
  type RobotJoint,
} from './urdf/robot.ts';
