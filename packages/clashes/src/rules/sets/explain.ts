// Why does a set select no body? Mostly a pattern is misspelt. The explanation names what the pattern was compared with,
// and the nearest of those names.

import { quoted } from '../../text/json-reader.ts';
import { nearestWord } from '../../text/nearest.ts';
import { baseName, pathText } from '../../text/paths.ts';
import type { Rules, Selector, SetOrSelector } from '../types.ts';
import { matcherOf } from './pattern.ts';
import { type RuleBody, Selection } from './select.ts';

/** Names in the sentence, and different names that are looked at. */
const [mostNames, mostWords] = [4, 2000];

/** Patterns that match nothing, the fields they were for, and what there is in these fields. */
interface Miss {
  readonly patterns: readonly string[];
  readonly fields: string[];
  readonly words: Set<string>;
}

/** The texts that patterns are for. */
const fields = {
  file: { word: 'file', textOf: ({ file }: RuleBody) => file && baseName(file) },
  name: { word: 'name', textOf: ({ name }: RuleBody) => name },
  path: { word: 'path', textOf: ({ path }: RuleBody) => path && pathText(path) },
  class: { word: 'class', textOf: ({ type }: RuleBody) => type },
  id: { word: 'id', textOf: ({ id }: RuleBody) => id },
} as const;

/** A few words for a set or selector that selects nothing: `no name matches "wal*"; did you mean "wall*"?` */
export function whyEmpty(use: SetOrSelector, sets: Rules['sets'], bodies: readonly RuleBody[]): string {
  const selection = new Selection(sets, bodies);
  const misses: Miss[] = [];
  collect(use, sets, selection, bodies, misses);
  if (misses.length === 0) return 'no body fits all that it asks for';
  return misses.slice(0, 2).map(inWords).join('; ');
}

/** Finds the fields that select nothing by themselves. */
function collect(
  use: SetOrSelector,
  sets: Rules['sets'],
  selection: Selection,
  bodies: readonly RuleBody[],
  misses: Miss[],
): void {
  const selector: SetOrSelector = typeof use === 'string' ? sets.get(use)! : use;
  if (typeof selector === 'string') {
    collect(selector, sets, selection, bodies, misses);
    return;
  }
  const selectsNone = (part: SetOrSelector) => selection.of(part).size === 0;
  for (const key of Object.keys(fields) as (keyof typeof fields)[]) {
    const patterns = selector[key];
    if (patterns === undefined || !selectsNone({ [key]: patterns } as Selector)) continue;
    add(misses, patterns, fields[key].word, bodies.map(fields[key].textOf));
  }
  for (const condition of selector.property ?? []) {
    if (!selectsNone({ property: [condition] })) continue;
    const isNamed = matcherOf([condition.name]);
    const found = bodies.flatMap(({ properties = {} }) => Object.entries(properties));
    const values = found.flatMap(([name, value]) => (isNamed(name) ? [String(value)] : []));
    if (values.length === 0)
      add(
        misses,
        [condition.name],
        'property',
        found.map(([name]) => name),
      );
    else add(misses, condition.values.map(String), `value of ${quoted(condition.name)}`, values);
  }
  const parts = [...(selector.any?.every(selectsNone) ? selector.any : []), ...(selector.all ?? [])];
  for (const part of parts) if (selectsNone(part)) collect(part, sets, selection, bodies, misses);
}

/** One entry per list of patterns: `--between` asks files and names for the same. */
function add(
  misses: Miss[],
  patterns: readonly string[],
  field: string,
  texts: readonly (string | undefined)[],
): void {
  let miss = misses.find(other => other.patterns.join('\n') === patterns.join('\n'));
  if (miss === undefined) misses.push((miss = { patterns, fields: [], words: new Set() }));
  if (!miss.fields.includes(field)) miss.fields.push(field);
  for (const text of texts) if (text !== undefined && miss.words.size < mostWords) miss.words.add(text);
}

function inWords({ patterns, fields: named, words }: Miss): string {
  const what = named.map(field => `no ${field}`).join(' and ');
  if (words.size === 0) return `there is ${what}`;
  const asked = patterns.slice(0, mostNames).map(quoted).join(', ');
  const nearest = patterns.map(pattern => nearestPattern(pattern, words)).find(found => found !== undefined);
  if (nearest !== undefined) return `${what} matches ${asked}; did you mean ${quoted(nearest)}?`;
  const shown = [...words].slice(0, mostNames).map(quoted);
  const left = words.size - shown.length;
  if (left > 0) shown.push(words.size < mostWords ? `${left.toLocaleString('en-US')} more` : 'many more');
  const last = shown.pop()!;
  return `${what} matches ${asked}; there ${words.size === 1 ? 'is' : 'are'} ${shown.length === 0 ? last : `${shown.join(', ')} and ${last}`}`;
}

/** A pattern that matches one of the words and differs in a few letters; undefined if none is near. */
export function nearestPattern(pattern: string, words: ReadonlySet<string>): string | undefined {
  const [, before, bare, after] = /^(\**)(.*?)(\**)$/s.exec(pattern)!;
  if (bare === '' || /[*?]/.test(bare)) return undefined;
  // Whole names and their words first; then as many letters of their beginnings and ends, which look more alike.
  const parts = new Set(words);
  if (before + after !== '') {
    for (const name of words) for (const word of name.split(/[^\p{L}\p{N}]+/u)) parts.add(word);
  }
  const cuts = new Set<string>();
  for (const length of [bare.length, bare.length + 1]) {
    if (after !== '') for (const name of words) cuts.add(name.slice(0, length));
    if (before !== '') for (const name of words) cuts.add(name.slice(-length));
  }
  for (const candidates of [parts, cuts]) candidates.delete('');
  const nearest = nearestWord(bare, parts) ?? nearestWord(bare, cuts, 1);
  if (nearest === undefined) return undefined;
  const found = before + nearest + after;
  return [...words].some(matcherOf([found])) ? found : undefined;
}
