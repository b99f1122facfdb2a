// After any failure of a GPU the next answer is right. Device calls throw, reject, fail silently, or find the device
// lost, one after the other; then the question is asked again and compared with a fresh scene on the CPU. With
// NEARFIELD_SLOW=1 the number of runs is NEARFIELD_GPU_FAULTS (default 2,000); the seed is NEARFIELD_SEED, or a new
// one each time. NEARFIELD_STORY runs only one story of a seed.

import { type Interferences, type Nearfield, NearfieldError, open, type Scene } from 'nearfield';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CpuEngine, createCpuEngine } from '../../packages/nearfield/src/cpu/engine.ts';
import { wrapDevice } from '../../packages/nearfield/src/gpu/device/device.ts';
import type { GpuEngine } from '../../packages/nearfield/src/gpu/engine.ts';
import { deviceToLose, testDevice } from '../../packages/nearfield/src/gpu/testing/test-device.ts';
import { createGpuEngine, engineOn } from '../../packages/nearfield/src/open-gpu.ts';
import { Scene as OwnScene } from '../../packages/nearfield/src/scene.ts';
import { type Random, whole } from '../oracle/triangles/generators.ts';
import { gpuQuestions } from '../spec/faults/close-while-waiting.ts';
import { FaultInjector, type GpuFault, onlyStory, said, storyOf, watchGpu } from '../spec/faults/faults.ts';
import { type FaultQuestion, FaultScene, questions } from '../spec/faults/scenes.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const wanted = slow ? Number(process.env['NEARFIELD_GPU_FAULTS'] ?? 2000) : 12;
const losses = Math.ceil(wanted / 40);
const seed = Number(process.env['NEARFIELD_SEED'] ?? (slow ? Date.now() % 2 ** 31 : 1));
// Printed first, because a crashed process prints no more.
if (slow) console.log(`faults of a device: NEARFIELD_SEED=${seed}`);
/** Motions of bodies of any size are searched on the GPU. */
const settings = { leastMoving: 0 };
const forHours = { timeout: 36_000_000 };

/** Questions with the answer of the CPU, and questions that only a GPU answers. */
const same = questions.filter(({ name }) => name !== 'steps' && name !== 'exactOf');
const sampled = gpuQuestions.filter(({ name }) => name === 'raycast' || name === 'layers');
const visible = gpuQuestions.filter(({ name }) => name.includes('visibility'));
/** The usual run leaves out questions whose kernels take a software GPU long to compile. */
const asked = slow
  ? [...same, ...visible, ...sampled]
  : same.filter(({ name }) =>
      /^(interferences|distance$|within|closest|selfI|rays|inBox, list|inSphere, any|firstContact, deformed)/.test(
        name,
      ),
    );

let device: GPUDevice;
let cpu: CpuEngine;
/** Reference answers without injected faults: of the CPU, and of the GPU for questions that only it answers. */
let control: Nearfield;
let gpuControl: Nearfield;
let injector: FaultInjector;
beforeAll(async () => {
  ({ device } = await testDevice());
  device.addEventListener('uncapturederror', ignore);
  control = await open({ backend: 'cpu' });
  gpuControl = await open({ device });
});
afterAll(() => {
  device.removeEventListener('uncapturederror', ignore);
  control.close();
  gpuControl.close();
});
beforeEach(async () => {
  injector = new FaultInjector();
  cpu = await createCpuEngine();
});
afterEach(() => {
  injector.restore();
  cpu.close();
});

const ignore = (event: Event): void => event.preventDefault();

async function ask(scene: Scene, question: FaultQuestion, n = 0): Promise<unknown> {
  injector.arm(n);
  try {
    const answer = await question.ask(scene, {});
    // Lazily computed parts of an answer need positions and poses that may be only on the GPU.
    if (answer instanceof Object && 'relations' in answer) await (answer as Interferences).relations();
    return said(answer, scene.bodies);
  } catch (error) {
    if (injector.fired === undefined) throw error;
    return undefined;
  } finally {
    injector.disarm();
  }
}

/** The answer of a freshly made scene. */
async function rightAnswer(live: FaultScene, question: FaultQuestion): Promise<unknown> {
  const fresh = (sampled.includes(question) ? gpuControl : control).scene();
  live.remake(fresh);
  const plain = visible.includes(question)
    ? questions.find(
        ({ name }) => name === (question.name.startsWith('within') ? 'within' : 'interferences'),
      )!
    : question;
  const right = await ask(fresh, plain);
  fresh.close();
  return right;
}

/**
 * Answers in single precision: their last digits, and owners among equally near ones, depend on earlier questions.
 */
