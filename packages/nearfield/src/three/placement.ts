// Where three.js has an object: its world matrix, and its vertices if bones or morph targets move them.

import { multiplyPoses, type Positions } from 'nearfield';
import {
  type InstancedMesh,
  Matrix4,
  type Object3D,
  type SkinnedMesh,
  type Mesh as ThreeMesh,
  Vector3,
} from 'three';

/** The world matrix of an object, or of one instance of it: parent · child in doubles. */
export function poseOf(object: Object3D, instance?: number): ArrayLike<number> {
  const world = object.matrixWorld.elements;
  if (instance === undefined || !isInstanced(object)) return world;
  object.getMatrixAt(instance, matrix);
  return multiplyPoses(Float64Array.from(world), Float64Array.from(matrix.elements));
}

/** Whether three.js moves its vertices one by one, with bones or morph targets. */
export function isPosedByVertex(object: Object3D): boolean {
  const { isSkinnedMesh, morphTargetInfluences } = object as Partial<SkinnedMesh>;
  return isSkinnedMesh === true || (morphTargetInfluences?.length ?? 0) > 0;
}

/** All vertices as bones and morph targets place them, in the object's frame. */
export function vertexPositions(object: Object3D): Positions {
  const posed = object as ThreeMesh;
  const { count } = posed.geometry.getAttribute('position');
  const out = new Float64Array(3 * count);
  for (let i = 0; i < count; i++) posed.getVertexPosition(i, vector).toArray(out, 3 * i);
  return out;
}

const matrix = new Matrix4();
const vector = new Vector3();

export function isInstanced(object: Object3D): object is InstancedMesh {
  return (object as Partial<InstancedMesh>).isInstancedMesh === true;
}
