import { afterEach, expect, it } from 'vitest';
import { type CpuEngine, createCpuEngine } from './engine.ts';

const { Memory } = WebAssembly;
afterEach(() => {
  WebAssembly.Memory = Memory;
});

it('frees the parts, and their memory, that another part had made before it failed', () => {
  const engine = createCpuEngine();
  const used = engine.usedBytes;
  let made = 0;
  const inner = ({ memory }: CpuEngine) => ({ at: memory.allocate(64, 'a part'), number: ++made });
  let isFailing = true;
  const outer = (own: CpuEngine) => {
    const part = own.part(inner);
    if (isFailing) throw new Error('no');
    return { part };
  };
  expect(() => engine.part(outer)).toThrow('no');
  expect(engine.usedBytes).toBe(used);
  isFailing = false;
  expect(engine.part(outer).part.number).toBe(2);
  expect(engine.part(inner).number).toBe(2);
  expect(engine.usedBytes).toBe(used + 64);
  engine.close();
});

it('says that there is no memory for another engine', () => {
  WebAssembly.Memory = class extends Memory {
    constructor(descriptor: WebAssembly.MemoryDescriptor) {
      super(descriptor);
      throw new RangeError('could not allocate memory');
    }
  };
  expect(createCpuEngine).toThrow(
    expect.objectContaining({
      code: 'out-of-memory',
      message: expect.stringContaining('no memory for another CPU engine'),
    }),
  );
});
