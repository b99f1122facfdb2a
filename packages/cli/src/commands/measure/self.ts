// `nearfield self FILE`: finds pairs of triangles of one file that share more than their common corners and edges.
// The file is taken as one body.

import { type Motion, naming } from '@nearfield/clashes';
import { type Backend, openLibrary } from '../../backend.ts';
import { Files } from '../../files.ts';
import { type LoadedBody, loadBodies } from '../../input/load.ts';
import { expandSinglePatterns } from '../../input/patterns.ts';
import { readPoses } from '../../input/poses.ts';
import { writeResult } from '../../output/files/write-result.ts';
import { selfJson } from '../../output/json.ts';
import { Progress } from '../../output/progress.ts';
import { selfTable } from '../../output/table.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { parseBackend, parseExpansion } from '../options.ts';

export interface SelfOptions {
  readonly backend: string;
  readonly poses?: string | undefined;
  readonly json?: boolean | undefined;
  readonly out?: string | undefined;
  readonly maxExpansion?: string | undefined;
}

export async function self(name: string, options: SelfOptions, terminal: Terminal): Promise<number> {
  const backend = parseBackend(options.backend);
  const maxExpansion = parseExpansion(options.maxExpansion);
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const progress = new Progress(terminal);
  try {
    const fileNames = await expandSinglePatterns([name], terminal.cwd);
    progress.stage('reading');
    const [body] = await loadBodies(fileNames, { oneBody: true, maxExpansion }, files, progress, terminal);
    let motion: Motion | undefined;
    if (options.poses !== undefined) {
      motion = await readPoses(options.poses, [body], files, terminal);
    }
    if (options.out !== undefined) await files.checkOutput(options.out, '--out');
    const frames = await askSelf(body, motion, backend, progress, terminal.signal);
    const isMotion = motion?.isMotion ?? false;
    const pieces = options.json
      ? selfJson(frames, isMotion)
      : selfTable(body.name, body.mesh.triangleCount, frames, isMotion);
    await writeResult(pieces, options.out, files, terminal);
    return frames.some(triangles => triangles.length > 0) ? 1 : 0;
  } finally {
    progress.clear();
  }
}

/** The pairs (i, j) with i < j, per frame. */
async function askSelf(
  loaded: LoadedBody,
  motion: Motion | undefined,
  backend: Backend,
  progress: Progress,
  signal: AbortSignal,
): Promise<Uint32Array[]> {
  const nf = await openLibrary(backend);
  try {
    const scene = nf.scene();
    const body = naming(loaded.file, () => scene.add(loaded.mesh, { name: loaded.name }));
    const own = body.pose;
    const frames = motion?.frames ?? [new Map()];
    const found: Uint32Array[] = [];
    progress.stage('checking');
    for (let frame = 0; frame < frames.length; frame++) {
      signal.throwIfAborted();
      naming(motion?.isMotion ? `frame ${frame}` : undefined, () => {
        body.pose = frames[frame].get(0) ?? own;
      });
      const update = (done: number) => progress.update((frame + done) / frames.length);
      const { triangles } = await scene.selfIntersections(body, { signal, progress: update });
      // The answer may be a view of memory that the library reuses.
      found.push(triangles.slice());
    }
    return found;
  } finally {
    nf.close();
  }
}
