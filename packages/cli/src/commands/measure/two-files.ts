// Questions about two files, each taken as one body: reads the files and the poses, asks per frame, writes the
// answer.

import { labelsOf, type Motion, naming } from '@nearfield/clashes';
import type { Body, Scene } from 'nearfield';
import { type Backend, openLibrary } from '../../backend.ts';
import { Files } from '../../files.ts';
import { type LoadedBody, loadBodies } from '../../input/load.ts';
import { expandSinglePatterns } from '../../input/patterns.ts';
import { readPoses } from '../../input/poses.ts';
import { writeResult } from '../../output/files/write-result.ts';
import { Progress } from '../../output/progress.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { parseBackend, parseExpansion, parseTessellation, parseUnits } from '../options.ts';

export interface TwoFilesOptions {
  readonly backend: string;
  readonly poses?: string | undefined;
  readonly json?: boolean | undefined;
  readonly out?: string | undefined;
  readonly maxExpansion?: string | undefined;
  readonly units?: string | undefined;
  readonly tessellation?: string | undefined;
  readonly tessellationAngle?: string | undefined;
}

export interface TwoFilesLimits {
  readonly signal: AbortSignal;
  readonly progress: (done: number) => void;
}

/** The output files of one frame, besides the printed answer. */
export interface FrameFiles {
  readonly files: Files;
  readonly outputs: readonly string[];
}

/** What to ask about the two bodies, how to write the answers, and which answer makes the exit status 1. */
export interface TwoFilesQuestion<A> {
  ask(scene: Scene, a: Body, b: Body, limits: TwoFilesLimits & FrameFiles): Promise<A>;
  /** The files that the question writes per frame, if any. */
  outputs?(frames: number, isMotion: boolean): readonly (readonly string[])[];
  json(frames: readonly A[], isMotion: boolean): Iterable<string>;
  table(names: readonly [string, string], frames: readonly A[], isMotion: boolean): Iterable<string>;
  isFound(answer: A): boolean;
}

export async function twoFiles<A>(
  names: readonly [string, string],
  options: TwoFilesOptions,
  terminal: Terminal,
  question: TwoFilesQuestion<A>,
): Promise<number> {
  const backend = parseBackend(options.backend);
  const reading = {
    oneBody: true,
    maxExpansion: parseExpansion(options.maxExpansion),
    units: parseUnits(options.units),
    tessellation: parseTessellation(options.tessellation, options.tessellationAngle),
  };
  const files = new Files(terminal.cwd, message => say(terminal, message));
  const progress = new Progress(terminal);
  try {
    const fileNames = await expandSinglePatterns(names, terminal.cwd);
    progress.stage('reading');
    const bodies = await loadBodies(fileNames, reading, files, progress, terminal);
    let motion: Motion | undefined;
    if (options.poses !== undefined) {
      motion = await readPoses(options.poses, bodies, files, terminal);
    }
    const isMotion = motion?.isMotion ?? false;
    const outputs = question.outputs?.(motion?.frames.length ?? 1, isMotion) ?? [];
    for (const name of [options.out ?? [], outputs].flat(2)) await files.checkOutput(name, '--out');
    const written = { files, outputs };
    const frames = await askFrames(question, bodies, motion, backend, progress, terminal.signal, written);
    const [first, second] = labelsOf(bodies);
    const pieces = options.json
      ? question.json(frames, isMotion)
      : question.table([first, second], frames, isMotion);
    await writeResult(pieces, options.out, files, terminal);
    return frames.some(question.isFound) ? 1 : 0;
  } finally {
    progress.clear();
  }
}

async function askFrames<A>(
  question: TwoFilesQuestion<A>,
  loaded: readonly LoadedBody[],
  motion: Motion | undefined,
  backend: Backend,
  progress: Progress,
  signal: AbortSignal,
  { files, outputs }: { readonly files: Files; readonly outputs: readonly (readonly string[])[] },
): Promise<A[]> {
  const nf = await openLibrary(backend);
  try {
    const scene = nf.scene();
    const [a, b] = loaded.map(({ name, mesh, pose, file }) =>
      naming(file, () => scene.add(mesh, pose ? { name, pose } : { name })),
    );
    const own = [a.pose, b.pose];
    const frames = motion?.frames ?? [new Map()];
    const found: A[] = [];
    progress.stage('measuring');
    for (let frame = 0; frame < frames.length; frame++) {
      signal.throwIfAborted();
      naming(motion?.isMotion ? `frame ${frame}` : undefined, () => {
        a.pose = frames[frame].get(0) ?? own[0];
        b.pose = frames[frame].get(1) ?? own[1];
      });
      const update = (done: number) => progress.update((frame + done) / frames.length);
      const limits = { signal, progress: update, files, outputs: outputs[frame] ?? [] };
      found.push(await question.ask(scene, a, b, limits));
    }
    return found;
  } finally {
    nf.close();
  }
}
