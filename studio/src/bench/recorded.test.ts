import { readdirSync, readFileSync } from 'node:fs';
import { keyOf, type PageJob, type ParticleCase, pageCases } from 'nearfield-bench/page';
import { beforeAll, expect, it } from 'vitest';
import { mediansOf } from './recorded.ts';

const folder = new URL('../../../bench/results/', import.meta.url);
const keys = new Set(pageCases.map(({ key }) => key));
/** Created once, because some take seconds. */
const jobs = new Map<string, PageJob>();
beforeAll(async () => {
  for (const { key, make } of pageCases) jobs.set(key, await make());
});

it('has a recorded result for every case of the page, in a few kilobytes', () => {
  const files = readdirSync(folder).filter(name => /^[^.]+\.json$/.test(name));
  const recorded = files.flatMap(name =>
    mediansOf(name, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))),
  );
  const names = recorded.map(({ machine, engine, kind }) => `${engine} on ${machine}: ${kind}`);
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(recorded.map(({ kind }) => kind))).toEqual(new Set(['cpu', 'gpu', 'peer']));
  // Short machine names, without trademarks and driver versions.
  for (const name of names)
    expect(name).toMatch(/^[\w-]+( [\d.]+)? on ([\w-]+ )+[\w-]+(, \d+ cores: (cpu|peer)|: gpu)$/);
  for (const key of keys) {
    const times = recorded.flatMap(({ medians }) => medians[key] ?? []);
    expect(times.length, key).toBeGreaterThan(0);
    for (const time of times) expect(time, key).toBeGreaterThan(0);
  }
  expect(JSON.stringify(recorded).length).toBeLessThan(20_000);
});

it('has the times of other libraries on the same machine, and none for what they cannot do', () => {
  const file = JSON.parse(readFileSync(new URL('amd-epyc-2-cores.json', folder), 'utf8'));
  const peers = mediansOf('amd-epyc-2-cores.json', file).filter(({ kind }) => kind === 'peer');
  expect(peers.map(({ engine }) => engine.split(' ')[0]).sort()).toEqual([
    'Jolt',
    'Manifold',
    'Rapier',
    'three-mesh-bvh',
  ]);
  for (const { engine, medians } of peers) {
    for (const { scene, name, question, rows } of file.cases) {
      const key = `${scene}: ${name}, ${question}`;
      if (!keys.has(key)) continue;
      const row = rows.find(
        (each: { engine: string; version: string }) => `${each.engine} ${each.version}` === engine,
      );
      expect(medians[key], `${engine}, ${key}`).toBe(row.warm && Number(row.warm.median.toPrecision(4)));
    }
  }
});

it('names the cases as they are recorded', () => {
  for (const [key, job] of jobs) expect(keyOf(job)).toBe(key);
});

it('has cases of every GPU method, compared only with rows of the same method', () => {
  const file = JSON.parse(readFileSync(new URL('nvidia-h200.json', folder), 'utf8'));
  const [cpu, gpu] = mediansOf('nvidia-h200.json', file);
  expect([cpu.kind, gpu.kind]).toEqual(['cpu', 'gpu']);
  const methods = new Set<string>();
  for (const { key, needsGpu = false } of pageCases) {
    const job = jobs.get(key)!;
    const method = 'particles' in job ? 'particles' : job.method;
    if (method === undefined) {
      expect(needsGpu, key).toBe(false);
      continue;
    }
    methods.add(method);
    expect(needsGpu, key).toBe(method !== 'particles');
    const rows =
      'particles' in job
        ? file.particles.filter(
            (row: ParticleCase & { backend: string }) =>
              row.backend === 'gpu' &&
              (['particles', 'colliders', 'kinds', 'life'] as const).every(
                name => row[name] === job.particles[name],
              ),
          )
        : file.lines.filter(
            ({ scene, name, engine }: Record<string, string>) =>
              scene === job.scene && name === job.name && engine === `Nearfield gpu ${method}`,
          );
    const times = rows.map(({ warm, found }: Record<string, { median: number }>) =>
      Number((warm ?? found).median.toPrecision(4)),
    );
    expect(times, key).toContain(gpu.medians[key]);
    expect(key in cpu.medians, key).toBe(!needsGpu);
  }
  expect([...methods].sort()).toEqual(['layers', 'particles', 'raycast', 'visibility']);
});
