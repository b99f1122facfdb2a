import { NearfieldError } from 'nearfield';
import { expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { encode, objText, offText, plyText, stlBinary, stlText } from '../testing/samples.ts';
import { nameOfUnit, parseLength, parseUnit } from './units.ts';

it('knows units by the names that people and files use', () => {
  for (const name of ['mm', 'MM', 'millimetre', 'Millimeters', ' mm ']) expect(parseUnit(name)).toBe(0.001);
  for (const name of ['in', 'inch', 'Inches', '"']) expect(parseUnit(name)).toBe(0.0254);
  // The micro sign, the Greek letter, and neither.
  for (const name of ['\u00b5m', '\u03bcm', 'um', 'micron']) expect(parseUnit(name)).toBe(1e-6);
  expect(['cm', 'm', 'ft', 'foot', 'km'].map(parseUnit)).toEqual([0.01, 1, 0.3048, 0.3048, 1000]);
});

it('reads a length with or without a unit', () => {
  expect(parseLength('1mm')).toEqual({ value: 1, unit: 0.001 });
  expect(parseLength(' 0.05 in ')).toEqual({ value: 0.05, unit: 0.0254 });
  expect(parseLength('-3e-4')).toEqual({ value: -3e-4, unit: undefined });
  expect(parseLength('.5m')).toEqual({ value: 0.5, unit: 1 });
  expect(parseLength('6"')).toEqual({ value: 6, unit: 0.0254 });
});

it.each(['', 'mm', '1 elephant', '1e999', '1 2', '0x10', 'NaN', '1mm mm', undefined, 7, null])(
  'refuses %s as a length',
  text => {
    expect(() => parseLength(text as never)).toThrow(NearfieldError);
    expect(() => parseLength(text as never)).toThrow(/is not a (length|unit)/);
  },
);

it.each(['', 'lightyear', '__proto__', undefined, 1])('refuses %s as a unit', name => {
  expect(() => parseUnit(name as never)).toThrow(/is not a unit of length; known are nm, µm/);
});

it('names a unit by its length', () => {
  for (const name of ['nm', 'µm', 'mil', 'mm', 'cm', 'in', 'dm', 'ft', 'yd', 'm', 'km', 'mi'])
    expect(nameOfUnit(parseUnit(name))).toBe(name);
  expect(nameOfUnit(0.3048 / 12)).toBe('in');
  expect(nameOfUnit(0.002)).toBe('0.002 m');
  for (const wrong of [0, -1, Number.NaN, Infinity, 'mm']) {
    expect(() => nameOfUnit(wrong as never)).toThrow(/a unit is a length in metres above 0/);
  }
});

it('takes a unit from the comments that state one, and from no other', async () => {
  const unitOf = async (name: string, bytes: Uint8Array) => (await readFile(name, bytes)).unit;
  const header = stlBinary();
  header.set(encode('exported by x; UNITS=mm COLOR=1'));
  const rows: [string, Uint8Array, number | undefined][] = [
    ['a.obj', encode(objText), undefined],
    ['a.obj', encode(`# Exported\n# File units = inches\n${objText}`), 0.0254],
    ['a.obj', encode(`# units: mm\n# units: m\n${objText}`), 0.001],
    ['a.obj', encode(`# units: many\n${objText}`), undefined],
    ['a.obj', encode(`${objText}# units: mm\n`), undefined],
    ['a.obj', encode(`# 5 units: in all\n${objText}`), undefined],
    ['a.ply', encode(plyText), undefined],
    ['a.ply', encode(plyText.replace('1.0\n', '1.0\ncomment units: cm\n')), 0.01],
    ['a.stl', stlBinary(), undefined],
    ['a.stl', header, 0.001],
    ['a.stl', encode(stlText()), undefined],
    ['a.stl', encode(stlText().replace(/^solid.*/, 'solid part units=ft')), 0.3048],
    ['a.off', encode(offText), undefined],
  ];
  for (const [name, bytes, unit] of rows) expect(await unitOf(name, bytes)).toBe(unit);
});
