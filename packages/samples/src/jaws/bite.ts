// The jaws as a scene that moves: from apart to crossed and again, one stage per step, with the map of the distance
// from the upper jaw to the lower one along the bite (Myszkowski, Okunev and Kunii, figures 5 and 6).

import type { DistanceMap, Nearfield } from 'nearfield';
import type { Sample } from '../sample.ts';
import { type JawOptions, type JawStage, jawParts, jawStages } from './jaws.ts';

export interface BiteOptions extends JawOptions {
  /** Width of a pixel of the map, in millimetres. */
  readonly pixel?: number;
}

/** The result of one stage. */
export interface Bite {
  readonly step: number;
  readonly stage: JawStage;
  /** Distances from the upper jaw down; `regions` are teeth. */
  readonly map: DistanceMap;
}

export function createJaws(nf: Nearfield, { pixel = 0.1, ...options }: BiteOptions = {}): Sample<Bite> {
  const { upper, lower, poseAt } = jawParts(options);
  const scene = nf.scene();
  const a = scene.add(upper.mesh, { name: upper.name, pose: upper.pose });
  const b = scene.add(lower.mesh, { name: lower.name, pose: poseAt(jawStages[0]) });
  let step = 0;
  return {
    name: 'jaws',
    scene,
    bodies: [a, b],
    async step(): Promise<Bite> {
      const stage = jawStages[step % jawStages.length];
      b.pose = poseAt(stage);
      const regions = { a: upper.labels, b: lower.labels };
      const map = await scene.distanceMap(a, b, { pixel, direction: [0, 0, -1], regions });
      return { step: ++step, stage, map };
    },
    parts: () => [a, b].map(({ name, mesh, pose }) => ({ name, mesh, pose })),
    close: () => scene.close(),
  };
}
