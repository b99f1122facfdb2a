import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { parseStatuses } from '../history/statuses/statuses.ts';
import { parseRules } from './parse.ts';

const schema = JSON.parse(readFileSync(new URL('../../rules.schema.json', import.meta.url), 'utf8'));
const isValid = new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(schema);

/** The parser's message; undefined if it accepts the value. */
function refusal(value: unknown): string | undefined {
  try {
    parseRules('rules.json', JSON.stringify(value));
    return undefined;
  } catch (error) {
    expect(error).toBeInstanceOf(NearfieldError);
    expect((error as NearfieldError).code).toBe('bad-file');
    return (error as NearfieldError).message;
  }
}

const test = { name: 'everything', all: true };
const inSet = (selector: unknown) => ({ sets: { walls: selector }, tests: [test] });

describe('files that the schema and the parser accept', () => {
  it.each<[string, unknown]>([
    ['one test', { tests: [test] }],
    ['a schema and units', { $schema: './rules.schema.json', units: 'mm', tests: [test] }],
    [
      'every field of a selector',
      inSet({ file: 'a*', name: ['b', 'c?'], path: '*/x', class: 'IfcWall', id: '0' }),
    ],
    ['properties', inSet({ property: { 'Pset.Load': true, '*.Rating': [30, '6?'] } })],
    [
      'sets of sets',
      { ...inSet({ any: ['a', { not: 'a' }], all: ['a'] }), sets: { a: { name: '*' }, b: 'a' } },
    ],
    [
      'every field of a test',
      { tests: [{ ...test, tolerance: '5 mm', clearance: 3, severity: 'info', ignore: ['touching'] }] },
    ],
    ['the tolerance of the file', { tests: [{ ...test, tolerance: 'file' }] }],
    ['selectors in place', { tests: [{ name: 'x', between: [{ name: 'a' }, { class: 'b' }] }] }],
    ['within', { sets: { a: { name: '*' } }, tests: [{ name: 'x', within: 'a' }] }],
    [
      'allowances',
      {
        sets: { a: { name: '*' } },
        tests: [test],
        allow: [{ between: ['a', { id: '1' }], reason: 'bolted' }],
      },
    ],
  ])('%s', (_, value) => {
    expect(isValid(value), JSON.stringify(isValid.errors)).toBe(true);
    expect(refusal(value)).toBeUndefined();
  });
});

describe('files that both refuse, by JSON path', () => {
  it.each<[string, unknown, string]>([
    ['an array', [], '$: expected an object'],
    ['no tests', {}, '$: "tests" is missing'],
    ['an empty list of tests', { tests: [] }, '$.tests: no pair would be checked'],
    ['an unknown field', { tests: [test], test: [] }, '$: "test" is not known here; did you mean "tests"?'],
    [
      'an unknown field far from all',
      { tests: [test], xyzzy: 1 },
      'the fields are $schema, units, sets, tests, allow',
    ],
    ['units that are no text', { units: 3, tests: [test] }, '$.units: expected a unit such as "mm", got 3'],
    ['sets in an array', { sets: [], tests: [test] }, '$.sets: expected an object from names to selectors'],
    ['a set without a name', { sets: { ' ': { name: 'a' } }, tests: [test] }, 'a set needs a name'],
    ['an empty selector', inSet({}), '$.sets.walls: a selector needs at least one field'],
    [
      'a mistyped field of a selector',
      inSet({ nmae: 'a' }),
      '$.sets.walls: "nmae" is not known here; did you mean "name"?',
    ],
    ['a number as pattern', inSet({ name: 3 }), '$.sets.walls.name: expected a pattern such as "pipe*"'],
    ['no patterns', inSet({ class: [] }), '$.sets.walls.class: expected a pattern'],
    [
      'an empty pattern',
      inSet({ name: ['a', ''] }),
      '$.sets.walls.name[1]: an empty pattern matches nothing',
    ],
    ['a huge pattern', inSet({ name: 'a'.repeat(513) }), 'a pattern has at most 512 characters'],
    ['an empty list of sets', inSet({ any: [] }), '$.sets.walls.any: expected at least one'],
    [
      'a property that is an object',
      inSet({ property: { x: {} } }),
      '$.sets.walls.property.x: expected a text, number or boolean',
    ],
    ['no properties', inSet({ property: {} }), '$.sets.walls.property: name at least one'],
    ['a test without a name', { tests: [{ all: true }] }, '$.tests[0]: "name" is missing'],
    [
      'a test of nothing',
      { tests: [{ name: 'x' }] },
      'expected exactly one of "between", "within" and "all", got none',
    ],
    ['a test of two things', { tests: [{ ...test, within: 'a' }] }, 'got within and all'],
    ['all: false', { tests: [{ name: 'x', all: false }] }, '$.tests[0].all: expected true, got false'],
    [
      'three sets',
      { tests: [{ name: 'x', between: ['a', 'b', 'c'] }] },
      '$.tests[0].between: expected an array of two sets, got an array of 3',
    ],
    [
      'a negative tolerance',
      { tests: [{ ...test, tolerance: -1 }] },
      '$.tests[0].tolerance: expected a length that is not negative',
    ],
    [
      'a negative text',
      { tests: [{ ...test, clearance: '-1mm' }] },
      '$.tests[0].clearance: expected a length',
    ],
    [
      'a tolerance that is no length',
      { tests: [{ ...test, tolerance: 'much' }] },
      '$.tests[0].tolerance: "much" is not a length',
    ],
    ['a clearance of the file', { tests: [{ ...test, clearance: 'file' }] }, '$.tests[0].clearance'],
    [
      'an unknown severity',
      { tests: [{ ...test, severity: 'majr' }] },
      'expected one of critical, major, minor, info, got "majr"; did you mean "major"?',
    ],
    [
      'an unknown relation',
      { tests: [{ ...test, ignore: ['separate'] }] },
      '$.tests[0].ignore[0]: expected one of touching',
    ],
    [
      'an allowance of one set',
      { tests: [test], allow: [{ between: ['a'] }] },
      '$.allow[0].between: expected an array of two',
    ],
    [
      'an allowance with a number',
      { tests: [test], allow: [{ between: [{ name: 'a' }, { name: 'b' }], reason: 1 }] },
      '$.allow[0].reason',
    ],
  ])('%s', (_, value, message) => {
    expect(isValid(value)).toBe(false);
    expect(refusal(value)).toContain(message);
    expect(refusal(value)).toMatch(/^rules\.json: /);
  });
});

