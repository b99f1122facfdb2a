// The experiment of Greß and Zachmann, section 7: two copies of a model, scaled to a cube of side 2, at a distance between
// their centres; one turns about a fixed axis in steps, and every step asks for all pairs of triangles.

import { type InterferenceOptions, type Interferences, identity, type Mesh, type Nearfield } from 'nearfield';
import { turnAbout } from '../../poses.ts';
import { startWatch } from '../../run/measure.ts';
import { bumpySphere, fitted, type Model } from '../../scenes/meshes/generated.ts';
import { bunny } from '../../scenes/meshes/models.ts';
import type { Lab } from '../paper.ts';

/** The distances between the centres. */
export const distances = [2, 1.8, 1.6, 1.4, 1.2, 1, 0.8, 0.6, 0.4] as const;

/** A way to ask: a backend with options. */
export interface Way {
  readonly name: string;
  readonly nf: Nearfield;
  readonly options: InterferenceOptions;
}

/** The models that stand for the paper's, at full size, scaled. */
export async function models(): Promise<Model[]> {
  const real = (await bunny()) ?? bumpySphere(69_620);
  return [real, bumpySphere(20_480)].map(({ name, mesh }) => ({ name, mesh: fitted(mesh) }));
}

/** The poses of the copy that turns, `stepCount` of a turn in steps of `degrees`. */
export function turn(distance: number, stepCount: number, degrees = 360 / stepCount): Float64Array[] {
  return Array.from({ length: stepCount }, (_, step) =>
    turnAbout([0, 1, 0], (Math.PI / 180) * degrees * step, [0, 0, 0], [distance, 0, 0]),
  );
}

/** A part of a turn forth and back, so that the first step follows smoothly on the last. */
export const forthAndBack = (poses: readonly Float64Array[]): Float64Array[] => [
  ...poses,
  ...poses.slice(1, -1).reverse(),
];

/** What a run has counted, per step. */
export interface Counts {
  readonly pairs: number;
  readonly boxTests: number;
  readonly leafPairs: number;
}

/** The steps of a scene, to be timed and counted. */
export interface Run {
  readonly backend: 'cpu' | 'gpu';
  readonly stepCount: number;
  /** Moves the bodies and asks. */
  ask(step: number): Promise<Interferences>;
  /** Counts a round. It can use what is remembered of rounds that were timed before. */
  count(): Promise<Counts>;
  close(): void;
}

/** The run of a scene: every step has a pose per body. */
export function runOf(
  { nf, options }: Way,
  meshes: readonly Mesh[],
  steps: readonly (readonly Float64Array[])[],
): Run {
  const scene = nf.scene();
  const bodies = meshes.map(mesh => scene.add(mesh));
  const ask = (step: number) => {
    steps[step].forEach((pose, i) => {
      bodies[i].pose = pose;
    });
    return scene.interferences(options);
  };
  const round = async (): Promise<Counts> => {
    let [pairs, boxTests, leafPairs] = [0, 0, 0];
    for (const step of steps.keys()) {
      const answer = await ask(step);
      for (const pair of answer) pairs += pair.triangles.length / 2;
      boxTests += answer.stats.boxTests;
      leafPairs += answer.stats.triangleTests;
    }
    const per = (sum: number) => sum / steps.length;
    return { pairs: per(pairs), boxTests: per(boxTests), leafPairs: per(leafPairs) };
  };
  return { backend: nf.backend, stepCount: steps.length, ask, count: round, close: () => scene.close() };
}

/** Two copies of a mesh, of which one takes the poses. */
export const twoCopies = (way: Way, mesh: Mesh, poses: readonly Float64Array[]): Run =>
  runOf(
    way,
    [mesh, mesh],
    poses.map(pose => [identity(), pose]),
  );

/** What `timesOf` measures, for notes. */
export const howTimed =
  'A time is the mean over all steps of the least time that the step took in many rounds, in which the ways took turns. On the CPU it is processor time: other programs on the machine disturb that least.';

const fewestRounds = 3;
const mostRounds = 60;

/** Milliseconds per step of each run: the least of each step over many rounds, and the mean over the steps. */
export async function timesOf({ time, left, signal }: Lab, runs: readonly Run[]): Promise<number[]> {
  const least = runs.map(({ stepCount }) => new Float64Array(stepCount).fill(Infinity));
  // A page has many such figures: each takes only a share of what is left.
  const until = performance.now() + Math.min(time * runs.length, left() / 20);
  for (
    let round = 0;
    round < mostRounds && (round < (left() > 0 ? fewestRounds : 1) || performance.now() < until);
    round++
  ) {
    for (const [way, run] of runs.entries()) {
      signal?.throwIfAborted();
      for (let step = 0; step < run.stepCount; step++) {
        const stop = startWatch();
        // The answer's triangles are wanted too, so the time includes reading them.
        for (const { triangles } of await run.ask(step)) void triangles;
        const { clock, processor } = stop();
        least[way][step] = Math.min(least[way][step], run.backend === 'cpu' ? processor : clock);
      }
    }
  }
  return least.map(times => times.reduce((sum, one) => sum + one, 0) / times.length);
}
