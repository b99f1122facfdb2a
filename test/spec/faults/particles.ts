// Particles on a GPU whose device fails now and then, beside the same particles on the CPU. Both take every step. If
// the GPU's step failed, it is repeated, and then both must have the same impacts, positions and maps.

import type { Collider, Impacts, ParticleOptions } from 'nearfield';
import { expect } from 'vitest';
import type { GpuEngine } from '../../../packages/nearfield/src/gpu/engine.ts';
import { readWords } from '../../../packages/nearfield/src/gpu/testing/test-device.ts';
import { CpuParticles } from '../../../packages/nearfield/src/particles/cpu-particles.ts';
import { expectSame } from '../../../packages/nearfield/src/particles/gpu/testing/systems.ts';
import { Particles } from '../../../packages/nearfield/src/particles/particles.ts';
import { gpuParticleDriver } from '../../../packages/nearfield/src/particles/seam.ts';
import { compileSetup } from '../../../packages/nearfield/src/particles/setup.ts';
import { type Random, whole } from '../../oracle/triangles/generators.ts';
import type { FaultInjector } from './faults.ts';

export const particleSteps = ['create', 'impacts', 'advance', 'setColliders', 'draw', 'map'] as const;
export type ParticleStep = (typeof particleSteps)[number];

/**
 * World units. Positions are off by a few roundings of single precision, amplified by bounces; another segment would
 * be farther off.
 */
const bound = 0.01;
const mapSize = 16;

/** A floor with a map, and things above it: some bounce, some move. */
function randomColliders(random: Random): Collider[] {
  const at = () => whole(random, -12, 12) / 8;
  const floor: Collider = {
    plane: { point: [0, 0, whole(random, -4, 4) / 8], normal: [0, 0, 1] },
    within: { rectangle: [3, 3] },
    map: { width: mapSize, height: mapSize, combine: 'count' },
  };
  const sphere: Collider = { sphere: { centre: [at(), at(), 1.5], radius: 0.75 } };
  const tilted: Collider = {
    plane: { point: [at(), at(), 1], normal: [0.25, 0.125, 1] },
    within: { disc: 1 },
    response: { kind: 'bounce', restitution: 0.5 },
  };
  const moving: Collider = {
    sphere: { centre: [at(), at(), 1], radius: 0.5 },
    motion: { velocity: [0.25, -0.125, 0.125] },
  };
  return [floor, ...[sphere, tilted, moving].filter(() => random() < 0.6)];
}

function randomOptions(random: Random, count: number): ParticleOptions {
  return {
    count,
    seed: whole(random, 0, 1000),
    start: {
      from: {
        box: [
          [-2, -2, 2.5],
          [2, 2, 3.5],
        ],
      },
      velocity: { cone: { axis: [0, 0, -1], angle: 0.6, speed: [1, 3] } },
      life: [1, 1.5],
    },
    acceleration: [0, 0, -4],
    colliders: randomColliders(random),
    ...(random() < 0.5 ? { response: { kind: 'bounce', restitution: 0.5 } as const } : {}),
  };
}

async function particlesOn(engine: GpuEngine, options: ParticleOptions): Promise<Particles> {
  const setup = compileSetup(options);
  return new Particles(
    options,
    setup,
    await (await engine.driver(gpuParticleDriver)).particles(setup),
    () => {},
  );
}

export class FaultParticles {
  readonly #engine: GpuEngine;
  readonly #options: ParticleOptions;
  readonly #cpu: CpuParticles;
  #gpu: Particles;

  static async create(engine: GpuEngine, random: Random, count: number): Promise<FaultParticles> {
    const options = randomOptions(random, count);
    return new FaultParticles(engine, options, await particlesOn(engine, options));
  }

  constructor(engine: GpuEngine, options: ParticleOptions, gpu: Particles) {
    this.#engine = engine;
    this.#options = options;
    this.#gpu = gpu;
    this.#cpu = new CpuParticles(options, compileSetup(options), undefined, () => {});
  }

