// STEP, IGES and BREP files: which bodies, where, in which unit, how finely, and which files they need.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { encode, refusal } from '../testing/samples.ts';
import { inch, stepText } from '../testing/step-samples.ts';
import { boxOf } from '../testing/world.ts';

/** Files of other programs that come with the package. */
const samples = join(dirname(createRequire(import.meta.url).resolve('occt-import-js')), '../test/testfiles');
const sample = (path: string) => new Uint8Array(readFileSync(join(samples, path)));

const metre = '( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT($,.METRE.) )';
const micrometre = '( LENGTH_UNIT() NAMED_UNIT(*) SI_UNIT(.MICRO.,.METRE.) )';

describe('a box', () => {
  it.each([
    ['millimetres', undefined, 0.001, 1],
    ['metres', metre, 1, 1],
    ['inches', inch, 0.0254, 1],
    // occt-import-js has no micrometres: the result is in millimetres.
    ['micrometres', micrometre, 0.001, 0.001],
  ])('in %s is in the unit that is stated', async (_, unit, metres, scale) => {
    const result = await readFile('a.step', encode(stepText(unit === undefined ? {} : { unit })));
    expect([result.unit, result.warnings]).toEqual([metres, []]);
    const [{ name, path, mesh, rounding }] = result.bodies;
    expect([name, path]).toEqual(['box', ['box']]);
    expect(mesh.solid).toBe(true);
    [0, 0, 0, 10, 20, 30].forEach((x, i) => {
      expect(mesh.bounds[i]).toBeCloseTo(scale * x, 12);
    });
    // The accuracy that the file states.
    expect(rounding).toBeCloseTo(1e-5 * scale, 12);
  });
});

it('an assembly: instances at their places, with the names of products', async () => {
  const text = stepText({
    at: [
      [0, 0, 0],
      [100, 0, 0.5],
    ],
  });
  const { bodies, warnings } = await readFile('a.stp', encode(text));
  expect(warnings).toEqual([]);
  expect(bodies.map(({ path }) => path)).toEqual([
    ['pair', 'box'],
    ['pair', 'box'],
  ]);
  // Turned by a right angle about z.
  expect(bodies.map(boxOf)).toEqual([
    [-20, 0, 0, 0, 10, 30],
    [80, 0, 0.5, 100, 10, 30.5],
  ]);
});

describe('the assembly AS1', () => {
  /** Instances at right angles share a mesh, if Open CASCADE gives the same doubles. */
  const places = async (path: string, shapes: number) => {
    const result = await readFile('as1.stp', sample(path));
    expect([result.bodies.length, result.unit, result.warnings]).toEqual([18, 0.001, []]);
    expect(new Set(result.bodies.map(({ mesh }) => mesh)).size).toBe(shapes);
    expect(result.bodies.every(({ mesh }) => mesh.solid)).toBe(true);
    return result.bodies
      .map(
        body =>
          `${body.name} ${boxOf(body)
            .map(x => Math.round(x) + 0)
            .join(' ')}`,
      )
      .sort();
  };

  it('has 18 closed parts, at the same places as two programs wrote them', async () => {
    const found = await places('cax-if/as1-oc-214.stp', 5);
    expect(found).toEqual(await places('cax-if/as1-tu-203.stp', 6));
    // The plate is 180 by 150 by 20 mm; the rod, 200 mm long, runs through both brackets.
    expect(found).toContain('plate 0 0 0 180 150 20');
    expect(found).toContain('rod -10 70 55 190 80 65');
    expect(found.map(text => text.split(' ')[0])).toEqual([
      ...Array(6).fill('bolt'),
      ...['l-bracket', 'l-bracket'],
      ...Array(8).fill('nut'),
      ...['plate', 'rod'],
    ]);
  });
});

it('names a part by its product, not by its only shape', async () => {
  const { bodies } = await readFile('as1.stp', sample('cax-if/as1_pe_203.stp'));
  const [plate] = bodies;
  expect([plate.name, plate.path]).toEqual(['PLATE', ['AS1_PE_ASM', 'PLATE']]);
  expect(bodies[1].path).toEqual(['AS1_PE_ASM', 'L_BRACKET_ASSEMBLY_ASM', 'SOLID']);
});

describe('curved surfaces', () => {
  it('are tessellated as finely as asked, and the result says how finely', async () => {
    const file = sample('conical-surface/conical-surface.step');
    const coarse = await readFile('cone.step', file);
    const fine = await readFile('cone.step', file, { tessellation: { linear: 0.0001, angular: 0.05 } });
    expect(fine.tessellation).toBe(0.0001);
    expect(coarse.tessellation).toBeGreaterThan(0.0001);
    const [before, after] = [coarse, fine].map(({ bodies }) => bodies[0].mesh);
    expect(after.triangleCount).toBeGreaterThan(3 * before.triangleCount);
    expect([before.closed, after.closed]).toEqual([true, true]);
  });

  it('refuse a deflection that makes no sense', async () => {
    for (const linear of [0, -1, Infinity]) {
      await expect(readFile('a.step', encode(stepText()), { tessellation: { linear } })).rejects.toThrow(
        'tessellation.linear must be a length above 0, in the units of the file, not ',
      );
    }
  });
});

describe('what Open CASCADE leaves out is said', () => {
  const text = stepText({
    at: [
      [0, 0, 0],
      [100, 0, 0],
    ],
  });

  it('a face', async () => {
    const broken = text.replace(/PLANE\('',#\d+\)/, "PLANE('',#14)");
    const { warnings } = await readFile('a.stp', encode(broken));
    expect(warnings[0]).toMatch(/^a\.stp: Open CASCADE left out solids or some of their faces: #\d+$/);
  });

  it('a part', async () => {
    const broken = text.replace(/(REPRESENTATION_RELATIONSHIP\('','',)#\d+/, '$1#14');
    const { bodies, warnings } = await readFile('a.stp', encode(broken));
    expect(bodies.length).toBe(1);
    expect(warnings[0]).toMatch(
      /^a\.stp: Open CASCADE left out parts of assemblies that have no place: #\d+$/,
    );
  });
});

describe('IGES and BREP', () => {
  it('IGES: in millimetres', async () => {
    const { bodies, unit } = await readFile('cube.igs', sample('cube-10x10mm/Cube 10x10.igs'));
    expect([bodies.length, unit, bodies[0].name]).toEqual([1, 0.001, 'Solid1']);
    expect([...bodies[0].mesh.bounds].map(Math.round)).toEqual([-5, 0, -5, 5, 10, 5]);
    expect(bodies[0].mesh.closed).toBe(true);
  });

  it('BREP: in a unit that it does not say; one that ends early is refused', async () => {
    const bytes = sample('cax-if-brep/as1_pe_203.brep');
    const { bodies, unit } = await readFile('as1.brep', bytes);
    // FreeCAD calls them so.
    expect((await readFile('as1.brp', bytes)).bodies.length).toBe(bodies.length);
    expect([bodies.length, unit]).toEqual([18, undefined]);
    expect(bodies.every(({ mesh }) => mesh.closed)).toBe(true);
    expect(await refusal('as1.brep', bytes.slice(0, 30_000))).toBe('as1.brep: the file ends early');
    expect(await refusal('x.brep', encode('x'.repeat(1000)))).toMatch(/no "CASCADE Topology"/);
  });
});
