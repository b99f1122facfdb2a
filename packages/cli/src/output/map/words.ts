// What `map` says to people: where it was written, what the distances are, and a line for each region.

import { rounded, roundedUp } from '../sentences.ts';
import { printable } from '../terminal.ts';
import type { MapAnswer } from './json.ts';

const count = (value: number): string => value.toLocaleString('en-US');
/** Of figures that sampling gives, few digits mean something. */
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
      yield '  no line along it meets both\n';
      continue;
    }
    const { both, measured, least, greatest, mean, median } = statistics;
    const { contactArea, penetrationArea, penetrationVolume, deepest } = statistics;
    if (surfaces === 'facing') yield `  from the last surface of ${a} to the first of ${b}\n`;
    if (measured === 0) {
      yield `  at ${count(both)} pixels both are met, farther apart than the map shows\n`;
      continue;
    }
    yield `  distances from ${short(least)} to ${short(greatest)} at ${count(measured)} pixels, mean ${short(mean)}, median ${short(median)}\n`;
    if (penetrationArea > 0 && deepest) {
      const point = [...deepest.point].map(short).join(', ');
      const what = surfaces === 'facing' ? `${b} is before ${a}` : 'they overlap';
      yield `  ${what} over an area of ${short(penetrationArea)}, volume ${short(penetrationVolume)}, deepest ${short(-deepest.distance)} at (${point})\n`;
    } else if (surfaces === 'facing') yield `  ${b} is nowhere before ${a}\n`;
    else yield '  they do not overlap at any pixel\n';
    yield `  contact area ${short(contactArea)}; distances are off by at most ${roundedUp(error)} (${backend})\n`;
    if (regions.length > 0) yield* regionTable(regions, ['a', 'b']);
  }
}

/** A line a region; `names` say which body it is of. */
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
