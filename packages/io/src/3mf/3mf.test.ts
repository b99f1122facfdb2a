// @ts-expect-error: it brings no types
import { FileForRelThumbnail, to3dmodel } from '@jscadui/3mf-export';
import { strToU8, zipSync } from 'fflate';
import { applyPose, NearfieldError } from 'nearfield';
import { describe, expect, it } from 'vitest';
import { readFile } from '../read-file.ts';
import { refusal, tetrahedronIndices, tetrahedronPositions } from '../testing/samples.ts';
import { meshXml, modelXml, relationships, tetrahedronModel, threeMf } from '../testing/three-mf.ts';

const object = (id: number, content = meshXml(), attributes = '') =>
  `<object id="${id}" ${attributes}>${content}</object>`;
const components = (...list: string[]) => `<components>${list.join('')}</components>`;

describe('a package', () => {
  it('gives the body of its only object the name of the file, in millimetres', async () => {
    const { bodies, unit, warnings } = await readFile('part.3mf', threeMf(tetrahedronModel()));
    expect([unit, warnings, bodies.length]).toEqual([0.001, [], 1]);
    const [{ name, mesh, pose, path, type }] = bodies;
    expect([name, path, type, pose]).toEqual(['part', ['part'], 'model', undefined]);
    expect([...mesh.positions]).toEqual(tetrahedronPositions);
    expect(mesh.solid).toBe(true);
  });

  it.each([
    ['micron', 1e-6],
    ['millimeter', 0.001],
    ['centimeter', 0.01],
    ['inch', 0.0254],
    ['foot', 0.3048],
    ['meter', 1],
  ])('has the unit %s', async (unit, metres) => {
    const model = modelXml(object(1), '<item objectid="1"/>', `unit="${unit}"`);
    expect((await readFile('u.3mf', threeMf(model))).unit).toBe(metres);
  });

  it('places items and components by the product of their transforms, and shares their mesh', async () => {
    // By rows: x' = x·m00 + y·m10 + z·m20 + m30. This one turns x to y and y to -x, then moves.
    const turn = '0 1 0 -1 0 0 0 0 1 10 20 30';
    const shift = '1 0 0 0 1 0 0 0 1 5 0 0';
    const model = modelXml(
      object(1, meshXml(), 'name="tooth" partnumber="T-1"') +
        object(
          2,
          components('<component objectid="1"/>', `<component objectid="1" transform="${shift}"/>`),
          'name="jaw"',
        ),
      `<item objectid="2" transform="${turn}"/><item objectid="1" partnumber="spare"/>`,
    );
    const { bodies } = await readFile('jaw.3mf', threeMf(model));
    expect(bodies.map(({ path }) => path)).toEqual([['jaw', 'tooth'], ['jaw', 'tooth'], ['tooth']]);
    expect(new Set(bodies.map(({ mesh }) => mesh)).size).toBe(1);
    const at = (index: number) => {
      const out = new Float64Array(3);
      applyPose(bodies[index].pose!, 1, 2, 3, out, 0);
      return [...out];
    };
    expect(at(0)).toEqual([-2 + 10, 1 + 20, 3 + 30]);
    expect(at(1)).toEqual([-2 + 10, 6 + 20, 3 + 30]);
    expect(bodies[2].pose).toBeUndefined();
    expect(bodies.map(({ properties }) => properties?.partnumber)).toEqual(['T-1', 'T-1', 'spare']);
  });

  it('reads objects of other parts (production extension)', async () => {
    const model = modelXml(
      object(1, components('<component objectid="7" p:path="/3D/other.model"/>'), 'name="whole"'),
      '<item objectid="1"/>',
      'requiredextensions="p"',
    );
    const other = modelXml(object(7, meshXml(), 'name="far"'), '');
    const { bodies } = await readFile('p.3mf', threeMf(model, { '3D/Other.model': other }));
    expect(bodies[0].path).toEqual(['whole', 'far']);
    expect(await refusal('p.3mf', threeMf(model))).toBe('p.3mf: the package has no part "3D/other.model"');
    const inches = other.replace('<model ', '<model unit="inch" ');
    expect(await refusal('p.3mf', threeMf(model, { '3D/other.model': inches }))).toMatch(
      /3D\/other\.model: its unit is in, but that of the model is mm/,
    );
  });

  it('keeps metadata of objects, and takes the rounding from the printed digits', async () => {
    const text = '<metadatagroup><metadata name="Supplier">A &amp; B</metadata></metadatagroup>';
    const positions = ['0.0000', '0.0000', '0.0000', '12.3457', '0', '0', '0', '10', '0', '0', '0', '10'];
    const model = modelXml(object(1, text + meshXml(positions)), '<item objectid="1"/>');
    const { bodies } = await readFile('m.3mf', threeMf(model));
    expect(bodies[0].properties).toEqual({ Supplier: 'A & B' });
    expect(bodies[0].rounding).toBeCloseTo(Math.sqrt(3) * 0.5e-4, 12);
  });

  it('warns of beams that are not required, and refuses them if they are', async () => {
    const beams = 'xmlns:b="http://schemas.microsoft.com/3dmanufacturing/beamlattice/2017/02"';
    const mesh = meshXml().replace('</mesh>', '<b:beamlattice><b:beams/></b:beamlattice></mesh>');
    const of = (attributes: string) => threeMf(modelXml(object(1, mesh), '<item objectid="1"/>', attributes));
    const { warnings } = await readFile('b.3mf', of(beams));
    expect(warnings).toEqual([
      'b.3mf: 3D/3dmodel.model: line 3: <b:beamlattice> is skipped: only meshes are read',
    ]);
    const failure = await readFile('b.3mf', of(`${beams} requiredextensions="b"`)).catch(error => error);
    expect(failure).toBeInstanceOf(NearfieldError);
    expect(failure.code).toBe('unsupported');
    expect(failure.message).toMatch(
      /^b\.3mf: 3D\/3dmodel\.model: line 2: the file requires the extension beamlattice /,
    );
  });
});

