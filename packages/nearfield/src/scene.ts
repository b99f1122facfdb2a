// A scene: bodies, and the questions asked of them. Each question is a function in a folder of its own; here they are methods.

import type { Body } from './bodies/body.ts';
import type { Engine } from './bodies/engine.ts';
import { broad, type Candidates } from './candidates/candidates.ts';
import type { PairFilter } from './candidates/filter.ts';
import { type ContactOptions, type Contacts, contacts } from './contacts/contacts.ts';
import type { Limits } from './core/limits.ts';
import { type ClosestOptions, type ClosestPoints, closest } from './distance/closest-points.ts';
import {
  type Distance,
  type DistanceOptions,
  distance,
  type Proximities,
  type WithinOptions,
  within,
} from './distance/distance.ts';
import { inside } from './inside/inside.ts';
import { type Steps, type StepsOf, type StepsOptions, steps } from './inspect/steps.ts';
import type { Interferences, SelfIntersections } from './interferences/answer.ts';
import { type Curve, curves } from './interferences/curves/curves.ts';
import { type InterferenceOptions, interferences } from './interferences/interferences.ts';
import { type SelfIntersectionOptions, selfIntersections } from './interferences/self-intersections.ts';
import type { Penetration, PenetrationOptions } from './penetration/penetration.ts';
import { penetrationWithPoints } from './penetration/with-points.ts';
import { BareScene } from './questions/bare-scene.ts';
import type { DistanceField } from './sampled/field/field.ts';
import {
  type FieldOptions,
  type FieldSlabs,
  type FieldTexture,
  type FieldTextureOptions,
  field,
  fieldSlabs,
  fieldTexture,
  intersectionVolume,
  type VolumeOptions,
} from './sampled/field/questions.ts';
import type { IntersectionVolume } from './sampled/field/volume.ts';
import { sampledInterferences } from './sampled/interferences.ts';
import type { LayersInterferences } from './sampled/layers/answer.ts';
import type { LayersQuestion } from './sampled/layers/question.ts';
import { distanceMap } from './sampled/map/distance-map.ts';
import type { DistanceMap } from './sampled/map/map.ts';
import type { DistanceMapOptions } from './sampled/map/options.ts';
import type { RaycastInterferences } from './sampled/raycast/answer.ts';
import type { RaycastFound } from './sampled/raycast/options.ts';
import type { RaycastQuestion } from './sampled/raycast/question.ts';

export class Scene<B extends Engine['backend'] = Engine['backend']> extends BareScene<B> {
  /** The broad phase alone: pairs of bodies whose world boxes meet, less those a filter leaves out. In order. */
  candidates(filter: PairFilter = {}): Candidates<B> {
    return broad(this, filter);
  }

  /**
   * Every pair of bodies that share a point: surfaces that meet, or one solid within the other. Every method gives the same answer.
   * All of them make a tree of each shape the first time it is asked about, and keep it.
   */
  async interferences(options: InterferenceOptions = {}): Promise<Interferences> {
    return interferences(this, options);
  }

  /**
   * Pairs of bodies that interfere, by a method that samples lines through pixels, on a GPU: 'raycast' (Knott) or 'layers'
   * (Myszkowski et al.). The answer says how small an interference may be missed. Both are of solids: an open body in a candidate
   * pair is 'not-solid'.
   */
  sampledInterferences(
    options: RaycastQuestion & { readonly ask?: 'pairs' | 'edges' | undefined },
  ): Promise<RaycastInterferences>;
  sampledInterferences(options: RaycastQuestion): Promise<RaycastFound>;
  sampledInterferences(options: LayersQuestion): Promise<LayersInterferences>;
  async sampledInterferences(
    options: RaycastQuestion | LayersQuestion,
  ): Promise<RaycastFound | LayersInterferences> {
    return sampledInterferences(this, options);
  }

  /** Pairs of triangles of one body that share more than their common positions. */
  async selfIntersections(body: Body, options: SelfIntersectionOptions = {}): Promise<SelfIntersections> {
    return selfIntersections(this, body, options);
  }

