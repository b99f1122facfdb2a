import { identity, open, shapes } from 'nearfield';
import type { Case } from 'nearfield-bench/page';
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

describe('measuring', () => {
  let nf: Awaited<ReturnType<typeof open>>;
  beforeAll(async () => {
    nf = await open({ backend: 'cpu' });
  });
  afterAll(() => nf.close());

  it('gives a median between the quartiles, for every question of the page', async () => {
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
    ] as const) {
      const { low, median, high, runs } = await measureCase(nf, job(question, frames), 5, {});
      expect(low, question).toBeGreaterThan(0);
      expect(median).toBeGreaterThanOrEqual(low);
      expect(high).toBeGreaterThanOrEqual(median);
      expect(runs).toBeGreaterThanOrEqual(5);
    }
  });

  it('stops when it is cancelled', async () => {
    const cancel = new AbortController();
    const progress = () => cancel.abort();
    await expect(
      measureCase(nf, job('pairs'), 60_000, { signal: cancel.signal, progress }),
    ).rejects.toMatchObject({
      code: 'aborted',
    });
  });

  it('says of a question it does not have that it has not', async () => {
    await expect(measureCase(nf, job('closest'), 5, {})).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('brings a case across a worker’s border, meshes shared as they were', () => {
    const back = caseOf(structuredClone(dataOf(job('pairs'))));
    expect(back.bodies[0].mesh).toBe(back.bodies[1].mesh);
    expect(back.bodies[0].mesh.triangleCount).toBe(mesh.triangleCount);
    expect(back.bodies[1].pose).toEqual(shifted);
    expect(back.tolerance).toBe(0.1);
  });
});
