// `nearfield cluster results RUN`: the answer of a run, as a merge of its shards gives it. With --project, what the team has
// decided and its baseline come from the register, and what is new goes into it.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { assemblyJson, readShard } from '@nearfield/clashes';
import type { Register } from '@nearfield/cluster';
import { NearfieldError } from 'nearfield';
import { say, type Terminal } from '../../output/terminal.ts';
import type { Merged } from '../check/check.ts';
import { type MergeOptions, mergeShards } from '../check/shards/merge.ts';
import { type ClusterPlace, storeOf, withCluster } from './open.ts';
import { readAskedOfRun, StoredFiles } from './stored-files.ts';

export interface ResultsOptions extends MergeOptions, ClusterPlace {
  readonly project?: string | undefined;
  readonly by?: string | undefined;
  readonly setBaseline?: boolean | undefined;
}

export async function results(run: string, options: ResultsOptions, terminal: Terminal): Promise<number> {
  const { project, by = userInfo().username, setBaseline = false } = options;
  if (setBaseline && project === undefined)
    throw new NearfieldError('bad-option', '--set-baseline needs --project, whose baseline it is');
  return withCluster(options, async (cluster, { FolderStore }) => {
    const store = new FolderStore(resolve(terminal.cwd, storeOf(options)));
    const { asked: given } = await cluster.status(run);
    const asked = readAskedOfRun(run, given);
    const texts = await cluster.results(run);
    const shards = texts.map((text, i) => readShard(`tile ${i + 1} of ${run}`, text));
    const merged = (
      changes: Partial<MergeOptions>,
      named: ReadonlyMap<string, string>,
      answered?: Merged['answered'],
    ) => {
      const { baseline, statuses } = changes;
      const others = new Map(
        [baseline, statuses].flatMap(name => (name === undefined ? [] : [[name, name]])),
      );
      for (const [name, path] of named) others.set(name, path);
      const files = new StoredFiles(terminal.cwd, message => say(terminal, message), store, asked, others);
      return mergeShards(shards, files, { ...options, ...changes }, terminal, answered);
    };
    if (project === undefined) return merged(options, new Map());
    for (const name of ['statuses', 'baseline'] as const) {
      if (options[name] !== undefined)
        throw new NearfieldError('bad-option', `--${name} and --project both say what was decided: give one`);
    }
    const folder = await mkdtemp(join(tmpdir(), 'nearfield-project-'));
    try {
      return await withProject(cluster.register, { project, by, setBaseline, folder }, merged);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

interface Project {
  readonly project: string;
  readonly by: string;
  readonly setBaseline: boolean;
  /** A folder for temporary files. */
  readonly folder: string;
}

/** The register as the files that a check knows: it reads and writes them, and what has changed is recorded. */
async function withProject(
  register: Register,
  { project, by, setBaseline, folder }: Project,
  merged: (
    changes: Partial<MergeOptions>,
    named: ReadonlyMap<string, string>,
    answered: Merged['answered'],
  ) => Promise<number>,
): Promise<number> {
  // The names that messages and answers give them.
  const [statuses, baseline] = [`project ${project}`, `the baseline of project ${project}`];
  const paths = { statuses: join(folder, 'statuses.json'), baseline: join(folder, 'baseline.json') };
  const clashes = Object.fromEntries(
    (await register.decisions(project)).map(({ clash, entry }) => [clash, entry]),
  );
  await writeFile(paths.statuses, JSON.stringify({ version: 1, clashes }));
  const before = await register.baseline(project);
  if (before !== undefined) await writeFile(paths.baseline, before.answer);
  let answer = '';
  const status = await merged(
    { statuses, baseline: before && baseline },
    new Map([
      [statuses, paths.statuses],
      [baseline, paths.baseline],
    ]),
    given => {
      if (setBaseline) answer = [...assemblyJson(given, false)].join('');
    },
  );
  const written = JSON.parse(await readFile(paths.statuses, 'utf8')) as {
    clashes: Record<string, Record<string, unknown>>;
  };
  await register.decide(project, by, new Map(Object.entries(written.clashes)));
  if (setBaseline) await register.setBaseline(project, by, answer);
  return status;
}
