// A scene: bodies, and the questions about them as methods. Each question is a function in a folder of its own.

import type { Body } from './bodies/body.ts';
import { broad, type Candidates } from './candidates/candidates.ts';
import type { PairFilter } from './candidates/filter.ts';
import type { ContactOptions, Contacts } from './contacts/contacts.ts';
import type { Limits } from './core/limits.ts';
import type { Backend } from './core/stats.ts';
import type {
  ClosestOptions,
  ClosestPoints,
  ClosestTriangles,
  ClosestTrianglesOptions,
} from './distance/closest-points.ts';
import type { Distance, DistanceOptions } from './distance/distance.ts';
import type { Proximities } from './distance/proximities.ts';
import type { WithinOptions } from './distance/within.ts';
import type { Steps, StepsOf, StepsOptions } from './inspect/steps.ts';
import type { Interferences, SelfIntersections } from './interferences/answer/answer.ts';
import type { Curve } from './interferences/curves/curves.ts';
import type { InterferenceOptions } from './interferences/interferences.ts';
import type { SelfIntersectionOptions } from './interferences/self-intersections.ts';
import type { MotionAnswer } from './motion/answer.ts';
import type {
  FirstContact,
  FirstContactOptions,
  Motion,
  MotionOptions,
  NearestApproach,
  NearestApproachOptions,
  SweptPair,
} from './motion/types.ts';
import type { Overlap } from './overlap/overlap.ts';
import type { DeeperThan, DeeperThanOptions } from './penetration/depths/deeper-than.ts';
import type { Depths, DepthsOptions, TwoBodies } from './penetration/depths/depths.ts';
import type { Penetration, PenetrationOptions } from './penetration/penetration.ts';
import { BareScene } from './questions/bare-scene.ts';
import { onDemand } from './questions/on-demand.ts';
import type { RayHits } from './rays/hits.ts';
import type { RayOptions } from './rays/rays.ts';
import type { RegionHits } from './regions/answer.ts';
import type { RegionOptions } from './regions/regions.ts';
import type { DistanceField } from './sampled/field/field.ts';
import type {
  FieldOptions,
  FieldSlabs,
  FieldTexture,
  FieldTextureOptions,
  VolumeOptions,
} from './sampled/field/questions.ts';
import type { IntersectionVolume } from './sampled/field/volume.ts';
import type { LayersInterferences } from './sampled/layers/answer.ts';
import type { LayersQuestion } from './sampled/layers/question.ts';
import type { DistanceMap } from './sampled/map/map.ts';
import type { DistanceMapOptions } from './sampled/map/options.ts';
import type { RaycastInterferences } from './sampled/raycast/answer.ts';
import type { RaycastFound } from './sampled/raycast/options.ts';
import type { RaycastQuestion } from './sampled/raycast/question.ts';

// The code of a question is loaded when it is first asked, with that of its relatives.
const loadInterferences = () => import('./entries/interferences.ts');
const interferences = onDemand(loadInterferences, 'interferences');
const selfIntersections = onDemand(loadInterferences, 'selfIntersections');
const curves = onDemand(loadInterferences, 'curves');
const inside = onDemand(loadInterferences, 'inside');
const loadNearness = () => import('./nearness.ts');
const distance = onDemand(loadNearness, 'distance');
const within = onDemand(loadNearness, 'within');
const closest = onDemand(loadNearness, 'closest');
const castRays = onDemand(loadNearness, 'rays');
const inBox = onDemand(loadNearness, 'inBox');
const inSphere = onDemand(loadNearness, 'inSphere');
const firstContact = onDemand(loadNearness, 'firstContact');
const sweep = onDemand(loadNearness, 'sweep');
const nearestApproach = onDemand(loadNearness, 'nearestApproach');
const loadCommonParts = () => import('./common-parts.ts');
const contacts = onDemand(loadCommonParts, 'contacts');
const overlap = onDemand(loadCommonParts, 'overlap');
const loadPenetration = () => import('./entries/penetration.ts');
const penetrationWithPoints = onDemand(loadPenetration, 'penetrationWithPoints');
const deeperThan = onDemand(loadPenetration, 'deeperThan');
const depths = onDemand(loadPenetration, 'depths');
const loadSampled = () => import('./samples-and-steps.ts');
const sampledInterferences = onDemand(loadSampled, 'sampledInterferences');
const intersectionVolume = onDemand(loadSampled, 'intersectionVolume');
const field = onDemand(loadSampled, 'field');
const fieldSlabs = onDemand(loadSampled, 'fieldSlabs');
const fieldTexture = onDemand(loadSampled, 'fieldTexture');
const distanceMap = onDemand(loadSampled, 'distanceMap');
const steps = onDemand(loadSampled, 'steps');

