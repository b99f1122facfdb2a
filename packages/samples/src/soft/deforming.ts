// Two bodies that deform every step (Hoff et al., plates 2 and 3), with or without a response. Their common volume is
// sampled. With a response every sample pushes as in rigid/penalty.ts: its nearest surface one way, and the other
// body's nearest surface the other way, so that both give way.

import type { Body, Mesh, Nearfield, Scene } from 'nearfield';
import type { Sample, Step } from '../sample.ts';
import { SoftBody, type SoftOptions } from './soft-body.ts';

export interface DeformingOptions {
  /** Whether the bodies push one another; otherwise they pass through one another. */
  readonly response?: boolean;
  /** Triangles of both bodies together, about. */
  readonly triangles?: number;
  /** How far off the sampled region may be. */
  readonly tolerance?: number;
}

/** The parts of a sample of two deforming bodies. */
export interface Deforming {
  readonly name: string;
  readonly bodies: readonly [Omit<SoftOptions, 'mass'>, Omit<SoftOptions, 'mass'>];
  readonly tolerance: number;
  readonly response: boolean;
}

const usualStep = 1 / 240;
const density = 1;
/** Force per depth and volume. */
const stiffness = 4e4;

export function createDeforming(nf: Nearfield, { name, bodies, tolerance, response }: Deforming): Sample {
  const scene = nf.scene();
  const soft = bodies.map(options => new SoftBody(scene, { ...options, mass: density * volumeOf(options) }));
  const pair = [soft[0].body, soft[1].body] as const;
  let [steps, time] = [0, 0];
  return {
    name,
    scene,
    bodies: pair,
    async step(dt = usualStep): Promise<Step> {
      const volume = await scene.intersectionVolume(pair, { tolerance, depths: true });
      const { count, depths } = volume;
      let [deepest, energy] = [0, 0];
      if (count > 0 && depths) {
        const cell = volume.volume / count;
        for (const depth of depths.depth) {
          deepest = Math.max(deepest, depth);
          energy += stiffness * cell * depth * depth;
        }
        if (response) await pushApart(scene, pair, soft, volume.points, depths, stiffness * cell);
      }
      time += dt;
      for (const one of soft) {
        energy += one.energy;
        one.advance(time, dt);
      }
      return {
        step: ++steps,
        time,
        pairs: count > 0 ? 1 : 0,
        points: count,
        deepest,
        energy: response ? energy : 0,
      };
    },
    parts: () => soft.map(({ body, mesh }) => ({ name: body.name, mesh, pose: body.pose })),
    close: () => scene.close(),
  };
}

async function pushApart(
  scene: Scene,
  pair: readonly [Body, Body],
  soft: readonly SoftBody[],
  points: Float64Array,
  {
    depth,
    direction,
    body,
    triangle,
  }: NonNullable<Awaited<ReturnType<Scene['intersectionVolume']>>['depths']>,
  strength: number,
): Promise<void> {
  const nearest = [await scene.closest(pair[0], points), await scene.closest(pair[1], points)];
  for (let i = 0; i < depth.length; i++) {
    const [held, pushed] = body[i] === 0 ? [0, 1] : [1, 0];
    const size = strength * depth[i];
    const [x, y, z] = [size * direction[3 * i], size * direction[3 * i + 1], size * direction[3 * i + 2]];
    soft[pushed].push(nearest[pushed].triangles[i], x, y, z);
    soft[held].push(triangle[i], -x, -y, -z);
  }
}

/** As the motion begins. */
function volumeOf({ mesh: { positions, indices }, motion }: Omit<SoftOptions, 'mass'>): number {
  const p = new Float64Array(positions.length);
  motion(0, p);
  let sixfold = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [3 * indices[i], 3 * indices[i + 1], 3 * indices[i + 2]];
    sixfold +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sixfold / 6;
}

/** A motion that moves every vertex of a mesh by itself. */
export function motionOf(
  { positions }: Mesh,
  move: (time: number, x: number, y: number, z: number) => readonly [number, number, number],
): SoftOptions['motion'] {
  return (time, out) => {
    for (let i = 0; i < out.length; i += 3) {
      out.set(move(time, positions[i], positions[i + 1], positions[i + 2]), i);
    }
  };
}
