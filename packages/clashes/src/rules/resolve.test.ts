import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { AssemblyPair } from '../assembly/types.ts';
import { between } from './between.ts';
import { matrixOf } from './matrix.ts';
import { parseRules } from './parse.ts';
import { resolveRules } from './resolve.ts';
import type { RuleBody } from './sets/select.ts';

const rulesOf = (value: unknown) => parseRules('rules.json', JSON.stringify(value));
const named = (...names: string[]): RuleBody[] => names.map(name => ({ name }));

const house: RuleBody[] = [
  {
    name: 'North',
    type: 'IfcWall',
    file: 'models/arch-v3.ifc',
    id: 'w1',
    path: ['House', 'Level 1', 'North'],
    properties: { 'Pset_WallCommon.IsExternal': true, 'Pset_WallCommon.FireRating': '60' },
  },
  {
    name: 'Core',
    type: 'IfcWallStandardCase',
    file: 'models/arch-v3.ifc',
    id: 'w2',
    path: ['House', 'Level 2', 'Core'],
    properties: { 'Pset_WallCommon.IsExternal': false },
  },
  { name: 'Pipe 1', type: 'IfcFlowSegment', file: 'mep.ifc', id: 'p1', properties: { Diameter: 110 } },
  { name: 'Pipe 2', type: 'IfcFlowSegment', file: 'mep.ifc', id: 'p2', properties: { Diameter: 50 } },
  { name: 'Sensor', file: 'C:\\work\\robot.glb' },
];

it.each<[unknown, number[]]>([
  [{ class: 'ifcwall*' }, [0, 1]],
  [{ class: 'IfcWall' }, [0]],
  [{ file: 'mep' }, [2, 3]],
  [{ file: 'MEP.ifc' }, [2, 3]],
  [{ file: 'arch*' }, [0, 1]],
  [{ file: 'models/*' }, [0, 1]],
  [{ file: 'work' }, []],
  [{ file: '*/robot.glb' }, [4]],
  [{ file: '*\\robot.*' }, [4]],
  [{ name: ['north', 'pipe ?'] }, [0, 2, 3]],
  [{ path: 'House/Level 1/*' }, [0]],
  [{ path: '*' }, [0, 1]],
  [{ id: ['w1', 'P2'] }, [0]],
  [{ property: { 'Pset_WallCommon.IsExternal': true } }, [0]],
  [{ property: { '*.isexternal': false } }, [1]],
  [{ property: { '*.IsExternal': ['true', 'false'] } }, [0, 1]],
  [{ property: { Diameter: 110 } }, [2]],
  [{ property: { Diameter: '110' } }, [2]],
  [{ property: { diameter: '*' }, name: '*2' }, [3]],
  [{ property: { '*FireRating': 60 } }, []],
  [{ property: { '*FireRating': '60' } }, [0]],
  [{ not: { class: '*' } }, [4]],
  [{ any: [{ name: 'core' }, { name: 'sensor' }] }, [1, 4]],
  [{ all: [{ file: 'mep' }, { not: { id: 'p1' } }] }, [3]],
  [{ any: [{ file: 'mep' }], not: { id: 'p1' } }, [3]],
])('%j selects %j', (selector, expected) => {
  const rules = rulesOf({ sets: { s: selector }, tests: [{ name: 't', all: true }] });
  const { setBodies } = resolveRules(rules, house);
  expect(house.flatMap((_, i) => (setBodies[0].has(i) ? [i] : []))).toEqual(expected);
});

it('the first test that names a pair decides, and allowances come before tests', () => {
  const rules = rulesOf({
    units: 'mm',
    sets: { walls: { class: 'IfcWall*' }, pipes: { name: 'Pipe*' }, big: { property: { Diameter: 110 } } },
    tests: [
      { name: 'big', between: ['big', 'walls'], severity: 'critical', tolerance: 1, clearance: '5cm' },
      { name: 'pipes', between: ['walls', 'pipes'], tolerance: '2mm', ignore: ['touching'] },
      { name: 'walls', within: 'walls', tolerance: 'file' },
    ],
    allow: [{ between: [{ id: 'p2' }, { id: 'w2' }], reason: 'sleeve' }],
  });
  const resolved = resolveRules(rules, house, { unit: 1, clearance: 0.01, ignore: ['inside'] });
  const shown = (a: number, b: number) => {
    const decision = resolved.decide(a, b);
    return decision && { ...decision, ignore: [...decision.ignore].sort() };
  };
  const plain = { severity: 'major', clearance: 0.01, ignore: ['inside'], allowed: undefined };
  expect(shown(0, 2)).toEqual({ ...plain, test: 0, severity: 'critical', tolerance: 0.001, clearance: 0.05 });
  expect(shown(2, 0)).toEqual(shown(0, 2));
  const pipes = { ...plain, test: 1, tolerance: 0.002, ignore: ['inside', 'touching'] };
  expect(shown(0, 3)).toEqual(pipes);
  expect(shown(1, 3)).toEqual({ ...pipes, allowed: 'sleeve' });
  expect(shown(0, 1)).toEqual({ ...plain, test: 2, tolerance: 'file' });
  expect(shown(2, 3)).toBeUndefined();
  expect(shown(0, 4)).toBeUndefined();
  expect(resolved.keep(1, 3)).toBe(true);
  expect(resolved.keep(2, 3)).toBe(false);
  expect(resolved.clearance).toBe(0.05);
  expect(resolved.warnings).toEqual([]);
  expect(resolved.tests.map(({ name, tolerance }) => [name, tolerance])).toEqual([
    ['big', 0.001],
    ['pipes', 0.002],
    ['walls', 'file'],
  ]);
});

