// A check divided among processes of this machine: each does shards as another machine would, and the merge is the same.

import { fork } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { readShard } from '@nearfield/clashes';
import { NearfieldError } from 'nearfield';
import { Files } from '../../files.ts';
import { say, type Terminal } from '../../output/terminal.ts';
import { askingOptions, type CheckOptions, parseSettings } from '../check/settings.ts';
import { mergeShards } from '../check/shards/merge.ts';

/** Shards per process, so that none waits long for the last. */
const shardsEach = 3;

export async function checkHere(
  names: readonly string[],
  options: CheckOptions,
  tiles: number | undefined,
  terminal: Terminal,
): Promise<number> {
  parseSettings(options);
  const files = new Files(terminal.cwd, message => say(terminal, message));
  // What cannot be read is said once, before processes are started.
  for (const name of names) await files.read(name, 0);
  const processes = availableParallelism();
  const count = tiles ?? shardsEach * processes;
  say(
    terminal,
    `no database: ${count} tiles are done by ${Math.min(processes, count)} processes of this machine`,
  );
  const folder = await mkdtemp(join(tmpdir(), 'nearfield-shards-'));
  try {
    // One thread each: there is a process per processor.
    const words = ['check', ...names, ...wordsOf(options), '--threads', '1'];
    let next = 1;
    const stop = new AbortController();
    const signal = AbortSignal.any([terminal.signal, stop.signal]);
    const lane = async () => {
      while (next <= count) {
        const index = next++;
        const out = ['--shard', `${index}/${count}`, '--out', join(folder, `${index}.json`)];
        await child([...words, ...out], index, signal, terminal);
      }
    };
    const lanes = Array.from({ length: Math.min(processes, count) }, lane);
    try {
      await Promise.all(lanes);
    } catch (error) {
      stop.abort();
      await Promise.allSettled(lanes);
      throw error;
    }
    const shards = [];
    for (let index = 1; index <= count; index++) {
      const text = await readFile(join(folder, `${index}.json`), 'utf8');
      shards.push(readShard(`shard ${index}/${count}`, text));
    }
    return await mergeShards(shards, files, answering(options), terminal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The options without those that shards have been asked with. */
function answering(options: CheckOptions): CheckOptions {
  const asked: readonly string[] = askingOptions;
  return Object.fromEntries(
    Object.entries(options).filter(([name]) => !asked.includes(name)),
  ) as unknown as CheckOptions;
}

/** The options that ask, as words of the command line. */
function wordsOf(options: CheckOptions): string[] {
  const words = ['--backend', options.backend];
  for (const name of askingOptions) {
    const value = options[name];
    const option = `--${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;
    if (value === undefined || value === false) continue;
    if (value === true) words.push(option);
    else if (name === 'between') words.push(option, ...(value as readonly string[]));
    else for (const each of [value].flat()) words.push(option, each as string);
  }
  return words;
}

/** Runs this program in a process of its own. Rejects with the last line that it said, if it fails. */
function child(
  words: readonly string[],
  index: number,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const started = fork(process.argv[1], words, {
      cwd: terminal.cwd,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      signal,
    });
    let said = '';
    started.stderr?.on('data', chunk => (said += chunk));
    started.on('error', reject);
    started.on('close', (status, ended) => {
      const lines = said.split('\n').filter(line => line.startsWith('nearfield: '));
      if (status === 0) return resolve();
      const last = lines.at(-1)?.slice('nearfield: '.length) ?? `ended by ${ended ?? `status ${status}`}`;
      reject(new NearfieldError('bad-option', `shard ${index}: ${last}`));
    });
  });
}
