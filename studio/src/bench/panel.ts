// The tab "Benchmarks": how fast Nearfield is on this machine, compared with recorded machines.

import recorded from 'virtual:recorded';
import { pageCases } from 'nearfield-bench/page';
import { element } from '../parts/element.ts';
import type { Panel, Studio } from '../studio.ts';
import { amount, legendOf, type PlotSeries, plotOf } from './plot.ts';
import { type Kind, Runner, stepsOf } from './run.ts';
import type { Times } from './types.ts';

/** Milliseconds to spend per case and engine. */
const efforts = { quick: 800, thorough: 4000 } as const;

export const bench: Panel = {
  open({ work, device, tasks }: Studio, left, right) {
    const runner = new Runner(tasks, device);
    const closing = new AbortController();
    const found: Record<Kind, Record<string, Times>> = { cpu: {}, gpu: {} };
    let names: Partial<Record<Kind, string>> = {};
    const offered = pageCases.filter(({ needsGpu }) => !needsGpu || device !== undefined);
    const chosen = new Set(offered.map(({ key }) => key));
    const [cpu, gpu] = (['cpu', 'gpu'] as const).map(kind => {
      const box = element('input', { type: 'checkbox', checked: kind === 'cpu' || device !== undefined });
      box.disabled = kind === 'gpu' && device === undefined;
      return box;
    });
    const kinds = (): Kind[] => [
      ...(cpu.checked ? (['cpu'] as const) : []),
      ...(gpu.checked ? (['gpu'] as const) : []),
    ];
    const results = element('div', { class: 'bench-results' });
    const doing = element('p', { class: 'hint bench-doing', aria: { role: 'status' } });
    const titles = new Map(pageCases.map(({ key, title }) => [key, title]));
    const run = async (effort: keyof typeof efforts) => {
      const keys = offered.map(({ key }) => key).filter(key => chosen.has(key));
      const plan = { keys, kinds: kinds(), time: efforts[effort] };
      if (stepsOf(plan).length === 0) {
        work.say('Choose at least one case and one engine that answers it.');
        return;
      }
      await work.run('bench', 'Measuring', async limits => {
        names = { ...names, ...(await runner.names(plan.kinds)) };
        await runner.run(
          plan,
          {
            begins(key, kind, place) {
              doing.textContent = `${place}, on the ${kind.toUpperCase()}: ${titles.get(key)}`;
            },
            found(key, kind, times) {
              found[kind][key] = times;
              show();
            },
          },
          { ...limits, signal: AbortSignal.any([closing.signal, ...(limits.signal ? [limits.signal] : [])]) },
        );
      });
      doing.textContent = '';
    };
    const copy = () =>
      navigator.clipboard
        .writeText(`${JSON.stringify(resultsOf(names, found), null, 1)}\n`)
        .catch(() => work.say('The browser does not allow the page to copy.'));
    const cases = offered.map(({ key, title }) => {
      const box = element('input', { type: 'checkbox', checked: true, data: { key } });
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(key);
        else chosen.delete(key);
      });
      return element('label', {}, box, title);
    });
    left.append(
      element('h2', {}, 'Benchmarks'),
      element(
        'p',
        { class: 'sentence' },
        'Measures this machine and compares it with recorded machines and other libraries.',
      ),
      element(
        'button',
        { type: 'button', class: 'primary', onclick: () => void run('quick') },
        'Run (some seconds per case)',
      ),
      element('button', { type: 'button', onclick: () => void run('thorough') }, 'Run thoroughly'),
      doing,
      element(
        'fieldset',
        {},
        element('legend', {}, 'Engines'),
        element('label', {}, cpu, 'CPU, in a worker'),
        element('label', {}, gpu, 'GPU that draws the page'),
        device === undefined &&
          element(
            'p',
            { class: 'hint' },
            'This machine has only a software GPU, or none. Add ?engine=gpu to the address to use a software GPU.',
          ),
      ),
      element(
        'fieldset',
        {},
        element('legend', {}, 'Cases'),
        ...cases,
        offered.length < pageCases.length &&
          element(
            'p',
            { class: 'hint bench-without' },
            'Visibility, raycast and layers need a GPU, so their cases cannot run here.',
          ),
      ),
    );
    const show = () => {
      const series = seriesOf(names, found);
      results.replaceChildren(
        legendOf(series),
        ...plotOf(pageCases, series),
        tableOf(series, found),
        element(
          'p',
          { class: 'hint' },
          'Milliseconds from question to answer, median of many runs (browsers round their clocks). Recorded machines were measured in Node in the same way, other libraries at their best setting. Where one has no time, it cannot do the case.',
        ),
      );
    };
    right.append(
      element(
        'div',
        { class: 'row' },
        element('h2', {}, 'Times'),
        element(
          'button',
          {
            type: 'button',
            class: 'small',
            onclick: () => void copy(),
            title: 'Copy the results of this machine as JSON',
          },
          'Copy JSON',
        ),
      ),
      results,
    );
    show();
    return () => closing.abort();
  },
};

/** This machine first. */
function seriesOf(
  names: Partial<Record<Kind, string>>,
  found: Readonly<Record<Kind, Record<string, Times>>>,
): PlotSeries[] {
  const own = (['cpu', 'gpu'] as const).flatMap((kind): PlotSeries[] => {
    const medians = Object.fromEntries(Object.entries(found[kind]).map(([key, { median }]) => [key, median]));
    if (Object.keys(medians).length === 0) return [];
    return [{ name: `this machine, ${kind.toUpperCase()}: ${names[kind] ?? ''}`, kind, own: true, medians }];
  });
  return [
    ...own,
    ...recorded.map(({ machine, engine, kind, medians }) => ({
      ...{ name: `${engine} on ${machine}`, kind, own: false, medians },
    })),
  ];
}

function tableOf(
  series: readonly PlotSeries[],
  found: Readonly<Record<Kind, Record<string, Times>>>,
): HTMLElement {
  const head = series.map(({ name }) => {
    const cell = element('th', { class: 'n' }, name);
    cell.scope = 'col';
    return cell;
  });
  const rows = pageCases.map(({ key, title }) => {
    const first = element('th', {}, title);
    first.scope = 'row';
    const cells = series.map(({ kind, own, medians }) => {
      const times = own && kind !== 'peer' ? found[kind][key] : undefined;
      const title = times
        ? `half of ${times.runs} runs between ${amount(times.low)} and ${amount(times.high)} ms`
        : '';
      return element(
        'td',
        { class: own ? 'n own' : 'n', title },
        medians[key] === undefined ? '–' : amount(medians[key]),
      );
    });
    return element('tr', { data: { key } }, first, ...cells);
  });
  return element(
    'div',
    { class: 'scroll' },
    element(
      'table',
      {},
      element('caption', {}, 'Milliseconds of each case'),
      element('thead', {}, element('tr', {}, element('td'), ...head)),
      element('tbody', {}, ...rows),
    ),
  );
}

/** As the results that are recorded: a machine, and its lines. */
function resultsOf(
  names: Partial<Record<Kind, string>>,
  found: Readonly<Record<Kind, Record<string, Times>>>,
) {
  return {
    machine: {
      processor: names.cpu,
      gpu: names.gpu,
      browser: navigator.userAgent,
      cores: navigator.hardwareConcurrency,
    },
    lines: pageCases.flatMap(({ key }) =>
      (['cpu', 'gpu'] as const).flatMap(kind =>
        found[kind][key] ? [{ case: key, engine: kind, ...found[kind][key] }] : [],
      ),
    ),
  };
}
