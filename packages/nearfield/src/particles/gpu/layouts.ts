// The data that passes between the kernels of particles: the system's constants, a window, colliders, and the words of
// lives and records.
//
// All lengths are relative to the setup's origin in units of 2^lengthExponent, all times in units of 2^timeExponent
// seconds: paths stay within about 1, and a tick is 2^−30.

import { layout } from '../../gpu/layout.ts';
import { columnsAt, noTexel } from '../seam.ts';

/** Constant for a system of particles and a chunk of them. */
export const SystemLayout = layout('System', {
  /** w: how far it may be from the reference's. */
  acceleration: 'vec4f',
  /** Numbers of the regions (compiled.ts), in the frame; for arrays that vary, the half widths. */
  position: ['vec4f', 3],
  velocity: ['vec4f', 3],
  /** The errors of starts. */
  startErrorX: 'f32',
  startErrorV: 'f32',
  /** The largest rounding of every place and velocity of the reference. */
  referenceX: 'f32',
  referenceV: 'f32',
  /** Particles of this chunk, and the first of them. */
  count: 'u32',
  first: 'u32',
  seed: 'u32',
  /** One of `startKinds`, for each region. */
  positionKind: 'u32',
  velocityKind: 'u32',
  /** For arrays, which have three rows per particle in `starts`: 1 if they vary from generation to generation. */
  varies: 'u32',
  lifeBase: 'u32',
  lifeAbove: 'u32',
  lifeBelow: 'u32',
  birthBaseLow: 'u32',
  birthBaseHigh: 'u32',
  birthAbove: 'u32',
  birthBelow: 'u32',
  generations: 'u32',
  /** Rows of four words per particle in `lives`: 1, or 4 if particles bounce or are stepped. */
  stride: 'u32',
  /** Colliders that every segment tries: their indices begin at this word of the rows. */
  alwaysAt: 'u32',
  alwaysCount: 'u32',
  /** The tree of the others: its nodes at this row, the items of its leaves from this word on. */
  treeAt: 'u32',
  treeItemsAt: 'u32',
  treeDepth: 'u32',
  /** The factor from units of length to world units. */
  scale: 'f32',
  /** The factor from units of velocity to world units, and the seconds of a tick. */
  speedScale: 'f32',
  tickSeconds: 'f32',
  /**
   * For stepped motion (motion/stepped/stepped.wgsl): what velocities gain per step; with arrays, each particle has its own.
   */
  gain: 'vec4i',
  /** Ticks per step; 0 for motion in closed form. */
  stepTicks: 'u32',
  stepShift: 'u32',
  drag: 'u32',
  /** The factor from velocities to integers. */
  steppedVelocity: 'f32',
  /** The rows of the wind, and with order 2 those of forces (sampled-grid.wgsl); `noWind` if there are none. */
  windAt: 'u32',
  forceAt: 'u32',
  /**
   * For a force given as WGSL (motion/stepped/force-program.wgsl): the origin as it sees it, and the unit of
   * coordinates. Then the unit of velocities, what an acceleration of 1 adds to one per step in that unit, seconds of
   * a step, the longest acceleration. Then the slopes by place, velocity and time, and how far it may be off.
   */
  programOrigin: 'vec4f',
  programScale: 'vec4f',
  programSlopes: 'vec4f',
});

export const startKinds = { arrays: 0, point: 1, box: 2, disc: 3, ball: 4, cone: 5 } as const;

export const WindowLayout = layout('Window', {
  /** floor(from / tick): both words. Then `from` itself rounded up, and `to`: low words. */
  fromLow: 'u32',
  fromHigh: 'u32',
  fromCeiling: 'u32',
  toCeiling: 'u32',
  /** 1 if nothing that is stored about lives can be used. */
  fresh: 'u32',
  /** 0 if no records are wanted. */
  emits: 'u32',
  /** The capacities for certain records and for those to decide. */
  certainRoom: 'u32',
  decideRoom: 'u32',
  serial: 'u32',
  /** How many segments were put. */
  putCount: 'u32',
  /** For drawing: the rest of the time above fromLow, in units of time. */
  rest: 'f32',
  /** The word of the records at which columns begin; and seconds from the begin of all windows asked for to fromLow. */
  columnsAt: 'u32',
  since: 'f32',
});

