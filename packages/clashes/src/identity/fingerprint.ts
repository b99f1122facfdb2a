// Is a body the same as last week's? A hash of its mesh and one of its pose tell: if both are equal, its world positions
// are, bit for bit, and whatever was computed from them still holds.

import type { Mesh, Pose } from 'nearfield';
import { identityPose } from '../assembly/poses.ts';
import type { Fingerprint } from '../assembly/types.ts';
import { bytesOf, type Digest, hexOf, sha256 } from './sha256.ts';

const hashDigits = 32;

/** Instances share a mesh, which is hashed once. */
const known = new WeakMap<Mesh, string>();

/**
 * The fingerprint of a body and its poses, one per frame. `digest` is for a faster SHA-256 than ours, and `sets` for the hash of the
 * sets of the rules that the body is in.
 */
export function fingerprintOf(
  mesh: Mesh,
  poses: readonly (Pose | undefined)[],
  digest: Digest = sha256,
  sets?: string,
): Fingerprint {
  let hash = known.get(mesh);
  if (hash === undefined) known.set(mesh, (hash = meshHash(mesh, digest)));
  let box = worldBox(mesh, poses[0]);
  for (let frame = 1; frame < poses.length; frame++) box = unionOf(box, worldBox(mesh, poses[frame]));
  return { mesh: hash, pose: posesHash(poses, digest), box, sets };
}

function unionOf(p: number[] | undefined, q: number[] | undefined): number[] | undefined {
  return p && q && p.map((value, i) => (i < 3 ? Math.min(value, q[i]) : Math.max(value, q[i])));
}

/**
 * The bytes of the positions, and the indices as 32-bit numbers. Singles and doubles of equal value count as different:
 * that is rare, and then the body is only examined again.
 */
function meshHash({ positions, indices }: Mesh, digest: Digest): string {
  const wide = indices instanceof Uint32Array ? indices : Uint32Array.from(indices);
  const kind = bytesOf(positions instanceof Float32Array ? 'single' : 'double');
  return hashOfParts([kind, digest(bytesIn(positions)), digest(bytesIn(wide))], digest);
}

/** A single pose, which every body has, and its hash: memory that every call uses again. */
const single = new Float64Array(16);
const singleBytes = new Uint8Array(single.buffer);
const singleDigest = new Uint8Array(32);

/** The hash of the poses of a body in all frames. */
function posesHash(poses: readonly (Pose | undefined)[], digest: Digest): string {
  const numbers = poses.length === 1 ? single : new Float64Array(16 * poses.length);
  for (let frame = 0; frame < poses.length; frame++) {
    const pose = poses[frame] ?? identityPose;
    // Adding 0 turns -0 into 0: the world positions are equal.
    for (let i = 0; i < 16; i++) numbers[16 * frame + i] = pose[i] + 0;
  }
  // For so few bytes ours is the fastest: a call of another makes objects that take longer to free than the hash takes.
  if (numbers === single) return hexOf(sha256(singleBytes, singleDigest), hashDigits);
  return hexOf(digest(bytesIn(numbers)), hashDigits);
}

const bytesIn = (array: Float32Array | Float64Array | Uint32Array): Uint8Array =>
  new Uint8Array(array.buffer, array.byteOffset, array.byteLength);

function hashOfParts(parts: readonly Uint8Array[], digest: Digest): string {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return hexOf(digest(all), hashDigits);
}

/** The world box of the mesh's own box: where the body is, not its tightest bounds. Undefined if it has no triangles. */
function worldBox({ bounds }: Mesh, pose: Pose | undefined): number[] | undefined {
  if (!(bounds[0] <= bounds[3])) return undefined;
  if (pose === undefined) return [...bounds];
  const box = new Array<number>(6);
  for (let row = 0; row < 3; row++) {
    let center = pose[12 + row];
    let half = 0;
    for (let axis = 0; axis < 3; axis++) {
      center += pose[4 * axis + row] * (bounds[axis] / 2 + bounds[axis + 3] / 2);
      half += Math.abs(pose[4 * axis + row]) * (bounds[axis + 3] / 2 - bounds[axis] / 2);
    }
    box[row] = center - half;
    box[row + 3] = center + half;
  }
  return box;
}

/**
 * The hash of what was asked: the program's version, the method, units, tolerances, rules. Equal hashes mean that the
 * same bodies get the same answer. The value may be anything that JSON can write.
 */
export const questionHash = (question: unknown): string =>
  hexOf(sha256(bytesOf(JSON.stringify(question))), hashDigits);
