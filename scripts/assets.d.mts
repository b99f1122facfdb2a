import type { Plugin } from 'esbuild';

export function shortenKernel(text: string): string;
export function assets(kernels: readonly string[]): Plugin;
