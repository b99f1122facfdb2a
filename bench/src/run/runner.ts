// Runs one case with every engine that can answer it. Each engine has its own process, fresh for the case, so that a
// row does not depend on the other rows. The processes take turns, so that a busy moment of the machine hits all of
// them.

import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, type PaperFigures, type Question, type Series, triangleCount } from '../case.ts';
import type { Comparison } from '../compare.ts';
import type { CullingRow } from '../culling/culling.ts';
import type { Engine } from '../peers/engine.ts';
import { writeCase } from './case-file.ts';
import { EngineClient } from './engine-client.ts';
import { summarise, type Times } from './measure.ts';
import { exactAnswers, type Round } from './round.ts';

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
  /** The count without reading back the list, if the engine offers it. */
  readonly count?: Times;
  /** Compared with the exact answer over all frames. */
  readonly pairs?: Comparison;
  /** How far the memory of the process rose above the meshes until the first answer, in MiB. */
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
  /** Pairs of bodies whose boxes meet, over all frames, if there are many bodies. */
  readonly candidates?: number | undefined;
  /** The paper's result for the same. */
  readonly paper?: PaperFigures | undefined;
  /** For cases that differ only in size. */
  readonly series?: Series | undefined;
  /** The work that the images of a scene leave to test, if a GPU rendered them. */
  readonly culling?: readonly CullingRow[] | undefined;
  readonly rows: readonly Row[];
}

export interface RunOptions {
  /** Approximate milliseconds of warm questions per engine, in total. */
  readonly time: number;
  /** Engines take turns in this many rounds. */
  readonly rounds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the share of the case that is done, 0 to 1. */
  readonly progress?: ((share: number) => void) | undefined;
}

/** `exact` gives the reference answer: Nearfield's own, which the tests check against oracles. */
export async function runCase(
  job: Case,
  engines: readonly Engine[],
  exact: Engine,
  options: RunOptions,
): Promise<CaseResult> {
  const truth = await exactAnswers(job, exact);
  const folder = await mkdtemp(join(tmpdir(), 'nearfield-bench-'));
  const players = engines.map((engine): Player => ({ engine, cannot: engine.cannot(job), rounds: [] }));
  try {
    const file = join(folder, 'case');
    writeFileSync(file, writeCase({ job, truth }));
    await playAll(players, file, options);
  } finally {
    for (const { client } of players) client?.end();
    rmSync(folder, { recursive: true, force: true });
  }
  const result: CaseResult = {
    scene: job.scene,
    name: job.name,
    question: job.question,
    triangles: triangleCount(job),
    bodies: job.bodies.length,
    frames: job.frames.length,
    candidates: job.candidates,
    paper: job.paper,
    series: job.series,
    rows: players.map(player => rowOf(job, player)),
  };
  if (!truth) return result;
  return { ...result, exactPairs: truth.reduce((sum, pairs) => sum + pairs.length / 2, 0) };
}

interface Player {
  readonly engine: Engine;
  client?: EngineClient;
  cannot: string | undefined;
  readonly rounds: Round[];
}

async function playAll(
  players: readonly Player[],
  file: string,
  { time, rounds = 3, signal, progress }: RunOptions,
): Promise<void> {
  const able = players.filter(({ cannot }) => cannot === undefined);
  let done = 0;
  for (let round = 0; round < rounds; round++) {
    for (const player of able) {
      progress?.(done++ / (rounds * able.length));
      if (player.cannot !== undefined) continue;
      try {
        player.client ??= await EngineClient.start(player.engine.name, file, player.engine.process);
        const last = round === rounds - 1;
        player.rounds.push(await player.client.round({ time: time / rounds, compare: last }));
      } catch (error) {
        player.cannot = `fails: ${error instanceof Error ? error.message : String(error)}`;
      }
      // Ctrl-C ends the processes of engines too; that is not their failure.
      signal?.throwIfAborted();
    }
  }
}

function rowOf({ question }: Case, { engine, cannot, rounds }: Player): Row {
  const about = { engine: engine.name, version: engine.version, setting: engine.setting(question) };
  if (cannot !== undefined) return { ...about, cannot };
  const count = rounds.flatMap(round => round.count);
  const { pairs } = rounds[rounds.length - 1];
  return {
    ...about,
    cold: summarise(rounds.map(round => round.cold)),
    warm: summarise(rounds.flatMap(round => round.warm)),
    ...(count.length > 0 && { count: summarise(count) }),
    ...(pairs && { pairs }),
    peakMiB: rounds[0].peakMiB,
  };
}