/**
 * Bodies, and every question about them as a method.
 *
 * Conventions for all questions. Coordinates and lengths are world units, the caller's own. Pairs have
 * a.index < b.index and are sorted. Normals point from a to b. An answer is about the bodies as they were when the
 * question was asked.
 *
 * Errors of all questions: 'bad-option' or 'bad-array' for a wrong argument, 'closed' if a body or the scene is gone,
 * 'not-finite' if a world position overflows, 'out-of-memory', and on the GPU 'gpu-lost'. An aborted question rejects
 * with `signal.reason`.
 */
export class Scene<B extends Backend = Backend> extends BareScene<B> {
  /** The broad phase alone: pairs of bodies whose world boxes meet and that the filter keeps, sorted by a.index, then b.index. */
  candidates(filter: PairFilter = {}): Candidates<B> {
    return broad(this, filter);
  }

  /**
   * Every pair of bodies that share a point: their surfaces meet, or one solid lies within the other. Touching counts.
   * All methods give the same, exact answer. The first question about a shape builds a tree for it, which is kept.
   * Throws 'unsupported' for a method that samples, 'no-gpu' for 'visibility' without a GPU.
   */
  async interferences(options: InterferenceOptions = {}): Promise<Interferences> {
    return interferences(this, options);
  }

  /**
   * Pairs of solids that interfere, found by sampling lines through pixels on a GPU: method 'raycast' (Knott) or
   * 'layers' (Myszkowski et al.). The answer says how small an interference it may miss (`mayMissBelow`, world units).
   * Throws 'not-solid' if a candidate pair has an open body, 'no-gpu' without a GPU, 'unsupported' for an exact method.
   */
  sampledInterferences(
    options: RaycastQuestion & { readonly ask?: 'pairs' | 'edges' | undefined },
  ): Promise<RaycastInterferences>;
  /**
   * As above, without pairs: whether there is an interference, and which bodies take part ('any', 'penetrating',
   * 'both').
   */
  sampledInterferences(options: RaycastQuestion): Promise<RaycastFound>;
  /** As above, by layers: pairs, and maps of what every line says. */
  sampledInterferences(options: LayersQuestion): Promise<LayersInterferences>;
  async sampledInterferences(
    options: RaycastQuestion | LayersQuestion,
  ): Promise<RaycastFound | LayersInterferences> {
    return sampledInterferences(this, options);
  }

  /**
   * Pairs of triangles (i, j), i < j, of one body that share more than their common positions. Exact. Rejects with
   * 'unsupported' for a method that samples, 'no-gpu' for 'visibility' without a GPU.
   */
  async selfIntersections(body: Body, options: SelfIntersectionOptions = {}): Promise<SelfIntersections> {
    return selfIntersections(this, body, options);
  }

  /** The curves in which the surfaces of two bodies meet, as polylines in world coordinates. */
  async curves(a: Body, b: Body, limits: Limits = {}): Promise<Curve[]> {
    return curves(this, a, b, limits);
  }

  /**
   * Classifies points (x, y, z per point, world coordinates), one number per point: 0 outside the body's solid, 1
   * inside, 2 on its surface. Exact. Rejects with 'not-solid' if the body bounds no solid, with 'not-finite' if a
   * coordinate is not finite.
   */
  async inside(body: Body, points: Float32Array | Float64Array): Promise<Uint8Array> {
    return inside(this, body, points);
  }

  /**
   * How far apart two bodies are, in world units, and the nearest points. 0 if and only if they meet. Solids also meet
   * when one lies within the other, unless `surface: true` asks for the gap between the surfaces. Rejects with 'bad-option'
   * if a and b are the same body.
   */
  async distance(a: Body, b: Body, options: DistanceOptions = {}): Promise<Distance> {
    return distance(this, a, b, options);
  }

  /**
   * Every pair of bodies that are strictly nearer to each other than the clearance (world units, at least 0). Decided
   * exactly. Rejects with 'unsupported' for a method that samples, 'no-gpu' for 'visibility' without a GPU.
   */
  async within(clearance: number, options: WithinOptions = {}): Promise<Proximities> {
    return within(this, clearance, options);
  }

