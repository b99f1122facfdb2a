// The built-in sample: a two-stage gearbox of about five dozen parts with a handful of mistakes that a design review
// should find. All other parts are apart, or touch exactly: lengths are dyadic, poses are quarter turns and dyadic
// shifts, and parts that seat on one another share their corners (parts.ts).

import { shapes } from 'nearfield';
import type { Part } from '../sample.ts';
import { ballSet, bearing, housingHalf, innerRing, outerRing, type Step, shaft } from './parts.ts';

/** The mistakes, as pairs of part names in the order of the parts, with the relation the check should report. */
export const gearboxMistakes: readonly { a: string; b: string; relation: string; why: string }[] = [
  {
    a: 'lay pinion',
    b: 'output gear',
    relation: 'crossing',
    why: '45 teeth where 44 fit: the centre distance is 1 mm too small',
  },
  { a: 'lay gear', b: 'cover screw 1', relation: 'crossing', why: 'a screw 16 mm too long reaches the gear' },
  { a: 'lay gear', b: 'lay gear key', relation: 'crossing', why: 'the key is 2 mm too tall for its slot' },
  {
    a: 'output shaft',
    b: 'output seal',
    relation: 'crossing',
    why: 'the lip is drawn before it is stretched',
  },
  { a: 'housing rear', b: 'loose nut', relation: 'contains', why: 'a nut left inside the cast wall' },
  { a: 'input shaft', b: 'input shaft (copy)', relation: 'coincident', why: 'the same shaft placed twice' },
];

/** Distance between neighbouring shafts. Both stages have 64 teeth of module 2 in total, or should. */
const centers = 64;
const module = 2;
/** Heights along the shafts: outer faces and inner floors of the housing, and the joint between its halves. */
const [front, frontFloor, joint, rearFloor, rear] = [0, 16, 44, 72, 88];
const stages = { first: { from: 20, to: 36 }, second: { from: 46, to: 66 } };
const clearance = 1 / 32;
const key = { width: 6, floor: 7.5, top: 13 };
const slotWidth = key.width + 2 * clearance;

export function gearboxParts(): Part[] {
  return [
    ...housing(),
    ...shafts(),
    ...gears(),
    ...keysAndSpacers(),
    ...bearings(),
    ...covers(),
    ...fasteners(),
  ];
}

/** The shafts lie side by side, the front towards −y and the keys up: (x, y, z) becomes (−x, z, y). */
const pose = (x: number, y: number, z: number): Float64Array =>
  Float64Array.of(-1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, -x, z, y, 1);

/** The same, turned over so that −z of the part points to the rear. */
const poseFlipped = (x: number, y: number, z: number): Float64Array =>
  Float64Array.of(-1, 0, 0, 0, 0, 0, -1, 0, 0, -1, 0, 0, -x, z, y, 1);

const axes = [
  { name: 'input', x: -centers },
  { name: 'lay', x: 0 },
  { name: 'output', x: centers },
] as const;

/** A belt around the three shafts, wide enough for the gears on each. */
function belt(radii: readonly [number, number, number]): shapes.Loop {
  return shapes.hull(
    axes.flatMap(({ x }, i) => [...shapes.circle({ radius: radii[i], segments: 96, center: [x, 0] })]),
  );
}

const wallThickness = 16;
const cavityRadii = [30, 52, 52] as const;

/** Centres of the bolts, in the middle of the wall, all around. */
const boltPlaces: readonly shapes.Point2[] = [
  [-91, 27],
  [-91, -27],
  [16, 60],
  [16, -60],
  [106, 42.5],
  [106, -42.5],
];
const coverScrewPlaces: readonly shapes.Point2[] = [
  [-32, 14],
  [-32, -14],
  [32, 14],
  [32, -14],
];
const outputScrewPlaces: readonly shapes.Point2[] = [
  [centers + 27, 0],
  [centers - 13.5, 23.375],
  [centers - 13.5, -23.375],
];
const holes = (places: readonly shapes.Point2[], radius: number): shapes.Loop[] =>
  places.map(center => shapes.circle({ radius, segments: 32, center }));

