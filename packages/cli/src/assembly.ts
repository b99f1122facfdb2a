// Opens the requested backend and asks the question of `check` and of the sample.

import {
  type CheckAnswer,
  type CheckQuestion,
  checkInParts,
  findInTile,
  findShard,
  refuseIfShardIsTooLarge,
  type Shard,
  type ShardNumber,
  type Stage,
  type Tile,
  tilesOf,
} from '@nearfield/clashes';
import { type Nearfield, NearfieldError } from 'nearfield';
import { type Backend, machineLimits, openLibrary } from './backend.ts';
import { findFrames } from './frames/frames.ts';
import { type Method, methods } from './method.ts';
import type { Progress } from './output/progress.ts';
import { refuseIfTooLarge } from './room.ts';
import { version } from './version.ts';

export type Question = Omit<CheckQuestion, 'samples' | 'openTime' | 'version' | 'progress'> & {
  readonly backend: Backend;
  readonly progress: Progress;
};

/** Asks the whole question, in parts if it does not fit in memory at once. */
export async function openAndAsk(question: Question): Promise<CheckAnswer> {
  const { maxMemory } = machineLimits();
  if (question.found === undefined) refuseIfTooLarge(question.bodies, { maxMemory });
  return withLibrary(question, async (first, asked) => {
    let opened: Nearfield | undefined = first;
    const another = async (): Promise<Nearfield> => {
      const nf = opened ?? (await openFor(question.method, question.backend));
      opened = undefined;
      return nf;
    };
    if (asked.found !== undefined) return checkInParts(another, asked, maxMemory);
    const found = await findFrames(first, asked).catch(unlessMemory);
    try {
      // Finding the pairs is most of the work, and its progress is shown. If that or the rest does not fit in memory, it is
      // done in parts too.
      const rest = found && { ...asked, found, progress: () => {} };
      const answer = rest && (await checkInParts(another, rest, maxMemory).catch(unlessMemory));
      if (answer !== undefined) return answer;
    } finally {
      found?.close();
    }
    return checkInParts(another, asked, maxMemory);
  });
}

/** What does not fit in memory is asked in parts. */
function unlessMemory(error: unknown): undefined {
  if (!(error instanceof NearfieldError && error.code === 'out-of-memory')) throw error;
}

/** Only the part of the question that belongs to a shard. */
export async function openAndFind(question: Question, shard: ShardNumber): Promise<Shard> {
  const { maxMemory } = machineLimits();
  refuseIfTooLarge(question.bodies, { shard, maxMemory });
  return withLibrary(question, async (nf, asked) => {
    if (nf.backend === 'cpu' && !asked.samples) refuseIfShardIsTooLarge(asked, shard, maxMemory);
    return findShard(nf, asked, shard);
  });
}

/** The same, for a question that has only the bodies of the tile. */
export const openAndFindInTile = (question: Question, tile: Tile): Promise<Shard> =>
  withLibrary(question, (nf, asked) => findInTile(nf, asked, tile));

/** The tiles of a question. */
export const divide = ({ backend: _, ...question }: Question, count: number): readonly Tile[] =>
  tilesOf({ ...question, samples: false, openTime: 0, version, progress: () => {} }, count);

async function withLibrary<T>(
  { backend, progress, ...question }: Question,
  ask: (nf: Nearfield, question: CheckQuestion) => Promise<T>,
): Promise<T> {
  const start = performance.now();
  progress.stage('opening');
  const nf = await openFor(question.method, backend);
  try {
    const { samples } = methods[question.method];
    const openTime = performance.now() - start;
    let shown: Stage = 'opening';
    return await ask(nf, {
      ...{ ...question, samples, openTime, version },
      progress(stage, done) {
        if (stage !== shown) progress.stage(stage);
        shown = stage;
        progress.update(done);
      },
    });
  } finally {
    progress.clear();
    nf.close();
  }
}

/** Methods that draw images need a GPU. A software GPU will do if there is no other. */
async function openFor(method: Method, backend: Backend): Promise<Nearfield> {
  if (!methods[method].images) return openLibrary(backend);
  try {
    return await openLibrary('gpu');
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code !== 'no-gpu') throw error;
    throw new NearfieldError('no-gpu', `--method ${method} needs a GPU: ${error.message}`, { cause: error });
  }
}