  /**
   * With `detail: 'triangles'`: which triangle of the body's surface is nearest to each of the points, without the nearest
   * point or its distance. It is decided exactly too, and a GPU answers it faster.
   */
  async closest(
    body: Body,
    points: Float32Array | Float64Array,
    options: ClosestTrianglesOptions,
  ): Promise<ClosestTriangles>;
  /**
   * The nearest point of a body's surface to each of the points (x, y, z per point, world coordinates). Every distance
   * has a relative error of at most 2^-52, slivers included, and is 0 if and only if the point is on the surface. If
   * several triangles are nearest, the answer names the one with the lowest index, decided exactly. Rejects with
   * 'not-finite' for a point that is not finite.
   */
  async closest(
    body: Body,
    points: Float32Array | Float64Array,
    options?: ClosestOptions,
  ): Promise<ClosestPoints>;
  async closest(
    body: Body,
    points: Float32Array | Float64Array,
    options: ClosestOptions | ClosestTrianglesOptions = {},
  ): Promise<ClosestPoints | ClosestTriangles> {
    return closest(this, body, points, options as ClosestOptions);
  }

  /**
   * What rays hit (six numbers per ray: origin and direction, in world coordinates): the first triangle on each ray, or with
   * `hits: 'all'` every triangle that it meets. Decided exactly: edges and corners belong to their triangles, so nothing slips through a closed
   * mesh, and of hits at the same time the one with the lower body and triangle comes first. Rejects with 'bad-option' for
   * a direction of 0, 'not-finite' for a number that is not finite.
   */
  async rays(
    bodies: Body | readonly Body[],
    rays: Float32Array | Float64Array,
    options: RayOptions = {},
  ): Promise<RayHits> {
    return castRays(this, bodies, rays, options);
  }

  /**
   * What each of many boxes along the axes meets (six numbers per box, in world coordinates: the lowest x, y, z, then the
   * highest): which bodies, and which of their triangles. Decided exactly, on the numbers as given. Boxes and triangles are closed sets, so
   * touching counts, and a box may be flat or a point. It is about surfaces: a box within a solid meets none of its triangles.
   * Rejects with 'bad-option' for a box with a low end above the high one, 'not-finite' for a number that is not finite.
   */
  async inBox(
    bodies: Body | readonly Body[],
    boxes: Float32Array | Float64Array,
    options: RegionOptions = {},
  ): Promise<RegionHits> {
    return inBox(this, bodies, boxes, options);
  }

  /**
   * What each of many spheres meets (four numbers per sphere, in world coordinates: centre and radius): as `inBox`.
   * Spheres are filled; a radius of 0 makes a point. Rejects with 'bad-option' for a radius below 0, 'not-finite' for
   * a number that is not finite.
   */
  async inSphere(
    bodies: Body | readonly Body[],
    spheres: Float32Array | Float64Array,
    options: RegionOptions = {},
  ): Promise<RegionHits> {
    return inSphere(this, bodies, spheres, options);
  }

  /**
   * Where and how two bodies press on each other: one patch per connected part of the solids' intersection, and one per
   * flat piece, line or point in which the surfaces touch. Normals point from a to b; depths are in world units.
   */
  async contacts(a: Body, b: Body, options: ContactOptions = {}): Promise<Contacts> {
    return contacts(this, a, b, options);
  }

  /**
   * What two solids have in common: volume, surface area, and a point in the middle, each with a bound of its error. The surface
   * of the common part is decided exactly, never sampled; a solid that overlaps itself counts once. Rejects with 'not-solid' if
   * a body bounds no solid, 'bad-option' if a and b are the same body.
   */
  async overlap(a: Body, b: Body, limits: Limits = {}): Promise<Overlap> {
    return overlap(this, a, b, limits);
  }

  /**
   * When bodies first share a point while they move from time 0, where they are, to time 1: one contact per pair of bodies of
   * which at least one moves, in order of time. Proven: no contact exists before the interval of time given, and one exists
   * within it. Pairs that share a point at time 0 come first, as 'initial', with their relation. If a body turns, what touches
   * without crossing, as far as doubles can tell, is 'undecided', with a bound of the gap. Rejects with 'bad-pose', 'bad-array' or
   * 'not-finite' for a wrong end of a motion, 'unsupported' for pairs of triangles if a body turns.
   */
  async firstContact(motion: Motion, options: FirstContactOptions = {}): Promise<MotionAnswer<FirstContact>> {
    return firstContact(this, motion, options);
  }

  /**
   * Which pairs of bodies meet during a motion, and when: all intervals of contact, with bounds of when each begins and ends.
   * Errors as `firstContact`.
   */
  async sweep(motion: Motion, options: MotionOptions = {}): Promise<MotionAnswer<SweptPair>> {
    return sweep(this, motion, options);
  }

