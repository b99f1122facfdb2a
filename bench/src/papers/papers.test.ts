import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { clockRangeOf } from '../machine.ts';
import { papers } from './index.ts';
import { broughtUpToDate, pageOf, type Shown } from './page.ts';
import type { Exhibit, Lab, Paper } from './paper.ts';
import { plotSvg } from './plot.ts';
import { runPaper } from './run.ts';

const machine = { processor: 'P', cores: 2, memoryGiB: 4, node: 'v20' };
const exhibit: Exhibit = {
  name: 'Table 1',
  title: 'times',
  about: 'An experiment.',
  needsGpu: true,
  run: async () => ({
    tables: [
      {
        heads: ['size', 'a | b'],
        rows: [
          [1000, 'x|y'],
          [0.123456, undefined],
        ],
      },
    ],
    plots: [
      {
        id: 'times',
        title: 'times & sizes',
        x: { label: 'size' },
        y: { label: 'ms', log: true },
        series: [
          {
            name: 'ours',
            points: [
              [0, 1],
              [10, 100],
            ],
          },
          {
            name: "the paper's",
            points: [
              [0, 30],
              [10, 300],
            ],
            isPaper: true,
          },
        ],
      },
    ],
    notes: ['The times are linear (R² 0.99).'],
  }),
};
const paper: Paper = {
  name: 'one',
  title: 'One',
  source: 'Somebody, 1999',
  about: 'About.',
  exhibits: [exhibit],
};
const lab = { gpu: undefined, log: () => {} } as unknown as Lab;

/** What the last page shows. */
async function shownOf(of: Paper): Promise<readonly Shown[]> {
  let shown: readonly Shown[] = [];
  await runPaper(of, lab, Infinity, written => {
    shown = [...written];
  });
  return shown;
}

