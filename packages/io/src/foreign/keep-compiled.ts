// How does the next file spare the compiling of a package? Every file is read in a new thread, which compiles the
// package's WebAssembly function by function as the file needs them: two seconds for most STEP files, more than reading
// takes. V8 looks up the bytes among the modules of all threads of the process, and shares what is compiled as long as
// any thread keeps the module. So this thread keeps it.

import type { NodeModules } from './node.ts';

/** Per path, undefined for a module that could not be kept. */
const kept = new Map<string, Promise<WebAssembly.Module | undefined>>();

/** Keeps the WebAssembly at a path of a package in Node. Call it when the first thread starts: both share one compiling. */
export function keepCompiled({ createRequire, readFile }: NodeModules, path: string): void {
  if (kept.has(path)) return;
  const compile = async () =>
    WebAssembly.compile(await readFile(createRequire(import.meta.url).resolve(path)));
  // The thread reports what is wrong with the package.
  kept.set(
    path,
    compile().catch(() => undefined),
  );
}
