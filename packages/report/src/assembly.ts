// Which bodies of an assembly interfere? The question of `check` and of the sample, asked of the library frame by
// frame, and its answer as plain data for tables, the JSON and the report.

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
import { isWorse } from './types.ts';

/** A body to ask about. */
export interface PlacedBody {
  readonly name: string;
  /** Where it came from, if from a file. */
  readonly file?: string | undefined;
  readonly mesh: Mesh;
  readonly pose?: Pose | undefined;
}

/** Where bodies are, frame by frame. */
export interface Motion {
  /** Whether it is one, or just a frame. */
  readonly isMotion: boolean;
  /** For each frame the poses of the bodies it names, by index; the others keep their own. */
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
  /** From a's side. */
  readonly relation: Relation;
  /** 0 where a method that samples was not asked for triangles. */
  readonly triangleCount: number;
  /** Of bodies that are separate, but nearer to each other than the clearance. */
  readonly distance?: number | undefined;
  /** World points of a and of b at that distance. */
  readonly pointA?: Float64Array | undefined;
  readonly pointB?: Float64Array | undefined;
  /** A world point that the two share; left out unless asked for. */
  readonly point?: Float64Array | undefined;
  /** (in a, in b), sorted; left out unless asked for. */
  readonly triangles?: Uint32Array | undefined;
}

export interface AssemblyFrame {
  readonly frame: number;
  readonly pairs: readonly AssemblyPair[];
  /** Of methods that sample. */
  readonly bounds?: SamplingBounds | undefined;
}

/** What a method that samples may get wrong, in units of the files. */
export interface SamplingBounds {
  /** Interference may be missed where no ball of this diameter fits into it. */
  readonly mayMissBelow: number;
  /** Bodies that are apart by up to this may be reported. */
  readonly mayReportWithin: number;
  /** False where something could not be examined at all. */
  readonly complete: boolean;
}

export interface AssemblyAnswer {
  readonly version: string;
  readonly backend: { readonly kind: 'cpu' | 'gpu'; readonly name: string };
  readonly method: string;
  readonly bodies: readonly AssemblyBody[];
  /** Whether the frames are a motion; otherwise there is exactly one. */
  readonly isMotion: boolean;
  readonly frames: readonly AssemblyFrame[];
  /** Milliseconds. */
  readonly timing: { readonly read: number; readonly build: number; readonly query: number };
}

export interface AssemblyQuestion {
  readonly bodies: readonly PlacedBody[];
  readonly motion?: Motion | undefined;
  readonly method: Method;
  /** Whether that method may miss what is small, and finds bodies, not triangles. */
  readonly samples: boolean;
  /** Of the images of methods that make any, in pixels. */
  readonly resolution?: number | undefined;
  /** Separate bodies nearer than this are reported too. */
  readonly clearance?: number | undefined;
  /** Of which pairs of bodies to keep the triangle pairs; 'worst': of each pair in its worst frame alone. */
  readonly keepTriangles: 'all' | 'worst' | 'none';
  /** Whether to find a point that each pair shares. */
  readonly points?: boolean | undefined;
  /** How long reading the bodies took, and opening the library, for the answer's timing. */
  readonly readTime: number;
  readonly openTime: number;
  /** Of who asks, for the answer. */
  readonly version: string;
  readonly signal?: AbortSignal | undefined;
  /** The share done of looking for pairs, 0 to 1. */
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
  // A bad pose in the last frame should not cost the time of all the others first.
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
  // Not the question, whose time stays comparable with that of the other ways to ask it.
  let pointTime = 0;
  for (let frame = 0; frame < frames.length; frame++) {
    signal?.throwIfAborted();
    const before = placed.map(body => body.pose);
    place(frames[frame]);
    // Of two bodies that stay where they were, the frame before has the answer.
    const moved = placed.map((body, i) => frame === 0 || !isEqual(body.pose, before[i]));
    const keep = moved.every(Boolean) ? undefined : (a: Body, b: Body) => moved[a.index] || moved[b.index];
    // Half of a frame's share is for finding the triangle pairs, half for the relations.
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
      for (const pair of fresh) {
        if (pair.relation === 'separate') continue;
        pair.point = (await scene.distance(placed[pair.a], placed[pair.b], { signal })).pointA;
      }
      pointTime += performance.now() - started;
    }
    if (question.clearance !== undefined) {
      // Distances are exact, whatever found the pairs that meet.
      const way = method === 'visibility' ? { method, resolution } : {};
      const near = await scene.within(question.clearance, { ...way, signal, keep });
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

/** One call a method: each has options, and an answer, of its own. */
function ask(scene: Scene, method: Method, options: Limits & PairFilter & Images): Promise<Interferences> {
  if (method === 'raycast') return scene.sampledInterferences({ ...options, method });
  if (method === 'layers') return scene.sampledInterferences({ ...options, method });
  return scene.interferences({ ...options, method });
}

interface Images {
  readonly resolution?: number | undefined;
}

/**
 * Adds pairs that are nearer than the clearance to those that a method found. Pairs that meet and that a method which samples
 * missed are nearer, too: their relation is found exactly.
 */
async function addNear(
  found: KeptPair[],
  near: Proximities,
  scene: Scene,
  points: boolean,
  signal: AbortSignal | undefined,
): Promise<void> {
  const keyOf = (a: number, b: number) => `${Math.min(a, b)} ${Math.max(a, b)}`;
  const known = new Map(found.map(pair => [keyOf(pair.a, pair.b), pair]));
  const missed = new Map<string, Float64Array>();
  for (const { a, b, distance, pointA, pointB } of near) {
    const key = keyOf(a.index, b.index);
    const own = known.get(key);
    if (distance > 0 && own !== undefined) Object.assign(own, { distance, pointA, pointB });
    else if (distance > 0) {
      const pair = { a: a.index, b: b.index, relation: 'separate', triangleCount: 0 } as const;
      found.push({ ...pair, distance, pointA, pointB });
    } else if (own === undefined) missed.set(key, pointA);
  }
  if (missed.size === 0) return;
  const keep = (a: Body, b: Body) => missed.has(keyOf(a.index, b.index));
  const answer = await scene.interferences({ signal, keep });
  const relations = await answer.relations({ signal });
  answer.pairs.forEach(({ a, b }, i) => {
    const pair = { a: a.index, b: b.index, relation: relations[i], triangleCount: 0 };
    found.push(points ? { ...pair, point: missed.get(keyOf(a.index, b.index)) } : pair);
  });
}

/** Pairs that stay where they were keep the answer of the frame before, and so its bounds. */
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

/** Of each pair of bodies, holds on to the triangles of its worst frame so far and lets go of the others. */
function keepWorst(worst: Map<number, KeptPair>, found: readonly KeptPair[], bodyCount: number): void {
  for (const pair of found) {
    const key = pair.a * bodyCount + pair.b;
    const known = worst.get(key);
    if (known && !isWorse(pair, known)) pair.triangles = undefined;
    else {
      if (known) known.triangles = undefined;
      // A copy: the list is a part of one that holds the triangles of all pairs of the frame.
      pair.triangles = pair.triangles?.slice();
      worst.set(key, pair);
    }
  }
}

/** Puts the place before the message of what goes wrong inside. */
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
