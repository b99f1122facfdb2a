// Rows of generated shapes: `shapes`.

import { shapes } from 'nearfield';
import {
  above0,
  finite,
  from0,
  type Kind,
  left,
  list,
  needed,
  number,
  only,
  options,
  whole,
  word,
} from './kinds.ts';
import { methods, plain, type Row } from './rows.ts';

const length = left(above0(1));
const segments = left(whole(8, 3, 2 ** 24));
const any = left(finite(1));
const point = (right: readonly number[]): Kind => ({
  ...list(right),
  accepts: value => value instanceof Uint8Array && value.length === right.length,
});
const square = [
  [1, 0],
  [2, 0],
  [2, 1],
  [1, 1],
];
const loop: Kind = only(square, undefined, [
  ['two corners', square.slice(2), 'bad-option'],
  ['NaN', [[0, Number.NaN], ...square], 'bad-option'],
  ['strings', square.map(corner => corner.map(String)), 'bad-option'],
]);
const loops: Kind = left({ ...only([]), accepts: value => Array.isArray(value) && value.length === 0 });
const teeth = whole(24, 3, 2 ** 24);
const angle = left(number(0.3, value => value > 0 && value < Math.PI / 2));
const slot = needed(options({ width: above0(0.5), top: finite(1.5) }, { width: 0.5, top: 1.5 }));
const triangles = left(number(80, value => value > 0 && value <= 2 ** 28));

const gear = {
  teeth: left(teeth),
  module: length,
  width: left(above0(6)),
  pressureAngle: angle,
  backlash: left(finite(0.05)),
  boreRadius: length,
  boreSegments: segments,
  keyway: left(slot),
  webThickness: length,
  hubRadius: length,
  phase: any,
  flankPoints: left(whole(4, 2, 2 ** 16)),
};

/** One options object each. */
const made: Record<string, Record<string, Kind>> = {
  box: { size: left(point([1, 1, 1])), center: left(point([0, 0, 0])) },
  plate: { width: length, depth: length, thickness: length, holes: loops },
  hexBolt: {
    radius: length,
    length,
    headHeight: length,
    headWidth: length,
    chamfer: left(from0(0.1)),
    segments,
  },
  hexNut: { width: length, height: length, boreRadius: length, segments },
  cylinder: { radius: length, height: length, segments, chamfer: left(from0(0)) },
  tube: { outerRadius: length, innerRadius: length, height: length, segments },
  torus: { majorRadius: length, minorRadius: length, majorSegments: segments, minorSegments: segments },
  uvSphere: { radius: length, segments, rings: left(whole(4, 2, 2 ** 24)) },
  icosphere: { radius: length, frequency: left(whole(2, 1, 4096)) },
  displacedSphere: {
    radius: length,
    triangles,
    amplitude: left(number(0.1, value => value >= 0 && value < 1)),
    bumps: any,
    octaves: left(whole(2, 1, 64)),
    seed: any,
  },
  torusKnot: {
    p: left(number(2, Number.isSafeInteger)),
    q: left(number(3, Number.isSafeInteger)),
    majorRadius: length,
    minorRadius: length,
    tubeRadius: length,
    segments,
    sides: segments,
  },
  cloth: {
    length,
    width: length,
    triangles,
    folds: left(from0(2)),
    steepness: any,
    wrinkle: any,
    seed: any,
  },
  circle: { radius: length, segments, center: left(list([0, 0])), phase: any },
  gear,
  gearOutline: gear,
};
/** Small ones. */
const right: Record<string, object> = {
  cloth: { triangles: 32 },
  displacedSphere: { triangles: 80 },
  icosphere: { frequency: 2 },
  torusKnot: { segments: 12, sides: 4 },
};

export function shapeRows(): Row[] {
  const all = shapes as unknown as Record<string, unknown>;
  const random = shapes.createRandom(1);
  const builder = () => new shapes.SolidBuilder();
  const whole3 = builder();
  for (let i = 0; i < 3; i++) whole3.vertex(i, i * i, 0);
  const corner: Kind = { ...whole(0, 0, 2), named: /a, b, c/ };
  const coordinate: Kind = { ...finite(1), named: /x, y, z/ };
  const of = (name: string, given: Record<string, Kind>) => plain(`shapes.${name}`, all[name], given);
  return [
    ...Object.entries(made).map(([name, fields]) => of(name, { options: options(fields, right[name]) })),
    of('extrude', {
      options: needed(
        options(
          { outline: loop, holes: loops, from: left(finite(0)), to: left(finite(6)) },
          { outline: square, to: 6 },
        ),
      ),
    }),
    of('revolve', {
      options: needed(options({ profile: loop, segments, phase: any }, { profile: square, segments: 8 })),
    }),
    of('keyedCircle', { radius: above0(1), segments: whole(8, 3, 2 ** 24), slot }),
    of('gearRadii', { teeth, module: above0(1), pressureAngle: angle }),
    of('rectangle', { x0: finite(0), y0: finite(0), x1: finite(1), y1: finite(1) }),
    of('hull', {
      points: { ...only(square), accepts: value => Array.isArray(value) && value.length === 0 },
    }),
    of('createNoise', { seed: finite(1), octaves: left(whole(2, 1, 64)) }),
    plain('shapes.createNoise()', shapes.createNoise(1), { x: coordinate, y: coordinate, z: coordinate }),
    of('createRandom', { seed: finite(1) }),
    ...['bits', 'next', 'direction'].map(name =>
      plain(
        `shapes.createRandom().${name}`,
        (random as unknown as Record<string, unknown>)[name],
        {},
        { repeats: false },
      ),
    ),
    plain(
      'shapes.createRandom().between',
      random.between,
      { low: finite(0), high: finite(1) },
      { repeats: false },
    ),
    plain('shapes.createRandom().integer', random.integer, { below: from0(5) }, { repeats: false }),
    ...methods(
      'SolidBuilder',
      builder(),
      {
        vertex: { x: coordinate, y: coordinate, z: coordinate },
        face: { z: finite(0), side: word('up', 'down'), outline: loop, holes: loops },
        wall: { loop, z0: finite(0), z1: finite(1), side: left(word('out', 'in')) },
        loft: {
          sections: {
            ...only(
              [
                { loop: square, z: 0 },
                { loop: square, z: 1 },
              ],
              undefined,
              [
                [
                  'loops of other lengths',
                  [
                    { loop: square, z: 0 },
                    { loop: square.slice(1), z: 1 },
                  ],
                  'bad-option',
                ],
                ['no height', [{ loop: square }], 'bad-option', /z/],
              ],
            ),
            accepts: (value: unknown) => Array.isArray(value) && value.length === 0,
          },
        },
        add: { part: only(shapes.box()), offset: left(point([0, 0, 0])) },
        mesh: {},
      },
      { repeats: false },
    ),
    ...methods('SolidBuilder', whole3, { triangle: { a: corner, b: corner, c: corner } }, { repeats: false }),
  ];
}
