// The module of the ray kernels: the functions that TypeScript calls (kernels.ts), and what it knows of their memory.

export { castRays, HitRecord, RaysJob, raysBytes } from './cast.as';
