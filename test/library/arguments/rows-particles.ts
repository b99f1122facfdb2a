// Rows of particles, their impacts and maps.

import { type Collider, type CpuNearfield, type ParticleOptions, shapes } from 'nearfield';
import {
  above0,
  finite,
  flag,
  from0,
  type Kind,
  left,
  limits,
  list,
  needed,
  number,
  only,
  options,
  pose,
  text,
  typed,
  whole,
  word,
} from './kinds.ts';
import { methods, type Row } from './rows.ts';
import type { World } from './world.ts';

/** NaN has its own code here. */
const numeric = (kind: Kind): Kind => ({ ...kind, codes: ['bad-option', 'not-finite'] });
const vector = (right: readonly [number, number, number]): Kind => ({
  ...list(right),
  codes: ['bad-option', 'not-finite'],
  others: [
    ['too few', right.slice(1), 'bad-option'],
    ['strings', right.map(String), 'bad-option'],
    ['NaN', [0, Number.NaN, 0], 'not-finite'],
  ],
  accepts: value => value instanceof Uint8Array,
});
const direction = (right: readonly [number, number, number]): Kind => ({
  ...vector(right),
  accepts: () => false,
});

const ground: Collider = {
  plane: { point: [0, 0, -1], normal: [0, 0, 1] },
  name: 'ground',
  map: { width: 4, height: 4, combine: 'count' },
};
const right: ParticleOptions = {
  count: 20,
  start: { from: { point: [0, 0, 1] }, velocity: { ball: { centre: [0, 0, -2], radius: 1 } }, life: 1 },
  colliders: [ground],
};

const response = {
  kind: only('bounce'),
  restitution: left(numeric(number(0.5, value => value >= 0 && value <= 1))),
  friction: left(numeric(from0(0))),
  restSpeed: left(numeric(above0(0.1))),
  most: left(whole(10, 0, 65_535)),
};

const startRule = {
  from: only({ point: [0, 0, 1] }),
  velocity: only({ point: [0, 0, -1] }),
  life: { ...numeric(above0(1)), codes: ['bad-option', 'not-finite', 'bad-array'] } as Kind,
  birth: left({ ...numeric(finite(0)), codes: ['bad-option', 'not-finite', 'bad-array'] } as Kind),
};

export const particleFields = {
  count: whole(20, 1, 2 ** 26),
  seed: left(whole(1, 0, 2 ** 32 - 1)),
  start: needed(options(startRule, right.start)),
  acceleration: left(vector([0, 0, -1])),
  motion: left(
    needed(
      options(
        {
          step: numeric(above0(0.1)),
          order: left(word(1, 2)),
          drag: left(numeric(from0(0))),
          wind: left(only(undefined)),
          force: left(only(undefined)),
        },
        { step: 0.1 },
      ),
    ),
  ),
  colliders: {
    ...only([ground]),
    named: /collider/,
    accepts: (value: unknown) => Array.isArray(value) && value.length === 0,
  },
  response: left(needed(options(response, { kind: 'bounce' }))),
  generations: left(
    number(
      Infinity,
      value => value === Infinity || (value >= 1 && Number.isInteger(value) && value < 2 ** 32),
    ),
  ),
};

