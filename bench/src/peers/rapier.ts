// Rapier: whether two triangle meshes meet, and which of many boxes meet. Boxes are sensors on kinematic bodies, all
// moved every step. Its collision events keep the pairs up to date, which costs less than asking for the pairs of
// each collider.

import { type Case, type Frame, isAboutAssembly, type Question } from '../case.ts';
import { quaternionOf } from '../poses.ts';
import { halfLengths } from './boxes.ts';
import { type Engine, onePair, type Session } from './engine.ts';

type Rapier = typeof import('@dimforge/rapier3d-compat');

export async function createRapier(): Promise<Engine> {
  const rapier: Rapier = await import('@dimforge/rapier3d-compat');
  await rapier.init();
  return {
    name: 'Rapier',
    version: '0.21.0',
    setting: (question: Question) =>
      question === 'bodies' ? 'kinematic sensors, step, collision events' : 'TriMesh, intersectsShape',
    cannot({ question, bodies }) {
      if (question === 'pairs' || question === 'scene')
        return 'lists contact manifolds, not the triangle pairs that meet';
      if (question === 'distance') return 'contactCollider of two meshes is wrong or traps';
      if (question === 'separation' || question === 'penetration')
        return 'contactCollider of two meshes is wrong or traps';
      if (question === 'contacts') return 'contactCollider of two meshes is wrong or traps';
      if (question === 'overlap') return 'has no common volumes';
      if (question === 'relation' || isAboutAssembly(question))
        return 'tells whether surfaces meet, not the relation of solids';
      if (question === 'boxes') return 'has no question for the broad phase alone';
      if (question === 'clearance') return 'has no distances over many bodies';
      if (question === 'closest' || question === 'nearest')
        return 'projects one point at a time onto a collider; not measured';
      if (question === 'rays' || question === 'hits') return 'casts one ray at a time; not measured';
      if (question === 'volume') return 'has no common volumes';
      if (question === 'map') return 'has no distance maps';
      if (question === 'field') return 'has no distance fields';
      if (question === 'self') return 'has no self-collision of a mesh';
      if (question === 'motion') return 'has no first contacts of deforming meshes';
      if (question === 'refit') return 'has no deforming meshes';
      if (question === 'any' && bodies[0].mesh.triangleCount > 500_000) return 'traps on meshes this large';
      return undefined;
    },
    load: job => (job.question === 'bodies' ? sensors(rapier, job) : meshes(rapier, job)),
  };
}

const translation = (m: Float64Array) => ({ x: m[12], y: m[13], z: m[14] });

function rotation(m: Float64Array) {
  const [x, y, z, w] = quaternionOf(m);
  return { x, y, z, w };
}

/** Collision of shapes; the first world builds the trees of the meshes. */
function meshes(rapier: Rapier, job: Case): Session {
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const colliders = job.bodies.map(({ mesh }) =>
    world.createCollider(
      rapier.ColliderDesc.trimesh(Float32Array.from(mesh.positions), Uint32Array.from(mesh.indices)),
    ),
  );
  return {
    ask({ poses }: Frame) {
      if (colliders.length < 2) return false;
      const [a, b] = poses ?? job.bodies.map(({ pose }) => pose);
      for (const [collider, pose] of [
        [colliders[0], a],
        [colliders[1], b],
      ] as const) {
        collider.setTranslation(translation(pose));
        collider.setRotation(rotation(pose));
      }
      return colliders[0].intersectsShape(colliders[1].shape, translation(b), rotation(b));
    },
    pairs: answer => onePair(answer === true),
    close: () => world.free(),
  };
}

function sensors(rapier: Rapier, job: Case): Session {
  const world = new rapier.World({ x: 0, y: 0, z: 0 });
  const events = new rapier.EventQueue(true);
  const bodyOf = new Map<number, number>();
  const movers = job.bodies.map(({ pose }, i) => {
    const [x, y, z] = halfLengths(job, i);
    const mover = world.createRigidBody(
      rapier.RigidBodyDesc.kinematicPositionBased()
        .setTranslation(pose[12], pose[13], pose[14])
        .setRotation(rotation(pose)),
    );
    const description = rapier.ColliderDesc.cuboid(x, y, z)
      .setSensor(true)
      .setActiveEvents(rapier.ActiveEvents.COLLISION_EVENTS)
      .setActiveCollisionTypes(rapier.ActiveCollisionTypes.ALL);
    bodyOf.set(world.createCollider(description, mover).handle, i);
    return mover;
  });
  const meeting = new Set<number>();
  const turned = job.boxes === 'turned';
  return {
    ask({ poses }) {
      for (let i = 0; poses && i < movers.length; i++) {
        movers[i].setTranslation(translation(poses[i]), true);
        if (turned) movers[i].setRotation(rotation(poses[i]), true);
      }
      world.step(events);
      events.drainCollisionEvents((first, second, started) => {
        const [i, j] = [bodyOf.get(first)!, bodyOf.get(second)!];
        const key = Math.min(i, j) * movers.length + Math.max(i, j);
        if (started) meeting.add(key);
        else meeting.delete(key);
      });
      return meeting;
    },
    pairs: () =>
      Uint32Array.from([...meeting].flatMap(key => [Math.floor(key / movers.length), key % movers.length])),
    close() {
      world.free();
      events.free();
    },
  };
}
