// The three scenes of the paper: a dragon that breaks, a tree that loses its leaves, and two rabbits deep in one another.

import type { Mesh } from 'nearfield';
import { type Case, type Frame, movedTo } from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { filled, fitted } from '../../scenes/meshes/generated.ts';
import { bunny } from '../../scenes/meshes/models.ts';
import { breaking, bunnies, leaves } from '../../scenes/papers/visibility.ts';
import type { Lab } from '../paper.ts';

/** Scenes are made once per size, since each takes seconds. */
const made = new Map<string, Case>();
const once = (name: string, make: () => Case): Case => {
  let job = made.get(name);
  if (job === undefined) made.set(name, (job = make()));
  return job;
};

export const breakingCase = ({ cpu, isSoftware }: Lab): Case =>
  once(`breaking ${isSoftware}`, () =>
    isSoftware
      ? breaking(
          cpu,
          { triangles: 1200, fallingTriangles: 400, pieces: 30 },
          { first: 12, every: 9, frames: 6 },
        )
      : breaking(cpu),
  );

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
