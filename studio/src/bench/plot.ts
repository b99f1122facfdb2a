// Times as dots on a logarithmic axis, one line per case, each dot with its value. Dots of this machine are filled, recorded
// ones are hollow. Shapes distinguish engines and machines, so that colour is not the only cue. The table beside has the
// same numbers.

export interface PlotRow {
  readonly key: string;
  readonly title: string;
}
export interface PlotSeries {
  readonly name: string;
  /** Where Nearfield ran, or another library. */
  readonly kind: 'cpu' | 'gpu' | 'peer';
  /** True for this machine. */
  readonly own: boolean;
  readonly medians: Readonly<Record<string, number>>;
}

const [width, rowHeight, side] = [760, 58, 24];
/** Where the line of a case lies in its row, and its values above and below the dots. */
const [lineAt, aboveAt, belowAt] = [37, 28, 53];
/** The width of a letter of a value. */
const letter = 5.6;

/** Milliseconds with a readable number of digits. */
export const amount = (milliseconds: number): string =>
  milliseconds >= 100
    ? Math.round(milliseconds).toLocaleString('en')
    : String(Number(milliseconds.toPrecision(3)));

/** The axis, which stays in sight, and the rows. */
export function plotOf(rows: readonly PlotRow[], series: readonly PlotSeries[]): SVGSVGElement[] {
  const times = series.flatMap(({ medians }) => rows.flatMap(({ key }) => medians[key] ?? []));
  const low = Math.floor(Math.log10(Math.min(0.1, ...times)));
  const high = Math.ceil(Math.log10(Math.max(10, ...times)));
  const x = (time: number) => side + ((Math.log10(time) - low) / (high - low)) * (width - 2 * side);
  const powers = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
  return [axisOf(powers, x), rowsOf(rows, series, powers, x)];
}

type Scale = (time: number) => number;

function axisOf(powers: readonly number[], x: Scale): SVGSVGElement {
  const axis = make('svg', { viewBox: `0 0 ${width} 36`, class: 'plot axis', 'aria-hidden': 'true' });
  axis.append(
    make('text', { class: 'tick', x: side, y: 12 }, 'milliseconds, logarithmic; less is better'),
    ...powers.flatMap(power => [
      make('text', { class: 'tick', x: x(power), y: 28, 'text-anchor': 'middle' }, amount(power)),
      make('line', { class: 'grid', x1: x(power), x2: x(power), y1: 31, y2: 36 }),
    ]),
  );
  return axis;
}

function rowsOf(
  rows: readonly PlotRow[],
  series: readonly PlotSeries[],
  powers: readonly number[],
  x: Scale,
): SVGSVGElement {
  const height = rows.length * rowHeight;
  const label = `Milliseconds per case on a logarithmic axis: ${series.map(({ name }) => name).join('; ')}`;
  const plot = make('svg', {
    ...{ viewBox: `0 0 ${width} ${height}`, class: 'plot', role: 'img', 'aria-label': label },
  });
  for (const power of powers) {
    plot.append(make('line', { class: 'grid', x1: x(power), x2: x(power), y1: 0, y2: height }));
  }
  rows.forEach(({ key, title }, i) => {
    const y = i * rowHeight;
    plot.append(
      make('text', { class: 'case', x: side, y: y + 13 }, title),
      make('line', { class: 'grid', x1: side, x2: width - side, y1: y + lineAt, y2: y + lineAt }),
    );
    const dots = [...series.entries()].flatMap(([at, { medians }]) =>
      medians[key] === undefined ? [] : [{ at, time: medians[key] }],
    );
    const places = labelPlaces(dots.map(({ time }) => ({ x: x(time), text: amount(time) })));
    // Dots of this machine lie over the others.
    const order = [...dots.entries()].sort(
      ([, p], [, q]) => Number(series[p.at].own) - Number(series[q.at].own),
    );
    for (const [k, { at, time }] of order) {
      const dot = make('g', { class: classOf(series[at]), 'data-series': at, 'data-key': key });
      dot.append(
        make('title', {}, `${series[at].name}: ${amount(time)} ms`),
        make('path', {
          ...{ d: shapeOf(series, at), transform: `translate(${x(time).toFixed(1)} ${y + lineAt})` },
        }),
        make(
          'text',
          { class: 'value', x: places[k].x.toFixed(1), y: y + places[k].y, 'text-anchor': 'middle' },
          amount(time),
        ),
      );
      plot.append(dot);
    }
  });
  return plot;
}

/** Values above their dots; below them, or farther to the right, where they would cover another. */
export function labelPlaces(
  dots: readonly { readonly x: number; readonly text: string }[],
): { readonly x: number; readonly y: number }[] {
  const places: { x: number; y: number }[] = [];
  const ends = [-Infinity, -Infinity];
  const order = [...dots.entries()].sort(([, p], [, q]) => p.x - q.x);
  for (const [i, { x, text }] of order) {
    const half = (letter * text.length) / 2;
    const free = ends.findIndex(end => end <= x - half);
    const line = free >= 0 ? free : ends.indexOf(Math.min(...ends));
    const at = Math.max(x, ends[line] + half);
    places[i] = { x: at, y: line === 0 ? aboveAt : belowAt };
    ends[line] = at + half + letter;
  }
  return places;
}

const classOf = ({ own, kind }: PlotSeries): string =>
  `dot${own ? ' own' : ''}${kind === 'peer' ? ' peer' : ''}`;

/**
 * Round and upright shapes for CPUs, pointed ones for GPUs, crosses for other libraries. Recorded ones of a kind take the
 * shapes in turn.
 */
const shapes: Readonly<Record<PlotSeries['kind'], readonly string[]>> = {
  cpu: ['M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z', 'M-4.5-4.5h9v9h-9Z', 'M-2.5-6h5v12h-5Z'],
  gpu: ['M0-6.5 6.5 0 0 6.5-6.5 0Z', 'M0-6 6 5h-12Z', 'M0 6 6-5h-12Z'],
  peer: ['M-5-5 5 5M-5 5 5-5', 'M-6 0H6M0-6V6', 'M-5-4H5M0-4V6', 'M-5 5H5M0 5V-6'],
};

function shapeOf(series: readonly PlotSeries[], at: number): string {
  const { kind, own } = series[at];
  const before = series.slice(0, at).filter(one => one.kind === kind && one.own === own).length;
  return shapes[kind][before % shapes[kind].length];
}

export function legendOf(series: readonly PlotSeries[]): HTMLUListElement {
  const list = document.createElement('ul');
  list.className = 'legend';
  for (const [at, one] of series.entries()) {
    const item = document.createElement('li');
    const sign = make('svg', {
      viewBox: '-8 -8 16 16',
      width: 16,
      height: 16,
      class: 'plot',
      'aria-hidden': 'true',
    });
    const dot = make('g', { class: classOf(one) });
    dot.append(make('path', { d: shapeOf(series, at) }));
    sign.append(dot);
    item.append(sign, one.name);
    list.append(item);
  }
  return list;
}

function make<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>>,
  text?: string,
): SVGElementTagNameMap[K] {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  if (text !== undefined) made.textContent = text;
  return made;
}
