// Tables of the methods that render images, beside the results of their papers: one line per case, and for cases that
// differ only in size the straight line through the times (run/linear.ts), because both papers say that cost is
// linear.

import { paperTime, type Series } from '../case.ts';
import { fitLine } from '../run/linear.ts';
import type { Growth } from '../run/series.ts';
import { count } from './markdown.ts';

/** The points of a fitted line. */
type Sized = Omit<Growth, 'scene'>;

/** A case with the milliseconds of each engine, by the engine's name. */
export interface TimedCase {
  readonly name: string;
  readonly paper?: Parameters<typeof paperTime>[0] | undefined;
  readonly series?: Series | undefined;
  readonly times: ReadonlyMap<string, number>;
}

/** Rows of cells, headings first. Cases of a series have a separate table. */
export function paperRows(cases: readonly TimedCase[]): string[][] {
  const shown = cases.filter(({ paper }) => paper !== undefined);
  if (shown.length === 0) return [];
  const engines = enginesOf(shown);
  return [
    ['case', 'paper, ms', 'measured on', ...engines],
    ...shown.map(({ name, paper, times }) => [
      name,
      paperTime(paper!),
      paper!.machine ?? '',
      ...engines.map(engine => milliseconds(times.get(engine))),
    ]),
  ];
}

/** The fitted line per engine and series, and for series measured in turn. */
export function growthRows(cases: readonly TimedCase[], inTurn: readonly Sized[] = []): string[][] {
  const rows = [...inTurn, ...growthOf(cases)].map(({ series, unit, engine, points }) => {
    const { fixed, slope, rSquared } = fitLine(points);
    const last = points[points.length - 1];
    return [
      series,
      engine,
      `${points.length} from ${count(points[0].size)} to ${count(last.size)}`,
      milliseconds(fixed),
      `${(1e6 * slope).toPrecision(3)} per ${unit}`,
      rSquared.toFixed(4),
      milliseconds(last.time - fixed),
    ];
  });
  if (rows.length === 0) return [];
  return [['growth', 'engine', 'sizes', 'fixed, ms', 'slope, ns', 'R²', 'largest less fixed, ms'], ...rows];
}

function growthOf(cases: readonly TimedCase[]): Sized[] {
  const names = [...new Set(cases.flatMap(({ series }) => series?.name ?? []))];
  return names.flatMap(series => {
    const own = cases.filter(job => job.series?.name === series);
    const { unit } = own[0].series!;
    const all = enginesOf(own).map((engine): Sized => {
      const points = own.flatMap(({ series, times }) => {
        const time = times.get(engine);
        return time === undefined ? [] : [{ size: series!.size, time }];
      });
      return { series, unit, engine, points };
    });
    return all.filter(({ points }) => points.length >= leastSizes);
  });
}

/** A line through fewer sizes means little. */
const leastSizes = 8;

const enginesOf = (cases: readonly TimedCase[]): string[] => [
  ...new Set(cases.flatMap(({ times }) => [...times.keys()])),
];

const milliseconds = (value: number | undefined): string =>
  value === undefined ? '' : String(Number(value.toPrecision(3)));
