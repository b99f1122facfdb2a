// A sample: a scene that moves by itself, step by step, and says how it goes. Everything is generated from a seed, so that
// every run is the same. Lengths, masses and times are in metres, kilograms and seconds.

import type { Body, Mesh, Pose, Scene } from 'nearfield';

/** What one step found. */
export interface Step {
  /** Steps so far, and the time they took in the scene. */
  readonly step: number;
  readonly time: number;
  /** Pairs of bodies that overlap. */
  readonly pairs: number;
  /** Penetrating points: samples in both bodies, or vertices in another body. */
  readonly points: number;
  /** The greatest distance of such a point from the surface it has to get back to. */
  readonly deepest: number;
  /** Energy of motion, position and springs. For a motion that is given, without response, 0. */
  readonly energy: number;
}

/** A body apart from its scene. */
export interface Part {
  readonly name: string;
  readonly mesh: Mesh;
  readonly pose: Pose;
}

export interface Sample {
  readonly name: string;
  readonly scene: Scene;
  readonly bodies: readonly Body[];
  /** Goes on by a step of `dt`; left out, by the step the sample is made for. */
  step(dt?: number): Promise<Step>;
  /** The bodies as they now stand, in the order of `bodies`: to be drawn, or checked as an assembly. */
  parts(): Part[];
  /** Frees the scene. */
  close(): void;
}
