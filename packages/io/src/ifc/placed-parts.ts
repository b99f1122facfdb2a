// One body per product: a mesh in a local frame and a pose. A product of one geometry takes that geometry as its mesh.
// The geometries of any other are merged in the frame of the first, so that no precision is lost far from the origin.
// Products that are merged alike share the mesh.

import type { Mesh, Pose } from 'nearfield';
import { determinant } from '../facts/determinant.ts';
import { halfSingleUlp } from '../facts/rounding.ts';
import { meshOfFile } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import { badFile } from '../reading/file-error.ts';
import type { IfcGeometry, IfcPart, IfcProduct } from './web-ifc.ts';

export interface PlacedMesh {
  readonly mesh: Mesh;
  readonly pose: Pose;
  /**
   * How far a position may be off. Each coordinate is off by half a unit in the last place at most: in single precision
   * before the pose, in double precision after it.
   */
  readonly rounding: number;
  /** The same before the pose. */
  readonly meshRounding: number;
}

interface Merged {
  /** The matrices of the parts in the frame of the first. */
  readonly within: readonly Pose[];
  readonly mesh: Mesh;
  readonly largest: number;
}

export class PlacedParts {
  private readonly meshes = new Map<number, Mesh>();
  private readonly merged = new Map<string, Merged[]>();

  constructor(
    private readonly file: string,
    private readonly geometries: readonly IfcGeometry[],
    private readonly budget: Budget,
  ) {}

  /** The body of a product that has parts. */
  place({ id, parts }: IfcProduct): PlacedMesh {
    const place = `#${id}`;
    const poses = parts.map(({ matrix }) => this.poseOf(matrix, place));
    const [pose] = poses;
    const { mesh, largest } =
      parts.length === 1
        ? { mesh: this.meshOf(parts[0].geometry, place), largest: this.largestOf(parts[0]) }
        : this.mergeOf(parts, poses, place);
    const meshRounding = Math.sqrt(3) * halfSingleUlp(largest);
    const rounding = stretch(pose) * meshRounding + Math.sqrt(3) * 2 ** -53 * farthest(pose);
    return { mesh, pose, rounding, meshRounding };
  }

  /** Undoes web-ifc's turn: its x, y, z are the file's x, z, −y. */
  private poseOf(m: readonly number[], place: string): Pose {
    const pose = new Float64Array(16);
    for (let column = 0; column < 16; column += 4) {
      pose[column] = m[column];
      pose[column + 1] = 0 - m[column + 2];
      pose[column + 2] = m[column + 1];
    }
    pose[15] = 1;
    if (!pose.every(Number.isFinite)) badFile(this.file, place, 'its placement is not finite');
    return pose;
  }

  private meshOf(geometry: number, place: string): Mesh {
    let mesh = this.meshes.get(geometry);
    if (!mesh) {
      const { positions, indices } = this.geometries[geometry];
      this.budget.spendMesh(positions.length / 3, 4, indices.length, place);
      mesh = meshOfFile(this.file, place, positions, indices);
      this.meshes.set(geometry, mesh);
    }
    return mesh;
  }

  private mergeOf(parts: readonly IfcPart[], poses: readonly Pose[], place: string): Merged {
    const inverse = inverseLinear(poses[0]);
    if (!inverse) return badFile(this.file, place, 'its placement is flat');
    const within = poses.map(pose => relativeTo(poses[0], inverse, pose));
    const key = parts.map(({ geometry }) => geometry).join();
    const alike = this.merged.get(key) ?? [];
    this.merged.set(key, alike);
    // Equal matrices differ by the rounding of the world positions, which grows with the distance from the origin.
    const far = Math.max(...poses.map(farthest));
    let merged = alike.find(other => other.within.every((pose, i) => isSame(pose, within[i], far)));
    if (!merged) {
      merged = this.merge(parts, within, place);
      alike.push(merged);
    }
    return merged;
  }

