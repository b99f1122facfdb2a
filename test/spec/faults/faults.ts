// A fault injector: the n-th call of any of a few functions fails, for n = 1, 2, 3, … until a question is answered
// without a fault. After each fault the same question is asked again of the same scene, and must give the answer of a
// fresh scene. The library does not know of this: functions are replaced from outside and restored.

import { NearfieldError } from 'nearfield';
import { KernelMemory } from '../../../packages/nearfield/src/cpu/memory.ts';
import { type Random, randomFrom } from '../../oracle/triangles/generators.ts';

/** What a failing call does instead. */
type Failing = (original: (...given: unknown[]) => unknown, self: object, given: unknown[]) => unknown;

/** Constructors that allocate memory outside of the kernels'. */
const allocating = [
  ...(['Float64Array', 'Float32Array', 'Uint32Array', 'Uint8Array', 'Int32Array'] as const),
  'SharedArrayBuffer',
] as const;

export class FaultInjector {
  readonly #restores: (() => void)[] = [];
  #failAt = 0;
  #ignored: string | undefined;
  /** Calls since the injector was armed. */
  calls = 0;
  /** The call that failed since then, if any. */
  fired: string | undefined;

  /** Counts the calls of a method from now on; the n-th of all counted calls does what `failing` does. */
  watch(owner: object, name: string, failing: Failing): void {
    const target = owner as Record<string, unknown>;
    const original = target[name] as (...given: unknown[]) => unknown;
    const injector = this;
    const replaced = function (this: object, ...given: unknown[]): unknown {
      const isNew = new.target !== undefined;
      const plain = (...other: unknown[]) =>
        isNew ? Reflect.construct(original, other) : original.apply(this, other);
      return injector.#isNext(name) ? failing(plain, this, given) : plain(...given);
    };
    this.replace(owner, name, replaced);
  }

  /** Puts another value in place of a property. */
  replace(owner: object, name: string, value: unknown): void {
    const before = Object.getOwnPropertyDescriptor(owner, name);
    Object.defineProperty(owner, name, { value, configurable: true, writable: true });
    this.#restores.push(() => {
      if (before === undefined) delete (owner as Record<string, unknown>)[name];
      else Object.defineProperty(owner, name, before);
    });
  }

  /** The same for memory and arrays created from a length or from values; views of existing memory cannot fail. */
  watchArrays(failing: () => never): void {
    for (const name of allocating) {
      const watched: object = new Proxy(globalThis[name], {
        construct: (target, given, newTarget): object => {
          const [first] = given;
          const isView = !ArrayBuffer.isView(first) && first instanceof Object && 'byteLength' in first;
          if (!isView && this.#isNext(name)) failing();
          return Reflect.construct(target, given, newTarget === watched ? target : newTarget);
        },
      });
      this.replace(globalThis, name, watched);
    }
  }

  /** For calls that the test itself makes, such as those of a `progress`. */
  readonly call = (name: string, failing: () => void): void => {
    if (this.#isNext(name)) failing();
  };

  /** From now on the n-th call fails; those of `ignored` are not counted. */
  arm(n: number, ignored?: string): void {
    this.calls = 0;
    this.fired = undefined;
    this.#failAt = n;
    this.#ignored = ignored;
  }

  disarm(): void {
    this.#failAt = 0;
  }

  /** Puts everything back. */
  restore(): void {
    for (const restore of this.#restores.splice(0).reverse()) restore();
  }

  #isNext(name: string): boolean {
    if (this.#failAt === 0 || name === this.#ignored || ++this.calls !== this.#failAt) return false;
    this.fired = name;
    return true;
  }
}

/** Where the CPU backend can fail. */
export type CpuFault = 'allocation' | 'array' | 'grow' | 'progress' | 'abort' | 'await';

export const cpuFaults: readonly CpuFault[] = ['grow', 'progress', 'abort', 'await', 'array', 'allocation'];

const outOfMemory = (): never => {
  throw new NearfieldError('out-of-memory', 'injected');
};

/** Has the faults of a kind counted. */
export function watchCpu(injector: FaultInjector, fault: CpuFault): void {
  if (fault === 'allocation') injector.watch(KernelMemory.prototype, 'allocate', outOfMemory);
  if (fault === 'grow') {
    // Twice, because after a failure less is requested.
    injector.watch(WebAssembly.Memory.prototype, 'grow', (_, memory) => {
      injector.arm(1);
      injector.fired = 'grow';
      throw new RangeError(`injected: ${memory}`);
    });
  }
  if (fault === 'array') {
    injector.watchArrays(() => {
      throw new RangeError('injected: Array buffer allocation failed');
    });
  }
  if (fault === 'await') {
    injector.watch(globalThis, 'MessageChannel', () => {
      throw new Error('injected');
    });
  }
}

/** A pattern that fills all free memory, to detect writes to freed memory. */
export class Sentinels {
  readonly #memory: KernelMemory;
  readonly #blocks: (readonly [at: number, bytes: number])[] = [];

  constructor(memory: KernelMemory) {
    this.#memory = memory;
    const { prototype } = WebAssembly.Memory;
    const { grow } = prototype;
    prototype.grow = () => {
      throw new RangeError('only what is free');
    };
    try {
      for (let bytes = 2 ** 20; bytes >= 64; bytes /= 2) this.#take(bytes);
    } finally {
      prototype.grow = grow;
    }
  }

  /** Whether the pattern is intact; frees it. */
  areIntact(): boolean {
    const { u32 } = this.#memory;
    const isIntact = this.#blocks.every(([at, bytes]) => {
      for (let i = at / 4; i < (at + bytes) / 4; i++) if (u32[i] !== sentinel) return false;
      return true;
    });
    for (const [at] of this.#blocks) this.#memory.free(at);
    return isIntact;
  }

  #take(bytes: number): void {
    for (;;) {
      let at: number;
      try {
        at = this.#memory.allocate(bytes, 'sentinels');
      } catch {
        return;
      }
      this.#memory.u32.fill(sentinel, at / 4, (at + bytes) / 4);
      this.#blocks.push([at, bytes]);
    }
  }
}

