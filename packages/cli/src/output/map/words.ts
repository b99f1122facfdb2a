// The printed output of `map`: the file, the range of distances, and one line per region.

import { count, rounded, roundedUp } from '../sentences.ts';
import { printable } from '../terminal.ts';
import type { MapAnswer } from './json.ts';

/** Sampled figures are good for a few digits only. */
const short = (value: number): string =>
  Number.isFinite(value) ? String(Number(value.toPrecision(4))) : '–';

export function* mapWords(
  names: readonly [string, string],
  frames: readonly MapAnswer[],
  isMotion: boolean,
): Generator<string> {
  const [a, b] = names.map(printable);
  for (let frame = 0; frame < frames.length; frame++) {
    const { out, surfaces, columns, rows, pixel, direction, statistics, error, backend, regions } =
      frames[frame];
    if (isMotion) yield `frame ${frame}: `;
    const along = direction.map(value => short(value)).join(', ');
    yield `${printable(out)}: from ${a} to ${b} along (${along}), ${columns} × ${rows} pixels of ${rounded(pixel)}\n`;
    if (statistics.both === 0) {
      yield '  no line in this direction meets both\n';
      continue;
    }
    const { both, measured, least, greatest, mean, median } = statistics;
    const { contactArea, penetrationArea, penetrationVolume, deepest } = statistics;
    if (surfaces === 'facing') yield `  from the last surface of ${a} to the first of ${b}\n`;
    if (measured === 0) {
      yield `  ${count(both)} pixels meet both, but all of them are farther apart than --within\n`;
      continue;
    }
    yield `  distances from ${short(least)} to ${short(greatest)} at ${count(measured)} pixels, mean ${short(mean)}, median ${short(median)}\n`;
    if (penetrationArea > 0 && deepest) {
      const point = [...deepest.point].map(short).join(', ');
      const what = surfaces === 'facing' ? `${b} is before ${a}` : 'they overlap';
      yield `  ${what} over an area of ${short(penetrationArea)}, volume ${short(penetrationVolume)}, deepest ${short(-deepest.distance)} at (${point})\n`;
    } else if (surfaces === 'facing') yield `  ${b} lies behind ${a} at every pixel\n`;
    else yield '  they do not overlap at any pixel\n';
    yield `  contact area ${short(contactArea)}; distances are off by at most ${roundedUp(error)} (${backend})\n`;
    if (regions.length > 0) yield* regionTable(regions, ['a', 'b']);
  }
}

/** One line per region. `names` are the names of the two bodies. */
export function* regionTable(
  regions: MapAnswer['regions'],
  names: readonly [string, string],
): Generator<string> {
  const heads = ['region', 'pixels', 'least', 'median', 'contact', 'overlap', 'deepest'];
  const lines = regions.map(region => [
    `${names[region.body === 'a' ? 0 : 1]} ${region.label}`,
    count(region.measured),
    short(region.least),
    short(region.median),
    short(region.contactArea),
    short(region.penetrationArea),
    short(region.penetrationArea > 0 ? -region.least : 0),
  ]);
  const widths = heads.map((head, i) => Math.max(head.length, ...lines.map(cells => cells[i].length)));
  const row = (cells: readonly string[]) =>
    `  ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')}\n`;
  yield `\n${row(heads)}${row(widths.map(width => '─'.repeat(width)))}`;
  for (const cells of lines) yield row(cells);
}
