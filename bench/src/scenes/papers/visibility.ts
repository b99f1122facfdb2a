// The scenes of Govindaraju, Lin and Manocha (Fast and Reliable Collision Culling using Graphics Hardware, section
// 5): a dragon that breaks into hundreds of pieces, a tree whose leaves fall, two overlapping rabbits; and cloth that
// folds on itself. A timed frame includes bodies that come, go, move and deform, and then every pair of triangles
// that meet. Beside it is the number of pairs of bodies that sweep and prune would leave. The samples generate all
// scenes from a seed.

import {
  createBreaking,
  createBunnies,
  createFoldingCloth,
  createLeaves,
  type Moving,
} from '@nearfield/samples';
import { type Body, type Mesh, type Nearfield, open } from 'nearfield';
import { type Case, type Frame, movedTo, type Placement, type SceneFile } from '../../case.ts';
import { type Boxed, pairsOfBoxes } from '../../culling/sweep.ts';
import { single } from '../meshes/generated.ts';

export const visibility: SceneFile = {
  name: 'visibility',
  about: 'bodies that break, bend and fold, frame by frame: the scenes of Govindaraju et al.',
  caseCount: 4,
  seconds: { each: 25, peers: 60 },
  async *cases(): AsyncGenerator<Case> {
    const nf = await open({ backend: 'cpu' });
    try {
      yield breaking(nf);
      yield leaves(nf);
      yield foldingCloth(nf);
      yield bunnies(nf);
    } finally {
      nf.close();
    }
  },
};

/** Which steps of a sample become frames. */
export interface Steps {
  readonly first: number;
  readonly every: number;
  readonly frames: number;
}

function forFrames(sample: Moving, { first, every, frames }: Steps, visit: (sample: Moving) => void): void {
  for (let step = 1; step <= first + every * (frames - 1); step++) {
    sample.advance();
    if (step >= first && (step - first) % every === 0) visit(sample);
  }
  sample.close();
}

/** Frames from just before the impact until the heap is at rest. */
export function breaking(
  nf: Nearfield,
  options: Parameters<typeof createBreaking>[1] = {},
  steps: Steps = { first: 12, every: 3, frames: 40 },
): Case {
  const bodies: Placement[] = [];
  const placeOf = new Map<Body, number>();
  const frames: Frame[] = [];
  let candidates = 0;
  forFrames(createBreaking(nf, options), steps, ({ scene }) => {
    for (const body of scene.bodies) {
      if (placeOf.has(body)) continue;
      placeOf.set(body, bodies.length);
      bodies.push({ mesh: single(body.mesh), pose: body.pose.slice() });
    }
    const present = Uint32Array.from(scene.bodies, body => placeOf.get(body)!);
    frames.push({ present, ...movedTo(scene.bodies.map(({ pose }) => pose)) });
    candidates += pairsOfBoxes(boxesOf(scene.bodies));
  });
  const most = frames[frames.length - 1].present!.length;
  // Numbers of bodies at the beginning and at the end.
  const paper = { from: 35, milliseconds: 50, machine: paperMachine };
  return { ...named(`breaking, 2 to ${most} bodies`, 'scene'), bodies, frames, candidates, paper };
}

/** Frames until the last leaves have fallen. */
export function leaves(
  nf: Nearfield,
  options: Parameters<typeof createLeaves>[1] = {},
  steps: Steps = { first: 1, every: 6, frames: 40 },
): Case {
  const sample = createLeaves(nf, options);
  const bodies = sample.parts().map(({ mesh, pose }) => ({ mesh: single(mesh), pose }));
  const frames: Frame[] = [];
  let candidates = 0;
  forFrames(sample, steps, ({ parts }) => {
    // Branches do not move.
    const allPositions = parts().map(({ mesh }, i) => (i === 0 ? new Float32Array() : positionsOf(mesh)));
    frames.push({ allPositions });
    candidates += pairsOfBoxes(boxesOf(parts()));
  });
  const name = `${bodies.length - 1} falling leaves`;
  return {
    ...named(name, 'scene'),
    bodies,
    frames,
    candidates,
    paper: { milliseconds: 35, machine: paperMachine },
  };
}

/** Frames once the cloth has begun to fold. */
export function foldingCloth(
  nf: Nearfield,
  options: Parameters<typeof createFoldingCloth>[1] = {},
  steps: Steps = { first: 90, every: 20, frames: 16 },
): Case {
  const sample = createFoldingCloth(nf, options);
  const [{ mesh, pose }] = sample.parts();
  const frames: Frame[] = [];
  forFrames(sample, steps, ({ parts }) => frames.push({ positions: positionsOf(parts()[0].mesh) }));
  const name = `cloth of ${mesh.triangleCount.toLocaleString('en')} folding`;
  return { ...named(name, 'self'), bodies: [{ mesh: single(mesh), pose }], frames };
}

/** Frames of one full turn. */
export function bunnies(
  nf: Nearfield,
  options: Parameters<typeof createBunnies>[1] = {},
  steps: Steps = { first: 5, every: 5, frames: 48 },
): Case {
  const sample = createBunnies(nf, options);
  const [{ mesh }] = sample.parts();
  const shape = single(mesh);
  const bodies = sample.parts().map(({ pose }) => ({ mesh: shape, pose: pose.slice() }));
  const frames: Frame[] = [];
  forFrames(sample, steps, ({ scene }) => frames.push(movedTo(scene.bodies.map(({ pose }) => pose))));
  return { ...named('two rabbits in one another', 'pairs'), bodies, frames, candidates: frames.length };
}

const paperMachine = 'GeForce FX 5950, 2004';

const named = (name: string, question: Case['question']): Pick<Case, 'scene' | 'name' | 'question'> => ({
  scene: 'visibility',
  name,
  question,
});

/** Bodies or parts in their current state. */
const boxesOf = (placed: readonly { readonly mesh: Mesh; readonly pose: ArrayLike<number> }[]): Boxed[] =>
  placed.map(({ mesh, pose }) => ({ positions: mesh.positions, pose }));

const positionsOf = ({ positions }: Mesh): Float32Array => Float32Array.from(positions);
