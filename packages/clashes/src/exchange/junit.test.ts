import { parse } from 'junit2json';
import { expect, it } from 'vitest';
import { answerOf } from '../testing.ts';
import { assemblyJunit } from './junit.ts';

const read = (answer: Parameters<typeof assemblyJunit>[0]) => parse([...assemblyJunit(answer)].join(''));

it('reports what fails as failures and the rest as skipped', async () => {
  const suites = await read(
    answerOf(
      ['plate', 'bolt', 'nut'],
      [
        {
          a: 0,
          b: 1,
          relation: 'crossing',
          triangleCount: 4,
          verdict: 'clash',
          depth: { lower: 1, upper: 1 },
        },
        { a: 0, b: 2, relation: 'touching', triangleCount: 2, verdict: 'ignored' },
      ],
      { unitName: 'mm' },
    ),
  );
  expect(suites).toMatchObject({ tests: 2, failures: 1 });
  const [suite] = 'testsuite' in suites! ? suites.testsuite! : [];
  expect(suite).toMatchObject({ tests: 2, failures: 1, skipped: 1 });
  expect(suite.testcase![0].name).toBe('plate and bolt');
  expect(suite.testcase![0].failure![0]).toMatchObject({
    type: 'clash',
    message: expect.stringContaining('1 mm deep'),
  });
  expect(suite.testcase![1].skipped).toBeDefined();
});

it('has one suite per test of the rules, and a passing case where nothing was found', async () => {
  const suites = await read(
    answerOf(['a', 'b'], [{ a: 0, b: 1, relation: 'touching', triangleCount: 1, test: 1 }], {
      tests: [{ name: 'pipes against walls' }, { name: 'the rest' }],
    }),
  );
  const found = 'testsuite' in suites! ? suites.testsuite! : [];
  expect(found.map(({ name, tests, failures }) => ({ name, tests, failures }))).toEqual([
    { name: 'pipes against walls', tests: 1, failures: 0 },
    { name: 'the rest', tests: 1, failures: 1 },
  ]);
});

it('is well-formed XML whatever the names contain', async () => {
  const name = '<a & "b"> \u0000\u0008\ufffe\uffff\ud800';
  const suites = await read(answerOf([name, 'b'], [{ a: 0, b: 1, relation: 'touching', triangleCount: 1 }]));
  const [suite] = 'testsuite' in suites! ? suites.testsuite! : [];
  expect(suite.testcase![0].name).toBe('<a & "b"> \\u0000\\u0008\\ufffe\\uffff\\ud800 and b');
});

it('lets clashes that the baseline has pass if only new ones fail', async () => {
  const known = { a: 0, b: 1, relation: 'crossing', triangleCount: 1, verdict: 'clash' } as const;
  const failures = async (change: 'new' | 'same' | 'worse') => {
    const suites = await read(answerOf(['a', 'b'], [{ ...known, change }], { failOn: 'new' }));
    return suites && 'failures' in suites ? suites.failures : undefined;
  };
  expect([await failures('new'), await failures('same'), await failures('worse')]).toEqual([1, 0, 1]);
});

it('never passes a test that could decide nothing', async () => {
  const xml = [
    ...assemblyJunit(
      answerOf(['a', 'b'], [], {
        tests: [
          { name: 'pipes', skipped: 'matches no pair of bodies: no body is in "pipes"' },
          { name: 'rest' },
        ],
        warnings: ['r.json: the set "pipes" matches no body'],
      }),
    ),
  ].join('');
  const suites = await parse(xml);
  const found = 'testsuite' in suites! ? suites.testsuite! : [];
  expect(found.map(({ name, tests, failures, skipped }) => [name, tests, failures, skipped])).toEqual([
    ['pipes', 1, 0, 1],
    ['rest', 1, 0, 0],
    ['rules that match nothing', 1, 0, 1],
  ]);
  expect(xml).toContain('<skipped message="matches no pair of bodies: no body is in &quot;pipes&quot;"/>');
  expect([...assemblyJunit(answerOf(['a'], []))].join('')).toContain(
    '<skipped message="there are not two bodies"/>',
  );
});

it('has one case per pair of a motion, as in its worst frame', async () => {
  const pair = { a: 0, b: 1, relation: 'crossing', triangleCount: 1, verdict: 'clash' } as const;
  const depth = (upper: number) => ({ depth: { lower: upper, upper } });
  const frames = [depth(1), depth(3), depth(2)].map((deep, frame) => ({
    frame,
    pairs: [{ ...pair, ...deep }],
  }));
  const suites = await read({ ...answerOf(['a', 'b'], []), isMotion: true, frames });
  const [suite] = 'testsuite' in suites! ? suites.testsuite! : [];
  expect(suite.testcase).toMatchObject([
    {
      name: 'a and b',
      failure: [{ message: expect.stringMatching(/3 deep.*in frames 0–2, the worst is 1$/) }],
    },
  ]);
});