it('reads what another program wrote: its meshes, names, components and transforms', async () => {
  const cos = Math.cos(1);
  const sin = Math.sin(1);
  const turn = [2 * cos, 2 * sin, 0, 0, -sin, cos, 0, 0, 0, 0, 3, 0, 7, 8, 9, 1];
  const shift = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.1, 0.2, 0.3, 1];
  const vertices = Float32Array.from(tetrahedronPositions, value => value * 1.1);
  const indices = Uint32Array.from(tetrahedronIndices);
  const model = to3dmodel({
    meshes: [{ id: '1', vertices, indices, name: 'a' }],
    components: [{ id: '2', name: 'b', children: [{ objectID: '1', transform: shift }] }],
    items: [
      { objectID: '2', transform: turn },
      { objectID: '1', transform: turn },
    ],
    header: { unit: 'inch' },
  });
  const relations = new FileForRelThumbnail();
  relations.add3dModel('3D/3dmodel.model');
  const bytes = threeMf(model, { [relations.name]: relations.content });
  const { bodies, unit, warnings } = await readFile('other.3mf', bytes);
  expect([unit, warnings]).toEqual([0.0254, []]);
  expect(bodies.map(({ path }) => path)).toEqual([['b', 'a'], ['a']]);
  expect(bodies[0].mesh.positions).toEqual(Float64Array.from(vertices));
  expect([...bodies[1].pose!]).toEqual(turn);
  // 17 digits of single-precision numbers: half a unit in the last place of 1.1, stretched by the transform.
  expect(bodies[1].rounding).toBeGreaterThan(2 ** -24);
  expect(bodies[1].rounding).toBeLessThan(2 ** -20);
});

