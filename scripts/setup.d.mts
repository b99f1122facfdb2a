import type { ExecFileSyncOptions, ExecFileSyncOptionsWithStringEncoding } from 'node:child_process';

/** Installs the packages of package-lock.json, if that has not been done. */
export function setUp(): void;
/** Runs npm, on Windows through a shell. Returns what it printed. */
export function runNpm(words: readonly string[], options: ExecFileSyncOptionsWithStringEncoding): string;
export function runNpm(words: readonly string[], options?: ExecFileSyncOptions): string | Buffer;
