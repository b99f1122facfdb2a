// What is a whole file as one body? All its triangles in order, in world positions.

import { applyPose, NearfieldError, type Pose } from 'nearfield';
import type { Budget } from './budget.ts';
import { badFile, inWords } from './file-error.ts';
import { meshOfFile, type ReadBody } from './read-result.ts';

/** More than any machine holds the trees for; instances can ask for it in a small file. */
const mostVertices = 2 ** 28;

/** The bodies of a file as one, without a pose. A lone body that has no pose stays as it is. */
export function mergeBodies(file: string, name: string, bodies: readonly ReadBody[]): ReadBody {
  checkArguments(file, name, bodies);
  return mergeWithin(undefined, file, name, bodies);
}

/** The same, held within what the file may make. */
export function mergeWithin(
  budget: Budget | undefined,
  file: string,
  name: string,
  bodies: readonly ReadBody[],
): ReadBody {
  if (bodies.length === 1 && bodies[0].pose === undefined) {
    return { name, mesh: bodies[0].mesh, nameInFile: bodies[0].name };
  }
  const vertexCount = bodies.reduce((sum, body) => sum + body.mesh.vertexCount, 0);
  const indexCount = bodies.reduce((sum, body) => sum + body.mesh.indices.length, 0);
  if (vertexCount > mostVertices || indexCount > 3 * mostVertices) {
    badFile(
      file,
      '',
      `merged into one body it has ${vertexCount} vertices and ${indexCount / 3} triangles: too many`,
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
    // A mirrored body keeps its inside inside: its triangles turn around.
    const mirrored = pose !== undefined && isMirror(pose);
    for (let i = 0; i < mesh.indices.length; i += 3) {
      indices[at++] = vertexBase + mesh.indices[i];
      indices[at++] = vertexBase + mesh.indices[mirrored ? i + 2 : i + 1];
      indices[at++] = vertexBase + mesh.indices[mirrored ? i + 1 : i + 2];
    }
    vertexBase += mesh.vertexCount;
  }
  return { name, mesh: meshOfFile(file, '', positions, indices) };
}

function checkArguments(file: unknown, name: unknown, bodies: unknown): void {
  const refuse = (what: string, given: unknown): never => {
    throw new NearfieldError('bad-option', `mergeBodies: ${what}, not ${inWords(given)}`);
  };
  if (typeof file !== 'string') refuse('file is a string', file);
  if (typeof name !== 'string') refuse('name is a string', name);
  if (!Array.isArray(bodies)) refuse('bodies is a list of what readFile gave', bodies);
  for (const body of bodies as unknown[]) {
    const { mesh, pose } = (typeof body === 'object' && body !== null ? body : {}) as Partial<ReadBody>;
    const isMesh = typeof mesh === 'object' && mesh !== null && ArrayBuffer.isView(mesh.positions);
    if (!isMesh) refuse('bodies have a mesh each', body);
    const isPose = pose === undefined || (pose instanceof Float64Array && pose.length === 16);
    if (!isPose) refuse('bodies have a pose of 16 numbers in a Float64Array, or none', pose);
  }
}

function isMirror(m: Pose): boolean {
  const cofactor0 = m[5] * m[10] - m[9] * m[6];
  const cofactor1 = m[9] * m[2] - m[1] * m[10];
  const cofactor2 = m[1] * m[6] - m[5] * m[2];
  return m[0] * cofactor0 + m[4] * cofactor1 + m[8] * cofactor2 < 0;
}
