// What does Node offer that a page does not? Only this file knows. It imports nothing from Node, but looks for Node at
// run time, so that bundlers for pages find nothing to replace.

/** The parts of `node:worker_threads`, `node:module` and `node:fs` that are used. */
export interface NodeModules {
  readonly Worker: new (
    code: string,
    options: object,
  ) => {
    on(event: 'message' | 'error' | 'exit', listener: (value: unknown) => void): void;
    terminate(): Promise<unknown>;
  };
  readonly createRequire: (from: string) => { resolve(name: string): string };
  readonly readFile: (path: string) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Undefined in a page, and in Node before 20.16. */
export function nodeOf(): NodeModules | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: string) => unknown; versions?: { node?: string } };
  };
  if (process?.versions?.node === undefined || process.getBuiltinModule === undefined) return undefined;
  const { Worker } = process.getBuiltinModule('node:worker_threads') as NodeModules;
  const { createRequire } = process.getBuiltinModule('node:module') as NodeModules;
  const { readFile } = (process.getBuiltinModule('node:fs') as { promises: NodeModules }).promises;
  return { Worker, createRequire, readFile };
}
