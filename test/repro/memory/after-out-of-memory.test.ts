import { type CpuScene, mesh, NearfieldError, open, shapes } from 'nearfield';
import { afterEach, describe, expect, test } from 'vitest';
import { KernelMemory } from '../../../packages/nearfield/src/cpu/memory.ts';
import { FaultInjector } from '../../spec/faults/faults.ts';

const at = (x: number, y = 0, z = 0) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1];
/** In a row whose neighbours cross, no face in the plane of another. */
const inRow = (i: number) => at(0.75 * i, 0.3 * i, 0.2 * i);
const box = shapes.box({ size: [1, 1, 1] });
const small = shapes.box({ size: [0.25, 0.25, 0.25] });

const injector = new FaultInjector();
afterEach(() => injector.restore());

/** Fails the allocation whose purpose matches a pattern, once. */
function failOnce(pattern: RegExp): void {
  let failed = false;
  const { allocate } = KernelMemory.prototype;
  injector.replace(
    KernelMemory.prototype,
    'allocate',
    function (this: KernelMemory, bytes: number, what: string) {
      if (failed || !pattern.test(what)) return allocate.call(this, bytes, what);
      failed = true;
      throw new NearfieldError('out-of-memory', `injected: ${what}`);
    },
  );
}

const pairs = (scene: CpuScene) =>
  scene.interferencesSync().pairs.map(({ a, b, triangles }) => [a.name, b.name, triangles.length]);

// A row got its new shape before the shape had a tree. After out-of-memory it counted as known, with the tree of the
// previous body.
describe('after a tree that did not fit in memory', () => {
  test('a body in the row of another gets its own answer', async () => {
    const nf = await open({ backend: 'cpu' });
    const scene = nf.scene();
    for (let i = 0; i < 3; i++) scene.add(box, { name: `${i}`, pose: inRow(i) });
    const before = pairs(scene);
    expect(before.map(([a, b]) => `${a} ${b}`)).toEqual(['0 1', '1 2']);
    scene.remove(scene.bodies[2]);
    scene.add(small, { name: 'small', pose: inRow(2) });
    failOnce(/a tree of/);
    expect(() => scene.interferencesSync()).toThrow('injected');
    // The box that was there reached its neighbour; this one does not.
    expect(pairs(scene).map(([a, b]) => `${a} ${b}`)).toEqual(['0 1']);
    nf.close();
  });

  test('a body in a new row is found', async () => {
    const nf = await open({ backend: 'cpu' });
    const scene = nf.scene();
    scene.add(box, { name: '0' });
    pairs(scene);
    scene.add(small, { name: '1', pose: at(0.5) });
    failOnce(/a tree of/);
    expect(() => scene.interferencesSync()).toThrow('injected');
    expect(pairs(scene).map(([a, b]) => `${a} ${b}`)).toEqual(['0 1']);
    nf.close();
  });
});

// A body that could not be added used up an index.
test('a body that could not be added leaves no gap in the indices', async () => {
  const nf = await open({ backend: 'cpu' });
  const scene = nf.scene();
  expect(() => scene.add(box, { pose: [1] })).toThrow();
  expect(scene.add(box).index).toBe(0);
  nf.close();
});

if (process.env['NEARFIELD_SLOW']) {
  // As it was found: without an injected fault, by a mesh whose tree is larger than WebAssembly's memory can be.
  test('a sheet of 79 million triangles, and the next question', { timeout: 1_800_000 }, async () => {
    const nf = await open({ backend: 'cpu' });
    const scene = nf.scene();
    for (let i = 0; i < 3; i++) scene.add(box, { name: `${i}`, pose: inRow(i) });
    const right = pairs(scene);
    scene.remove(scene.bodies[2]);
    const sheet = scene.add(sheetOf(6285), { name: 'sheet', pose: inRow(2) });
    for (let asked = 0; asked < 2; asked++) {
      expect(() => scene.interferencesSync()).toThrow(expect.objectContaining({ code: 'out-of-memory' }));
    }
    scene.remove(sheet);
    expect(pairs(scene)).toEqual(right.slice(0, 1));
    scene.add(box, { name: '2', pose: inRow(2) });
    expect(pairs(scene)).toEqual(right);
    nf.close();
  });

  /** A square with this many cells per side, two triangles per cell. */
  function sheetOf(cells: number) {
    const side = cells + 1;
    const positions = new Float32Array(3 * side * side);
    for (let v = 0; v < side * side; v++) {
      positions[3 * v] = (v % side) / cells;
      positions[3 * v + 1] = Math.floor(v / side) / cells;
    }
    const indices = new Uint32Array(6 * cells * cells);
    for (let cell = 0, to = 0; cell < cells * cells; cell++) {
      const v = Math.floor(cell / cells) * side + (cell % cells);
      for (const corner of [v, v + 1, v + side, v + 1, v + side + 1, v + side]) indices[to++] = corner;
    }
    return mesh(positions, indices);
  }
}
