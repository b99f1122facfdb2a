// The cases that the studio runs in a browser: some of the scenes, under the names of their recorded results. It uses
// nothing from Node.

import { identity, open } from 'nearfield';
import type { Case } from './case.ts';
import { still } from './case.ts';
import type { ParticleCase } from './particles/scene.ts';
import { movingBoxes } from './scenes/boxes.ts';
import { foldingSphere } from './scenes/deform.ts';
import { bumpySphere, type Model, overlapping, touchingShares } from './scenes/meshes/generated.ts';
import { figures, twoPolyhedra } from './scenes/papers/layers.ts';
import { caseOf, rings, tori } from './scenes/papers/proximity.ts';
import { pixelsAndQueries } from './scenes/papers/raycast.ts';

export type { Case, Frame } from './case.ts';
export { frameRate, type ParticleCase, particleOptions } from './particles/scene.ts';
export { crowdSession } from './peers/crowd.ts';
export { layered, sampled } from './peers/images.ts';
export { quantile } from './run/quantile.ts';
export { extent } from './scenes/meshes/generated.ts';

export interface PageCase {
  /** The key that `keyOf` gives. */
  readonly key: string;
  /** A short title. */
  readonly title: string;
  /** True if its method needs a GPU. */
  readonly needsGpu?: boolean;
  make(): PageJob | Promise<PageJob>;
}

/** Bodies, and the method if it is not the default. */
export interface MethodJob extends Case {
  readonly method?: 'visibility' | 'raycast' | 'layers' | undefined;
}
/** Particles, asked for the impacts of frame after frame. */
export interface ParticleJob {
  readonly scene: 'particles';
  readonly name: string;
  readonly question: 'impacts';
  readonly particles: ParticleCase;
}
export type PageJob = MethodJob | ParticleJob;

/** The key of a recorded case. */
export const keyOf = ({ scene, name, question }: Pick<PageJob, 'scene' | 'name' | 'question'>): string =>
  `${scene}: ${name}, ${question}`;

/** The name of a recorded row with a method of its own. */
const by = (method: NonNullable<MethodJob['method']>, job: Case): MethodJob => ({
  ...job,
  name: `${job.name}, by ${method}`,
  method,
});

type Moving = 'leaves' | 'bunnies';
const movingScenes = new Map<Moving, Promise<Case>>();
/** Scenes from the samples package, which is loaded on demand. Each is created once, for two cases. */
function moving(which: Moving): Promise<Case> {
  let scene = movingScenes.get(which);
  if (scene === undefined) movingScenes.set(which, (scene = createMoving(which)));
  return scene;
}

async function createMoving(which: Moving): Promise<Case> {
  const scenes = await import('./scenes/papers/visibility.ts');
  const nf = await open({ backend: 'cpu' });
  try {
    return scenes[which](nf);
  } finally {
    nf.close();
  }
}

const sphere = 'bumpy sphere';
let made: Model | undefined;
/** Created once, because creating it takes longer than the question. */
const bumpy = (): Model => {
  made ??= bumpySphere(81920);
  return made;
};

export const pageCases: readonly PageCase[] = [
  ...([0.1, 0.3, 0.6] as const).map(share => ({
    key: `pair: ${sphere}, shifted by ${share}, pairs`,
    title: `Two spheres of 82,000 triangles, shifted by ${Math.round(100 * share)} %: all pairs`,
    make(): Case {
      const bodies = overlapping(bumpy(), share);
      const name = `${sphere}, shifted by ${share}`;
      return { scene: 'pair', name, question: 'pairs', bodies, frames: still };
    },
  })),
  {
    key: 'boxes: 10,000 turned, bodies',
    title: '10,000 rotated boxes, all moving: which meet',
    make: () => movingBoxes('turned'),
  },
  {
    key: 'deform: sphere of 81,920 folding, self',
    title: 'A sphere of 82,000 triangles folding through itself',
    make: () => foldingSphere(64),
  },
  {
    key: `distance: ${sphere}, 5 % gap, distance`,
    title: 'The distance between two spheres of 82,000 triangles',
    make() {
      const bodies = overlapping(bumpy(), touchingShares[sphere] + 0.05);
      return { scene: 'distance', name: `${sphere}, 5 % gap`, question: 'distance', bodies, frames: still };
    },
  },
  {
    key: 'proximity: tori, d, volume',
    title: 'The common volume of two deforming rings, with depths',
    make: () => caseOf(tori(), 'd'),
  },
  {
    key: 'proximity: rings, d, volume',
    title: 'The common volumes of six moving rings, with depths',
    make: () => caseOf(rings(), 'd'),
  },
  {
    key: `trees: ${sphere} of 81,920, build`,
    title: 'Building the tree of 82,000 triangles',
    make() {
      const { mesh } = bumpy();
      const name = `${sphere} of ${mesh.triangleCount.toLocaleString('en')}`;
      const bodies = [{ mesh, pose: identity() }];
      return { scene: 'trees', name, question: 'build', bodies, frames: still };
    },
  },
  {
    key: 'visibility: 150 falling leaves, scene',
    title: 'A tree and its 150 falling leaves: all pairs',
    make: () => moving('leaves'),
  },
  {
    key: 'visibility: 150 falling leaves, by visibility, scene',
    title: 'The same leaves, by visibility',
    needsGpu: true,
    make: async () => by('visibility', await moving('leaves')),
  },
  {
    key: 'visibility: two rabbits in one another, pairs',
    title: 'Two overlapping rabbits of 68,000 triangles: all pairs',
    make: () => moving('bunnies'),
  },
  {
    key: 'visibility: two rabbits in one another, by visibility, pairs',
    title: 'The same rabbits, by visibility',
    needsGpu: true,
    make: async () => by('visibility', await moving('bunnies')),
  },
  {
    key: 'raycast: 3,614 polygons at 256 × 256, by raycast, any',
    title: 'Two knots of 3,614 polygons at 256 × 256 pixels, by raycast',
    needsGpu: true,
    make: () => by('raycast', pixelsAndQueries(256)),
  },
  {
    key: 'layers: two π-convex (figure 3b), 20,184, by layers, any',
    title: 'Two bars of 20,184 polygons at 512 × 512 pixels, by layers',
    needsGpu: true,
    make: () => by('layers', twoPolyhedra(figures[1], 20_000)),
  },
  {
    key: 'particles: 100,000 particles × 64 mixed colliders, impacts',
    title: '100,000 particles and 64 colliders: the impacts of a frame',
    make() {
      const particles: ParticleCase = { particles: 1e5, colliders: 64, kinds: 'mixed', life: 4 };
      const name = '100,000 particles × 64 mixed colliders';
      return { scene: 'particles', name, question: 'impacts', particles };
    },
  },
];
