import type { Plugin } from 'vite';

export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}
export function packagesOf(modules: Iterable<string>): BundledPackage[];
export function noticesOf(packages: readonly BundledPackage[], bundle?: string): string;
export function noticesOfPage(others?: Iterable<string>): { page: Plugin; worker: Plugin };
