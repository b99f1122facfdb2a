// Distances, rays, boxes, spheres and motion: a scene loads their code together, since they share most of it.

export { closest, distance, within } from './entries/distance.ts';
export { firstContact, nearestApproach, sweep } from './entries/motion.ts';
export { rays } from './entries/rays.ts';
export { inBox, inSphere } from './entries/regions.ts';
