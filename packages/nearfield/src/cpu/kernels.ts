// Modules of kernels (`kernels.as.ts` of a folder, compiled to WebAssembly) in the engine's one memory. A question brings its own;
// all of them see the same addresses. Kernels keep no static data, so that modules cannot write over each other's
// (scripts/kernels.mjs checks it). Addresses and sizes are in bytes.

import type { KernelMemory } from './memory.ts';

/** What a kernel that can stop returns (states.as.ts): finished, an output is too small, the budget is spent. */
export const done = 0;
export const full = 1;
export const paused = 2;

/** A module loaded into a memory: its functions, and the offsets and sizes it exports. */
export interface Kernels<Functions, Name extends string> {
  readonly call: Functions;
  readonly layout: Readonly<Record<Name, number>>;
  readonly memory: KernelMemory;
  /** What another thread needs to work in the same memory; only where memory can be shared. */
  readonly module: WebAssembly.Module | undefined;
}

/** What is loaded of a module. */
export type KernelsOf<M> = M extends KernelModule<infer F, infer N> ? Kernels<F, N> : never;

type Kind = 'shared' | 'own';

export class KernelModule<Functions, Name extends string> {
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #names: readonly Name[];
  readonly #compiled: Partial<Record<Kind, WebAssembly.Module>> = {};
  readonly #compiling: Partial<Record<Kind, Promise<WebAssembly.Module> | undefined>> = {};

  /** `names` are those of the numbers it exports. */
  constructor(bytes: Uint8Array<ArrayBuffer>, names: readonly Name[]) {
    this.#bytes = bytes;
    this.#names = names;
  }

  isCompiled(shared: boolean): boolean {
    return this.#compiled[kindOf(shared)] !== undefined;
  }

  /** Compiled once, aside. A failure is not kept: the next call tries again. */
  async compile(shared: boolean): Promise<void> {
    const kind = kindOf(shared);
    this.#compiling[kind] ??= WebAssembly.compile(this.#bytesFor(shared));
    try {
      this.#compiled[kind] = await this.#compiling[kind];
    } finally {
      this.#compiling[kind] = undefined;
    }
  }

  /** A new instance in a memory; compiled now where nobody has waited for it. */
  load(memory: KernelMemory): Kernels<Functions, Name> {
    const shared = memory.stays;
    const module = (this.#compiled[kindOf(shared)] ??= new WebAssembly.Module(this.#bytesFor(shared)));
    const { exports } = new WebAssembly.Instance(module, { env: { memory: memory.memory } });
    const value = (name: Name): number => (exports[name] as WebAssembly.Global).value as number;
    const layout = Object.fromEntries(this.#names.map(name => [name, value(name)])) as Record<Name, number>;
    return { call: exports as Functions, layout, memory, module: shared ? module : undefined };
  }

  #bytesFor(shared: boolean): Uint8Array<ArrayBuffer> {
    return shared ? withSharedMemory(this.#bytes) : this.#bytes;
  }
}

const kindOf = (shared: boolean): Kind => (shared ? 'shared' : 'own');

/**
 * The same module importing a shared memory: one bit in the limits of its import (WebAssembly core, binary format of
 * memory types: 1 has a maximum, 3 is shared as well).
 */
function withSharedMemory(module: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const text = (word: string) => [word.length, ...new TextEncoder().encode(word)];
  const entry = [...text('env'), ...text('memory'), 2, 1];
  const patched = module.slice();
  const at = patched.findIndex((_, i) => entry.every((byte, k) => patched[i + k] === byte));
  if (at < 0) throw new Error('the kernels do not import their memory as expected');
  patched[at + entry.length - 1] = 3;
  return patched;
}
