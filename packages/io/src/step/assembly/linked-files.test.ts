// STEP assemblies whose parts are in other files: which files are read, and where their parts stand.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type ReadOptions, readFile } from '../../read-file.ts';
import type { ReadBody } from '../../read-result.ts';
import { encode, refusal } from '../../testing/samples.ts';
import { folder, inch, stepText } from '../../testing/step-samples.ts';
import { boxOf, worldOf } from '../../testing/world.ts';

const at = [
  [0, 0, 0],
  [100, 0, 0.5],
] as const;

describe('an assembly of two files', () => {
  const car = stepText({ at, outside: 'wheel.stp' });

  it('is the same as in one file, and its instances share a mesh', async () => {
    const { asked, fetchBeside } = folder({ 'wheel.stp': stepText() });
    const { bodies, warnings, unit } = await readFile('car.stp', encode(car), { fetchBeside });
    const whole = await readFile('car.stp', encode(stepText({ at })));
    expect([asked, warnings, unit]).toEqual([['wheel.stp'], [], 0.001]);
    expect(bodies.map(boxOf)).toEqual(whole.bodies.map(boxOf));
    expect(bodies.map(({ name, path, rounding }) => ({ name, path, rounding }))).toEqual(
      whole.bodies.map(({ name, path, rounding }) => ({ name, path, rounding })),
    );
    expect(bodies[0].mesh).toBe(bodies[1].mesh);
  });

  it.each([
    ['inches in millimetres', inch, undefined, 25.4],
    ['millimetres in inches', undefined, inch, 1 / 25.4],
  ])('brings units together: %s', async (_, partUnit, carUnit, scale) => {
    const { fetchBeside } = folder({ 'wheel.stp': stepText(partUnit ? { unit: partUnit } : {}) });
    const text = stepText({ at, outside: 'wheel.stp', ...(carUnit ? { unit: carUnit } : {}) });
    const { bodies, unit } = await readFile('car.stp', encode(text), { fetchBeside });
    expect(unit).toBe(carUnit ? 0.0254 : 0.001);
    const boxes = bodies.map(boxOf);
    // Turned by a right angle about z; the place is in the unit of the assembly.
    [-20 * scale, 0, 0, 0, 10 * scale, 30 * scale].forEach((x, i) => {
      expect(boxes[0][i]).toBeCloseTo(x, 9);
      expect(boxes[1][i]).toBeCloseTo(x + [100, 0, 0.5][i % 3], 9);
    });
  });

  it('reads places in the unit of their representation', async () => {
    // The axes of the assembly in inches: its own context, after that of the part.
    const own = `#900=( GEOMETRIC_REPRESENTATION_CONTEXT(3) GLOBAL_UNIT_ASSIGNED_CONTEXT((#901,#5,#6)) REPRESENTATION_CONTEXT('','') );
#901=${inch};\n`;
    const text = stepText({ at, outside: 'wheel.stp', more: own });
    const last = text.lastIndexOf("=SHAPE_REPRESENTATION('',(");
    const changed = text.slice(0, last) + text.slice(last).replace('),#11)', '),#900)');
    const { fetchBeside } = folder({ 'wheel.stp': stepText() });
    const { bodies, unit } = await readFile('car.stp', encode(changed), { fetchBeside });
    expect(unit).toBe(0.001);
    expect(boxOf(bodies[1]).slice(0, 3)).toEqual([2540 - 20, 0, 12.7]);
  });

  it('takes a relation whose assembly comes first', async () => {
    const turned = car
      .replaceAll(/(REPRESENTATION_RELATIONSHIP\('','',)(#\d+),(#\d+)/g, '$1$3,$2')
      .replaceAll(/(ITEM_DEFINED_TRANSFORMATION\('','',)(#\d+),(#\d+)/g, '$1$3,$2');
    expect(turned).not.toBe(car);
    const { fetchBeside } = folder({ 'wheel.stp': stepText() });
    const { bodies } = await readFile('car.stp', encode(turned), { fetchBeside });
    expect(bodies.map(boxOf)).toEqual([
      [-20, 0, 0, 0, 10, 30],
      [80, 0, 0.5, 100, 10, 30.5],
    ]);
  });

  it('takes long directions, and the usual ones for those left out', async () => {
    const { fetchBeside } = folder({ 'wheel.stp': stepText() });
    const axes = /AXIS2_PLACEMENT_3D\('',#\d+,#\d+,#\d+\)/g;
    const long = car.replaceAll("DIRECTION('',(0.,1.,0.))", "DIRECTION('',(0.,0.039,1E-300))");
    // The axes of the part, of the two instances, and of the assembly.
    expect(long.match(axes)?.length).toBe(4);
    let index = 0;
    const text = long.replaceAll(axes, found =>
      ++index === 3 ? found.replace(/,#\d+,#\d+\)/, ',$,$)') : found,
    );
    const { bodies } = await readFile('car.stp', encode(text), { fetchBeside });
    expect(bodies.map(boxOf)).toEqual([
      [-20, 0, 0, 0, 10, 30],
      [100, 0, 0.5, 110, 20, 30.5],
    ]);
  });
});

describe('an assembly of many files', () => {
  it('places parts of parts, and finds files beside the one that names them', async () => {
    const texts = {
      'parts/axle.stp': stepText({ at, outside: 'small/wheel.stp' }),
      'parts/small/wheel.stp': stepText({ size: [1, 2, 3] }),
    };
    const { asked, fetchBeside } = folder(texts);
    const car = stepText({ at: [[1000, 0, 0]], outside: 'parts\\axle.stp' });
    const { bodies } = await readFile('models/car.stp', encode(car), { fetchBeside });
    expect(asked).toEqual(['parts/axle.stp', 'parts/small/wheel.stp']);
    // Two right angles about z.
    expect(bodies.map(boxOf)).toEqual([
      [999, -2, 0, 1000, 0, 3],
      [999, 98, 0.5, 1000, 100, 3.5],
    ]);
    expect(bodies[0].path).toEqual(['pair', 'box', 'pair', 'box']);
  });

  it('takes the location of a document, and the folder of its source', async () => {
    const located = (
      source: string,
    ) => `#900=APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT('w.stp',#901,#902,(#905));
#901=IDENTIFICATION_ROLE('external document id and location',$);
#902=EXTERNAL_SOURCE(IDENTIFIER('${source}'));
#905=DOCUMENT_FILE('17','','',#906,'',$);
#906=DOCUMENT_TYPE('geometry');
#907=APPLIED_DOCUMENT_REFERENCE(#905,'',(#14));\n`;
    for (const [source, paths] of [
      ['', ['w.stp']],
      ['w.stp', ['w.stp']],
      ['C:\\\\models', ['w.stp']],
      ['https://x.example/', ['w.stp']],
      ['lib', ['lib/w.stp', 'w.stp']],
    ] as const) {
      const bare = stepText({ outside: 'x.stp' }).replace(
        /#\d+=APPLIED_DOCUMENT_REFERENCE.*\n/,
        located(source),
      );
      expect(bare).toMatch(/#14=PRODUCT_DEFINITION\(/);
      const { asked, fetchBeside } = folder({});
      expect(await refusal('car.stp', encode(bare), { fetchBeside })).toContain('"w.stp"');
      expect(asked).toEqual(paths);
    }
  });

  it('a part that no assembly uses stands where its file puts it', async () => {
    const { fetchBeside } = folder({ 'wheel.stp': stepText() });
    const { bodies } = await readFile('car.stp', encode(stepText({ outside: 'wheel.stp' })), { fetchBeside });
    expect(bodies.map(boxOf)).toEqual([[0, 0, 0, 10, 20, 30]]);
    expect(bodies[0].path).toEqual(['box']);
  });

  it('does not need the documents of a part that has a shape, and says which STEP file is not read', async () => {
    const documents = [
      "DOCUMENT('1','drawing','',#901)",
      "DOCUMENT_FILE('box.pdf','','',#901,'',$)",
      "DOCUMENT_FILE('box.stp','','',#901,'',$)",
    ];
    let more = "#901=DOCUMENT_TYPE('');\n";
    documents.forEach((document, i) => {
      more += `#${910 + 2 * i}=${document};\n#${911 + 2 * i}=APPLIED_DOCUMENT_REFERENCE(#${910 + 2 * i},'',(#14));\n`;
    });
    const { bodies, warnings } = await readFile('a.stp', encode(stepText({ more })));
    expect([bodies.length, warnings]).toEqual([
      1,
      ['a.stp: #14 has a shape of its own; the file "box.stp" for it is not read'],
    ]);
  });
});

describe('a spaceship as three programs wrote it', () => {
  const cax = join(
    dirname(createRequire(import.meta.url).resolve('occt-import-js')),
    '../test/testfiles/cax-if',
  );
  const load = (path: string, options: ReadOptions = {}) => {
    const bytes = (name: string) => new Uint8Array(readFileSync(join(cax, dirname(path), name)));
    const fetchBeside = async (name: string) => bytes(name);
    return readFile(path, bytes(path.slice(path.indexOf('/') + 1)), { fetchBeside, ...options });
  };

  /** The volume and the centroid of bodies, by tetrahedra with the origin. */
  function massOf(bodies: readonly ReadBody[]): { volume: number; centroid: number[] } {
    let volume = 0;
    const moment = [0, 0, 0];
    for (const body of bodies) {
      const world = worldOf(body);
      const { indices } = body.mesh;
      for (let i = 0; i < indices.length; i += 3) {
        const [a, b, c] = [0, 1, 2].map(k => world.subarray(3 * indices[i + k], 3 * indices[i + k] + 3));
        const six =
          a[0] * (b[1] * c[2] - b[2] * c[1]) +
          a[1] * (b[2] * c[0] - b[0] * c[2]) +
          a[2] * (b[0] * c[1] - b[1] * c[0]);
        volume += six / 6;
        for (let k = 0; k < 3; k++) moment[k] += (six / 24) * (a[k] + b[k] + c[k]);
      }
    }
    return { volume, centroid: moment.map(x => x / volume) };
  }

  // What the programs state in their files (geometric validation properties): of the whole, and of instances.
  it.each([
    {
      path: 's1-tu-203/s1-tu-203.stp',
      unit: 0.001,
      volume: 817892.05371269,
      centroid: [336.91576463, 0.060568058804, -0.848437578419],
      instances: [
        ['head', [61.129856476, 0, 0]],
        ['tailturbine', [379.647202166, -77.582869159, 0], [379.647202166, 77.582869159, 0]],
        ['foot', [227.128515702, 42.201438102, -73.095034946], [227.128515702, -31.798561898, -70.595034946]],
        ['mainbody', [243.801814976, 0, -0.069220753854]],
      ],
    },
    {
      path: 's1_pe_214/s1_pe_214.stp',
      unit: 0.01,
      volume: 797.7142208813,
      centroid: [8.052302814098, 0, 0.08662458309762],
      instances: [
        ['HEAD_ASM', [-19.65282635263, 0, 0]],
        ['TAIL_ASM', [12.46591627296, 0, 0]],
        [
          'FOOT_ASM',
          [-3.007148429557, -4.113018561019, 7.255582399988],
          [-3.007148429557, 4.113018547303, 7.255582407763],
        ],
      ],
    },
  ] as const)(
    '$path has the volume and the centroids that it states',
    async ({ path, unit, volume, centroid, instances }) => {
      const result = await load(path);
      expect([result.bodies.length, result.unit, result.warnings]).toEqual([11, unit, []]);
      expect(new Set(result.bodies.map(({ name }) => name)).size).toBe(8);
      expect(new Set(result.bodies.map(({ mesh }) => mesh)).size).toBe(8);
      const near = (found: readonly number[], stated: readonly number[]) =>
        found.forEach((x, i) => {
          expect(Math.abs(x - stated[i]), `${found} against ${stated}`).toBeLessThan(0.0005 / unit);
        });
      const whole = massOf(result.bodies);
      expect(Math.abs(whole.volume / volume - 1)).toBeLessThan(0.01);
      near(whole.centroid, centroid);
      for (const [name, ...stated] of instances) {
        const parts = result.bodies.filter(body => body.path!.includes(name));
        const each = parts.length / stated.length;
        stated.forEach((centre, i) => {
          near(massOf(parts.slice(i * each, (i + 1) * each)).centroid, centre);
        });
      }
    },
  );

  it('of twelve files in inches: 11 parts of 8 shapes', async () => {
    const { bodies, unit, warnings } = await load('s1-c5-214/s1-c5-214.stp');
    expect([bodies.length, unit, warnings, new Set(bodies.map(({ mesh }) => mesh)).size]).toEqual([
      11,
      0.0254,
      [],
      8,
    ]);
    // A foot stands 36.48 mm to either side.
    const feet = bodies.filter(({ name }) => name === 'FOOT_BACK_000').map(boxOf);
    expect(feet.map(box => Math.round((25.4 * (box[1] + box[4])) / 2))).toEqual([36, -36]);
  });

  it('is refused with the names of the files that are missing', async () => {
    for (const [path, part] of [
      ['s1-c5-214/s1-c5-214.stp', 'TAIL.stp'],
      ['s1_pe_214/s1_pe_214.stp', 'mainbody_asm.stp'],
      ['s1-tu-203/s1-tu-203.stp', 'headback.stp'],
    ]) {
      await expect(load(path, { fetchBeside: undefined })).rejects.toThrow(`"${part}"`);
    }
  });
});
