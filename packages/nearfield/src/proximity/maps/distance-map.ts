// How far apart are two bodies along a direction, everywhere at once? (Myszkowski et al., the dental application.) The engine
// of the scene is asked for the lines of a view (methods/raster); pixels it cannot decide are cast exactly on the CPU, and
// all of them where it has no way of its own.

import { inSlices, toEnd } from '../../cpu/waiting.ts';
import { directionOfBoxes, directionOfNormals } from '../../methods/layers/direction/direction.ts';
import { LineCaster } from '../../methods/raster/exact/cast-line.ts';
import { crossingError } from '../../methods/raster/exact/crossings.ts';
import { exactLines } from '../../methods/raster/exact/exact-lines.ts';
import { measureLine, type Surfaces } from '../../methods/raster/exact/measure-line.ts';
import type { RawLines } from '../../methods/raster/sampling.ts';
import {
  axesAlong,
  boxAlong,
  type Triple,
  type View,
  type ViewSize,
  viewOf,
} from '../../methods/raster/view.ts';
import type { Body } from '../../scene/bodies/body.ts';
import type { Moment } from '../../scene/bodies/moment.ts';
import { worldBox } from '../../scene/contact/world.ts';
import type { Asker } from '../../scene/questions/asker.ts';
import { DistanceMap } from './map.ts';
import { checkMapOptions, checkPixels, type DistanceMapOptions } from './options.ts';

/** The coarse map that normals are taken from. */
const coarse: ViewSize = { resolution: 64 };
/** Around what both bodies can be seen in, this part of its longer side is shown too. */
const margin = 1 / 16;

/** Lines of a view, found in one of two ways; `share` is how much of the question that is. */
type Ask<A> = (view: View, surfaces: Surfaces, share: number) => A;

export async function distanceMap(
  asker: Asker,
  a: Body,
  b: Body,
  options: DistanceMapOptions,
): Promise<DistanceMap> {
  const question = asker.ask(a, b);
  checkMapOptions(a, b, options);
  return asker.positions(question, options, async () => {
    const moments = [question.readableAt(0), question.readableAt(1)] as const;
    let backend: 'cpu' | 'gpu' = 'cpu';
    const ask: Ask<Promise<RawLines>> = async (view, surfaces, share) => {
      const progress = (done: number) => options.progress?.(1 - share + share * done);
      const limits = { signal: options.signal, progress };
      const [first, second] = moments;
      const found = await asker.engine.sample?.([first, second], limits, turn =>
        turn.lines(first, second, view, surfaces),
      );
      if (found === undefined) {
        backend = 'cpu';
        return inSlices(exactLines(first, second, view, surfaces), limits, () => {});
      }
      backend = asker.engine.backend;
      return inSlices(
        castUnsure(asker, moments, view, surfaces, found),
        { signal: options.signal },
        () => {},
      );
    };
    const steps = mapSteps(moments, options);
    let step = steps.next();
    while (!step.done) {
      const { view, surfaces, share } = step.value;
      step = steps.next(await ask(view, surfaces, share));
    }
    const { view, surfaces, lines } = step.value;
    const meshes = { a: moments[0].mesh, b: moments[1].mesh };
    return new DistanceMap(view, surfaces, lines, options, meshes, backend);
  });
}

export function distanceMapSync(asker: Asker, a: Body, b: Body, options: DistanceMapOptions): DistanceMap {
  const question = asker.ask(a, b);
  checkMapOptions(a, b, options);
  const moments = [question.readableAt(0), question.readableAt(1)] as const;
  const steps = mapSteps(moments, options);
  let step = steps.next();
  while (!step.done) {
    const { view, surfaces } = step.value;
    step = steps.next(toEnd(exactLines(...moments, view, surfaces)));
  }
  const { view, surfaces, lines } = step.value;
  const meshes = { a: moments[0].mesh, b: moments[1].mesh };
  return new DistanceMap(view, surfaces, lines, options, meshes, 'cpu');
}

interface Asked {
  readonly view: View;
  readonly surfaces: Surfaces;
  readonly share: number;
}

/** The views whose lines a map needs, one after the other: what both backends have in common. */
function* mapSteps(
  [a, b]: readonly [Moment, Moment],
  options: DistanceMapOptions,
): Generator<Asked, { view: View; surfaces: Surfaces; lines: RawLines }, RawLines> {
  const { pixel, resolution, direction = 'normals' } = options;
  const surfaces = options.surfaces ?? (a.mesh.solid && b.mesh.solid ? 'solids' : 'facing');
  let along: Triple = typeof direction === 'string' ? directionOfBoxes(a, b) : direction;
  if (direction === 'normals') {
    const view = viewOfBoth(a, b, along, coarse);
    along = directionOfNormals(a, b, view, yield { view, surfaces, share: 1 }).direction;
  }
  const view = viewOfBoth(a, b, along, { pixel, resolution });
  checkPixels(view.columns, view.rows);
  const lines = yield { view, surfaces, share: direction === 'normals' ? 0.9 : 1 };
  return { view, surfaces, lines };
}

/** What both can be seen in, and a little around it; all of both where no line can meet both. */
function viewOfBoth(a: Moment, b: Moment, direction: Triple, size: ViewSize): View {
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

/** Casts exactly what an engine could not decide, in place. */
function* castUnsure(
  { cpu }: Asker,
  bodies: readonly Moment[],
  view: View,
  surfaces: Surfaces,
  lines: RawLines,
): Generator<number, RawLines> {
  const { unsure, distance, depth, triangleA, triangleB } = lines;
  if (unsure.length === 0) return lines;
  const caster = new LineCaster(view, bodies, cpu);
  let parts = 1;
  for (let i = 0; i < unsure.length; i++) {
    if (i % 16 === 0) yield i / unsure.length;
    const pixel = unsure[i];
    const column = pixel % view.columns;
    const line = measureLine(caster.cast(column, (pixel - column) / view.columns), surfaces);
    distance[pixel] = line.distance;
    depth[pixel] = line.depth;
    triangleA[pixel] = line.triangleA;
    triangleB[pixel] = line.triangleB;
    parts = Math.max(parts, line.parts);
  }
  // Far less than what a GPU leaves open, unless it has decided nothing at all.
  return { ...lines, error: Math.max(lines.error, 2 * parts * crossingError(view, bodies)) };
}