function housing(): Part[] {
  const [input, lay, output] = cavityRadii;
  const outline = belt([input + wallThickness, lay + wallThickness, output + wallThickness]);
  const cavity = belt(cavityRadii);
  const bores = axes.map(({ x }) => shapes.circle({ radius: bearing.outerRadius, center: [x, 0] }));
  return [
    {
      name: 'housing front',
      mesh: housingHalf({
        outline,
        cavity,
        bores,
        outside: front,
        floor: frontFloor,
        joint,
        through: holes(coverScrewPlaces, 2 + 2 * clearance),
        bolts: holes(boltPlaces, 3.25),
      }),
      pose: pose(0, 0, 0),
    },
    {
      name: 'housing rear',
      mesh: housingHalf({
        outline,
        cavity,
        bores,
        outside: rear,
        floor: rearFloor,
        joint,
        blindFromOutside: { loops: holes(outputScrewPlaces, 2 + 2 * clearance), floor: 76 },
        blindFromJoint: { loops: holes(boltPlaces, 3 + 2 * clearance), floor: 68 },
      }),
      pose: pose(0, 0, 0),
    },
  ];
}

const bearingAt = { front: 2, rear: 74 };
const seat = { bearing: bearing.boreRadius, gear: 11, collar: 13 };

function shafts(): Part[] {
  const slots = [
    { from: 22, to: 34, width: slotWidth, floor: key.floor },
    { from: 49, to: 63, width: slotWidth, floor: key.floor },
  ];
  const steps = (first: number, collarTo: number, last: number, cuts: typeof slots): Step[] => [
    { radius: seat.bearing, from: first, to: 14 },
    { radius: seat.collar, from: 14, to: collarTo },
    { radius: seat.gear, from: collarTo, to: bearingAt.rear, slots: cuts },
    { radius: seat.bearing, from: bearingAt.rear, to: last },
  ];
  const input = shaft(steps(-44, 20, 85.5, [slots[0]]));
  return [
    { name: 'input shaft', mesh: input, pose: pose(-centers, 0, 0) },
    { name: 'lay shaft', mesh: shaft(steps(1, 20, 85.5, slots)), pose: pose(0, 0, 0) },
    { name: 'output shaft', mesh: shaft(steps(1, 46, 132, [slots[1]])), pose: pose(centers, 0, 0) },
    { name: 'input shaft (copy)', mesh: input, pose: pose(-centers, 0, 0) },
  ];
}

/** A driving tooth points at the next shaft (+x), and a gap of the driven gear faces it (−x). */
function gears(): Part[] {
  const common = { module, boreRadius: seat.gear + clearance, keyway: { width: slotWidth, top: 13.25 } };
  const driving = (teeth: number, width: number) => shapes.gear({ ...common, teeth, width });
  const driven = (teeth: number, width: number) =>
    shapes.gear({
      ...common,
      teeth,
      width,
      webThickness: width / 2,
      hubRadius: 20,
      phase: Math.PI * (1 + 1 / teeth),
    });
  const first = stages.first.to - stages.first.from;
  const second = stages.second.to - stages.second.from;
  return [
    { name: 'input pinion', mesh: driving(18, first), pose: pose(-centers, 0, stages.first.from) },
    { name: 'lay gear', mesh: driven(46, first), pose: pose(0, 0, stages.first.from) },
    { name: 'lay pinion', mesh: driving(20, second), pose: pose(0, 0, stages.second.from) },
    // 44 teeth fit; see gearboxMistakes.
    { name: 'output gear', mesh: driven(45, second), pose: pose(centers, 0, stages.second.from) },
  ];
}

function keysAndSpacers(): Part[] {
  const keyPart = (name: string, x: number, from: number, to: number, top: number = key.top): Part => ({
    name,
    mesh: shapes.box({ size: [key.width, top - key.floor, to - from] }),
    pose: pose(x, (top + key.floor) / 2, (from + to) / 2),
  });
  const spacer = (name: string, x: number, from: number, to: number): Part => ({
    name,
    mesh: shapes.tube({
      innerRadius: seat.gear + 2 * clearance,
      outerRadius: seat.collar,
      height: to - from,
    }),
    pose: pose(x, 0, from),
  });
  return [
    keyPart('input key', -centers, 22.25, 33.75),
    keyPart('lay gear key', 0, 22.25, 33.75, key.top + 2),
    keyPart('lay pinion key', 0, 49.25, 62.75),
    keyPart('output key', centers, 49.25, 62.75),
    spacer('input spacer', -centers, stages.first.to, bearingAt.rear),
    spacer('lay spacer front', 0, stages.first.to, stages.second.from),
    spacer('lay spacer rear', 0, stages.second.to, bearingAt.rear),
    spacer('output spacer', centers, stages.second.to, bearingAt.rear),
  ];
}

