// Rows of the library itself, a scene, its bodies, its questions, and the stages of a question.

import * as nearfield from 'nearfield';
import { broad, type CpuNearfield, identity, mesh, narrowSync, open, shapes } from 'nearfield';
import {
  finite,
  flag,
  from0,
  type Kind,
  left,
  limits,
  list,
  made,
  needed,
  number,
  only,
  options,
  points,
  pose,
  typed,
  whole,
  word,
} from './kinds.ts';
import { someBoxes, someRays, someSpheres } from './region-kinds.ts';
import { methods, plain, type Row, setter, waiting } from './rows.ts';
import { gpuRows } from './rows-gpu.ts';
import { bodyKinds, optionsOf } from './scene-options.ts';
import type { World } from './world.ts';

export async function sceneRows(world: World<CpuNearfield>): Promise<Row[]> {
  const { nf, scene, a, b, closedScene, closedNearfield, state } = world;
  const of = optionsOf(world);
  const bodies = bodyKinds(world);
  const two = { a: bodies.a, b: { ...bodies.b } };
  // Curves of a body with itself are where its surface meets itself.
  const anyTwo = { a: bodies.a, b: bodies.a };
  const some = points(Float64Array.of(0, 0, 0, 5, 5, 5));
  const spare = nf.scene();
  const candidates = broad(scene);
  const pairs = narrowSync(candidates);
  const interferences = scene.interferencesSync();
  const regionHits = scene.inSphereSync([a, b], Float64Array.of(0, 0, 0, 100));
  const within = scene.withinSync(1);
  const contacts = scene.contactsSync(a, b);
  const field = scene.fieldSync(a, { resolution: 4 });
  const map = scene.distanceMapSync(a, b, { resolution: 4 });
  const toSet = Float64Array.from([...a.pose, ...b.pose]);
  const listOfBodies = only([a, b], undefined, [
    ['a body of another scene', [a, world.foreign], 'bad-option', /foreign/],
    ['a body that left', [a, world.gone], 'closed', /gone/],
    ['a body twice', [a, a], 'bad-option', /different bodies/],
    ['names', ['first'], 'bad-option', /body/],
  ]);
  const pairsOfBodies: Kind = {
    ...only(
      [
        { a, b },
        { a: b, b: a },
      ],
      undefined,
      [
        ['a pair with a body of another scene', [{ a, b: world.foreign }], 'bad-option', /foreign/],
        ['a pair with a body that left', [{ a, b: world.gone }], 'closed', /gone/],
        ['one body twice', [{ a, b: a }], 'bad-option', /different bodies/],
        ['bodies', [a, b], 'bad-option', /pairs/],
        ['half a pair', [{ a }], 'bad-option', /pairs/],
      ],
    ),
    // No pairs have no depths.
    accepts: value => Array.isArray(value) && value.length === 0,
  };
  const moved = Float64Array.from(identity(), (x, i) => (i === 13 ? 2 : x));
  const ofMotion = (...entries: unknown[]) => ({ bodies: entries });
  const vertexNumbers = a.mesh.positions.length;
  const motionOfRigid = only(ofMotion({ body: a, to: moved }), undefined, [
    ['no list', { bodies: { body: a, to: moved } }, 'bad-option', /bodies/],
    [
      'too few positions',
      ofMotion({ body: a, positions: new Float64Array(3) }),
      'bad-array',
      /three numbers/,
    ],
  ]);
  const motion = only(ofMotion({ body: a, to: moved }), undefined, [
    ['no list', { bodies: { body: a, to: moved } }, 'bad-option', /bodies/],
    ['no body', ofMotion({ to: moved }), 'bad-option'],
    ['a body of another scene', ofMotion({ body: world.foreign, to: moved }), 'bad-option', /foreign/],
    ['a body that left', ofMotion({ body: world.gone, to: moved }), 'closed', /gone/],
    ['a body twice', ofMotion({ body: a, to: moved }, { body: a, to: moved }), 'bad-option', /twice/],
    ['no end', ofMotion({ body: a }), 'bad-option', /first needs/],
    ['two ends', ofMotion({ body: a, to: moved, positions: a.mesh.positions }), 'bad-option', /first needs/],
    ['a singular pose', ofMotion({ body: a, to: new Float64Array(16) }), 'bad-pose', /bodies\[0\].to/],
    ['a path that is none', ofMotion({ body: a, to: moved, path: 'walk' }), 'bad-option', /path/],
    ['a plain array', ofMotion({ body: a, positions: [...a.mesh.positions] }), 'bad-array', /positions/],
    [
      'too few positions',
      ofMotion({ body: a, positions: new Float64Array(3) }),
      'bad-array',
      /three numbers/,
    ],
    [
      'NaN',
      ofMotion({ body: a, positions: new Float64Array(vertexNumbers).fill(Number.NaN) }),
      'not-finite',
      /vertex 0/,
    ],
    [
      'a reflection',
      ofMotion({ body: a, to: moved.map((x, i) => (i === 0 ? -x : x)) }),
      'bad-pose',
      /rotation/,
    ],
    ['joints that are no list', ofMotion({ body: a, joints: {} }), 'bad-option', /joints/],
  ]);
  const bodiesOfVolume = { ...listOfBodies, named: /bod(y|ies)/ };
  // Rays, boxes and spheres hit nothing of no bodies.
  const bodiesOfRays: Kind = {
    ...bodiesOfVolume,
    accepts: value => Array.isArray(value) && value.length === 0,
  };
  const { indices, positions } = shapes.box();
  const question = (given: Record<string, Kind>, right: object = {}) => ({
    options: options(given, right),
  });
  const small = { resolution: 4 };
  const shape = {
    positions: typed(positions, [
      ['a plain array', [...positions], 'bad-array'],
      ['NaN', positions.map(() => Number.NaN), 'not-finite', /position/],
    ]),
    indices: {
      ...typed(indices, [
        ['a plain array', [...indices], 'bad-array'],
        ['one of no vertex', Uint32Array.of(0, 1, 99), 'index-out-of-range', /vertex 99/],
        ['too few', Uint32Array.of(0, 1), 'bad-array'],
      ]),
      accepts: (value: unknown) => value === undefined || value === null,
    },
  };
  const matrix = only(identity(), ['bad-pose'], [['too short', new Float64Array(15), 'bad-pose']]);
  return [
    waiting(
      'open',
      open,
      {
        options: options(
          {
            backend: left(word('cpu', 'auto', 'gpu')),
            device: left(only(undefined)),
            threads: left(whole(2, 1, 256)),
            maxMemory: left(whole(2 ** 26, 2 ** 24)),
            costs: left(
              only(
                { device: 'a GPU', sums: { closest: { cpu: [1, 2, 3, 4, 5] } } },
                ['bad-option'],
                [
                  ['no sums', { device: 'a GPU' }, 'bad-option'],
                  ['too few sums', { device: 'a GPU', sums: { closest: { gpu: [1, 2] } } }, 'bad-option'],
                  [
                    'a sum below 0',
                    { device: 'a GPU', sums: { closest: { gpu: [1, 2, -3, 4, 5] } } },
                    'bad-option',
                  ],
                ],
              ),
            ),
          },
          { backend: 'cpu' },
        ),
      },
      { repeats: false },
    ),
    plain('mesh', mesh, shape),
    plain('identity', nearfield.identity, {}),
    plain('multiplyPoses', nearfield.multiplyPoses, { parent: matrix, child: matrix, out: left(matrix) }),
    plain(
      'applyPose',
      nearfield.applyPose,
      {
        m: matrix,
        x: finite(1),
        y: finite(1),
        z: finite(1),
        out: {
          ...typed(new Float64Array(6), [['too short', new Float64Array(2), 'bad-array']]),
          accepts: value => (value as Float64Array)?.length === 4,
        },
        at: whole(3, 0, 3),
        i: left({ ...whole(0, 0, 0), codes: ['bad-option', 'bad-pose'], named: /(^| )[im] must be/ }),
      },
      { repeats: true },
    ),
    plain('broad', broad, { scene: only(scene), filter: options(of.filter) }),
    waiting('narrow', nearfield.narrow, { from: only(candidates), options: options(of.narrow) }),
    plain('narrowSync', narrowSync, { candidates: only(candidates), options: options(of.narrow) }),
    plain('exact', nearfield.exact, { pairs: only(pairs) }),
    waiting('exactOf', nearfield.exactOf, {
      candidates: only(candidates),
      records: {
        ...only(
          { certain: pairs.certain, unsure: pairs.unsure, backend: 'cpu' },
          ['bad-option', 'bad-array'],
          [
            ['no backend', { certain: pairs.certain, unsure: pairs.unsure }, 'bad-option', /backend/],
            ['a plain array', { certain: [], unsure: pairs.unsure, backend: 'cpu' }, 'bad-array', /certain/],
            ['no unsure', { certain: pairs.certain, backend: 'cpu' }, 'bad-array', /unsure/],
          ],
        ),
        named: /records|backend/,
      },
      limits: options(limits),
    }),
    ...['Nearfield', 'CpuNearfield'].flatMap(kind =>
      methods(kind, nf, { scene: {} }, { closed: closedNearfield }),
    ),
    ...methods('Nearfield', await open({ backend: 'cpu' }), { costs: {}, close: {} }),
    ...methods(
      'Scene',
      scene,
      {
        'readPoses…': {},
        borrowPoses: {},
        candidates: { filter: options(of.filter) },
        'interferences…': question(of.interferences),
        'selfIntersections…': { body: bodies.body, ...question(of.self) },
        'curves…': { ...anyTwo, limits: options(limits) },
        'inside…': { body: bodies.body, points: some },
        'inBox…': { bodies: bodiesOfRays, boxes: someBoxes, ...question(of.regions) },
        'inSphere…': { bodies: bodiesOfRays, spheres: someSpheres, ...question(of.regions) },
        'distance…': { ...two, ...question(of.distance) },
        'within…': { clearance: number(1, value => value >= 0), ...question(of.within) },
        'closest…': { body: bodies.body, points: some, ...question(of.closest) },
        'rays…': { bodies: bodiesOfRays, rays: someRays, ...question(of.rays) },
        'contacts…': { ...two, ...question(of.contacts) },
        'overlap…': { ...two, limits: options(limits) },
        'firstContact…': { motion, ...question(of.firstContact) },
        'sweep…': { motion: motionOfRigid, ...question(of.motion) },
        'nearestApproach…': { motion: motionOfRigid, ...question(of.approach) },
        'intersectionVolume…': { bodies: bodiesOfVolume, ...question(of.volume, small) },
        'field…': { body: bodies.body, ...question(of.field, small) },
        'fieldSlabs…': { body: bodies.body, ...question(of.field, small) },
        'penetration…': { ...two, ...question(of.penetration) },
        'deeperThan…': { ...two, depth: from0(0.5), ...question(of.deeperThan) },
        'depths…': { pairs: pairsOfBodies, ...question(of.depths) },
        'distanceMap…': { ...anyTwo, ...question(of.map, small) },
        'steps…': {
          bodies: only([a, b], undefined, [
            ['one', [a], 'bad-option'],
            ['a body of another scene', [a, world.foreign], 'bad-option', /foreign/],
            ['a body that left', [a, world.gone], 'closed', /gone/],
          ]),
          options: needed(options({ ...limits, method: word('hierarchy') }, { method: 'hierarchy' })),
        },
      },
      { closed: closedScene, state },
    ),
    ...methods(
      'CpuScene',
      scene,
      {
        interferencesSync: question(of.interferences),
        selfIntersectionsSync: { body: bodies.body, ...question(of.self) },
        curvesSync: anyTwo,
        insideSync: { body: bodies.body, points: some },
        inBoxSync: { bodies: bodiesOfRays, boxes: someBoxes, ...question(of.regions) },
        inSphereSync: { bodies: bodiesOfRays, spheres: someSpheres, ...question(of.regions) },
        distanceSync: { ...two, ...question(of.distance) },
        withinSync: { clearance: number(1, value => value >= 0), ...question(of.within) },
        closestSync: { body: bodies.body, points: some, ...question(of.closest) },
        raysSync: { bodies: bodiesOfRays, rays: someRays, ...question(of.rays) },
        contactsSync: { ...two, ...question(of.contacts) },
        overlapSync: { ...two, limits: options(limits) },
        firstContactSync: { motion, ...question(of.firstContact) },
        intersectionVolumeSync: { bodies: bodiesOfVolume, ...question(of.volume, small) },
        fieldSync: { body: bodies.body, ...question(of.field, small) },
        penetrationSync: { ...two, ...question(of.penetration) },
        deeperThanSync: { ...two, depth: from0(0.5), ...question(of.deeperThan) },
        depthsSync: { pairs: pairsOfBodies, ...question(of.depths) },
        distanceMapSync: { ...anyTwo, ...question(of.map, small) },
      },
      { closed: closedScene, state },
    ),
    ...gpuRows(world),
    ...methods(
      'Scene',
      scene,
      {
        setPoses: {
          poses: { ...list(toSet, ['bad-pose']), named: /poses?/ },
          bodies: left(listForPoses(world)),
        },
      },
      { closed: closedScene, state },
    ),
    ...methods(
      'Scene',
      spare,
      {
        add: { mesh: only(shapes.box()), options: options(of.body) },
      },
      { closed: closedScene, repeats: false, state: () => spare.bodies.length },
    ),
    ...methods(
      'Scene',
      spare,
      {
        remove: {
          body: made(() => spare.add(shapes.box()), undefined, [
            ['a body of another scene', world.foreign, 'bad-option', /foreign/],
            ['a body that left', world.gone, 'closed', /gone/],
          ]),
        },
      },
      { closed: closedScene, repeats: false },
    ),
    ...methods('Scene', nf.scene(), { close: {} }),
    setter('Body', a, 'pose', pose(a.pose), { state, closed: world.gone }),
    ...methods(
      'Body',
      a,
      {
        deform: {
          positions: typed(positions, [
            ['a plain array', [...positions], 'bad-array'],
            ['NaN', positions.map(() => Number.NaN), 'not-finite', /position/],
          ]),
          options: options(of.deform),
        },
      },
      { state, closed: world.gone },
    ),
    ...methods('Body', a, { 'readPositions…': {}, toJSON: {} }),
    plain('Scene.fieldSlabs().[Symbol.asyncIterator]', () => 0, {}),
    ...methods('Candidates', candidates, {
      filter: { filter: needed(options(of.filter)) },
      '[Symbol.iterator]': {},
    }),
    ...methods('Interferences', interferences, {
      'relations…': { limits: options(limits) },
      'points…': { limits: options(limits) },
      '[Symbol.iterator]': {},
    }),
    ...methods('Pair', interferences.pairs[0], { toJSON: {} }),
    ...methods('RegionHits', regionHits, {
      at: { place: whole(0, 0, regionHits.length - 1) },
      '[Symbol.iterator]': {},
    }),
    ...methods('Proximities', within, { '[Symbol.iterator]': {} }),
    ...methods('Contacts', contacts, { '[Symbol.iterator]': {} }),
    ...methods('LayersKeep', new nearfield.LayersKeep(), { close: {} }),
    ...methods('DistanceField', field, {
      position: { sample: whole(0, 0, field.distance.length - 1) },
      gradient: { form: word('central', 'one-sided', 'direct') },
    }),
    ...methods('DistanceMap', map, {
      at: { x: finite(0), y: finite(0), z: finite(0) },
      pointOf: { pixel: whole(0, 0, map.distance.length - 1) },
      isContact: { pixel: whole(0, 0, map.distance.length - 1) },
      picture: {
        options: options({
          range: left(list([0, 1])),
          legend: left(flag()),
          scale: left(number(2, value => value >= 1 && value < 2 ** 20)),
          background: left({ ...list([255, 0, 0]), accepts: isThree }),
        }),
      },
      toJSON: {},
    }),
    ...methods('View', map.view, {
      toWorld: { column: anyNumber, row: anyNumber, depth: anyNumber },
      toImage: { point: { ...list([0, 0, 0]), accepts: isThree } },
    }),
  ];
}

/** A pixel that shows nothing has no depth. */
const anyNumber: Kind = number(1, () => true);
/** Any three numbers are a point. */
const isThree = (value: unknown): boolean => value instanceof Uint8Array;

const listForPoses = ({ a, b, foreign, gone }: World): Kind => ({
  named: /bod(y|ies)/,
  ...only(
    [a, b],
    ['bad-option', 'bad-pose'],
    [
      ['a body of another scene', [a, foreign], 'bad-option', /foreign/],
      ['a body that left', [a, gone], 'closed', /gone/],
    ],
  ),
});
