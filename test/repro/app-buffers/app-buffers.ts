// Helpers for bugs with poses and positions that stay on the GPU.

export { bufferOf } from '../../../packages/nearfield/src/gpu/testing/test-buffers.ts';

/** A pose that only translates. */
export const at = (x: number, y = 0, z = 0): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
