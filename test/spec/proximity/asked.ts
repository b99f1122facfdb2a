// Shared by the parts of the proximity spec: an open backend, and scenes of their own.

import {
  type Body,
  type Distance,
  type DistanceOptions,
  type Nearfield,
  type Scene,
  shapes,
} from 'nearfield';
import { type Part, translation } from '../scenes.ts';

export interface ProximitySize {
  /** Random scenes per kind, and triangles per soup. */
  readonly scenes: number;
  readonly triangles: number;
  /** Bodies of the scenes for clearances. */
  readonly bodies?: number;
}

export class Asked {
  readonly scenes: number;
  readonly triangles: number;
  readonly bodyCount: number;
  #opened: Nearfield | undefined;

  constructor({ scenes, triangles, bodies = 70 }: ProximitySize) {
    this.scenes = scenes;
    this.triangles = triangles;
    this.bodyCount = bodies;
  }

  get backend(): Nearfield['backend'] {
    return this.#opened!.backend;
  }
  async open(open: () => Promise<Nearfield>): Promise<void> {
    this.#opened = await open();
  }
  close(): void {
    this.#opened!.close();
  }

  sceneOf(parts: readonly Part[]): { scene: Scene; bodies: Body[] } {
    const scene = this.#opened!.scene();
    return { scene, bodies: parts.map(({ mesh, pose }) => scene.add(mesh, { pose })) };
  }
  /** The distance of the first two. */
  async ask(parts: readonly Part[], options: DistanceOptions = {}): Promise<Distance> {
    const { scene, bodies } = this.sceneOf(parts);
    const answer = await scene.distance(bodies[0], bodies[1], options);
    scene.close();
    return answer;
  }
}

export const box = (size: [number, number, number]) => shapes.box({ size });

/** Unit cubes, x from middle to middle. */
export const boxesAt = (x: number): Part[] => [
  { mesh: box([1, 1, 1]), pose: translation(0, 0, 0) },
  { mesh: box([1, 1, 1]), pose: translation(x, 0.25, -0.125) },
];
