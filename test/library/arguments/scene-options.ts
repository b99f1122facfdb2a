// The options of a scene's questions by their types, and its bodies.

import * as nearfield from 'nearfield';
import { identity, shapes } from 'nearfield';
import {
  above0,
  called,
  flag,
  from0,
  type Kind,
  left,
  limits,
  list,
  made,
  number,
  only,
  options,
  pose,
  text,
  typed,
  whole,
  word,
} from './kinds.ts';
import type { World } from './world.ts';

const distanceAbove0 = (right: number): Kind => number(right, value => value > 0);
export const resolution = left(whole(8, 1, 8192));
export const views = left(word(1, 2, 3));

/** Options per question, by their types. */
export function optionsOf(world: World) {
  const { a, b } = world;
  const strangers = [
    ['bodies of another scene', world.foreign, 'bad-option', /foreign/],
    ['a body that left', world.gone, 'closed', /gone/],
  ] as const;
  const filter = {
    between: left(
      only([[a], [b]], undefined, [
        ['two bodies', [a, b], 'bad-option'],
        ['one list', [[a]], 'bad-option'],
        ...strangers.map(([what, body, ...rest]) => [what, [[body], [b]], ...rest] as const),
      ]),
    ),
    groups: left(word('different')),
    allowed: left({
      ...only([[a, b]], undefined, [
        ['one of a pair', [[a]], 'bad-option'],
        ...strangers.map(([what, body, ...rest]) => [what, [[a, body]], ...rest] as const),
      ]),
      // No pairs are allowed.
      accepts: value => Array.isArray(value) && value.length === 0,
    }),
    keep: left(called(() => true)),
  };
  const visibility = {
    resolution,
    views,
    culling: left(word('reliable', 'may-miss')),
    offset: left(word('triangles', 'boxes', 'bounded', 'exact')),
    queries: left(word('owners', 'occlusion')),
    survivors: left(word('trees', 'sweep')),
    stages: left(word('boxes-first', 'published')),
  };
  const narrow = {
    ...limits,
    ...visibility,
    method: left(word('auto', 'hierarchy')),
    detail: left(word('list', 'relation', 'count', 'any')),
    // The last two need a breadth-first traversal.
    traversal: left(word('breadth-first', 'auto', 'walk', 'brute-force')),
    volumes: left(word('boxes', '18-dops')),
    coherence: left(word('level', 'none', 'front')),
    leaves: left(word('splits', 'hilbert')),
  };
  const sampling = { tolerance: left(above0(0.5)), resolution: left(whole(4, 1)) };
  const box = left(list([-1, -1, -1, 1, 1, 1]));
  const field = {
    ...limits,
    ...sampling,
    box,
    upTo: left(distanceAbove0(1)),
    signed: left(flag()),
    form: left(word('auto', 'tree', 'raster', 'distance-meshes')),
    meshTolerance: left(above0(0.5)),
  };
  const { culling, survivors, stages, ...images } = visibility;
  const direction = (...words: string[]) => left({ ...list([0, 0, 1]), accepts: word(...words).accepts });
  const raycast = {
    ...limits,
    ...filter,
    resolution,
    views,
    ask: left(word('pairs', 'edges', 'any', 'penetrating', 'both')),
    counting: left(word('lists', 'stencil', 'queries', 'pixels')),
    offset: left(from0(0)),
    allowOpen: left(flag(false)),
    levels: left(whole(3, 0, 8)),
  };
  const closedKeep = new nearfield.LayersKeep();
  closedKeep.close();
  const layers = {
    ...limits,
    ...filter,
    resolution,
    algorithm: left(word('auto', 'convex', 'extended', 'simplified', 'general')),
    direction: direction('boxes', 'normals', 'several'),
    layers: left(whole(32, 1, 2 ** 20)),
    spikes: left(flag()),
    form: left(word('computed', 'drawn')),
    reuse: left(only(undefined, ['bad-option'], [['a closed one', closedKeep, 'closed']])),
  };
  const labels = left(typed(new Uint8Array(12), [['too few', new Uint8Array(3), 'bad-array']]));
  const motion = {
    ...filter,
    ...limits,
    upTo: left(number(0.5, value => value > 0 && value <= 1)),
    width: left(number(2 ** -10, value => value >= 2 ** -50 && value <= 1)),
  };
  return {
    filter,
    interferences: { ...filter, ...narrow },
    motion,
    approach: {
      ...motion,
      within: left(distanceAbove0(1)),
      precision: left(number(0.5, value => value >= 2 ** -20 && value <= 1)),
      samples: left(whole(4, 1, 4096)),
    },
    firstContact: {
      ...motion,
      which: left(word('all', 'earliest', 'triangles')),
      self: left(flag(false)),
    },
    narrow,
    raycast,
    layers,
    self: { ...limits, resolution, views, method: left(word('auto', 'hierarchy')) },
    distance: { ...limits, surface: left(flag()), upTo: left(distanceAbove0(1)) },
    within: {
      ...limits,
      ...filter,
      ...images,
      surface: left(flag()),
      method: left(word('auto', 'hierarchy')),
    },
    closest: {
      ...limits,
      upTo: left(distanceAbove0(1)),
      signed: left(flag()),
      detail: left(word('points', 'triangles')),
    },
    regions: { ...limits, detail: left(word('list', 'count', 'any')) },
    rays: { ...limits, upTo: left(number(1, value => value >= 0)), hits: left(word('first', 'all')) },
    contacts: {
      ...limits,
      previous: left(made(() => world.scene.contacts(a, b))),
    },
    volume: {
      ...limits,
      ...sampling,
      box,
      localisation: left(whole(0, 0, 30)),
      form: left(word('auto', 'columns', 'slabs')),
      depths: left({
        ...word('distance-meshes'),
        accepts: value => typeof value === 'boolean' || value === 'distance-meshes',
      }),
    },
    field,
    texture: { ...field, usage: left(whole(5, 0, 2 ** 32 - 1)) },
    deeperThan: {
      ...limits,
      effort: left(number(1, value => value >= 0)),
      timeLimit: left(number(1e6, value => value >= 0)),
    },
    depths: {
      ...limits,
      stopAtRatio: left(number(1.2, value => value >= 1)),
      first: left({
        ...whole(1, 0),
        accepts: value => value === Infinity || (Number.isInteger(value) && (value as number) >= 0),
      }),
      tolerance: left({
        ...list([0.5, 0.25]),
        accepts: value => typeof value === 'number' && value >= 0 && value < Infinity,
      }),
      effort: left(number(1, value => value >= 0)),
      timeLimit: left(number(1e6, value => value >= 0)),
    },
    penetration: {
      ...limits,
      stopAtRatio: left(number(1.05, value => value >= 1)),
      timeLimit: left(number(1000, value => value >= 0)),
      points: left({ ...options(sampling), accepts: value => typeof value === 'boolean' || isEmpty(value) }),
    },
    map: {
      ...limits,
      direction: direction('boxes', 'normals'),
      pixel: left(above0(0.25)),
      resolution: left(whole(8, 1, 16384)),
      surfaces: left(word('solids', 'facing')),
      within: left(number(1, value => value >= 0)),
      contact: left(from0(0.1)),
      regions: left({
        ...options({ a: labels, b: labels }),
        accepts: value => value === 'parts' || isEmpty(value),
      }),
    },
    body: {
      pose: left(pose(identity())),
      name: left(text()),
      group: left({
        ...text(),
        accepts: value => typeof value === 'string' || (typeof value === 'number' && !Number.isNaN(value)),
      }),
    },
    deform: {
      offset: left(whole(0, 0)),
      stride: left(whole(12, 1)),
      rebuild: left(flag()),
    },
  };
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;

export function bodyKinds({ a, b, foreign, gone }: World) {
  const others: Kind['others'] = [
    ['a mesh', shapes.box(), 'bad-option'],
    ['a body of another scene', foreign, 'bad-option', /foreign/],
    ['a body that left', gone, 'closed', /gone/],
  ];
  const first = only(a, undefined, others);
  const second = only(b, undefined, [...others, ['the same body', a, 'bad-option', /first/]]);
  return { a: first, b: second, body: first };
}
