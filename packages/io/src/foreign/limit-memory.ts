// How is the memory of a package bounded? The memory of WebAssembly grows by `Memory.grow` only, which is replaced: past
// the limit it fails as if the machine had no more.

/**
 * Bounds the WebAssembly memory of this thread, in bytes. Returns a function that tells whether more was wanted. Its source
 * runs in another thread, so it must not use anything from outside.
 */
export function limitMemory(memory: number): () => boolean {
  const { grow } = WebAssembly.Memory.prototype;
  let full = false;
  WebAssembly.Memory.prototype.grow = function (pages: number) {
    if (this.buffer.byteLength + 65536 * pages > memory) {
      full = true;
      throw new RangeError('out of memory');
    }
    return grow.call(this, pages);
  };
  return () => full;
}
