// An involute spur gear about the z axis, with bore, keyway and a recessed web: proportions of ISO 53
// (addendum one module, dedendum 1.25), flanks x = r_b (cos t + t sin t), y = r_b (sin t − t cos t).

import {
  aFiniteNumber,
  aNumber,
  bad,
  checkOptions,
  lengthAbove0,
  type Rules,
  wholeNumber,
} from '../core/arguments.ts';
import { arccosine, cosine, unitAt } from '../math/elementary/angles.ts';
import type { Mesh } from '../mesh/mesh.ts';
import { SolidBuilder } from './builder.ts';
import { segmentsRule, slotRule } from './rules.ts';
import { circle, type Loop, type Point2 } from './triangulation/loops.ts';

/** An involute gear, its bore and its web. Lengths are in the user's units. */
export interface GearOptions {
  /** The number of teeth. Default 24. */
  teeth?: number;
  /** Pitch diameter per tooth. Two gears mesh at a centre distance of module·(teeth + teeth)/2. Default 1. */
  module?: number;
  /** Along z. Default six modules. */
  width?: number;
  /** Pressure angle in radians, below π/2. Default π/9 (20°). */
  pressureAngle?: number;
  /** How much each tooth is thinner than half the pitch, along the pitch circle. Default 0.05 modules. */
  backlash?: number;
  /** Radius of the bore. Default a third of the root radius. */
  boreRadius?: number;
  /** Corners around the bore. Default 64. */
  boreSegments?: number;
  /** A slot in the bore towards +y. Default: none. */
  keyway?: {
    /** Along x, below the bore's diameter. */
    width: number;
    /** The y of its floor, above the axis. */
    top: number;
  };
  /** Thickness of the disc between rim and hub; the full width when left out. */
  webThickness?: number;
  /** Radius of the hub inside a recessed web. Default halfway from the bore to the rim. */
  hubRadius?: number;
  /** Angle of the middle of the first tooth, in radians. Rotates the teeth, not the bore or the keyway. Default 0. */
  phase?: number;
  /** Points on each flank, at least 2. Default 6. */
  flankPoints?: number;
}

const rules: Rules<GearOptions> = {
  teeth: segmentsRule,
  module: lengthAbove0,
  width: lengthAbove0,
  pressureAngle: aNumber('an angle above 0 and below π/2', angle => angle > 0 && angle < Math.PI / 2),
  backlash: aFiniteNumber,
  boreRadius: lengthAbove0,
  boreSegments: segmentsRule,
  keyway: slotRule,
  webThickness: lengthAbove0,
  hubRadius: lengthAbove0,
  phase: aFiniteNumber,
  flankPoints: wholeNumber(2, 2 ** 16),
};

/**
 * The radii of a gear, in the unit of the module. The pressure angle is in radians; default 20°. Throws 'bad-option' for
 * numbers that no gear has.
 */
export function gearRadii(
  teeth: number,
  module: number,
  pressureAngle = Math.PI / 9,
): {
  /** Radius of the circle on which two gears roll on one another. */
  pitch: number;
  /** Radius of the circle that the involute unwinds from. */
  base: number;
  /** Radius of the teeth's tips. */
  tip: number;
  /** Radius of the grooves between the teeth. */
  root: number;
} {
  rules.teeth(teeth, 'teeth');
  rules.module(module, 'module');
  rules.pressureAngle(pressureAngle, 'pressureAngle');
  const pitch = (module * teeth) / 2;
  return { pitch, base: pitch * cosine(pressureAngle), tip: pitch + module, root: pitch - 1.25 * module };
}

