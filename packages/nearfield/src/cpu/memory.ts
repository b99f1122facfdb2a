// The kernels' memory: a first-fit allocator over one growing WebAssembly memory. Blocks are 64-byte aligned. Only this
// file grows the memory, and it then creates new typed-array views. Reading `memory.buffer` at each access would cost
// more than most accesses.

import { wholeNumber } from '../core/arguments.ts';
import { NearfieldError } from '../core/errors.ts';

const pageBytes = 65536;
/** What a 32-bit address reaches. */
const mostBytes = 2 ** 32;
/** The least maximum that a memory can have. */
export const leastMaximum = 2 ** 24;

/** The rule for the most bytes that a memory may have. A number beyond the reach of an address counts as that reach. */
export const aMemorySize = /* @__PURE__ */ wholeNumber(leastMaximum);

const alignment = 64;

/** Free bytes [at, at + bytes). */
interface Gap {
  at: number;
  bytes: number;
}

function createMemory(shared: boolean, maximum: number): WebAssembly.Memory {
  try {
    return new WebAssembly.Memory({ initial: 16, maximum, shared });
  } catch (cause) {
    // A process has room for only so many memories, because each reserves its maximum of address space.
    const message = 'no memory for another CPU engine: close those no longer needed';
    throw new NearfieldError('out-of-memory', message, { cause });
  }
}

export class KernelMemory {
  readonly memory: WebAssembly.Memory;
  /** Sorted by address; adjacent gaps are merged. */
  readonly #gaps: Gap[] = [];
  readonly #blocks = new Map<number, number>();
  /** Blocks allocated since `orNothing` began; undefined outside of it. */
  #taken: number[] | undefined;
  #u32: Uint32Array;
  #f32: Float32Array;
  #f64: Float64Array;

  /** Whether views stay valid when the memory grows, as with shared memory. */
  readonly stays: boolean;
  /** The most bytes that it can have. */
  readonly maximumBytes: number;

  /** Shared memory can be used by several threads, but only one of them may allocate. */
  constructor(shared = false, maximum = mostBytes) {
    this.stays = shared;
    const pages = Math.floor(Math.min(maximum, mostBytes) / pageBytes);
    this.maximumBytes = pages * pageBytes;
    this.memory = createMemory(shared, pages);
    this.#u32 = new Uint32Array(this.memory.buffer);
    this.#f32 = new Float32Array(this.memory.buffer);
    this.#f64 = new Float64Array(this.memory.buffer);
  }

  /** Manages all memory from address `base` on. What lies below belongs to the module. */
  start(base: number): void {
    const at = roundUp(base);
    this.#gaps.push({ at, bytes: this.memory.buffer.byteLength - at });
  }

  get u32(): Uint32Array {
    return this.#u32;
  }
  get f32(): Float32Array {
    return this.#f32;
  }
  get f64(): Float64Array {
    return this.#f64;
  }

