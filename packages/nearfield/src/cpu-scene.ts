// A scene of the CPU backend: every question has a synchronous form, which answers before it returns. It lets nothing else run
// meanwhile, and cannot be cancelled.

import type { Body } from './bodies/body.ts';
import { type ContactOptions, type Contacts, contactsSync } from './contacts/contacts.ts';
import { checkOptions } from './core/arguments.ts';
import { type ClosestOptions, type ClosestPoints, closestSync } from './distance/closest-points.ts';
import {
  type Distance,
  type DistanceOptions,
  distanceSync,
  type Proximities,
  type WithinOptions,
  withinSync,
} from './distance/distance.ts';
import { insideSync } from './inside/inside.ts';
import type { Interferences, SelfIntersections } from './interferences/answer.ts';
import { type Curve, curvesSync } from './interferences/curves/curves.ts';
import { checkNotSampling } from './interferences/method.ts';
import { type SelfIntersectionOptions, selfIntersectionsSync } from './interferences/self-intersections.ts';
import { exact, narrowNow } from './interferences/stages.ts';
import { type Penetration, type PenetrationOptions, penetrationSync } from './penetration/penetration.ts';
import { checkList, checkTwo } from './questions/checks.ts';
import type { DistanceField } from './sampled/field/field.ts';
import {
  type FieldOptions,
  fieldSync,
  intersectionVolumeSync,
  type VolumeOptions,
} from './sampled/field/questions.ts';
import type { IntersectionVolume } from './sampled/field/volume.ts';
import { distanceMapSync } from './sampled/map/distance-map.ts';
import type { DistanceMap } from './sampled/map/map.ts';
import type { DistanceMapOptions } from './sampled/map/options.ts';
import { askerOf, candidatesOf, type InterferenceOptions, interferenceRules, Scene } from './scene.ts';

export class CpuScene extends Scene {
  /** `interferences` without waiting, for loops that cannot wait. */
  interferencesSync(options: InterferenceOptions = {}): Interferences {
    checkNotSampling('interferencesSync', options);
    checkOptions(options, interferenceRules, 'interferencesSync');
    return exact(narrowNow(candidatesOf(askerOf(this), options), options, true));
  }

  /** `selfIntersections` without waiting. */
  selfIntersectionsSync(body: Body, options: SelfIntersectionOptions = {}): SelfIntersections {
    return selfIntersectionsSync(askerOf(this), body, options);
  }

  /** `curves` without waiting. */
  curvesSync(a: Body, b: Body): Curve[] {
    checkTwo('curvesSync', a, b);
    return curvesSync(askerOf(this), a, b);
  }

  /** `inside` without waiting. */
  insideSync(body: Body, points: Float32Array | Float64Array): Uint8Array {
    return insideSync(askerOf(this), body, points);
  }

  /** `distance` without waiting. */
  distanceSync(a: Body, b: Body, options: DistanceOptions = {}): Distance {
    checkTwo('distanceSync', a, b);
    return distanceSync(askerOf(this), a, b, options);
  }

  /** `within` without waiting. */
  withinSync(clearance: number, options: WithinOptions = {}): Proximities {
    return withinSync(askerOf(this), clearance, options);
  }

  /** `closest` without waiting. */
  closestSync(body: Body, points: Float32Array | Float64Array, options: ClosestOptions = {}): ClosestPoints {
    return closestSync(askerOf(this), body, points, options);
  }

  /** `contacts` without waiting. */
  contactsSync(a: Body, b: Body, options: ContactOptions = {}): Contacts {
    checkTwo('contactsSync', a, b);
    return contactsSync(askerOf(this), a, b, options);
  }

  /** `intersectionVolume` without waiting. */
  intersectionVolumeSync(bodies: Body | readonly Body[], options: VolumeOptions = {}): IntersectionVolume {
    checkList('intersectionVolumeSync', options);
    return intersectionVolumeSync(askerOf(this), bodies, options);
  }

  /** `field` without waiting. */
  fieldSync(body: Body, options: FieldOptions = {}): DistanceField {
    return fieldSync(askerOf(this), body, options);
  }

  /** `penetration` without waiting. */
  penetrationSync(a: Body, b: Body, options: PenetrationOptions = {}): Penetration {
    checkTwo('penetrationSync', a, b);
    return penetrationSync(askerOf(this), a, b, options);
  }

  /** `distanceMap` without waiting. */
  distanceMapSync(a: Body, b: Body, options: DistanceMapOptions = {}): DistanceMap {
    checkTwo('distanceMapSync', a, b);
    return distanceMapSync(askerOf(this), a, b, options);
  }
}
