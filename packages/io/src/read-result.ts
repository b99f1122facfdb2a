// The result of a reader: bodies in file order, and warnings about what was left out or changed.

import { type Indices, type Mesh, mesh, NearfieldError, type Pose, type Positions } from 'nearfield';
import type { MapPlacement } from './ifc/map-placement.ts';
import { badFile } from './reading/file-error.ts';
import type { Robot } from './urdf/robot.ts';

export interface ReadBody {
  readonly name: string;
  readonly mesh: Mesh;
  /** The pose in the file. Undefined if the file gives none. */
  readonly pose?: Pose | undefined;
  /** The name that the file gives its only body, if `oneBody` replaced it by the name of the file. */
  readonly nameInFile?: string | undefined;
  /**
   * The way from the root of the file's own structure down to this body, whose name comes last: glTF nodes, IFC
   * storeys, STEP products, URDF links. Undefined if the file has no structure.
   */
  readonly path?: readonly string[] | undefined;
  /**
   * Per name in `path`, a number for the node of the file's structure that it names: two assemblies of one name have two
   * numbers. Only STEP has them; undefined if the reader does not tell nodes apart.
   */
  readonly pathNodes?: readonly number[] | undefined;
  /** An identity that the file gives the part and that outlives an export, such as an IFC GlobalId. */
  readonly id?: string | undefined;
  /** The kind of part according to the file: an IFC class such as `IfcWall`. */
  readonly type?: string | undefined;
  /** What the file says about the part: glTF `extras`, IFC properties such as `Pset_WallCommon.FireRating`. */
  readonly properties?: PartProperties | undefined;
  /**
   * How far a position of the body, after its pose, may lie from where the writing program had it, because the file's
   * number format rounds: a distance in the file's units. Parts that touched in that program may overlap by the sum of
   * their roundings. For STEP, the accuracy that the file states. Undefined if the format does not say.
   */
  readonly rounding?: number | undefined;
  /** The same for the mesh alone, before the pose: for `roundingAt`. Undefined if there is no pose. */
  readonly meshRounding?: number | undefined;
}

/** Values by name. Nested objects are flattened with dots. */
export type PartProperties = Readonly<Record<string, string | number | boolean>>;

export interface ReadResult {
  readonly bodies: ReadBody[];
  /** One sentence per warning, naming the file. */
  readonly warnings: string[];
  /** The file's unit of length, in metres: 0.001 for millimetres. Undefined if the file does not say. */
  readonly unit?: number | undefined;
  /** Which axis points up: 'y' for glTF, 'z' for IFC, 3MF and URDF. Undefined if the format does not say. */
  readonly up?: 'y' | 'z' | undefined;
  /**
   * How far the triangles may lie from the curved surfaces of the file, in the file's units. Only for formats with
   * curved surfaces, such as STEP.
   */
  readonly tessellation?: number | undefined;
  /**
   * Where the coordinates of the file stand on a map, for IFC files that say so (IfcMapConversion). Positions are those
   * of the project, without it; `inCommonCoordinates` brings files with different places together.
   */
  readonly map?: MapPlacement | undefined;
  /** Pairs of bodies, by index, that the file allows to meet: the neighbours of a joint in a URDF. */
  readonly allowed?: readonly AllowedPair[] | undefined;
  /** The joints of a URDF, for `posesOfJoints`. Undefined if the file was merged into one body. */
  readonly robot?: Robot | undefined;
}

/** Two bodies of one file that may meet, and why. */
export interface AllowedPair {
  /** The index of one body among the file's. */
  readonly a: number;
  /** The index of the other. */
  readonly b: number;
  /** A few words: `joined by lbr_iiwa_joint_1`. */
  readonly reason: string;
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
