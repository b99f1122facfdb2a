// Which bodies of an assembly interfere? Asks the question of `check` and of the sample per frame, and returns the
// answer as plain data for tables, JSON and report.

import {
  type Body,
  type Interferences,
  type Limits,
  type Nearfield,
  NearfieldError,
  type PairFilter,
  type Pose,
  type Proximities,
  type Scene,
} from 'nearfield';
import { isWorse } from '../report/types.ts';
import type {
  AssemblyAnswer,
  AssemblyFrame,
  AssemblyPair,
  GivenBody,
  Method,
  Motion,
  SamplingBounds,
} from './types.ts';

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
      for (const pair of fresh) {
        if (pair.relation === 'separate') continue;
        pair.point = (await scene.distance(placed[pair.a], placed[pair.b], { signal })).pointA;
      }
      pointTime += performance.now() - started;
    }
    if (question.clearance !== undefined) {
      // Distances are exact, whichever method found the pairs that meet.
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

/** One call per method: each has its own options and its own answer. */
function ask(scene: Scene, method: Method, options: Limits & PairFilter & Images): Promise<Interferences> {
  if (method === 'raycast') return scene.sampledInterferences({ ...options, method });
  if (method === 'layers') return scene.sampledInterferences({ ...options, method });
  return scene.interferences({ ...options, method });
}

interface Images {
  readonly resolution?: number | undefined;
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
