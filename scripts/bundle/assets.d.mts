import type { Plugin } from 'esbuild';

export function assets(kernels: readonly string[]): Plugin;