function bearings(): Part[] {
  const [inner, outer, set] = [innerRing(), outerRing(), ballSet()];
  return axes.flatMap(({ name, x }) =>
    (['front', 'rear'] as const).flatMap(end => [
      { name: `${name} ${end} bearing, inner ring`, mesh: inner, pose: pose(x, 0, bearingAt[end]) },
      { name: `${name} ${end} bearing, balls`, mesh: set, pose: pose(x, 0, bearingAt[end]) },
      { name: `${name} ${end} bearing, outer ring`, mesh: outer, pose: pose(x, 0, bearingAt[end]) },
    ]),
  );
}

const coverThickness = 8;
const sealRadius = 15;

function covers(): Part[] {
  const plate = shapes.extrude({
    outline: belt([30, 30, 30]),
    holes: [shapes.circle({ radius: sealRadius, center: [-centers, 0] }), ...holes(coverScrewPlaces, 2.25)],
    from: -coverThickness,
    to: 0,
  });
  const ring = shapes.extrude({
    outline: shapes.circle({ radius: 32 }),
    holes: [
      shapes.circle({ radius: sealRadius }),
      ...holes(
        outputScrewPlaces.map(([x, y]) => [x - centers, y]),
        2.25,
      ),
    ],
    to: coverThickness,
  });
  const seal = (innerRadius: number) => shapes.tube({ innerRadius, outerRadius: sealRadius, height: 6 });
  const cap = shapes.cylinder({ radius: bearing.outerRadius, height: 1.5 });
  return [
    { name: 'front cover', mesh: plate, pose: pose(0, 0, front) },
    { name: 'output cover', mesh: ring, pose: pose(centers, 0, rear) },
    { name: 'input seal', mesh: seal(seat.bearing), pose: pose(-centers, 0, front - 7) },
    { name: 'output seal', mesh: seal(seat.bearing - 0.25), pose: pose(centers, 0, rear + 1) },
    { name: 'input bearing cap', mesh: cap, pose: pose(-centers, 0, rear - 1.5) },
    { name: 'lay bearing cap', mesh: cap, pose: pose(0, 0, rear - 1.5) },
  ];
}

function fasteners(): Part[] {
  const washerThickness = 1.5;
  const bolt = shapes.hexBolt({ radius: 3, length: 65.5, headWidth: 10, headHeight: 4 });
  const washer = shapes.tube({ innerRadius: 3.25, outerRadius: 6, height: washerThickness, segments: 32 });
  const screw = (length: number) => shapes.hexBolt({ radius: 2, length, headWidth: 7, headHeight: 3 });
  const [short, long, output] = [screw(20), screw(36), screw(16)];
  return [
    ...boltPlaces.flatMap(([x, y], i) => [
      { name: `bolt ${i + 1}`, mesh: bolt, pose: poseFlipped(x, y, front - washerThickness) },
      { name: `washer ${i + 1}`, mesh: washer, pose: pose(x, y, front - washerThickness) },
    ]),
    ...coverScrewPlaces.map(([x, y], i) => ({
      name: `cover screw ${i + 1}`,
      mesh: i === 0 ? long : short,
      pose: poseFlipped(x, y, front - coverThickness),
    })),
    ...outputScrewPlaces.map(([x, y], i) => ({
      name: `output cover screw ${i + 1}`,
      mesh: output,
      pose: pose(x, y, rear + coverThickness),
    })),
    {
      name: 'loose nut',
      mesh: shapes.hexNut({ width: 7, height: 4, boreRadius: 2 }),
      pose: pose(centers + cavityRadii[2] + wallThickness / 2, 0, 56),
    },
  ];
}
