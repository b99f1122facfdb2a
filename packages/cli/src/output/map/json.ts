// The output of `map --json`. Programs rely on it, and tests hold it.

import { jsonText } from '@nearfield/clashes';
import type { DistanceMap, MapStatistics } from 'nearfield';
import { version } from '../../version.ts';

/** A map without its pixels. */
export interface MapAnswer {
  readonly backend: string;
  /** Whether the distances are between solids or between surfaces that face each other. */
  readonly surfaces: DistanceMap['surfaces'];
  readonly direction: readonly number[];
  readonly pixel: number;
  readonly columns: number;
  readonly rows: number;
  readonly error: number;
  readonly mayMissBelow: number;
  /** Infinite for surfaces that face each other, which is null in JSON. */
  readonly mayReportWithin: number;
  readonly complete: boolean;
  readonly unsure: number;
  readonly statistics: MapStatistics;
  readonly regions: DistanceMap['regions'];
  /** The file that holds the map. */
  readonly out: string;
  readonly milliseconds: number;
}

export function mapAnswer(map: DistanceMap, out: string, milliseconds: number): MapAnswer {
  const { backend, surfaces, view, pixel, columns, rows, error, unsure, statistics, regions } = map;
  const { mayMissBelow, mayReportWithin, complete } = map;
  const direction = [...view.direction];
  return {
    ...{ backend, surfaces, direction, pixel, columns, rows, error, mayMissBelow, mayReportWithin, complete },
    ...{ unsure, statistics, regions, out, milliseconds },
  };
}

/**
 * A motion gives `frames`. Figures that were not measured or not promised are null: JSON has neither NaN nor
 * infinity.
 */
export function* mapJson(frames: readonly MapAnswer[], isMotion: boolean): Generator<string> {
  const about = { version, method: 'layers' };
  if (!isMotion) {
    yield `${jsonText({ ...about, ...fields(frames[0]) })}\n`;
    return;
  }
  yield `${jsonText(about).slice(0, -1)},"frames":[`;
  for (let frame = 0; frame < frames.length; frame++) {
    yield `${frame === 0 ? '' : ','}\n  ${jsonText({ frame, ...fields(frames[frame]) })}`;
  }
  yield ']}\n';
}

function fields({ milliseconds, statistics, regions, ...rest }: MapAnswer) {
  return {
    ...rest,
    statistics: plain(statistics),
    regions: regions.map(({ label, body, box, ...own }) => ({ label, body, box: [...box], ...plain(own) })),
    timing: { map: Math.round(milliseconds * 1000) / 1000 },
  };
}

/** Points as plain lists. */
const plain = ({ deepest, ...figures }: MapStatistics) => ({
  ...figures,
  deepest: deepest && { distance: deepest.distance, point: [...deepest.point] },
});
