// The CPU's part of fields and depths: the nearest triangle of a body for a few thousand points at a time. The search
// is that of `scene.closest`, so the owner is the lowest of the triangles that are exactly equally near. Distances are
// only needed to single precision, which double precision gives in most cases.

import type { Placed } from '../../../bodies/snapshot/snapshot.ts';
import { toEnd } from '../../../core/waiting.ts';
import type { CpuEngine } from '../../../cpu/engine.ts';
import { DistanceSearch } from '../../../distance/cpu/search.ts';
import { decidePoints, pointDistance } from '../../../distance/exact/point-triangle.ts';
import type { RawClosest } from '../../../distance/request.ts';
import { ratioToDouble } from '../../../math/exact/rational.ts';
import { toSingle } from '../singles.ts';
import type { Measured } from './measured.ts';

const nothing = 0xffffffff;

/** Measures points against a body, to double precision. */
export function measurePoints(engine: CpuEngine, ...what: Parameters<Measurer['measure']>): void {
  engine.part(createMeasurer).measure(...what);
}

const createMeasurer = (engine: CpuEngine): Measurer => new Measurer(engine);

class Measurer {
  readonly #search: DistanceSearch;

  constructor(engine: CpuEngine) {
    this.#search = new DistanceSearch(engine);
  }

  /**
   * Measures the first `count` of `points`, at most `pointsAtOnce`, into entries `at` … of `out`. `upTo` is one bound
   * for all points, or one per point. Throws 'unsupported' if a distance is too large for singles.
   */
  measure(
    body: Placed,
    points: Float64Array,
    count: number,
    upTo: number | ArrayLike<number>,
    out: Measured,
    at: number,
  ): void {
    const [bound, bounds] = typeof upTo === 'number' ? [upTo, undefined] : [Infinity, upTo];
    const given = points.subarray(0, 3 * count);
    const raw = toEnd(this.#search.closest(body, given, bound, { coarse: { bounds } }));
    decide(body, given, raw, upTo);
    for (let i = 0; i < count; i++) {
      const found = raw.triangles[i] >= 0;
      out.distance[at + i] = found ? toSingle(raw.distances[i]) : Infinity;
      out.triangle[at + i] = found ? raw.triangles[i] : nothing;
      if (out.feature) out.feature[at + i] = found ? raw.features[i] : 0;
      if (out.toward) out.toward.set(raw.points.subarray(3 * i, 3 * i + 3), 3 * (at + i));
    }
  }
}

/** Decides the points that the search left to exact fractions. */
function decide(body: Placed, points: Float64Array, raw: RawClosest, upTo: number | ArrayLike<number>): void {
  const { shape, pose } = body;
  const target = { pose, positions: shape.positions, mesh: shape.mesh };
  const bound = typeof upTo === 'number' ? () => upTo : (i: number) => upTo[i];
  const deciding = decidePoints(raw.unsure, points, target, bound, (i, found) => {
    const { way, denominator, unit } = found;
    raw.distances[i] = pointDistance(found);
    raw.triangles[i] = found.triangle;
    raw.features[i] = found.feature;
    raw.points[3 * i] = ratioToDouble(way.x, denominator * unit);
    raw.points[3 * i + 1] = ratioToDouble(way.y, denominator * unit);
    raw.points[3 * i + 2] = ratioToDouble(way.z, denominator * unit);
  });
  toEnd(deciding);
}
