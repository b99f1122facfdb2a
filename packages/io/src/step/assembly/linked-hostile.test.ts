// STEP assemblies whose parts are in other files, and that are refused: each with one line, in bounded time and memory.

import { NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../../read-file.ts';
import { Budget } from '../../reading/budget.ts';
import { randomBelow } from '../../testing/random.ts';
import { encode, refusal } from '../../testing/samples.ts';
import { folder, stepText } from '../../testing/step-samples.ts';
import { placeFiles } from './assembly.ts';
import { linkedFiles } from './linked-files.ts';

const at = [
  [0, 0, 0],
  [100, 0, 0.5],
] as const;

describe('refuses', () => {
  const car = stepText({ at, outside: 'wheel.stp' });
  /** The message, which names the file that is wrong: the assembly or one of its parts. */
  const refused = async (text: string, texts: Readonly<Record<string, string>>): Promise<string> => {
    const reading = readFile('car.stp', encode(text), { fetchBeside: folder(texts).fetchBeside });
    const error: unknown = await reading.then(
      () => undefined,
      given => given,
    );
    if (!(error instanceof NearfieldError)) throw error ?? new Error('it was read');
    expect(error.message).not.toContain('\n');
    return error.message;
  };

  it('an assembly of which a file is missing, by the name of the file', async () => {
    const advice = 'put them beside it, or export the assembly into one file';
    expect(await refused(car, {})).toBe(
      `car.stp: the shapes of its parts are in other files, which are missing: "wheel.stp" (wheel.stp: no such file); ${advice}`,
    );
    expect(await refusal('car.stp', encode(car))).toBe(
      `car.stp: the shapes of its parts are in other files, which are missing: "wheel.stp"; ${advice}`,
    );
    const inner = stepText({ outside: 'rim.stp' });
    expect(await refused(car, { 'wheel.stp': inner })).toMatch(/^wheel\.stp: .* missing: "rim\.stp" /);
  });

  it('files that are not beside it, or not STEP', async () => {
    for (const [path, why] of [
      ['/etc/wheel.stp', 'is an absolute path'],
      ['C:\\\\parts\\\\wheel.stp', 'is an absolute path'],
      ['https://x.example/wheel.stp', 'is a web address; only files are read'],
      ['../wheel.stp', 'leaves the folder of the file'],
      ['a/../../wheel.stp', 'leaves the folder of the file'],
      ['a\\\\..\\\\..\\\\wheel.stp', 'leaves the folder of the file'],
    ]) {
      const { asked, fetchBeside } = folder({});
      const text = stepText({ at, outside: path });
      expect(await refusal('car.stp', encode(text), { fetchBeside })).toContain(`" ${why}`);
      expect(asked).toEqual([]);
    }
    expect(await refused(stepText({ at, outside: 'wheel.CATPart' }), {})).toBe(
      'car.stp: #14: the shape of the part is in "wheel.CATPart", which is not a STEP file',
    );
    expect(await refused(car, { 'wheel.stp': 'solid x' })).toMatch(
      /^wheel\.stp: line 1: the file does not begin with "ISO-10303-21;"/,
    );
  });

  it('files that contain themselves, at once, by steps or under ever new names', async () => {
    expect(await refused(stepText({ outside: 'car.stp' }), {})).toBe(
      'car.stp: #14: the assembly contains itself: "car.stp → car.stp"',
    );
    expect(await refused(car, { 'wheel.stp': stepText({ outside: './car.stp' }) })).toBe(
      'wheel.stp: #14: the assembly contains itself: "car.stp → wheel.stp → car.stp"',
    );
    const nested = encode(stepText({ outside: 'x/a.stp' }));
    await expect(readFile('a.stp', nested, { fetchBeside: async () => nested })).rejects.toThrow(
      /: files are nested more than 32 deep: "x\/x\//,
    );
  });

  it('parts without a place, with unusable axes, or of giant numbers', async () => {
    const texts = { 'wheel.stp': stepText() };
    for (const [text, message] of [
      [
        car.replaceAll('CONTEXT_DEPENDENT_SHAPE', 'CONTEXT_INDEPENDENT_SHAPE'),
        /: this use of a part has no place$/,
      ],
      [
        car.replaceAll('ITEM_DEFINED_TRANSFORMATION', 'SOME_TRANSFORMATION'),
        /: the place of this use of a part is not given by two axes$/,
      ],
      [
        car.replaceAll(/(ITEM_DEFINED_TRANSFORMATION\('','',#\d+),#\d+/g, '$1,#14'),
        /: its axes #14 are not an AXIS2_PLACEMENT_3D$/,
      ],
      [
        car.replaceAll("DIRECTION('',(0.,1.,0.))", "DIRECTION('',(0.,0.,1.))"),
        /: its axes #\d+ have no place or no direction$/,
      ],
      [
        car.replaceAll("DIRECTION('',(0.,0.,1.))", "DIRECTION('',(0.,0.))"),
        /: its axes #\d+ have no place or no direction$/,
      ],
      [car.replaceAll('(100.,0.,0.5)', '(1E999,0.,0.5)'), /: its axes #\d+ are not finite$/],
    ] as const) {
      expect(text).not.toBe(car);
      expect(await refused(text, texts)).toMatch(message);
    }
  });

  it('two files for the shape of one part', async () => {
    const more =
      "#900=DOCUMENT_FILE('b.stp','','',#901,'',$);\n#901=DOCUMENT_TYPE('');\n#905=APPLIED_DOCUMENT_REFERENCE(#900,'',(#14));\n";
    expect(await refused(stepText({ outside: 'a.stp', more }), {})).toBe(
      'car.stp: #14: it has several files with its shape: "a.stp", "b.stp"',
    );
  });

  it('files that use one another ten times each', async () => {
    const ten = Array.from({ length: 10 }, (_, i) => [100 * i, 0, 0] as const);
    const texts: Record<string, string> = { 'p9.stp': stepText() };
    for (let i = 0; i < 9; i++) texts[`p${i}.stp`] = stepText({ at: ten, outside: `p${i + 1}.stp` });
    expect(await refused(stepText({ at: ten, outside: 'p0.stp' }), texts)).toMatch(
      /^car\.stp: the file expands to more than \d+ MiB/,
    );
  });

  it('any number of references, in bounded time', async () => {
    let more = '';
    const count = process.env['NEARFIELD_SLOW'] ? 1_000_000 : 30_000;
    for (let i = 0; i < count; i++)
      more += `#${1000 + 2 * i}=DOCUMENT_FILE('f${i}.stp','','',$,'',$);\n#${1001 + 2 * i}=APPLIED_DOCUMENT_REFERENCE(#${1000 + 2 * i},'',(#14));\n`;
    expect(await refused(stepText({ outside: 'a.stp', more }), {})).toMatch(
      /#14: it has several files with its shape: /,
    );
  }, 60_000);

  it('changed at random: every text is placed or refused with one line', async () => {
    const seed = Number(process.env['NEARFIELD_SEED'] ?? 5);
    const next = randomBelow(seed);
    const whole = encode(car);
    const start = car.indexOf('DATA;');
    const wheel = encode(stepText({ outside: 'rim.stp' }));
    const rim = encode(stepText());
    let placed = 0;
    for (let round = 0; round < (process.env['NEARFIELD_SLOW'] ? 50_000 : 1000); round++) {
      const changed = whole.slice();
      for (let i = next(4); i >= 0; i--) changed[start + next(whole.length - start)] = 32 + next(95);
      const fetchBeside = async (path: string) => {
        if (path.endsWith('wheel.stp')) return wheel;
        if (path.endsWith('rim.stp')) return rim;
        throw new Error('none');
      };
      try {
        const budget = new Budget('car.stp');
        budget.hold(changed.length);
        const linked = await linkedFiles('car.stp', changed, fetchBeside, budget, undefined);
        if (placeFiles(linked, 0.001, budget).length > 1) placed++;
      } catch (error) {
        if (!(error instanceof NearfieldError))
          throw new Error(`seed ${seed}, round ${round}`, { cause: error });
        expect(error.message, `seed ${seed}, round ${round}`).toMatch(/^\w+\.stp: [^\n]+$/);
      }
    }
    expect(placed, `seed ${seed}`).toBeGreaterThan(10);
  }, 60_000);
});