const rounded = new Set(['field', 'fieldSlabs', 'distanceMap', 'intersectionVolume']);

/** The part of an answer that does not depend on how it was found. */
function essence({ name }: FaultQuestion, answer: unknown): unknown {
  if (Array.isArray(answer)) return answer.map(part => essence({ name } as FaultQuestion, part));
  if (typeof answer !== 'object' || answer === null) return answer;
  if (!rounded.has(name)) return 'method' in answer ? { ...answer, method: undefined } : answer;
  const { distance = [], count, points, grid } = answer as Record<string, unknown>;
  return { distance, count, points, grid };
}

/** Distances in single precision of scenes some units wide; anything that went wrong is off by far more. */
const tolerance = 2 ** -18;

/** Checks an answer against the right one. Distances may differ by a rounding. */
function expectSame(question: FaultQuestion, answer: unknown, right: unknown, what: string): void {
  const [given, wanted] = [essence(question, answer), essence(question, right)];
  if (!rounded.has(question.name)) {
    expect(given, what).toEqual(wanted);
    return;
  }
  const parts = (value: unknown) => (Array.isArray(value) ? value : [value]) as { distance?: number[] }[];
  expect(
    parts(given).map(part => ({ ...part, distance: undefined })),
    what,
  ).toEqual(parts(wanted).map(part => ({ ...part, distance: undefined })));
  parts(given).forEach(({ distance = [] }, i) => {
    const other = parts(wanted)[i].distance ?? [];
    expect(distance.length, what).toBe(other.length);
    const off = distance.findIndex(
      (value, k) => !Object.is(value, other[k]) && !(Math.abs(value - other[k]) <= tolerance),
    );
    expect(off < 0 ? '' : `distance ${off}: ${distance[off]} for ${other[off]}`, what).toBe('');
  });
}

/** If a copy from a GPUBuffer was refused, questions are refused too, until it is given again. */
const isAboutCopy = (error: unknown): boolean =>
  error instanceof NearfieldError &&
  ((error.code === 'out-of-memory' && /no memory on the GPU for a copy/.test(error.message)) ||
    (error.code === 'bad-array' && /the buffer could not be copied/.test(error.message)));

async function tryOne(
  live: FaultScene,
  question: FaultQuestion,
  random: Random,
  fault: GpuFault,
  n: number,
  name: string,
): Promise<boolean> {
  // Sometimes a change fails. If the failure of its copy was not reported, it is not known whether it happened.
  injector.arm(random() < 0.3 ? whole(random, 1, 6) : 0, 'popErrorScope');
  try {
    live.change(random, !question.solids, 5);
    if (random() < 0.2) live.holdPoses(random);
  } catch (error) {
    if (injector.fired === undefined) throw error;
  }
  const change = injector.fired;
  injector.disarm();
  // Silent failure: bodies may rely on a copy that does not exist.
  if (fault === 'refuses' && change !== undefined) live.isDoubtful = true;
  const what = `seed ${seed}, ${name}, ${question.name}, call ${n}`;
  const failed = (error: unknown) => {
    throw new Error(`${what} (${change}, ${injector.fired}): ${error}`, { cause: error });
  };
  /** Asks a question; if a copy was refused, asks again after all buffers are given again. */
  const asked = async <T>(ask: () => Promise<T>): Promise<T> => {
    try {
      return await ask();
    } catch (error) {
      if (!live.isDoubtful || !isAboutCopy(error)) return failed(error);
      live.giveAgain();
      return ask().catch(failed);
    }
  };
  const isKnown = () => asked(() => live.scene.readPoses());
  // Questions about two bodies need to know where they are.
  if (!/^(interferences|within|narrow)/.test(question.name)) await isKnown();
  if (/^broad/.test(question.name)) {
    await asked(async () => {
      for (const body of live.bodies) await body.readPositions();
    });
  }
  const first = await asked(() => ask(live.scene, question, n));
  const { fired } = injector;
  const again = await asked(() => ask(live.scene, question));
  await isKnown();
  const right = await rightAnswer(live, question);
  expectSame(question, again, right, `${what} (${change}, ${fired})`);
  if (first !== undefined) {
    expectSame(question, first, right, `${what} (${change}, ${fired}), at once`);
  }
  return fired !== undefined;
}

async function sceneOn(engine: GpuEngine, random: Random): Promise<FaultScene> {
  const live = new FaultScene(new OwnScene(engine, cpu), engine.device);
  for (let i = 0; i < 3; i++) live.change(random, false, 5);
  return live;
}

