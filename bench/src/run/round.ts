// One round of one engine at one case: a cold start, then warm questions, and in the last round its pairs compared
// with the exact answer per frame.

import type { Case } from '../case.ts';
import { addComparisons, type Comparison, comparePairs } from '../compare.ts';
import type { Engine, Session } from '../peers/engine.ts';
import type { CaseFile } from './case-file.ts';
import { collectGarbage, type Sample, settle, startWatch, type Task, takeTurns } from './measure.ts';
import { watchMemory } from './memory.ts';

export interface RoundOptions {
  /** Approximate milliseconds of warm questions; the same again for counting. */
  readonly time: number;
  readonly compare: boolean;
}

export interface Round {
  /** From meshes to the first answer. */
  readonly cold: Sample;
  readonly warm: readonly Sample[];
  readonly count: readonly Sample[];
  /** How far memory rose until the first answer, in MiB. Meaningful only in the first round of a fresh process. */
  readonly peakMiB: number;
  readonly pairs?: Comparison | undefined;
}

export async function playRound(
  { job, truth }: CaseFile,
  engine: Engine,
  { time, compare }: RoundOptions,
): Promise<Round> {
  const { frames } = job;
  collectGarbage();
  const risen = watchMemory();
  const stop = startWatch();
  const session = await settle(engine.load(job));
  await settle(session.ask(frames[0]));
  const cold = stop();
  const peakMiB = risen();
  const effort = { turns: 1, turnTime: time, cycle: frames.length };
  const tasks: Task[] = [run => session.ask(frames[run % frames.length])];
  if (session.count) tasks.push(run => session.count!(frames[run % frames.length]));
  const measured = job.question === 'build' ? [() => rebuild(job, engine)] : tasks;
  const [warm, count = []] = await takeTurns(measured, effort);
  const pairs = compare && truth ? await compareFrames(job, session, truth) : undefined;
  session.close();
  return { cold, warm, count, peakMiB, pairs };
}

/** The exact pairs per frame, from an exact engine. A build or a refit has none. */
export async function exactAnswers(job: Case, exact: Engine): Promise<Uint32Array[] | undefined> {
  if (job.question === 'build' || job.question === 'refit') return undefined;
  const session = await settle(exact.load(job));
  const answers: Uint32Array[] = [];
  for (const frame of job.frames) {
    answers.push(session.pairs(await settle(session.ask(frame))).slice());
  }
  session.close();
  return answers;
}

async function rebuild(job: Case, engine: Engine): Promise<void> {
  const session = await settle(engine.load(job));
  await settle(session.ask({}));
  session.close();
}

async function compareFrames(
  job: Case,
  session: Session,
  truth: readonly Uint32Array[],
): Promise<Comparison> {
  let sum: Comparison = { found: 0, missed: 0, false: 0 };
  for (const [i, frame] of job.frames.entries()) {
    const given = session.pairs(await settle(session.ask(frame)));
    sum = addComparisons(sum, comparePairs(truth[i], given));
  }
  return sum;
}
