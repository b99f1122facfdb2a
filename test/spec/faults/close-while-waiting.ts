// Every pending answer rejects with 'closed' when the library is closed, however far it has come: closed at once,
// after a few microtasks, and after a few turns of the event loop.

import { type Limits, type Nearfield, NearfieldError, type Particles, type Scene, shapes } from 'nearfield';
import { expect } from 'vitest';
import { type FaultQuestion, questions } from './scenes.ts';

export interface Closing {
  readonly scene: Scene;
  /** Only for questions about them. */
  readonly particles: Particles;
  readonly limits: Limits;
}

export const gpuQuestions: readonly FaultQuestion[] = [
  {
    name: 'raycast',
    solids: true,
    ask: (scene, limits) => scene.sampledInterferences({ ...limits, method: 'raycast', resolution: 8 }),
  },
  {
    name: 'layers',
    solids: true,
    ask: (scene, limits) => scene.sampledInterferences({ ...limits, method: 'layers', resolution: 8 }),
  },
  { name: 'visibility', ask: (scene, limits) => scene.interferences({ ...limits, method: 'visibility' }) },
  {
    name: 'within, visibility',
    ask: (scene, limits) => scene.within(0.5, { ...limits, method: 'visibility' }),
  },
  {
    name: 'fieldTexture',
    ask: (scene, limits) => scene.fieldTexture(scene.bodies[0], { ...limits, resolution: 4 }),
  },
];

const ofParticles: readonly (readonly [string, (closing: Closing) => unknown])[] = [
  ['impacts', ({ particles, limits }) => particles.impacts(0, 1, limits)],
  ['advance', ({ particles, limits }) => particles.advance(1, limits)],
  ['state', ({ particles, limits }) => particles.state(0.5, undefined, limits)],
  ['setColliders', ({ particles, limits }) => particles.setColliders([plane(-2)], limits)],
];

/** Every public function that waits. */
export const waiting: readonly (readonly [string, (closing: Closing) => unknown])[] = [
  ...questions.map(({ name, ask }) => [name, ({ scene, limits }: Closing) => ask(scene, limits)] as const),
  ['readPoses', ({ scene }) => scene.readPoses()],
  ...ofParticles,
];

const plane = (z: number) => ({ plane: { point: [0, 0, z], normal: [0, 0, 1] } }) as const;
const system = {
  count: 40,
  seed: 3,
  start: { from: { point: [0, 0, 1] }, velocity: { ball: { centre: [0, 0, -2], radius: 1 } }, life: [1, 2] },
  acceleration: [0, 0, -3],
  colliders: [plane(-1)],
} as const;

/** Asks, closes after this many turns, and checks the result. Returns whether the question was still pending then. */
export async function closeUnder(
  open: () => Promise<Nearfield>,
  name: string,
  ask: (closing: Closing) => unknown,
  wait: () => Promise<void>,
  limits: Limits = {},
  addTo: (scene: Scene) => void = addTwo,
): Promise<boolean> {
  const nf = await open();
  const scene = nf.scene();
  addTo(scene);
  const asksParticles = ofParticles.some(([own]) => own === name);
  const particles = asksParticles ? await nf.particles(system) : (undefined as unknown as Particles);
  let settled = false;
  const asked = Promise.resolve(ask({ scene, particles, limits })).then(
    () => undefined,
    (error: unknown) => error,
  );
  asked.then(() => {
    settled = true;
  });
  await wait();
  nf.close();
  // A finished answer may still be on its way through promises.
  await microtasks(32);
  const wasAnswered = settled && (await asked) === undefined;
  if (wasAnswered) return false;
  const error = await asked;
  expect(error, name).toBeInstanceOf(NearfieldError);
  expect((error as NearfieldError).code, `${name}: ${(error as Error).message}`).toBe('closed');
  return true;
}

/** Two that overlap. */
export function addTwo(scene: Scene): void {
  const sphere = shapes.icosphere({ frequency: 2 });
  scene.add(sphere);
  scene.add(sphere, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.75, 0.25, 0.125, 1] });
}

export async function microtasks(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await undefined;
}

export const turn = (milliseconds: number): Promise<void> =>
  new Promise(resolve => setTimeout(resolve, milliseconds));
