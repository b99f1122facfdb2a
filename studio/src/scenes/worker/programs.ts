// The program of each scene in its worker: a sample that moves by itself.

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
import { createHailProgram } from '../hail/hail.ts';
import type { Found, SceneName, Settings } from '../types.ts';
import type { Shown } from './frames.ts';

export interface Program extends Shown {
  /** The scene whose bodies are asked about. If left out, the program answers itself. */
  readonly scene?: Scene;
  ask?(): Promise<Found>;
  /** Moves on by one step. */
  advance(settings: Settings): Promise<void> | void;
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
      return moving(
        createBoxes(nf, { count: number('count'), turning: settings['turning'] === true }),
        () => grey,
      );
    case 'breaking':
      return moving(
        createBreaking(nf, {
          triangles,
          fallingTriangles: Math.round(triangles / 3),
          pieces: number('pieces'),
        }),
      );
    case 'leaves':
      return moving(createLeaves(nf, { leaves: number('leaves') }), leafColour);
    case 'bunnies':
      return moving(createBunnies(nf, { triangles }));
    case 'cloth':
      return moving(createFoldingCloth(nf, { triangles }), name => (name === 'ball' ? grey : undefined));
    case 'tori':
      return stepping(createTori(nf, { response }), 1);
    case 'heart':
      return stepping(createHeart(nf, { response }), 1, ventricles);
    case 'rings':
      return stepping(createRings(nf, { count: number('count') }), ringSteps);
    case 'jaws':
      return biting(nf, settings['all'] === true);
    case 'hail':
      return createHailProgram(nf, number('count'), settings);
  }
}

type Colour = readonly [number, number, number];
const grey: Colour = [172, 180, 190];
/** The left ventricle and the right one. */
const ventricles: readonly Colour[] = [
  [190, 72, 66],
  [96, 124, 184],
];
const bark: Colour = [128, 104, 84];
const autumn: readonly Colour[] = [
  [104, 140, 62],
  [150, 152, 58],
  [196, 158, 58],
  [186, 118, 52],
];
const leafColour = (name: string, i: number) => (name === 'branches' ? bark : autumn[i % autumn.length]);

/** A program whose motion does not depend on the answers. */
function moving(
  sample: Moving,
  colourOf: (name: string, i: number) => Colour | undefined = () => undefined,
): Program {
  return {
    scene: sample.scene,
    get bodies() {
      return sample.bodies;
    },
    parts: () => sample.parts().map((part, i) => ({ ...part, colour: colourOf(part.name, i) })),
    advance: () => sample.advance(),
    close: () => sample.close(),
  };
}

/** A step of the springs is a 480th of a second: this many make a sixtieth. */
const ringSteps = 8;

/** A program whose bodies push one another by what each step finds. Several steps are shown as one. */
function stepping(sample: Sample, steps: number, colours: readonly Colour[] = []): Program {
  return {
    scene: sample.scene,
    get bodies() {
      return sample.bodies;
    },
    parts: () => sample.parts().map((part, i) => ({ ...part, colour: colours[i] })),
    async advance() {
      for (let i = 0; i < steps; i++) await sample.step();
    },
    close: () => sample.close(),
  };
}

/** The colours of upper and lower teeth. */
const ivory: readonly Colour[] = [
  [240, 232, 214],
  [226, 214, 188],
];

/** Steps between two stages of a bite. */
const stepsBetween = 40;

/** Two jaws that open and close through all stages: all teeth, or the molars that the paper measures. */
function biting(nf: Nearfield, isWhole: boolean): Program {
  const { upper, lower, poseAt } = jawParts({ teeth: isWhole ? 'all' : 'five', triangles: 112_000 });
  // Starts between touching and closed.
  let step = 1.5 * stepsBetween;
  const poseNow = () => {
    const stage = Math.floor(step / stepsBetween) % jawStages.length;
    const [from, to] = [stage, (stage + 1) % jawStages.length].map(i => poseAt(jawStages[i]));
    const share = (step % stepsBetween) / stepsBetween;
    return from.map((value, i) => value + share * (to[i] - value));
  };
  const scene = nf.scene();
  const bodies = [
    scene.add(upper.mesh, { name: upper.name, pose: upper.pose }),
    scene.add(lower.mesh, { name: lower.name, pose: poseNow() }),
  ];
  return {
    scene,
    bodies,
    parts: () => bodies.map(({ name, mesh, pose }, i) => ({ name, mesh, pose, colour: ivory[i] })),
    advance() {
      step++;
      bodies[1].pose = poseNow();
    },
    close: () => scene.close(),
  };
}
