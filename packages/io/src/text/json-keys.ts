// Does an object of a JSON text have the same key twice? JSON.parse silently keeps the last one, so the text itself
// is scanned. It has been parsed before, so only strings, braces and brackets need to be recognised.

import { NearfieldError } from 'nearfield';
import { inWords } from '../reading/file-error.ts';

export interface RepeatedKey {
  readonly key: string;
  /** The path of the object: names and indices from the outside in. */
  readonly path: readonly (string | number)[];
}

const quote = 34;
const comma = 44;
const colon = 58;
const openBracket = 91;
const backslash = 92;
const closeBracket = 93;
const openBrace = 123;
const closeBrace = 125;

interface Open {
  /** The keys so far. Undefined for an array. */
  readonly keys: string[] | undefined;
  /** The same keys as a set, if there are too many for a linear search. */
  known: Set<string> | undefined;
  /** In an array, the index of the current item. */
  index: number;
}

/**
 * The first key that occurs again in its object, unescaped; undefined if there is none. `text` must be valid JSON.
 */
export function findRepeatedKey(text: string): RepeatedKey | undefined {
  if (typeof text !== 'string') {
    throw new NearfieldError('bad-option', `findRepeatedKey: text must be a string, not ${inWords(text)}`);
  }
  const open: Open[] = [];
  let top: Open | undefined;
  let expectsKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case quote: {
        const end = endOfString(text, at);
        if (expectsKey && top?.keys) {
          const key = unescaped(text, at, end);
          if (isKnown(top, key)) return { key, path: pathOf(open) };
          top.keys.push(key);
          top.known?.add(key);
          expectsKey = false;
        }
        at = end;
        break;
      }
      case openBrace:
      case openBracket: {
        const isObject = text.charCodeAt(at) === openBrace;
        top = { keys: isObject ? [] : undefined, known: undefined, index: 0 };
        open.push(top);
        expectsKey = isObject;
        break;
      }
      case closeBrace:
      case closeBracket:
        open.pop();
        top = open[open.length - 1];
        expectsKey = false;
        break;
      case comma:
        if (top?.keys) expectsKey = true;
        else if (top) top.index++;
        break;
      case colon:
        expectsKey = false;
        break;
    }
  }
  return undefined;
}

/** Objects with few keys, which are most, need no set. */
function isKnown(object: Open, key: string): boolean {
  const { keys } = object;
  if (keys === undefined) return false;
  if (keys.length < 16) return keys.includes(key);
  object.known ??= new Set(keys);
  return object.known.has(key);
}

/** The end of the string that begins at `at`: its closing quote. */
function endOfString(text: string, at: number): number {
  for (let end = text.indexOf('"', at + 1); ; end = text.indexOf('"', end + 1)) {
    if (end < 0) return text.length;
    let before = end - 1;
    while (text.charCodeAt(before) === backslash) before--;
    // A quote after an odd number of backslashes is part of the string.
    if ((end - before) % 2 === 1) return end;
  }
}

function unescaped(text: string, start: number, end: number): string {
  const plain = text.slice(start + 1, end);
  return plain.includes('\\') ? JSON.parse(`"${plain}"`) : plain;
}

const pathOf = (open: readonly Open[]): (string | number)[] =>
  open.slice(0, -1).map(({ keys, index }) => (keys ? keys[keys.length - 1] : index));
