import fc from 'fast-check';
import { expect, it } from 'vitest';
import { matrixOf } from './matrix.ts';
import { parseRules } from './parse.ts';
import { resolveRules } from './resolve.ts';

const rulesOf = (value: object) => parseRules('rules.json', JSON.stringify(value));

it('a cell is checked if a test names a pair of different bodies of its sets', () => {
  const letters = fc.subarray(['a', 'b', 'c', 'd', 'e'], { minLength: 1 });
  const story = fc.record({
    sets: fc.array(letters, { minLength: 1, maxLength: 4 }),
    tests: fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { minLength: 1, maxLength: 3 }),
    bodies: fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), { minLength: 1, maxLength: 7 }),
  });
  const property = fc.property(story, ({ sets, tests, bodies }) => {
    const given = rulesOf({
      sets: Object.fromEntries(sets.map((name, i) => [`s${i}`, { name }])),
      tests: tests.map(([p, q], i) => ({
        name: `t${i}`,
        between: [`s${p % sets.length}`, `s${q % sets.length}`],
      })),
    });
    const named = bodies.map(name => ({ name }));
    const resolved = resolveRules(given, named);
    const { cells, sets: rows } = matrixOf(resolved, named, []);
    const isIn = (row: number, body: number) =>
      row < sets.length ? sets[row].includes(bodies[body]) : !sets.some(set => set.includes(bodies[body]));
    const expected: string[] = [];
    for (let p = 0; p < rows.length; p++) {
      for (let q = p; q < rows.length; q++) {
        const isChecked = bodies.some((_, a) =>
          bodies.some((_, b) => a !== b && isIn(p, a) && isIn(q, b) && resolved.keep(a, b)),
        );
        if (isChecked) expected.push(`${p} ${q}`);
      }
    }
    expect(cells.map(({ a, b, checked }) => checked && `${a} ${b}`)).toEqual(expected);
  });
  fc.assert(property, { numRuns: 500 });
});

it('400 sets and 400 tests of 4,000 bodies take no more than their product', () => {
  const count = 400;
  const bodies = Array.from({ length: 4000 }, (_, i) => ({ name: `p${i % count}_${i}` }));
  const range = Array.from({ length: count }, (_, i) => i);
  const given = rulesOf({
    sets: Object.fromEntries(range.map(i => [`s${i}`, { name: `p${i}_*` }])),
    tests: range.map(i => ({ name: `t${i}`, between: [`s${i}`, `s${(i + 1) % count}`] })),
  });
  const { cells } = matrixOf(resolveRules(given, bodies), bodies, []);
  expect(cells).toHaveLength(count);
});