  /** Where the surfaces of two bodies meet, as polylines. */
  async curves(a: Body, b: Body, limits: Limits = {}): Promise<Curve[]> {
    return curves(this, a, b, limits);
  }

  /**
   * For each point (x, y, z triples, world): 0 outside the body's solid, 1 inside, 2 on its surface. Points that are not finite
   * are refused ('not-finite').
   */
  async inside(body: Body, points: Float32Array | Float64Array): Promise<Uint8Array> {
    return inside(this, body, points);
  }

  /**
   * How far apart two bodies are, and where. 0 if and only if they meet: solids also where one lies within the other,
   * unless `surface` asks for the gap between surfaces.
   */
  async distance(a: Body, b: Body, options: DistanceOptions = {}): Promise<Distance> {
    return distance(this, a, b, options);
  }

  /** Every pair of bodies strictly nearer to each other than the clearance, decided exactly. */
  async within(clearance: number, options: WithinOptions = {}): Promise<Proximities> {
    return within(this, clearance, options);
  }

  /**
   * The nearest point of a body's surface to each of the points (x, y, z triples, world). Every distance has a relative error of at
   * most 2^-52, slivers included, and is 0 if and only if the point is on the surface. The lowest of the nearest triangles is
   * given, decided exactly.
   */
  async closest(
    body: Body,
    points: Float32Array | Float64Array,
    options: ClosestOptions = {},
  ): Promise<ClosestPoints> {
    return closest(this, body, points, options);
  }

  /**
   * Where and how two bodies press on one another: a patch for each connected part of what two solids have in common,
   * and for each flat piece, line or point in which surfaces touch.
   */
  async contacts(a: Body, b: Body, options: ContactOptions = {}): Promise<Contacts> {
    return contacts(this, a, b, options);
  }

  /**
   * What bodies have in common, sampled: the points that lie in at least two of them, or of one body alone those around which
   * it winds at least twice (opposite turns cancel). Exact at every sample; `tolerance` says how close samples are.
   */
  async intersectionVolume(
    bodies: Body | readonly Body[],
    options: VolumeOptions = {},
  ): Promise<IntersectionVolume> {
    return intersectionVolume(this, bodies, options);
  }

  /** The distance to a body's surface at the samples of a grid, negative inside, with the triangle each comes from. */
  async field(body: Body, options: FieldOptions = {}): Promise<DistanceField> {
    return field(this, body, options);
  }

  /** The same slab by slab, for fields larger than memory: of the body as it now stands. */
  async fieldSlabs(body: Body, options: FieldOptions = {}): Promise<FieldSlabs> {
    return fieldSlabs(this, body, options);
  }

  /** The same as two textures on the scene's device, for another program to bind. They are the caller's to destroy. */
  async fieldTexture(body: Body, options: FieldTextureOptions = {}): Promise<FieldTexture> {
    return fieldTexture(this, body, options);
  }

  /**
   * How far b must move until the two solids have no common interior: bounds of the least such translation, and one that was
   * verified. The first question about a shape takes longer; what was found of it is kept. `points` asks how deep
   * single points lie, too: vertices of each in the other, and samples of what they have in common.
   */
  async penetration(a: Body, b: Body, options: PenetrationOptions = {}): Promise<Penetration> {
    return penetrationWithPoints(this, a, b, options);
  }

  /**
   * How far apart two bodies are along the lines of a view, pixel by pixel: gaps, and minus what they have in common. On the
   * GPU where the scene has one; lines it cannot follow, or all, are cast on the CPU. Which pixels overlap, touch and are
   * shown is decided exactly, so that counts, areas and the border are the same on every backend.
   */
  async distanceMap(a: Body, b: Body, options: DistanceMapOptions = {}): Promise<DistanceMap> {
    return distanceMap(this, a, b, options);
  }

  /** How a method comes to its answer about two bodies, as data for pictures: `{ method: 'hierarchy' }`. */
  async steps<M extends Steps['method']>(
    bodies: readonly [Body, Body],
    options: StepsOptions & { readonly method: M },
  ): Promise<StepsOf<M>> {
    return steps<M>(this, bodies, options);
  }
}
