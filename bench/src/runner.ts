// Runs one case with every engine that can do it: a cold answer from a fresh start, warm answers in turns, and
// the pairs found against the exact answer, frame by frame.

import { type Case, type Question, triangleCount } from './case.ts';
import { addComparisons, type Comparison, comparePairs } from './compare.ts';
import { type Sample, settle, startWatch, summarise, type Times, takeTurns } from './measure.ts';
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
  /** Milliseconds an engine runs in all, about; three fifths of it in turns of warm questions. */
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
  const rows: Row[] = [];
  const sessions: { engine: Engine; session: Session; cold: Times; failure?: string }[] = [];
  for (const engine of engines) {
    const about = { engine: engine.name, version: engine.version, setting: engine.setting(job.question) };
    const cannot = engine.cannot(job);
    if (cannot !== undefined) {
      rows.push({ ...about, cannot });
      continue;
    }
    try {
      sessions.push({ engine, ...(await coldStarts(job, engine, options)) });
      rows.push(about);
    } catch (error) {
      rows.push({ ...about, cannot: `fails: ${messageOf(error)}` });
    }
  }
  const figures = await warmRuns(job, sessions, options);
  for (const [i, { engine, session, cold }] of sessions.entries()) {
    const at = rows.findIndex(row => row.engine === engine.name);
    const pairs = truth && (await compareFrames(job, session, truth));
    rows[at] = { ...rows[at], cold, ...figures[i], ...(pairs && { pairs }) };
    session.close();
  }
  const result: CaseResult = {
    scene: job.scene,
    name: job.name,
    question: job.question,
    triangles: triangleCount(job),
    bodies: job.bodies.length,
    frames: job.frames.length,
    rows,
  };
  if (!truth) return result;
  return { ...result, exactPairs: truth.reduce((sum, pairs) => sum + pairs.length / 2, 0) };
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

/** Fresh starts until a share of the time is spent, at most nine; the last one's session is kept. */
async function coldStarts(job: Case, engine: Engine, { time }: RunOptions) {
  const samples: Sample[] = [];
  const begun = performance.now();
  let session: Session | undefined;
  do {
    session?.close();
    const stop = startWatch();
    session = await settle(engine.load(job));
    await settle(session.ask(job.frames[0]));
    samples.push(stop());
  } while (samples.length < 9 && performance.now() - begun < time / 5);
  return { session, cold: summarise(samples) };
}

async function warmRuns(
  job: Case,
  sessions: readonly { engine: Engine; session: Session }[],
  { time }: RunOptions,
): Promise<{ warm: Times; count?: Times }[]> {
  const { frames } = job;
  const effort = { turns: 5, turnTime: (0.6 * time) / 5, cycle: frames.length };
  if (job.question === 'build') {
    const builds = sessions.map(({ engine }) => async () => {
      const session = await settle(engine.load(job));
      await settle(session.ask({}));
      session.close();
    });
    return (await takeTurns(builds, effort)).map(samples => ({ warm: summarise(samples) }));
  }
  const asks = sessions.map(
    ({ session }) =>
      (run: number) =>
        session.ask(frames[run % frames.length]),
  );
  const counting = sessions.filter(({ session }) => session.count);
  const counts = counting.map(
    ({ session }) =>
      (run: number) =>
        session.count!(frames[run % frames.length]),
  );
  const samples = await takeTurns([...asks, ...counts], effort);
  return sessions.map(({ session }, i) => {
    const warm = summarise(samples[i]);
    const counted = counting.findIndex(other => other.session === session);
    return counted < 0 ? { warm } : { warm, count: summarise(samples[sessions.length + counted]) };
  });
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