describe('what only the parser can know', () => {
  it.each<[string, string, string]>([
    ['no JSON', '{ "tests": [', 'rules.json: not valid JSON'],
    ['a key twice', '{ "tests": [], "tests": [] }', 'rules.json: $: "tests" is given twice'],
    [
      'a key twice inside',
      '{ "sets": { "a": { "name": "x", "name": "y" } } }',
      '$.sets.a: "name" is given twice',
    ],
    [
      'an unknown set',
      '{ "sets": { "walls": { "name": "a" } }, "tests": [{ "name": "x", "within": "wals" }] }',
      '$.tests[0] names the set "wals", which does not exist; did you mean "walls"?',
    ],
    [
      'an unknown set in a set',
      '{ "sets": { "a": { "not": "b" } }, "tests": [{ "name": "x", "all": true }] }',
      '$.sets.a names the set "b"',
    ],
    [
      'a circle',
      '{ "sets": { "a": "b", "b": { "any": [{ "not": "a" }] } }, "tests": [{ "name": "x", "all": true }] }',
      '"a" needs "b" needs "a": sets in a circle',
    ],
    [
      'two tests with one name',
      '{ "tests": [{ "name": "x", "all": true }, { "name": "x", "all": true }] }',
      '$.tests[1].name: another test is called "x" too',
    ],
    [
      'an unknown unit',
      '{ "units": "parsec", "tests": [{ "name": "x", "all": true }] }',
      '$.units: "parsec" is not a unit',
    ],
    [
      'an unknown unit of a length',
      '{ "tests": [{ "name": "x", "all": true, "tolerance": "1 parsec" }] }',
      '$.tests[0].tolerance: "parsec" is not a unit',
    ],
  ])('%s', (_, text, message) => {
    expect(() => parseRules('rules.json', text)).toThrowError(message);
  });

  it('accepts a byte order mark', () => {
    expect(parseRules('r', `\ufeff${JSON.stringify({ tests: [test] })}`).tests).toHaveLength(1);
  });

  it('deep nesting and long chains of sets are refused, not followed', () => {
    const deep = `${'{"not":'.repeat(100_000)}"a"${'}'.repeat(100_000)}`;
    expect(() => parseRules('r', `{"tests":[{"name":"x","within":${deep}}]}`)).toThrowError(
      'nested more than 64',
    );
    const sets = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`s${i}`, `s${i + 1}`]));
    expect(refusal({ sets, tests: [test] })).toContain('needs more than 64 other sets');
  });

  it('names from strangers do not reach the message unescaped', () => {
    expect(refusal({ tests: [test], 'a\u202eb': 1 })).toContain('"a\\u202eb" is not known');
  });
});

