// Manifold: whether two closed meshes meet, by whether their boolean intersection is empty. It computes the whole
// intersection for this. For the question overlap, its volume and area.

import { type Case, type Frame, isAboutAssembly } from '../case.ts';
import { type Engine, onePair, type Session } from './engine.ts';

type Module = Awaited<ReturnType<typeof import('manifold-3d').default>>;

export async function createManifold(): Promise<Engine> {
  const module = await (await import('manifold-3d')).default();
  module.setup();
  return {
    name: 'Manifold',
    version: '3.5.4',
    setting: question =>
      question === 'overlap' ? 'boolean intersection, volume and area' : 'boolean intersection, isEmpty',
    cannot({ question, bodies }) {
      if (question === 'pairs' || question === 'scene')
        return 'computes the boolean of two solids, not the triangle pairs that meet';
      if (question === 'distance')
        return 'minGap needs a search length, and takes minutes if that is too long';
      if (question === 'relation') return 'takes single precision, which cannot hold these numbers';
      if (['clearance', 'closest', 'nearest', 'rays', 'hits', 'map'].includes(question))
        return 'has no such question';
      if (question === 'field') return 'has no distance fields';
      if (question === 'motion') return 'has no first contacts of deforming meshes';
      if (question === 'separation' || question === 'penetration')
        return 'computes the common solid, not the way out';
      if (question === 'contacts') return 'computes the common solid, not contacts';
      if (question === 'volume') return 'computes the common solid, not samples with depths';
      if (question === 'self') return 'refuses meshes that are not manifold, and lists no self-intersections';
      if (question === 'bodies' || question === 'boxes' || isAboutAssembly(question))
        return 'has no broad phase over bodies';
      if (question === 'refit') return 'has no deforming meshes';
      if (!bodies.every(({ mesh }) => mesh.closed)) return 'refuses open meshes';
      return undefined;
    },
    load: job => session(module, job),
  };
}

function session(module: Module, job: Case): Session {
  const made = new Map<object, InstanceType<Module['Manifold']>>();
  for (const { mesh } of job.bodies) {
    if (made.has(mesh)) continue;
    const input = new module.Mesh({
      numProp: 3,
      vertProperties: Float32Array.from(mesh.positions),
      triVerts: Uint32Array.from(mesh.indices),
    });
    made.set(mesh, new module.Manifold(input));
  }
  const solids = job.bodies.map(({ mesh }) => made.get(mesh)!);
  return {
    ask({ poses }: Frame) {
      if (solids.length < 2) return false;
      const placed = solids.map((solid, i) =>
        solid.transform(
          Array.from(poses?.[i] ?? job.bodies[i].pose) as Parameters<typeof solid.transform>[0],
        ),
      );
      const common = placed[0].intersect(placed[1]);
      const meet =
        job.question === 'overlap' ? common.volume() > 0 && common.surfaceArea() > 0 : !common.isEmpty();
      for (const used of [...placed, common]) used.delete();
      return meet;
    },
    pairs: answer => onePair(answer === true),
    close() {
      for (const solid of made.values()) solid.delete();
    },
  };
}
