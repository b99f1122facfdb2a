// Parses a selector of a rules file: which bodies are meant?

import type { JsonReader } from '../text/json-reader.ts';
import { longestPattern } from './sets/pattern.ts';
import type { PropertyCondition, Selector, SetOrSelector } from './types.ts';

const fields = ['file', 'name', 'path', 'class', 'id', 'property', 'any', 'all', 'not'];

/** The name of a set, or a selector. Whether the set exists is checked when all sets are known. */
export function parseSetOrSelector(at: JsonReader): SetOrSelector {
  if (typeof at.value === 'string') return at.value;
  at.only(fields, 'the name of a set or a selector: { "name": "pipe*" }');
  if (Object.keys(at.value as object).length === 0) {
    at.fail('a selector needs at least one field; { "name": "*" } selects every body');
  }
  const texts = (name: string) => parseTexts(at.get(name));
  return without({
    file: texts('file'),
    name: texts('name'),
    path: texts('path'),
    class: texts('class'),
    id: texts('id'),
    property: parseProperties(at.get('property')),
    any: parseList(at.get('any')),
    all: parseList(at.get('all')),
    not: at.get('not') && parseSetOrSelector(at.get('not')!),
  });
}

/** Fields that are not given are not there, so that a selector prints as it was written. */
function without(selector: Selector): Selector {
  return Object.fromEntries(Object.entries(selector).filter(([, value]) => value !== undefined));
}

/** One pattern or several. */
function parseTexts(at: JsonReader | undefined): string[] | undefined {
  if (at === undefined) return undefined;
  const expected = 'a pattern such as "pipe*", or an array of patterns';
  const items = at.isArray ? at.items() : [at];
  if (items.length === 0) at.expected(expected);
  return items.map(item => checkedPattern(item, item.text(at.isArray ? 'a pattern' : expected)));
}

function checkedPattern(at: JsonReader, pattern: string): string {
  if (pattern === '') at.fail('an empty pattern matches nothing; "*" matches everything');
  if (pattern.length > longestPattern) at.fail(`a pattern has at most ${longestPattern} characters`);
  return pattern;
}

function parseList(at: JsonReader | undefined): SetOrSelector[] | undefined {
  if (at === undefined) return undefined;
  const items = at.items('an array of sets and selectors');
  if (items.length === 0) at.expected('at least one set or selector');
  return items.map(parseSetOrSelector);
}

function parseProperties(at: JsonReader | undefined): PropertyCondition[] | undefined {
  if (at === undefined) return undefined;
  const conditions = Array.from(
    at.entries('an object from names of properties to values'),
    ([name, value]) => {
      checkedPattern(value, name);
      const items = value.isArray ? value.items() : [value];
      const expected = 'a text, number or boolean, or an array of these';
      if (items.length === 0) value.expected(expected);
      const values = items.map(item => {
        if (typeof item.value === 'string') return checkedPattern(item, item.value);
        if (typeof item.value === 'boolean') return item.value;
        return item.number(expected);
      });
      return { name, values };
    },
  );
  if (conditions.length === 0) at.fail('name at least one property');
  return conditions;
}
