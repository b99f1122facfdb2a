// The shapes of a gearbox's parts, each about its own axis, z along the shafts, in millimetres. Parts that should
// touch share a radius and a number of segments, so that their walls coincide exactly.

import { type Mesh, shapes } from 'nearfield';
import { arccosine, arctangent, unitAt } from '../elementary.ts';

const { circle, SolidBuilder } = shapes;
type Loop = shapes.Loop;
type Point2 = shapes.Point2;

/** Segments of every round seat: shafts, bearing rings, seals, housing bores. */
const seatSegments = 64;

export interface Step {
  radius: number;
  from: number;
  to: number;
  /** Slots towards +y for keys, from one height to another. */
  slots?: readonly { from: number; to: number; width: number; floor: number }[];
}

/** A turned shaft: cylinders end to end, with keyways milled into them. */
export function shaft(steps: readonly Step[]): Mesh {
  const builder = new SolidBuilder();
  const ends = steps.map(step => stepOutline(step));
  builder.face(steps[0].from, 'down', ends[0]);
  steps.forEach((step, i) => {
    const full = ends[i];
    let z = step.from;
    for (const slot of step.slots ?? []) {
      const cut = shapes.keyedCircle(step.radius, seatSegments, { width: slot.width, top: slot.floor });
      const end = slotEnd(full, slot.width / 2, slot.floor);
      builder.wall(full, z, slot.from).face(slot.from, 'up', end);
      builder.wall(cut, slot.from, slot.to).face(slot.to, 'down', end);
      z = slot.to;
    }
    builder.wall(full, z, step.to);
    const next = steps[i + 1];
    if (next === undefined) builder.face(step.to, 'up', full);
    else if (next.radius > step.radius) builder.face(step.to, 'down', ends[i + 1], [full]);
    else builder.face(step.to, 'up', full, [ends[i + 1]]);
  });
  return builder.mesh();
}

/** The circle of a step, with two more corners at the sides of each slot. */
function stepOutline({ radius, slots = [] }: Step): Loop {
  const round = [...circle({ radius, segments: seatSegments })];
  if (slots.length === 0) return round;
  const half = slots[0].width / 2;
  const shoulder = Math.sqrt(radius * radius - half * half);
  const angle = ([x, y]: Point2) => (arctangent(y, x) + 2 * Math.PI) % (2 * Math.PI);
  return [...round, [half, shoulder] as const, [-half, shoulder] as const].sort(
    (p, q) => angle(p) - angle(q),
  );
}

/** The flat end of a slot: the part that the slot removes from the step's outline. */
function slotEnd(full: Loop, half: number, floor: number): Loop {
  return [...full.filter(([x, y]) => y > 0 && Math.abs(x) <= half), [-half, floor], [half, floor]];
}

export interface HousingHalf {
  outline: Loop;
  cavity: Loop;
  /** Heights of the outer face, of the cavity's floor and of the joint, in that order, going up or down. */
  outside: number;
  floor: number;
  joint: number;
  bores: readonly Loop[];
  /** Holes from the outer face to the cavity, from the outer face to the joint, and blind ones from either. */
  through?: readonly Loop[];
  bolts?: readonly Loop[];
  blindFromOutside?: { loops: readonly Loop[]; floor: number };
  blindFromJoint?: { loops: readonly Loop[]; floor: number };
}

/** A cast half of the housing: a tray whose floor carries the bearings, joined to the other half at its rim. */
export function housingHalf(half: HousingHalf): Mesh {
  const { outline, cavity, outside, floor, joint, bores, through = [], bolts = [] } = half;
  const fromOutside = half.blindFromOutside ?? { loops: [], floor };
  const fromJoint = half.blindFromJoint ?? { loops: [], floor };
  const outward = outside < joint ? 'down' : 'up';
  const inward = outside < joint ? 'up' : 'down';
  const builder = new SolidBuilder();
  const wall = (loop: Loop, a: number, b: number, side: 'in' | 'out') =>
    builder.wall(loop, Math.min(a, b), Math.max(a, b), side);
  builder.face(outside, outward, outline, [...bores, ...through, ...bolts, ...fromOutside.loops]);
  builder.face(floor, inward, cavity, [...bores, ...through]);
  builder.face(joint, inward, outline, [cavity, ...bolts, ...fromJoint.loops]);
  wall(outline, outside, joint, 'out');
  wall(cavity, floor, joint, 'in');
  for (const loop of [...bores, ...through]) wall(loop, outside, floor, 'in');
  for (const loop of bolts) wall(loop, outside, joint, 'in');
  for (const loop of fromOutside.loops) {
    wall(loop, outside, fromOutside.floor, 'in');
    builder.face(fromOutside.floor, outward, loop);
  }
  for (const loop of fromJoint.loops) {
    wall(loop, joint, fromJoint.floor, 'in');
    builder.face(fromJoint.floor, inward, loop);
  }
  return builder.mesh();
}

/** A deep-groove ball bearing of three bodies. Balls have a quarter of a millimetre of play in their grooves. */
export const bearing = { boreRadius: 10, outerRadius: 22, width: 12 };
const balls = { count: 10, radius: 3.5, pitchRadius: 16, grooveRadius: 3.75 };

export function innerRing(): Mesh {
  const { boreRadius, width } = bearing;
  const land = 13.5;
  const profile: Point2[] = [
    [boreRadius, 0],
    [land, 0],
    ...groove(land, -1),
    [land, width],
    [boreRadius, width],
  ];
  return shapes.revolve({ profile, segments: seatSegments });
}

export function outerRing(): Mesh {
  const { outerRadius, width } = bearing;
  const land = 18.5;
  const profile: Point2[] = [
    [land, 0],
    [outerRadius, 0],
    [outerRadius, width],
    [land, width],
    ...groove(land, 1).reverse(),
  ];
  return shapes.revolve({ profile, segments: seatSegments });
}

/** The groove of the balls: an arc about the pitch circle, from its lower lip to its upper one. */
function groove(land: number, side: 1 | -1): Point2[] {
  const { pitchRadius, grooveRadius } = balls;
  const reach = arccosine(Math.abs(land - pitchRadius) / grooveRadius);
  return Array.from({ length: 9 }, (_, i) => {
    const [cos, sin] = unitAt(-reach + (reach * i) / 4);
    const r = pitchRadius + side * grooveRadius * cos;
    return [r, bearing.width / 2 + grooveRadius * sin] as const;
  });
}

export function ballSet(): Mesh {
  const ball = shapes.icosphere({ radius: balls.radius, frequency: 5 });
  const builder = new SolidBuilder();
  for (const [x, y] of circle({ radius: balls.pitchRadius, segments: balls.count })) {
    builder.add(ball, [x, y, bearing.width / 2]);
  }
  return builder.mesh();
}
