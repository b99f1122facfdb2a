// The parts that hail falls on: each has a collider, a material and a look. Lengths in metres, z upwards.

import {
  type Bound,
  type Collider,
  type ImpactResponse,
  type Mesh,
  mesh,
  type Pose,
  type RigidMotion,
  shapes,
  type Vector,
} from 'nearfield';
import { unitAt } from '../elementary.ts';
import { type MaterialName, materials, plateShapes } from './sound/modes.ts';

export type Colour = readonly [red: number, green: number, blue: number];

export interface Look {
  readonly mesh: Mesh;
  readonly pose: Pose;
  readonly colour: Colour;
  /** Moves as its collider does. */
  readonly motion?: RigidMotion | undefined;
}

export interface HailPart {
  /** The object it belongs to: 'house', 'gazebo', … */
  readonly whole: string;
  readonly collider: Collider & { readonly name: string };
  readonly material: MaterialName;
  /** The approximate position of its sound. */
  readonly middle: Vector;
  readonly look: readonly Look[];
}

/** The name and the material of a part. */
export interface Kind {
  readonly whole: string;
  readonly name: string;
  readonly material: MaterialName;
  readonly colour: Colour;
  readonly motion?: RigidMotion | undefined;
}

/** How hail bounces off each material. Leaves keep what falls into them. */
const responses: Readonly<Record<MaterialName, ImpactResponse>> = {
  clay: { kind: 'bounce', restitution: 0.35, friction: 0.3, restSpeed: 0.2 },
  copper: { kind: 'bounce', restitution: 0.45, friction: 0.15, restSpeed: 0.2 },
  earth: { kind: 'bounce', restitution: 0.22, friction: 0.6, restSpeed: 0.3 },
  glass: { kind: 'bounce', restitution: 0.6, friction: 0.1, restSpeed: 0.2 },
  iron: { kind: 'bounce', restitution: 0.55, friction: 0.15, restSpeed: 0.2 },
  leaves: { kind: 'vanish' },
  plaster: { kind: 'bounce', restitution: 0.3, friction: 0.4, restSpeed: 0.2 },
  tin: { kind: 'bounce', restitution: 0.5, friction: 0.15, restSpeed: 0.2 },
  wood: { kind: 'bounce', restitution: 0.4, friction: 0.35, restSpeed: 0.2 },
};

/** Common settings of colliders. Those with borders are pieces of a larger object, so they are sealed. */
const common = ({ whole, name, material, motion }: Kind) => ({
  ...{ name: name === whole ? name : `${whole}, ${name}`, response: responses[material] },
  ...(motion && { motion }),
});

/** The approximate width of a texel of an impact map. */
const texel = 0.15;
const countMap = (width: number, height: number) => ({
  width: Math.max(4, Math.round(width / texel)),
  height: Math.max(4, Math.round(height / texel)),
  ...({ combine: 'count', of: 'normalSpeed' } as const),
});

/** A flat rectangle about its middle; `right` and `up` lead from there to its edges. It faces right × up. */
export function sheet(kind: Kind, middle: Vector, right: Vector, up: Vector, thickness = 0): HailPart {
  const [width, height] = [length(right), length(up)];
  const normal = unit(cross(right, up));
  const collider = {
    ...common(kind),
    plane: { point: middle, normal, right: unit(right) },
    within: { rectangle: [width, height] },
    sealed: true,
    map: countMap(2 * width, 2 * height),
    data: plateShapes(materials[kind.material]),
  } as const;
  const drawn =
    thickness > 0
      ? shapes.box({ size: [2 * width, 2 * height, thickness], center: [0, 0, -thickness / 2] })
      : mesh(
          Float64Array.of(-width, -height, 0, width, -height, 0, width, height, 0, -width, height, 0),
          Uint32Array.of(0, 1, 2, 0, 2, 3),
        );
  return part(kind, collider, middle, drawn, frame(middle, unit(right), unit(up), normal));
}

/** A flat polygon, with holes, in axes about `point`. */
export function plate(
  kind: Kind,
  point: Vector,
  [right, up]: readonly [Vector, Vector],
  polygon: readonly (readonly [number, number])[],
  holes: readonly (readonly (readonly [number, number])[])[] = [],
  thickness = 0.04,
): HailPart {
  const normal = cross(right, up);
  const spread = (axis: 0 | 1) =>
    Math.max(...polygon.map(p => p[axis])) - Math.min(...polygon.map(p => p[axis]));
  const collider = {
    ...common(kind),
    plane: { point, normal, right },
    within: { polygon, holes },
    sealed: true,
    map: countMap(spread(0), spread(1)),
    data: plateShapes(materials[kind.material]),
  } as const;
  const drawn = shapes.extrude({ outline: polygon, holes, from: -thickness, to: 0 });
  return part(kind, collider, point, drawn, frame(point, right, up, normal));
}

