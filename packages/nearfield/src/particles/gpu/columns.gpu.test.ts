// The GPU's own numbers of impacts, in single precision: every one is within its stated bound of the evaluator's double,
// and the bounds are small. Maps that the GPU paints have the texels of the evaluator's places, as far as these bounds
// tell them apart.

import { describe, expect, it } from 'vitest';
import { readWords, testDevice } from '../../gpu/testing/test-device.ts';
import { icosphere } from '../../shapes/icosphere.ts';
import { createRandom } from '../../shapes/random.ts';
import type { Collider, MapOptions } from '../colliders/shapes.ts';
import type { ParticleOptions } from '../options.ts';
import type { Impacts } from '../windows/impacts.ts';
import { collidersOf, type Kind, rain, type System, systemOf } from './testing/systems.ts';

const slow = process.env['NEARFIELD_SLOW'] !== undefined;
const count = slow ? 20_000 : 200;
const bouncing = { response: { kind: 'bounce', restitution: 0.6, friction: 0.1 } } as const;
const kinds: Kind[] = ['planes', 'quadrics', 'mesh', 'moving', 'turning', 'field', 'blobs'];

/** Holds every number against the double of the same impact. Returns the greatest bounds of time and place. */
function expectWithin(impacts: Impacts, what: string): { time: number; place: number } {
  const { single } = impacts;
  expect(single.count, what).toBe(impacts.count);
  const name = (at: { particle: Uint32Array; generation: Uint32Array; bounce: Uint32Array }, i: number) =>
    `${at.particle[i]} ${at.generation[i]} ${at.bounce[i]}`;
  const rows = new Map<string, number>();
  for (let i = 0; i < impacts.count; i++) rows.set(name(impacts, i), i);
  const most = { time: 0, place: 0 };
  for (let i = 0; i < single.count; i++) {
    const j = rows.get(name(single, i));
    if (j === undefined) throw new Error(`${what}: ${name(single, i)} is no impact`);
    rows.delete(name(single, i));
    const check = (column: string, off: number, bound: number) => {
      if (!(off <= bound))
        throw new Error(`${what}: ${column} of ${name(single, i)} is off by ${off} > ${bound}`);
    };
    expect(single.collider[i]).toBe(impacts.collider[j]);
    check('time', Math.abs(single.time[i] - (impacts.time[j] - single.start)), single.timeError[i]);
    const way = [0, 1, 2].map(
      axis => single.place[3 * i + axis] - (impacts.place[3 * j + axis] - single.origin[axis]),
    );
    check('place', Math.hypot(...way), single.placeError[i]);
    check('speed', Math.abs(single.speed[i] - impacts.speed[j]), single.speedError[i]);
    check('normalSpeed', Math.abs(single.normalSpeed[i] - impacts.normalSpeed[j]), single.speedError[i]);
    most.time = Math.max(most.time, single.timeError[i]);
    most.place = Math.max(most.place, single.placeError[i]);
  }
  return most;
}

async function expectWindows(
  options: ParticleOptions,
  times: readonly number[],
  what: string,
  allKinds = true,
) {
  const { gpu, cpu } = await systemOf(options, { allKinds });
  let [impacts, time, place] = [0, 0, 0];
  for (const to of times) {
    const found = await gpu.advance(to, { columns: 'single' });
    const most = expectWithin(found, `${what}, window to ${to}`);
    expect(found.count).toBe(cpu.advanceSync(to).count);
    impacts += found.count;
    time = Math.max(time, most.time);
    place = Math.max(place, most.place);
  }
  gpu.close();
  return { impacts, time, place };
}

