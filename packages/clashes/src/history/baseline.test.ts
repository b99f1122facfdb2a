import fc from 'fast-check';
import { NearfieldError } from 'nearfield';
import { expect, it } from 'vitest';
import { assemblyJson } from '../exchange/json.ts';
import type { Decision } from '../rules/types.ts';
import { finish } from '../steps/steps.ts';
import { parseBaseline } from './baseline.ts';
import { compare } from './compare.ts';
import { pastOf } from './past.ts';
import { reusable } from './reuse.ts';
import { asBaseline, checkParts, part } from './testing.ts';

const { answer } = await checkParts([
  part('floor', [0, 0, 0], [9, 9, 1], { id: '0aB$', path: ['House', 'floor'] }),
  part('pipe', [1, 1, -1], [1, 1, 4]),
]);
const decide = () => ({}) as Decision;
const text = [...assemblyJson(answer, false)].join('');

it('reads back what was written', () => {
  const baseline = asBaseline(answer);
  expect(baseline.bodies.map(({ name, id, fingerprint }) => ({ name, id, fingerprint }))).toEqual(
    answer.bodies.map(({ name, id, fingerprint }) => ({ name, id, fingerprint })),
  );
  const [pair] = baseline.frames[0].pairs;
  expect(pair).toMatchObject({
    a: 0,
    b: 1,
    relation: 'crossing',
    verdict: 'clash',
    depth: answer.frames[0].pairs[0].depth,
  });
  expect(pair.point).toEqual(answer.frames[0].pairs[0].point);
});

const set = (change: (value: ReturnType<typeof JSON.parse>) => void): string => {
  const value = JSON.parse(text);
  change(value);
  return JSON.stringify(value);
};

it.each<[string, string, string]>([
  ['no JSON', text.slice(0, 100), 'last.json: not valid JSON'],
  [
    'an array',
    '[]',
    'not the answer of an earlier check; "nearfield check FILE… --json --out LAST.json" writes one',
  ],
  ['another file', '{ "tests": [] }', 'not the answer of an earlier check'],
  ['a key twice', '{ "bodies": [], "pairs": [], "pairs": [] }', '$: "pairs" is given twice'],
  ['no pairs', set(value => delete value.pairs), '$: "pairs" is missing'],
  [
    'a name that is a number',
    set(value => (value.bodies[0].name = 3)),
    '$.bodies[0].name: expected a text, got 3',
  ],
  [
    'an index out of range',
    set(value => (value.pairs[0].b = 2)),
    '$.pairs[0].b: expected a whole number from 0 to 1, got 2',
  ],
  [
    'a pair of one body',
    set(value => (value.pairs[0].b = 0)),
    '$.pairs[0]: a pair needs two different bodies',
  ],
  [
    'a pair twice',
    set(value => value.pairs.push({ ...value.pairs[0], a: 1, b: 0 })),
    '$.pairs[1]: the bodies 1 and 0 are paired twice',
  ],
  ['an unknown relation', set(value => (value.pairs[0].relation = 'crosing')), 'did you mean "crossing"?'],
  [
    'an unknown verdict',
    set(value => (value.pairs[0].verdict = 'bad')),
    '$.pairs[0].verdict: expected one of clash',
  ],
  [
    'a depth with swapped bounds',
    set(value => (value.pairs[0].depth = { lower: 2, upper: 1 })),
    '$.pairs[0].depth: lower must not be above upper',
  ],
  [
    'a point of two numbers',
    set(value => (value.pairs[0].point = [1, 2])),
    '$.pairs[0].point: expected an array of 3 numbers',
  ],
  [
    'a point that is not finite',
    text.replace(/"point": \[[^,]*/, '"point": [1e999'),
    '$.pairs[0].point[0]: expected a finite number, got Infinity',
  ],
  [
    'a malformed identity',
    set(value => (value.pairs[0].clash = '../../etc')),
    '$.pairs[0].clash: expected 12 hexadecimal digits',
  ],
  ['a unit of 0', set(value => (value.unit = 0)), '$.unit: expected a number above 0, got 0'],
  ['a motion without frames', set(value => (value.frames = [])), '$.frames: expected at least one frame'],
  ['a history without list', set(value => (value.history = {})), '$.history: "gone" is missing'],
])('%s is refused', (_, hostile, message) => {
  expect(() => parseBaseline('last.json', hostile)).toThrowError(message);
});

it('any change of the file is refused, or gives an answer', () => {
  const value = JSON.parse(text);
  const paths: (string | number)[][] = [];
  const walk = (node: unknown, path: (string | number)[]) => {
    if (path.length > 0) paths.push(path);
    if (typeof node === 'object' && node !== null) {
      for (const [key, child] of Object.entries(node)) walk(child, [...path, key]);
    }
  };
  walk(value, []);
  const wrong = fc.constantFrom<unknown>(
    null,
    -1,
    1e308,
    '',
    'x',
    [],
    {},
    true,
    [[]],
    { lower: 1 },
    '__proto__',
    [0, 0, 0],
  );
  const property = fc.property(fc.constantFrom(...paths), wrong, (path, replacement) => {
    const copy = structuredClone(value);
    const parent = path.slice(0, -1).reduce((node, key) => node[key], copy);
    parent[path.at(-1)!] = replacement;
    try {
      const baseline = parseBaseline('last.json', JSON.stringify(copy));
      const { history } = finish(compare(answer, pastOf(baseline, answer), { decide }));
      reusable(baseline, answer.bodies, answer.question!);
      expect(history!.counts.new + history!.counts.same).toBeLessThanOrEqual(1);
    } catch (error) {
      expect(error).toBeInstanceOf(NearfieldError);
      expect((error as NearfieldError).code).toBe('bad-file');
    }
  });
  fc.assert(property, { numRuns: 1500 });
});

it('two clashes that claim one identity get different ones', async () => {
  const three = await checkParts([
    part('a', [0, 0, 0], [2, 2, 2]),
    part('b', [1, 0, 0], [2, 2, 2]),
    part('c', [0, 1, 0], [2, 2, 2]),
  ]);
  const frames = [
    { frame: 0, pairs: three.answer.frames[0].pairs.map(pair => ({ ...pair, clash: 'abcdefabcdef' })) },
  ];
  const compared = finish(
    compare(three.answer, pastOf(asBaseline({ ...three.answer, frames }), three.answer), {
      decide,
    }),
  );
  const ids = compared.frames[0].pairs.map(({ clash }) => clash);
  expect(new Set(ids).size).toBe(3);
  expect(ids).toContain('abcdefabcdef');
  expect(compared.history!.counts.same).toBe(3);
});
