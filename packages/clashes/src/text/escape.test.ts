import fc from 'fast-check';
import { expect, it } from 'vitest';
import { escapeHtml } from '../report/html.ts';
import { jsonText, visible } from './escape.ts';

const bad = [
  '\u0000',
  '\u001b',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u061c',
  '\u200e',
  '\u200f',
  '\u2028',
  '\u2029',
];
const directions = ['\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'];

/**
 * Invisible characters: zero-width spaces, joiners, direction marks, soft hyphens, annotations, fillers, selectors,
 * tags.
 */
const invisible = [
  ...['\u00ad', '\u034f', '\u0600', '\u115f', '\u17b4', '\u180b', '\u180e', '\u200b', '\u200c', '\u200d'],
  ...['\u2060', '\u2061', '\u2064', '\u206a', '\u3164', '\ufe00', '\ufe0f', '\ufeff', '\uffa0', '\ufff9'],
  ...['\u{e0001}', '\u{e0041}', '\u{e007f}', '\u{e0100}', '\u{1d173}', '\ud800', '\udfff'],
];

it.each([...bad, ...directions, ...invisible])(
  '%j is shown as an escape, in text, JSON and HTML',
  character => {
    const name = `bolt${character}gpj.exe`;
    const shown = character
      .split('')
      .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
      .join('');
    expect(visible(name)).toBe(`bolt${shown}gpj.exe`);
    expect(escapeHtml(name)).toBe(`bolt${shown}gpj.exe`);
    expect(jsonText({ name })).toBe(`{"name":"bolt${shown}gpj.exe"}`);
  },
);

it('other languages stay unchanged', () => {
  for (const name of ['Zahnrad ü', 'ボルト', 'ברגים', 'برغي', 'e\u0301', '\u{20b9f}']) {
    expect(visible(name)).toBe(name);
    expect(jsonText(name)).toBe(JSON.stringify(name));
  }
});

it('emoji stay unchanged, and their joiners are escaped anywhere else', () => {
  for (const name of ['👩‍🔧', '👩🏽‍🔧', '❤️', '⚙️ gear', '🏳️‍🌈', '👨‍👩‍👧', '1️⃣ first', '🇨🇭']) {
    expect(visible(name)).toBe(name);
    expect(jsonText(name)).toBe(JSON.stringify(name));
  }
  for (const [name, shown] of [
    ['a\u200db', 'a\\u200db'],
    ['a\ufe0f', 'a\\ufe0f'],
    ['1\ufe0f', '1\\ufe0f'],
    ['👩\u200d', '👩\\u200d'],
    ['\u200d👩', '\\u200d👩'],
    ['👩\u200d\u200d🔧', '👩\\u200d\\u200d🔧'],
    ['⚙\ufe0f\ufe0f', '⚙\ufe0f\\ufe0f'],
    ['🏴\u{e0067}\u{e007f}', '🏴\\udb40\\udc67\\udb40\\udc7f'],
  ]) {
    expect(visible(name)).toBe(shown);
    expect(jsonText(name)).toBe(`"${shown}"`);
  }
});

it('no invisible character of Unicode is left', () => {
  let count = 0;
  for (let point = 0; point < 0x110000; point++) {
    const character = String.fromCodePoint(point);
    if (!/[\p{C}\p{Zl}\p{Zp}]/u.test(character) || /[\p{Cn}\p{Co}]/u.test(character)) continue;
    count++;
    if (!/^(\\u[0-9a-f]{4})+$/.test(visible(character)))
      expect.fail(`U+${point.toString(16)} is not escaped`);
  }
  expect(count).toBeGreaterThan(2000);
});

it('JSON parses back to the same value with any characters', () => {
  const anyText = fc.array(fc.nat(0xffff), { maxLength: 20 }).map(units => String.fromCharCode(...units));
  const property = fc.property(fc.dictionary(anyText, anyText), fc.boolean(), (value, indent) => {
    const text = jsonText(value, indent ? 2 : undefined);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
    expect(text).not.toMatch(/[\u00ad\u200b\u2060\ufeff\ufff9]|\p{Cs}/u);
  });
  fc.assert(property, { numRuns: 500 });
});
