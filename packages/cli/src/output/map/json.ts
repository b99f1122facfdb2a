// What `map --json` prints: a promise to programs, held by tests.

import { jsonText } from '@nearfield/report';
import type { DistanceMap, MapStatistics } from 'nearfield';
import { version } from '../../version.ts';

/** A map without its pixels. */
export interface MapAnswer {
  readonly backend: string;
  /** Of solids, or of surfaces that face each other. */
  readonly surfaces: DistanceMap['surfaces'];
  readonly direction: readonly number[];
  readonly pixel: number;
  readonly columns: number;
  readonly rows: number;
  readonly error: number;
  readonly mayMissBelow: number;
  /** Infinite for surfaces that face each other: null in JSON. */
  readonly mayReportWithin: number;
  readonly complete: boolean;
  readonly unsure: number;
  readonly statistics: MapStatistics;
  readonly regions: DistanceMap['regions'];
  /** The file it was written to. */
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

/** A motion gives `frames`. Where nothing was measured or promised, figures are null: JSON has neither NaN nor infinity. */
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
