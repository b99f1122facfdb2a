// Do asynchronous questions give way to the event loop while they build trees and find candidates? Counted in tasks, by a clock that goes
// on by a millisecond whenever it is read.

import { afterEach, expect, it, vi } from 'vitest';
import { sliceMilliseconds } from '../core/waiting.ts';
import { open } from '../nearfield.ts';
import type { Scene } from '../scene.ts';
import { icosphere } from '../shapes/index.ts';

afterEach(() => vi.restoreAllMocks());

const sphere = icosphere({ frequency: 100 });
const questions: Record<string, (scene: Scene) => Promise<unknown>> = {
  interferences: scene => scene.interferences({ detail: 'any' }),
  selfIntersections: scene => scene.selfIntersections(scene.bodies[0]),
  distance: scene => scene.distance(scene.bodies[0], scene.bodies[1]),
  within: scene => scene.within(0.1),
  closest: scene => scene.closest(scene.bodies[0], new Float64Array(3)),
  rays: scene => scene.rays(scene.bodies[0], Float64Array.of(0, 0, 0, 1, 0, 0)),
  inSphere: scene => scene.inSphere(scene.bodies[0], Float64Array.of(1, 0, 0, 0.1)),
};

it.each(Object.keys(questions))(
  '%s: the tree of a body of 200,000 triangles is built between other tasks',
  async name => {
    const nf = await open({ backend: 'cpu', threads: 1 });
    const scene = nf.scene();
    scene.add(sphere);
    scene.add(sphere, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 2.5, 0, 0, 1] });
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => now++);
    let tasks = 0;
    let isAnswered = false;
    const count = (): void => {
      tasks++;
      if (!isAnswered) setImmediate(count);
    };
    setImmediate(count);
    await questions[name](scene);
    const first = tasks;
    tasks = 0;
    await questions[name](scene);
    isAnswered = true;
    // Each step reads the clock once. Without slices the first answer would take as many tasks as the second.
    const steps = sphere.triangleCount / 32_768;
    expect(first - tasks).toBeGreaterThan((3 * steps) / sliceMilliseconds);
    nf.close();
  },
);
