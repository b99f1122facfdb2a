import { afterAll, beforeAll, expect, test } from 'vitest';
import { NearfieldError } from '../../core/errors.ts';
import { type CpuEngine, createCpuEngine } from '../../cpu/engine.ts';
import { CpuScene } from '../../cpu-scene.ts';
import type { Interferences } from '../../interferences/answer/answer.ts';
import { exact, narrow } from '../../interferences/stages.ts';
import { mesh } from '../../mesh/mesh.ts';
import { createGpuEngine } from '../../open-gpu.ts';
import { Scene } from '../../scene.ts';
import { box, createRandom, icosphere } from '../../shapes/index.ts';
import type { GpuEngine } from '../engine.ts';
import { bufferOf } from '../testing/test-buffers.ts';
import { testDevice } from '../testing/test-device.ts';

// Random lives of scenes whose poses and positions come in arrays and in buffers, while questions are waiting. Each
// answer is compared with that of a scene on the CPU at the time of asking.

let device: GPUDevice;
let cpu: CpuEngine;
const engines: GpuEngine[] = [];
beforeAll(async () => {
  device = (await testDevice()).device;
  cpu = await createCpuEngine();
  // The second one has hardly any capacity, so it has to ask everything twice, and it sorts even few bodies.
  const room = { candidates: 8, leafPairs: 64, certain: 16, unsure: 8, nodePairs: 64 };
  engines.push(
    await createGpuEngine({ device }),
    await createGpuEngine({ device, settings: { room, orderFrom: 10 } }),
  );
}, 120_000);
afterAll(() => {
  for (const engine of [...engines, cpu]) engine.close();
});

const whole = box();
const details = ['any', 'count', 'list'] as const;
const worlds = [1e-15, 1e-6, 1e6, 1e17];
const layouts = [
  { offset: 0, stride: 64 },
  { offset: 4, stride: 68 },
  { offset: 32, stride: 256 },
];
/** Numbers that make a matrix no pose: index and value. */
const faults = [
  [0, Number.NaN],
  [12, Infinity],
  [3, 0.5],
  [15, 0],
];

/** Every corner is a vertex of its own: welded, until one is moved. */
const soup = mesh(
  Float32Array.from([...whole.indices].flatMap(v => [...whole.positions.subarray(3 * v, 3 * v + 3)])),
  Uint32Array.from(whole.indices, (_, i) => i),
);
const shapes = [whole, icosphere({ frequency: 2 }), soup, box({ size: [3, 3, 3] })];

type Random = ReturnType<typeof createRandom>;

/** A random pose in single precision: rotated or not, maybe mirrored, on a grid or not. */
function somewhere(random: Random, side: number, scale: number): number[] {
  const [x, y, z] = random.direction();
  const c = random.next() < 0.2 ? 1 : random.between(-1, 1);
  const [s, d] = [Math.sqrt(1 - c * c), 1 - c];
  const mirror = random.next() < 0.2 ? -scale : scale;
  const grid = random.next() < 0.4;
  const place = () => {
    const at = random.next();
    return side * (grid ? Math.round(8 * at) / 8 : at);
  };
  return Array.from(
    Float32Array.from([
      ...[mirror * (d * x * x + c), mirror * (d * x * y + s * z), mirror * (d * x * z - s * y), 0],
      ...[scale * (d * x * y - s * z), scale * (d * y * y + c), scale * (d * y * z + s * x), -0],
      ...[scale * (d * x * z + s * y), scale * (d * y * z - s * x), scale * (d * z * z + c), 0],
      ...[place(), place(), random.next() < 0.001 ? 1e-40 : place(), 1],
    ]),
  );
}

/**
 * Triangles are compared only if they were asked for: otherwise they would be worked out from poses that have to be
 * read back.
 */
function listed(answer: Interferences, detail: (typeof details)[number]): unknown[] {
  if (detail === 'any') return [...answer.indices];
  return [...answer].map(pair => {
    const found = detail === 'list' ? [...pair.triangles] : [pair.triangleCount];
    return [pair.a.index, pair.b.index, ...found];
  });
}

/** Expects one of these errors, and no other. */
async function refused(
  codes: readonly string[],
  ask: () => Promise<unknown>,
  context: string,
): Promise<void> {
  const error = await ask().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DOMException) return expect(codes, context).toContain(error.name);
  expect(error, context).toBeInstanceOf(NearfieldError);
  expect(codes, context).toContain((error as NearfieldError).code);
}

