// The three scenes of the paper: a dragon that breaks, a tree that loses its leaves, and two rabbits deep in one another.

import type { Mesh } from 'nearfield';
import { type Case, type Frame, movedTo } from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { filled, fitted } from '../../scenes/meshes/generated.ts';
import { bunny } from '../../scenes/meshes/models.ts';
import { simplified, standing, stanfordDragon } from '../../scenes/meshes/scanned.ts';
import { breaking, bunnies, leaves } from '../../scenes/papers/visibility.ts';
import type { Lab } from '../paper.ts';

/** Scenes are made once per size, since each takes seconds. */
const made = new Map<string, Case>();
const once = (name: string, make: () => Case): Case => {
  let job = made.get(name);
  if (job === undefined) made.set(name, (job = make()));
  return job;
};

/** Solids for the breaking scene in place of generated ones, and the page's sentences about both. */
export interface BreakingModels {
  readonly model?: Mesh;
  readonly fallingModel?: Mesh;
  readonly words: string;
}

let models: Promise<BreakingModels> | undefined;

/** The paper's sizes: 112,000 and 35,000 triangles, 2.5 and 1.5 m tall before the rabbit is made smaller. */
export const breakingModels = ({ isSoftware }: Lab): Promise<BreakingModels> =>
  isSoftware
    ? Promise.resolve({ words: 'Dragon and rabbit are generated, small enough for a software GPU.' })
    : (models ??= scannedModels(112_000, 35_000));

/** The scanned models. `from` is where the search for the package of the dragon begins. */
export async function scannedModels(
  triangles: number,
  fallingTriangles: number,
  from?: string | URL,
): Promise<BreakingModels> {
  const [dragon, rabbit] = [await stanfordDragon(from), await bunny()];
  const whole = 'mesh' in dragon ? dragon.mesh : undefined;
  const model = whole && (await simplified(whole, triangles));
  const why = 'missing' in dragon ? dragon.missing : 'simplified, it is not closed';
  const fallingModel = rabbit && (await simplified(filled(rabbit.mesh), fallingTriangles));
  const count = (mesh: Mesh) => `${mesh.triangleCount.toLocaleString('en')} triangles`;
  const words = [
    whole && model
      ? `The dragon is the Stanford dragon of ${count(whole)}, simplified to ${count(model)}`
      : `The dragon is generated: ${why}`,
    rabbit && fallingModel
      ? `the rabbit is the Stanford bunny, its holes filled, simplified to ${count(fallingModel)}.`
      : 'the rabbit is generated: the Stanford bunny is not installed, or not closed once simplified.',
  ].join('; ');
  return {
    ...(model && { model: standing(model, 2.55) }),
    ...(fallingModel && { fallingModel: standing(fallingModel, 1.5) }),
    words,
  };
}

export async function breakingCase(lab: Lab): Promise<Case> {
  const { cpu, isSoftware } = lab;
  const { model, fallingModel } = await breakingModels(lab);
  const small = { triangles: 1200, fallingTriangles: 400, pieces: 30 };
  return once(`breaking ${isSoftware}`, () =>
    isSoftware
      ? breaking(cpu, small, { first: 12, every: 9, frames: 6 })
      : breaking(cpu, { ...(model && { model }), ...(fallingModel && { fallingModel }) }),
  );
}

export const leavesCase = ({ cpu, isSoftware }: Lab): Case =>
  once(`leaves ${isSoftware}`, () =>
    isSoftware ? leaves(cpu, { leaves: 8, fineness: 0.25 }, { first: 1, every: 40, frames: 3 }) : leaves(cpu),
  );

export async function rabbitsCase({ cpu, isSoftware }: Lab): Promise<Case> {
  const real = isSoftware ? undefined : await bunny();
  const frames = isSoftware ? 2 : 12;
  return once(`rabbits ${isSoftware}`, () =>
    real
      ? scannedRabbits(fitted(filled(real.mesh)), frames)
      : bunnies(cpu, isSoftware ? { triangles: 800 } : {}, { first: 5, every: 20, frames }),
  );
}

/** The scanned model against itself, along a path like that of the generated one. */
function scannedRabbits(mesh: Mesh, count: number): Case {
  const pose = turnAbout([0, 0, 1], 0, [0, 0, 0], [0, 0, 0]);
  const frames: Frame[] = Array.from({ length: count }, (_, i) => {
    const phase = (2 * Math.PI * i) / count;
    const shift = [0.3 + 0.1 * Math.cos(phase), 0.2 * Math.sin(phase), 0.1 * Math.sin(2 * phase)];
    return movedTo([pose, turnAbout([0, 0, 1], 0.9 + phase, [0, 0, 0], shift)]);
  });
  const bodies = [0, 1].map(() => ({ mesh, pose }));
  return {
    scene: 'visibility',
    name: 'two scanned rabbits',
    question: 'scene',
    bodies,
    frames,
    candidates: count,
  };
}