const sentinel = 0x5ca1ab1e;

/**
 * How a GPU can fail: a call throws or rejects, the device silently refuses a command, or the device is lost, before
 * a call or while its answer is awaited.
 */
export type GpuFault = 'throws' | 'refuses' | 'loses' | 'loses meanwhile';

const devicesCalls = [
  'createBuffer',
  'createBindGroup',
  'createCommandEncoder',
  'createComputePipelineAsync',
  'popErrorScope',
];

/** The random numbers of one story of a seed, so that each story can be repeated alone. */
export const storyOf = (seed: number, kind: string, story: number): Random =>
  randomFrom((Math.imul(seed, 0x9e3779b1) + Math.imul(story + 1, 0x85ebca6b) + kind.length) >>> 0);

/** The story to run, if NEARFIELD_STORY names one; otherwise all from the first on. */
export const onlyStory: number | undefined =
  process.env['NEARFIELD_STORY'] === undefined ? undefined : Number(process.env['NEARFIELD_STORY']);

/** Counts the calls of a device, and of all others of its kind. */
export function watchGpu(injector: FaultInjector, device: GPUDevice, fault: GpuFault): void {
  const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST });
  const watch = (owner: object, name: string) =>
    injector.watch(ownerOf(owner, name), name, (original, _, given) => {
      if (fault === 'throws') {
        const error = new Error(`injected: ${name}`);
        // The scope is still closed.
        if (name === 'popErrorScope') (original(...given) as Promise<unknown>).catch(() => {});
        if (name.endsWith('Async') || name === 'popErrorScope') return Promise.reject(error);
        throw error;
      }
      if (fault === 'loses') device.destroy();
      if (fault.startsWith('loses')) {
        const answer = original(...given);
        device.destroy();
        return answer;
      }
      if (name === 'submit') return original([invalidCommands(device), ...(given[0] as GPUCommandBuffer[])]);
      const [{ mappedAtCreation = false, size }] = given as [GPUBufferDescriptor];
      if (name !== 'createBuffer' || mappedAtCreation) return original(...given);
      // Larger than any buffer can be, so it is invalid. It reports the requested size, as when memory is short.
      const buffer = original({ ...(given[0] as object), size: 2 ** 50 }) as GPUBuffer;
      Object.defineProperty(buffer, 'size', { value: size });
      return buffer;
    });
  if (fault !== 'refuses') {
    for (const name of devicesCalls) watch(device, name);
    watch(buffer, 'mapAsync');
    watch(device.queue, 'writeBuffer');
  } else {
    watch(device, 'createBuffer');
    delayRefusals(injector, buffer);
  }
  watch(device.queue, 'submit');
  buffer.destroy();
}

/**
 * A failed mapping is reported late: other parts of a question may have failed by then, and the next one may have
 * been asked.
 */
function delayRefusals(injector: FaultInjector, buffer: GPUBuffer): void {
  const owner = ownerOf(buffer, 'mapAsync') as GPUBuffer;
  const { mapAsync } = owner;
  injector.replace(owner, 'mapAsync', function (this: GPUBuffer, ...given: Parameters<typeof mapAsync>) {
    return mapAsync.apply(this, given).catch(async (error: unknown) => {
      await new Promise(resolve => setTimeout(resolve, 20));
      throw error;
    });
  });
}

/** Commands that the device refuses at submission; it reports this to an open error scope. */
function invalidCommands(device: GPUDevice): GPUCommandBuffer {
  const buffer = device.createBuffer({ size: 4, usage: GPUBufferUsage.COPY_DST });
  const encoder = device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, buffer, 0, 4);
  return encoder.finish();
}

/** The object that has a method: most often a prototype. */
function ownerOf(object: object, name: string): object {
  let owner = object;
  while (!Object.hasOwn(owner, name)) owner = Object.getPrototypeOf(owner);
  return owner;
}

/** The content of an answer as numbers and texts; bodies by index, and nothing about how it was found. */
export function said(answer: unknown, bodies: readonly object[]): unknown {
  return sayer(bodies)(answer, 0);
}

/** How an answer was found, and what it is made of. */
const unsaid = new Set([
  'stats',
  'phases',
  'backend',
  'mesh',
  'bodies',
  'asker',
  'question',
  'isFiltered',
  'keep',
  'texture',
  'indices',
]);

function sayer(bodies: readonly object[]): (value: unknown, depth: number) => unknown {
  const say = (value: unknown, depth: number): unknown => {
    if (typeof value === 'function') return undefined;
    if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
    const place = bodies.indexOf(value);
    if (place >= 0) return `body ${place}`;
    if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
    if (Array.isArray(value)) return value.map(part => say(part, depth + 1));
    if (depth > 6) return undefined;
    const names = new Set(Object.keys(value));
    for (
      let up = Object.getPrototypeOf(value);
      up !== null && up !== Object.prototype;
      up = Object.getPrototypeOf(up)
    ) {
      for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(up)))
        if (get) names.add(name);
    }
    const parts: Record<string, unknown> = {};
    for (const name of names) {
      if (!unsaid.has(name)) parts[name] = say((value as Record<string, unknown>)[name], depth + 1);
    }
    return parts;
  };
  return say;
}