it('without rules every pair is checked by no test', () => {
  const resolved = resolveRules(undefined, named('a', 'b'), {
    tolerance: 2,
    allowed: [{ a: 1, b: 0, reason: 'joint' }],
  });
  expect(resolved.decide(0, 1)).toMatchObject({ test: undefined, tolerance: 2, allowed: 'joint' });
  expect(resolved.tests).toEqual([]);
  expect(resolved.membership(0)).toBeUndefined();
});

it('a length with a unit needs the unit of the files', () => {
  const rules = rulesOf({ tests: [{ name: 't', all: true, tolerance: '1mm' }] });
  expect(() => resolveRules(rules, [])).toThrowError(
    'rules.json: the tolerance of test "t" has a unit, but the files do not state theirs: say it with --units, such as --units mm',
  );
  expect(resolveRules(rules, [], { unit: 0.0254 }).tests[0].tolerance).toBeCloseTo(1 / 25.4, 15);
});

it('reports sets, tests and allowances that match nothing', () => {
  const rules = rulesOf({
    sets: { walls: { name: 'wall*' }, ducts: { name: 'duct*' }, one: { name: 'wall 1' } },
    tests: [
      { name: 'all walls', within: 'walls' },
      { name: 'ducts', between: ['ducts', 'walls'] },
      { name: 'alone', within: 'one' },
      { name: 'late', between: ['one', 'walls'] },
    ],
    allow: [{ between: ['walls', 'ducts'], reason: 'sleeves' }, { between: ['one', 'one'] }],
  });
  expect(resolveRules(rules, named('wall 1', 'wall 2', 'x')).warnings).toEqual([
    'rules.json: the set "ducts" matches no body: no name matches "duct*"; there are "wall 1", "wall 2" and "x"',
    'rules.json: $.allow[0] ("sleeves") matches no pair of bodies: no body is in "ducts"',
    'rules.json: $.allow[1] matches no pair of bodies: both sides are the same body',
    'rules.json: the test "ducts" matches no pair of bodies: no body is in "ducts"',
    'rules.json: the test "alone" matches no pair of bodies: both sides are the same body',
    'rules.json: the test "late" never decides: earlier tests name all of its pairs',
  ]);
  const { tests, unmatched, nothing } = resolveRules(rules, named('wall 1', 'wall 2', 'x'));
  expect(tests.map(({ skipped }) => skipped?.split(':')[0])).toEqual([
    ...[undefined, 'matches no pair of bodies', 'matches no pair of bodies', 'never decides'],
  ]);
  expect(unmatched).toHaveLength(3);
  expect(nothing).toBeUndefined();
});

it('between two patterns of files or names', () => {
  const resolved = resolveRules(between('mep*', 'north'), house);
  expect([resolved.keep(0, 2), resolved.keep(2, 3), resolved.keep(0, 1)]).toEqual([true, false, false]);
  expect(resolved.tests[0].name).toBe('mep* against north');
  expect(resolveRules(between('mep*', 'nroth'), house).nothing).toBe(
    '--between: no pair of bodies is named, so nothing was checked: no file and no name matches "nroth"; did you mean "North"?',
  );
  expect(() => between('', 'a')).toThrowError('--between: expected a pattern');
});

