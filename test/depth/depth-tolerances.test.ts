// Is a depth greater than a tolerance near the true depth? Solids whose depth is known from their convex pieces: unions of
// boxes and of unit cells on a grid, by whole numbers (oracle/depth/box-unions.ts), and unions of tetrahedra
// (oracle/depth/forbidden-translations.ts). Nothing deeper than the tolerance may be called not deeper, nothing else deeper.
// How often neither is proven is counted.

import { type Body, type DeeperThan, identity, type Mesh, mesh, open } from 'nearfield';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { boxesMesh, boxUnionDepthSquared, boxUnionPair, type GridBox } from '../oracle/depth/box-unions.ts';
import { forbiddenDepth, type Point } from '../oracle/depth/forbidden-translations.ts';
import { unionMesh, unionPair } from '../oracle/depth/tetrahedra-unions.ts';
import { randomFrom, whole } from '../oracle/triangles/generators.ts';
import { cellSolid } from '../oracle/voxel-contacts.ts';

const slow = process.env.NEARFIELD_SLOW === '1';

let nf: Awaited<ReturnType<typeof openCpu>>;
const openCpu = () => open({ backend: 'cpu' });
beforeAll(async () => {
  nf = await openCpu();
});
afterAll(() => nf.close());

/** Two solids, and bounds of their depth that hold whatever rounding did to the oracle. */
interface Case {
  readonly name: string;
  readonly a: Mesh;
  readonly b: Mesh;
  readonly low: number;
  readonly high: number;
  /** How near to the depth tolerances may be, as a share of it. */
  readonly nearest: number;
  /** Where both stand. */
  readonly pose?: Float64Array;
}

const meshOf = ({ positions, indices }: { positions: Float64Array; indices: Uint32Array }): Mesh =>
  mesh(positions, indices);

function gridCase(name: string, a: Mesh, b: Mesh, depthSquared: number, seed: number): Case {
  const depth = Math.sqrt(depthSquared);
  const exact = { name, a, b, low: depth * (1 - 1e-15), high: depth * (1 + 1e-15), nearest: 1e-12 };
  if (seed % 3 > 0) return exact;
  // Turned: rounding moves corners by some 10^-15 of their places.
  const [c, s] = [Math.cos(seed), Math.sin(seed)];
  const pose = Float64Array.of(c, s * c, s * s, 0, -s, c * c, s * c, 0, 0, -s, c, 0, 3, -2, 5, 1);
  return { ...exact, low: Math.max(0, depth - 1e-12), high: depth + 1e-12, nearest: 1e-9, pose };
}

function boxes(seed: number): Case {
  const pair = boxUnionPair(seed);
  return gridCase(
    `boxes ${seed}`,
    meshOf(boxesMesh(pair.a)),
    meshOf(boxesMesh(pair.b)),
    boxUnionDepthSquared(pair),
    seed,
  );
}

function cells(seed: number): Case {
  const random = randomFrom(seed);
  const grown = (): Point[] => {
    const found: Point[] = [[whole(random, 0, 2), whole(random, 0, 2), whole(random, 0, 2)]];
    for (let i = whole(random, 2, 8); i > 0; i--) {
      const next = [...found[whole(random, 0, found.length - 1)]];
      next[whole(random, 0, 2)] += random() < 0.5 ? 1 : -1;
      found.push(next as unknown as Point);
    }
    return found;
  };
  const boxOf = (low: Point): GridBox => ({ low, high: low.map(x => x + 1) as unknown as Point });
  const unique = (all: Point[]): Point[] => [...new Map(all.map(cell => [cell.join(), cell])).values()];
  const [a, b] = [unique(grown()), unique(grown())];
  const squared = boxUnionDepthSquared({ a: a.map(boxOf), b: b.map(boxOf) });
  return gridCase(`cells ${seed}`, cellSolid(a), cellSolid(b, seed % 2 === 0), squared, seed);
}

function tetrahedra(seed: number): Case {
  const { a, b } = unionPair(seed);
  const [low, high] = [forbiddenDepth(a, b, -1e-9).depth, forbiddenDepth(a, b, 1e-9).depth];
  return {
    name: `tetrahedra ${seed}`,
    a: meshOf(unionMesh(a)),
    b: meshOf(unionMesh(b)),
    low,
    high,
    nearest: 1e-6,
  };
}

/** Tolerances around a depth, from next to it to a fifth off. */
function tolerancesOf({ low, high, nearest }: Case, seed: number): number[] {
  if (high < 1e-6) return [0];
  const offs = [0.2, 0.05, 1e-2, 1e-3, 1e-6, 1e-9, 1e-12].filter(off => off >= nearest);
  const off = offs[seed % offs.length];
  return [low * (1 - off), high * (1 + off)];
}

function count(cases: Iterable<Case>): { asked: number; undecided: number; answers: Record<string, number> } {
  const found = { asked: 0, undecided: 0, answers: {} as Record<string, number> };
  let seed = 0;
  for (const one of cases) {
    const { name, a, b, low, high, pose = identity() } = one;
    seed++;
    const scene = nf.scene();
    const [p, q]: Body[] = [scene.add(a, { pose }), scene.add(b, { pose })];
    for (const depth of tolerancesOf(one, seed)) {
      const answer: DeeperThan =
        seed % 2 ? scene.deeperThanSync(p, q, depth) : scene.deeperThanSync(q, p, depth);
      const what = `${name}: depth ${low} to ${high}, tolerance ${depth}`;
      if (answer === 'not-deeper') expect(low, what).toBeLessThanOrEqual(depth);
      if (answer === 'deeper') expect(high, what).toBeGreaterThan(depth);
      found.asked++;
      found.answers[answer] = (found.answers[answer] ?? 0) + 1;
      // Nearer than this, rounding of the search's own planes may leave it open.
      if (answer === 'undecided' && Math.abs(depth - low) > 1e-11 * low) found.undecided++;
    }
    scene.close();
  }
  return found;
}

function* seeds(make: (seed: number) => Case, from: number, many: number): Generator<Case> {
  for (let seed = from; seed < from + many; seed++) yield make(seed);
}

it.each([
  ['unions of boxes', boxes, 6000, 0.005],
  ['unit cells', cells, 5000, 0.005],
  ['unions of tetrahedra', tetrahedra, 3500, 0.005],
] as const)('%s are never forgiven wrongly', { timeout: 3_600_000 }, (name, make, many, mostUndecided) => {
  const found = count(seeds(make, 1, slow ? many : 60));
  if (slow) console.log(name, JSON.stringify(found));
  expect(found.undecided / found.asked).toBeLessThanOrEqual(mostUndecided);
});
