// What `open` loads for the CPU backend, all at once: synchronous forms cannot wait for their code.

export { CpuScene } from './cpu-scene.ts';
export { particles, particlesSync } from './particles/make.ts';
