// Two jaws in four stages: scanned ones, if the environment variable NEARFIELD_JAWS names two files (upper and lower jaw, in
// millimetres and in their bite, separated by a comma), otherwise generated ones. Scans are open surfaces; they are closed
// as the paper closed its teeth, by polygons at the open ends.

import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type JawStage, jawParts } from '@nearfield/samples';
import { type CpuNearfield, type Mesh, mesh } from 'nearfield';
import { filled, single } from '../../scenes/meshes/generated.ts';

export interface JawPair {
  /** What they are, for the page. */
  readonly name: string;
  readonly upper: Mesh;
  readonly lower: Mesh;
  /** From the upper jaw towards the lower one. */
  readonly bite: readonly [number, number, number];
  /** Where the lower jaw is. */
  poseAt(stage: JawStage): Float64Array;
}

/** `triangles`: how many the generated jaws have, at least; default 112,000. */
export async function jawPair(cpu: CpuNearfield, triangles?: number): Promise<JawPair> {
  const given = process.env.NEARFIELD_JAWS;
  if (given === undefined || given === '') return generated(triangles);
  const files = given.split(',');
  if (files.length !== 2)
    throw new Error(`NEARFIELD_JAWS names two files, separated by a comma; it is '${given}'`);
  const [upper, lower] = await Promise.all(files.map(scanned));
  return inStages(cpu, upper, lower, files.map(file => basename(file)).join(' and '));
}

function generated(triangles = 112_000): JawPair {
  const { upper, lower, poseAt } = jawParts({ teeth: 'five', triangles });
  const polygons = upper.mesh.triangleCount + lower.mesh.triangleCount;
  return {
    name: `five generated teeth, ${polygons.toLocaleString('en')} polygons`,
    upper: single(upper.mesh),
    lower: single(lower.mesh),
    bite: [0, 0, -1],
    poseAt,
  };
}

async function scanned(file: string): Promise<Mesh> {
  const { readFile } = await import('@nearfield/io');
  const { bodies } = await readFile(basename(file), readFileSync(file));
  const positions: number[] = [];
  const indices: number[] = [];
  for (const { mesh: part } of bodies) {
    const first = positions.length / 3;
    for (const x of part.positions) positions.push(x);
    for (const index of part.indices) indices.push(first + index);
  }
  const whole = mesh(Float64Array.from(positions), Uint32Array.from(indices));
  const closed = whole.solid ? whole : filled(whole);
  if (!closed.solid) throw new Error(`${file} cannot be closed: it is no manifold surface`);
  return closed;
}

/**
 * The stages of generated jaws, relative to the first contact along the bite: half a millimetre apart, 1/32 mm deep, half a
 * millimetre deep, and moved sideways by 1.25 mm.
 */
function inStages(cpu: CpuNearfield, upper: Mesh, lower: Mesh, files: string): JawPair {
  const middle = ({ bounds }: Mesh, k: number) => (bounds[k] + bounds[k + 3]) / 2;
  const ways = [0, 1, 2].map(k => middle(lower, k) - middle(upper, k));
  const axis = ways.reduce((best, way, k) => (Math.abs(way) > Math.abs(ways[best]) ? k : best), 0);
  const bite: [number, number, number] = [0, 0, 0];
  bite[axis] = Math.sign(ways[axis]);
  // Depths are measured against the bite, from where the files have the lower jaw.
  const place = (depth: number, aside = 0): Float64Array => {
    const pose = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
    pose[12 + axis] = -bite[axis] * depth;
    pose[12 + ((axis + 1) % 3)] = aside;
    return pose;
  };
  const scene = cpu.scene();
  scene.add(upper);
  const moving = scene.add(lower);
  let [clear, deep] = [-16, 16];
  for (let i = 0; i < 16; i++) {
    const depth = (clear + deep) / 2;
    moving.pose = place(depth);
    if (scene.interferencesSync({ detail: 'any' }).length > 0) deep = depth;
    else clear = depth;
  }
  scene.close();
  const depths = { apart: -0.5, touching: 1 / 32, closed: 0.5, crossed: 0.75 };
  const polygons = upper.triangleCount + lower.triangleCount;
  return {
    name: `two scanned jaws (${files}), ${polygons.toLocaleString('en')} polygons`,
    ...{ upper, lower, bite },
    poseAt: stage => place(deep + depths[stage], stage === 'crossed' ? 1.25 : 0),
  };
}
