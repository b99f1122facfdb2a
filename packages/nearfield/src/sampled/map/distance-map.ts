// How far apart are two bodies along a direction, everywhere at once? (Myszkowski et al., the dental application.) The
// scene's engine samples the lines of a view (sampled/raster), or the CPU does if the engine cannot. Then every pixel
// is settled (settle.ts): lines that the engine could not decide, or that are too near to a threshold, are cast
// exactly.

import type { Body } from '../../bodies/body.ts';
import type { SnapshotBody } from '../../bodies/snapshot/snapshot-body.ts';
import { worldBox } from '../../bodies/snapshot/world.ts';
import { finderOf } from '../../bvh/cpu/walk/finder.ts';
import { limitsOfPart } from '../../core/limits.ts';
import { inSlices, toEnd } from '../../core/waiting.ts';
import { type BareScene, coreOf } from '../../questions/bare-scene.ts';
import { checkTwo } from '../../questions/checks.ts';
import { directionOfBoxes, directionOfNormals } from '../layers/direction/direction.ts';
import { type ExactLines, exactLines } from '../raster/exact/exact-lines.ts';
import type { Surfaces } from '../raster/exact/measure-line.ts';
import type { Thresholds } from '../raster/exact/settle-line.ts';
import type { RawLines } from '../raster/sampling.ts';
import { axesAlong, boxAlong, type Triple, type View, type ViewSize, viewOf } from '../raster/view.ts';
import { samplerOf } from '../sampling.ts';
import { DistanceMap } from './map.ts';
import { checkMapOptions, checkPixels, type DistanceMapOptions } from './options.ts';
import { castNearMedian, settleLines } from './settle.ts';

/** The coarse map from which normals are taken. */
const coarse: ViewSize = { resolution: 64 };
/** The margin around the place where both bodies are visible, as a share of its longer side. */
const margin = 1 / 16;

/** `scene.distanceMap` describes the answer. */
export async function distanceMap(
  scene: BareScene,
  a: Body,
  b: Body,
  options: DistanceMapOptions = {},
): Promise<DistanceMap> {
  checkTwo('distanceMap', a, b);
  const core = coreOf(scene);
  const question = core.questionAbout(a, b);
  checkMapOptions(a, b, options);
  return core.withPositions(question, options, async () => {
    const seen = [question.readableAt(0), question.readableAt(1)] as const;
    const by: { backend: 'cpu' | 'gpu' } = { backend: 'cpu' };
    const { signal } = options;
    const ask = async ({ view, surfaces, share, isCoarse }: Asked): Promise<RawLines | ExactLines> => {
      const limits = limitsOfPart(options, 1 - share, 1);
      const [first, second] = seen;
      const found = await samplerOf(core.engine)?.([first, second], limits, turn =>
        turn.lines(first, second, view, surfaces),
      );
      if (found === undefined) {
        by.backend = 'cpu';
        const thresholds = isCoarse ? undefined : thresholdsOf(view, options);
        return inSlices(exactLines(first, second, view, surfaces, thresholds), limits, () => {});
      }
      by.backend = core.engine.backend;
      if (!isCoarse) return found;
      return inSlices(castNearMedian(seen, view, surfaces, finderOf(core.cpu), found), { signal }, () => {});
    };
    const steps = mapSteps(seen, options);
    let step = steps.next();
    while (!step.done) {
      step = steps.next(await ask(step.value));
    }
    const { view, surfaces, lines } = step.value;
    const thresholds = thresholdsOf(view, options);
    const settled =
      'flags' in lines
        ? { ...lines, unsure: 0 }
        : await inSlices(
            settleLines(seen, view, surfaces, thresholds, finderOf(core.cpu), lines),
            { signal },
            () => {},
          );
    const meshes = { a: seen[0].mesh, b: seen[1].mesh };
    return new DistanceMap(view, surfaces, settled, thresholds, options.regions, meshes, by.backend);
  });
}

/** `scene.distanceMapSync` describes the answer. */
export function distanceMapSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  options: DistanceMapOptions = {},
): DistanceMap {
  checkTwo('distanceMapSync', a, b);
  const core = coreOf(scene);
  core.checkSync('distanceMapSync');
  const question = core.questionAbout(a, b);
  checkMapOptions(a, b, options);
  const seen = [question.readableAt(0), question.readableAt(1)] as const;
  const steps = mapSteps(seen, options);
  let step = steps.next();
  while (!step.done) {
    const { view, surfaces, isCoarse } = step.value;
    const thresholds = isCoarse ? undefined : thresholdsOf(view, options);
    step = steps.next(toEnd(exactLines(...seen, view, surfaces, thresholds)));
  }
  const { view, surfaces, lines } = step.value;
  const thresholds = thresholdsOf(view, options);
  const settled = { ...(lines as ExactLines), unsure: 0 };
  const meshes = { a: seen[0].mesh, b: seen[1].mesh };
  return new DistanceMap(view, surfaces, settled, thresholds, options.regions, meshes, 'cpu');
}

const thresholdsOf = (
  view: View,
  { contact = view.pixel / 10, within = Infinity }: DistanceMapOptions,
): Thresholds => ({
  contact,
  within,
});

interface Asked {
  readonly view: View;
  readonly surfaces: Surfaces;
  /** Which share of the whole work this is. */
  readonly share: number;
  /** Whether only a direction is derived from it. */
  readonly isCoarse: boolean;
}

/** The views whose lines a map needs, one after the other. Both backends use it. */
function* mapSteps(
  [a, b]: readonly [SnapshotBody, SnapshotBody],
  options: DistanceMapOptions,
): Generator<Asked, { view: View; surfaces: Surfaces; lines: RawLines | ExactLines }, RawLines | ExactLines> {
  const { pixel, resolution, direction = 'normals' } = options;
  const surfaces = options.surfaces ?? (a.mesh.solid && b.mesh.solid ? 'solids' : 'facing');
  let along: Triple = typeof direction === 'string' ? directionOfBoxes(a, b) : direction;
  if (direction === 'normals') {
    const view = viewOfBoth(a, b, along, coarse);
    along = directionOfNormals(a, b, view, yield { view, surfaces, share: 1, isCoarse: true }).direction;
  }
  const view = viewOfBoth(a, b, along, { pixel, resolution });
  checkPixels(view.columns, view.rows);
  const lines = yield { view, surfaces, share: direction === 'normals' ? 0.9 : 1, isCoarse: false };
  return { view, surfaces, lines };
}

/** The place where both bodies are visible, with a margin; or all of both if no line can meet both. */
function viewOfBoth(a: SnapshotBody, b: SnapshotBody, direction: Triple, size: ViewSize): View {
  const axes = axesAlong(direction);
  const [seenA, seenB] = [boxAlong(axes, worldBox(a)), boxAlong(axes, worldBox(b))];
  const pick = (choose: (x: number, y: number) => number, k: number) => choose(seenA[k], seenB[k]);
  const whole = [0, 1, 2].map(k => [pick(Math.min, k), pick(Math.max, k + 3)] as const);
  const common = [0, 1].map(k => [pick(Math.max, k), pick(Math.min, k + 3)] as const);
  const ranges = common.every(([low, high]) => low <= high) ? [...common, whole[2]] : whole;
  const more = margin * Math.max(ranges[0][1] - ranges[0][0], ranges[1][1] - ranges[1][0]);
  const box = new Float64Array(6);
  ranges.forEach(([low, high], k) => {
    box[k] = k < 2 ? Math.max(low - more, whole[k][0]) : low;
    box[k + 3] = k < 2 ? Math.min(high + more, whole[k][1]) : high;
  });
  return viewOf(axes, box, size);
}
