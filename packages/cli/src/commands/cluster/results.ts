// `nearfield cluster results RUN`: the answer of a run, as a merge of its shards gives it. With --project, what the team has
// decided and its baseline come from the register, and what is new goes into it.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { readShard } from '@nearfield/clashes';
import type { Register } from '@nearfield/cluster';
import { NearfieldError } from 'nearfield';
import { say, type Terminal } from '../../output/terminal.ts';
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
    const merged = (changes: MergeOptions) => {
      const { baseline, statuses } = changes;
      const others = new Set([baseline, statuses].filter(name => name !== undefined));
      const files = new StoredFiles(terminal.cwd, message => say(terminal, message), store, asked, others);
      return mergeShards(shards, files, { ...options, ...changes }, terminal);
    };
    if (project === undefined) return merged(options);
    const folder = await mkdtemp(join(tmpdir(), 'nearfield-project-'));
    try {
      return await withProject(cluster.register, project, by, folder, options, setBaseline, merged);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
}

/** The register as the files that a check knows: it reads and writes them, and what has changed is recorded. */
async function withProject(
  register: Register,
  project: string,
  by: string,
  folder: string,
  options: ResultsOptions,
  setBaseline: boolean,
  merged: (changes: MergeOptions) => Promise<number>,
): Promise<number> {
  for (const name of ['statuses', 'baseline'] as const) {
    if (options[name] !== undefined)
      throw new NearfieldError('bad-option', `--${name} and --project both say what was decided: give one`);
  }
  const statuses = join(folder, `${slug(project)}.json`);
  const clashes = Object.fromEntries(
    (await register.decisions(project)).map(({ clash, entry }) => [clash, entry]),
  );
  await writeFile(statuses, JSON.stringify({ version: 1, clashes }));
  const before = await register.baseline(project);
  const baseline = join(folder, `${slug(project)}-baseline.json`);
  if (before !== undefined) await writeFile(baseline, before.answer);
  const answer = join(folder, 'answer.json');
  const { out = [], json = false } = options;
  const status = await merged({
    ...options,
    ...{ statuses, baseline: before && baseline },
    out: setBaseline ? [...out, answer] : out,
    json: setBaseline && out.length === 0 ? false : json,
  });
  const written = JSON.parse(await readFile(statuses, 'utf8')) as {
    clashes: Record<string, Record<string, unknown>>;
  };
  await register.decide(project, by, new Map(Object.entries(written.clashes)));
  if (setBaseline) await register.setBaseline(project, by, await readFile(answer, 'utf8'));
  return status;
}

const slug = (project: string): string => project.replace(/[^\w-]+/g, '-').slice(0, 60) || 'project';
