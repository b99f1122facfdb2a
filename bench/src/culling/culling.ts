// How much images leave to test (Govindaraju, Lin and Manocha, figure 6 and section 5): pairs of bodies after culling
// bodies and triangles and before any exact test, over all frames of a scene, at several resolutions and in every way
// of culling. Beside it are the pairs whose boxes meet, which is what sweep and prune leaves, and the pairs that one
// sample per pixel misses. The paper counts pairs of bodies on either side. Its peer uses axis-aligned boxes around the
// body in its current position. The boxes here are as tight as possible, tighter than in the scene's own broad phase,
// which rotates the box of the shape.

import { type InterferenceOptions, type Interferences, open } from 'nearfield';
import { type Case, firstTriangles, presentIn } from '../case.ts';
import { addComparisons, type Comparison, comparePairs } from '../compare.ts';
import { crowdSession } from '../peers/crowd.ts';
import { quantile } from '../run/quantile.ts';
import { pairsOfBoxes } from './sweep.ts';

export interface CullingRow {
  /** The GPU, or the software GPU. */
  readonly device: string;
  /** The way of culling: the shape that is drawn, and how overlaps are found. */
  readonly way: string;
  readonly resolution: number;
  /** The number of frames. */
  readonly frames: number;
  /** Pairs of bodies whose boxes meet, and those that images leave. */
  readonly boxPairs: number;
  readonly pairsLeft: number;
  /** Triangles that images leave, and all triangles. */
  readonly trianglesLeft: number;
  readonly triangles: number;
  /** Compared with the exact answer. */
  readonly pairs: Comparison;
  /** Median time of a frame: from new positions to all pairs. */
  readonly milliseconds: number;
}

type Asked = readonly [way: string, options: InterferenceOptions];

const at = (way: string, options: InterferenceOptions, ...resolutions: number[]): Asked[] =>
  resolutions.map((resolution): Asked => [way, { ...options, resolution }]);

const plain: InterferenceOptions = { culling: 'may-miss' };

/** A software GPU is about a thousand times slower, so it gets some of the frames, at a coarse resolution. */
export const isSoftware = (name: string): boolean => /swiftshader|llvmpipe/i.test(name);
const framesOnSoftware = 3;

const waysOnHardware: readonly Asked[] = [
  ['touched pixels', {}],
  ['touched pixels, no tree', { survivors: 'sweep' }],
  ...at('touched pixels', {}, 64, 128, 256, 512, 1024, 2048),
  ...at('boxes', { offset: 'boxes' }, 256, 1024),
  ...at('bounded offsets', { offset: 'bounded' }, 256, 1024),
  ...at('exact offsets', { offset: 'exact' }, 256, 1024),
  ...at('one sample per pixel, may miss', plain, 1400),
];
const waysOnSoftware: readonly Asked[] = [
  ...at('touched pixels', {}, 64, 128, 256),
  ...at('boxes', { offset: 'boxes' }, 128),
];

/** `truth` holds the exact pairs of each frame. Undefined if a scene has no bodies to cull. */
export async function measureCulling(
  job: Case,
  truth: readonly Uint32Array[],
  signal?: AbortSignal,
): Promise<CullingRow[] | undefined> {
  if (job.candidates === undefined) return undefined;
  const nf = await open({ backend: 'gpu' });
  const software = isSoftware(nf.name);
  const every = software ? Math.ceil(job.frames.length / framesOnSoftware) : 1;
  // The last frame of each stretch: scenes that break have most bodies at the end.
  const chosen = job.frames.map((_, i) => i).filter(i => (job.frames.length - 1 - i) % every === 0);
  const boxPairs = chosen.reduce((sum, i) => sum + boxPairsOf(job, i), 0);
  const rows: CullingRow[] = [];
  try {
    for (const asked of software ? waysOnSoftware : waysOnHardware) {
      const scene = nf.scene();
      const measured = await measureWay(job, truth, chosen, asked, scene, signal);
      rows.push({ device: nf.name, ...measured, boxPairs });
      scene.close();
    }
  } finally {
    nf.close();
  }
  return rows;
}

/** Pairs of bodies whose boxes meet in a frame. */
export function boxPairsOf(job: Case, i: number): number {
  const { poses, allPositions } = job.frames[i];
  const bodies = Array.from(presentIn(job, job.frames[i]), (body, k) => {
    const { mesh, pose } = job.bodies[body];
    const own = allPositions?.[k];
    return { positions: own && own.length > 0 ? own : mesh.positions, pose: poses?.[k] ?? pose };
  });
  return pairsOfBoxes(bodies);
}

async function measureWay(
  job: Case,
  truth: readonly Uint32Array[],
  frames: readonly number[],
  [way, options]: Asked,
  scene: Parameters<typeof crowdSession>[0],
  signal: AbortSignal | undefined,
): Promise<Omit<CullingRow, 'boxPairs' | 'device'>> {
  const session = crowdSession(scene, job, detail =>
    scene.interferences({ method: 'visibility', detail, ...options }),
  );
  const second = firstTriangles(job)[1];
  const times: number[] = [];
  let pairs: Comparison = { found: 0, missed: 0, false: 0 };
  let [resolution, pairsLeft, trianglesLeft, triangles] = [0, 0, 0, 0];
  for (const i of frames) {
    signal?.throwIfAborted();
    const started = performance.now();
    const answer = (await session.ask(job.frames[i])) as Interferences;
    times.push(performance.now() - started);
    const stats = answer.stats.visibility!;
    ({ resolution } = stats);
    pairsLeft += stats.pairsKept;
    trianglesLeft += stats.triangles.kept;
    triangles += stats.triangles.all;
    // The exact answer about two bodies numbers the triangles of each separately.
    const exact =
      job.question === 'pairs' ? truth[i].map((triangle, k) => triangle + (k % 2) * second) : truth[i];
    pairs = addComparisons(pairs, comparePairs(exact, session.pairs(answer)));
  }
  session.close();
  times.sort((a, b) => a - b);
  const milliseconds = quantile(times, 0.5);
  const counts = { pairsLeft, trianglesLeft, triangles };
  return { way, resolution, frames: frames.length, ...counts, pairs, milliseconds };
}