  /** Bytes allocated and not freed. */
  get usedBytes(): number {
    let sum = 0;
    for (const bytes of this.#blocks.values()) sum += bytes;
    return sum;
  }

  allocate(wanted: number, what: string): number {
    const bytes = Math.max(alignment, roundUp(wanted));
    let index = this.#gaps.findIndex(gap => gap.bytes >= bytes);
    if (index < 0) {
      this.#grow(bytes, what);
      index = this.#gaps.findIndex(gap => gap.bytes >= bytes);
    }
    const gap = this.#gaps[index];
    const at = gap.at;
    gap.at += bytes;
    gap.bytes -= bytes;
    if (gap.bytes === 0) this.#gaps.splice(index, 1);
    this.#blocks.set(at, bytes);
    this.#taken?.push(at);
    return at;
  }

  free(at: number): void {
    const bytes = this.#blocks.get(at);
    if (bytes === undefined) return;
    this.#blocks.delete(at);
    this.#release(at, bytes);
  }

  /** Reallocates: a block of another size with as much of the old contents as fits. The old block is freed. */
  enlarge(at: number, bytes: number, what: string): number {
    const to = this.allocate(bytes, what);
    // The old block may be the larger one: if several blocks grow together and memory runs out halfway, the first have
    // grown.
    const size = Math.min(this.#blocks.get(at) ?? 0, this.#blocks.get(to)!);
    this.u32.copyWithin(to / 4, at / 4, (at + size) / 4);
    this.free(at);
    return to;
  }

  /**
   * A block of another size in place of one whose contents are no longer needed. `at` is 0 if there is none yet. The
   * old block is freed first, so that the new one can reuse its space. If memory runs out, the old block stays
   * allocated.
   */
  replace(at: number, bytes: number, what: string): number {
    const size = this.#blocks.get(at);
    this.free(at);
    try {
      return this.allocate(bytes, what);
    } catch (error) {
      if (size !== undefined) this.#retake(at, size);
      throw error;
    }
  }

  /** Runs `make`, which allocates several blocks. If it throws, the blocks allocated so far are freed. */
  orNothing<T>(make: () => T): T {
    const outer = this.#taken;
    const taken: number[] = [];
    this.#taken = taken;
    try {
      const made = make();
      outer?.push(...taken);
      return made;
    } catch (error) {
      for (const at of taken) this.free(at);
      throw error;
    } finally {
      this.#taken = outer;
    }
  }

  /** Allocates exactly the block that was just freed. */
  #retake(at: number, bytes: number): void {
    const index = this.#gaps.findIndex(gap => gap.at <= at && at + bytes <= gap.at + gap.bytes);
    const gap = this.#gaps[index];
    const before = { at: gap.at, bytes: at - gap.at };
    const after = { at: at + bytes, bytes: gap.at + gap.bytes - at - bytes };
    this.#gaps.splice(index, 1, ...[before, after].filter(rest => rest.bytes > 0));
    this.#blocks.set(at, bytes);
  }

  #release(at: number, bytes: number): void {
    const gaps = this.#gaps;
    let low = 0;
    let high = gaps.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (gaps[middle].at < at) low = middle + 1;
      else high = middle;
    }
    const before = gaps[low - 1];
    const after = gaps[low];
    const joinsBefore = before !== undefined && before.at + before.bytes === at;
    const joinsAfter = after !== undefined && at + bytes === after.at;
    if (joinsBefore && joinsAfter) {
      before.bytes += bytes + after.bytes;
      gaps.splice(low, 1);
    } else if (joinsBefore) {
      before.bytes += bytes;
    } else if (joinsAfter) {
      after.at = at;
      after.bytes += bytes;
    } else {
      gaps.splice(low, 0, { at, bytes });
    }
  }

  #grow(bytes: number, what: string): void {
    const size = this.memory.buffer.byteLength;
    const last = this.#gaps[this.#gaps.length - 1];
    const atEnd = last !== undefined && last.at + last.bytes === size ? last.bytes : 0;
    const missing = bytes - atEnd;
    // Grow by at least an eighth, so that many small allocations do not each grow the memory.
    const generous = Math.ceil(Math.max(missing, size / 8) / pageBytes);
    const least = Math.ceil(missing / pageBytes);
    for (const pages of [Math.min(generous, (this.maximumBytes - size) / pageBytes), least]) {
      if (pages < least) continue;
      try {
        this.memory.grow(pages);
      } catch {
        continue;
      }
      this.#u32 = new Uint32Array(this.memory.buffer);
      this.#f32 = new Float32Array(this.memory.buffer);
      this.#f64 = new Float64Array(this.memory.buffer);
      this.#release(size, pages * pageBytes);
      return;
    }
    const megabytes = Math.ceil(bytes / 1e6);
    const limit = `an engine has at most ${Math.floor(this.maximumBytes / 1e6)} MB`;
    throw new NearfieldError(
      'out-of-memory',
      `${what}: no memory for ${megabytes} MB more than the ${Math.round(size / 1e6)} MB in use; ${limit}`,
    );
  }
}

const roundUp = (bytes: number): number => Math.ceil(bytes / alignment) * alignment;
