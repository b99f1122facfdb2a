// A plot of the clearance over time: a line per pair that comes near, first contacts as dots. It is written as SVG, or as
// a page that contains the SVG.

import { rounded } from '../../output/sentences.ts';
import { printable } from '../../output/terminal.ts';
import type { ShownMotion } from './json.ts';

const [plotWidth, height, left, top, bottom] = [590, 420, 70, 30, 50];
/** About how wide a letter is, and how wide names must be at least beside the plot. */
const [letterWidth, leastRight] = [7, 200];
const colours = ['#2563eb', '#dc2626', '#059669', '#d97706', '#7c3aed', '#0891b2', '#be185d', '#4d7c0f'];
/** More lines than these cannot be told apart; the nearest pairs are drawn. */
const mostLines = colours.length;

export function motionPlot(shown: ShownMotion, isPage: boolean): string {
  const { approaches = [], contacts, labels, clearance, frameCount, unitName } = shown;
  const drawn = approaches.slice(0, mostLines);
  const nameOf = (a: number, b: number) => `${labels[a]} – ${labels[b]}`;
  const longest = Math.max(0, ...drawn.map(({ a, b }) => nameOf(a, b).length));
  const right = Math.max(leastRight, 44 + letterWidth * longest);
  const width = left + plotWidth + right;
  const finite = drawn
    .flatMap(({ samples }) => samples.map(([, distance]) => distance))
    .filter(Number.isFinite);
  const most = Math.max(clearance ?? 0, ...finite) || 1;
  const x = (time: number) => left + (time / (frameCount - 1)) * (width - left - right);
  const y = (distance: number) => height - bottom - (distance / most) * (height - top - bottom);
  const parts = [
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    ...ticks(frameCount - 1).map(
      time =>
        `<path d="M${n(x(time))} ${top}V${height - bottom}" stroke="#eee"/><text x="${n(x(time))}" y="${height - bottom + 18}" text-anchor="middle">${rounded(time)}</text>`,
    ),
    ...ticks(most).map(
      value =>
        `<path d="M${left} ${n(y(value))}H${width - right}" stroke="#eee"/><text x="${left - 8}" y="${n(y(value) + 4)}" text-anchor="end">${rounded(value)}</text>`,
    ),
    `<path d="M${left} ${top}V${height - bottom}H${width - right}" fill="none" stroke="#333"/>`,
    `<text x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">frame</text>`,
    `<text x="${left}" y="${top - 12}">distance${unitName === undefined ? '' : ` (${unitName})`}</text>`,
  ];
  if (clearance !== undefined)
    parts.push(
      `<path d="M${left} ${n(y(clearance))}H${width - right}" stroke="#999" stroke-dasharray="5 4"/><text x="${width - right - 4}" y="${n(y(clearance) - 5)}" text-anchor="end">clearance</text>`,
    );
  drawn.forEach(({ a, b, samples }, i) => {
    const points = samples.map(([time, distance]) => `${n(x(time))} ${n(y(distance))}`);
    const label = escaped(nameOf(a, b));
    const place = top + 16 * i + 10;
    parts.push(
      `<polyline points="${points.join(',')}" fill="none" stroke="${colours[i]}" stroke-width="1.5"><title>${label}</title></polyline>`,
      `<path d="M${width - right + 12} ${place - 4}h16" stroke="${colours[i]}" stroke-width="2"/><text x="${width - right + 34}" y="${place}">${label}</text>`,
    );
  });
  if (approaches.length > mostLines) {
    const place = top + 16 * mostLines + 18;
    const note = `the nearest ${mostLines} of ${approaches.length} pairs`;
    parts.push(`<text x="${width - right + 12}" y="${place}">${note}</text>`);
  }
  for (const { a, b, time } of contacts) {
    const label = escaped(`${nameOf(a, b)} meet`);
    parts.push(
      `<circle cx="${n(x(time.frame + time.from))}" cy="${n(y(0))}" r="4" fill="#dc2626"><title>${label}</title></circle>`,
    );
  }
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" font-family="system-ui, sans-serif" font-size="12" fill="#333">${parts.join('\n')}</svg>`;
  if (!isPage) return `<?xml version="1.0" encoding="UTF-8"?>\n${svg}\n`;
  return `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Clearance over time</title></head>\n<body>${svg}</body></html>\n`;
}

/** At most six round numbers from 0 to `most`. */
function ticks(most: number): number[] {
  const raw = most / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(times => times * power).find(value => value >= raw * (1 - 1e-9)) ?? raw;
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, i) => i * step);
}

const n = (value: number): string => String(Math.round(100 * value) / 100);

const escaped = (text: string): string =>
  printable(text).replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`);
