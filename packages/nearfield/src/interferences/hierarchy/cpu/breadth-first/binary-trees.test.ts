// The binary trees of the breadth-first traversal: their shape is the paper's, every volume contains its triangles, and the
// traversal tests the pairs of nodes that the paper's algorithm tests. The reference here works on the meshes' own positions.

import { expect, it } from 'vitest';
import { Failures } from '../../../../../../../test/oracle/failures.ts';
import { randomFrom } from '../../../../../../../test/oracle/triangles/generators.ts';
import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { treesOf } from '../../../../bvh/cpu/build/trees.ts';
import * as bvh from '../../../../bvh/cpu/kernels.layout.ts';
import { createCpuEngine } from '../../../../cpu/engine.ts';
import { multiplyPoses } from '../../../../math/pose.ts';
import { cpuPairs } from '../driver.ts';
import { giveLevelSearch } from '../level-search.ts';
import { place, randomMesh, rotation } from '../testing/scenes.ts';
import { binaryTreesOf } from './binary-trees.ts';
import * as layout from './kernels.layout.ts';
import { levelSearchesOf } from './levels.ts';

giveLevelSearch(levelSearchesOf);
const engine = createCpuEngine();
const normals = [
  ...[
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, 1, 0],
    [1, -1, 0],
  ],
  ...[
    [1, 0, 1],
    [1, 0, -1],
    [0, 1, 1],
    [0, 1, -1],
  ],
];

/** The slots of a body's binary tree, and its volumes level by level: centre and half width per slab. */
function read(body: Placed, volumes: 'boxes' | '18-dops') {
  const trees = binaryTreesOf(engine);
  const { u32, f32 } = engine.memory;
  const { at } = trees.take(body.shape, volumes);
  const word = (offset: number) => u32[(at + offset) >>> 2];
  const [leafCount, depth] = [word(layout.BinaryTree.leafCount), word(layout.BinaryTree.depth)];
  const rows = volumes === 'boxes' ? 4 : 12;
  const slabCount = volumes === 'boxes' ? 3 : 9;
  const levels: number[][][] = [];
  for (let level = 0; level <= depth; level++) {
    const count = Math.ceil(leafCount / 2 ** (depth - level));
    const first = (word(layout.BinaryTree.bytes + 4 * level) + 2 ** level * rows * 8) >>> 0;
    levels.push(
      Array.from({ length: count }, (_, node) =>
        Array.from({ length: 2 * slabCount }, (_, i) => {
          const slab = i < slabCount ? i : rows + i - slabCount;
          return f32[first / 4 + node * 2 * rows + slab];
        }),
      ),
    );
  }
  const slotsAt = word(layout.BinaryTree.slots) / 4;
  const slots = [...u32.slice(slotsAt, slotsAt + leafCount)];
  trees.release(trees.take(body.shape, volumes));
  return { slots, levels, slabCount };
}

/** Corners per slot in the frame of the body's tree: nine numbers each. */
function framedCorners({ shape }: Placed): number[][] {
  const { at, triangleCount } = treesOf(engine).of(shape);
  const { u32, f64 } = engine.memory;
  const number = (offset: number) => f64[(at + offset) / 8];
  const centre = [number(bvh.Tree.centreX), number(bvh.Tree.centreY), number(bvh.Tree.centreZ)];
  const order = u32[(at + bvh.Tree.order) / 4] / 4;
  return Array.from({ length: triangleCount }, (_, slot) =>
    [0, 1, 2].flatMap(corner => {
      const vertex = shape.mesh.indices[3 * u32[order + slot] + corner];
      return [0, 1, 2].map(
        axis => (shape.positions[3 * vertex + axis] - centre[axis]) * number(bvh.Tree.scale),
      );
    }),
  );
}

it.each(['boxes', '18-dops'] as const)(
  'every node contains its triangles, each on the lowest level: %s',
  kind => {
    const failures = new Failures();
    for (const count of [1, 2, 3, 4, 5, 7, 8, 9, 31, 32, 33, 100, 257]) {
      const body = place(randomMesh(randomFrom(count), count));
      const { slots, levels, slabCount } = read(body, kind);
      const corners = framedCorners(body);
      // n(L) = ⌈n(L+1)/2⌉, and one triangle per leaf.
      expect(levels.at(-1)!.length).toBe(count);
      expect(levels[0].length).toBe(1);
      for (let level = 0; level + 1 < levels.length; level++)
        expect(levels[level].length).toBe(Math.ceil(levels[level + 1].length / 2));
      expect([...slots].sort((a, b) => a - b)).toEqual(slots.map((_, i) => i));
      levels.forEach((nodes, level) => {
        slots.forEach((slot, leaf) => {
          const volume = nodes[leaf >> (levels.length - 1 - level)];
          for (let slab = 0; slab < slabCount; slab++) {
            for (let corner = 0; corner < 9; corner += 3) {
              const [x, y, z] = corners[slot].slice(corner, corner + 3);
              const along = normals[slab][0] * x + normals[slab][1] * y + normals[slab][2] * z;
              // The stored corners are rounded to single precision.
              failures.check(
                Math.abs(along - volume[slab]) <= volume[slabCount + slab] + 2 ** -23,
                () => `${count} triangles, level ${level}, leaf ${leaf}, slab ${slab}: ${along}, ${volume}`,
              );
            }
          }
        });
      });
      engine.forget(body.shape);
    }
    expect(failures.list).toEqual([]);
  },
);

