import fc from 'fast-check';
import { expect, it } from 'vitest';
import { jsonText, visible } from './escape.ts';
import { escapeHtml } from './html.ts';

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

it.each([...bad, ...directions])('%j is shown as an escape, in text, JSON and HTML', character => {
  const name = `bolt${character}gpj.exe`;
  const shown = `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  expect(visible(name)).toBe(`bolt${shown}gpj.exe`);
  expect(escapeHtml(name)).toBe(`bolt${shown}gpj.exe`);
  expect(jsonText({ name })).toBe(`{"name":"bolt${shown}gpj.exe"}`);
});

it('other languages stay as they are', () => {
  for (const name of ['Zahnrad ü', 'ボルト', 'ברגים', 'برغي', '👩‍🔧', 'a\u00adb']) {
    expect(visible(name)).toBe(name);
    expect(jsonText(name)).toBe(JSON.stringify(name));
  }
});

it('parsed JSON is the value, whatever the characters', () => {
  const anyText = fc.array(fc.nat(0xffff), { maxLength: 20 }).map(units => String.fromCharCode(...units));
  const property = fc.property(fc.dictionary(anyText, anyText), fc.boolean(), (value, indent) => {
    const text = jsonText(value, indent ? 2 : undefined);
    expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
    expect(text).not.toMatch(/[^\P{Cc}\n]|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/u);
  });
  fc.assert(property, { numRuns: 500 });
});
