// Which bodies of an assembly interfere? Asks the question of `check` and of the sample per frame, and returns the
// answer as plain data for tables, JSON and report.

import {
  type Body,
  type Interferences,
  type Limits,
  type Mesh,
  type Nearfield,
  NearfieldError,
  type PairFilter,
  type Pose,
  type Proximities,
  type Relation,
  type Scene,
} from 'nearfield';
import { isWorse } from '../report/types.ts';

/** A body to ask about. */
export interface GivenBody {
  readonly name: string;
  /** The file it came from, if any. */
  readonly file?: string | undefined;
  readonly mesh: Mesh;
  readonly pose?: Pose | undefined;
}

/** The poses of bodies per frame. */
export interface Motion {
  /** Whether it is a motion or a single frame. */
  readonly isMotion: boolean;
  /** Per frame, the poses of the bodies it names, by index. The other bodies keep their own. */
  readonly frames: readonly ReadonlyMap<number, Pose>[];
}

export type Method = 'auto' | 'hierarchy' | 'visibility' | 'raycast' | 'layers';

export interface AssemblyBody {
  readonly index: number;
  readonly name: string;
  readonly file?: string | undefined;
  readonly vertices: number;
  readonly triangles: number;
  readonly closed: boolean;
  /** Closed and consistently oriented: it has an inside. */
  readonly solid: boolean;
}

export interface AssemblyPair {
  readonly a: number;
  readonly b: number;
  /** As seen from a. */
  readonly relation: Relation;
  /** 0 if a method that samples did not ask for triangles. */
  readonly triangleCount: number;
  /** For bodies that are separate but closer to each other than the clearance. */
  readonly distance?: number | undefined;
  /** World points of a and of b at that distance. */
  readonly pointA?: Float64Array | undefined;
  readonly pointB?: Float64Array | undefined;
  /** A common world point; left out unless requested. */
  readonly point?: Float64Array | undefined;
  /** (in a, in b), sorted; left out unless requested. */
  readonly triangles?: Uint32Array | undefined;
}

export interface AssemblyFrame {
  readonly frame: number;
  readonly pairs: readonly AssemblyPair[];
  /** Only for methods that sample. */
  readonly bounds?: SamplingBounds | undefined;
}

/** The error bounds of a method that samples, in units of the files. */
export interface SamplingBounds {
  /** An interference may be missed if no ball of this diameter fits into it. */
  readonly mayMissBelow: number;
  /** Bodies up to this far apart may be reported. */
  readonly mayReportWithin: number;
  /** False if something could not be examined at all. */
  readonly complete: boolean;
}

export interface AssemblyAnswer {
  readonly version: string;
  readonly backend: { readonly kind: 'cpu' | 'gpu'; readonly name: string };
  readonly method: string;
  readonly bodies: readonly AssemblyBody[];
  /** Whether the frames are a motion. Otherwise there is exactly one frame. */
  readonly isMotion: boolean;
  readonly frames: readonly AssemblyFrame[];
  /** Milliseconds. `build` covers opening the backend and adding the bodies; trees are built by the first query. */
  readonly timing: { readonly read: number; readonly build: number; readonly query: number };
}

export interface AssemblyQuestion {
  readonly bodies: readonly GivenBody[];
  readonly motion?: Motion | undefined;
  readonly method: Method;
  /** Whether that method may miss small interferences and finds pairs of bodies only. */
  readonly samples: boolean;
  /** The size of the images in pixels, for methods that render images. */
  readonly resolution?: number | undefined;
  /** Separate bodies closer than this are reported too. */
  readonly clearance?: number | undefined;
  /** For which pairs of bodies to keep the triangle pairs; 'worst' keeps them for the worst frame of each pair. */
  readonly keepTriangles: 'all' | 'worst' | 'none';
  /** Whether to find a common point per pair. */
  readonly points?: boolean | undefined;
  /** How long reading the bodies and opening the library took, for the timing of the answer. */
  readonly readTime: number;
  readonly openTime: number;
  /** The version of the caller, for the answer. */
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** The share of the search for pairs that is done, 0 to 1. */
  readonly progress: (done: number) => void;
}

