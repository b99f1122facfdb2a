// After any failure the next answer is right: every allocation and every await of every question fails in turn, and
// the question is asked again. With NEARFIELD_SLOW=1 the number of runs is NEARFIELD_FAULTS (default 100,000); the
// seed is NEARFIELD_SEED, or a new one each time.

import {
  type CpuNearfield,
  type CpuParticles,
  CpuScene,
  type Limits,
  open,
  type ParticleOptions,
  shapes,
} from 'nearfield';
import { useBreadthFirst } from 'nearfield/breadth-first';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { CpuEngine, createCpuEngine } from '../../packages/nearfield/src/cpu/engine.ts';
import { type Random, randomFrom, whole } from '../oracle/triangles/generators.ts';
import { closeUnder, gpuQuestions, turn, waiting } from '../spec/faults/close-while-waiting.ts';
import { type CpuFault, cpuFaults, FaultInjector, Sentinels, said, watchCpu } from '../spec/faults/faults.ts';
import { type FaultQuestion, FaultScene, questions, syncQuestions } from '../spec/faults/scenes.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const wanted = slow ? Number(process.env['NEARFIELD_FAULTS'] ?? 100_000) : 150;
const seed = Number(process.env['NEARFIELD_SEED'] ?? (slow ? Date.now() % 2 ** 31 : 1));
// Printed first, because a crashed process prints no more.
if (slow) console.log(`faults: NEARFIELD_SEED=${seed}`);
const forHours = { timeout: 36_000_000 };
/** The maximum number of faults per question and scene: only some of thousands of arrays. */
const mostOfOne = 60;

/** Without injected faults. */
let nf: CpuNearfield;
let injector: FaultInjector;
beforeAll(async () => {
  useBreadthFirst();
  nf = await open({ backend: 'cpu' });
});
afterAll(() => nf.close());
beforeEach(() => {
  injector = new FaultInjector();
});
afterEach(() => injector.restore());

/** A slice ends at every second check of the clock, so that everything that can wait does. */
function hurryClock(): void {
  let now = performance.now();
  injector.replace(performance, 'now', () => (now += 5));
}

const waits = (fault: CpuFault): boolean => fault === 'progress' || fault === 'abort' || fault === 'await';

function limitsOf(fault: CpuFault): Limits {
  if (fault === 'progress') {
    const stop = () => {
      throw new Error('injected');
    };
    return { progress: () => injector.call('progress', stop) };
  }
  if (fault !== 'abort') return {};
  const controller = new AbortController();
  return { signal: controller.signal, progress: () => injector.call('abort', () => controller.abort()) };
}

/** Asks the question, with the n-th fault if n > 0; undefined if the fault made it fail. */
async function ask(
  scene: CpuScene,
  question: FaultQuestion<CpuScene>,
  limits: Limits = {},
  n = 0,
): Promise<{ readonly said: unknown } | undefined> {
  injector.arm(n);
  try {
    const answer = await question.ask(scene, limits);
    return { said: said(answer, scene.bodies) };
  } catch (error) {
    if (injector.fired === undefined) throw error;
    return undefined;
  } finally {
    injector.disarm();
  }
}

/**
 * Asks one question of one changing scene, each time with another fault, until no fault is left. Returns the number
 * of faults.
 */