describe('pages', () => {
  it('keep what an earlier run measured, and when, if a run does not reach it', async () => {
    const other = { ...exhibit, name: 'Table 2', needsGpu: false };
    const both = { ...paper, exhibits: [{ ...exhibit, needsGpu: false }, other] };
    const unreached = { missing: 'the run ended before it' };
    const [first, second] = await shownOf(both);
    const textOf = (shown: readonly Shown[], date: string, earlier?: string) =>
      pageOf(both, shown, machine, date, earlier)[0].text;
    const whole = textOf([first, second], '2026-01-01');
    const next = textOf([first, { ...second, findings: unreached }], '2026-02-02', whole);
    expect(next).toContain('Node v20; 2026-02-02.');
    const [, , kept] = next.split(/^(?=## )/m);
    expect(kept).toContain('| 1,000 | x\\|y |');
    expect(kept).toMatch(/From an earlier run, on P, 2 cores, Node v20; 2026-01-01\.\n$/);
    // Kept again by a third run, with its own date; measured again by a fourth.
    const third = textOf([first, { ...second, findings: unreached }], '2026-03-03', next);
    expect(third.split(/^(?=## )/m)[2]).toBe(kept);
    expect(textOf([first, second], '2026-04-04', third)).not.toContain('earlier run');
    // The page names what failed and what was never measured.
    const failed = { missing: 'it failed (too hot)', error: new Error('too hot') };
    expect(textOf([first, { ...second, findings: failed }], '', whole)).toContain('too hot');
    const never = textOf([first, { ...second, findings: unreached }], '2026-01-01');
    expect(textOf([first, { ...second, findings: unreached }], '', never)).toContain(
      'Not measured here: the run',
    );
  });
  it('go on after an exhibit that failed, and say what was not reached', async () => {
    const fails = { ...exhibit, needsGpu: false, run: () => Promise.reject(new Error('too hot')) };
    const works = { ...exhibit, needsGpu: false };
    const both = { ...paper, exhibits: [fails, works] };
    const shown = await shownOf(both);
    expect(shown[0].findings).toMatchObject({ missing: 'it failed (too hot)' });
    expect('tables' in shown[1].findings).toBe(true);
    expect(await runPaper(both, lab, Infinity, () => {})).toBe(1);
    const pages: string[] = [];
    await runPaper(both, lab, Infinity, written => pages.push(pageOf(both, written, machine, '')[0].text));
    expect(pages[0]).toContain('Not measured here: the run ended before it.');
    expect(await runPaper(both, lab, -Infinity, () => {})).toBe(2);
  });

  it('state the range of the GPU’s clock, if it was sampled', async () => {
    const shown = await shownOf({ ...paper, exhibits: [{ ...exhibit, needsGpu: false }] });
    const textOf = (samples: string) =>
      pageOf(paper, shown, { ...machine, gpu: 'G', clock: clockRangeOf(samples) }, '')[0].text;
    expect(textOf('1980\n1980\n')).toContain('Measured on G, its clock at 1,980 MHz in 2 samples, P,');
    expect(textOf(' 1980\n345\n[N/A]\n1200\n19')).toContain('its clock from 345 to 1,980 MHz in 3 samples, ');
    for (const none of ['', 'No devices were found\n']) expect(textOf(none)).toContain('Measured on G, P,');
  });

  it('have the tables, plots and notes of every exhibit', async () => {
    const findings = await exhibit.run(lab);
    const [page, plot, ...others] = pageOf(paper, [{ exhibit, findings }], machine, '2000-01-01');
    expect(others).toEqual([]);
    expect([page.name, plot.name]).toEqual(['one.md', 'one-times.svg']);
    expect(page.text).toContain('# One\n');
    expect(page.text).toContain('## Table 1: times\n\nAn experiment.\n');
    expect(page.text).toContain('![times & sizes](one-times.svg)');
    expect(page.text).toContain(
      '| size | a | b |\n| --- | --- |\n| 1,000 | x\\|y |\n| 0.123 |  |'.replace('a | b', 'a \\| b'),
    );
    expect(page.text).toContain('The times are linear (R² 0.99).');
  });

  it('say why an exhibit was not measured', async () => {
    const [findings] = (await shownOf(paper)).map(({ findings: found }) => found);
    expect(findings).toEqual({ missing: 'it needs a GPU' });
    expect(pageOf(paper, [{ exhibit, findings }], machine, '')[0].text).toContain(
      'Not measured here: it needs a GPU.',
    );
  });

  it('refuse rows that do not fit their heads', () => {
    const findings = { tables: [{ heads: ['a'], rows: [[1, 2]] }] };
    expect(() => pageOf(paper, [{ exhibit, findings }], machine, '')).toThrow('2 cells for 1 heads');
  });
});

describe('committed pages', () => {
  const folder = fileURLToPath(new URL('../../../docs/papers', import.meta.url));
  const machines = readdirSync(folder, { withFileTypes: true }).filter(entry => entry.isDirectory());
  const pages = machines.flatMap(({ name }) => papers.map(one => [name, one] as const));

  it.each(pages)(
    'of %s: $name stands as the code would write it, apart from its figures',
    async (name, one) => {
      const file = join(folder, name, `${one.name}.md`);
      // If it does not, `vitest -u` on this file marks the sections that are of an earlier form.
      const text = broughtUpToDate(one, readFileSync(file, 'utf8'), headsIn(one.name));
      await expect(text).toMatchFileSnapshot(file);
    },
  );

  it('have an SVG file for every picture, and no other', () => {
    for (const { name } of machines) {
      const files = readdirSync(join(folder, name));
      const text = files
        .filter(file => file.endsWith('.md'))
        .map(file => readFileSync(join(folder, name, file), 'utf8'))
        .join('\n');
      const shown = [...text.matchAll(/\]\(([^)]*\.svg)\)/g)].map(([, file]) => file);
      expect(files.filter(file => file.endsWith('.svg')).sort()).toEqual(shown.sort());
    }
  });

  it('are marked where the text or a column is of an earlier form, and only there', async () => {
    const whole = pageOf(
      paper,
      await shownOf({ ...paper, exhibits: [{ ...exhibit, needsGpu: false }] }),
      machine,
      '',
    );
    const [{ text }] = whole;
    const known = (head: string) => ['size', 'a | b'].includes(head);
    expect(broughtUpToDate(paper, text, known)).toBe(text);
    const mark = /This section is of an earlier form/;
    const marked = broughtUpToDate(paper, text, head => head !== 'size');
    expect(marked).toMatch(mark);
    expect(broughtUpToDate(paper, marked, known)).toBe(text);
    const changed = { ...paper, exhibits: [{ ...exhibit, about: 'Another experiment.' }] };
    expect(broughtUpToDate(changed, text, known)).toMatch(mark);
    // A run that does not reach the section keeps the mark, and says when it was measured.
    const [kept] = pageOf(
      changed,
      [{ exhibit: changed.exhibits[0], findings: { missing: 'no time' } }],
      machine,
      '',
      text,
    );
    expect(kept.text).toMatch(mark);
    // Sections that are new, or no longer exist.
    const renamed = { ...paper, exhibits: [{ ...exhibit, name: 'Table 2' }] };
    expect(broughtUpToDate(renamed, text, known)).toMatch(
      /## Table 2: times\n\nAn experiment\.\n\nNot measured here/,
    );
    expect(broughtUpToDate(renamed, text, known)).not.toContain('## Table 1');
  });
});

/**
 * Tells whether a paper's code may make the head of a column: whether it is one of the code's texts, or fits one that has
 * values in it.
 */
function headsIn(name: string): (head: string) => boolean {
  const folder = fileURLToPath(new URL(name, import.meta.url));
  const code = readdirSync(folder)
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map(file => readFileSync(join(folder, file), 'utf8'))
    .join('\n');
  const texts = new Set([...code.matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].map(([, a, b]) => a ?? b));
  const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const patterns = [...code.matchAll(/`([^`\n]*)`/g)]
    .map(([, text]) => text.split(/\$\{[^}]*\}/))
    // What has hardly any text of its own would fit anything.
    .filter(parts => parts.join('').trim().length > 2)
    .map(parts => new RegExp(`^${parts.map(escaped).join('.+')}$`));
  return head => texts.has(head) || patterns.some(pattern => pattern.test(head));
}

describe('plots', () => {
  const plot = { id: 'p', title: 't', x: { label: 'x' }, y: { label: 'y', log: true } };
  it('place points between their ticks, and dash what is the paper’s', async () => {
    const svg = plotSvg((await exhibit.run(lab)).plots![0]);
    // 1 and 1000 are the ends of the vertical axis, 0 and 10 those of the horizontal one.
    expect(svg).toContain('d="M64.0 344.0L624.0 138.7"');
    expect(svg).toContain('stroke-dasharray');
    expect(svg).toContain('times &amp; sizes');
  });

  it('have a vertical bar per point where bars are given', () => {
    const points = [
      [0, 2],
      [10, 4],
    ] as const;
    const svg = plotSvg({ ...plot, y: { label: 'y' }, series: [{ name: 's', points, bars: [1, 0.5] }] });
    // From 1 to 3 of 0 to 4, at the left border.
    expect(svg).toContain('class="bar" d="M64.0 267.0V113.0"');
    expect(svg.match(/class="bar"/g)).toHaveLength(2);
  });

  it('have bars down to the border if they reach 0 on a logarithmic axis', () => {
    const points = [
      [0, 1],
      [10, 10],
    ] as const;
    const svg = plotSvg({ ...plot, series: [{ name: 's', points, bars: [1, 20] }] });
    expect(svg).not.toContain('NaN');
    expect(svg).toContain('class="bar" d="M624.0 344.0V36.0"');
  });

  it('refuse values that an axis cannot show', () => {
    for (const value of [0, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const series = [{ name: 's', points: [[1, value]] as const }];
      expect(() => plotSvg({ ...plot, series })).toThrow('cannot show');
    }
  });

  it('have round ticks, whatever the values', () => {
    for (const most of [1e-9, 0.03, 1, 7, 12345, 3e8]) {
      const series = [
        {
          name: 's',
          points: [
            [0, 0],
            [most, most],
          ] as const,
        },
      ];
      const svg = plotSvg({ ...plot, y: { label: 'y' }, series });
      expect(svg).not.toContain('NaN');
      expect(svg.match(/class="grid"/g)!.length).toBeLessThanOrEqual(20);
    }
  });
});

it('every paper and exhibit has its own name', () => {
  expect(new Set(papers.map(({ name }) => name)).size).toBe(papers.length);
  for (const { exhibits } of papers) {
    expect(new Set(exhibits.map(({ name }) => name)).size).toBe(exhibits.length);
    for (const { about, title } of exhibits) expect(about.length * title.length).toBeGreaterThan(0);
  }
});