/** A gear about the z axis, from z = 0 to z = width. Throws 'bad-option' if the bore or the web leaves no gear. */
export function gear(options: GearOptions = {}): Mesh {
  checkOptions(options, rules, 'gear');
  const { module = 1, teeth = 24, width = 6 * module, boreSegments = 64, hubRadius } = options;
  const { root } = gearRadii(teeth, module, options.pressureAngle);
  const { boreRadius = root / 3, webThickness = width } = options;
  const outline = gearOutline(options);
  const bore = options.keyway
    ? keyedCircle(boreRadius, boreSegments, options.keyway)
    : circle({ radius: boreRadius, segments: boreSegments });
  const reach = options.keyway ? radiusOf(options.keyway.width / 2, options.keyway.top) : boreRadius;
  if (!(reach < root)) throw bad(`a bore of radius ${reach} leaves no gear inside ${root}`);
  const builder = new SolidBuilder().wall(outline, 0, width).wall(bore, 0, width, 'in');
  if (webThickness >= width) {
    return builder.face(0, 'down', outline, [bore]).face(width, 'up', outline, [bore]).mesh();
  }
  const rimRadius = root - 1.25 * module;
  const hub = hubRadius ?? (reach + rimRadius) / 2;
  if (!(hub > reach && rimRadius > hub)) {
    throw bad(`no web fits between a hub of ${hub} and a rim of ${rimRadius}`);
  }
  const rimLoop = circle({ radius: rimRadius, segments: 96 });
  const hubLoop = circle({ radius: hub, segments: 96 });
  const [low, high] = [(width - webThickness) / 2, (width + webThickness) / 2];
  return builder
    .face(0, 'down', outline, [rimLoop])
    .wall(rimLoop, 0, low, 'in')
    .face(low, 'down', rimLoop, [hubLoop])
    .wall(hubLoop, 0, low)
    .face(0, 'down', hubLoop, [bore])
    .face(width, 'up', outline, [rimLoop])
    .wall(rimLoop, high, width, 'in')
    .face(high, 'up', rimLoop, [hubLoop])
    .wall(hubLoop, high, width)
    .face(width, 'up', hubLoop, [bore])
    .mesh();
}

const radiusOf = (x: number, y: number): number => Math.sqrt(x * x + y * y);

/** The teeth as one counter-clockwise loop in x and y. Throws 'bad-option' if they would be pointed. */
export function gearOutline(options: GearOptions = {}): Loop {
  checkOptions(options, rules, 'gearOutline');
  const { teeth = 24, module = 1, pressureAngle = Math.PI / 9, backlash = 0.05 * module } = options;
  const { phase = 0, flankPoints = 6 } = options;
  const { pitch, base, tip, root } = gearRadii(teeth, module, pressureAngle);
  const involute = (angle: number) => {
    const [cos, sin] = unitAt(angle);
    return sin / cos - angle;
  };
  /** Half the angle a tooth spans at radius r. Inside the base circle flanks run straight to the axis. */
  const halfAngle = (r: number) => {
    const atPitch = Math.PI / (2 * teeth) - backlash / (2 * pitch);
    return atPitch + involute(pressureAngle) - involute(arccosine(Math.min(1, base / r)));
  };
  if (!(halfAngle(tip) > 0)) throw bad(`teeth of ${teeth} at this angle are pointed`);
  const start = Math.max(base, root);
  const flank = Array.from(
    { length: flankPoints },
    (_, i) => start + ((tip - start) * i) / (flankPoints - 1),
  );
  const radii = root < base ? [root, ...flank] : flank;
  const halves = radii.map(halfAngle);
  const loop: Point2[] = [];
  for (let tooth = 0; tooth < teeth; tooth++) {
    const middle = phase + (2 * Math.PI * tooth) / teeth;
    const at = (r: number, angle: number) => {
      const [cos, sin] = unitAt(middle + angle);
      loop.push([r * cos, r * sin]);
    };
    for (let i = 0; i < radii.length; i++) at(radii[i], -halves[i]);
    for (let i = radii.length - 1; i >= 0; i--) at(radii[i], halves[i]);
  }
  return loop;
}

/**
 * A circle with a slot towards +y, with straight sides at x = ±width/2 and a floor at y = top: a bore, or a shaft.
 */
export function keyedCircle(
  radius: number,
  segments: number,
  slot: { readonly width: number; readonly top: number },
): Loop {
  lengthAbove0(radius, 'radius');
  segmentsRule(segments, 'segments');
  slotRule(slot, 'slot');
  const { width, top } = slot;
  if (!(width < 2 * radius)) throw bad(`slot: a width of ${width} is not below the circle's, ${2 * radius}`);
  const half = width / 2;
  const shoulder = Math.sqrt(radius * radius - half * half);
  const cut: Loop = [
    [half, shoulder],
    [half, top],
    [-half, top],
    [-half, shoulder],
  ];
  const round = circle({ radius, segments });
  const isCut = ([x, y]: Point2) => y > 0 && Math.abs(x) <= half;
  const before = round.filter(([x, y]) => x > 0 && y >= 0 && !isCut([x, y]));
  const after = round.filter(([x, y]) => !(x > 0 && y >= 0) && !isCut([x, y]));
  return [...before, ...cut, ...after];
}
