// A scene on the CPU backend. Most questions have a synchronous form here, which blocks the thread until it returns the
// answer and cannot be cancelled. It gives the same answers and throws the same error codes as the asynchronous form.

import type { Body } from './bodies/body.ts';
import { type ContactOptions, type Contacts, contactsSync } from './contacts/contacts.ts';
import type { Limits } from './core/limits.ts';
import {
  type ClosestOptions,
  type ClosestPoints,
  type ClosestTriangles,
  type ClosestTrianglesOptions,
  closestSync,
} from './distance/closest-points.ts';
import { type Distance, type DistanceOptions, distanceSync } from './distance/distance.ts';
import type { Proximities } from './distance/proximities.ts';
import { type WithinOptions, withinSync } from './distance/within.ts';
import { insideSync } from './inside/inside.ts';
import type { Interferences, SelfIntersections } from './interferences/answer/answer.ts';
import { type Curve, curvesSync } from './interferences/curves/curves.ts';
import { type InterferenceOptions, interferencesSync } from './interferences/interferences.ts';
import { type SelfIntersectionOptions, selfIntersectionsSync } from './interferences/self-intersections.ts';
import type { MotionAnswer } from './motion/answer.ts';
import { firstContactSync } from './motion/first-contact.ts';
import type { FirstContact, FirstContactOptions, Motion } from './motion/types.ts';
import { type Overlap, overlapSync } from './overlap/overlap.ts';
import { type DeeperThan, type DeeperThanOptions, deeperThanSync } from './penetration/depths/deeper-than.ts';
import { type Depths, type DepthsOptions, depthsSync, type TwoBodies } from './penetration/depths/depths.ts';
import type { Penetration, PenetrationOptions } from './penetration/penetration.ts';
import { penetrationWithPointsSync } from './penetration/points/with-points.ts';
import type { RayHits } from './rays/hits.ts';
import { type RayOptions, raysSync } from './rays/rays.ts';
import type { RegionHits } from './regions/answer.ts';
import { inBoxSync, inSphereSync, type RegionOptions } from './regions/regions.ts';
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
import { Scene } from './scene.ts';

/** A scene of the CPU backend: every question also has a synchronous form. */
export class CpuScene extends Scene<'cpu'> {
  /** `interferences` without waiting, for loops that cannot wait. */
  interferencesSync(options: InterferenceOptions = {}): Interferences {
    return interferencesSync(this, options);
  }

  /** `selfIntersections` without waiting. */
  selfIntersectionsSync(body: Body, options: SelfIntersectionOptions = {}): SelfIntersections {
    return selfIntersectionsSync(this, body, options);
  }

  /** `curves` without waiting. */
  curvesSync(a: Body, b: Body): Curve[] {
    return curvesSync(this, a, b);
  }

  /** `inside` without waiting. */
  insideSync(body: Body, points: Float32Array | Float64Array): Uint8Array {
    return insideSync(this, body, points);
  }

  /** `distance` without waiting. */
  distanceSync(a: Body, b: Body, options: DistanceOptions = {}): Distance {
    return distanceSync(this, a, b, options);
  }

  /** `within` without waiting. */
  withinSync(clearance: number, options: WithinOptions = {}): Proximities {
    return withinSync(this, clearance, options);
  }

  /** `rays` without waiting. */
  raysSync(
    bodies: Body | readonly Body[],
    rays: Float32Array | Float64Array,
    options: RayOptions = {},
  ): RayHits {
    return raysSync(this, bodies, rays, options);
  }

  /** `inBox` without waiting. */
  inBoxSync(
    bodies: Body | readonly Body[],
    boxes: Float32Array | Float64Array,
    options: RegionOptions = {},
  ): RegionHits {
    return inBoxSync(this, bodies, boxes, options);
  }

  /** `inSphere` without waiting. */
  inSphereSync(
    bodies: Body | readonly Body[],
    spheres: Float32Array | Float64Array,
    options: RegionOptions = {},
  ): RegionHits {
    return inSphereSync(this, bodies, spheres, options);
  }

  /** `closest` for triangles alone, without waiting. */
  closestSync(
    body: Body,
    points: Float32Array | Float64Array,
    options: ClosestTrianglesOptions,
  ): ClosestTriangles;
  /** `closest` without waiting. */
  closestSync(body: Body, points: Float32Array | Float64Array, options?: ClosestOptions): ClosestPoints;
  closestSync(
    body: Body,
    points: Float32Array | Float64Array,
    options: ClosestOptions | ClosestTrianglesOptions = {},
  ): ClosestPoints | ClosestTriangles {
    return closestSync(this, body, points, options as ClosestOptions);
  }

  /** `contacts` without waiting. */
  contactsSync(a: Body, b: Body, options: ContactOptions = {}): Contacts {
    return contactsSync(this, a, b, options);
  }

  /** `firstContact` without waiting. */
  firstContactSync(motion: Motion, options: FirstContactOptions = {}): MotionAnswer<FirstContact> {
    return firstContactSync(this, motion, options);
  }

  /** `overlap` without waiting. */
  overlapSync(a: Body, b: Body, limits: Limits = {}): Overlap {
    return overlapSync(this, a, b, limits);
  }

  /** `intersectionVolume` without waiting. */
  intersectionVolumeSync(bodies: Body | readonly Body[], options: VolumeOptions = {}): IntersectionVolume {
    return intersectionVolumeSync(this, bodies, options);
  }

  /** `field` without waiting. */
  fieldSync(body: Body, options: FieldOptions = {}): DistanceField {
    return fieldSync(this, body, options);
  }

  /** `penetration` without waiting. */
  penetrationSync(a: Body, b: Body, options: PenetrationOptions = {}): Penetration {
    return penetrationWithPointsSync(this, a, b, options);
  }

  /** `deeperThan` without waiting. */
  deeperThanSync(a: Body, b: Body, depth: number, options: DeeperThanOptions = {}): DeeperThan {
    return deeperThanSync(this, a, b, depth, options);
  }

  /** `depths` without waiting. */
  depthsSync(pairs: Iterable<TwoBodies>, options: DepthsOptions = {}): Depths {
    return depthsSync(this, pairs, options);
  }

  /** `distanceMap` without waiting. */
  distanceMapSync(a: Body, b: Body, options: DistanceMapOptions = {}): DistanceMap {
    return distanceMapSync(this, a, b, options);
  }
}
