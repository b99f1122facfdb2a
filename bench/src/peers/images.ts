// Nearfield's methods that render images, each as an engine beside the exact one: raycast (Knott) with lists of all
// faces per pixel, or drawn as in the thesis and read from the stencil buffer or by occlusion queries; layers
// (Myszkowski et al.).

import { type Interferences, open, type RaycastFound, type Scene } from 'nearfield';
import type { Case, Frame } from '../case.ts';
import { type Engine, onePair, type Session } from './engine.ts';

export const imageKinds = [
  'gpu raycast',
  'gpu raycast stencil',
  'gpu raycast queries',
  'gpu layers',
] as const;
export type ImageKind = (typeof imageKinds)[number];

/** The scenes in which each of them takes part. */
export const imageScenes: ReadonlyMap<ImageKind, readonly string[]> = new Map([
  ['gpu raycast', ['raycast', 'layers', 'jaws']],
  ['gpu raycast stencil', ['raycast']],
  ['gpu raycast queries', ['raycast']],
  ['gpu layers', ['layers', 'jaws']],
]);

export async function createImages(kind: ImageKind): Promise<Engine> {
  const nf = await open({ backend: 'gpu' });
  const counting =
    kind === 'gpu raycast stencil' ? 'stencil' : kind === 'gpu raycast queries' ? 'queries' : undefined;
  return {
    name: `Nearfield ${kind}`,
    version: '0.1.0',
    only: imageScenes.get(kind)!,
    setting: () => nf.name,
    cannot({ question, bodies }) {
      if (question !== 'any' && question !== 'bodies') return 'only answers which bodies meet';
      return counting === 'queries' && bodies.length > 2 ? 'names bodies, not pairs' : undefined;
    },
    close: () => nf.close(),
    load(job: Case): Session {
      const scene = nf.scene();
      const bodies = job.bodies.map(({ mesh, pose }) => scene.add(mesh, { pose }));
      const session = counting
        ? drawn(scene, job, counting)
        : kind === 'gpu layers'
          ? layered(scene, job)
          : sampled(scene, job);
      return {
        ...session,
        ask(frame: Frame) {
          if (frame.allPoses) scene.setPoses(frame.allPoses);
          return session.ask(frame);
        },
        close() {
          for (const body of bodies) scene.remove(body);
        },
      };
    },
  };
}

type Asking = Pick<Session, 'ask' | 'pairs'>;

export function sampled(scene: Scene, { images = {}, question, series }: Case): Asking {
  const { resolution } = images;
  const indices = (answer: unknown) => (answer as Interferences).indices;
  // For growth, everything visible is examined, without stopping at the first edge.
  if (question === 'any' && series === undefined) {
    return {
      ask: () => scene.sampledInterferences({ method: 'raycast', ask: 'any', resolution }),
      pairs: answer => onePair((answer as RaycastFound).any),
    };
  }
  // For polygons every edge is examined: rays alone would find two bodies at a cost that hardly depends on their
  // number.
  const ask = series?.unit === 'polygon' ? 'edges' : 'pairs';
  return { ask: () => scene.sampledInterferences({ method: 'raycast', ask, resolution }), pairs: indices };
}

/** The whole collision map, for any question. */
export function layered(scene: Scene, { images = {} }: Case): Asking {
  const { resolution, algorithm, direction } = images;
  return {
    ask: () => scene.sampledInterferences({ method: 'layers', resolution, algorithm, direction }),
    pairs: answer => (answer as Interferences).indices,
  };
}

/** The two bodies of each interference. For more than two bodies the stencil gives pairs; queries give bodies alone. */
function drawn(scene: Scene, { images = {}, bodies }: Case, counting: 'stencil' | 'queries'): Asking {
  const { resolution } = images;
  if (bodies.length > 2) {
    return {
      ask: () => scene.sampledInterferences({ method: 'raycast', counting, resolution }),
      pairs: answer => (answer as Interferences).indices,
    };
  }
  return {
    ask: () => scene.sampledInterferences({ method: 'raycast', ask: 'both', counting, resolution }),
    pairs: answer => onePair((answer as RaycastFound).any),
  };
}
