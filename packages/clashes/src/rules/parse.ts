// Parses a rules file. Every mistake is a 'bad-file' error that names the file, the JSON path and what is expected.
// rules.schema.json says the same for editors, and a test holds the two to each other.

import { type Length, parseLength, parseUnit } from '@nearfield/io';
import { NearfieldError, type Relation } from 'nearfield';
import { severityOrder } from '../severity/order.ts';
import { JsonReader, pathOf, quoted } from '../text/json-reader.ts';
import { didYouMean } from '../text/nearest.ts';
import { parseSetOrSelector } from './parse-selector.ts';
import type { Allowance, Rules, RuleTest, Selector, SetOrSelector } from './types.ts';

export const relations: readonly Relation[] = [
  'separate',
  'touching',
  'coincident',
  'inside',
  'contains',
  'crossing',
];
/** Separate bodies are only reported if they are too close, which `clearance` asks for. */
const ignorable = relations.filter(relation => relation !== 'separate');

/** The rules in the text of a file. Throws 'bad-file'. */
export function parseRules(file: string, text: string): Rules {
  const root = JsonReader.read(file, text).only(['$schema', 'units', 'sets', 'tests', 'allow']);
  root.get('$schema')?.text();
  const unitName = root.get('units');
  const unit = unitName && reading(unitName, () => parseUnit(unitName.text('a unit such as "mm"')));
  const lengthAt = (at: JsonReader): Length => parseLengthAt(at, unit);
  const sets = new Map<string, SetOrSelector>();
  for (const [name, selector] of root.get('sets')?.entries('an object from names to selectors') ?? []) {
    if (name.trim() === '') selector.fail('a set needs a name');
    sets.set(name, parseSetOrSelector(selector));
  }
  const tests = root.need('tests').items('an array of tests');
  if (tests.length === 0) root.need('tests').fail('no pair would be checked: give at least one test');
  const parsed = tests.map(test => parseTest(test, lengthAt));
  checkNames(tests, parsed);
  const rules: Rules = {
    file,
    sets,
    tests: parsed,
    allow: root.get('allow')?.items('an array of allowances').map(parseAllowance) ?? [],
  };
  checkReferences(rules);
  return rules;
}

function parseTest(at: JsonReader, lengthAt: (at: JsonReader) => Length): RuleTest {
  at.only(['name', 'between', 'within', 'all', 'tolerance', 'clearance', 'severity', 'ignore'], 'a test');
  const name = at.need('name').text();
  if (name.trim() === '') at.need('name').fail('a test needs a name');
  const ways = ['between', 'within', 'all'].filter(way => at.get(way) !== undefined);
  if (ways.length !== 1) {
    const given = ways.length === 0 ? 'none of them' : ways.join(' and ');
    at.fail(`expected exactly one of "between", "within" and "all", got ${given}`);
  }
  const tolerance = at.get('tolerance');
  const clearance = at.get('clearance');
  return {
    name,
    between: parsePairs(at),
    tolerance: tolerance?.value === 'file' ? 'file' : tolerance && lengthAt(tolerance),
    clearance: clearance && lengthAt(clearance),
    severity: at.get('severity')?.oneOf(severityOrder) ?? 'major',
    ignore:
      at
        .get('ignore')
        ?.items('an array of relations')
        .map(item => item.oneOf(ignorable)) ?? [],
  };
}

function parsePairs(at: JsonReader): RuleTest['between'] {
  const all = at.get('all');
  if (all !== undefined) return all.value === true ? 'all' : all.expected('true');
  const within = at.get('within');
  if (within !== undefined) {
    const set = parseSetOrSelector(within);
    return [set, set];
  }
  return parseBetween(at.need('between'));
}

function parseBetween(at: JsonReader): [SetOrSelector, SetOrSelector] {
  const expected = 'an array of two sets';
  const items = at.items(expected);
  if (items.length !== 2) at.expected(expected);
  return [parseSetOrSelector(items[0]), parseSetOrSelector(items[1])];
}

function parseAllowance(at: JsonReader): Allowance {
  at.only(['between', 'reason'], 'an allowance: { "between": [A, B], "reason": "…" }');
  return { between: parseBetween(at.need('between')), reason: at.get('reason')?.text() };
}

function parseLengthAt(at: JsonReader, unit: number | undefined): Length {
  const expected = 'a length that is not negative, such as 0.005 or "5mm"';
  if (typeof at.value === 'number') return { value: at.size(expected), unit };
  const length = reading(at, () => parseLength(at.text(expected)));
  if (!(length.value >= 0 && Number.isFinite(length.value))) at.expected(expected);
  return { value: length.value, unit: length.unit ?? unit };
}

/** Errors of texts that are no unit or length name the place, too. */
function reading<T>(at: JsonReader, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof NearfieldError && error.code !== 'bad-file') at.fail(error.message);
    throw error;
  }
}

/** Tests are told apart by name in tables and reports. */
function checkNames(places: readonly JsonReader[], tests: readonly RuleTest[]): void {
  const known = new Set<string>();
  tests.forEach(({ name }, i) => {
    if (known.has(name)) places[i].need('name').fail(`another test is called ${quoted(name)} too`);
    known.add(name);
  });
}

/** How many sets may need one another in a row. */
const deepestSets = 64;

/** Every name of a set that is used is a set, and no set needs itself. */
function checkReferences({ file, sets, tests, allow }: Rules): void {
  const fail: (what: string) => never = what => {
    throw new NearfieldError('bad-file', `${file}: ${what}`);
  };
  const visit = (use: SetOrSelector, place: string, open: readonly string[]): void => {
    if (typeof use !== 'string') {
      for (const part of partsOf(use)) visit(part, place, open);
      return;
    }
    const set = sets.get(use);
    if (set === undefined) {
      const hint = didYouMean(use, sets.keys()) || '; "sets" defines sets';
      fail(`${place} names the set ${quoted(use)}, which does not exist${hint}`);
    }
    if (open.includes(use)) fail(`$.sets: ${[...open, use].map(quoted).join(' needs ')}: sets in a circle`);
    if (done.has(use)) return;
    if (open.length === deepestSets)
      fail(`$.sets: ${quoted(open[0])} needs more than ${deepestSets} other sets`);
    visit(set, pathOf(['sets', use]), [...open, use]);
    done.add(use);
  };
  const done = new Set<string>();
  for (const name of sets.keys()) visit(name, '$.sets', []);
  tests.forEach(({ between }, i) => {
    if (between !== 'all') for (const set of between) visit(set, `$.tests[${i}]`, []);
  });
  allow.forEach(({ between }, i) => {
    for (const set of between) visit(set, `$.allow[${i}]`, []);
  });
}

/** The sets and selectors that a selector is made of. */
export const partsOf = ({ any, all, not }: Selector): SetOrSelector[] => [
  ...(any ?? []),
  ...(all ?? []),
  ...(not === undefined ? [] : [not]),
];
