// A sample: a scene that moves by itself, step by step, and reports figures. Everything is generated from a seed, so
// every run is the same. Lengths, masses and times are in metres, kilograms and seconds.

import type { Body, Mesh, Pose, Scene } from 'nearfield';

/** The result of one step. */
export interface Step {
  /** Steps so far, and the time they took in the scene. */
  readonly step: number;
  readonly time: number;
  /** Pairs of bodies that overlap. */
  readonly pairs: number;
  /** Penetrating points: samples in both bodies, or vertices in another body. */
  readonly points: number;
  /** The greatest distance of such a point from the surface that it must return to. */
  readonly deepest: number;
  /** Energy of motion, position and springs. 0 for a prescribed motion without response. */
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
  /** Pairs of triangles that share a point: of different bodies, and of one deforming body with itself. */
  readonly triangles: number;
  readonly selfTriangles: number;
}

/** A body without its scene. */
export interface Part {
  readonly name: string;
  readonly mesh: Mesh;
  readonly pose: Pose;
}

export interface Sample<Result = Step> {
  readonly name: string;
  readonly scene: Scene;
  /** The current bodies: in some samples bodies come and go. */
  readonly bodies: readonly Body[];
  /** Advances by `dt`; default the step that the sample is made for. */
  step(dt?: number): Promise<Result>;
  /** The current bodies, in the order of `bodies`, for drawing or for checking as an assembly. */
  parts(): Part[];
  /** Frees the scene. */
  close(): void;
}

/** A sample whose motion does not depend on answers, so that it can advance without questions. */
export interface Moving extends Sample<Found> {
  /** Advances without a question. */
  advance(dt?: number): void;
}

/** All questions of a moving scene after a step. */
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
