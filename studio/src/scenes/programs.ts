// What each scene does in its worker: a sample that moves by itself.

import {
  createBoxes,
  createBreaking,
  createBunnies,
  createFoldingCloth,
  createHeart,
  createLeaves,
  createRings,
  createRotating,
  createTori,
  jawParts,
  jawStages,
  type Moving,
  type Sample,
} from '@nearfield/samples';
import type { Nearfield, Scene } from 'nearfield';
import type { Shown } from './frames.ts';
import { createHailProgram } from './hail.ts';
import type { Found, SceneName, Settings } from './types.ts';

export interface Program extends Shown {
  /** What is asked where its bodies meet; without, it answers itself. */
  readonly scene?: Scene;
  ask?(): Promise<Found>;
  /** Goes on by a step. */
  advance(): Promise<void> | void;
  close(): void;
}

export function createProgram(
  nf: Nearfield,
  name: SceneName,
  settings: Settings,
): Program | Promise<Program> {
  const number = (key: string) => Number(settings[key]);
  const triangles = number('triangles');
  const response = settings['response'] === true;
  switch (name) {
    case 'rotating':
      return moving(createRotating(nf, { distance: number('distance'), triangles }));
    case 'boxes':
      return moving(createBoxes(nf, { count: number('count'), turning: settings['turning'] === true }));
    case 'breaking':
      return moving(
        createBreaking(nf, {
          triangles,
          fallingTriangles: Math.round(triangles / 3),
          pieces: number('pieces'),
        }),
      );
    case 'leaves':
      return moving(createLeaves(nf, { leaves: number('leaves') }));
    case 'bunnies':
      return moving(createBunnies(nf, { triangles }));
    case 'cloth':
      return moving(createFoldingCloth(nf, { triangles }));
    case 'tori':
      return stepping(createTori(nf, { response }));
    case 'heart':
      return stepping(createHeart(nf, { response }));
    case 'rings':
      return stepping(createRings(nf, { count: number('count') }));
    case 'jaws':
      return biting(nf);
    case 'hail':
      return createHailProgram(nf, number('count'));
  }
}

/** Its motion does not depend on what is found. */
function moving(sample: Moving): Program {
  return {
    scene: sample.scene,
    get bodies() {
      return sample.bodies;
    },
    parts: () => sample.parts(),
    advance: () => sample.advance(),
    close: () => sample.close(),
  };
}

/** Its bodies push one another by what each step finds. */
function stepping(sample: Sample): Program {
  return {
    scene: sample.scene,
    get bodies() {
      return sample.bodies;
    },
    parts: () => sample.parts(),
    async advance() {
      await sample.step();
    },
    close: () => sample.close(),
  };
}

/** Steps from one stage of a bite to the next. */
const stepsBetween = 40;

/** Two jaws that open and close, by way of all stages. */
function biting(nf: Nearfield): Program {
  const { upper, lower, poseAt } = jawParts({ teeth: 'five', triangles: 112_000 });
  const scene = nf.scene();
  const bodies = [
    scene.add(upper.mesh, { name: upper.name, pose: upper.pose }),
    scene.add(lower.mesh, { name: lower.name, pose: poseAt(jawStages[0]) }),
  ];
  let step = 0;
  return {
    scene,
    bodies,
    parts: () => bodies.map(({ name, mesh, pose }) => ({ name, mesh, pose })),
    advance() {
      step++;
      const stage = Math.floor(step / stepsBetween) % jawStages.length;
      const [from, to] = [stage, (stage + 1) % jawStages.length].map(i => poseAt(jawStages[i]));
      const share = (step % stepsBetween) / stepsBetween;
      bodies[1].pose = from.map((value, i) => value + share * (to[i] - value));
    },
    close: () => scene.close(),
  };
}
