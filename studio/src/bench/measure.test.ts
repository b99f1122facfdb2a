import { identity, open, shapes } from 'nearfield';
import type { Case, MethodJob, ParticleJob } from 'nearfield-bench/page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { caseOf, dataOf, measureCase } from './measure.ts';

const mesh = shapes.icosphere({ frequency: 4 });
const shifted = identity();
shifted[12] = 0.5;
const job = (question: Case['question'], frames: Case['frames'] = [{}]): Case => ({
  ...{ scene: 'test', name: 'two spheres', question, frames, tolerance: 0.1 },
  bodies: [
    { mesh, pose: identity() },
    { mesh, pose: shifted },
  ],
});

const falling: ParticleJob = {
  ...{ scene: 'particles', name: 'few', question: 'impacts' },
  particles: { particles: 200, colliders: 8, kinds: 'mixed', life: 4 },
};

describe('measuring', () => {
  let nf: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    nf = await open({ backend: 'cpu' });
  });
  afterAll(() => nf.close());

  it('gives a median between the quartiles for every question of the page', async () => {
    const away = new Float64Array(32);
    away.set(identity(), 0);
    away.set(shifted, 16);
    for (const [question, frames] of [
      ['pairs', [{}]],
      ['bodies', [{ allPoses: away }]],
      ['self', [{ positions: Float32Array.from(mesh.positions) }]],
      ['distance', [{}]],
      ['volume', [{ allPositions: [Float32Array.from(mesh.positions), new Float32Array()] }]],
      ['build', [{}]],
      ['scene', [{ allPoses: away }, { present: Uint32Array.of(1), allPoses: shifted }]],
    ] as const) {
      const { low, median, high, runs } = await measureCase(nf, job(question, frames), 5, {});
      expect(low, question).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(low);
      expect(high).toBeGreaterThanOrEqual(median);
      expect(runs).toBeGreaterThanOrEqual(5);
    }
  });

  it('measures frames of particles', async () => {
    const { median, runs } = await measureCase(nf, falling, 5, {});
    expect(median).toBeGreaterThan(0);
    expect(runs).toBeGreaterThanOrEqual(5);
  });

  it('refuses a GPU method on the CPU', async () => {
    for (const [question, method] of [
      ['scene', 'visibility'],
      ['pairs', 'visibility'],
      ['any', 'raycast'],
      ['any', 'layers'],
    ] as const) {
      const asked = measureCase(nf, { ...job(question), method }, 5, {});
      await expect(asked, method).rejects.toMatchObject({ code: 'no-gpu' });
    }
  });

  it('stops before the first question if it is already cancelled', async () => {
    const signal = AbortSignal.abort();
    for (const one of [job('scene'), falling]) {
      await expect(measureCase(nf, one, 60_000, { signal })).rejects.toMatchObject({ name: 'AbortError' });
    }
  });

  it('stops when it is cancelled', async () => {
    const cancel = new AbortController();
    const progress = () => cancel.abort();
    await expect(
      measureCase(nf, job('pairs'), 60_000, { signal: cancel.signal, progress }),
    ).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  it('refuses an unknown question', async () => {
    await expect(measureCase(nf, job('closest'), 5, {})).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('passes a case to a worker and back, and keeps shared meshes shared', () => {
    const given: MethodJob = { ...job('pairs'), method: 'raycast', images: { resolution: 64 } };
    const back = caseOf(structuredClone(dataOf(given))) as MethodJob;
    expect(back.method).toBe('raycast');
    expect(back.images).toEqual({ resolution: 64 });
    expect(back.bodies[0].mesh).toBe(back.bodies[1].mesh);
    expect(back.bodies[0].mesh.triangleCount).toBe(mesh.triangleCount);
    expect(back.bodies[1].pose).toEqual(shifted);
    expect(back.tolerance).toBe(0.1);
    expect(caseOf(structuredClone(dataOf(falling)))).toEqual(falling);
  });
});