  /** Takes a step in which the n-th call fails. Returns whether a call failed. */
  async tryStep(
    step: ParticleStep,
    random: Random,
    injector: FaultInjector,
    n: number,
    what: string,
  ): Promise<boolean> {
    const time = whole(random, 0, 96) / 32;
    const [from, to] = [time - whole(random, 1, 64) / 32, time];
    const colliders = step === 'setColliders' ? randomColliders(random) : [];
    const take = () => this.#take(step, from, to, colliders);
    injector.arm(n);
    let check: (() => void | Promise<void>) | undefined;
    try {
      check = await take();
    } catch (error) {
      if (injector.fired === undefined) throw new Error(`${what}: ${error}`, { cause: error });
    } finally {
      injector.disarm();
    }
    const { fired } = injector;
    const name = `${what} (${fired})`;
    try {
      // A silent failure is reported a little later.
      await this.#engine.device.queue.onSubmittedWorkDone();
      await new Promise(resolve => setTimeout(resolve, 0));
      if (check === undefined || (fired !== undefined && step === 'draw')) check = await take();
      this.#takeOnCpu(step, to, colliders);
      await check();
      await this.#checkAll(from - 0.5, to + 0.5);
    } catch (error) {
      throw new Error(`${name}: ${error}`, { cause: error });
    }
    return fired !== undefined;
  }

  close(): void {
    this.#gpu.close();
    this.#cpu.close();
  }

  /** Takes the step on the GPU. Returns a check to run once the CPU has taken it as well. */
  async #take(
    step: ParticleStep,
    from: number,
    to: number,
    colliders: readonly Collider[],
  ): Promise<() => void | Promise<void>> {
    const gpu = this.#gpu;
    switch (step) {
      case 'create': {
        const made = await particlesOn(this.#engine, { ...this.#options, colliders: this.#cpu.colliders });
        const impacts = await made.impacts(from, to);
        return () => {
          expectSame(impacts, this.#cpu.impactsSync(from, to), 'other particles');
          made.close();
        };
      }
      case 'impacts': {
        const impacts = await gpu.impacts(from, to);
        return () => expectSame(impacts, this.#cpu.impactsSync(from, to), 'impacts');
      }
      case 'advance': {
        const impacts = await gpu.advance(to);
        return () => expectSame(impacts, this.#advanced!, 'advance');
      }
      case 'setColliders':
        await gpu.setColliders(colliders);
        return () => {};
      case 'draw':
        gpu.draw(to);
        return () => {};
      case 'map':
        await gpu.advance(to);
        void gpu.map(0).texture;
        return () => {};
    }
  }

  #advanced: Impacts | undefined;

  #takeOnCpu(step: ParticleStep, to: number, colliders: readonly Collider[]): void {
    if (step === 'advance' || step === 'map') this.#advanced = this.#cpu.advanceSync(to);
    // The CPU finishes before anything is awaited.
    if (step === 'setColliders') this.#setColliders = this.#cpu.setColliders(colliders);
  }

  #setColliders: Promise<void> = Promise.resolve();

  /** Everything there is to see. */
  async #checkAll(from: number, to: number): Promise<void> {
    await this.#setColliders;
    const [gpu, cpu] = [this.#gpu, this.#cpu];
    expectSame(await gpu.impacts(from, to), cpu.impactsSync(from, to), 'afterwards');
    await this.#checkPositions(to);
    expect(gpu.time).toBe(cpu.time);
    const { values } = cpu.map(0);
    expect(gpu.map(0).values, 'values of the map').toEqual(values);
    expect(await this.#texels(), 'texture of the map').toEqual(values);
  }

  async #checkPositions(time: number): Promise<void> {
    const [gpu, cpu] = [this.#gpu, this.#cpu];
    // A window over all lives of this time decides what was unsure.
    await gpu.impacts(time - 1.5, time);
    gpu.draw(time);
    const words = await readWords(this.#engine.device, gpu.positions as GPUBuffer, 4 * gpu.count);
    const places = new Float32Array(words.buffer);
    const { alive, position } = cpu.stateSync(time);
    for (let i = 0; i < gpu.count; i++) {
      expect(places[4 * i + 3] >= 0, `drawn at ${time}: particle ${i}`).toBe(alive[i] !== 0);
      if (alive[i] === 0) continue;
      for (let axis = 0; axis < 3; axis++) {
        const off = Math.abs(places[4 * i + axis] + gpu.origin[axis] - position[3 * i + axis]);
        expect(off, `drawn at ${time}: particle ${i}, axis ${axis}`).toBeLessThan(bound);
      }
    }
  }

  /** What the map's texture holds. */
  async #texels(): Promise<Float32Array> {
    const { device } = this.#engine;
    const bytesPerRow = 16 * mapSize;
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC;
    const buffer = device.createBuffer({ size: bytesPerRow * mapSize, usage });
    const encoder = device.createCommandEncoder();
    const texture = this.#gpu.map(0).texture as GPUTexture;
    encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow }, [mapSize, mapSize]);
    device.queue.submit([encoder.finish()]);
    const words = await readWords(device, buffer, (bytesPerRow * mapSize) / 4);
    buffer.destroy();
    return new Float32Array(words.buffer);
  }
}
