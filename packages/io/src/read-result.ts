// The result of a reader: bodies in file order, and warnings about what was left out or changed.

import { type Indices, type Mesh, mesh, NearfieldError, type Pose, type Positions } from 'nearfield';
import { badFile } from './file-error.ts';

export interface ReadBody {
  readonly name: string;
  readonly mesh: Mesh;
  /** The pose in the file. Undefined if the file gives none. */
  readonly pose?: Pose | undefined;
  /** The name that the file gives its only body, if `oneBody` replaced it by the name of the file. */
  readonly nameInFile?: string | undefined;
}

export interface ReadResult {
  readonly bodies: ReadBody[];
  /** One sentence per warning, naming the file. */
  readonly warnings: string[];
}

/** `parts/bunny.obj` → `bunny`: the name of a body that its file does not name. */
export function baseName(file: string): string {
  const last = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const dot = last.lastIndexOf('.');
  return dot > 0 ? last.slice(0, dot) : last;
}

/** A mesh of arrays read from a file. If the mesh is refused, the error names the file. */
export function meshOfFile(file: string, place: string, positions: Positions, indices: Indices): Mesh {
  try {
    return mesh(positions, indices);
  } catch (error) {
    if (error instanceof NearfieldError) badFile(file, place, error.message, error);
    throw error;
  }
}

/** 0, 1, 2, …: the indices of a triangle soup. */
export function soupIndices(count: number): Uint32Array {
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) indices[i] = i;
  return indices;
}
