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

/** What one step of a scene with many bodies found. */
export interface Found {
  readonly step: number;
  readonly time: number;
  /** How many bodies there are now. */
  readonly bodies: number;
  /** Pairs of bodies whose boxes meet, and of those the ones that share a point. */
  readonly candidates: number;
  readonly pairs: number;
  /** Pairs of triangles that share a point: of different bodies, and of one that deforms with itself. */
  readonly triangles: number;
  readonly selfTriangles: number;
}

/** A body apart from its scene. */
export interface Part {
  readonly name: string;
  readonly mesh: Mesh;
  readonly pose: Pose;
}

export interface Sample<Result = Step> {
  readonly name: string;
  readonly scene: Scene;
  /** As it now stands: in some samples bodies come and go. */
  readonly bodies: readonly Body[];
  /** Goes on by a step of `dt`; left out, by the step the sample is made for. */
  step(dt?: number): Promise<Result>;
  /** The bodies as they now stand, in the order of `bodies`: to be drawn, or checked as an assembly. */
  parts(): Part[];
  /** Frees the scene. */
  close(): void;
}

/** A sample whose motion does not depend on what is found, so that it can go on without being asked. */
export interface Moving extends Sample<Found> {
  /** Goes on without a question. */
  advance(dt?: number): void;
}

/** Everything a moving scene is asked after a step. */
export async function find(
  scene: Scene,
  at: Pick<Found, 'step' | 'time'>,
  deforming: readonly Body[] = [],
): Promise<Found> {
  const candidates = scene.candidates().length;
  const found = await scene.interferences({ detail: 'count' });
  let [triangles, selfTriangles] = [0, 0];
  for (const { triangleCount = 0 } of found) triangles += triangleCount;
  for (const body of deforming) selfTriangles += (await scene.selfIntersections(body)).triangles.length / 2;
  const bodies = scene.bodies.length;
  return { ...at, bodies, candidates, pairs: found.length, triangles, selfTriangles };
}
