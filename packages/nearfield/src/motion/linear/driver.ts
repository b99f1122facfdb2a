// The part of linear motion that a GPU does: which triangles may meet. The CPU decides the rest, as it does without a
// GPU.

import type { Engine } from '../../bodies/engine.ts';
import type { Shape } from '../../bodies/snapshot/snapshot.ts';
import { isOutOfMemory } from '../../core/errors.ts';
import { type Limits, limitsOfPart } from '../../core/limits.ts';
import type { DriverKey, GpuEngine } from '../../gpu/engine.ts';
import type { Box } from '../../math/box.ts';
import type { Positions } from '../../mesh/mesh.ts';
import type { Question } from '../../questions/question.ts';
import type { SceneCore } from '../../questions/scene-core.ts';
import type { MotionStats } from '../answer.ts';
import type { MovingBody } from './moving-bodies.ts';

/** A moving body as the GPU sees it. */
export interface SweptBody {
  /** The shape whose tree gives the order of the triangles. */
  readonly shape: Shape;
  /** World positions at both times, and the box of all of them. */
  readonly start: Positions;
  readonly end: Positions;
  readonly extent: Box;
}

export interface GpuMotionDriver {
  /**
   * Pairs of triangles that may meet, two words each: the triangle of a, plus 2^31 if the two certainly meet at time
   * 0, and that of b. Undefined if there is too much to list. If `b` is `a`: i < j, without a common position. Adds
   * to the stats.
   */
  mayMeet(a: SweptBody, b: SweptBody, stats: MotionStats, limits: Limits): Promise<Uint32Array | undefined>;
}

export const gpuMotionDriver: DriverKey<GpuMotionDriver> = { name: 'motion' };

/** Pairs of triangles by their two bodies. */
export type ListedPairs = ReadonlyMap<MovingBody, ReadonlyMap<MovingBody, Uint32Array>>;

/** Two moving bodies, or one twice, with their rows in the question and the shapes that the engine knows them by. */
export interface AskedPair {
  readonly rows: readonly [number, number];
  readonly a: MovingBody;
  readonly b: MovingBody;
  readonly shapeA: Shape;
  readonly shapeB: Shape;
}

/** Pairs of moving bodies from pairs of rows. */
export function pairsOfRows(
  { bodyAt }: Question,
  moving: readonly (MovingBody | undefined)[],
  rows: ArrayLike<number>,
): AskedPair[] {
  const pairs: AskedPair[] = [];
  for (let i = 0; i < rows.length; i += 2) {
    const [row, other] = [rows[i], rows[i + 1]];
    const shapes = { shapeA: bodyAt(row).shape, shapeB: bodyAt(other).shape };
    pairs.push({ rows: [row, other], a: moving[row]!, b: moving[other]!, ...shapes });
  }
  return pairs;
}

/** With fewer triangles than this in two bodies, a submission takes longer than the CPU does. */
const leastTriangles = 2 ** 14;

/** Whether a GPU may be worth asking about two bodies. Tests set the limit. */
function isLarge({ a, b, shapeA }: AskedPair, engine: Engine): boolean {
  // Vertices that shared a position may have come apart in a GPUBuffer, but the GPU's trees still number positions as
  // the mesh does.
  if (a === b && shapeA.mesh !== a.then.mesh) return false;
  const least = ((engine as GpuEngine).settings?.leastMoving as number | undefined) ?? leastTriangles;
  const [one, other] = [a.then.mesh.triangleCount, b.then.mesh.triangleCount];
  return one > 0 && other > 0 && (a === b ? one : one + other) >= least;
}

/**
 * Asks the engine that is expected to answer sooner, if there are pairs that a GPU may be worth asking about; else
 * the CPU.
 */
export function askLarge<A>(
  core: SceneCore,
  question: Question,
  kind: string,
  pairs: readonly AskedPair[],
  ask: (engine: Engine) => Promise<A>,
): Promise<A> {
  const { engine, cpu } = core;
  const isAnyLarge = engine.backend === 'gpu' && pairs.some(pair => isLarge(pair, engine));
  return isAnyLarge ? core.sooner(kind, question, undefined, ask) : ask(cpu);
}

/** Lists the triangles that may meet of every pair that is large enough, if the engine is a GPU. */
export async function listOnGpu(
  engine: Engine,
  pairs: readonly AskedPair[],
  stats: MotionStats,
  limits: Limits,
): Promise<ListedPairs> {
  const found = new Map<MovingBody, Map<MovingBody, Uint32Array>>();
  const large = engine.backend === 'gpu' ? pairs.filter(pair => isLarge(pair, engine)) : [];
  if (large.length === 0) return found;
  const driver = await (engine as GpuEngine).driver(gpuMotionDriver);
  for (const [n, { a, b, shapeA, shapeB }] of large.entries()) {
    const part = limitsOfPart(limits, n / large.length, (n + 1) / large.length);
    const [one, other] = [sweptBody(a, shapeA), sweptBody(b, shapeB)];
    const list = await orTooLarge(driver.mayMeet(one, a === b ? one : other, stats, part));
    if (list === undefined) continue;
    stats.onGpu++;
    found.set(a, (found.get(a) ?? new Map<MovingBody, Uint32Array>()).set(b, list));
  }
  return found;
}

const sweptBody = ({ start, end, extent }: MovingBody, shape: Shape): SweptBody => ({
  shape,
  start,
  end,
  extent,
});

/** Undefined if the GPU has too little memory: the CPU searches then. */
async function orTooLarge<T>(list: Promise<T | undefined>): Promise<T | undefined> {
  try {
    return await list;
  } catch (error) {
    if (isOutOfMemory(error)) return undefined;
    throw error;
  }
}
