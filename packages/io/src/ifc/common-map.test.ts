// IFC files on a map: what they state, and how files with different places come together.

import { applyPose, identity, NearfieldError, shapes } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { inCommonCoordinates, type NamedResult } from '../common-coordinates.ts';
import { Records } from '../part21/records.ts';
import { readFile } from '../read-file.ts';
import { idOf, ifcText } from '../testing/ifc-samples.ts';
import { randomBelow } from '../testing/random.ts';
import { encode } from '../testing/samples.ts';
import { boxOf } from '../testing/world.ts';
import { type MapPlacement, mapPlacementOf } from './map-placement.ts';

const seed = Number(process.env['NEARFIELD_SEED'] ?? 3);
const next = randomBelow(seed);
const between = (low: number, high: number) => low + (high - low) * (next(2 ** 31) / 2 ** 31);

/** Records that place the project on a map. */
const conversion = (numbers: string, crs = "'EPSG:2056',$,$,$,$,$,$") =>
  `#200=IFCMAPCONVERSION(#10,#201,${numbers});\n#201=IFCPROJECTEDCRS(${crs});\n#202=IFCSIUNIT(*,.LENGTHUNIT.,$,.METRE.);\n`;

const millimetres = 'IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)';
const metreMap = "'EPSG:2056',$,$,$,$,$,#202";

function placementOf(sample: Parameters<typeof ifcText>[0], unit = 1) {
  const warnings: string[] = [];
  const map = mapPlacementOf(new Records('a.ifc', encode(ifcText(sample))), unit, warnings);
  return { map, warnings };
}

describe('the place on the map', () => {
  it('is what an IfcMapConversion states', () => {
    const { map, warnings } = placementOf({
      more: conversion('2600000.5,1200000.25,430.,0.6,0.8,$', "'EPSG:2056',$,'CH1903+','LN02',$,$,$"),
    });
    expect([map, warnings]).toEqual([
      {
        ...{ system: 'EPSG:2056', verticalDatum: 'LN02', unit: 1, scale: [1, 1] },
        ...{ origin: [2600000.5, 1200000.25, 430], axis: [0.6, 0.8] },
      },
      [],
    ]);
    expect(placementOf({}).map).toBeUndefined();
  });

  it('has a scale near 1, whether or not the stated one has the units in it', () => {
    const scaled = (scale: string, crs = metreMap) =>
      placementOf({ unit: millimetres, more: conversion(`1.,2.,3.,$,$,${scale}`, crs) }, 0.001);
    expect([scaled('0.001').map?.scale, scaled('0.001').warnings]).toEqual([[1, 1], []]);
    expect(scaled('0.0009996').map?.scale).toEqual([0.9996, 0.9996]);
    // A map without a unit has that of the project.
    expect(scaled('$', "'EPSG:2056',$,$,$,$,$,$")).toMatchObject({
      map: { unit: 0.001, scale: [1, 1] },
      warnings: [],
    });
    expect(scaled('$')).toEqual({
      map: expect.objectContaining({ unit: 1, scale: [1, 1], origin: [1, 2, 3] }),
      warnings: [
        '#200 has the scale 1, without the units of the project and the map; it is read as if it had them',
      ],
    });
    expect(scaled('7.')).toEqual({
      map: undefined,
      warnings: [
        '#200 places the project on a map, but its scale 7 is not that of a map; positions are those of the project',
      ],
    });
  });

  it('is read from the forms of other editions', () => {
    const crs = "#201=IFCPROJECTEDCRS('EPSG:2056',$,$,$,$,$,$);\n";
    const rigid = placementOf({
      more: `#200=IFCRIGIDOPERATION(#10,#201,IFCLENGTHMEASURE(5.),IFCLENGTHMEASURE(6.),7.);\n${crs}`,
    });
    expect(rigid.map).toMatchObject({ origin: [5, 6, 7], axis: [1, 0], scale: [1, 1] });
    const scaled = placementOf({
      more: `#200=IFCMAPCONVERSIONSCALED(#10,#201,5.,6.,7.,0.,1.,1.,0.9996,0.9996,1.);\n${crs}`,
    });
    expect(scaled.map).toMatchObject({ axis: [0, 1], scale: [0.9996, 1] });
    const set = (id: number, name: string, values: readonly string[]) =>
      `#${id}=IFCPROPERTYSET('${idOf(name)}',$,'${name}',$,(${values.map((_, i) => `#${id + 1 + i}`).join()}));\n` +
      values.map((value, i) => `#${id + 1 + i}=IFCPROPERTYSINGLEVALUE(${value},$);\n`).join('');
    const more =
      set(200, 'ePSet_MapConversion', [
        "'Eastings',$,IFCLENGTHMEASURE(5.)",
        "'Northings',$,IFCREAL(6.)",
        "'XAxisOrdinate',$,IFCREAL(1.)",
        "'XAxisAbscissa',$,IFCREAL(0.)",
      ]) + set(210, 'ePSet_ProjectedCRS', ["'Name',$,IFCLABEL('EPSG:25832')"]);
    expect(placementOf({ schema: 'IFC2X3', more }).map).toMatchObject({
      system: 'EPSG:25832',
      origin: [5, 6, 0],
      axis: [0, 1],
    });
  });

  it('is warned about where it cannot be understood', () => {
    for (const [numbers, why] of [
      ['$,$,$,$,$,$', 'it does not say where'],
      ['1.,2.,3.,0.,0.,1.', 'its x axis has no direction'],
      ['1E999,2.,3.,$,$,1.', 'the place is not finite'],
      ['1.,2.,3.,1E999,0.,1.', 'its x axis has no direction'],
      ['1.,2.,3.,$,$,0.', 'its scale 0 is not that of a map'],
    ]) {
      const { map, warnings } = placementOf({ more: conversion(numbers) });
      expect([map, warnings.length]).toEqual([undefined, 1]);
      expect(warnings[0]).toContain(`but ${why};`);
    }
    const two = `${conversion('1.,2.,3.,$,$,$')}#203=IFCMAPCONVERSION(#10,#201,1.,2.,4.,$,$,$);\n`;
    const { map, warnings } = placementOf({ more: two });
    expect(map?.origin).toEqual([1, 2, 3]);
    expect(warnings).toEqual(['#203 places the project elsewhere on the map than #200, which is used']);
    const tiny = placementOf({ more: conversion('1.,2.,3.,1E-300,1E-300,$') }).map!.axis;
    expect(tiny.map(x => Math.abs(x - Math.SQRT1_2) < 1e-15)).toEqual([true, true]);
    const many = Array.from(
      { length: 100_000 },
      (_, i) => `#${1000 + i}=IFCMAPCONVERSION(#10,#201,1.,2.,3.,$,$,$);\n`,
    );
    expect(placementOf({ more: conversion('1.,2.,3.,$,$,$') + many.join('') }).warnings).toEqual([]);
  });
});

