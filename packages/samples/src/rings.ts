// Rings that fall into a bowl and come to rest on one another (Hoff et al., plate 4): six rings of 2,500 triangles,
// pushed apart by the paper's springs where they overlap.

import { type Mesh, type Nearfield, shapes } from 'nearfield';
import { unitAt } from './elementary.ts';
import { pushApart } from './rigid/penalty.ts';
import { RigidBody } from './rigid/rigid-body.ts';
import { turnAbout, type Vector } from './rigid/vector.ts';
import type { Sample, Step } from './sample.ts';

export interface RingsOptions {
  readonly count?: number;
  /** Approximate triangles per ring: 2·n² are made. */
  readonly triangles?: number;
  readonly seed?: number;
  /** How far off the sampled regions may be. */
  readonly tolerance?: number;
}

const [majorRadius, minorRadius] = [1, 0.3];
const density = 1;
const gravity: Vector = [0, 0, -9.81];
const bowlRadius = 2.6;
/** A ring that falls two metres sinks in by a tenth; at rest by a hundredth. */
const stiffness = 1.5e6;
/** A step for which the springs are slow enough: two hundred radians per second at the deepest. */
const usualStep = 1 / 480;

export function createRings(nf: Nearfield, options: RingsOptions = {}): Sample {
  const { count = 6, triangles = 2500, seed = 1, tolerance = 0.03 } = options;
  const scene = nf.scene();
  const random = shapes.createRandom(seed);
  const around = Math.max(8, Math.round(Math.sqrt(triangles)));
  const ring = shapes.torus({
    majorRadius,
    minorRadius,
    majorSegments: around,
    minorSegments: Math.max(6, Math.round(triangles / 2 / around)),
  });
  const [majorSquared, minorSquared] = [majorRadius * majorRadius, minorRadius * minorRadius];
  const volume = 2 * Math.PI * Math.PI * majorRadius * minorSquared;
  const mass = density * volume;
  const across = mass * ((5 / 8) * minorSquared + majorSquared / 2);
  const inertia: Vector = [across, across, mass * ((3 / 4) * minorSquared + majorSquared)];
  const bowl = scene.add(bowlMesh(), { name: 'bowl' });
  const rings = Array.from({ length: count }, (_, i) => {
    const lean = random.between(0, 2 * Math.PI);
    return new RigidBody(scene, {
      name: `ring ${i + 1}`,
      mesh: ring,
      mass,
      inertia,
      position: [random.between(-0.25, 0.25), random.between(-0.25, 0.25), 1.2 + 1.35 * i],
      orientation: turnAbout([...unitAt(lean), 0], random.between(0, 0.35)),
    });
  });
  const moving = new Map(rings.map(rigid => [rigid.body, rigid]));
  const bodies = [...rings.map(({ body }) => body), bowl];
  let [steps, time] = [0, 0];
  return {
    name: 'rings',
    scene,
    bodies,
    async step(dt = usualStep): Promise<Step> {
      let [pairs, points, deepest, energy] = [0, 0, 0, 0];
      for (const { a, b } of await scene.interferences({ detail: 'any' })) {
        const pressed = await pushApart(scene, [a, b], [moving.get(a), moving.get(b)], {
          tolerance,
          stiffness,
          damping: 0.5,
          friction: 0.3,
        });
        pairs++;
        points += pressed.points;
        deepest = Math.max(deepest, pressed.deepest);
        energy += pressed.energy;
      }
      for (const rigid of rings) {
        energy += rigid.energy(gravity);
        rigid.advance(dt, gravity, 0.3);
      }
      time += dt;
      return { step: ++steps, time, pairs, points, deepest, energy };
    },
    parts: () => bodies.map(({ name, mesh, pose }) => ({ name, mesh, pose })),
    close: () => scene.close(),
  };
}

/** A bowl with a high rim: half a sphere and a vertical wall above it. Its lowest inner point is the origin. */
function bowlMesh(): Mesh {
  const [steps, thickness, height] = [10, 0.4, 4.2];
  const profile: [number, number][] = [];
  const arc = (radius: number, i: number): [number, number] => {
    const [cos, sin] = unitAt((i / steps) * (Math.PI / 2));
    return [i === 0 ? 0 : radius * sin, bowlRadius - radius * cos];
  };
  for (let i = 0; i <= steps; i++) profile.push(arc(bowlRadius + thickness, i));
  profile.push([bowlRadius + thickness, height], [bowlRadius, height]);
  for (let i = steps; i >= 0; i--) profile.push(arc(bowlRadius, i));
  return shapes.revolve({ profile, segments: 40 });
}
