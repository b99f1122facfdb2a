// Kernel modules: the `kernels.as.ts` of a folder, compiled to WebAssembly. Each question brings its own modules, and
// all of them work in the engine's one memory, with the same addresses. Kernels have no static data, so that modules
// cannot overwrite each other's (scripts/kernels.mjs checks this). Beside a module lies `kernels.layout.ts`, which
// scripts/kernels.mjs derives from it: where the fields of its records lie, and its constants. Addresses and sizes are
// in bytes.

import type { KernelMemory } from './memory.ts';

/** Return values of kernels that can stop early (states.as.ts): finished, an output is full, the budget is spent. */
export const done = 0;
export const full = 1;
export const paused = 2;
/** Other threads have all that is left to do. */
export const idle = 3;

/** A module loaded into a memory. */
export interface Kernels<Functions> {
  readonly call: Functions;
  readonly memory: KernelMemory;
  /** The compiled module, for another thread to instantiate in the same memory. Only if memory is shared. */
  readonly module: WebAssembly.Module | undefined;
}

/** The kernels type of a module. */
export type KernelsOf<M> = M extends KernelModule<infer F> ? Kernels<F> : never;

type Kind = 'shared' | 'own';

export class KernelModule<Functions> {
  /**
   * Every module of the questions that the application imports. Modules are marked as pure, so that bundlers leave out
   * those that no imported question uses.
   */
  static readonly #all: KernelModule<unknown>[] = [];

  /** Compiles, asynchronously, what is not compiled yet. Returns undefined if that is nothing. */
  static compileAll(shared: boolean): Promise<unknown> | undefined {
    const missing = KernelModule.#all.filter(module => !module.isCompiled(shared));
    return missing.length === 0 ? undefined : Promise.all(missing.map(module => module.compile(shared)));
  }

  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #compiled: Partial<Record<Kind, WebAssembly.Module>> = {};
  readonly #compiling: Partial<Record<Kind, Promise<WebAssembly.Module> | undefined>> = {};

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes;
    KernelModule.#all.push(this);
  }

  isCompiled(shared: boolean): boolean {
    return this.#compiled[kindOf(shared)] !== undefined;
  }

  /** Compiles the module once, asynchronously. After a failure the next call tries again. */
  async compile(shared: boolean): Promise<void> {
    const kind = kindOf(shared);
    this.#compiling[kind] ??= WebAssembly.compile(this.#bytesFor(shared));
    try {
      this.#compiled[kind] = await this.#compiling[kind];
    } finally {
      this.#compiling[kind] = undefined;
    }
  }

  /** A new instance in a memory. Compiles synchronously if `compile` has not finished. */
  load(memory: KernelMemory): Kernels<Functions> {
    const shared = memory.stays;
    const module = (this.#compiled[kindOf(shared)] ??= new WebAssembly.Module(this.#bytesFor(shared)));
    const { exports } = new WebAssembly.Instance(module, { env: { memory: memory.memory } });
    return { call: exports as Functions, memory, module: shared ? module : undefined };
  }

  #bytesFor(shared: boolean): Uint8Array<ArrayBuffer> {
    return shared ? withSharedMemory(this.#bytes) : this.#bytes;
  }
}

const kindOf = (shared: boolean): Kind => (shared ? 'shared' : 'own');

/**
 * The same module, importing a shared memory. It differs in one bit, in the limits of the memory import (WebAssembly
 * core, binary format of memory types: flag 1 means there is a maximum, flag 3 means it is also shared).
 */
function withSharedMemory(module: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = (word: string) => [word.length, ...new TextEncoder().encode(word)];
  const entry = [...text('env'), ...text('memory'), 2, 1];
  const patched = module.slice();
  const at = patched.findIndex((_, i) => entry.every((byte, k) => patched[i + k] === byte));
  if (at < 0) throw new Error('the kernels do not import their memory');
  patched[at + entry.length - 1] = 3;
  return patched;
}
