// A plot as SVG text: lines with marks, axes with ticks, a legend. Marks differ in shape and the paper's own lines are
// dashed, so that colour is not the only cue.

import type { Axis, Plot } from './paper.ts';

/** Wider than the frame, so that the last label of the horizontal axis fits. */
const width = 680;
/** The first line of the legend, below the label of the horizontal axis. Two series share a line. */
const legendTop = 404;
const frame = { left: 64, right: 624, top: 36, bottom: 344 } as const;
const colours = ['#0b62a4', '#c2410c', '#15803d', '#7c3aed', '#a16207', '#475569'];
const marks = [
  'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z',
  'M-3.6-3.6h7.2v7.2h-7.2Z',
  'M0-5 5 0 0 5-5 0Z',
  'M0-5 4.5 4h-9Z',
  'M0 5 4.5-4h-9Z',
];

/** The SVG file of a plot. Points that an axis cannot show (not finite, or not positive on a logarithmic axis) are an error. */
export function plotSvg({ title, x, y, series }: Plot): string {
  const points = series.flatMap(one => one.points);
  const [across, up] = [
    scaleOf(
      x,
      points.map(p => p[0]),
      frame.left,
      frame.right,
    ),
    scaleOf(
      y,
      points.map(p => p[1]),
      frame.bottom,
      frame.top,
    ),
  ];
  const lines: string[] = [];
  for (const tick of across.ticks) {
    const at = across.at(tick).toFixed(1);
    lines.push(`<path class="grid" d="M${at} ${frame.top}V${frame.bottom}"/>`);
    lines.push(`<text x="${at}" y="${frame.bottom + 16}" text-anchor="middle">${inWords(tick)}</text>`);
  }
  for (const tick of up.ticks) {
    const at = up.at(tick).toFixed(1);
    lines.push(`<path class="grid" d="M${frame.left} ${at}H${frame.right}"/>`);
    lines.push(`<text x="${frame.left - 6}" y="${Number(at) + 4}" text-anchor="end">${inWords(tick)}</text>`);
  }
  series.forEach(({ name, points: own, bars = [], isDots = false, isPaper = false }, i) => {
    const colour = colours[i % colours.length];
    const places = own.map(([px, py]) => `${across.at(px).toFixed(1)} ${up.at(py).toFixed(1)}`);
    const dash = isPaper ? ' stroke-dasharray="6 4"' : '';
    // A line without length, with a round end, is a dot.
    const path = isDots ? places.map(place => `M${place}h0`).join('') : `M${places.join('L')}`;
    const style = isDots ? 'stroke-width="3" stroke-linecap="round"' : `stroke-width="1.5"${dash}`;
    if (places.length > 0) lines.push(`<path d="${path}" fill="none" stroke="${colour}" ${style}/>`);
    bars.forEach((half, at) => {
      const [px, py] = own[at];
      const ends = [py - half, py + half].map(value =>
        // A logarithmic axis has no 0: a bar that reaches it ends at the border.
        y.log && value <= 0 ? frame.bottom : Math.min(frame.bottom, Math.max(frame.top, up.at(value))),
      );
      const [low, high] = ends.map(end => end.toFixed(1));
      const middle = across.at(px).toFixed(1);
      lines.push(`<path class="bar" d="M${middle} ${low}V${high}" stroke="${colour}"/>`);
    });
    const mark = marks[i % marks.length];
    for (const place of isDots ? [] : places)
      lines.push(`<path d="${mark}" transform="translate(${place})" fill="${colour}"/>`);
    const [column, row] = [frame.left + (i % 2) * 280, legendTop + 18 * Math.floor(i / 2)];
    lines.push(`<path d="${mark}" transform="translate(${column} ${row})" fill="${colour}"/>`);
    lines.push(`<text x="${column + 10}" y="${row + 4}">${escaped(name)}</text>`);
  });
  const height = legendTop + 18 * Math.ceil(series.length / 2);
  const middle = (frame.top + frame.bottom) / 2;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}">
<style>text{font:12px system-ui,sans-serif;fill:#1f2937}.grid{stroke:#d1d5db;stroke-width:1}.title{font-size:14px;font-weight:600}</style>
<rect width="100%" height="100%" fill="#fff"/>
<text class="title" x="${width / 2}" y="20" text-anchor="middle">${escaped(title)}</text>
${lines.join('\n')}
<text x="${(frame.left + frame.right) / 2}" y="${frame.bottom + 36}" text-anchor="middle">${escaped(x.label)}</text>
<text transform="translate(16 ${middle}) rotate(-90)" text-anchor="middle">${escaped(y.label)}</text>
</svg>
`;
}

interface Scale {
  readonly ticks: readonly number[];
  at(value: number): number;
}

function scaleOf({ label, log = false }: Axis, values: readonly number[], from: number, to: number): Scale {
  const wrong = values.find(value => !Number.isFinite(value) || (log && value <= 0));
  if (wrong !== undefined) throw new Error(`the axis "${label}" cannot show ${wrong}`);
  const ticks = log ? powers(values) : steps(values);
  const place = (value: number) => (log ? Math.log10(value) : value);
  const [low, high] = [place(ticks[0]), place(ticks[ticks.length - 1])];
  return { ticks, at: value => from + ((place(value) - low) / (high - low)) * (to - from) };
}

/** Powers of ten around the values, at least two. */
function powers(values: readonly number[]): number[] {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
}

/** Four to nine round numbers around the values. The axis begins at 0 unless values are negative. */
function steps(values: readonly number[]): number[] {
  const [least, most] = [Math.min(0, ...values), Math.max(...values)];
  const size = most > least ? most - least : 1;
  const power = 10 ** Math.floor(Math.log10(size / 4));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(width => size / width <= 8)!;
  const first = Math.floor(least / step);
  const last = Math.max(first + 1, Math.ceil(most / step));
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

const inWords = (value: number): string =>
  Math.abs(value) >= 1e4 ? value.toLocaleString('en') : String(Number(value.toPrecision(6)));

const escaped = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');
