// A tree built in steps equals the tree built at once, byte for byte. An unfinished build is neither lost nor kept for
// ever.

import { describe, expect, it, vi } from 'vitest';
import type { Shape } from '../../../bodies/snapshot/snapshot.ts';
import { toEnd } from '../../../core/waiting.ts';
import { createCpuEngine } from '../../../cpu/engine.ts';
import { treeLevels } from '../../../inspect/tree-levels.ts';
import { identity } from '../../../math/pose.ts';
import { type Mesh, mesh } from '../../../mesh/mesh.ts';
import { createRandom, displacedSphere, icosphere } from '../../../shapes/index.ts';
import * as layout from '../kernels.layout.ts';
import { bvhKernels } from '../kernels.ts';
import { stepTriangles } from './tree-steps.ts';
import { treesOf } from './trees.ts';

const engine = createCpuEngine();
const kernels = engine.kernels(bvhKernels);
const trees = treesOf(engine);

const shapeOf = (of: Mesh): Shape => ({ mesh: of, positions: of.positions, revision: 0 });

/** The bytes of the frame, the order of the triangles, their corners, and all boxes down to the leaves. */
function bytesOf(shape: Shape): Buffer {
  const { memory } = kernels;
  const tree = trees.of(shape);
  const { at, triangleCount } = tree;
  const words = (from: number, count: number) =>
    Buffer.from(memory.u32.slice(from / 4, from / 4 + count).buffer);
  const section = (offset: number, count: number) => words(memory.u32[(at + offset) / 4], count);
  const parts = [
    words(at + layout.Tree.centreX, (layout.treeHeaderBytes - layout.Tree.centreX) / 4),
    section(layout.Tree.order, triangleCount),
    section(layout.Tree.triangles, 3 * triangleCount),
    ...treeLevels(engine, { shape, pose: identity(), poseRevision: 0 }).levels.map(({ boxes }) =>
      Buffer.from(boxes.buffer),
    ),
  ];
  return Buffer.concat(parts);
}

function soup(seed: number, triangles: number, double: boolean): Mesh {
  const random = createRandom(seed);
  const numbers = Array.from({ length: 9 * triangles }, () => random.between(-1, 1));
  return mesh(double ? Float64Array.from(numbers) : Float32Array.from(numbers));
}

describe('a tree built in steps', () => {
  const meshes: Record<string, Mesh> = {
    'of a sphere of 141,120': icosphere({ frequency: 84 }),
    'of a bumpy one of about 40,000': displacedSphere({ triangles: 40_000, amplitude: 0.3 }),
    'of as many triangles as one step has': soup(1, stepTriangles, true),
    'of one more': soup(2, stepTriangles + 1, false),
    'of one more than four to the eighth': soup(3, 65_537, false),
    'of one triangle': soup(4, 1, true),
    'of none': mesh(new Float32Array(), new Uint32Array()),
  };
  for (const [name, of] of Object.entries(meshes)) {
    it(`${name} equals the one built at once`, () => {
      const [whole, stepped] = [shapeOf(of), shapeOf(of)];
      let steps = 0;
      for (const work = trees.make(stepped); !work.next().done; ) steps++;
      expect(steps).toBeGreaterThan(of.triangleCount / stepTriangles);
      expect(trees.has(stepped)).toBe(true);
      expect(bytesOf(stepped).equals(bytesOf(whole))).toBe(true);
      trees.forget(whole);
      trees.forget(stepped);
    });
  }

  it('continues where it was left, also synchronously', () => {
    const of = meshes['of a sphere of 141,120'];
    const whole = shapeOf(of);
    const all = [...trees.make(whole)].length;
    for (let first = 1; first < all; first += 9) {
      const shape = shapeOf(of);
      const work = trees.make(shape);
      for (let step = 0; step < first; step++) work.next();
      expect(trees.has(shape)).toBe(false);
      // The generator yields before each step, so the step it stopped at is the first of the rest.
      if (first % 2 === 0) toEnd(trees.make(shape));
      else expect([...trees.make(shape)].length).toBe(all - first + 1);
      expect(bytesOf(shape).equals(bytesOf(whole)), `left after ${first} steps`).toBe(true);
      expect(work.next().done).toBe(true);
      trees.forget(shape);
    }
    trees.forget(whole);
  });

  it('frees its memory when it is forgotten or its positions are replaced', () => {
    const { memory } = kernels;
    const of = meshes['of a sphere of 141,120'];
    const before = memory.usedBytes;
    for (let steps = 1; steps < 40; steps += 13) {
      const shape = shapeOf(of);
      const work = trees.make(shape);
      for (let step = 0; step < steps; step++) work.next();
      trees.forget(shape);
      expect(memory.usedBytes).toBe(before);
      // The freed memory is not used again: the build restarts.
      const rest = [...trees.make(shape)].length;
      expect(rest).toBeGreaterThan(30);
      trees.forget(shape);
      expect(memory.usedBytes).toBe(before);
      const deformed = shapeOf(of);
      const begun = trees.make(deformed);
      for (let step = 0; step < steps; step++) begun.next();
      deformed.positions = of.positions.map(x => 2 * x) as typeof of.positions;
      deformed.revision++;
      const doubled = shapeOf(mesh(deformed.positions, of.indices));
      expect(bytesOf(deformed).equals(bytesOf(doubled))).toBe(true);
      trees.forget(deformed);
      trees.forget(doubled);
      expect(memory.usedBytes).toBe(before);
    }
  });

  it('is refitted in one step if it exists already, and reordered when there is time', () => {
    const of = meshes['of a bumpy one of about 40,000'];
    const shape = shapeOf(of);
    trees.of(shape);
    const random = createRandom(9);
    shape.positions = of.positions.map(() => random.between(-1, 1)) as typeof of.positions;
    shape.revision++;
    expect([...trees.make(shape)].length).toBe(1);
    expect(trees.has(shape)).toBe(true);
    const anew = shapeOf(mesh(shape.positions, of.indices));
    expect(bytesOf(shape).equals(bytesOf(anew))).toBe(true);
    trees.forget(shape);
    trees.forget(anew);
  });
});

describe('a tree whose refit ran out of memory', () => {
  it.each([false, true])('is refitted by the next question (rebuild asked for: %s)', rebuild => {
    const of = soup(7, 300, true);
    const shape = shapeOf(of);
    trees.of(shape);
    shape.positions = of.positions.map((x: number) => 1.25 * x + 3);
    shape.revision++;
    if (rebuild) shape.builds = 1;
    const { memory } = kernels;
    const room = vi.spyOn(memory, 'allocate').mockImplementation(() => {
      throw new Error('no memory');
    });
    expect(() => trees.of(shape)).toThrow('no memory');
    room.mockRestore();
    expect(trees.has(shape)).toBe(false);
    // Refitted as if nothing had happened.
    const other = shapeOf(of);
    trees.of(other);
    other.positions = shape.positions;
    other.revision++;
    if (rebuild) other.builds = 1;
    expect(bytesOf(shape).equals(bytesOf(other))).toBe(true);
    trees.forget(shape);
    trees.forget(other);
  });
});