it('tests the pairs of nodes that the published traversal tests, in trees of equal and unequal depth', () => {
  for (const [countA, countB] of [
    [300, 300],
    [1000, 40],
    [1, 500],
  ]) {
    const random = randomFrom(countA + countB);
    const a = place(randomMesh(random, countA), rotation(random));
    const b = place(randomMesh(random, countB), multiplyPoses(a.pose, rotation(random)));
    const answer = cpuPairs(engine).interfereSync([a, b], {
      detail: 'list',
      traversal: 'breadth-first',
      levels: { coherence: 'none' },
    });
    const expected = publishedTests(a, b);
    // One test in the broad phase, and one of the plane between the bodies' centres. The engine's boxes are a little larger.
    const tested = answer.stats.boxTests - 2;
    expect(tested, `${countA} against ${countB}`).toBeGreaterThanOrEqual(expected.boxes);
    expect(tested, `${countA} against ${countB}`).toBeLessThanOrEqual(1.001 * expected.boxes + 4);
    expect(answer.stats.triangleTests).toBeGreaterThanOrEqual(expected.leaves);
    expect(answer.stats.triangleTests).toBeLessThanOrEqual(1.001 * expected.leaves + 4);
    for (const { shape } of [a, b]) engine.forget(shape);
  }
});

/** Box tests and pairs of leaves of the published traversal, by exact boxes and the six axes of SAT lite in doubles. */
function publishedTests(a: Placed, b: Placed): { boxes: number; leaves: number } {
  const [treeA, treeB] = [a, b].map(body => {
    const { slots } = read(body, 'boxes');
    const { at } = treesOf(engine).of(body.shape);
    const order = engine.memory.u32[(at + bvh.Tree.order) / 4] / 4;
    const { indices } = body.shape.mesh;
    let level = slots.map(slot => {
      const triangle = engine.memory.u32[order + slot];
      const points = [0, 1, 2].map(k => {
        const at = 3 * indices[3 * triangle + k];
        return [...body.shape.positions.slice(at, at + 3)];
      });
      return [0, 1, 2].map(axis => [
        Math.min(...points.map(p => p[axis])),
        Math.max(...points.map(p => p[axis])),
      ]);
    });
    const levels = [level];
    while (level.length > 1) {
      const below = level;
      level = Array.from({ length: Math.ceil(below.length / 2) }, (_, i) => {
        const other = below[2 * i + 1] ?? below[2 * i];
        return below[2 * i].map(([low, high], k) => [
          Math.min(low, other[k][0]),
          Math.max(high, other[k][1]),
        ]);
      });
      levels.unshift(level);
    }
    return levels;
  });
  // Padded at the top by the root.
  const depth = Math.max(treeA.length, treeB.length);
  const padded = (levels: number[][][][]) => [
    ...Array.from({ length: depth - levels.length }, () => levels[0]),
    ...levels,
  ];
  const [levelsA, levelsB] = [padded(treeA), padded(treeB)];
  const children = (levels: number[][][][], level: number, node: number) => {
    const [now, next] = [levels[level], levels[level + 1]];
    return now === next ? [0] : [2 * node, 2 * node + 1].filter(child => child < next.length);
  };
  let pairs: [number, number][] = [[0, 0]];
  let boxes = 0;
  let leaves = 0;
  for (let level = 0; level < depth; level++) {
    boxes += pairs.length;
    const overlapping = pairs.filter(([i, j]) => !apart(levelsA[level][i], a, levelsB[level][j], b));
    if (level === depth - 1) leaves = overlapping.length;
    else
      pairs = overlapping.flatMap(([i, j]) =>
        children(levelsA, level, i).flatMap(x =>
          children(levelsB, level, j).map((y): [number, number] => [x, y]),
        ),
      );
    // Waiting at both roots happens in neither tree.
    if (levelsA[level] === levelsA[level + 1] && levelsB[level] === levelsB[level + 1]) boxes = Number.NaN;
  }
  return { boxes, leaves };
}

/** SAT lite for rigid poses: compares along the face normals of both boxes, in the world. */
function apart(boxA: number[][], a: Placed, boxB: number[][], b: Placed): boolean {
  const world = (box: number[][], { pose }: Placed) => ({
    centre: [0, 1, 2].map(
      row =>
        pose[12 + row] +
        box.reduce((sum, [low, high], axis) => sum + (pose[4 * axis + row] * (low + high)) / 2, 0),
    ),
    half: box.map(([low, high]) => (high - low) / 2),
    axes: [0, 1, 2].map(axis => [0, 1, 2].map(row => pose[4 * axis + row])),
  });
  const [p, q] = [world(boxA, a), world(boxB, b)];
  const dot = (u: number[], v: number[]) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const reach = ({ half, axes }: typeof p, along: number[]) =>
    half.reduce((sum, h, axis) => sum + h * Math.abs(dot(axes[axis], along)), 0);
  const gap = p.centre.map((c, k) => c - q.centre[k]);
  return [...p.axes, ...q.axes].some(along => Math.abs(dot(gap, along)) > reach(p, along) + reach(q, along));
}