it('the examples of the documentation are right', () => {
  const page = readFileSync(new URL('../../../../docs/rules.md', import.meta.url), 'utf8');
  const [rules, statuses, ...others] = Array.from(
    page.matchAll(/```json\n([\s\S]*?)```/g),
    ([, text]) => text,
  );
  expect(others).toEqual([]);
  expect(isValid(JSON.parse(rules)), JSON.stringify(isValid.errors)).toBe(true);
  const { tests, sets, allow } = parseRules('rules.json', rules);
  expect([tests.length, sets.size, allow.length]).toEqual([4, 5, 1]);
  expect(parseStatuses('statuses.json', statuses).clashes.size).toBe(2);
});

it('the schema and the parser agree about random files', () => {
  // Mostly right, with wrong values here and there.
  const spoilt = <T>(right: fc.Arbitrary<T>) =>
    fc.oneof(
      { arbitrary: right, weight: 60 },
      {
        arbitrary: fc.constantFrom<unknown>(null, 0, -1, '', 'a', [], {}, true, ['a', 'b'], { name: 'a' }),
        weight: 1,
      },
    );
  const optional = <T extends Record<string, fc.Arbitrary<unknown>>>(fields: T) =>
    fc
      .record(fields, { requiredKeys: [] })
      .chain(value =>
        fc.oneof(
          { arbitrary: fc.constant<object>(value), weight: 30 },
          { arbitrary: fc.constant<object>({ ...value, unheard: 1 }), weight: 1 },
        ),
      );
  const pattern = fc.constantFrom('a', '*', 'IfcWall*', 'x?');
  const patterns = spoilt(fc.oneof(pattern, fc.array(pattern, { minLength: 1, maxLength: 2 })));
  const value = fc.oneof(pattern, fc.boolean(), fc.integer());
  const setsOf = (...names: string[]) => {
    const { set } = fc.letrec<{ selector: unknown; set: unknown }>(tie => ({
      set:
        names.length === 0
          ? tie('selector')
          : spoilt(fc.oneof({ depthSize: 'small' }, fc.constantFrom(...names), tie('selector'))),
      selector: optional({
        ...{ file: patterns, name: patterns, path: patterns, class: patterns, id: patterns },
        property: spoilt(
          fc.dictionary(pattern, fc.oneof(value, fc.array(value, { maxLength: 2 })), { maxKeys: 2 }),
        ),
        any: spoilt(fc.array(tie('set'), { minLength: 1, maxLength: 2, depthIdentifier: 'sets' })),
      }),
    }));
    return set;
  };
  const set = setsOf('a', 'b');
  const pair = spoilt(fc.tuple(set, set));
  const length = spoilt(fc.constantFrom(0, 1.5, '5mm', ' 1e-3 in ', '+2', '3', '1 m'));
  const oneTest = fc
    .tuple(
      fc.oneof(fc.record({ between: pair }), fc.record({ within: set }), fc.constant({ all: true })),
      optional({
        tolerance: fc.oneof(length, fc.constant('file')),
        clearance: length,
        severity: spoilt(fc.constantFrom('critical', 'info')),
        ignore: spoilt(fc.array(fc.constantFrom('touching', 'inside'))),
      }),
      fc.uuid(),
    )
    .map(([between, rest, name]) => ({ name, ...between, ...rest }));
  const file = fc.record({
    units: spoilt(fc.constantFrom('mm', 'm')),
    sets: spoilt(fc.record({ a: fc.record({ name: patterns }), b: setsOf('a') })),
    tests: spoilt(fc.array(oneTest, { minLength: 1, maxLength: 3 })),
    allow: spoilt(fc.array(fc.record({ between: pair, reason: fc.constant('why') }))),
  });
  // What the schema cannot say: references, circles, names of units.
  const beyond = /does not exist|in a circle|is not a unit/;
  let accepted = 0;
  let refused = 0;
  const property = fc.property(file, value => {
    const message = refusal(value);
    if (message !== undefined && beyond.test(message)) return;
    if (message === undefined) accepted++;
    else refused++;
    expect(isValid(value), `${message}\n${JSON.stringify(value)}`).toBe(message === undefined);
  });
  fc.assert(property, { numRuns: 1500 });
  expect(Math.min(accepted, refused)).toBeGreaterThan(50);
});
