import { parse } from 'csv-parse/sync';
import { expect, it } from 'vitest';
import { answerOf } from '../testing.ts';
import { assemblyCsv } from './csv.ts';

const read = (text: string): Record<string, string>[] => parse(text, { bom: true, columns: true });
const written = (answer: Parameters<typeof assemblyCsv>[0]) => [...assemblyCsv(answer)].join('');

it('has one row per pair, the deepest first', () => {
  const rows = read(
    written(
      answerOf(
        ['plate', 'bolt', 'nut'],
        [
          { a: 0, b: 1, relation: 'crossing', triangleCount: 4, depth: { lower: 0.25, upper: 0.5 } },
          { a: 0, b: 2, relation: 'crossing', triangleCount: 8, depth: { lower: 1, upper: 1.5 } },
        ],
        { unitName: 'mm' },
      ),
    ),
  );
  expect(rows).toMatchObject([
    { a: 'plate', b: 'nut', 'depth lower': '1', 'depth upper': '1.5', unit: 'mm', 'triangle pairs': '8' },
    { a: 'plate', b: 'bolt', relation: 'crossing', verdict: 'clash' },
  ]);
  expect(Object.keys(rows[0])).not.toContain('frame');
});

it('keeps every name as it is, whatever it contains', () => {
  const names = ['a,b', 'say "hi"', 'two\nlines', ' spaces ', '', 'Ünïcode 漢字', "o'clock"];
  const pairs = names.map((_, i) => ({
    a: i,
    b: names.length,
    relation: 'touching' as const,
    triangleCount: 1,
  }));
  const rows = read(written(answerOf([...names, 'z'], pairs)));
  expect(rows.map(row => row.a)).toEqual(names.map(name => name.replace('\n', '\\u000a')));
});

it('gives no cell that a spreadsheet would compute', () => {
  const names = [
    '=1+1',
    '+SUM(A1)',
    '-2',
    '@cmd',
    '\t=1',
    '  =1',
    '\u00a0+1',
    '＝1',
    '|x',
    'a;=1+1;b',
    'a; -1',
  ];
  const pairs = names.map((_, i) => ({
    a: i,
    b: names.length,
    relation: 'touching' as const,
    triangleCount: 1,
  }));
  for (const { a } of read(written(answerOf([...names, 'z'], pairs))))
    expect(a).not.toMatch(/(^|;)\s*[=+\-@|＝＋－＠\t\r]/);
});

it('writes every frame of a motion', () => {
  const { frames, ...answer } = answerOf(
    ['a', 'b'],
    [{ a: 0, b: 1, relation: 'touching', triangleCount: 1 }],
  );
  const motion = { ...answer, isMotion: true, frames: [frames[0], { ...frames[0], frame: 1 }] };
  expect(read(written(motion)).map(row => row.frame)).toEqual(['0', '1']);
});
