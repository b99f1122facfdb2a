// The examples of batch systems: well formed, and their commands are ones that the program takes. They were not run on such
// systems; here their commands run with the variables that these systems set.

import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { boxObj, runIn, testFolder } from '../../packages/cli/src/testing.ts';

const text = (name: string): string =>
  readFileSync(new URL(`../../examples/cluster/${name}`, import.meta.url), 'utf8');

/** The words of the command that a shell would run: it is replaced by one that prints its arguments. */
function wordsOf(script: string, command: string, environment: Record<string, string>): string[] {
  const folder = testFolder();
  const env = { ...environment, PATH: `${folder}:${process.env['PATH']}` };
  writeFileSync(join(folder, command), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
  const out = execFileSync('bash', ['--norc', '-c', script], { cwd: folder, env, encoding: 'utf8' });
  // Shards are written into a folder that the script makes.
  expect(existsSync(join(folder, 'shards'))).toBe(true);
  return out.trim().split('\n');
}

/** Runs a check of the examples on two small models; the names of the models are theirs. */
async function runs(words: readonly string[], index: number): Promise<void> {
  const folder = testFolder();
  mkdirSync(join(folder, 'shards'));
  for (const [i, name] of words.filter(word => word.endsWith('.glb')).entries())
    writeFileSync(join(folder, name.replace('.glb', '.obj')), boxObj(i / 2, 0, 0));
  const given = [...words.map(word => word.replace('.glb', '.obj')), '--units', 'm'];
  const { status, err } = await runIn(folder, given);
  expect({ status, err }).toEqual({ status: 0, err: expect.stringContaining('the answer is in') });
  expect(existsSync(join(folder, `shards/${index}.json`))).toBe(true);
}

// The examples are for Unix shells.
describe.skipIf(process.platform === 'win32')('examples of batch systems', () => {
  it('an indexed job of Kubernetes', async () => {
    const yaml = text('kubernetes-job.yaml');
    expect(parse(yaml)).toMatchObject({ kind: 'Job', spec: { completionMode: 'Indexed' } });
    for (const field of [
      'apiVersion: batch/v1',
      'kind: Job',
      'completionMode: Indexed',
      'restartPolicy: Never',
    ])
      expect(yaml).toContain(field);
    const count = Number(/completions: (\d+)/.exec(yaml)![1]);
    const folded = /- >-\n((?: {14}.*\n)+)/
      .exec(yaml)![1]
      .trim()
      .split(/\s*\n\s*/)
      .join(' ');
    const words = wordsOf(folded, 'npx', { JOB_COMPLETION_INDEX: String(count - 1) });
    expect(words.slice(0, 2)).toEqual(['--yes', '@nearfield/cli']);
    expect(words).toContain(`${count}/${count}`);
    await runs(words.slice(2), count);
  });

  it('an array of Slurm', async () => {
    const script = text('slurm-array.sh');
    execFileSync('bash', ['--norc', '-n'], { input: script });
    const directives = script.match(/^#SBATCH --[a-z-]+(=\S+)?$/gm)!;
    expect(directives.length).toBe(script.match(/#SBATCH/g)!.length);
    const words = wordsOf(script, 'nearfield', { SLURM_ARRAY_TASK_ID: '3', SLURM_ARRAY_TASK_COUNT: '16' });
    await runs(words, 3);
  });

  it('a cluster by compose', async () => {
    interface Service {
      readonly command?: string;
      readonly depends_on?: Readonly<Record<string, unknown>>;
    }
    const compose: { services: Readonly<Record<string, Service>>; volumes: object } = parse(
      text('compose.yaml'),
      {
        merge: true,
      },
    );
    const services = Object.values(compose.services);
    for (const { depends_on } of services)
      for (const name of Object.keys(depends_on ?? {})) expect(compose.services).toHaveProperty(name);
    expect(Object.keys(compose.volumes)).toEqual(['data', 'store']);
    // Every command is one that the program takes, with options that it knows.
    const commands = services.flatMap(
      ({ command }) => /npx nearfield (cluster \w+)(.*)"$/.exec(command ?? '') ?? [],
    );
    expect(commands.filter(word => /^cluster/.test(word))).toEqual([
      'cluster submit',
      'cluster work',
      'cluster results',
    ]);
    for (const { command } of services) {
      const found = /npx nearfield cluster (\w+)(.*)"$/.exec(command ?? '');
      if (found === null) continue;
      const { out } = await runIn(testFolder(), ['cluster', found[1], '--help']);
      for (const [option] of found[2].matchAll(/--[a-z-]+/g)) expect(out).toContain(option);
    }
  });
});