  private merge(parts: readonly IfcPart[], within: readonly Pose[], place: string): Merged {
    const used = parts.map(({ geometry }) => this.geometries[geometry]);
    const coordinates = used.reduce((sum, { positions }) => sum + positions.length, 0);
    const corners = used.reduce((sum, { indices }) => sum + indices.length, 0);
    this.budget.spendMesh(coordinates / 3, 8, corners, place);
    const positions = new Float64Array(coordinates);
    const indices = new Uint32Array(corners);
    let base = 0;
    let corner = 0;
    used.forEach((geometry, part) => {
      const m = within[part];
      const from = geometry.positions;
      for (let i = 0; i < from.length; i += 3) {
        for (let axis = 0; axis < 3; axis++) {
          positions[base + i + axis] =
            m[axis] * from[i] + m[4 + axis] * from[i + 1] + m[8 + axis] * from[i + 2] + m[12 + axis];
        }
      }
      // A mirrored part flips its triangles, so that they still face outwards.
      const [second, third] = determinant(m) < 0 ? [2, 1] : [1, 2];
      for (let i = 0; i < geometry.indices.length; i += 3) {
        indices[corner++] = base / 3 + geometry.indices[i];
        indices[corner++] = base / 3 + geometry.indices[i + second];
        indices[corner++] = base / 3 + geometry.indices[i + third];
      }
      base += from.length;
    });
    const largest = Math.max(...parts.map((part, i) => stretch(within[i]) * this.largestOf(part)));
    return { within, mesh: meshOfFile(this.file, place, positions, indices), largest };
  }

  /** The largest coordinate of a geometry in its own frame. */
  private largestOf({ geometry }: IfcPart): number {
    return this.geometries[geometry].positions.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  }
}

/**
 * How much farther apart a pose moves points at most: its longest column, because the axes of IFC placements are at
 * right angles.
 */
const stretch = (m: Pose): number =>
  Math.max(Math.hypot(m[0], m[1], m[2]), Math.hypot(m[4], m[5], m[6]), Math.hypot(m[8], m[9], m[10]));

/** The largest coordinate of the place where a pose puts the origin. */
const farthest = (m: Pose): number => Math.max(Math.abs(m[12]), Math.abs(m[13]), Math.abs(m[14]));

/** The inverse of the linear part, column-major, nine numbers. */
function inverseLinear(m: Pose): Float64Array | undefined {
  const scale = 1 / determinant(m);
  if (!Number.isFinite(scale)) return undefined;
  return Float64Array.of(
    ...[m[5] * m[10] - m[9] * m[6], m[9] * m[2] - m[1] * m[10], m[1] * m[6] - m[5] * m[2]],
    ...[m[8] * m[6] - m[4] * m[10], m[0] * m[10] - m[8] * m[2], m[4] * m[2] - m[0] * m[6]],
    ...[m[4] * m[9] - m[8] * m[5], m[8] * m[1] - m[0] * m[9], m[0] * m[5] - m[4] * m[1]],
  ).map(x => x * scale);
}

/** A pose in the frame of another: the difference of the places is taken before it is turned. */
function relativeTo(frame: Pose, inverse: Float64Array, pose: Pose): Pose {
  const within = new Float64Array(16);
  within[15] = 1;
  if (frame === pose) {
    within[0] = within[5] = within[10] = 1;
    return within;
  }
  for (let column = 0; column < 16; column += 4) {
    const last = column === 12;
    const x = pose[column] - (last ? frame[12] : 0);
    const y = pose[column + 1] - (last ? frame[13] : 0);
    const z = pose[column + 2] - (last ? frame[14] : 0);
    for (let row = 0; row < 3; row++) {
      within[column + row] = inverse[row] * x + inverse[3 + row] * y + inverse[6 + row] * z;
    }
  }
  return within;
}

function isSame(a: Pose, b: Pose, far: number): boolean {
  for (let i = 0; i < 16; i++) {
    const allowed = 1e-14 * (i < 12 ? 1 : Math.max(far, Math.abs(a[i])));
    if (Math.abs(a[i] - b[i]) > allowed) return false;
  }
  return true;
}
