// `nearfield distance A B`: how far apart two files are, each taken as one body, and where.

import { type Distance, NearfieldError } from 'nearfield';
import { naming } from '../assembly.ts';
import { type Backend, openLibrary } from '../backend.ts';
import { Files } from '../input/files.ts';
import { type LoadedBody, loadBodies } from '../input/load.ts';
import { type Motion, parsePoses } from '../input/poses.ts';
import { distanceJson } from '../output/json.ts';
import { Progress } from '../output/progress.ts';
import { distanceTable } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { writeResult } from './check.ts';
import { parseBackend } from './options.ts';

export interface DistanceOptions {
  readonly backend: string;
  readonly poses?: string | undefined;
  readonly json?: boolean | undefined;
  readonly out?: string | undefined;
}

/** 1 where they meet, in any frame of a motion; else 0. */
export async function distance(
  names: readonly [string, string],
  options: DistanceOptions,
  terminal: Terminal,
): Promise<number> {
  const backend = parseBackend(options.backend);
  const files = new Files(terminal.cwd);
  const progress = new Progress(terminal);
  try {
    progress.stage('reading');
    const bodies = await loadBodies(names, true, files, progress, terminal);
    let motion: Motion | undefined;
    if (options.poses !== undefined) {
      const bodyNames = bodies.map(({ name }) => name);
      motion = parsePoses(options.poses, await files.read(options.poses), bodyNames);
    }
    if (options.out !== undefined) await files.checkOutput(options.out, '--out');
    const frames = await askDistance(bodies, motion, backend, progress, terminal.signal);
    const isMotion = motion?.isMotion ?? false;
    const pieces = options.json
      ? distanceJson(frames, isMotion)
      : distanceTable([bodies[0].name, bodies[1].name], frames, isMotion);
    await writeResult(pieces, options.out, files, terminal);
    return frames.some(frame => frame.distance === 0) ? 1 : 0;
  } finally {
    progress.clear();
  }
}

async function askDistance(
  loaded: readonly LoadedBody[],
  motion: Motion | undefined,
  backend: Backend,
  progress: Progress,
  signal: AbortSignal,
): Promise<Distance[]> {
  const nf = await openLibrary(backend);
  try {
    const scene = nf.scene();
    const [a, b] = loaded.map(({ name, mesh, pose, file }) =>
      naming(file, () => scene.add(mesh, pose ? { name, pose } : { name })),
    );
    const own = [a.pose, b.pose];
    const frames = motion?.frames ?? [new Map()];
    const found: Distance[] = [];
    progress.stage('measuring');
    for (let frame = 0; frame < frames.length; frame++) {
      if (signal.aborted) throw new NearfieldError('aborted', 'cancelled');
      naming(motion?.isMotion ? `frame ${frame}` : undefined, () => {
        a.pose = frames[frame].get(0) ?? own[0];
        b.pose = frames[frame].get(1) ?? own[1];
      });
      const update = (done: number) => progress.update((frame + done) / frames.length);
      found.push(await scene.distance(a, b, { signal, progress: update }));
    }
    return found;
  } finally {
    nf.close();
  }
}
