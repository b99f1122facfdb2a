// Merges a whole file into one body: all its triangles in order, in world positions.

import { applyPose, NearfieldError } from 'nearfield';
import { determinant } from './facts/determinant.ts';
import { meshOfFile, type ReadBody } from './read-result.ts';
import type { Budget } from './reading/budget.ts';
import { badFile, inWords } from './reading/file-error.ts';

/** More than any machine can build trees for; a small file can ask for it with instances. */
const mostVertices = 2 ** 28;

/**
 * Merges the bodies of a file into one without a pose. A single body without a pose stays as it is. A single body keeps
 * its path, id, type and properties. The rounding is the largest of all. Throws 'bad-option' for arguments that are not
 * bodies, 'bad-file' for more vertices than any machine can hold.
 */
export function mergeBodies(file: string, name: string, bodies: readonly ReadBody[]): ReadBody {
  checkArguments(file, name, bodies);
  return mergeWithin(undefined, file, name, bodies);
}

/** The same, within the memory that the file may take. */
export function mergeWithin(
  budget: Budget | undefined,
  file: string,
  name: string,
  bodies: readonly ReadBody[],
): ReadBody {
  if (bodies.length === 1 && bodies[0].pose === undefined) {
    return { ...bodies[0], name, nameInFile: bodies[0].name };
  }
  const vertexCount = bodies.reduce((sum, body) => sum + body.mesh.vertexCount, 0);
  const indexCount = bodies.reduce((sum, body) => sum + body.mesh.indices.length, 0);
  if (vertexCount > mostVertices || indexCount > 3 * mostVertices) {
    badFile(
      file,
      '',
      `merged into one body, it has too many vertices (${vertexCount}) or triangles (${indexCount / 3})`,
    );
  }
  budget?.spendMesh(vertexCount, 8, indexCount, '');
  const positions = new Float64Array(3 * vertexCount);
  const indices = new Uint32Array(indexCount);
  let vertexBase = 0;
  let at = 0;
  for (const { mesh, pose } of bodies) {
    const local = mesh.positions;
    if (pose) {
      for (let i = 0; i < local.length; i += 3) {
        applyPose(pose, local[i], local[i + 1], local[i + 2], positions, 3 * vertexBase + i);
      }
    } else positions.set(local, 3 * vertexBase);
    // A mirrored body flips its triangles, so that they still face outwards.
    const mirrored = pose !== undefined && determinant(pose) < 0;
    for (let i = 0; i < mesh.indices.length; i += 3) {
      indices[at++] = vertexBase + mesh.indices[i];
      indices[at++] = vertexBase + mesh.indices[mirrored ? i + 2 : i + 1];
      indices[at++] = vertexBase + mesh.indices[mirrored ? i + 1 : i + 2];
    }
    vertexBase += mesh.vertexCount;
  }
  const mesh = meshOfFile(file, '', positions, indices);
  // What the file says about a part stays with it if it is the only one.
  const { path, id, type, properties } = bodies.length === 1 ? bodies[0] : ({} as Partial<ReadBody>);
  const rounding = bodies.some(body => body.rounding === undefined)
    ? undefined
    : bodies.reduce((largest, body) => Math.max(largest, body.rounding!), 0);
  return { name, mesh, path, id, type, properties, rounding };
}

function checkArguments(file: unknown, name: unknown, bodies: unknown): void {
  const refuse = (what: string, given: unknown): never => {
    throw new NearfieldError('bad-option', `mergeBodies: ${what}, not ${inWords(given)}`);
  };
  if (typeof file !== 'string') refuse('file must be a string', file);
  if (typeof name !== 'string') refuse('name must be a string', name);
  if (!Array.isArray(bodies)) refuse('bodies must be an array of bodies from readFile', bodies);
  for (const body of bodies as unknown[]) {
    const { mesh, pose } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ReadBody>;
    const isMesh = typeof mesh === 'object' && mesh !== null && ArrayBuffer.isView(mesh.positions);
    if (!isMesh) refuse('each of bodies must have a mesh', body);
    const isPose = pose === undefined || (pose instanceof Float64Array && pose.length === 16);
    if (!isPose)
      refuse('the pose of each of bodies must be a Float64Array of 16 numbers, or undefined', pose);
  }
}