export async function askAssembly(nf: Nearfield, question: AssemblyQuestion): Promise<AssemblyAnswer> {
  const { motion, signal, progress, method, samples, resolution } = question;
  const buildStart = performance.now();
  const scene = nf.scene();
  const placed = question.bodies.map(({ name, mesh, pose, file }) =>
    naming(file, () => scene.add(mesh, pose ? { name, pose } : { name })),
  );
  const own = placed.map(body => body.pose);
  const frames = motion?.frames ?? [new Map()];
  const place = (frame: (typeof frames)[number]) =>
    placed.forEach((body, index) => {
      body.pose = frame.get(index) ?? own[index];
    });
  // Check all poses first, so that a bad pose in the last frame is found before the work.
  frames.forEach((frame, index) => {
    naming(motion?.isMotion ? `frame ${index}` : undefined, () => place(frame));
  });
  const bodies = question.bodies.map(({ name, file, mesh }, index) => {
    const { vertexCount: vertices, triangleCount: triangles, closed, solid } = mesh;
    return { index, name, file, vertices, triangles, closed, solid };
  });
  const queryStart = performance.now();
  progress(0);
  const results: (AssemblyFrame & { readonly pairs: readonly KeptPair[] })[] = [];
  const worst = new Map<number, KeptPair>();
  let used: string = method;
  // This time is not part of the query, which stays comparable with the other ways to ask.
  let pointTime = 0;
  for (let frame = 0; frame < frames.length; frame++) {
    signal?.throwIfAborted();
    const before = placed.map(body => body.pose);
    place(frames[frame]);
    // If both bodies of a pair have not moved, the previous frame has the answer.
    const moved = placed.map((body, i) => frame === 0 || !isEqual(body.pose, before[i]));
    const keep = moved.every(Boolean) ? undefined : (a: Body, b: Body) => moved[a.index] || moved[b.index];
    // Half of a frame's progress is for the triangle pairs, half for the relations.
    const share = (part: number) => (done: number) => progress((frame + (part + done) / 2) / frames.length);
    const answer = await ask(scene, method, { resolution, signal, progress: share(0), keep });
    const relations = await answer.relations({ signal, progress: share(1) });
    used = answer.method;
    const fresh = answer.pairs.map((pair, i): KeptPair => {
      const triangles = question.keepTriangles === 'none' ? undefined : pair.triangles;
      const triangleCount = pair.triangleCount ?? (triangles?.length ?? 0) / 2;
      const [a, b] = [pair.a.index, pair.b.index];
      return { a, b, relation: relations[i], triangleCount, triangles };
    });
    if (question.points) {
      const started = performance.now();
      const points = await answer.points({ signal });
      fresh.forEach((pair, i) => {
        if (pair.relation !== 'separate') pair.point = points.subarray(3 * i, 3 * i + 3);
      });
      pointTime += performance.now() - started;
    }
    if (question.clearance !== undefined) {
      // Distances are exact, whichever method found the pairs that meet.
      const way = method === 'visibility' ? { method, resolution } : {};
      // Pairs that are known to meet need no distance.
      const open = excluding(fresh, placed.length, keep);
      const near = await scene.within(question.clearance, { ...way, signal, keep: open });
      await addNear(fresh, near, scene, question.points ?? false, signal);
    }
    const still = (results.at(-1)?.pairs ?? []).filter(({ a, b }) => !moved[a] && !moved[b]);
    const pairs = [...still.map(pair => ({ ...pair })), ...fresh]
      .filter(({ relation, distance }) => samples || relation !== 'separate' || distance !== undefined)
      .sort((p, q) => p.a - q.a || p.b - q.b);
    const bounds = samples ? boundsOf(answer, keep && results.at(-1)?.bounds) : undefined;
    results.push({ frame, pairs, bounds });
    if (question.keepTriangles === 'worst') keepWorst(worst, pairs, bodies.length);
  }
  const queryTime = performance.now() - queryStart - pointTime;
  return {
    version: question.version,
    backend: { kind: nf.backend, name: nf.name },
    method: used === 'auto' ? 'hierarchy' : used,
    bodies,
    isMotion: motion?.isMotion ?? false,
    frames: results,
    timing: { read: question.readTime, build: question.openTime + queryStart - buildStart, query: queryTime },
  };
}

