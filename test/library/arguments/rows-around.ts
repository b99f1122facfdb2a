// Rows of the adapter for three.js, of the readers, and of the writer of pictures.

import * as io from '@nearfield/io';
import { encodePng } from '@nearfield/io/png';
import { type CpuNearfield, identity, shapes } from 'nearfield';
import * as adapter from 'nearfield/three';
import { BoxGeometry, Mesh, MeshBasicMaterial } from 'three';
import {
  above0,
  called,
  flag,
  type Kind,
  left,
  list,
  needed,
  number,
  only,
  options,
  text,
  typed,
  whole,
  word,
} from './kinds.ts';
import { methods, plain, type Row, waiting } from './rows.ts';
import type { World } from './world.ts';

export async function aroundRows(world: World<CpuNearfield>): Promise<Row[]> {
  const { nf, scene, a, b } = world;
  const geometry = new BoxGeometry();
  const object = new Mesh(geometry, new MeshBasicMaterial());
  const spare = nf.scene();
  const posed = adapter.keepPosed(spare);
  const body = adapter.bodyFromObject(spare, object);
  const pairs = [...scene.interferencesSync()];
  const curves = scene.curvesSync(a, b);
  const ofScene = only(scene);
  const ofBody = only(a, undefined, [['a mesh', shapes.box(), 'bad-option']]);
  const origin = left(list([0, 0, 0]));
  const zeros: Kind = { ...origin, accepts: value => value === undefined || value instanceof Uint8Array };
  const none = (value: unknown): boolean =>
    (Array.isArray(value) || ArrayBuffer.isView(value)) && (value as ArrayLike<number>).length === 0;
  const { positions } = shapes.box();
  const count = number(Infinity, value => value === Infinity || (value >= 0 && Number.isInteger(value)));
  const fromObject = options({
    name: left(text()),
    group: left({
      ...text(),
      accepts: value => typeof value === 'string' || typeof value === 'number',
    }),
    visibleOnly: left(flag()),
  });
  const instance = left(number(0, value => value === Infinity || (value >= 0 && Number.isInteger(value))));
  const png = { width: 1, height: 1, data: new Uint8Array(4) };
  const side: Kind = { ...whole(1, 1, 1), codes: ['bad-option', 'bad-array'], named: /width|height|pixel/ };
  const triples: Kind = { ...list([0, 0, 0]), accepts: value => none(value) || value instanceof Uint8Array };
  const bytes = new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
  const readBody = { name: 'any', mesh: shapes.box() };
  const urdf =
    '<robot><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual></link></robot>';
  const { robot } = await io.readFile('a.urdf', new TextEncoder().encode(urdf));
  const joints: Kind = {
    ...only({}, undefined, [['a list', [1], 'bad-option']]),
    accepts: value =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && !ArrayBuffer.isView(value),
  };
  return [
    plain('three: meshFromGeometry', adapter.meshFromGeometry, {
      geometry: only(geometry),
      options: options({
        range: left(needed(options({ start: count, count }, { start: 0, count: Infinity }))),
      }),
    }),
    plain('three: geometryFromMesh', adapter.geometryFromMesh, {
      mesh: only(shapes.box()),
      positions: left(typed(positions, [['too few', new Float64Array(3), 'bad-array']])),
    }),
    plain(
      'three: bodyFromObject',
      adapter.bodyFromObject,
      { scene: only(spare), object: only(object), options: fromObject },
      { repeats: false, state: () => spare.bodies.length },
    ),
    plain(
      'three: bodiesFromObject',
      adapter.bodiesFromObject,
      { scene: only(spare), root: only(object), options: fromObject },
      { repeats: false, state: () => spare.bodies.length },
    ),
    waiting(
      'three: openWith',
      adapter.openWith,
      {
        renderer: { ...only({}), accepts: value => typeof value === 'object' && value !== null },
        options: options({ backend: left(word('cpu', 'auto', 'gpu')) }, { backend: 'cpu' }),
      },
      { repeats: false },
    ),
    plain('three: keepPosed', adapter.keepPosed, { scene: ofScene }),
    plain('three: highlightGeometry', adapter.highlightGeometry, {
      pairs: { ...only(pairs, undefined, [['names', ['any'], 'bad-option']]), accepts: none },
      body: ofBody,
      options: options({ origin: zeros, positions: left(typed(positions)) }),
    }),
    plain('three: trianglesGeometry', adapter.trianglesGeometry, {
      body: ofBody,
      triangles: {
        ...only([0, 1], undefined, [['one too many', [99], 'bad-option']]),
        // Typed arrays of small numbers are valid triangle indices.
        accepts: value => none(value) || value instanceof Uint8Array || value instanceof Float64Array,
      },
      options: options({ origin: zeros, positions: left(typed(positions)) }),
    }),
    plain('three: curvesGeometry', adapter.curvesGeometry, {
      curves: { ...only(curves, undefined, [['names', ['any'], 'bad-option']]), accepts: none },
      options: options({ origin: zeros }),
    }),
    plain('three: arrowsGeometry', adapter.arrowsGeometry, {
      points: {
        ...triples,
        named: /points|vectors/,
        accepts: value => value instanceof Uint8Array,
        others: [['NaN', [0, Number.NaN, 0], 'bad-option']],
      },
      vectors: { ...triples, accepts: value => value instanceof Uint8Array },
      options: options({ origin: zeros }),
    }),
    ...methods('Following', posed, {
      add: { body: only(body), object: only(object), instance },
      objectOf: { body: only(body) },
      bodyOf: { object: only(object), instance },
      update: {},
    }),
    ...methods('Following', posed, { remove: { body: only(body) } }),
    waiting('io: readFile', io.readFile, {
      name: { ...text('a.obj'), others: [] },
      bytes: { ...only(bytes), named: /bytes/, accepts: value => value instanceof Uint8Array },
      options: {
        ...options({
          fetchBeside: left(called()),
          wasm: left(called()),
          properties: left(flag()),
          tessellation: left(
            options({
              linear: left(above0(1)),
              angular: left(number(0.5, value => value >= 0.01 && value <= Math.PI)),
            }),
          ),
          oneBody: left(flag()),
          maxExpansion: left(number(256, value => value > 0)),
          signal: left(only(new AbortController().signal)),
          geometry: left(word('collision', 'visual')),
          joints: left(joints),
          srdf: left({ ...only(new Uint8Array(3)), accepts: value => value instanceof Uint8Array }),
          folders: left({
            ...only(['urdf']),
            accepts: value => Array.isArray(value) && value.every(name => typeof name === 'string'),
          }),
        }),
        spelt: false,
      },
    }),
    plain('io: posesOfJoints', io.posesOfJoints, { robot: only(robot), joints }),
    plain('io: jointMotions', io.jointMotions, {
      robot: only(robot),
      from: joints,
      to: joints,
      scale: left(number(2, value => value > 0 && value < Infinity)),
    }),
    plain('io: jointWarnings', io.jointWarnings, { robot: only(robot), joints }),
    plain('io: parseUnit', io.parseUnit, {
      name: { ...only('mm', undefined, [['no unit', 'parsec', 'bad-option']]), named: /unit of length/ },
    }),
    plain('io: parseLength', io.parseLength, {
      text: {
        ...only('1mm', undefined, [['no unit', '1 parsec', 'bad-option', /unit of length/]]),
        named: /is not a length/,
        accepts: value => value === '5',
      },
    }),
    plain('io: nameOfUnit', io.nameOfUnit, {
      metres: number(0.001, value => value > 0 && value < Infinity),
    }),
    plain('io: findRepeatedKey', io.findRepeatedKey, { text: text('{}') }),
    plain('io: mergeBodies', io.mergeBodies, {
      file: text('a.obj'),
      name: text('a'),
      bodies: {
        ...only([readBody, readBody], undefined, [
          ['no mesh', [{ name: 'any' }], 'bad-option'],
          ['a plain pose', [{ ...readBody, pose: [1] }], 'bad-option', /pose/],
        ]),
        accepts: value => Array.isArray(value) && value.length === 0,
      },
    }),
    plain('io: roundingAt', io.roundingAt, {
      body: { ...only(readBody), named: /body/ },
      pose: { ...only(identity()), named: /pose/ },
    }),
    plain('io: inCommonCoordinates', io.inCommonCoordinates, {
      results: {
        ...only([{ name: 'a.ifc', bodies: [readBody], warnings: [] }], undefined, [
          ['no name', [{ bodies: [readBody] }], 'bad-option', /results\[0\]/],
          ['no map', [{ name: 'a.ifc', bodies: [readBody], map: 1 }], 'bad-option', /results\[0\]/],
        ]),
        accepts: value => Array.isArray(value) && value.length === 0,
      },
    }),
    plain('io/png: encodePng', encodePng, {
      pixels: {
        named: /pixels|width/,
        ...needed(options({ width: side, height: side, data: typed(png.data) }, png)),
        spelt: false,
      },
    }),
  ];
}