describe('refusals', () => {
  const of = (resources: string, build: string, attributes = '') =>
    refusal('x.3mf', threeMf(modelXml(resources, build, attributes)));
  const item = '<item objectid="1"/>';

  it.each([
    [
      'a component that contains itself',
      object(1, components('<component objectid="1"/>')),
      /object "1" contains itself/,
    ],
    [
      'components that contain each other',
      object(1, components('<component objectid="2"/>')) + object(2, components('<component objectid="1"/>')),
      /contains itself/,
    ],
    [
      'an object that is not there',
      object(1, components('<component objectid="9"/>')),
      /there is no object "9"/,
    ],
    ['an object without a shape', object(1, ''), /object "1" has neither a mesh nor components/],
    ['two objects of one id', object(1) + object(1), /a second object "1"/],
    [
      'a vertex beyond the last',
      object(1, meshXml(tetrahedronPositions, [0, 1, 4])),
      /v3 refers to vertex "4", but the mesh has 4/,
    ],
    ['a negative vertex', object(1, meshXml(tetrahedronPositions, [0, 1, -1])), /v3 refers to vertex "-1"/],
    ['not a number', object(1, meshXml(['NaN', 0, 0])), /x is "NaN", which is not a finite number/],
    ['a number too large', object(1, meshXml([0, '1e999', 0])), /y is "1e999", which is not a finite number/],
    [
      'an element with a wrong name',
      object(1, meshXml().replace('<vertex ', '<vfrtex ')),
      /<vfrtex> is not allowed here/,
    ],
    ['a second mesh', object(1, meshXml() + meshXml()), /a second mesh/],
    ['a missing coordinate', object(1, meshXml().replace(' y="0"', '')), /<vertex> has no y/],
    ['a coordinate twice', object(1, meshXml().replace(' y="0"', ' y="0" y="0"')), /duplicate attribute/],
    ['an unknown type', object(1, meshXml(), 'type="duck"'), /"duck" is not a type of object/],
    [
      'elements nested deeply',
      `${'<a:b xmlns:a="u">'.repeat(100)}${'</a:b>'.repeat(100)}`,
      /nested more than 64 deep/,
    ],
    [
      'many attributes',
      object(1, meshXml(), Array.from({ length: 300 }, (_, i) => `a${i}=""`).join(' ')),
      /more than 256 attributes/,
    ],
    ['an entity that is not declared', object(1, meshXml(), 'name="&lol;"'), /undefined entity/],
  ])('%s', async (_, resources, message) => {
    const text = await of(resources, item);
    expect(text).toMatch(message);
    expect(text).toMatch(/^x\.3mf: 3D\/3dmodel\.model: line \d+: /);
  });

  it('a build without items, a wrong unit, a transform of 11 numbers', async () => {
    expect(await of(object(1), '')).toMatch(/the build has no items/);
    expect(await of(object(1), item, 'unit="parsec"')).toMatch(/"parsec" is not a unit of 3MF/);
    expect(await of(object(1), '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0"/>')).toMatch(
      /is not 12 numbers/,
    );
    expect(await of(object(1), '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0 nan"/>')).toMatch(
      /is not 12/,
    );
  });

  it('entities, internal and external, before they are read', async () => {
    const lol = Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('');
    for (const declared of [`<!ENTITY l0 "lol">${lol}`, '<!ENTITY l9 SYSTEM "file:///etc/passwd">']) {
      const model = tetrahedronModel()
        .replace('<model', `<!DOCTYPE model [${declared}]><model`)
        .replace('id="1"', 'id="1" name="&l9;"');
      expect(await refusal('lol.3mf', threeMf(model))).toMatch(
        /^lol\.3mf: 3D\/3dmodel\.model: line \d+: the XML has a document type/,
      );
    }
  });

  it('doubling components without end, in short time', async () => {
    let resources = object(1);
    for (let id = 2; id <= 40; id++) {
      const twice = `<component objectid="${id - 1}"/>`.repeat(2);
      resources += object(id, components(twice));
    }
    expect(await of(resources, '<item objectid="40"/>')).toMatch(/the file expands to more than/);
    // The same without a single triangle in the end.
    expect(await of(resources.replace(/<triangle [^>]*>/g, ''), '<item objectid="40"/>')).toMatch(/expands/);
  });

  it('components nested deeper than anyone builds', async () => {
    let resources = object(1);
    for (let id = 2; id <= 100; id++)
      resources += object(id, components(`<component objectid="${id - 1}"/>`));
    expect(await of(resources, '<item objectid="100"/>')).toMatch(/components are nested more than 64 deep/);
  });

  it('a path that leads out of the package', async () => {
    for (const path of ['/../a.model', 'file:///a.model', '/3D\\a.model', '']) {
      const build = `<item objectid="1" p:path="${path}"/>`;
      expect(await of(object(1), build)).toMatch(/is not the name of a part of the package/);
    }
  });
});

describe('archives', () => {
  const sound = threeMf(tetrahedronModel());

  it('are refused if they are no package', async () => {
    const zip = (files: Record<string, string>) =>
      zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
    expect(await refusal('a.3mf', zip({ 'a.txt': '' }))).toMatch(
      /is not a 3MF package: it has no _rels\/\.rels/,
    );
    expect(await refusal('a.3mf', zip({ '_rels/.rels': '<a/>' }))).toMatch(
      /has one 3D model; this one has 0/,
    );
    expect(await refusal('a.3mf', zip({ '_rels/.rels': relationships() }))).toMatch(
      /no part "3D\/3dmodel\.model"/,
    );
    expect(await refusal('a.3mf', sound.slice(0, 300))).toMatch(/it has no directory at its end/);
  });

  it('are refused if an entry makes more than it promises, has another check sum, or is encrypted', async () => {
    const view = new DataView(sound.buffer, sound.byteOffset);
    const first = view.getUint32(sound.length - 22 + 16, true);
    // The second entry, the model, comes after the first and its name.
    const second = first + 46 + view.getUint16(first + 28, true);
    const change = (offset: number, value: number) => {
      const changed = sound.slice();
      changed[second + offset] = value;
      return refusal('z.3mf', changed);
    };
    expect(await change(24, 10)).toMatch(/^z\.3mf: 3D\/3dmodel\.model: holds more than the \d+ bytes/);
    expect(await change(16, sound[second + 16] ^ 1)).toMatch(/is damaged: its check sum does not fit/);
    expect(await change(8, 1)).toMatch(/is encrypted/);
    expect(await change(10, 99)).toMatch(/is compressed by method 99/);
  });

  it('that are bombs are refused before they explode', async () => {
    // 40 MB of spaces in 40 KB: 1000 bytes per byte.
    const model = tetrahedronModel().replace('<resources>', `<resources>${' '.repeat(40_000_000)}`);
    const bomb = threeMf(model);
    expect(bomb.length).toBeLessThan(50_000);
    expect(await refusal('bomb.3mf', bomb)).toMatch(
      /^bomb\.3mf: 3D\/3dmodel\.model: the file expands to more than \d+ MiB/,
    );
  });
});
