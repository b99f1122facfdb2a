// What does the report show? The bodies at their places in the world. For a motion: every frame in which something
// meets, each pair of bodies in its worst frame, and an overview in the frame that is worst for most pairs. In
// pictures +z is up, as in CAD and BIM. In glTF +y is up, so an assembly of glTF files only is turned for its
// pictures.

import { applyPose, identity } from 'nearfield';
import type { AssemblyAnswer, GivenBody, Motion } from '../assembly/types.ts';
import { pairsOverFrames } from '../severity/worst-frame.ts';
import { Pauses, shareOf } from '../steps/pauses.ts';
import { mapped, type Steps } from '../steps/steps.ts';
import { labelsOf } from '../text/labels.ts';
import { type Encode, preparedShare, type ReportOptions, writeReport } from './report.ts';
import type { ReportBody, ReportInput, ReportMotion, ReportPair } from './types.ts';

export interface AssemblyReport extends ReportOptions {
  readonly title: string;
  readonly answer: AssemblyAnswer;
  readonly bodies: readonly GivenBody[];
  readonly motion?: Motion | undefined;
  /** When the check was made, as ISO 8601: 2026-11-18T09:30:00Z. */
  readonly date?: string | undefined;
  readonly encode: Encode;
}

/** The title of a report about files. */
export const titleOf = (files: readonly string[]): string =>
  `Interference in ${files.length > 3 ? `${files.length} files` : files.join(', ')}`;

export async function assemblyReport(report: AssemblyReport): Promise<string> {
  const { answer, bodies, progress } = report;
  const pairCount = answer.frames.reduce((sum, { pairs }) => sum + pairs.length, 0);
  const to = preparedShare(bodies.length, pairCount);
  const prepared = shareOf({ progress, from: 0, to }, bodies.length + 2 * pairCount);
  const input = await new Pauses(report.signal).finish(reportInput(report), prepared);
  return writeReport(input, report.encode, {
    ...report,
    progress: progress && (done => progress(to + (1 - to) * done)),
  });
}

/** The bodies and pairs of an answer as pictures need them: at their places in the world, with +z up. */
export function* reportInput(report: Omit<AssemblyReport, 'encode'>): Steps<ReportInput> {
  const { title, answer, bodies, motion, date } = report;
  const isTurned = bodies.every(({ file }) => /\.(glb|gltf)$/i.test(file ?? ''));
  const turned = (p: Float64Array | undefined) => (p && isTurned ? Float64Array.of(p[0], -p[2], p[1]) : p);
  const labels = labelsOf(bodies);
  const bodyAt = (index: number, frame: number): ReportBody => {
    const { file, mesh, pose } = bodies[index];
    const world = new Float64Array(mesh.positions.length);
    const placement = motion?.frames[frame].get(index) ?? pose ?? identity();
    for (let i = 0; i < world.length; i += 3) {
      applyPose(placement, mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2], world, i);
      if (isTurned) world.set([world[i], -world[i + 2], world[i + 1]], i);
    }
    const { triangles, vertices, closed, solid, path, id, type } = answer.bodies[index];
    return {
      ...{ name: labels[index], file, triangles, vertices, closed, solid, path, id, type },
      ...{ positions: world, indices: mesh.indices },
    };
  };
  const pairs = yield* mapped(yield* pairsOf(answer), pair => ({
    ...pair,
    ...{ place: pair.point ?? pair.pointA, pointA: turned(pair.pointA), pointB: turned(pair.pointB) },
  }));
  const frame = frameToShow(pairs);
  const found = answer.frames.filter(({ pairs }) => pairs.length > 0);
  const { backend, method, timing, version, unitName, tolerance, clearance, files, failOn, unmeasured } =
    answer;
  const { tests, sets, warnings, matrix, groups, history } = answer;
  const shown: ReportMotion = { frameCount: answer.frames.length, frame, frames: found, bodyAt };
  return {
    title,
    bodies: yield* mapped(bodies, (_, index) => bodyAt(index, frame)),
    pairs,
    ...(answer.isMotion && { motion: shown }),
    ...{ date, backend, method, timing, version, unitName, tolerance, clearance, files, failOn, unmeasured },
    ...{ tests, sets, warnings, matrix, groups, history },
  };
}

/** The frame in which most pairs that do more than touch are at their worst; the first of several. */
function frameToShow(pairs: readonly ReportPair[]): number {
  const counts = new Map<number, number>();
  for (const { relation, when } of pairs) {
    const frame = when?.frame ?? 0;
    counts.set(
      frame,
      (counts.get(frame) ?? 0) + (relation === 'touching' || relation === 'separate' ? 2 ** -20 : 1),
    );
  }
  const [best = [0]] = [...counts].sort(([f, n], [g, m]) => m - n || f - g);
  return best[0];
}

/** Every pair of bodies that meet or are too close in some frame, once, in its worst state. */
const pairsOf = (answer: AssemblyAnswer): Steps<ReportPair[]> =>
  mapped(pairsOverFrames(answer), ({ pair, frame, frames }) => ({
    ...pair,
    triangles: pair.triangles ?? new Uint32Array(0),
    ...(answer.isMotion && { when: { frame, frames } }),
  }));
