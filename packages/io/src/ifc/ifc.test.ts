// IFC files: which bodies, where, in which unit, and what is said about them.

import { describe, expect, it } from 'vitest';
import { mergeBodies } from '../merge-bodies.ts';
import { readFile } from '../read-file.ts';
import type { ReadBody } from '../read-result.ts';
import { idOf, ifcText } from '../testing/ifc-samples.ts';
import { encode, refusal } from '../testing/samples.ts';
import { boxOf } from '../testing/world.ts';

const named = (bodies: readonly ReadBody[], name: string) => bodies.find(body => body.name === name)!;

describe('a building', () => {
  const reading = readFile('a.ifc', encode(ifcText()), { properties: true });

  it('has a body per product, with identity, class, name and place in the structure', async () => {
    const { bodies, warnings, unit } = await reading;
    expect(unit).toBe(1);
    expect(bodies.map(({ id, type, name }) => [id, type, name])).toEqual([
      [idOf('wall'), 'IfcWall', "Wall 'A'"],
      [idOf('door'), 'IfcDoor', `IfcDoor ${idOf('door')}`],
      [idOf('columnA'), 'IfcColumn', 'Column A'],
      [idOf('columnB'), 'IfcColumn', 'Column B'],
      [idOf('cabinet'), 'IfcFurnishingElement', 'Cabinet'],
    ]);
    expect(bodies[0].path).toEqual(['Project', 'Site', 'IfcBuilding', 'Groundß floor', "Wall 'A'"]);
    expect(warnings).toEqual([
      'a.ifc: left out, because they are not parts: 1 IfcOpeningElement, 1 IfcSpace',
    ]);
  });

  it('stands in the axes of the file, with openings cut out', async () => {
    const { bodies } = await reading;
    expect(boxOf(bodies[0])).toEqual([0, 0, 0, 4, 0.25, 3]);
    // Less a door of 1 × 0.25 × 2.
    expect(bodies[0].mesh.volume).toBeCloseTo(4 * 0.25 * 3 - 0.5, 6);
    expect(boxOf(named(bodies, 'Column A'))).toEqual([0.75, 1.875, 0, 1.25, 2.125, 1]);
    expect(boxOf(named(bodies, 'Column B'))).toEqual([2.875, 1.75, 0, 3.125, 2.25, 1]);
    expect(bodies.map(body => body.mesh.solid)).toEqual(bodies.map(() => true));
  });

  it('shares a mapped geometry, and merges the geometries of one product', async () => {
    const { bodies } = await reading;
    expect(named(bodies, 'Column A').mesh).toBe(named(bodies, 'Column B').mesh);
    const cabinet = named(bodies, 'Cabinet');
    expect(cabinet.mesh.triangleCount).toBe(24);
    expect(boxOf(cabinet)).toEqual([0.875, 4.75, 0, 1.125, 5.25, 1.5]);
  });

  it('has properties of the product and its type, if they are asked for', async () => {
    const { bodies } = await reading;
    expect(bodies[0].properties).toEqual({
      ...{ ObjectType: 'Brick', Tag: 'W-1', Type: 'Brick wall' },
      'Pset_WallCommon.FireRating': 'F90',
      'Pset_WallCommon.LoadBearing': true,
      'Pset_WallCommon.Combustible': false,
      'Pset_WallCommon.ThermalTransmittance': 0.25,
      'Pset_WallCommon.Status': 'NEW, DEMOLISH',
      'BaseQuantities.Width': 0.25,
    });
    const plain = await readFile('a.ifc', encode(ifcText()));
    expect(plain.bodies[0].properties).toBeUndefined();
  });

  it('becomes one body', async () => {
    const { bodies } = await reading;
    expect(mergeBodies('a.ifc', 'a', bodies).mesh.triangleCount).toBe(28 + 12 + 12 + 12 + 24);
  });
});

describe('units', () => {
  it.each([
    ['IFCSIUNIT(*,.LENGTHUNIT.,.MILLI.,.METRE.)', 0.001],
    ["IFCCONVERSIONBASEDUNIT(#22,.LENGTHUNIT.,'FOOT',#23)", 0.3048],
    ['IFCSIUNIT(*,.MASSUNIT.,.KILO.,.GRAM.)', undefined],
  ])('%s', async (unit, metres) => {
    const result = await readFile('a.ifc', encode(ifcText({ unit, schema: 'IFC2X3' })));
    expect(result.unit).toBe(metres);
    // Positions are the numbers of the file, whatever their unit.
    expect(boxOf(result.bodies[0])).toEqual([0, 0, 0, 4, 0.25, 3]);
  });
});

