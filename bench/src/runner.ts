// Runs one case with every engine that can do it: a cold answer from a fresh start, warm answers in turns, and
// the pairs found against the exact answer, frame by frame.

import { type Case, type Question, triangleCount } from './case.ts';
import { addComparisons, type Comparison, comparePairs } from './compare.ts';
import {
  collectGarbage,
  type Sample,
  settle,
  startWatch,
  summarise,
  type Task,
  type Times,
  takeTurns,
} from './measure.ts';
import type { Engine, Session } from './peers/engine.ts';

export interface Row {
  readonly engine: string;
  readonly version: string;
  readonly setting: string;
  /** Why there are no figures. */
  readonly cannot?: string;
  /** From meshes to the first answer: trees and the question. */
  readonly cold?: Times;
  /** The question again, frame after frame. For a build: the build itself. */
  readonly warm?: Times;
  /** How many, without fetching the list, where the engine offers it. */
  readonly count?: Times;
  /** Of the exact answer over all frames. */
  readonly pairs?: Comparison;
  /** What the process's memory rose to above the meshes, in MiB: one build and one answer, on their own. */
  readonly peakMiB?: number;
}

export interface CaseResult {
  readonly scene: string;
  readonly name: string;
  readonly question: Question;
  readonly triangles: number;
  readonly bodies: number;
  readonly frames: number;
  /** Exact pairs over all frames; undefined for build and refit. */
  readonly exactPairs?: number;
  readonly rows: readonly Row[];
}

export interface RunOptions {
  /** Milliseconds of warm questions an engine gets in all, about. */
  readonly time: number;
}

/** `exact` gives the answer that the others are held against: Nearfield's own, which the tests hold to oracles. */
export async function runCase(
  job: Case,
  engines: readonly Engine[],
  exact: Engine,
  options: RunOptions,
): Promise<CaseResult> {
  const truth = await exactAnswers(job, exact);
  const tallies = engines.map(engine => createTally(job, engine));
  for (let round = 0; round < roundCount; round++) {
    for (const tally of tallies) {
      if (tally.cannot !== undefined) continue;
      try {
        await playRound(job, tally, round === roundCount - 1 ? truth : undefined, options);
      } catch (error) {
        tally.cannot = `fails: ${messageOf(error)}`;
      }
    }
  }
  const result: CaseResult = {
    scene: job.scene,
    name: job.name,
    question: job.question,
    triangles: triangleCount(job),
    bodies: job.bodies.length,
    frames: job.frames.length,
    rows: tallies.map(tally => rowOf(job, tally)),
  };
  if (!truth) return result;
  return { ...result, exactPairs: truth.reduce((sum, pairs) => sum + pairs.length / 2, 0) };
}

/** Engines take turns in this many rounds, so that a busy moment of the machine hits all of them. */
const roundCount = 3;

interface Tally {
  readonly engine: Engine;
  cannot: string | undefined;
  readonly cold: Sample[];
  readonly warm: Sample[];
  readonly count: Sample[];
  pairs: Comparison | undefined;
}

function createTally(job: Case, engine: Engine): Tally {
  return { engine, cannot: engine.cannot(job), cold: [], warm: [], count: [], pairs: undefined };
}

function rowOf({ question }: Case, { engine, cannot, cold, warm, count, pairs }: Tally): Row {
  const about = { engine: engine.name, version: engine.version, setting: engine.setting(question) };
  if (cannot !== undefined) return { ...about, cannot };
  return {
    ...about,
    cold: summarise(cold),
    warm: summarise(warm),
    ...(count.length > 0 && { count: summarise(count) }),
    ...(pairs && { pairs }),
  };
}

async function exactAnswers(job: Case, exact: Engine): Promise<Uint32Array[] | undefined> {
  if (job.question === 'build' || job.question === 'refit') return undefined;
  const session = await settle(exact.load(job));
  const answers: Uint32Array[] = [];
  for (const frame of job.frames) {
    answers.push(session.pairs(await settle(session.ask(frame))).slice());
  }
  session.close();
  return answers;
}

/**
 * One engine's turn: a fresh start, then warm questions, then everything freed, so that no engine runs in a heap full
 * of another's objects.
 */
async function playRound(
  job: Case,
  tally: Tally,
  truth: readonly Uint32Array[] | undefined,
  { time }: RunOptions,
): Promise<void> {
  const { engine, cold, warm, count } = tally;
  const { frames } = job;
  collectGarbage();
  const stop = startWatch();
  const session = await settle(engine.load(job));
  await settle(session.ask(frames[0]));
  cold.push(stop());
  const effort = { turns: 1, turnTime: time / roundCount, cycle: frames.length };
  if (job.question === 'build') {
    const [samples] = await takeTurns([() => rebuild(job, engine)], effort);
    warm.push(...samples);
  } else {
    const ask = (run: number) => session.ask(frames[run % frames.length]);
    const tasks: Task[] = [ask];
    if (session.count) tasks.push(run => session.count!(frames[run % frames.length]));
    const [asked, counted = []] = await takeTurns(tasks, effort);
    warm.push(...asked);
    count.push(...counted);
  }
  if (truth) tally.pairs = await compareFrames(job, session, truth);
  session.close();
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

const messageOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0];