/** A collider of each kind with each of its options, one wrong at a time. */
function colliderRows({ nf, a, gone, scene }: World<CpuNearfield>): Row[] {
  const common = {
    name: left(text()),
    motion: left(
      needed(
        options({
          velocity: left(vector([0, 0, 0])),
          acceleration: left(vector([0, 0, 0])),
          pivot: left(vector([0, 0, 0])),
          turn: left(vector([0, 0, 0])),
          at: left(numeric(finite(0))),
        }),
      ),
    ),
    response: left(needed(options(response, { kind: 'bounce' }))),
    sides: left(word('both', 'front')),
  };
  // An empty motion counts as no motion.
  const motion = { ...common.motion, accepts: (value: unknown) => value === undefined || isPlain(value) };
  const all = { ...common, motion };
  const bordered = { ...all, sealed: left(flag()), bounds: left(lists) };
  const map = left(
    needed(
      options(
        {
          width: whole(4, 1, 8192),
          height: whole(4, 1, 8192),
          combine: word('count', 'sum', 'overwrite'),
          of: left(word('speed', 'normalSpeed', 'one')),
          precision: left(word('double', 'single')),
          form: left(word('plane')),
        },
        { width: 4, height: 4, combine: 'count' },
      ),
    ),
  );
  const data = left(
    needed(
      options(
        { width: whole(1, 1, 65_535), height: whole(1, 1, 65_535), channels: whole(1, 1, 65_535) },
        { width: 1, height: 1, channels: 1, values: new Float32Array(1) },
      ),
    ),
  );
  const kinds: Record<string, [object, Record<string, Kind>]> = {
    plane: [
      { plane: { point: [0, 0, 0], normal: [0, 0, 1] } },
      {
        ...bordered,
        map,
        data: { ...data, fields: undefined as never },
        plane: {
          named: /plane|point/,
          ...needed(
            options(
              { point: vector([0, 0, 0]), normal: direction([0, 0, 1]), right: left(direction([1, 0, 0])) },
              { point: [0, 0, 0], normal: [0, 0, 1] },
            ),
          ),
        },
        within: left(only({ disc: 1 })),
      },
    ],
    sphere: [
      { sphere: { centre: [0, 0, 0], radius: 1 } },
      {
        ...bordered,
        sphere: only(
          { centre: [0, 0, 0], radius: 1 },
          ['bad-option'],
          [
            ['no centre', { radius: 1 }, 'bad-option', /centre/],
            ['no radius', { centre: [0, 0, 0] }, 'bad-option', /radius/],
          ],
        ),
        box: left(
          only([
            [-1, -1, -1],
            [1, 1, 1],
          ]),
        ),
      },
    ],
    quadric: [
      { quadric: [1, 1, 1, 0, 0, 0, 0, 0, 0, -1] },
      {
        ...bordered,
        quadric: only([1, 1, 1, 0, 0, 0, 0, 0, 0, -1], undefined, [
          ['NaN', [1, 1, 1, 0, 0, 0, 0, 0, 0, Number.NaN], 'not-finite'],
        ]),
      },
    ],
    body: [{ body: a }, { ...all, body: only(a, undefined, [['a body that left', gone, 'closed', /gone/]]) }],
    mesh: [{ mesh: shapes.box() }, { ...all, mesh: only(shapes.box()), pose: left(pose(a.pose)) }],
    field: [
      { field: scene.fieldSync(a, { resolution: 4 }) },
      { ...all, field: only(undefined), pose: left(pose(a.pose)) },
    ],
    blobs: [
      { blobs: [{ at: [0, 0, 0], radius: 1 }] },
      { ...all, blobs: only([{ at: [0, 0, 0], radius: 1 }]), level: left(numeric(above0(0.5))) },
    ],
  };
  // The message names the centre instead of the sphere, depending on what is checked first.
  const spoken: Record<string, RegExp> = { sphere: /centre|sphere/, quadric: /quadric/, blobs: /blob/ };
  return Object.entries(kinds).map(([kind, [value, fields]]) => ({
    name: `particlesSync of a ${kind}`,
    call: (collider: never) => nf.particlesSync({ ...right, colliders: [collider] }),
    takes: [['collider', { ...needed(options(withNames(fields, spoken), value)), codes: ['bad-option'] }]],
    waits: false,
    repeats: true,
  }));
}

const isPlain = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
const lists: Kind = {
  ...only([]),
  named: /bound/,
  accepts: value => Array.isArray(value) && value.length === 0,
};

/** Fields for which the message names a part instead. */
function withNames(fields: Record<string, Kind>, spoken: Record<string, RegExp>): Record<string, Kind> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, kind]) => [
      name,
      spoken[name] ? { ...kind, named: spoken[name] } : kind,
    ]),
  );
}

export async function particleRows(world: World<CpuNearfield>): Promise<Row[]> {
  const { nf, closedNearfield } = world;
  const particles = nf.particlesSync(right);
  const closed = nf.particlesSync(right);
  closed.close();
  const state = () => [particles.time, particles.stats, particles.colliders.length];
  const impacts = particles.impactsSync(0, 1);
  const seconds = finite(0.5);
  const asked = { ...limits, columns: left(word('single')) };
  const which = left(
    typed(new Uint32Array(2), [['of one too many', Uint32Array.of(99), 'index-out-of-range']]),
  );
  const made = { options: needed(options(particleFields, right)) };
  return [
    ...methods('Nearfield', nf, { 'particles…': made }, { closed: closedNearfield }),
    ...methods('CpuNearfield', nf, { 'particles…': made, particlesSync: made }, { closed: closedNearfield }),
    ...colliderRows(world),
    ...methods(
      'Particles',
      particles,
      {
        'impacts…': { from: seconds, to: seconds, options: options(asked) },
        'advance…': { to: seconds, options: options(asked) },
        seek: { time: seconds, options: options({ lookAhead: left(seconds) }) },
        'state…': { time: seconds, which, limits: options(limits) },
        stateSync: { time: seconds, which },
        'setColliders…': { colliders: particleFields.colliders, limits: options(limits) },
      },
      { closed, state, repeats: false },
    ),
    ...methods(
      'CpuParticles',
      particles,
      { impactsSync: { from: seconds, to: seconds }, advanceSync: { to: seconds } },
      { closed, state, repeats: false },
    ),
    ...methods('Particles', particles, { map: { collider: whole(0, 0, 0) } }, { state }),
    ...methods('Particles', nf.particlesSync(right), { close: {} }),
    ...methods(
      'Particles',
      particles,
      { draw: { time: seconds, encoder: left(only(undefined)) } },
      { closed, repeats: false, answers: particles.backend === 'gpu' },
    ),
    ...methods('Impacts', impacts, {
      at: { i: whole(0, 0, impacts.count - 1) },
      data: { i: whole(0, 0, impacts.count - 1) },
      '[Symbol.iterator]': {},
    }),
    ...methods('ImpactMap', particles.map(0), { clear: {}, picture: {}, 'read…': {} }),
  ];
}
