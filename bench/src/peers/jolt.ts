// Jolt: which of many boxes meet. Kinematic sensors, all moved every step; pairs come from its contact listener. For
// mesh against mesh it reports nothing, so it takes no part there.

import type { Case } from '../case.ts';
import { quaternionOf } from '../poses.ts';
import { halfLengths } from './boxes.ts';
import type { Engine, Session } from './engine.ts';

// biome-ignore lint/suspicious/noExplicitAny: its types describe neither the module function nor pointers
type Jolt = any;

export async function createJolt(): Promise<Engine> {
  const jolt: Jolt = await (await import('jolt-physics')).default();
  return {
    name: 'Jolt',
    version: '1.1.0',
    setting: () => 'kinematic sensors, step, contact listener',
    cannot({ question }) {
      if (question === 'bodies') return undefined;
      if (question === 'boxes') return 'has no question for the broad phase alone';
      return 'does not support mesh against mesh: it reports nothing';
    },
    load: job => session(jolt, job),
  };
}

const layer = 0;

function session(jolt: Jolt, job: Case): Session {
  const { world, physics } = createWorld(jolt, job.bodies.length);
  const bodyInterface = physics.GetBodyInterface();
  const position = new jolt.RVec3(0, 0, 0);
  const turn = new jolt.Quat(0, 0, 0, 1);
  const bodyOf = new Map<number, number>();
  const ids = job.bodies.map(({ pose }, i) => {
    const [x, y, z] = halfLengths(job, i);
    const size = new jolt.Vec3(x, y, z);
    const shape = new jolt.BoxShape(size, 0);
    position.Set(pose[12], pose[13], pose[14]);
    turn.Set(...quaternionOf(pose));
    const settings = new jolt.BodyCreationSettings(shape, position, turn, jolt.EMotionType_Kinematic, layer);
    settings.mIsSensor = true;
    settings.mCollideKinematicVsNonDynamic = true;
    settings.mAllowSleeping = false;
    const body = bodyInterface.CreateBody(settings);
    bodyInterface.AddBody(body.GetID(), jolt.EActivation_Activate);
    jolt.destroy(settings);
    jolt.destroy(size);
    bodyOf.set(jolt.getPointer(body), i);
    return body.GetID();
  });
  physics.OptimizeBroadPhase();
  const meeting: number[] = [];
  const note = (first: number, second: number) => {
    const [i, j] = [bodyOf.get(first)!, bodyOf.get(second)!];
    meeting.push(Math.min(i, j), Math.max(i, j));
  };
  const listener = new jolt.ContactListenerJS();
  listener.OnContactValidate = () => jolt.ValidateResult_AcceptAllContactsForThisBodyPair;
  listener.OnContactAdded = note;
  listener.OnContactPersisted = note;
  listener.OnContactRemoved = () => {};
  physics.SetContactListener(listener);
  const turned = job.boxes === 'turned';
  return {
    ask({ poses }) {
      for (let i = 0; poses && i < ids.length; i++) {
        const pose = poses[i];
        position.Set(pose[12], pose[13], pose[14]);
        if (turned) {
          turn.Set(...quaternionOf(pose));
          bodyInterface.SetPositionAndRotation(ids[i], position, turn, jolt.EActivation_Activate);
        } else bodyInterface.SetPosition(ids[i], position, jolt.EActivation_Activate);
      }
      meeting.length = 0;
      world.Step(1 / 60, 1);
      return meeting;
    },
    pairs: () => Uint32Array.from(meeting),
    close: () => jolt.destroy(world),
  };
}

/** One object layer that meets itself, no gravity, capacity for all bodies and pairs. */
function createWorld(jolt: Jolt, bodyCount: number): { world: Jolt; physics: Jolt } {
  const settings = new jolt.JoltSettings();
  settings.mMaxBodies = bodyCount + 1;
  // Its temporary memory is fixed at ten million bytes; a contact takes nearly five hundred.
  settings.mMaxBodyPairs = 20_000;
  settings.mMaxContactConstraints = 16_000;
  settings.mMaxWorkerThreads = 0;
  const layers = new jolt.ObjectLayerPairFilterTable(1);
  layers.EnableCollision(layer, layer);
  const broad = new jolt.BroadPhaseLayerInterfaceTable(1, 1);
  broad.MapObjectToBroadPhaseLayer(layer, new jolt.BroadPhaseLayer(0));
  settings.mObjectLayerPairFilter = layers;
  settings.mBroadPhaseLayerInterface = broad;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(broad, 1, layers, 1);
  const world = new jolt.JoltInterface(settings);
  jolt.destroy(settings);
  const physics = world.GetPhysicsSystem();
  const none = new jolt.Vec3(0, 0, 0);
  physics.SetGravity(none);
  jolt.destroy(none);
  return { world, physics };
}