/** A flat disc. */
export function disc(kind: Kind, centre: Vector, normal: Vector, radius: number, thickness = 0): HailPart {
  const n = unit(normal);
  const right = across(n);
  const collider = {
    ...common(kind),
    plane: { point: centre, normal: n, right },
    within: { disc: radius },
    sealed: true,
    map: countMap(2 * radius, 2 * radius),
    data: plateShapes(materials[kind.material]),
  } as const;
  const circle = shapes.circle({ radius, segments: 96 });
  const drawn = shapes.extrude({ outline: circle, from: -Math.max(thickness, 0.01), to: 0 });
  return part(kind, collider, centre, drawn, frame(centre, right, cross(n, right), n));
}

/** The side of a round post from `base` along `axis`. */
export function post(kind: Kind, base: Vector, axis: Vector, height: number, radius: number): HailPart {
  const d = unit(axis);
  // |p − base|² − ((p − base)·d)² = radius².
  const quadric = quadricOf(base, d, 1, -1, -radius * radius);
  const collider = {
    ...common(kind),
    quadric,
    bounds: between(base, d, 0, height),
    box: roundBox(base, d, height, radius),
    sealed: true,
  };
  const middle = along(base, d, height / 2);
  const right = across(d);
  const drawn = shapes.cylinder({ radius, height, segments: 40 });
  return part(kind, collider, middle, drawn, frame(base, right, cross(d, right), d));
}

/** The side of a cone that opens downwards from its apex. */
export function cone(kind: Kind, apex: Vector, height: number, radius: number): HailPart {
  const down: Vector = [0, 0, -1];
  // |q|² = (1 + tan²)(q·d)², with q from the apex.
  const slope = radius / height;
  const quadric = quadricOf(apex, down, 1, -(1 + slope * slope), 0);
  const collider = {
    ...common(kind),
    quadric,
    bounds: between(apex, down, 0, height),
    box: roundBox(apex, down, height, radius),
    sealed: true,
    map: { ...countMap(2 * Math.PI * radius, height), form: { cylindrical: 'z' } },
  } as const;
  const drawn = shapes.revolve({
    profile: [
      [0, -height - 0.03],
      [radius, -height - 0.03],
      [radius, -height],
      [0, 0],
    ],
    segments: 96,
  });
  return part(
    kind,
    collider,
    along(apex, down, height / 2),
    drawn,
    frame(apex, [1, 0, 0], [0, 1, 0], [0, 0, 1]),
  );
}

export function ball(kind: Kind, centre: Vector, radius: number): HailPart {
  const map = countMap(2 * Math.PI * radius, 2 * radius);
  const collider = { ...common(kind), sphere: { centre, radius }, map };
  return part(kind, collider, centre, shapes.icosphere({ radius, frequency: 12 }), at(centre));
}

/** Any mesh. */
export function solid(kind: Kind, body: Mesh, place: Vector): HailPart {
  return part(kind, { ...common(kind), mesh: body, pose: at(place) }, place, body, at(place));
}

/** Soft balls that merge, as leaves do. Their whole surface is visible from `middle`, which drawing needs. */
export function bush(
  kind: Kind,
  middle: Vector,
  balls: readonly { at: Vector; radius: number }[],
  level: number,
): HailPart {
  const density = (x: number, y: number, z: number) =>
    balls.reduce((sum, { at: [bx, by, bz], radius }) => {
      const from: Vector = [x - bx, y - by, z - bz];
      const rest = 1 - dot(from, from) / (radius * radius);
      return rest > 0 ? sum + rest * rest * rest : sum;
    }, -level);
  const round = shapes.icosphere({ radius: 1, frequency: 24 });
  const positions = Float64Array.from(round.positions);
  for (let i = 0; i < positions.length; i += 3) {
    const [x, y, z] = positions.subarray(i, i + 3);
    let [low, high] = [0, 4];
    for (let n = 0; n < 40; n++) {
      const r = (low + high) / 2;
      if (density(middle[0] + r * x, middle[1] + r * y, middle[2] + r * z) > 0) low = r;
      else high = r;
    }
    for (let k = 0; k < 3; k++) positions[i + k] *= low;
  }
  const collider = { ...common(kind), blobs: balls, level };
  return part(kind, collider, middle, mesh(positions, round.indices), at(middle));
}

function part(
  kind: Kind,
  collider: Collider & { readonly name: string },
  middle: Vector,
  drawn: Mesh,
  pose: Pose,
): HailPart {
  const { whole, material, colour, motion } = kind;
  return { whole, collider, material, middle, look: [{ mesh: drawn, pose, colour, motion }] };
}

/** The pose at time t of what was at `pose`, under a rigid motion (see RigidMotion). */
export function poseAt({ pose, motion }: Pick<Look, 'pose' | 'motion'>, t: number): Pose {
  if (motion === undefined) return pose;
  const moved = Float64Array.from(pose);
  for (let column = 0; column < 4; column++) {
    const point = [pose[4 * column], pose[4 * column + 1], pose[4 * column + 2]] as const;
    moved.set(column === 3 ? carried(motion, point, t) : turned(motion, point, t), 4 * column);
  }
  return moved;
}

