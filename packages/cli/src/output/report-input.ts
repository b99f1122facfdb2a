// What does the report show? The bodies where they are in the world; of a motion, the frame with the most pairs.
// Pictures have +z upwards, as CAD and BIM have it; glTF has +y, so an assembly of glTF alone is turned for them.

import { applyPose, identity } from 'nearfield';
import type { AssemblyAnswer } from '../assembly.ts';
import type { LoadedBody } from '../input/load.ts';
import type { Motion } from '../input/poses.ts';
import { writeReport } from '../report/report.ts';

export function assemblyReport(
  title: string,
  answer: AssemblyAnswer,
  bodies: readonly LoadedBody[],
  motion: Motion | undefined,
): string {
  let shown = 0;
  answer.frames.forEach(({ pairs }, frame) => {
    if (pairs.length > answer.frames[shown].pairs.length) shown = frame;
  });
  const poses = motion?.frames[shown];
  const where = answer.isMotion ? `, frame ${shown} (of 0 to ${answer.frames.length - 1})` : '';
  const isTurned = bodies.every(({ file }) => /\.(glb|gltf)$/i.test(file ?? ''));
  return writeReport({
    title: title + where,
    bodies: bodies.map(({ name, file, mesh, pose }, index) => {
      const world = new Float64Array(mesh.positions.length);
      const placement = poses?.get(index) ?? pose ?? identity();
      for (let i = 0; i < world.length; i += 3) {
        applyPose(placement, mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2], world, i);
        if (isTurned) world.set([world[i], -world[i + 2], world[i + 1]], i);
      }
      const { triangles, vertices, closed } = answer.bodies[index];
      return { name, file, triangles, vertices, closed, positions: world, indices: mesh.indices };
    }),
    pairs: (answer.frames[shown]?.pairs ?? []).map(pair => ({
      ...pair,
      triangles: pair.triangles ?? new Uint32Array(0),
    })),
    backend: answer.backend,
    method: answer.method,
    timing: answer.timing,
    version: answer.version,
  });
}