describe('columns in single precision', () => {
  it.each(kinds)('are within their bounds: %s', async kind => {
    const seed = 71 + kinds.indexOf(kind);
    const options = rain(count, seed, await collidersOf(kind, seed));
    // The third window has several parts; the last goes backwards.
    const found = await expectWindows(options, [0.4, 0.45, 2.3, 2.5, 2.1], `${kind}, seed ${seed}`);
    expect(found.impacts).toBeGreaterThan(count / 10);
    // Grazing paths have longer intervals. On planes nothing grazes for long.
    if (kind === 'planes') expect(found.time).toBeLessThan(2e-5);
    expect(found.place).toBeLessThan(1e-2);
  });

  it.each(['planes', 'quadrics', 'turning'] as const)('after bounces: %s', async kind => {
    const seed = 91 + kinds.indexOf(kind);
    const floor: Collider = { plane: { point: [0, 0, -0.5], normal: [0, 0, 1] } };
    const options = rain(count, seed, [floor, ...(await collidersOf(kind, seed))], bouncing);
    const found = await expectWindows(options, [0.8, 0.9, 1.0, 1.3], `${kind}, seed ${seed}`);
    expect(found.impacts).toBeGreaterThan(count / 10);
  });

  it('of stepped motion, for particles that vanish or bounce', async () => {
    const seed = 97;
    const colliders = await collidersOf('planes', seed);
    for (const response of [undefined, bouncing.response]) {
      const options = rain(count, seed, colliders, { motion: { order: 1, step: 0.02, drag: 0.3 }, response });
      const found = await expectWindows(options, [0.5, 0.6, 1.2], `stepped, seed ${seed}`, false);
      expect(found.impacts).toBeGreaterThan(count / 10);
    }
  });

  it('grow with the list, and join chunks', async () => {
    const seed = 98;
    const options = rain(count, seed, await collidersOf('planes', seed));
    const { gpu } = await systemOf(options, { certain: 3, decide: 1, chunk: 64 });
    const found = await gpu.impacts(0, 1, { columns: 'single' });
    expect(found.stats.growths).toBeGreaterThan(0);
    expectWithin(found, `seed ${seed}`);
    gpu.close();
  });

  it('are rounded from doubles if they were not asked for', async () => {
    const seed = 99;
    const { gpu } = await systemOf(rain(count, seed, await collidersOf('planes', seed)));
    expectWithin(await gpu.impacts(0, 1), `seed ${seed}`);
    gpu.close();
  });
});

/** Colliders whose maps have every form. */
function mapped(combine: MapOptions['combine'], of: MapOptions['of']): Collider[] {
  const map = (form?: MapOptions['form']): MapOptions => ({
    ...{ width: 12, height: 7, combine, of, precision: 'single' },
    ...(form && { form }),
  });
  const ball = icosphere({ radius: 0.6, frequency: 1 });
  const uv = Float32Array.from({ length: 6 * ball.triangleCount }, (_, i) => ((i * 7) % 11) / 11);
  const moved = Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 1.2, 1.2, 1.2, 1);
  return [
    {
      plane: { point: [0, 0, 0], normal: [0.1, 0, 1], right: [1, 0.3, 0] },
      within: { rectangle: [3, 3] },
      map: map(),
    },
    {
      sphere: { centre: [-1, -1, 1], radius: 0.7 },
      motion: { velocity: [0.1, 0, 0] },
      map: { ...map(), width: 9 },
    },
    { quadric: [1, 2, 3, 0, 0, 0, 0, 0, -3, 2.6], map: map({ planar: 'z' }) },
    { mesh: ball, pose: moved, map: { ...map(), height: 9 } },
    { mesh: ball, pose: moved.with(12, -1.2), map: map({ uv }) },
    {
      quadric: [1, 1, 0, 0, 0, 0, -1.2, 1.2, 0, 2.6],
      box: [
        [0, -2, 0.2],
        [2, 0, 1.6],
      ],
      motion: { pivot: [1.2, -1.2, 0], turn: [0, 0, 0.7] },
      map: map({ cylindrical: 'z' }),
    },
  ];
}

/** The texture, read as words. */
async function textureOf({ gpu }: System, collider: number): Promise<Float32Array> {
  const { device } = await testDevice();
  const texture = gpu.map(collider).texture as GPUTexture;
  const { width, height } = texture;
  const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const buffer = device.createBuffer({ size: 256 * height, usage });
  const encoder = device.createCommandEncoder();
  encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: 256 }, [width, height]);
  device.queue.submit([encoder.finish()]);
  const words = await readWords(device, buffer, 64 * height);
  buffer.destroy();
  const rows = new Float32Array(words.buffer, words.byteOffset, words.length);
  return Float32Array.from({ length: 4 * width * height }, (_, i) => {
    const texel = Math.floor(i / 4);
    return rows[64 * Math.floor(texel / width) + 4 * (texel % width) + (i % 4)];
  });
}

