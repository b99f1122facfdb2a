/** The WebAssembly modules of the library, by path. */
export const kernelModules: readonly string[];
export function buildKernels(): Promise<void>;
