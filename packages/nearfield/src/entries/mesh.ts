// `nearfield/mesh`: meshes and poses, without scenes and questions.

export { type ErrorCode, NearfieldError } from '../core/errors.ts';
export type { Box } from '../math/box.ts';
export { applyPoseChecked as applyPose, identity, multiplyPoses, type Pose } from '../math/pose.ts';
export type { Adjacency, Edges } from '../mesh/facts.ts';
export { type Indices, type Mesh, mesh, type Positions } from '../mesh/mesh.ts';