describe('after a fault of a device', () => {
  it.each(['throws', 'refuses'] as const)(
    'that %s, the next answer is right',
    forHours,
    async (fault: GpuFault) => {
      watchGpu(injector, device, fault);
      const share = onlyStory === undefined ? Math.ceil(wanted / 2) : Infinity;
      let tried = 0;
      for (let story = onlyStory ?? 0; tried < share; story++) {
        const random = storyOf(seed, fault, story);
        const engine = await createGpuEngine({ device, settings });
        const live = await sceneOn(engine, random);
        const question = asked[whole(random, 0, asked.length - 1)];
        const stride = slow ? 1 : whole(random, 2, 7);
        for (let n = whole(random, 1, stride), isOver = false; !isOver && tried < share; n += stride) {
          isOver = !(await tryOne(live, question, random, fault, n, `story ${story}`));
          if (!isOver) tried++;
        }
        live.scene.close();
        engine.close();
        if (onlyStory !== undefined) break;
      }
      console.log(`faults: ${tried} runs of a device that ${fault}, seed ${seed}`);
    },
  );

  // The usual run loses one device, in engine.gpu.test.ts: a software GPU takes seconds to compile for another.
  it.runIf(slow)('that is lost, the question is asked again on another', forHours, async () => {
    let tried = 0;
    // The device opened after a loss has compiled kernels, which take a software GPU seconds: lose it next.
    let spare: GPUDevice | undefined;
    for (let story = onlyStory ?? 0; tried < losses; story++) {
      const random = storyOf(seed, 'lost', story);
      const lost = spare ?? (await deviceToLose());
      lost.addEventListener('uncapturederror', ignore);
      const engine = await engineOn({ ...wrapDevice(lost), owned: true }, settings);
      const live = new FaultScene(new OwnScene(engine, cpu));
      for (let i = 0; i < 3; i++) live.change(random, false, 5);
      const question = asked[whole(random, 0, asked.length - 1)];
      const fault: GpuFault = random() < 0.5 ? 'loses' : 'loses meanwhile';
      watchGpu(injector, lost, fault);
      // One loss is repaired silently.
      const first = await ask(live.scene, question, whole(random, 1, 30));
      const { fired } = injector;
      injector.restore();
      const right = await rightAnswer(live, question);
      const what = `seed ${seed}, story ${story}, ${question.name}, ${fault} at ${fired}`;
      expectSame(question, first, right, what);
      expectSame(question, await ask(live.scene, question), right, `${what}, again`);
      if (fired !== undefined) tried++;
      live.scene.close();
      spare = engine.device;
      if (onlyStory !== undefined) break;
    }
    spare?.destroy();
    console.log(`faults: ${tried} runs of a device that is lost, seed ${seed}`);
  });

  it.runIf(slow)(
    'that is lost and belongs to the application, questions report it or are right',
    forHours,
    async () => {
      let tried = 0;
      for (let story = onlyStory ?? 0; tried < losses; story++) {
        const random = storyOf(seed, 'own lost', story);
        const lost = await deviceToLose();
        lost.addEventListener('uncapturederror', ignore);
        const engine = await createGpuEngine({ device: lost, settings });
        const live = await sceneOn(engine, random);
        const question = asked[whole(random, 0, asked.length - 1)];
        if (random() < 0.5) live.holdPoses(random);
        if (!/^(interferences|within|narrow)/.test(question.name)) await live.scene.readPoses();
        if (/^broad/.test(question.name)) for (const body of live.bodies) await body.readPositions();
        const fault: GpuFault = random() < 0.5 ? 'loses' : 'loses meanwhile';
        watchGpu(injector, lost, fault);
        const what = `seed ${seed}, story ${story}, ${question.name}, ${fault}`;
        const right = await rightAnswer(live, question);
        let fired: string | undefined;
        for (const n of [whole(random, 1, 30), 0]) {
          injector.arm(n);
          try {
            const answer = await question.ask(live.scene, {});
            if (answer instanceof Object && 'relations' in answer)
              await (answer as Interferences).relations();
            expectSame(question, said(answer, live.bodies), right, `${what} at ${injector.fired}`);
          } catch (error) {
            fired ??= injector.fired;
            if (fired === undefined || !(error instanceof NearfieldError)) {
              throw new Error(`${what} at ${fired}: ${error}`, { cause: error });
            }
            expect(error.code, `${what} at ${fired}: ${error.message}`).toBe('gpu-lost');
          }
          fired ??= injector.fired;
          injector.disarm();
        }
        injector.restore();
        if (fired !== undefined) tried++;
        live.scene.close();
        engine.close();
        lost.destroy();
        if (onlyStory !== undefined) break;
      }
      console.log(`faults: ${tried} runs of an application’s own device that is lost, seed ${seed}`);
    },
  );
});
