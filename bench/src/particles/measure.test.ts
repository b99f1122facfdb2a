import { expect, test } from 'vitest';
import { markdown } from '../tables/markdown.ts';
import { shortTable } from '../tables/short.ts';
import { measureParticles, type ParticleRow } from './measure.ts';
import { collidersOf, type ParticleCase, particleCases, particleOptions } from './scene.ts';
import { particleCells, particleHeads } from './table.ts';

const small = (changes: Partial<ParticleCase>): ParticleCase => ({
  ...{ particles: 400, colliders: 8, kinds: 'mixed', life: 0.5 },
  ...changes,
});

test('has eight sizes, colliders from 1 to 512 of each kind, and the goal at three rates', () => {
  expect(new Set(particleCases.map(({ particles }) => particles)).size).toBeGreaterThanOrEqual(8);
  for (const kinds of ['planes', 'quadrics', 'mixed']) {
    const counts = particleCases.filter(job => job.kinds === kinds).map(({ colliders }) => colliders);
    expect(counts).toEqual(expect.arrayContaining([1, 8, 64, 512]));
  }
  const goal = particleCases.filter(({ target }) => target);
  expect(goal.map(({ particles, colliders }) => [particles, colliders])).toEqual(Array(3).fill([1e7, 64]));
  // Each hits once per life.
  const rates = goal.map(({ particles, life }) => Math.round(particles / life / 60 / 1000));
  expect(rates).toEqual([4, 17, 42]);
});

test('64 mixed colliders are 24 planes, 16 spheres, 16 quadrics, 4 moving ones and 4 meshes', () => {
  const colliders = collidersOf('mixed', 64, 4);
  const count = (test: (collider: (typeof colliders)[number]) => boolean) => colliders.filter(test).length;
  expect([
    count(collider => 'plane' in collider),
    count(collider => 'sphere' in collider && collider.motion === undefined),
    count(collider => 'quadric' in collider),
    count(collider => collider.motion !== undefined),
    count(collider => 'mesh' in collider),
  ]).toEqual([24, 16, 16, 4, 4]);
});

test('every particle hits once per life, whatever it falls through', async () => {
  for (const kinds of ['planes', 'quadrics', 'mixed'] as const) {
    for (const colliders of [1, 8, 64]) {
      const job = small({ kinds, colliders });
      const rows = await measureParticles({
        backend: 'cpu',
        time: 1,
        frames: 2,
        patience: 1e9,
        cases: [job],
      });
      expect(rows).toHaveLength(1);
      const { open } = await import('nearfield');
      const nf = await open({ backend: 'cpu' });
      const particles = nf.particlesSync(particleOptions(job));
      const hits = particles.impactsSync(10 * job.life, 11 * job.life).count;
      expect(Math.abs(hits - job.particles), `${kinds} ${colliders}`).toBeLessThan(0.05 * job.particles);
      nf.close();
    }
  }
});

test('writes one line per row, in markdown and for a terminal', async () => {
  const seen: ParticleRow[] = [];
  const rows = await measureParticles({
    ...{ backend: 'cpu', time: 5, frames: 5, patience: 1e9 },
    cases: [small({}), small({ particles: 800, target: true })],
    report: row => seen.push(row),
  });
  expect(seen).toEqual(rows);
  expect(rows.map(({ impacts }) => impacts > 0)).toEqual([true, true]);
  for (const row of rows) expect(particleCells(row)).toHaveLength(particleHeads.length);
  const machine = { processor: 'p', cores: 2, memoryGiB: 1, node: 'v20' };
  const text = [...markdown({ machine, date: 'd', cases: [], particles: rows })].join('');
  expect(text.match(/\| 8 mixed \|/g)).toHaveLength(2);
  expect(shortTable([], rows)).toContain('800 *');
});

test('leaves out cases that would take too long', async () => {
  const cases = [small({}), small({ particles: 100_000 }), small({ particles: 500 })];
  const rows = await measureParticles({ backend: 'cpu', time: 1, frames: 1, patience: 1e-3, cases });
  expect(rows.map(({ particles }) => particles)).toEqual([400]);
});
