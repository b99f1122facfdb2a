// Tables of the methods that look at images, beside what their papers had: a line a case, and for cases that only differ in size the
// straight line through the times (run/linear.ts), since both papers say that cost grows in proportion.

import { paperTime, type Series } from './case.ts';
import { fitLine } from './run/linear.ts';

/** A case with the milliseconds of each engine, by the engine's name. */
export interface TimedCase {
  readonly name: string;
  readonly paper?: Parameters<typeof paperTime>[0] | undefined;
  readonly series?: Series | undefined;
  readonly times: ReadonlyMap<string, number>;
}

/** Rows of cells, heads first; cases of a series have a table of their own. */
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

/** Each engine's line through the cases of each series. */
export function growthRows(cases: readonly TimedCase[]): string[][] {
  const names = [...new Set(cases.flatMap(({ series }) => series?.name ?? []))];
  const rows = names.flatMap(name => {
    const own = cases.filter(({ series }) => series?.name === name);
    return enginesOf(own).flatMap(engine => {
      const points = own.flatMap(({ series, times }) => {
        const time = times.get(engine);
        return time === undefined ? [] : [{ size: series!.size, time }];
      });
      if (points.length < leastSizes) return [];
      const { fixed, slope, rSquared } = fitLine(points);
      const last = points[points.length - 1];
      return [
        [
          name,
          engine,
          `${points.length} from ${count(points[0].size)} to ${count(last.size)}`,
          milliseconds(fixed),
          `${(1e6 * slope).toPrecision(3)} a ${own[0].series!.unit}`,
          rSquared.toFixed(4),
          milliseconds(last.time - fixed),
        ],
      ];
    });
  });
  if (rows.length === 0) return [];
  return [['growth', 'engine', 'sizes', 'fixed, ms', 'slope, ns', 'R²', 'largest less fixed, ms'], ...rows];
}

/** A line through fewer sizes shows little. */
const leastSizes = 8;

const enginesOf = (cases: readonly TimedCase[]): string[] => [
  ...new Set(cases.flatMap(({ times }) => [...times.keys()])),
];

const count = (value: number): string => value.toLocaleString('en');
const milliseconds = (value: number | undefined): string =>
  value === undefined ? '' : String(Number(value.toPrecision(3)));
