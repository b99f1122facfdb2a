// How Knott's experiments ask, and how they place bodies.

import type { RaycastFound, RaycastOptions, Scene, shapes } from 'nearfield';
import type { Lab } from '../paper.ts';

/** The thesis placed objects 100 times per point. A software GPU is too slow for that. */
export const placements = (lab: Lab): number => (lab.isSoftware ? 3 : 100);
/** Placements that every way is asked about first, without being timed: JavaScript is compiled after some questions. */
export const warmUps = (lab: Lab): number => (lab.isSoftware ? 2 : 50);
export const warmUpWords = (lab: Lab): string =>
  `Before the first placement that counts, every way is asked about ${warmUps(lab)} others, so that JavaScript is compiled.`;
export const resolutionOf = (lab: Lab): number => (lab.isSoftware ? 64 : 256);
export const ask = (
  scene: Scene,
  options: RaycastOptions,
): Promise<Pick<RaycastFound, 'raycast' | 'stats'>> =>
  scene.sampledInterferences({ method: 'raycast', ...options } as { method: 'raycast' });

export function placeNear(random: shapes.Random, bodies: readonly { pose: ArrayLike<number> }[]): void {
  for (const body of bodies) body.pose = randomPose(random, 0.3);
}

/** A random rotation (from a random unit quaternion) and a random place. */
export function randomPose(random: shapes.Random, reach: number): number[] {
  const [x, y, z] = random.direction();
  const angle = random.between(0, 2 * Math.PI);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const t = 1 - c;
  const place = () => random.between(-reach, reach);
  return [
    ...[t * x * x + c, t * x * y + s * z, t * x * z - s * y, 0],
    ...[t * x * y - s * z, t * y * y + c, t * y * z + s * x, 0],
    ...[t * x * z + s * y, t * y * z - s * x, t * z * z + c, 0],
    ...[place(), place(), place(), 1],
  ];
}
