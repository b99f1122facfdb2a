// Two deeply overlapping rabbits of 68,000 triangles, one of them turning (the scene of Govindaraju, Lin and Manocha,
// figure 7): a few thousand pairs of small triangles cross, some of which an image of any resolution may miss.

import { type Nearfield, shapes } from 'nearfield';
import { bunny } from './creatures/bunny.ts';
import { cosine, sine } from './elementary.ts';
import { poseOf, turnAbout, type Vector } from './rigid/vector.ts';
import { type Found, find, type Moving, type Part } from './sample.ts';

export interface BunniesOptions {
  /** Approximate triangles per rabbit. */
  readonly triangles?: number;
  readonly seed?: number;
}

const usualStep = 1 / 30;
/** Seconds per turn. */
const period = 8;

export function createBunnies(nf: Nearfield, options: BunniesOptions = {}): Moving {
  const { triangles = 68_000, seed = 1 } = options;
  const shape = bunny({ triangles, seed });
  const scene = nf.scene();
  const begun = shapes.createRandom(seed).between(0, 2 * Math.PI);
  const still = scene.add(shape, { name: 'rabbit' });
  const moving = scene.add(shape, { name: 'turning rabbit' });
  let [steps, time] = [0, 0];
  const place = (): void => {
    const phase = begun + (2 * Math.PI * time) / period;
    const away: Vector = [0.22 + 0.06 * cosine(phase), 0.16 * sine(phase), 0.05 * sine(2 * phase)];
    moving.pose = poseOf(turnAbout([0, 0, 1], 0.9 + phase), away);
  };
  place();
  const advance = (dt = usualStep): void => {
    time += dt;
    steps++;
    place();
  };
  return {
    name: 'bunnies',
    scene,
    bodies: [still, moving],
    advance,
    async step(dt?: number): Promise<Found> {
      advance(dt);
      return find(scene, { step: steps, time });
    },
    parts: (): Part[] => scene.bodies.map(({ name, mesh, pose }) => ({ name, mesh, pose })),
    close: () => scene.close(),
  };
}