describe('maps painted by the GPU', () => {
  it.each([
    ['count', 'speed'],
    ['sum', 'normalSpeed'],
    ['sum', 'one'],
    ['overwrite', 'speed'],
  ] as const)('have the texels of the evaluator: %s of %s', async (combine, of) => {
    const seed = 61;
    const system = await systemOf(rain(slow ? 5000 : 400, seed, mapped(combine, of)));
    const { gpu, cpu } = system;
    // One window in several parts, short ones, one backwards.
    for (const to of [1.9, 2.0, 2.2, 2.1]) {
      await gpu.advance(to);
      cpu.advanceSync(to);
    }
    for (let i = 0; i < gpu.colliders.length; i++) {
      expect(() => gpu.map(i).values).toThrow(/await map.read/);
      const values = await gpu.map(i).read();
      const expected = cpu.map(i).values;
      const what = `seed ${seed}, collider ${i}`;
      expect(
        values.some(value => value !== 0),
        what,
      ).toBe(true);
      expect(gpu.map(i).values).toBe(values);
      expect(Array.from(await textureOf(system, i)), what).toEqual(Array.from(values));
      // An impact within its bound of a border between texels may be in either of them.
      let differing = 0;
      for (let at = 0; at < values.length; at += 4) {
        const close = (channel: number, share: number) =>
          Math.abs(values[at + channel] - expected[at + channel]) <=
          share * (1 + Math.abs(expected[at + channel]));
        if (
          values[at + 3] !== expected[at + 3] ||
          values[at] !== expected[at] ||
          !close(1, 2e-5) ||
          !close(2, 2e-4)
        ) {
          differing++;
        }
      }
      expect(differing, what).toBeLessThanOrEqual(slow ? 4 : 2);
      const hits = (list: Float32Array) =>
        list.reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0);
      if (combine !== 'overwrite') expect(hits(values), what).toBe(hits(expected));
    }
    gpu.map(0).clear();
    expect((await gpu.map(0).read()).every(value => value === 0)).toBe(true);
    expect((await gpu.map(1).read()).some(value => value !== 0)).toBe(true);
    gpu.close();
  });

  it('paints a window once, however often it was recorded or given up', async () => {
    const seed = 62;
    const { gpu, cpu } = await systemOf(rain(count, seed, mapped('count', 'one')), { certain: 4, decide: 1 });
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(gpu.advance(1.5, { signal: stop.signal })).rejects.toThrow('stopped');
    await gpu.advance(0.5);
    await gpu.advance(1.5);
    expect(gpu.stats.growths).toBeGreaterThan(0);
    cpu.advanceSync(1.5);
    for (let i = 0; i < gpu.colliders.length; i++) {
      const hits = (list: Float32Array) =>
        list.reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0);
      expect(hits(await gpu.map(i).read()), `seed ${seed}, collider ${i}`).toBe(hits(cpu.map(i).values));
    }
    gpu.close();
  });

  it('says so if a map was lost with its device, until it is cleared', async () => {
    const { gpu, engine } = await systemOf(rain(count, 64, mapped('count', 'one')));
    await gpu.advance(1);
    engine.lives.spoil();
    await gpu.advance(1.2);
    await expect(gpu.map(0).read()).rejects.toMatchObject({ code: 'gpu-lost' });
    expect(() => gpu.map(0).texture).toThrow(/lost with the GPU/);
    gpu.map(0).clear();
    const from = gpu.time;
    await gpu.advance(1.6);
    const hits = (await gpu.map(0).read()).reduce((sum, value, at) => sum + (at % 4 === 3 ? value : 0), 0);
    const { collider } = await gpu.impacts(from, 1.6);
    expect(hits, 'seed 64').toBe(collider.filter(each => each === 0).length);
    gpu.close();
  });

  it('finds angles to 2^−20 of a turn', async () => {
    // Balls at random angles around an axis: half of a texel from every border, in as many texels as maps allow.
    const random = createRandom(63);
    const width = 8192;
    const texels = Array.from({ length: 64 }, () => Math.floor(random.between(0, width)));
    const position = new Float64Array(3 * texels.length);
    const velocity = new Float64Array(3 * texels.length);
    texels.forEach((texel, i) => {
      const angle = (2 * Math.PI * (texel + 0.5)) / width;
      position.set([4 * Math.cos(angle), 4 * Math.sin(angle), 0.3], 3 * i);
      velocity.set([-4 * Math.cos(angle), -4 * Math.sin(angle), 0], 3 * i);
    });
    const { gpu } = await systemOf({
      count: texels.length,
      start: { position, velocity, life: 2 },
      generations: 1,
      colliders: [
        {
          sphere: { centre: [0, 0, 0], radius: 1 },
          map: { width, height: 1, combine: 'count', precision: 'single' },
        },
      ],
    });
    await gpu.advance(1);
    const values = await gpu.map(0).read();
    for (const texel of texels) expect(values[4 * texel + 3], `seed 63, texel ${texel}`).toBeGreaterThan(0);
    gpu.close();
  });
});