async function tryFaults(fault: CpuFault, random: Random, name: string, most: number): Promise<number> {
  const isSync = fault === 'array' || (!waits(fault) && random() < 0.5);
  const list = isSync ? syncQuestions : questions;
  const question = list[whole(random, 0, list.length - 1)];
  const engine = new CpuEngine();
  // A nearly full memory has to grow.
  if (fault === 'grow')
    engine.memory.allocate(2 ** 20 - 2 ** 10 * whole(random, 8, 64), 'what is in the way');
  const live = new FaultScene(new CpuScene(engine, engine));
  const change = () => live.change(random, !question.solids, 60);
  // Few bodies, more than are paired one by one, more than the initial capacity; and back.
  const sizes = random() < 0.3 ? [2, 4, 14, 40] : [2, 3, 5];
  const resize = () => live.resize(random, !question.solids, sizes[whole(random, 0, sizes.length - 1)]);
  resize();
  let tried = 0;
  const step = fault === 'array' ? whole(random, 1, 40) : 1;
  for (let n = 1, isOver = false; !isOver && tried < most; n += step) {
    if (random() < 0.2) resize();
    // A change may fail too, and then nothing has changed.
    if (random() < 0.7) {
      injector.arm(random() < 0.3 ? whole(random, 1, 4) : 0);
      try {
        change();
      } catch (error) {
        if (injector.fired === undefined) throw error;
      }
      injector.disarm();
    }
    const what = `seed ${seed}, ${name}, ${question.name}, ${fault} ${n}`;
    const failed = (error: unknown) => {
      throw new Error(`${what}: ${error}`, { cause: error });
    };
    const first = await ask(live.scene, question, limitsOf(fault), n).catch(failed);
    isOver = injector.fired === undefined;
    const isResized = !isOver && random() < 0.2;
    if (isResized) resize();
    const sentinels = random() < 0.3 ? new Sentinels(engine.memory) : undefined;
    const again = await ask(live.scene, question).catch(failed);
    expect(
      sentinels?.areIntact() ?? true,
      `${what}: something was written to memory that had been given back`,
    ).toBe(true);
    const fresh = nf.scene();
    live.remake(fresh);
    const right = await ask(fresh, question);
    fresh.close();
    expect(again, what).toEqual(right);
    if (first !== undefined && !isResized) expect(first, `${what}, at once`).toEqual(right);
    if (!isOver) tried++;
  }
  live.scene.close();
  engine.close();
  return tried;
}

it('every question of a scene is among those that faults are injected into', () => {
  const asked = [...questions, ...syncQuestions, ...gpuQuestions].map(({ ask }) => ask.toString());
  const prototypes = [CpuScene.prototype, Object.getPrototypeOf(CpuScene.prototype)];
  const names = prototypes.flatMap(prototype => Object.getOwnPropertyNames(prototype));
  const missing = names.filter(
    name => name !== 'constructor' && !asked.some(text => text.includes(`scene.${name}(`)),
  );
  expect(missing).toEqual([]);
});

describe('after a fault', () => {
  // Some kinds of question seldom wait or need more memory: arrays and allocations make up for them.
  let left = wanted;
  it.each(cpuFaults)('of %s, the next answer is that of a fresh scene', forHours, async fault => {
    const random = randomFrom(seed + cpuFaults.indexOf(fault));
    watchCpu(injector, fault);
    if (waits(fault)) hurryClock();
    const share = Math.ceil(fault === 'allocation' ? left : fault === 'array' ? left / 2 : wanted / 10);
    let tried = 0;
    for (let story = 0; tried < share && story < share; story++) {
      tried += await tryFaults(fault, random, `story ${story}`, Math.min(mostOfOne, share - tried));
    }
    left -= tried;
    console.log(`faults: ${tried} runs of '${fault}', seed ${seed}`);
  });
});

describe('memory after a fault', () => {
  it('is freed: repeating the same fault takes no more', async () => {
    watchCpu(injector, 'allocation');
    for (const { name, ask: question } of slow ? syncQuestions : syncQuestions.slice(0, 12)) {
      for (let n = 1; n < 200; n++) {
        const engine = await createCpuEngine();
        const scene = new CpuScene(engine, engine);
        for (let i = 0; i < 3; i++) scene.add(shapes.box({ size: [1, 1, 1 + i] }));
        // Trees built the first times are reused.
        const used = Array.from({ length: 12 }, () => usedAfter(engine, () => question(scene, {}), n));
        expect(used.at(-1), `${name}, allocation ${n}`).toBe(used.at(-2));
        engine.close();
        if (injector.fired === undefined) break;
      }
    }
  });

  function usedAfter(engine: CpuEngine, question: () => unknown, n: number): number {
    injector.arm(n);
    try {
      question();
    } catch {}
    injector.disarm();
    return engine.usedBytes;
  }
});