// The oracle reads the selectors again, per pair, with regular expressions and without sets or classes.
it('decides like a plain reading of the rules', () => {
  const names = ['a', 'ab', 'b', 'ba', 'c'];
  const pattern = fc.constantFrom('a*', '*b', '?', 'c', '*');
  const selector = fc.oneof(
    fc.record({ name: pattern }),
    fc.record({ not: fc.record({ name: pattern }) }),
    fc.record({ any: fc.tuple(fc.record({ name: pattern }), fc.record({ name: pattern })) }),
  );
  type Shape = { name?: string; not?: Shape; any?: Shape[] };
  const isIn = ({ name, not, any }: Shape, body: string): boolean =>
    (name === undefined || new RegExp(`^${name.replace('*', '.*').replace('?', '.')}$`).test(body)) &&
    (not === undefined || !isIn(not, body)) &&
    (any === undefined || any.some(part => isIn(part, body)));
  const pair = fc.tuple(selector, selector);
  const property = fc.property(
    fc.array(pair, { minLength: 1, maxLength: 4 }),
    fc.array(pair, { maxLength: 2 }),
    fc.array(fc.constantFrom(...names), { minLength: 2, maxLength: 8 }),
    (tests, allow, bodies) => {
      const rules = rulesOf({
        tests: tests.map((sides, i) => ({ name: `${i}`, between: sides })),
        allow: allow.map((sides, i) => ({ between: sides, reason: `${i}` })),
      });
      const resolved = resolveRules(rules, named(...bodies));
      const names = ([p, q]: [Shape, Shape], a: string, b: string) =>
        (isIn(p, a) && isIn(q, b)) || (isIn(p, b) && isIn(q, a));
      for (let a = 0; a < bodies.length; a++) {
        for (let b = 0; b < bodies.length; b++) {
          if (a === b) continue;
          const first = tests.findIndex(sides => names(sides, bodies[a], bodies[b]));
          const excuse = allow.findIndex(sides => names(sides, bodies[a], bodies[b]));
          const expected =
            first < 0 ? undefined : { test: first, allowed: excuse < 0 ? undefined : `${excuse}` };
          const decision = resolved.decide(a, b);
          expect(decision && { test: decision.test, allowed: decision.allowed }).toEqual(expected);
        }
      }
    },
  );
  fc.assert(property, { numRuns: 300 });
});

it('the matrix counts pairs of sets by verdict, and bodies of no set apart', () => {
  const rules = rulesOf({
    sets: { walls: { name: 'wall*' }, pipes: { name: 'pipe*' }, big: { name: '*big' } },
    tests: [
      { name: 't', between: ['walls', 'pipes'] },
      { name: 'rest', between: ['big', { name: 'x' }] },
    ],
  });
  const bodies = named('wall', 'pipe', 'pipe big', 'x');
  const pair = (a: number, b: number, upper: number): AssemblyPair => ({
    ...{ a, b, relation: 'crossing', triangleCount: 1, verdict: 'clash' },
    depth: { lower: upper / 2, upper },
  });
  const matrix = matrixOf(resolveRules(rules, bodies), bodies, [
    pair(0, 1, 1),
    pair(0, 2, 4),
    { ...pair(2, 3, 1), verdict: 'accepted' },
  ]);
  expect(matrix.sets).toEqual(['walls', 'pipes', 'big', 'other bodies']);
  expect(matrix.cells).toEqual([
    { a: 0, b: 1, checked: true, counts: { clash: 2 }, worst: { lower: 2, upper: 4 } },
    { a: 0, b: 2, checked: true, counts: { clash: 1 }, worst: { lower: 2, upper: 4 } },
    { a: 1, b: 3, checked: true, counts: { accepted: 1 } },
    { a: 2, b: 3, checked: true, counts: { accepted: 1 } },
  ]);
});

it('without sets the matrix is of files', () => {
  const bodies = house.slice(0, 4);
  const pairs: AssemblyPair[] = [{ a: 0, b: 2, relation: 'touching', triangleCount: 1 }];
  const matrix = matrixOf(resolveRules(undefined, bodies), bodies, pairs);
  expect(matrix.sets).toEqual(['models/arch-v3.ifc', 'mep.ifc']);
  expect(matrix.cells).toEqual([
    { a: 0, b: 0, checked: true, counts: {} },
    { a: 0, b: 1, checked: true, counts: { touching: 1 } },
    { a: 1, b: 1, checked: true, counts: {} },
  ]);
});

it('membership tells whether two runs decide alike', () => {
  const rules = rulesOf({
    sets: { a: { name: 'a*' } },
    tests: [{ name: 't', between: ['a', { name: '*b' }] }],
  });
  const of = (name: string) => resolveRules(rules, named(name)).membership(0);
  expect(of('a1')).toBe(of('a2'));
  expect(new Set(['a', 'b', 'ab', 'c'].map(of)).size).toBe(4);
});

it('100,000 bodies and 40 sets are resolved at once', () => {
  const bodies: RuleBody[] = Array.from({ length: 100_000 }, (_, i) => ({
    name: `part ${i}`,
    type: `Ifc${i % 30}`,
    file: `file-${i % 7}.ifc`,
  }));
  const sets = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [`s${i}`, i % 2 ? { class: `Ifc${i}` } : { name: `*${i}*` }]),
  );
  const tests = Array.from({ length: 39 }, (_, i) => ({ name: `t${i}`, between: [`s${i}`, `s${i + 1}`] }));
  const resolved = resolveRules(rulesOf({ sets, tests }), bodies);
  let kept = 0;
  for (let i = 1; i < bodies.length; i++) if (resolved.keep(i - 1, i)) kept++;
  expect(kept).toBeGreaterThan(1000);
});
