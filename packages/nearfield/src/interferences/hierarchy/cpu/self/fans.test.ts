import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { treesOf } from '../../../../bvh/cpu/build/trees.ts';
import { placeTriangle } from '../../../../math/pose.ts';
import { neighboursMeet } from '../../../../math/triangles/triangle-neighbours.ts';
import { type Mesh, mesh as meshOf, type Positions } from '../../../../mesh/mesh.ts';
import { type CpuNearfield, open } from '../../../../nearfield.ts';
import { coreOf } from '../../../../questions/bare-scene.ts';
import * as shapes from '../../../../shapes/index.ts';

const slow = process.env.NEARFIELD_SLOW !== undefined;

/** All pairs, decided exactly for every pair of triangles, without trees or fans. */
function everyPair(mesh: Mesh, positions: Positions, pose: Float64Array): string[] {
  const found: string[] = [];
  const corners = new Float64Array(18);
  for (let i = 0; i < mesh.triangleCount; i++) {
    placeTriangle(pose, positions, mesh.indices, i, corners, 0);
    for (let j = i + 1; j < mesh.triangleCount; j++) {
      placeTriangle(pose, positions, mesh.indices, j, corners, 9);
      if (neighboursMeet(corners)) found.push(`${i} ${j}`);
    }
  }
  return found;
}

/** The same mesh without shared vertices. */
function soup({ positions, indices }: Mesh): Mesh {
  const own = new Float64Array(indices.length * 3);
  for (let i = 0; i < indices.length; i++) {
    for (let k = 0; k < 3; k++) own[3 * i + k] = positions[3 * indices[i] + k];
  }
  return meshOf(own);
}

/** The mesh with some triangles removed, reversed or repeated. */
function spoilt({ positions, indices }: Mesh, random: () => number): Mesh {
  const kept: number[] = [];
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = indices.subarray(i, i + 3);
    const luck = random();
    if (luck < 0.03) continue;
    if (luck < 0.06) kept.push(a, c, b);
    else kept.push(a, b, c);
    if (luck > 0.97) kept.push(b, c, a);
  }
  return meshOf(positions, Uint32Array.from(kept));
}

describe('only flat fans are skipped', () => {
  let nf: CpuNearfield;
  beforeAll(async () => {
    nf = await open({ backend: 'cpu' });
  });
  afterAll(() => nf.close());

  /** Fans are marked from the second question about a shape on. */
  function expectExact(mesh: Mesh, frames: readonly Positions[], pose: Float64Array, context: string): void {
    const scene = nf.scene();
    const body = scene.add(mesh, { pose });
    const trees = treesOf(coreOf(scene).cpu);
    for (let round = 0; round < 2; round++) {
      for (const [i, positions] of frames.entries()) {
        body.deform(positions);
        const { triangles } = scene.selfIntersectionsSync(body);
        const { fansStamp, stamp } = trees.of(body.snapshotNow().shape);
        const isFirst = round === 0 && i === 0;
        expect(fansStamp, `${context}, round ${round}, frame ${i}: fans marked`).toBe(isFirst ? 0 : stamp);
        const given = Array.from({ length: triangles.length / 2 }, (_, p) =>
          triangles.slice(2 * p, 2 * p + 2).join(' '),
        );
        expect(given, `${context}, round ${round}, frame ${i}`).toEqual(everyPair(mesh, positions, pose));
      }
    }
    scene.close();
  }

  const identity = Float64Array.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
  const solids = [
    () => shapes.icosphere({ frequency: 3 }),
    () => shapes.box({ size: [1, 1, 1] }),
    () => soup(shapes.icosphere({ frequency: 2 })),
    () => shapes.cloth({ triangles: 90 }),
  ];

  it('in solids and sheets, intact and damaged, deformed a little and a lot', { timeout: 300_000 }, () => {
    for (let seed = 1; seed <= (slow ? 60 : 6); seed++) {
      const { next: random } = shapes.createRandom(seed);
      const whole = solids[seed % solids.length]();
      const mesh = seed % 3 === 0 ? spoilt(whole, random) : whole;
      const frames = [0, 0.02, 0.1, 0.3, 1].map(amount => {
        // Vertices with the same position stay together, or a soup would come apart.
        const { vertexOf } = mesh.welds;
        const pushed = mesh.positions.slice();
        for (let v = 0; v < vertexOf.length; v++) {
          for (let k = 0; k < 3; k++) {
            const from = 3 * vertexOf[v] + k;
            pushed[3 * v + k] =
              vertexOf[v] === v ? mesh.positions[3 * v + k] + amount * (random() - 0.5) : pushed[from];
          }
        }
        return pushed;
      });
      // On a coarse grid, where much is coplanar, collinear or coincident.
      frames.push(frames[2].map(x => Math.round(x * 4) / 4));
      const far = identity.slice();
      far[0] = 0.75;
      far[4] = 0.5;
      far[12] = seed % 2 === 0 ? 0 : 2 ** 30;
      expectExact(mesh, frames, identity, `seed ${seed}`);
      expectExact(mesh, frames, far, `seed ${seed}, far`);
    }
  });

  it('a fan that winds twice about its corner crosses itself', () => {
    // Seen from above, all triangles have one orientation, and every edge has two sides. The lower fan closes it.
    const count = 7;
    const ring = Array.from({ length: count }, (_, i) => {
      const angle = (4 * Math.PI * i) / count;
      return [Math.cos(angle), Math.sin(angle), 0.1 * i];
    });
    const positions = Float64Array.from([[0, 0, 0.35], ...ring, [0, 0, -9]].flat());
    const indices: number[] = [];
    for (let i = 1; i <= count; i++) {
      const next = i === count ? 1 : i + 1;
      indices.push(0, i, next, count + 1, next, i);
    }
    const mesh = meshOf(positions, Uint32Array.from(indices));
    expect(mesh.solid).toBe(true);
    expect(everyPair(mesh, positions, identity).length).toBeGreaterThan(0);
    expectExact(mesh, [positions, positions.map(x => 2 * x)], identity, 'a fan of two turns');
  });
});