/** A point of the collider as given, at time t. */
export function carried(motion: RigidMotion, point: Vector, t: number): Vector {
  const { velocity = [0, 0, 0], acceleration = [0, 0, 0], pivot = [0, 0, 0], at: given = 0 } = motion;
  const s = t - given;
  const arm = turned(motion, [point[0] - pivot[0], point[1] - pivot[1], point[2] - pivot[2]], t);
  const place = (k: 0 | 1 | 2) => pivot[k] + arm[k] + velocity[k] * s + 0.5 * acceleration[k] * s * s;
  return [place(0), place(1), place(2)];
}

/** The reverse: the point of the collider as given that is at a point at time t. */
export function brought(motion: RigidMotion, point: Vector, t: number): Vector {
  const {
    velocity = [0, 0, 0],
    acceleration = [0, 0, 0],
    pivot = [0, 0, 0],
    turn = [0, 0, 0],
    at: given = 0,
  } = motion;
  const s = t - given;
  const from = (k: 0 | 1 | 2) => point[k] - pivot[k] - velocity[k] * s - 0.5 * acceleration[k] * s * s;
  const back = { turn: [-turn[0], -turn[1], -turn[2]] as const, at: given };
  const arm = turned(back, [from(0), from(1), from(2)], t);
  return [pivot[0] + arm[0], pivot[1] + arm[1], pivot[2] + arm[2]];
}

/** A direction turned as far as the motion has turned at time t, by Rodrigues' formula. */
export function turned({ turn = [0, 0, 0], at: given = 0 }: RigidMotion, v: Vector, t: number): Vector {
  const rate = length(turn);
  if (rate === 0) return v;
  const axis = unit(turn);
  const [cos, sin] = unitAt(rate * (t - given));
  const [aside, forth] = [cross(axis, v), dot(axis, v) * (1 - cos)];
  const out = (k: 0 | 1 | 2) => v[k] * cos + aside[k] * sin + axis[k] * forth;
  return [out(0), out(1), out(2)];
}

/** Ten numbers of one·|q|² + axial·(q·d)² + constant = 0, q = p − c: A to F from the matrix one·1 + axial·ddᵀ. */
function quadricOf(c: Vector, d: Vector, one: number, axial: number, constant: number): number[] {
  const entry = (i: 0 | 1 | 2, j: 0 | 1 | 2) => (i === j ? one : 0) + axial * d[i] * d[j];
  const row = (i: 0 | 1 | 2) => entry(i, 0) * c[0] + entry(i, 1) * c[1] + entry(i, 2) * c[2];
  const [g, h, k] = [row(0), row(1), row(2)];
  return [
    ...[entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2)],
    ...[-g, -h, -k, g * c[0] + h * c[1] + k * c[2] + constant],
  ];
}

/** low ≤ (p − base)·d ≤ high. */
function between(base: Vector, d: Vector, low: number, high: number): Bound[] {
  const start = dot(base, d);
  return [
    { normal: d, offset: start + high },
    { normal: [-d[0], -d[1], -d[2]], offset: -(start + low) },
  ];
}

/** The box of a round thing, grown by a hair. */
function roundBox(base: Vector, d: Vector, height: number, radius: number): readonly [Vector, Vector] {
  const end = along(base, d, height);
  const reach = (k: 0 | 1 | 2) => radius * Math.sqrt(Math.max(0, 1 - d[k] * d[k])) + 1e-6;
  const low = (k: 0 | 1 | 2) => Math.min(base[k], end[k]) - reach(k);
  const high = (k: 0 | 1 | 2) => Math.max(base[k], end[k]) + reach(k);
  return [
    [low(0), low(1), low(2)],
    [high(0), high(1), high(2)],
  ];
}

/** Column by column: three axes and a place. */
const frame = (place: Vector, x: Vector, y: Vector, z: Vector): Pose =>
  Float64Array.of(...x, 0, ...y, 0, ...z, 0, ...place, 1);
export const at = (place: Vector): Pose => frame(place, [1, 0, 0], [0, 1, 0], [0, 0, 1]);

const along = (p: Vector, d: Vector, s: number): Vector => [
  p[0] + d[0] * s,
  p[1] + d[1] * s,
  p[2] + d[2] * s,
];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vector, b: Vector): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
const length = (v: Vector): number => Math.sqrt(dot(v, v));
export const unit = (v: Vector): Vector => [v[0] / length(v), v[1] / length(v), v[2] / length(v)];
/** Some direction at right angles. */
const across = (n: Vector): Vector => unit(cross(Math.abs(n[2]) < 0.9 ? [0, 0, 1] : [0, 1, 0], n));
