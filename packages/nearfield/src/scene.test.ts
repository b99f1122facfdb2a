import { expect, it } from 'vitest';
import type { Engine } from './bodies/engine.ts';
import { NearfieldError } from './core/errors.ts';
import { createCpuEngine } from './cpu/engine.ts';
import { fakeEngine } from './gpu/testing/fake-engine.ts';
import { Scene } from './scene.ts';
import { box, icosphere } from './shapes/index.ts';

it('answers on the CPU what does not fit the GPU, and says so', async () => {
  const cpu = await createCpuEngine();
  const full = async () => {
    throw new NearfieldError('out-of-memory', 'no room');
  };
  const gpu: Engine = fakeEngine({ interferences: { interfere: full, selfIntersect: full } });
  const scene = new Scene(gpu, cpu);
  const a = scene.add(box());
  const b = scene.add(box(), { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0.5, 0.25, 0.125, 1] });
  const answer = await scene.interferences();
  expect([answer.length, answer.backend]).toEqual([1, 'cpu']);
  const byImages = await scene.interferences({ method: 'visibility' });
  expect([byImages.length, byImages.backend, byImages.method]).toEqual([1, 'cpu', 'hierarchy']);
  expect((await scene.selfIntersections(a)).backend).toBe('cpu');
  expect((await scene.curves(a, b)).length).toBe(1);
  scene.close();
  cpu.close();
});

it('frees the shapes of removed and deformed bodies, once no question waits for them', async () => {
  const cpu = await createCpuEngine();
  const scene = new Scene(cpu, cpu);
  const mesh = box();
  const bodies = [0, 1, 2].map(i =>
    scene.add(mesh, { pose: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, i / 4, 0, 0, 1] }),
  );
  await scene.interferences();
  const used = cpu.usedBytes;
  for (let frame = 1; frame <= 20; frame++) {
    const asked = scene.interferences();
    bodies[0].deform(mesh.positions.map(c => c * (1 + frame / 64)));
    expect((await asked).length).toBe(3);
    await scene.interferences();
  }
  const deformed = cpu.usedBytes;
  expect(deformed).toBeLessThan(3 * used);
  for (const body of bodies) scene.remove(body);
  await scene.interferences();
  expect(cpu.usedBytes).toBeLessThan(deformed);
  scene.close();
  cpu.close();
});

it('refuses positions that are not finite, wherever they are, and leaves the body as it was', async () => {
  const cpu = await createCpuEngine();
  const scene = new Scene(cpu, cpu);
  // Few vertices, of which the box is found by the way, and more.
  for (const mesh of [box(), icosphere({ frequency: 6 })]) {
    const body = scene.add(mesh, { name: 'it' });
    const { positions } = mesh;
    body.deform(positions.map(x => 2 * x));
    const before = await body.readPositions();
    for (const kind of [Float32Array, Float64Array]) {
      for (let at = 0; at < positions.length; at += at < 24 ? 1 : 97) {
        for (const value of [NaN, Infinity, -Infinity]) {
          const wrong = kind.from(positions);
          wrong[at] = value;
          const message = `it: deformed position ${'xyz'[at % 3]} of vertex ${Math.floor(at / 3)} is ${value}`;
          expect(() => body.deform(wrong)).toThrow(message);
        }
      }
      body.deform(kind.from(positions).map((x, i) => (i === 5 ? 1e38 : 2 * x)));
      body.deform(before);
    }
    expect(await body.readPositions()).toEqual(before);
  }
  scene.close();
  cpu.close();
});

it('has the numbers of triangle pairs of all pairs at once', async () => {
  const cpu = await createCpuEngine();
  const scene = new Scene(cpu, cpu);
  for (let i = 0; i < 5; i++) scene.add(box(), { pose: at(0.4 * i, 0.1 * i) });
  for (const detail of ['list', 'count'] as const) {
    const answer = await scene.interferences({ detail });
    expect(answer.length).toBeGreaterThan(3);
    expect(Array.from(answer.triangleCounts!)).toEqual(answer.pairs.map(pair => pair.triangleCount));
    // What is given out is a copy.
    answer.triangleCounts!.fill(0);
    expect(answer.triangleCounts).toEqual(Uint32Array.from(answer.pairs, pair => pair.triangleCount!));
  }
  expect((await scene.interferences({ detail: 'any' })).triangleCounts).toBeUndefined();
  scene.close();
  cpu.close();
});

it('leaves every body its last pose when it is closed, apart from those of the others', async () => {
  const cpu = await createCpuEngine();
  const scene = new Scene(cpu, cpu);
  const bodies = Array.from({ length: 4 }, (_, i) => scene.add(box(), { pose: at(i, 2 * i) }));
  scene.remove(bodies[1]);
  scene.close();
  bodies[2].pose.fill(0);
  expect(bodies.map(({ pose }) => pose)).toEqual(bodies.map((_, i) => Float64Array.from(at(i, 2 * i))));
  cpu.close();
});

const at = (x: number, y: number): number[] => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, 0, 1];
