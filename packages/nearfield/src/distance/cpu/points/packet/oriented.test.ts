// Every vertex of a child lies in its oriented box, the matrix of the box lengthens nothing, the chosen vertex is one
// of the child's, and the corners of every triangle lie in its disc.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { treesOf } from '../../../../bvh/cpu/build/trees.ts';
import { toEnd } from '../../../../core/waiting.ts';
import { type CpuEngine, createCpuEngine } from '../../../../cpu/engine.ts';
import { type Mesh, mesh } from '../../../../mesh/mesh.ts';
import { displacedSphere } from '../../../../shapes/icosphere.ts';
import { createRandom } from '../../../../shapes/random.ts';
import * as layout from '../../kernels.layout.ts';
import { distanceKernels } from '../../kernels.ts';
import { orientedBoxes } from './oriented.ts';

let engine: CpuEngine;
beforeAll(async () => {
  engine = await createCpuEngine();
});
afterAll(() => engine.close());

const orientedLevels = 3;

/** Checks all boxes of a mesh. Returns how many were checked. */
function checkBoxes(given: Mesh): number {
  const kernels = engine.kernels(distanceKernels);
  const { f32, u32 } = kernels.memory;
  const shape = { mesh: given, positions: given.positions, revision: 0 };
  const tree = treesOf(engine).of(shape);
  const at = toEnd(orientedBoxes(kernels, tree, given.triangleCount));
  const leafCount = Math.ceil(given.triangleCount / 4);
  const leaves = u32[(tree.at + layout.Tree.leaves) / 4];
  /** The vertices of a range of leaves, as stored in the tree's frame. */
  const verticesOf = (first: number, end: number): number[][] =>
    Array.from({ length: 12 * (end - first) }, (_, i) => {
      const corner =
        (leaves + (first + Math.floor(i / 12)) * 144 + Math.floor((i % 12) / 4) * 48) / 4 + (i % 4);
      return [f32[corner], f32[corner + 4], f32[corner + 8]];
    });
  const counts: number[] = [];
  for (let count = leafCount; counts.length === 0 || count > 1; )
    counts.unshift((count = Math.ceil(count / 4)));
  const total = counts.reduce((sum, count) => sum + count);
  const isOriented = (level: number) => level >= counts.length - orientedLevels;
  let checked = 0;
  let node = 0;
  let oriented = 0;
  counts.forEach((count, level) => {
    const leavesPerChild = 4 ** (counts.length - 1 - level);
    for (let i = 0; i < count; i++, node++) {
      for (let lane = 0; lane < 4; lane++) {
        const first = (4 * i + lane) * leavesPerChild;
        const box = (at + total * 48 + oriented * 240) / 4 + lane;
        const isChild = first < leafCount;
        if (!isChild) {
          if (isOriented(level)) expect(f32[box + 36]).toBe(Infinity);
          continue;
        }
        const vertices = verticesOf(first, Math.min(leafCount, first + leavesPerChild));
        const chosen = [0, 4, 8].map(row => f32[(at + node * 48) / 4 + lane + row]);
        expect(vertices).toContainEqual(chosen);
        if (!isOriented(level)) continue;
        const rows = [0, 12, 24].map(row => [0, 4, 8].map(axis => f32[box + row + axis]));
        const norm = Math.max(
          ...rows.map(a =>
            rows.reduce((sum, b) => sum + Math.abs(a.reduce((s, v, k) => s + v * b[k], 0)), 0),
          ),
        );
        expect(norm).toBeLessThanOrEqual(1);
        rows.forEach((row, axis) => {
          const along = vertices.map(vertex => row.reduce((sum, v, k) => sum + v * vertex[k], 0));
          expect(Math.min(...along)).toBeGreaterThanOrEqual(f32[box + 36 + 4 * axis]);
          expect(Math.max(...along)).toBeLessThanOrEqual(f32[box + 48 + 4 * axis]);
        });
        checked++;
      }
      if (isOriented(level)) oriented++;
    }
  });
  for (let leaf = 0; leaf < leafCount; leaf++) {
    for (let lane = 0; lane < 4; lane++) {
      const disc = (at + total * 48 + oriented * 240 + leaf * 128) / 4 + lane;
      const [centre, normal] = [0, 12].map(row => [0, 4, 8].map(axis => f32[disc + row + axis]));
      const squared = normal.reduce((sum, v) => sum + v * v, 0);
      expect(squared).toBeLessThanOrEqual(1);
      if (squared > 0) expect(squared).toBeGreaterThanOrEqual(1 - 2 ** -20);
      for (const corner of verticesOf(leaf, leaf + 1).filter((_, i) => i % 4 === lane)) {
        const way = corner.map((v, k) => v - centre[k]);
        expect(Math.hypot(...way)).toBeLessThanOrEqual(f32[disc + 24]);
        expect(Math.abs(way.reduce((sum, v, k) => sum + v * normal[k], 0))).toBeLessThanOrEqual(
          f32[disc + 28],
        );
      }
    }
  }
  engine.forget(shape);
  return checked;
}

describe('oriented boxes', () => {
  it('hold the triangles of smooth surfaces', () => {
    expect(checkBoxes(displacedSphere({ triangles: 1500, seed: 1 }))).toBeGreaterThan(400);
  });

  it('hold triangles without a normal, slivers, and meshes of a few triangles', () => {
    const random = createRandom(2);
    for (const count of [1, 2, 4, 5, 17, 70, 300]) {
      const positions = new Float64Array(9 * count);
      for (let t = 0; t < count; t++) {
        const kind = t % 4;
        const start = [0, 1, 2].map(() => random.between(-1, 1));
        const way = [0, 1, 2].map(() => random.between(-1, 1) * 10 ** -random.between(0, 12));
        for (let corner = 0; corner < 3; corner++) {
          const along = kind === 0 ? 0 : random.between(-1, 1);
          for (let k = 0; k < 3; k++) {
            const aside = kind === 3 ? random.between(-1, 1) : kind === 2 ? random.between(-1e-9, 1e-9) : 0;
            positions[9 * t + 3 * corner + k] = start[k] + along * way[k] + aside;
          }
        }
      }
      expect(checkBoxes(mesh(positions))).toBeGreaterThan(0);
    }
  });
});
