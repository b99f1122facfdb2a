// Prisms: box, extruded outline, plate with holes; and hexagonal fasteners for them.

import {
  aFiniteNumber,
  aVector,
  bad,
  checkOptions,
  isObject,
  lengthAbove0,
  lengthFrom0,
  numbers,
  type Rules,
} from '../core/arguments.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { SolidBuilder } from './builder.ts';
import { aLoop, allOf, listOf, loops, segmentsRule } from './rules.ts';
import { circle, type Loop, rectangle } from './triangulation/loops.ts';

/** The size of a box and its centre. Lengths are in the user's units. */
export interface BoxOptions {
  /** Lengths along x, y and z. Default 1. */
  size?: readonly [number, number, number];
  /** The centre of the box. Default: the origin. */
  center?: readonly [number, number, number];
}

const boxRules: Rules<BoxOptions> = { size: numbers(3, lengthFrom0), center: aVector };

/** A box along the axes: eight vertices, twelve triangles. Throws 'bad-option' for sizes that it cannot have. */
export function box(options: BoxOptions = {}): Mesh {
  checkOptions(options, boxRules, 'box');
  const { size = [1, 1, 1], center = [0, 0, 0] } = options;
  const positions = new Float64Array(24);
  for (let corner = 0; corner < 8; corner++) {
    for (let axis = 0; axis < 3; axis++) {
      const side = (corner >> axis) & 1 ? 0.5 : -0.5;
      positions[3 * corner + axis] = center[axis] + side * size[axis];
    }
  }
  // Corner numbers are bits: 1 for high x, 2 for high y, 4 for high z. Each face is counter-clockwise seen from
  // outside.
  const faces = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return mesh(positions, Uint32Array.from(faces.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])));
}

/** An outline with holes, and the heights between which it is a solid. Lengths are in the user's units. */
export interface ExtrudeOptions {
  /** In the plane of x and y. */
  outline: Loop;
  /** Inside the outline, apart from one another. Default: none. */
  holes?: readonly Loop[];
  /** The least z. Default 0. */
  from?: number;
  /** The greatest z. Default 1. */
  to?: number;
}

const extrudeRules: Rules<ExtrudeOptions> = {
  outline: aLoop,
  holes: loops,
  from: aFiniteNumber,
  to: aFiniteNumber,
};

/**
 * The outline minus its holes, from one height to another. Loops may run in either direction. Throws 'bad-option' if loops
 * cross, or if it does not go up.
 */
export function extrude(options: ExtrudeOptions): Mesh {
  checkOptions(options, extrudeRules, 'extrude');
  const { outline, holes = [], from = 0, to = 1 } = options;
  aLoop(outline, 'extrude: outline');
  if (!(from < to)) throw bad(`an extrusion goes up: from ${from} to ${to} does not`);
  const builder = new SolidBuilder().face(from, 'down', outline, holes).face(to, 'up', outline, holes);
  builder.wall(outline, from, to);
  for (const hole of holes) builder.wall(hole, from, to, 'in');
  return builder.mesh();
}

/** The sizes of a plate and its holes, in the user's units. */
export interface PlateOptions {
  /** Along x. Default 4. */
  width?: number;
  /** Along y. Default 3. */
  depth?: number;
  /** Along z. Default 0.5. */
  thickness?: number;
  /** Round holes through the plate. Default: four near the corners. */
  holes?: readonly {
    /** The x of its middle. */
    x: number;
    /** The y of its middle. */
    y: number;
    /** Above 0. */
    radius: number;
    /** Corners around it. Default 32. */
    segments?: number;
  }[];
}

const holeRules: Rules<{ x: number; y: number; radius: number }> = {
  x: aFiniteNumber,
  y: aFiniteNumber,
  radius: lengthAbove0,
};
const plateRules: Rules<PlateOptions> = {
  width: lengthAbove0,
  depth: lengthAbove0,
  thickness: lengthAbove0,
  holes: listOf('a list of holes', (given, what) => {
    const { segments = 3, ...hole } = isObject(given) ? (given as Record<string, unknown>) : {};
    segmentsRule(segments, `${what}: segments`);
    allOf(holeRules)(isObject(given) ? hole : given, what);
  }),
};