const box = shapes.box({ size: [1, 2, 3] });
const map = (given: Partial<MapPlacement> = {}): MapPlacement => ({
  ...{ system: 'EPSG:2056', verticalDatum: undefined, unit: 1 },
  ...{ origin: [0, 0, 0], axis: [1, 0], scale: [1, 1] },
  ...given,
});
const file = (name: string, given: MapPlacement | undefined, unit = 1): NamedResult => ({
  ...{ name, unit, map: given, warnings: [] },
  bodies: [{ name: 'box', mesh: box, pose: identity(), rounding: 1e-9 }],
});
const together = (...files: NamedResult[]) => inCommonCoordinates(files);

/** The place of a point of a file on the map, in metres, as the standard defines it. */
function onMap(
  { origin, unit, axis: [c, s], scale: [h, v] }: MapPlacement,
  p: ArrayLike<number>,
  metres: number,
) {
  const [x, y, z] = [0, 1, 2].map(i => p[i] * metres);
  return [
    h * (c * x - s * y) + origin[0] * unit,
    h * (s * x + c * y) + origin[1] * unit,
    v * z + origin[2] * unit,
  ];
}

describe('files at different places', () => {
  it('come to the coordinates of the first: every point keeps its place on the map', () => {
    for (let round = 0; round < 200; round++) {
      const random = () => {
        const angle = between(-4, 4);
        const origin = [between(2.4e6, 2.8e6), between(1e6, 1.3e6), between(0, 3000)] as const;
        return map({
          origin,
          axis: [Math.cos(angle), Math.sin(angle)],
          scale: [between(0.99, 1.01), between(0.99, 1.01)],
        });
      };
      const [a, b] = [random(), random()];
      const unit = [1, 0.001, 0.3048][next(3)];
      const { results } = together(file('a.ifc', a), file('b.ifc', b, unit));
      const move = results[1].bodies[0].pose!;
      for (let i = 0; i < 5; i++) {
        const p = [between(-100, 100), between(-100, 100), between(-100, 100)];
        const there = new Float64Array(3);
        applyPose(move, p[0], p[1], p[2], there, 0);
        const [found, meant] = [onMap(a, there, unit), onMap(b, p, unit)];
        // Eight doubles at 3·10⁶ m are rounded on the way, here and in the code.
        found.forEach((x, axis) => {
          expect(Math.abs(x - meant[axis]), `seed ${seed}, round ${round}`).toBeLessThan(8 * 2 ** -31);
        });
      }
    }
  });

  it('lose nothing where the numbers are exact', () => {
    const a = map({ origin: [2_600_000.5, 1_200_000.25, 430], axis: [0, 1] });
    const b = map({ origin: [2_600_010.5, 1_200_000.5, 431], axis: [0, 1] });
    const { results, messages } = together(file('a.ifc', a), file('b.ifc', b));
    expect(results[0].bodies[0].pose).toEqual(identity());
    // 10 m to the east are 10 m along −y, if x points north.
    const pose = identity();
    pose.set([0.25, -10, 1], 12);
    expect(results[1].bodies[0].pose).toEqual(pose);
    expect(results[1].bodies[0].mesh).toBe(box);
    expect(results[1].bodies[0].rounding).toBeLessThan(1e-9 + 1e-14);
    expect(messages).toEqual(['b.ifc is moved to the coordinates of a.ifc: by (0.25, -10, 1) m']);
    const turned = together(file('a.ifc', a), file('b.ifc', map({ ...a, axis: [-1, 0] })));
    expect(turned.messages).toEqual([
      'b.ifc is moved to the coordinates of a.ifc: by (0, 0, 0) m, turned by 90°',
    ]);
    expect([...turned.results[1].bodies[0].pose!.slice(0, 6)]).toEqual([0, 1, 0, 0, -1, 0]);
  });

  it('in different units: the place is in the unit of the file that is moved', () => {
    const b = map({ origin: [0.0254, 0, 0] });
    const { results } = together(file('a.ifc', map(), 0.001), file('b.ifc', b, 0.001));
    expect(results[1].bodies[0].pose![12]).toBe(25.4);
    const feet = together(
      file('a.ifc', map()),
      file('b.ifc', map({ unit: 0.3048, origin: [10, 0, 0] }), 0.3048),
    );
    expect(feet.results[1].bodies[0].pose![12]).toBeCloseTo(10, 12);
  });

  it('stay as they are if they are at the same place, or alone, or not on a map', () => {
    const a = map({ origin: [2_600_000.5, 1_200_000.25, 430], axis: [0.6, 0.8] });
    for (const files of [
      [file('a.ifc', a)],
      [file('a.ifc', a), file('b.ifc', { ...a }, 0.001)],
      [file('x.glb', undefined)],
    ]) {
      const { results, messages } = together(...files);
      expect([results, messages]).toEqual([files, []]);
    }
  });

  it('beside a file that does not say where it stands: a message says so, or all are refused if the others differ', () => {
    const [a, b, c] = [
      file('a.ifc', map()),
      file('b.ifc', map({ origin: [1, 0, 0] })),
      file('c.glb', undefined),
    ];
    expect(together(a, c).messages).toEqual([
      'a.ifc says where it stands on a map, c.glb does not: they are taken to be in the same coordinates',
    ]);
    expect(() => together(c, a, b)).toThrow(
      'a.ifc and b.ifc stand at different places on the map "EPSG:2056", but c.glb does not say where it stands: ',
    );
  });

  it('are refused if their maps differ, by name', () => {
    const refused = (other: MapPlacement) => {
      try {
        together(file('a.ifc', map({ verticalDatum: 'LN02' })), file('b.ifc', other));
      } catch (error) {
        if (error instanceof NearfieldError && error.code === 'bad-option') return error.message;
        throw error;
      }
      return undefined;
    };
    expect(refused(map({ system: 'EPSG:25832' }))).toBe(
      'a.ifc is on a map with the coordinate system "EPSG:2056", b.ifc on one with "EPSG:25832": they cannot be brought together; export both for the same map',
    );
    expect(refused(map({ verticalDatum: 'DHHN2016' }))).toMatch(
      /heights above "LN02", b\.ifc on one with "DHHN2016"/,
    );
    expect(refused(map({ system: undefined, origin: [1, 0, 0] }))).toMatch(
      /on one with one that it does not name/,
    );
    expect(refused(map({ system: undefined }))).toBeUndefined();
    expect(refused(map({ system: ' epsg:2056' }))).toBeUndefined();
    expect(refused(map({ origin: [1e308, 0, 0], unit: 1e10 }))).toBe(
      'a.ifc and b.ifc are too far apart on the map',
    );
  });
});

it('two IFC files with different conversions and sites stand where the map has them', async () => {
  // The x axis of the second file points north. Its project lies 10 m to the south and 2 m higher, and its site 10 m
  // along x and 2 m down: at the site of the first.
  const first = ifcText({ more: conversion('2600000.5,1200000.25,430.,1.,0.,1.', metreMap) });
  const second = ifcText({
    site: '10.,0.,-2.',
    more: conversion('2600000.5,1199990.25,432.,0.,1.,1.', metreMap),
  });
  const read = async (name: string, text: string) => ({ name, ...(await readFile(name, encode(text))) });
  const files = [await read('a.ifc', first), await read('b.ifc', second)];
  expect(files.map(({ warnings }) => warnings.length)).toEqual([1, 1]);
  const { results } = inCommonCoordinates(files);
  expect(boxOf(results[0].bodies[0])).toEqual([0, 0, 0, 4, 0.25, 3]);
  // x points north: the wall of 4 × 0.25 stands along y, to the left of its origin.
  expect(boxOf(results[1].bodies[0])).toEqual([-0.25, 0, 0, 0, 4, 3]);
  expect(results[1].bodies[0].mesh.positions).toEqual(results[0].bodies[0].mesh.positions);
});
