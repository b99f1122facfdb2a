import { describe, expect, it } from 'vitest';
import { papers } from './index.ts';
import { pageOf } from './page.ts';
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

describe('pages', () => {
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
    const [{ findings }] = await runPaper(paper, lab);
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
