// How far apart are two bodies? The engine finds the triangles that may be the nearest; the exact stage decides.
//
// The contract: a distance is 0 if and only if the bodies meet, as `interferences` defines it. Closed bodies are
// solids, so they also meet if one lies inside the other, unless `surface` asks for the gap between surfaces. The order
// in which two bodies are named changes nothing.

import type { Body } from '../bodies/body.ts';
import { atSnapshot, type SnapshotBody } from '../bodies/snapshot/snapshot-body.ts';
import { aFlag, bad, checkOptions, distanceAbove0, limitRules, type Rules } from '../core/arguments.ts';
import type { Limits } from '../core/limits.ts';
import type { Answer } from '../interferences/answer/answer.ts';
import { type BareScene, coreOf } from '../questions/bare-scene.ts';
import { checkTwo } from '../questions/checks.ts';
import type { SceneCore } from '../questions/scene-core.ts';
import { askNearest, type FoundNearest } from './ask-nearest.ts';
import { cpuDistances } from './cpu/driver.ts';
import { candidateOf, type Separation, separationOf } from './separation.ts';

/** Between what the distance of two bodies is measured, and how far to search. */
export interface DistanceOptions extends Limits {
  /** Asks for the gap between surfaces: a solid inside another one is then as far from it as their surfaces are. */
  readonly surface?: boolean | undefined;
  /** The farthest distance to search; default Infinity. Bodies that are not strictly nearer have distance Infinity. */
  readonly upTo?: number | undefined;
}

/** The distance of two bodies in world units, and how it was found. */
export interface Distance extends Separation, Answer {}

const distanceRules: Rules<DistanceOptions> = { ...limitRules, surface: aFlag, upTo: distanceAbove0 };

const theTwo = new Uint32Array([0, 1]);

/** `scene.distance` describes the answer. */
export async function distance(
  scene: BareScene,
  a: Body,
  b: Body,
  options: DistanceOptions = {},
): Promise<Distance> {
  checkTwo('distance', a, b);
  const core = coreOf(scene);
  const { question, request, answer } = distanceQuestion('distance', core, a, b, options);
  return core.withPositions(question, options, async () =>
    answer(await askNearest(core, question, request, 'distance')),
  );
}

/** `scene.distanceSync` describes the answer. */
export function distanceSync(
  scene: BareScene<'cpu'>,
  a: Body,
  b: Body,
  options: DistanceOptions = {},
): Distance {
  checkTwo('distanceSync', a, b);
  const core = coreOf(scene);
  core.checkSync('distanceSync');
  const { question, request, answer } = distanceQuestion('distanceSync', core, a, b, options);
  const raw = cpuDistances(core.cpu).nearestSync(question.seenBy(core.cpu), request);
  return answer({ raw, backend: 'cpu' });
}

function distanceQuestion(name: string, core: SceneCore, a: Body, b: Body, options: DistanceOptions) {
  checkOptions(options, distanceRules, name);
  const { surface = false, upTo = Infinity, signal, progress } = options;
  // The body with the lower index comes first, in whichever order they were given.
  const turned = a.index > b.index;
  const question = turned ? core.questionAbout(b, a) : core.questionAbout(a, b);
  if (a === b) throw bad(`${a.name} cannot be compared with itself: ${name} needs two different bodies`);
  const answer = ({ raw, backend }: FoundNearest): Distance => {
    const ask = (first: SnapshotBody, second: SnapshotBody) =>
      separationOf(core.cpu, first, second, candidateOf(raw, 0), upTo, surface);
    const found = atSnapshot(core.cpu, question.readableAt(0), question.readableAt(1), ask);
    const stats = { ...raw.stats, unsure: raw.triangles.length / 2, backend };
    return { ...(turned ? exchanged(found) : found), method: 'hierarchy', backend, stats };
  };
  return { question, request: { candidates: theTwo, upTo, signal, progress }, answer };
}

const exchanged = ({ distance, pointA, pointB, triangleA, triangleB }: Separation): Separation => ({
  distance,
  pointA: pointB,
  pointB: pointA,
  triangleA: triangleB,
  triangleB: triangleA,
});
