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
import { Threads } from './threads/threads.ts';

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

/** An engine with its own memory. Kernels are compiled by `compile`, or when they are first needed. */
export const createCpuEngine = (options: CpuEngineOptions = {}): CpuEngine => new CpuEngine(options);

export interface CpuEngineOptions {
  /** Whether its memory is shared between threads; by default if the platform allows that. */
  readonly shared?: boolean | undefined;
  /** How many threads work on long questions, the calling one included; by default as many as there are cores. */
  readonly threads?: number | undefined;
  /** The most bytes of memory; by default 4 GiB. */
  readonly maxMemory?: number | undefined;
}

export class CpuEngine implements Engine {
  readonly backend = 'cpu';
  readonly name = 'WebAssembly SIMD';
  #memory: KernelMemory | undefined;
  #poseMemory: PoseMemory | undefined;
  readonly #shared: boolean;
  readonly #parts = new Map<unknown, unknown>();
  #closed = false;

  readonly threads: Threads;

  constructor({ shared = canShare(), threads, maxMemory }: CpuEngineOptions = {}) {
    const memory = new KernelMemory(shared, maxMemory);
    memory.start(firstAddress);
    this.threads = new Threads(memory, threads);
    this.#memory = memory;
    this.#shared = shared;
    this.#poseMemory = shared ? poseMemoryIn(this) : undefined;
  }

  /** The kernels' memory. Throws 'closed' if the engine was closed. */
  get memory(): KernelMemory {
    if (this.#memory === undefined) throw closed();
    return this.#memory;
  }

  get poseMemory(): PoseMemory | undefined {
    return this.#poseMemory;
  }

  /** Whether the engine was closed. A closed engine answers no question. */
  get closed(): boolean {
    return this.#closed;
  }

  readonly checkOpen = (): void => {
    if (this.#closed) throw closed();
  };

  /**
   * The part that `create` makes, once per engine. If `create` throws, all memory it took is freed, and the parts that
   * it made on its way are forgotten with it.
   */
  part<P>(create: (engine: CpuEngine) => P): P {
    this.checkOpen();
    let part = this.#parts.get(create) as P | undefined;
    if (part !== undefined) return part;
    const before = this.#parts.size;
    try {
      part = this.memory.orNothing(() => create(this));
    } catch (error) {
      for (const key of [...this.#parts.keys()].slice(before)) this.#parts.delete(key);
      throw error;
    }
    this.#parts.set(create, part);
    return part;
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
   * Compiles the modules of all questions that the application imports, without blocking the thread. Returns undefined
   * if all of them are compiled. Without it, `kernels` compiles synchronously, which browsers before 2023 refuse on a
   * page's main thread.
   */
  compile(): Promise<unknown> | undefined {
    return KernelModule.compileAll(this.#shared);
  }

  /** Bytes of memory in use by trees and questions. */
  get usedBytes(): number {
    return this.#memory?.usedBytes ?? 0;
  }

  forget(shape: Shape): void {
    for (const part of this.#parts.values()) (part as Part).forget?.(shape);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.threads.close();
    for (const part of this.#parts.values()) (part as Part).close?.();
    // Answers refer to the engine, and may be kept for long. Questions under way have what they need of the memory.
    this.#parts.clear();
    this.#memory = undefined;
    this.#poseMemory = undefined;
  }
}

const closed = (): NearfieldError => new NearfieldError('closed', 'the engine was closed');

const poseModule = /* @__PURE__ */ new KernelModule<PoseKernel>(bytes);

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