/** A plate with holes, centred on the z axis, from z = 0 to z = thickness. Throws 'bad-option' if holes cross its rim. */
export function plate(options: PlateOptions = {}): Mesh {
  checkOptions(options, plateRules, 'plate');
  const { width = 4, depth = 3, thickness = 0.5 } = options;
  const holes =
    options.holes ?? [-1, 1].flatMap(x => [-1, 1].map(y => ({ x: 1.25 * x, y: 0.75 * y, radius: 0.375 })));
  return extrude({
    outline: rectangle(-width / 2, -depth / 2, width / 2, depth / 2),
    holes: holes.map(
      ({ x, y, radius, segments = 32 }: { x: number; y: number; radius: number; segments?: number }) =>
        circle({ radius, segments, center: [x, y] }),
    ),
    to: thickness,
  });
}

/** The sizes of a bolt, in the user's units. */
export interface HexBoltOptions {
  /** Radius of the shank. Default 0.5. */
  radius?: number;
  /** Length of the shank, from under the head to the tip. Default 4. */
  length?: number;
  /** Height of the head, along z. Default 1.25 times the radius. */
  headHeight?: number;
  /** Width of the head from flat to flat. Default 3.25 times the radius. */
  headWidth?: number;
  /** Bevel at the tip. Default a quarter of the radius. */
  chamfer?: number;
  /** Corners around the shank. Default 32. */
  segments?: number;
}

const boltRules: Rules<HexBoltOptions> = {
  radius: lengthAbove0,
  length: lengthAbove0,
  headHeight: lengthAbove0,
  headWidth: lengthAbove0,
  chamfer: lengthFrom0,
  segments: segmentsRule,
};

/**
 * A bolt about the z axis: the head rests on z = 0 and rises to z = headHeight; the shank goes down to z = −length. No
 * thread. Throws 'bad-option' for sizes that it cannot have.
 */
export function hexBolt(options: HexBoltOptions = {}): Mesh {
  checkOptions(options, boltRules, 'hexBolt');
  const { radius = 0.5, length = 4 } = options;
  const {
    headHeight = 1.25 * radius,
    headWidth = 3.25 * radius,
    chamfer = radius / 4,
    segments = 32,
  } = options;
  const head = hexagon(headWidth);
  const shank = circle({ radius, segments });
  const tip = circle({ radius: radius - chamfer, segments });
  return new SolidBuilder()
    .face(headHeight, 'up', head)
    .wall(head, 0, headHeight)
    .face(0, 'down', head, [shank])
    .loft([
      { loop: tip, z: -length },
      { loop: shank, z: chamfer - length },
      { loop: shank, z: 0 },
    ])
    .face(-length, 'down', tip)
    .mesh();
}

/** The sizes of a nut, in the user's units. */
export interface HexNutOptions {
  /** From flat to flat. Default 1.625. */
  width?: number;
  /** Along z. Default 0.75. */
  height?: number;
  /** Radius of the bore. Default 0.5. */
  boreRadius?: number;
  /** Corners around the bore. Default 32. */
  segments?: number;
}

const nutRules: Rules<HexNutOptions> = {
  width: lengthAbove0,
  height: lengthAbove0,
  boreRadius: lengthAbove0,
  segments: segmentsRule,
};

/** A hexagonal nut about the z axis, from z = 0 to z = height. Throws 'bad-option' for sizes that it cannot have. */
export function hexNut(options: HexNutOptions = {}): Mesh {
  checkOptions(options, nutRules, 'hexNut');
  const { width = 1.625, height = 0.75, boreRadius = 0.5, segments = 32 } = options;
  return extrude({ outline: hexagon(width), holes: [circle({ radius: boreRadius, segments })], to: height });
}

/** With two flats towards ±y; `width` is across flats. */
const hexagon = (width: number): Loop => circle({ radius: width / Math.sqrt(3), segments: 6 });
