// From which direction is a picture taken? The marked surfaces are drawn in small size from about three dozen
// directions, and the one that shows most of them wins.

import type { Steps } from '../../steps/steps.ts';
import {
  type Camera,
  type Extent,
  fitScale,
  lookFrom,
  middle,
  project,
  subtract,
  union,
  type Vector,
  viewingSides,
} from './camera.ts';
import { type Color, createBuffers, rasteriseSteps, type Surface } from './rasterise.ts';

export interface PictureSize {
  width: number;
  height: number;
  samples?: number | undefined;
  background?: Color | undefined;
}

export const grow = ({ min, max }: Extent, by: number): Extent => ({
  min: [min[0] - by, min[1] - by, min[2] - by],
  max: [max[0] + by, max[1] + by, max[2] + by],
});

/** A camera from `side` on an extent, never farther away than needed to show everything. */
export function frame(
  view: Extent,
  everything: readonly Extent[],
  side: Vector,
  { width, height }: PictureSize,
): Camera {
  const whole = fitScale(side, union(everything), width, height, 0.05);
  const scale = Math.max(whole, fitScale(side, view, width, height, 0.05));
  return lookFrom(side, middle(scale === whole ? union(everything) : view), width, height, scale);
}

/** The direction that shows most marked surface (or any surface, if nothing is marked), tried at a small size. */
export function* bestSide(
  surfaces: readonly Surface[],
  view: Extent,
  { width, height }: PictureSize,
  sides: readonly Vector[] = viewingSides,
): Steps<Vector> {
  const shrink = sketchWidth / width;
  const sketches = surfaces.map(sketch);
  let [best, bestScore] = [sides[0], -1];
  for (const side of sides) {
    const [w, h] = [sketchWidth, Math.max(1, Math.round(height * shrink))];
    const camera = lookFrom(side, middle(view), w, h, fitScale(side, view, w, h, 0.05));
    const buffers = createBuffers(w, h);
    for (const [id, surface] of sketches.entries()) yield* rasteriseSteps(buffers, camera, surface, id);
    const marked = surfaces.some(({ marks }) => marks?.includes(1));
    const shown = [0, 0];
    let score = 0;
    buffers.surface.forEach((id, at) => {
      if (id === 0) return;
      shown[Math.min(1, id - 1)]++;
      if (!marked || buffers.marked[at]) score += 0.4 + 0.6 * Math.max(0, buffers.normal[3 * at + 2]);
    });
    // Both bodies should be recognisable, and people prefer views from above and from the front.
    const balance =
      surfaces.length !== 2
        ? 1
        : 0.35 + 0.65 * Math.min(1, (4 * Math.min(shown[0], shown[1])) / (shown[0] + shown[1] + 1));
    score *= balance * (1 + 0.3 * side[2] - 0.1 * side[1]);
    if (score > bestScore) [best, bestScore] = [side, score];
  }
  return best;
}

/**
 * Thins a surface that is too large to draw three dozen times: all marked triangles, and every n-th of the others.
 */
function sketch(surface: Surface): Surface {
  const { positions, indices, normals, marks } = surface;
  const every = Math.ceil(indices.length / 3 / sketchTriangles);
  if (every <= 1) return surface;
  const kept: number[] = [];
  for (let t = 0; t < indices.length / 3; t++) if (marks?.[t] || t % every === 0) kept.push(t);
  const corners = kept.flatMap(t => [indices[3 * t], indices[3 * t + 1], indices[3 * t + 2]]);
  return {
    ...surface,
    positions: Float64Array.from(
      { length: 3 * corners.length },
      (_, i) => positions[3 * corners[Math.floor(i / 3)] + (i % 3)],
    ),
    indices: Uint32Array.from(corners, (_, i) => i),
    normals: Float32Array.from(
      { length: 9 * kept.length },
      (_, i) => normals[9 * kept[Math.floor(i / 9)] + (i % 9)],
    ),
    marks: marks && Uint8Array.from(kept, t => marks[t]),
  };
}

const sketchTriangles = 8000;
const sketchWidth = 80;

/** The maximum score of a line: all of it visible, at full length, is 1. */
export interface LineView {
  side: Vector;
  /** The share of the line that no surface hides. */
  visible: number;
}

/** The direction that shows most of a line between surfaces: not hidden, and not foreshortened. */
export function* lineSide(
  surfaces: readonly Surface[],
  from: Vector,
  to: Vector,
  view: Extent,
  { width, height }: PictureSize,
): Steps<LineView> {
  const [w, h] = [sketchWidth, Math.max(1, Math.round((height * sketchWidth) / width))];
  const sketches = surfaces.map(sketch);
  const length = Math.hypot(...subtract(to, from)) || 1;
  const steps = 9;
  let best: LineView = { side: viewingSides[0], visible: 0 };
  let bestScore = -1;
  for (const side of viewingSides) {
    const camera = lookFrom(side, middle(view), w, h, fitScale(side, view, w, h, 0.05));
    const buffers = createBuffers(w, h);
    for (const [id, surface] of sketches.entries()) yield* rasteriseSteps(buffers, camera, surface, id);
    const [[ax, ay, az], [bx, by, bz]] = [project(camera, from), project(camera, to)];
    let seen = 0;
    for (let i = 0; i < steps; i++) {
      const t = (i + 0.5) / steps;
      const at = Math.floor(ay + t * (by - ay)) * w + Math.floor(ax + t * (bx - ax));
      // The ends lie on the surfaces: a pixel and a half of slack keeps them visible.
      if (az + t * (bz - az) + 1.5 / camera.scale >= buffers.depth[at]) seen++;
    }
    const visible = seen / steps;
    const straight = Math.hypot(bx - ax, by - ay) / (length * camera.scale);
    const score = visible * straight * (1 + 0.6 * side[2] - 0.1 * side[1]);
    if (score > bestScore) [best, bestScore] = [{ side, visible }, score];
  }
  return best;
}
