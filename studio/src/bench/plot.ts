// Times as dots on a logarithmic axis, one line per case. Dots of this machine are filled, recorded ones are hollow.
// Shapes distinguish engines and machines, so that colour is not the only cue. The table beside has the same numbers.

export interface PlotRow {
  readonly key: string;
  readonly title: string;
}
export interface PlotSeries {
  readonly name: string;
  readonly kind: 'cpu' | 'gpu';
  /** True for this machine. */
  readonly own: boolean;
  readonly medians: Readonly<Record<string, number>>;
}

const [width, rowHeight, top, side] = [640, 40, 8, 20];

/** Milliseconds with a readable number of digits. */
export const amount = (milliseconds: number): string =>
  milliseconds >= 100 ? milliseconds.toFixed(0) : String(Number(milliseconds.toPrecision(3)));

export function plotOf(rows: readonly PlotRow[], series: readonly PlotSeries[]): SVGSVGElement {
  const times = series.flatMap(({ medians }) => rows.flatMap(({ key }) => medians[key] ?? []));
  const low = Math.floor(Math.log10(Math.min(0.1, ...times)));
  const high = Math.ceil(Math.log10(Math.max(10, ...times)));
  const height = top + rows.length * rowHeight + 36;
  const x = (time: number) => side + ((Math.log10(time) - low) / (high - low)) * (width - 2 * side);
  const label = `Milliseconds per case on a logarithmic axis: ${series.map(({ name }) => name).join('; ')}`;
  const plot = make('svg', {
    viewBox: `0 0 ${width} ${height}`,
    class: 'plot',
    role: 'img',
    'aria-label': label,
  });
  for (let power = low; power <= high; power++) {
    const at = x(10 ** power);
    plot.append(
      make('line', { class: 'grid', x1: at, x2: at, y1: top, y2: height - 36 }),
      make('text', { class: 'tick', x: at, y: height - 20, 'text-anchor': 'middle' }, `${10 ** power}`),
    );
  }
  plot.append(
    make(
      'text',
      { class: 'tick', x: width / 2, y: height - 4, 'text-anchor': 'middle' },
      'milliseconds, lower is better',
    ),
  );
  rows.forEach(({ key, title }, i) => {
    const y = top + i * rowHeight;
    plot.append(
      make('text', { class: 'case', x: side, y: y + 13 }, title),
      make('line', { class: 'grid', x1: side, x2: width - side, y1: y + 27, y2: y + 27 }),
    );
    // Dots of this machine lie over the others.
    const order = [...series.entries()].sort(([, p], [, q]) => Number(p.own) - Number(q.own));
    for (const [at, { name, own, medians }] of order) {
      const time = medians[key];
      if (time === undefined) continue;
      const dot = make('g', { class: own ? 'dot own' : 'dot', 'data-series': at, 'data-key': key });
      dot.append(
        make('title', {}, `${name}: ${amount(time)} ms`),
        make('path', { d: shapeOf(series, at), transform: `translate(${x(time).toFixed(1)} ${y + 27})` }),
      );
      plot.append(dot);
    }
  });
  return plot;
}

/** Round and upright shapes for CPUs, pointed ones for GPUs. Recorded machines of a kind take the shapes in turn. */
const shapes: Readonly<Record<PlotSeries['kind'], readonly string[]>> = {
  cpu: ['M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0Z', 'M-4.5-4.5h9v9h-9Z', 'M-2.5-6h5v12h-5Z'],
  gpu: ['M0-6.5 6.5 0 0 6.5-6.5 0Z', 'M0-6 6 5h-12Z', 'M0 6 6-5h-12Z'],
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
    const dot = make('g', { class: one.own ? 'dot own' : 'dot' });
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
