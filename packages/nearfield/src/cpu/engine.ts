// The CPU engine: one WebAssembly memory, and kernels that work in it. It knows no question. A question stores its
// state with the engine (trees, lists, threads) as a part, which is created when it is first needed.

import type { Engine, PoseMemory } from '../bodies/engine.ts';
import { copyPoses, type PoseKernel } from '../bodies/pose-rows.ts';
import type { Shape } from '../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../core/errors.ts';
import { KernelModule, type Kernels } from './kernels.ts';
import { KernelMemory } from './memory.ts';
import { poseBytes } from './poses.layout.ts';
import bytes from './poses.wasm';

/** What a part may do when a shape is freed or the engine is closed. */
interface Part {
  forget?(shape: Shape): void;
  close?(): void;
}

/** The first bytes stay unused so that no address is 0. */
const firstAddress = 1024;

/**
 * Node can always share memory between threads. A page can only if it is cross-origin isolated, which needs server
 * headers.
 */
const canShare = (): boolean =>
  typeof SharedArrayBuffer !== 'undefined' &&
  (globalThis as { crossOriginIsolated?: boolean }).crossOriginIsolated !== false;

/** An engine with its own memory. Kernels are compiled by `load`, or when they are first needed. */
export const createCpuEngine = (): CpuEngine => new CpuEngine();

export class CpuEngine implements Engine {
  readonly backend = 'cpu';
  readonly name = 'WebAssembly SIMD';
  readonly memory: KernelMemory;
  readonly poseMemory: PoseMemory | undefined;
  readonly #parts = new Map<unknown, unknown>();
  #closed = false;

  /** By default, its memory is shared between threads if the platform allows that. */
  constructor(shared = canShare()) {
    this.memory = new KernelMemory(shared);
    this.memory.start(firstAddress);
    this.poseMemory = shared ? poseMemoryIn(this) : undefined;
  }

  /** Whether the engine was closed. A closed engine answers no question. */
  get closed(): boolean {
    return this.#closed;
  }

  readonly checkOpen = (): void => {
    if (this.#closed) throw new NearfieldError('closed', 'the engine was closed');
  };

  /** The part that `create` makes, once per engine. If `create` throws, all memory it took is freed. */
  part<P>(create: (engine: CpuEngine) => P): P {
    this.checkOpen();
    let part = this.#parts.get(create) as P | undefined;
    if (part === undefined) {
      part = this.memory.orNothing(() => create(this));
      this.#parts.set(create, part);
    }
    return part;
  }

  /** The same for a question that can wait: at once where the part has been made, else when its modules are compiled. */
  partOf<P extends object>(
    create: (engine: CpuEngine) => P,
    modules: readonly KernelModule<unknown>[],
  ): P | Promise<P> {
    const made = this.#parts.get(create) as P | undefined;
    if (made !== undefined) {
      this.checkOpen();
      return made;
    }
    const loading = this.load(...modules);
    return loading === undefined ? this.part(create) : loading.then(() => this.part(create));
  }

  /** The module's kernels, instantiated in this engine's memory. */
  kernels<F>(module: KernelModule<F>): Kernels<F> {
    let kernels = this.#parts.get(module) as Kernels<F> | undefined;
    if (kernels === undefined) {
      kernels = module.load(this.memory);
      this.#parts.set(module, kernels);
    }
    return kernels;
  }

  /**
   * Compiles modules without blocking the thread; returns undefined if all of them are compiled. Without it, `kernels`
   * compiles synchronously, which browsers before 2023 refuse on a page's main thread.
   */
  load(...modules: readonly KernelModule<unknown>[]): Promise<unknown> | undefined {
    const shared = this.memory.stays;
    const missing = modules.filter(module => !module.isCompiled(shared));
    return missing.length === 0 ? undefined : Promise.all(missing.map(module => module.compile(shared)));
  }

  /** Bytes of memory in use by trees and questions. */
  get usedBytes(): number {
    return this.memory.usedBytes;
  }

  forget(shape: Shape): void {
    for (const part of this.#parts.values()) (part as Part).forget?.(shape);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const part of this.#parts.values()) (part as Part).close?.();
  }
}

const poseModule = new KernelModule<PoseKernel>(bytes);

/** Space for scenes' poses in the engine's memory. The memory must be one that does not move when it grows. */
function poseMemoryIn(engine: CpuEngine): PoseMemory {
  const { memory } = engine;
  return {
    allocate(rows) {
      const at = memory.allocate(rows * poseBytes, `a table of ${rows} bodies`);
      const poses = new Float64Array(memory.memory.buffer as ArrayBuffer, at, 16 * rows).fill(0);
      return { poses, memory, at };
    },
    free: ({ at }) => memory.free(at),
    copy: (values, rows) => copyPoses(values, rows, engine.kernels(poseModule).call),
  };
}
