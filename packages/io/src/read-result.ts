// What a reader gives: bodies in the order of the file, and what the reader left out or took differently.

import { type Indices, type Mesh, mesh, NearfieldError, type Pose, type Positions } from 'nearfield';
import { badFile } from './file-error.ts';

export interface ReadBody {
  readonly name: string;
  readonly mesh: Mesh;
  /** Where the file places the body; left out where the file says nothing. */
  readonly pose?: Pose | undefined;
  /** What the file calls the one body in it, where `oneBody` gave it the name of the file. */
  readonly nameInFile?: string | undefined;
}

export interface ReadResult {
  readonly bodies: ReadBody[];
  /** One sentence each, naming the file. */
  readonly warnings: string[];
}

/** `parts/bunny.obj` → `bunny`: what a body is called when its file does not name it. */
export function baseName(file: string): string {
  const last = file.slice(Math.max(file.lastIndexOf('/'), file.lastIndexOf('\\')) + 1);
  const dot = last.lastIndexOf('.');
  return dot > 0 ? last.slice(0, dot) : last;
}

/** A mesh of arrays read from a file: what the mesh refuses is the file's fault and names the file. */
export function meshOfFile(file: string, place: string, positions: Positions, indices: Indices): Mesh {
  try {
    return mesh(positions, indices);
  } catch (error) {
    if (error instanceof NearfieldError) badFile(file, place, error.message, error);
    throw error;
  }
}

/** 0, 1, 2, …: the indices of a soup. */
export function soupIndices(count: number): Uint32Array {
  const indices = new Uint32Array(count);
  for (let i = 0; i < count; i++) indices[i] = i;
  return indices;
}