async function live(seed: number): Promise<void> {
  const random = createRandom(seed);
  const chance = (p: number) => random.next() < p;
  const pick = <T>(list: readonly T[]): T => list[random.integer(list.length)];
  const [onGpu, sure] = [new Scene(pick(engines), cpu), new CpuScene(cpu, cpu)];
  const both = [onGpu, sure];
  for (let i = pick([2, 3, 8, 30, 70]); i > 0; i--) {
    const shape = pick(shapes);
    for (const scene of both) scene.add(shape);
  }
  /** The state that the tested scene should be in: its poses are good, one of them is wrong, or they are missing. */
  let state: 'good' | 'wrong' | 'nowhere' = 'good';
  const waiting: Promise<void>[] = [];
  const allPoses = () => {
    const world = chance(0.85) ? 1 : pick(worlds);
    const side = 1.6 * world * Math.cbrt(sure.bodies.length);
    return sure.bodies.flatMap(() => somewhere(random, side, chance(0.05) ? 4 * world : world));
  };
  const isKnown = () => {
    try {
      return onGpu.bodies.every(({ pose }) => pose.length === 16);
    } catch (error) {
      expect(error).toMatchObject({ code: 'unsupported' });
      return false;
    }
  };
  const moves = {
    buffer() {
      const poses = allPoses();
      sure.setPoses(poses);
      const given = poses.slice();
      state = chance(0.1) ? 'wrong' : 'good';
      if (state === 'wrong') {
        const [k, value] = pick(faults);
        given[16 * random.integer(sure.bodies.length) + k] = value;
      }
      const layout = pick(layouts);
      const buffer = bufferOf(device, given, 16, layout, pick([Number.NaN, 1e-40, 0]));
      onGpu.setPoses(buffer, layout);
      device.queue.writeBuffer(buffer, 0, new Float32Array(16));
      if (chance(0.5)) buffer.destroy();
    },
    array() {
      const poses = allPoses();
      const room = onGpu.borrowPoses();
      room.set(poses);
      onGpu.setPoses(chance(0.5) ? room : poses);
      sure.setPoses(poses);
      state = 'good';
    },
    one() {
      const row = random.integer(sure.bodies.length);
      const pose = Float64Array.from(somewhere(random, 3, 1));
      if (!isKnown()) expect(() => (onGpu.bodies[row].pose = pose)).toThrow(/readPoses/);
      else for (const scene of both) scene.bodies[row].pose = pose;
    },
    come() {
      if (!isKnown()) state = 'nowhere';
      const [shape, pose] = [pick(shapes), somewhere(random, 3, 1)];
      for (const scene of both) scene.add(shape, { pose });
    },
    go() {
      if (sure.bodies.length < 3) return;
      if (!isKnown()) state = 'nowhere';
      const row = random.integer(sure.bodies.length);
      for (const scene of both) scene.remove(scene.bodies[row]);
    },
    deform() {
      const row = random.integer(sure.bodies.length);
      const [size, tear] = [random.between(0.9, 0.95), chance(0.4) ? 0.8 : 1];
      const positions = Float32Array.from(
        sure.bodies[row].mesh.positions,
        (x, i) => size * (i < 3 ? tear * x : x),
      );
      sure.bodies[row].deform(positions);
      if (chance(0.4)) onGpu.bodies[row].deform(positions);
      else
        onGpu.bodies[row].deform(bufferOf(device, positions, 3, { offset: 8, stride: 20 }), {
          offset: 8,
          stride: 20,
        });
    },
  };
  const isRefused = (): readonly string[] | undefined =>
    state === 'good' ? undefined : state === 'wrong' ? ['bad-pose'] : ['stale'];
  const read = (context: string): Promise<void> => {
    const codes = isRefused();
    if (codes !== undefined) return refused(codes, () => onGpu.readPoses(), context);
    const poses = sure.bodies.flatMap(({ pose }) => [...pose]);
    return onGpu.readPoses().then(found => expect([...found], context).toEqual(poses));
  };
  const ask = (context: string): Promise<void> => {
    const detail = pick(details);
    const filter = chance(0.2) ? random.integer(sure.bodies.length) : undefined;
    const stop = chance(0.1) ? new AbortController() : undefined;
    const optionsOf = ({ bodies }: Scene) => ({
      detail,
      between: filter === undefined ? undefined : [[bodies[filter]], bodies.filter((_, i) => i !== filter)],
    });
    const isStaged = stop === undefined && filter === undefined && detail === 'list' && chance(0.3);
    const asked = async () =>
      isStaged
        ? exact(await narrow(onGpu))
        : onGpu.interferences({ ...(optionsOf(onGpu) as object), detail, signal: stop?.signal });
    const codes = isRefused();
    if (codes !== undefined) {
      const answer = refused([...codes, 'AbortError'], asked, context);
      stop?.abort();
      return answer;
    }
    const expected = listed(sure.interferencesSync(optionsOf(sure) as object), detail);
    const answer = asked().then(
      found => expect(listed(found, detail), `${context}, ${detail}`).toEqual(expected),
      error => {
        if (stop === undefined || error.name !== 'AbortError') throw error;
      },
    );
    stop?.abort();
    return answer;
  };
  for (let step = 0; step < 40; step++) {
    const context = `seed ${seed}, step ${step}`;
    const what = random.next();
    if (what < 0.4) moves.buffer();
    else if (what < 0.5) moves[pick(['array', 'one', 'come', 'go', 'deform'] as const)]();
    else {
      const answer = what < 0.55 ? read(context) : ask(context);
      if (chance(0.5)) await answer;
      else {
        answer.catch(() => {});
        waiting.push(answer);
      }
    }
    if (chance(0.1)) await Promise.all(waiting.splice(0));
  }
  if (chance(0.5)) onGpu.close();
  await Promise.all(waiting);
  for (const scene of both) scene.close();
}

const lives = process.env.NEARFIELD_SLOW ? 60 : 4;

test(`${lives} random lives of scenes that are asked while they move`, async () => {
  for (let life = 0; life < lives; life++) await live(9300 + life);
}, 900_000);
