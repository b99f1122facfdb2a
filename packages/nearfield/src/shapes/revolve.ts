// Solids of revolution about the z axis: cylinder, tube, torus, sphere by latitude and longitude, and any profile.

import {
  aFiniteNumber,
  bad,
  checkOptions,
  lengthAbove0,
  lengthFrom0,
  type Rules,
  wholeNumber,
} from '../core/arguments.ts';
import { type Mesh, mesh } from '../mesh/mesh.ts';
import { aChain, segmentsRule } from './rules.ts';
import { direction, type Loop } from './triangulation/loops.ts';

/** A profile that is turned about the z axis. Lengths are in the user's units. */
export interface RevolveOptions {
  /**
   * Points (radius, z), counter-clockwise with the radius to the right and z up. Either a closed loop away from the axis,
   * or a chain whose two ends lie on it (radius 0).
   */
  profile: Loop;
  /** Corners around the axis. Default 64. */
  segments?: number;
  /** Direction of the first corner, in radians. Default 0. */
  phase?: number;
}

const revolveRules: Rules<RevolveOptions> = {
  profile: aChain(3),
  segments: segmentsRule,
  phase: aFiniteNumber,
};

/**
 * Corners are (radius·cos, radius·sin, z), each rounded once, so coaxial solids with the same radius and `segments`
 * touch exactly. Points on the axis are one vertex each. Throws 'bad-option' for a profile that crosses the axis.
 */
export function revolve(options: RevolveOptions): Mesh {
  checkOptions(options, revolveRules, 'revolve');
  const { profile, segments = 64, phase = 0 } = options;
  revolveRules.profile(profile, 'revolve: profile');
  const last = profile.length - 1;
  const chain = profile[0][0] === 0 && profile[last][0] === 0;
  if (profile.some(([r], k) => !(r > 0) && !(chain && (k === 0 || k === last)))) {
    throw bad('a profile lies off the axis, or begins and ends on it');
  }
  const positions: number[] = [];
  const first = profile.map(([r, z]) => {
    const index = positions.length / 3;
    for (let i = 0; i < (r === 0 ? 1 : segments); i++) {
      const [cos, sin] = direction(i, segments, phase);
      positions.push(r === 0 ? 0 : r * cos, r === 0 ? 0 : r * sin, z);
    }
    return index;
  });
  const corner = (k: number, i: number) => first[k] + (profile[k][0] === 0 ? 0 : i % segments);
  const indices: number[] = [];
  for (let k = 0; k < (chain ? last : profile.length); k++) {
    const next = (k + 1) % profile.length;
    for (let i = 0; i < segments; i++) {
      const [a, b, c, d] = [corner(k, i), corner(k, i + 1), corner(next, i + 1), corner(next, i)];
      if (a !== b) indices.push(a, b, d);
      if (c !== d) indices.push(b, c, d);
    }
  }
  return mesh(Float64Array.from(positions), Uint32Array.from(indices));
}

/** The sizes of a cylinder, in the user's units. */
export interface CylinderOptions {
  /** Default 1. */
  radius?: number;
  /** Along z. Default 2. */
  height?: number;
  /** Corners around the axis. Default 64. */
  segments?: number;
  /** Length of the 45° bevel at both ends. Default 0. */
  chamfer?: number;
}

const cylinderRules: Rules<CylinderOptions> = {
  radius: lengthAbove0,
  height: lengthAbove0,
  segments: segmentsRule,
  chamfer: lengthFrom0,
};

/** A cylinder about the z axis, from z = 0 to z = height. Throws 'bad-option' for sizes that it cannot have. */
export function cylinder(options: CylinderOptions = {}): Mesh {
  checkOptions(options, cylinderRules, 'cylinder');
  const { radius = 1, height = 2, segments = 64, chamfer = 0 } = options;
  const side: Loop =
    chamfer > 0
      ? [
          [radius - chamfer, 0],
          [radius, chamfer],
          [radius, height - chamfer],
          [radius - chamfer, height],
        ]
      : [
          [radius, 0],
          [radius, height],
        ];
  return revolve({ profile: [[0, 0], ...side, [0, height]], segments });
}

/** The sizes of a tube, in the user's units. */
export interface TubeOptions {
  /** Default 1. */
  outerRadius?: number;
  /** Default 0.5. */
  innerRadius?: number;
  /** Along z. Default 1. */
  height?: number;
  /** Corners around the axis. Default 64. */
  segments?: number;
}

const tubeRules: Rules<TubeOptions> = {
  outerRadius: lengthAbove0,
  innerRadius: lengthAbove0,
  height: lengthAbove0,
  segments: segmentsRule,
};

/** A ring, washer or bush about the z axis, from z = 0 to z = height. Throws 'bad-option' for sizes that it cannot have. */
export function tube(options: TubeOptions = {}): Mesh {
  checkOptions(options, tubeRules, 'tube');
  const { outerRadius = 1, innerRadius = 0.5, height = 1, segments = 64 } = options;
  const profile: Loop = [
    [innerRadius, 0],
    [outerRadius, 0],
    [outerRadius, height],
    [innerRadius, height],
  ];
  return revolve({ profile, segments });
}

/** The sizes of a torus, in the user's units. */
export interface TorusOptions {
  /** Distance from the axis to the middle of the tube. Default 1. */
  majorRadius?: number;
  /** Radius of the tube. Default 0.375. */
  minorRadius?: number;
  /** Corners around the axis. Default 64. */
  majorSegments?: number;
  /** Corners around the tube. Default 32. */
  minorSegments?: number;
}

const torusRules: Rules<TorusOptions> = {
  majorRadius: lengthAbove0,
  minorRadius: lengthAbove0,
  majorSegments: segmentsRule,
  minorSegments: segmentsRule,
};

/** A torus about the z axis, its middle at the origin. Throws 'bad-option' for sizes that it cannot have. */
export function torus(options: TorusOptions = {}): Mesh {
  checkOptions(options, torusRules, 'torus');
  const { majorRadius = 1, minorRadius = 0.375, majorSegments = 64, minorSegments = 32 } = options;
  const profile: Loop = Array.from({ length: minorSegments }, (_, k) => {
    const [cos, sin] = direction(k, minorSegments);
    return [majorRadius + minorRadius * cos, minorRadius * sin] as const;
  });
  return revolve({ profile, segments: majorSegments });
}

/** The size of a sphere in the user's units, and how finely it is cut. */
export interface UvSphereOptions {
  /** Default 1. */
  radius?: number;
  /** Corners around the axis. Default 64. */
  segments?: number;
  /** Bands from pole to pole. Default 32. */
  rings?: number;
}

const sphereRules: Rules<UvSphereOptions> = {
  radius: lengthAbove0,
  segments: segmentsRule,
  rings: wholeNumber(2, 2 ** 24),
};

/** A sphere about the origin, cut along latitude and longitude; its poles are on the z axis. Throws 'bad-option' for sizes that it cannot have. */
export function uvSphere(options: UvSphereOptions = {}): Mesh {
  checkOptions(options, sphereRules, 'uvSphere');
  const { radius = 1, segments = 64, rings = 32 } = options;
  const profile: Loop = Array.from({ length: rings + 1 }, (_, k) => {
    const [cos, sin] = direction(k, 2 * rings);
    return [k === 0 || k === rings ? 0 : radius * sin, -radius * cos] as const;
  });
  return revolve({ profile, segments });
}
