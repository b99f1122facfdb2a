// The CPU engine's side of fields and depths: runs the kernel (nearest-samples.as.ts) over a few thousand points at a time.

import { bake, comfortableScale, needsBaking } from '../../../cpu/baked.ts';
import { BodyRows } from '../../../cpu/body-rows.ts';
import type { Kernels } from '../../../cpu/kernels.ts';
import type { Trees } from '../../../cpu/trees.ts';
import type { Placed } from '../../../scene/engine.ts';
import { type Measured, pointsAtOnce } from './measured.ts';

export class Measurer {
  readonly #kernels: Kernels;
  readonly #trees: Trees;
  readonly #rows: BodyRows;
  readonly #points: number;
  readonly #records: number;
  readonly #scratch: number;
  readonly #bounds: number;

  constructor(kernels: Kernels, trees: Trees) {
    this.#kernels = kernels;
    this.#trees = trees;
    this.#rows = new BodyRows(kernels, trees);
    const { layout, memory } = kernels;
    this.#points = memory.allocate(24 * pointsAtOnce, 'points');
    this.#records = memory.allocate(layout.sampleRecordBytes * pointsAtOnce, 'points');
    this.#scratch = memory.allocate(layout.samplesScratchBytes, 'points');
    this.#bounds = memory.allocate(8 * pointsAtOnce, 'points');
  }

  /**
   * Measures the first `count` of `points`, at most `pointsAtOnce`, to entries `at` … of `out`. `upTo` is one bound for
   * all, or one for each.
   */
  measure(
    body: Placed,
    points: Float64Array,
    count: number,
    upTo: number | ArrayLike<number>,
    out: Measured,
    at: number,
  ): void {
    const { call, layout, memory } = this.#kernels;
    this.#rows.single(body);
    let reach = 0;
    const box = this.#rows.boxes / 8;
    for (let i = 0; i < 6; i++) reach = Math.max(reach, Math.abs(memory.f64[box + i]));
    for (let i = 0; i < 3 * count; i++) reach = Math.max(reach, Math.abs(points[i]));
    const scale = comfortableScale(body.shape.mesh.triangleCount === 0 ? 0 : reach);
    const bakes = scale !== 1 || needsBaking(body.pose, 0, body.shape.mesh.triangleCount);
    const seen = bakes ? bake(body, scale) : body;
    this.#trees.of(seen.shape);
    const row = this.#rows.single(seen);
    const first = this.#points / 8;
    for (let i = 0; i < 3 * count; i++) memory.f64[first + i] = points[i] * scale;
    const bounds = typeof upTo === 'number' ? 0 : this.#bounds;
    if (typeof upTo !== 'number') {
      for (let i = 0; i < count; i++) memory.f64[bounds / 8 + i] = upTo[i] * scale;
    }
    const bound = typeof upTo === 'number' ? upTo * scale : Infinity;
    call.nearestSamples(row, this.#points, count, bound, bounds, this.#records, this.#scratch);
    const words = layout.sampleRecordBytes / 4;
    const { f32, u32 } = memory;
    for (let i = 0, record = this.#records / 4; i < count; i++, record += words) {
      out.distance[at + i] = f32[record] / scale;
      out.triangle[at + i] = u32[record + 4];
      if (out.feature) out.feature[at + i] = u32[record + 5];
      if (out.toward) {
        for (let axis = 0; axis < 3; axis++) out.toward[3 * (at + i) + axis] = f32[record + 1 + axis] / scale;
      }
    }
  }
}