it('loses nothing far from the origin', async () => {
  const near = await readFile('a.ifc', encode(ifcText()));
  const site = [2_600_000.5, 1_200_000.25, 430.125];
  const far = await readFile('a.ifc', encode(ifcText({ site: site.join() })));
  far.bodies.forEach((body, i) => {
    expect(body.mesh.positions).toEqual(near.bodies[i].mesh.positions);
    const moved = boxOf(near.bodies[i]).map((x, axis) => x + site[axis % 3]);
    expect(boxOf(body)).toEqual(moved);
    // Single precision at the size of the part, and double precision at its place.
    expect(body.rounding).toBeLessThan(1e-6);
    expect(body.rounding).toBeGreaterThan(near.bodies[i].rounding!);
  });
});

it('merges alike parts into one mesh, also far from the origin', async () => {
  const cabinet = (n: number, x: string) =>
    `#${n}=IFCFURNISHINGELEMENT('${idOf(`other${n}`)}',$,'Cabinet ${n}',$,$,#${n + 1},#81,$);
#${n + 1}=IFCLOCALPLACEMENT(#33,#${n + 2});
#${n + 2}=IFCAXIS2PLACEMENT3D(#${n + 3},#13,#${n + 4});
#${n + 3}=IFCCARTESIANPOINT((${x},7.3,0.1));
#${n + 4}=IFCDIRECTION((0.6,0.8,0.));\n`;
  const more = cabinet(200, '0.1') + cabinet(210, '3.7') + cabinet(220, '-11.3');
  const { bodies } = await readFile('a.ifc', encode(ifcText({ more, site: '2600000.1,1200000.3,400.' })));
  const alike = bodies.filter(({ name }) => name.startsWith('Cabinet '));
  expect(alike.length).toBe(3);
  expect(new Set(alike.map(({ mesh }) => mesh)).size).toBe(1);
});

describe('circles', () => {
  const more = `#200=IFCCOLUMN('${idOf('round')}',$,'Round',$,$,#33,#201,$,$);
#201=IFCPRODUCTDEFINITIONSHAPE($,$,(#202));
#202=IFCSHAPEREPRESENTATION(#10,'Body','SweptSolid',(#203));
#203=IFCEXTRUDEDAREASOLID(#204,#11,#13,1.);
#204=IFCCIRCLEPROFILEDEF(.AREA.,$,$,0.5);\n`;

  it('become as many pieces as the angle asks for, and the deviation is stated', async () => {
    for (const [angular, pieces] of [
      [undefined, 11],
      [0.1, 63],
    ] as const) {
      const options = { tessellation: { angular } };
      const { bodies, tessellation } = await readFile('a.ifc', encode(ifcText({ more })), options);
      const area = (pieces / 2) * 0.25 * Math.sin((2 * Math.PI) / pieces);
      expect(named(bodies, 'Round').mesh.volume).toBeCloseTo(area, 6);
      expect(tessellation).toBeCloseTo(0.5 * (1 - Math.cos(Math.PI / pieces)), 12);
    }
  });

  it('refuse angles that make no sense', async () => {
    for (const angular of [0, -1, 4, Number.NaN]) {
      await expect(readFile('a.ifc', encode(ifcText()), { tessellation: { angular } })).rejects.toThrow(
        'tessellation.angular must be an angle from 0.01 to π, in radians, not ',
      );
    }
  });
});

describe('odd files', () => {
  it('names a product if web-ifc leaves out a part of its shape', async () => {
    const text = ifcText().replace('(#53)', '(#12)').replace('(#97,#83)', '(#97,#12)');
    const { bodies, warnings } = await readFile('a.ifc', encode(text));
    expect(bodies.length).toBe(4);
    expect(warnings).toContain(
      'a.ifc: web-ifc made no triangles of the shape, or of a part of it: IfcWall #50, IfcFurnishingElement #80',
    );
  });

  it('refuses other schemas, unknown ones, and files without products', async () => {
    expect(await refusal('a.ifc', encode(ifcText({ schema: 'AUTOMOTIVE_DESIGN' })))).toMatch(
      /the schema is "AUTOMOTIVE_DESIGN", which is not IFC/,
    );
    expect(await refusal('a.ifc', encode(ifcText({ schema: 'IFC99' })))).toMatch(/knows no such schema/);
    const empty = ifcText().replace(/DATA;[\s\S]*ENDSEC/, 'DATA;\nENDSEC');
    expect(await refusal('a.ifc', encode(empty))).toMatch(/the file has no products/);
  });

  it('recognises IFC and STEP by their first bytes', async () => {
    expect((await readFile('model', encode(ifcText()))).bodies.length).toBe(5);
  });
});