describe('another thread', () => {
  it('and its question survive a fault', forHours, async () => {
    const engine = createCpuEngine({ threads: 2 });
    const scene = new CpuScene(engine, engine);
    const sphere = shapes.icosphere({ frequency: 36 });
    const at = (x: number) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, 0, 0, 1];
    const [, moving] = [scene.add(sphere), scene.add(sphere, { pose: at(1e-3) })];
    const count = async () => (await scene.interferences({ detail: 'count' })).pairs[0].triangleCount;
    const counts = [await count()];
    moving.pose = at(2e-3);
    counts.push(await count());
    while (engine.threads.ready === 0) await turn(5);
    watchCpu(injector, 'allocation');
    let tried = 0;
    for (let n = 1; n <= (slow ? 200 : 2); n++) {
      moving.pose = at(n % 2 === 0 ? 1e-3 : 2e-3);
      injector.arm(1 + (n % 8));
      const found = await count().catch(() => undefined);
      if (injector.fired !== undefined) tried++;
      injector.disarm();
      if (found !== undefined) expect(found).toBe(counts[n % 2]);
      expect(await count()).toBe(counts[n % 2]);
      expect(engine.threads.ready).toBe(1);
    }
    expect(tried).toBeGreaterThan(0);
    engine.close();
  });
});

const system: ParticleOptions = {
  count: 60,
  seed: 5,
  start: {
    from: {
      box: [
        [-1, -1, 1],
        [1, 1, 2],
      ],
    },
    velocity: { ball: { centre: [0, 0, -2], radius: 1 } },
    life: [0.5, 1],
  },
  acceleration: [0, 0, -3],
  colliders: [
    {
      plane: { point: [0, 0, -1], normal: [0, 0, 1] },
      map: { width: 4, height: 4, combine: 'sum' },
      response: { kind: 'bounce', restitution: 0.5 },
    },
    { sphere: { centre: [0, 0, 0], radius: 0.5 } },
  ],
} as unknown as ParticleOptions;

describe('particles', () => {
  it('lose no impact and count none twice, after any failure', forHours, async () => {
    const random = randomFrom(seed);
    const windows = slow ? 2000 : 8;
    const [live, control] = [nf.particlesSync(system), nf.particlesSync(system)];
    injector.watchArrays(() => {
      throw new RangeError('injected');
    });
    let tried = 0;
    for (let i = 0; i < windows; i++) {
      const to = whole(random, 0, 40) / 8;
      for (let n = 1; ; n += whole(random, 1, 5)) {
        injector.arm(n);
        const failed = (() => {
          try {
            impactsSaid(live, to);
            return false;
          } catch {
            return true;
          } finally {
            injector.disarm();
          }
        })();
        if (!failed) break;
        tried++;
      }
      control.advanceSync(to);
      expect(live.time, `seed ${seed}, window ${i}`).toBe(control.time);
      expect(live.map(0).values, `seed ${seed}, window ${i}`).toEqual(control.map(0).values);
      const [low, high] = [to - 1, to + 1];
      expect(said([...live.impactsSync(low, high)], []), `seed ${seed}, window ${i}`).toEqual(
        said([...control.impactsSync(low, high)], []),
      );
    }
    console.log(`faults: ${tried} runs of particles, seed ${seed}`);
    live.close();
    control.close();
  });

  const impactsSaid = (particles: CpuParticles, to: number) => particles.advanceSync(to);
});

describe('closed while a question waits', () => {
  const open_ = () => open({ backend: 'cpu' });
  it.each(waiting)('%s rejects with closed', async (name, question) => {
    hurryClock();
    for (const wait of [async () => {}, () => turn(0), ...(slow ? [() => turn(1), () => turn(2)] : [])]) {
      await closeUnder(open_, name, question, wait);
    }
  });
});