/** A collider at the window's first tick: its place, its motion, and where its parts are stored. */
export const ColliderLayout = layout('Collider', {
  /** Its own origin; w: the error of places relative to it. */
  centre: 'vec4f',
  /** Its box about the centre. w: restitution, friction. */
  low: 'vec4f',
  high: 'vec4f',
  /**
   * If it moves: how far it has come by the window's first tick, its velocity, and its acceleration. w: their errors.
   */
  offset: 'vec4f',
  velocity: 'vec4f',
  acceleration: 'vec4f',
  /** From the centre to the pivot. w: radians per unit of time. */
  pivot: 'vec4f',
  /** A unit vector. w: turns per unit of time. */
  axis: 'vec4f',
  /** The share of a turn at the window's first tick, and turns per tick as a fraction of 64 bits. */
  turn: 'u32',
  turnLow: 'u32',
  turnHigh: 'u32',
  /** One of `colliderKinds`; then the sum of its `colliderFlags`. */
  kind: 'u32',
  flags: 'u32',
  /** The first of its rows, and their number, as its kind counts them. */
  rows: 'u32',
  count: 'u32',
  bounds: 'u32',
  boundCount: 'u32',
  restSpeed: 'f32',
  most: 'u32',
  /** The first row of its impact map (gpu/maps/map-forms.wgsl) if the GPU paints it; else `noMap`. */
  map: 'u32',
});

export const colliderKinds = { plane: 0, quadric: 1, mesh: 2, field: 3, blobs: 4, undecided: 5 } as const;
export const colliderFlags = { front: 1, bounces: 2, moves: 4, turns: 8 } as const;
export const outlineKinds = { all: 0, disc: 1, rectangle: 2, ring: 3, polygon: 4 } as const;

/** How a place becomes a texel: by one function, by one per leaf of a mesh, or by the angle about an axis. */
export const mapForms = { flat: 0, leaf: 1, around: 2 } as const;
/** What a texel holds or adds up. */
export const mapValues = { speed: 0, normalSpeed: 1, one: 2 } as const;

/** The phase of a life. lives.wgsl has the same numbers. */
export const phases = {
  /** Nothing is known; its other words mean nothing. */
  unknown: 0,
  /** The next impact is certain: between `next` and as many ticks later as the fourth word says. */
  hit: 1,
  /** There may be an impact from `next` on. */
  unsure: 2,
  /** There is no impact in this life. */
  free: 3,
  gone: 4,
  resting: 5,
  /** Before the first life, or after the last. */
  none: 6,
  /** For stepped motion: none before `next`, where the examined chords end. */
  stepping: 7,
} as const;

/** Words at the head of the records. */
export const Head = { certain: 0, decide: 1, due: 2, serial: 3, followed: 4 } as const;
export const headWords = 16;
export const noWind = 0xffffffff;
export const noMap = 0xffffffff;
/** A leaf has 28 bits. */
export const noLeaf = 0xfffffff;
/** How many words a segment has when it is put. */
export const putWords = 16;

/** WGSL constants with a common ending of their names. */
export const constantsOf = (values: Readonly<Record<string, number>>, suffix: string): string =>
  Object.entries(values)
    .map(([name, value]) => `const ${name}${suffix} = ${value}u;\n`)
    .join('');

export const layoutsWgsl =
  SystemLayout.wgsl +
  WindowLayout.wgsl +
  ColliderLayout.wgsl +
  constantsOf(startKinds, 'Start') +
  constantsOf(colliderKinds, 'Kind') +
  constantsOf(colliderFlags, 'Flag') +
  constantsOf(outlineKinds, 'Outline') +
  constantsOf(phases, 'Phase') +
  constantsOf(Head, 'At') +
  constantsOf(columnsAt, 'Column') +
  constantsOf(mapForms, 'Form') +
  constantsOf(mapValues, 'Value') +
  `const headWords = ${headWords}u;\nconst putWords = ${putWords}u;\nconst noWind = ${noWind}u;\n` +
  `const noMap = ${noMap}u;\nconst noLeaf = ${noLeaf}u;\nconst noTexel = ${noTexel}u;\n`;