/** One call per method: each has its own options and its own answer. */
function ask(scene: Scene, method: Method, options: Limits & PairFilter & Images): Promise<Interferences> {
  if (method === 'raycast') return scene.sampledInterferences({ ...options, method });
  if (method === 'layers') return scene.sampledInterferences({ ...options, method });
  return scene.interferences({ ...options, method });
}

interface Images {
  readonly resolution?: number | undefined;
}

/** Narrows a filter to the pairs that are not known to meet. */
function excluding(
  found: readonly KeptPair[],
  bodyCount: number,
  keep: PairFilter['keep'],
): (a: Body, b: Body) => boolean {
  const meeting = new Set<number>();
  for (const { a, b, relation } of found) if (relation !== 'separate') meeting.add(a * bodyCount + b);
  return (a, b) => !meeting.has(a.index * bodyCount + b.index) && (keep?.(a, b) ?? true);
}

/**
 * Adds pairs that are closer than the clearance to those that a method found. Pairs that meet but that a sampling
 * method missed are closer too; their relation is computed exactly.
 */
async function addNear(
  found: KeptPair[],
  near: Proximities,
  scene: Scene,
  points: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const bodyCount = scene.bodies.length;
  const keyOf = (a: number, b: number) => a * bodyCount + b;
  const known = new Map(found.map(pair => [keyOf(pair.a, pair.b), pair]));
  const missed = new Set<number>();
  for (const { a, b, distance, pointA, pointB } of near) {
    const key = keyOf(a.index, b.index);
    const own = known.get(key);
    if (distance > 0 && own !== undefined) Object.assign(own, { distance, pointA, pointB });
    else if (distance > 0) {
      const pair = { a: a.index, b: b.index, relation: 'separate', triangleCount: 0 } as const;
      found.push({ ...pair, distance, pointA, pointB });
    } else if (own === undefined) missed.add(key);
  }
  if (missed.size === 0) return;
  const keep = (a: Body, b: Body) => missed.has(keyOf(a.index, b.index));
  const answer = await scene.interferences({ signal, keep });
  const relations = await answer.relations({ signal });
  answer.pairs.forEach((own, i) => {
    const pair = { a: own.a.index, b: own.b.index, relation: relations[i], triangleCount: 0 };
    found.push(points ? { ...pair, point: own.point } : pair);
  });
}

/** Pairs that did not move keep the answer of the previous frame, and so its bounds. */
function boundsOf(
  { mayMissBelow, mayReportWithin, complete }: SamplingBounds,
  before: SamplingBounds | undefined,
): SamplingBounds {
  if (before === undefined) return { mayMissBelow, mayReportWithin, complete };
  return {
    mayMissBelow: Math.max(mayMissBelow, before.mayMissBelow),
    mayReportWithin: Math.max(mayReportWithin, before.mayReportWithin),
    complete: complete && before.complete,
  };
}

type KeptPair = { -readonly [K in keyof AssemblyPair]: AssemblyPair[K] };

const isEqual = (p: Pose, q: Pose): boolean => p.every((value, i) => value === q[i]);

/** Keeps, per pair of bodies, the triangles of its worst frame so far, and drops the others. */
function keepWorst(worst: Map<number, KeptPair>, found: readonly KeptPair[], bodyCount: number): void {
  for (const pair of found) {
    const key = pair.a * bodyCount + pair.b;
    const known = worst.get(key);
    if (known && !isWorse(pair, known)) pair.triangles = undefined;
    else {
      if (known) known.triangles = undefined;
      // A copy, because the list is a view of one array with the triangles of all pairs of the frame.
      pair.triangles = pair.triangles?.slice();
      worst.set(key, pair);
    }
  }
}

/** Prefixes error messages from inside with the place. */
export function naming<T>(place: string | undefined, action: () => T): T {
  try {
    return action();
  } catch (error) {
    if (place !== undefined && error instanceof NearfieldError) {
      throw new NearfieldError(error.code, `${place}: ${error.message}`, { cause: error });
    }
    throw error;
  }
}