  /**
   * How near bodies come during a motion, when and where: proven bounds of the least distance of each pair, nearest pair
   * first, in world units. Errors as `firstContact`.
   */
  async nearestApproach(motion: Motion, options: NearestApproachOptions = {}): Promise<NearestApproach[]> {
    return nearestApproach(this, motion, options);
  }

  /**
   * The intersection of bodies, sampled on a grid: the points that lie in at least two of them. For a single body, the
   * points around which its surface winds at least twice (opposite turns cancel). Exact at every sample; `tolerance`
   * sets their spacing. Rejects with 'not-solid' if a body bounds no solid.
   */
  async intersectionVolume(
    bodies: Body | readonly Body[],
    options: VolumeOptions = {},
  ): Promise<IntersectionVolume> {
    return intersectionVolume(this, bodies, options);
  }

  /**
   * The distance to a body's surface at the samples of a grid, negative inside a solid, and the nearest triangle per
   * sample. Rejects with 'bad-option' for a body without triangles, unless a box is given; with 'unsupported' if distances
   * are too large or cells too small for single precision.
   */
  async field(body: Body, options: FieldOptions = {}): Promise<DistanceField> {
    return field(this, body, options);
  }

  /** As `field`, slab by slab, for fields larger than memory. All slabs are about the body as it is now. */
  async fieldSlabs(body: Body, options: FieldOptions = {}): Promise<FieldSlabs> {
    return fieldSlabs(this, body, options);
  }

  /**
   * As `field`, as two textures on the scene's device for the caller's shaders. The caller destroys them. 'no-gpu'
   * without one.
   */
  async fieldTexture(body: Body, options: FieldTextureOptions = {}): Promise<FieldTexture> {
    return fieldTexture(this, body, options);
  }

  /**
   * How far b must move until the solids share no interior point: a lower and an upper bound on the shortest such
   * translation, and a translation of b that was verified, all in world units. The first question about a shape takes
   * longer; its results are kept. `points` also asks how deep single points lie: vertices of each body in the other,
   * and samples of the intersection. Rejects with 'not-solid' if a body bounds no solid, 'bad-option' if a and b are the
   * same body.
   */
  async penetration(a: Body, b: Body, options: PenetrationOptions = {}): Promise<Penetration> {
    return penetrationWithPoints(this, a, b, options);
  }

  /**
   * Whether the depth of two bodies is greater than `depth` (world units, 0 or more). 'not-deeper' only if a translation
   * of b of at most that length is verified to separate the two, 'deeper' only if none does, else 'undecided'. Cheaper
   * than a bracket. Open bodies have a depth too: that of `depths`. Rejects with 'bad-option' if a and b are the same body.
   */
  async deeperThan(a: Body, b: Body, depth: number, options: DeeperThanOptions = {}): Promise<DeeperThan> {
    return deeperThan(this, a, b, depth, options);
  }

  /**
   * The depths of many pairs, open bodies included: a cheap proven bracket for each, refined until the order of the
   * `first` deepest is certain and their brackets are narrow (`stopAtRatio`). `pairs` may be an answer of `interferences`.
   * Rejects with 'bad-option' if a pair is one body twice.
   */
  async depths(pairs: Iterable<TwoBodies>, options: DepthsOptions = {}): Promise<Depths> {
    return depths(this, pairs, options);
  }

  /**
   * The distance between two bodies along the parallel lines of a view, pixel by pixel: positive gaps, negative
   * overlaps. A scene with a GPU uses it; the CPU casts the lines that the GPU cannot follow, or all of them. Which
   * pixels overlap, touch and are shown is decided exactly, so counts, areas and the border are the same on every
   * backend. Rejects with 'not-solid' if `surfaces: 'solids'` is asked of a body that bounds none, 'bad-array' for labels
   * that do not fit.
   */
  async distanceMap(a: Body, b: Body, options: DistanceMapOptions = {}): Promise<DistanceMap> {
    return distanceMap(this, a, b, options);
  }

  /**
   * How a method finds its answer about two bodies, step by step, as data for pictures: `{ method: 'hierarchy' }`. Rejects
   * with 'unsupported' for a method without steps, 'no-gpu' for one that needs a GPU, 'not-solid' for one that needs solids.
   */
  async steps<M extends Steps['method']>(
    bodies: readonly [Body, Body],
    options: StepsOptions & { readonly method: M },
  ): Promise<StepsOf<M>> {
    return steps<M>(this, bodies, options);
  }
}
