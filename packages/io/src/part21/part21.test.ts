// Records of ISO 10303-21: names, values, text, and files that are not such text.

import { describe, expect, it } from 'vitest';
import { encode } from '../testing/samples.ts';
import { Records } from './records.ts';
import { decodeText } from './text.ts';
import { metresOf } from './units.ts';

const head = "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('ifc4'));\nENDSEC;\nDATA;\n";
const tail = 'ENDSEC;\nEND-ISO-10303-21;\n';
const recordsOf = (data: string) => new Records('a.stp', encode(head + data + tail));

describe('records', () => {
  it('finds records by name and parses their arguments', () => {
    const records = recordsOf(
      "#1=A(1.5,-2,+3.E-2,.WORD.,$,*,'it''s; #7=(',(#2,(#3)),LABEL('x'),\"0F\");\n/* #9=X(); */ #2 = b ( ) ;#3=A();\n",
    );
    expect(records.schema).toBe('IFC4');
    expect(records.named('A')).toEqual([1, 3]);
    expect(records.record(1)).toEqual({
      name: 'A',
      args: [
        ...[1.5, -2, 0.03, { word: 'WORD' }, null, null, "it's; #7=("],
        ...[[{ ref: 2 }, [{ ref: 3 }]], { name: 'LABEL', args: ['x'] }, '0F'],
      ],
    });
    expect(records.record(2)).toEqual({ name: 'B', args: [] });
    expect(records.warnings).toEqual([]);
    expect(records.parts(99)).toEqual([]);
  });

  it('lists a record of several parts under each', () => {
    const records = recordsOf('#5=( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MILLI.,.METRE.) );\n');
    expect(records.named('LENGTH_UNIT')).toEqual([5]);
    expect(records.arguments(5, 'SI_UNIT')).toEqual([{ word: 'MILLI' }, { word: 'METRE' }]);
    expect(records.record(5)).toBeUndefined();
  });

  it('says which references lead nowhere', () => {
    expect(recordsOf('#1=A(#2,#8,#9);\n#2=B(#1);\n').warnings).toEqual([
      'it refers to record #8 and 1 others, which it does not have',
    ]);
  });

  it.each([
    ['#1=A(;\n', 'line 6: a ( is not closed'],
    ['#1=A());\n', 'line 6: a ) has no ('],
    ["#1=A('x);\n", 'line 6: a string is not closed'],
    ['#1=A(/*);\n', 'line 6: a comment is not closed'],
    ['#1=A();\n#1=B();\n', 'line 7: record #1 occurs twice'],
    ['#1 A();\n', 'line 6: record #1 has no ='],
    ['#1=();\n#2=A();', undefined],
    ['#1=5;\n', 'line 6: record #1 has no NAME(…)'],
    ['x=A();\n', 'line 6: a record must begin with #'],
    ['#0=A();\n', 'the number of a record is not from 1 to 4294967295'],
    ['#99999999999=A();\n', 'the number of a record is not from 1 to 4294967295'],
    ['#1=A(#2\n#2=B();\n', 'line 6: a statement has no ; at its end'],
    [`#1=A(${'('.repeat(200)}${')'.repeat(200)});\n`, 'lists are nested more than 100 deep'],
  ])('%j', (data, message) => {
    if (message === undefined) expect(recordsOf(data).named('A')).toEqual([2]);
    else expect(() => recordsOf(data)).toThrow(message);
  });

  it('refuses a file that ends early, goes on after its end, or has no data', () => {
    const whole = encode(`${head}#1=A('',(#2));\n#2=B(1.);\n${tail}`);
    for (let length = 0; length < whole.length - 2; length++) {
      expect(() => new Records('a.stp', whole.slice(0, length)), `${length} bytes`).toThrow('a.stp: ');
    }
    expect(() => new Records('a.stp', encode(`${head}${tail}more`))).toThrow(
      'the file goes on after its end',
    );
    expect(() => new Records('a.stp', encode('ISO-10303-21;\nEND-ISO-10303-21;'))).toThrow('no DATA section');
    expect(new Records('a.stp', encode(`\ufeff${head}${tail}\0\r\n`)).named('A')).toEqual([]);
  });

  it('parses strings of megabytes', () => {
    const records = recordsOf(`#1=A('${"x''".repeat(1_000_000)}','${'y'.repeat(3_000_000)}');\n`);
    expect(records.record(1)?.args.map(text => String(text).length)).toEqual([2_000_000, 3_000_000]);
  });
});

describe('text', () => {
  it.each([
    ["it''s", "it's"],
    ['a\\\\b', 'a\\b'],
    ['M\\X\\FCller', 'Müller'],
    ['Stra\\S\\_e', 'Straße'],
    ['\\X2\\00E4D83DDE00\\X0\\!', 'ä😀!'],
    ['\\X4\\0001F600FFFFFFFF\\X0\\', '😀\ufffd'],
    ['\\PA\\plain', 'plain'],
    ['\\X2\\00E', '\\X2\\00E'],
    ['\xc3\xa4', 'ä'],
    ['\xe4', 'ä'],
  ])('%j', (written, text) => {
    expect(decodeText(written)).toBe(text);
  });
});

it('units: prefixes, multiples, multiples of themselves', () => {
  const words = { si: 'SI_UNIT', converted: 'CONVERTED', measures: ['MEASURE'] };
  const records = recordsOf(
    '#1=SI_UNIT(.MILLI.,.METRE.);\n#2=SI_UNIT($,.METRE.);\n#3=SI_UNIT($,.RADIAN.);\n' +
      "#4=CONVERTED('INCH',#5);\n#5=MEASURE(LENGTH(25.4),#1);\n#6=CONVERTED('LOOP',#7);\n#7=MEASURE(2.,#6);\n",
  );
  expect([1, 2, 3, 4, 6, 99].map(id => metresOf(records, id, words))).toEqual([
    ...[0.001, 1, undefined, 0.0254, undefined, undefined],
  ]);
});
