// Two lines over the steps of a scene: the time of the question, and the number to look at. A slider below goes back to
// any of them.

import { element } from '../parts/element.ts';

const [width, height] = [300, 54];

export interface Series {
  readonly label: string;
  readonly values: readonly number[];
}

/** A line from the first step to the last; the value farthest from 0 stands beside its name. */
export function chartOf(
  { label, values }: Series,
  at: number,
  format: (value: number) => string,
): HTMLElement {
  const [low, high] = [Math.min(...values, 0), Math.max(...values, 0)];
  const most = -low > high ? low : high;
  const x = (i: number) => (values.length < 2 ? 0 : (i / (values.length - 1)) * width);
  const points = values.map(
    (value, i) =>
      `${x(i).toFixed(1)},${(height - ((value - low) / (high - low || 1)) * (height - 4)).toFixed(1)}`,
  );
  const figure = element('figure', { class: 'chart' });
  const now = format(values[at] ?? 0);
  const name = `${label} over the last ${values.length} steps: now ${now}, farthest from 0 ${format(most)}`;
  figure.innerHTML = `<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img">
    <polyline points="${points.join(' ')}"/><line x1="${x(at)}" x2="${x(at)}" y1="0" y2="${height}"/></svg>`;
  figure.querySelector('svg')!.setAttribute('aria-label', name);
  figure.append(
    element('figcaption', {}, element('span', {}, label), element('span', {}, `${now} of ${format(most)}`)),
  );
  return figure;
}

/** A slider that goes back to earlier steps. */
export function scrubberOf(chosen: (index: number) => void): HTMLInputElement {
  const slide = element('input', { type: 'range', min: '0', max: '0', step: '1', class: 'scrubber' });
  slide.setAttribute('aria-label', 'Step of the scene');
  slide.addEventListener('input', () => chosen(slide.valueAsNumber));
  return slide;
}
