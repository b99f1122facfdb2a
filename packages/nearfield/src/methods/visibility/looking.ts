// The order in which a question looks: what is dispatched and drawn between the broad phase and the walk, round after round.

import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import { type BoxDrawing, BoxDrawings } from './boxes/draw-boxes.ts';
import {
  type Coverage,
  type CullingKernels,
  createListKernel,
  createPassKernel,
  createRasterKernels,
  createSurvivorKernels,
  type Pass,
  type Subject,
} from './kernels.ts';
import { bodyRound, triangleRounds } from './layouts.ts';
import type { VisibilityOptions } from './options.ts';
import { pixelCount, type Sizes } from './sizes.ts';

/** How a question looks: by the raster's dispatches or by drawing boxes, and then by owners or by queries. */
export interface Way {
  readonly raster: readonly Launch[];
  readonly drawing: BoxDrawing | undefined;
  readonly occlusion: boolean;
  /** Passes over the fragments, round after round; none where queries are asked instead. */
  readonly passes: readonly Launch[];
  readonly rounds: readonly number[];
  readonly list: Launch;
  /** What follows: the frames of pairs that are left, the walk and the triangle tests. */
  readonly frames: Launch;
  readonly narrow: readonly Launch[];
}

const visibilityLabel = { label: 'visibility' };

export class Looking {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  /** Rounds take the two sets of pixels in turn: by place in the order of rounds, even and odd. */
  readonly #turns: readonly [Resources, Resources];
  readonly #groups: number;
  readonly #begin: Launch;
  readonly #regions: Launch;
  readonly #launches = new Map<string, Promise<readonly Launch[]>>();
  readonly #boxes: BoxDrawings;

  constructor(device: GPUDevice, kernels: CullingKernels, resources: Resources, groups: number) {
    this.#device = device;
    this.#resources = resources;
    this.#groups = groups;
    this.#turns = [new Resources(resources), new Resources(resources)];
    this.#begin = this.#launch(kernels.begin);
    this.#regions = this.#launch(kernels.regions);
    this.#boxes = new BoxDrawings(device, resources);
  }

  /** Tells the rounds where the two sets of pixels lie. */
  bindPixels(even: GPUBuffer, odd: GPUBuffer): void {
    this.#resources.set('evenPixels', even);
    this.#resources.set('oddPixels', odd);
    this.#resources.set('pixels', even);
    const [evenTurn, oddTurn] = this.#turns;
    evenTurn.set('pixels', even);
    evenTurn.set('otherPixels', odd);
    oddTurn.set('pixels', odd);
    oddTurn.set('otherPixels', even);
  }

  async way(subject: Subject, options: VisibilityOptions): Promise<Way> {
    const occlusion = options.queries === 'occlusion';
    const boxed = occlusion || options.offset === 'boxes';
    const rounds =
      subject === 'bodies'
        ? [bodyRound]
        : subject === 'self'
          ? [...triangleRounds]
          : [bodyRound, ...triangleRounds];
    const [raster, passes, [list], [frames, ...narrow], drawing] = await Promise.all([
      boxed ? [] : this.#rasterOf(coverageOf(options)),
      occlusion ? [] : this.#passesOf(rounds, boxed),
      this.#kept(`list ${subject === 'bodies'}`, async () => [
        await createListKernel(this.#device, subject !== 'bodies'),
      ]),
      this.#kept(`survivors ${subject}`, async () => {
        const { frames, narrow } = await createSurvivorKernels(this.#device, subject);
        return [frames, ...narrow];
      }),
      boxed ? this.#boxes.get() : undefined,
    ]);
    return { raster, passes, rounds, list, frames, narrow, drawing, occlusion };
  }

  /** Returns how many dispatches and draws. */
  encode(encoder: GPUCommandEncoder, sizes: Sizes, way: Way): number {
    const { raster, drawing, occlusion, rounds } = way;
    const groups = this.#groups;
    const perTriangle = Math.ceil(sizes.instanceCount / 256);
    let pass = encoder.beginComputePass(visibilityLabel);
    let dispatches = 0;
    const launch = (kernel: Launch, groups: number) => {
      kernel.encode(pass, groups);
      dispatches++;
    };
    /** Draws between two passes. */
    const draw = (encode: (drawing: BoxDrawing) => number) => {
      pass.end();
      dispatches += encode(drawing!);
      pass = encoder.beginComputePass(visibilityLabel);
    };
    const widest = Math.max(pixelCount(sizes) / 2, sizes.bodyCount);
    launch(this.#begin, Math.min(groups, Math.ceil(widest / 256)));
    launch(this.#regions, Math.min(groups, Math.ceil(sizes.candidates / 64)));
    if (drawing === undefined) {
      launch(raster[0], perTriangle);
      launch(raster[1], groups);
    } else {
      dispatches += drawing.encodeBoxes(pass, perTriangle);
      if (!occlusion) draw(drawing => drawing.encodeFragments(encoder, sizes));
    }
    if (occlusion) {
      for (const round of rounds) draw(drawing => drawing.encodeRound(encoder, sizes, round, groups));
    }
    for (const kernel of way.passes) launch(kernel, groups);
    launch(way.list, perTriangle);
    pass.end();
    return dispatches;
  }

  destroy(): void {
    this.#boxes.destroy();
  }

  #launch(kernel: Kernel, resources = this.#resources): Launch {
    return new Launch(this.#device, kernel, resources);
  }

  #kept(key: string, make: () => Promise<readonly Kernel[]>): Promise<readonly Launch[]> {
    let launches = this.#launches.get(key);
    if (launches === undefined) {
      launches = make().then(kernels => kernels.map(kernel => this.#launch(kernel)));
      this.#launches.set(key, launches);
    }
    return launches;
  }

  #rasterOf(coverage: Coverage): Promise<readonly Launch[]> {
    return this.#kept(`raster ${coverage}`, () => createRasterKernels(this.#device, coverage));
  }

  /** The raster has found the nearest depths of the first round, unless boxes were drawn. */
  #passesOf(rounds: readonly number[], boxed: boolean): Promise<readonly Launch[]> {
    const key = `passes ${rounds.join()} ${boxed}`;
    let launches = this.#launches.get(key);
    if (launches === undefined) {
      const made = rounds.flatMap((round, place) => {
        const passes: Pass[] =
          place === 0 && !boxed ? ['second', 'overlap'] : ['nearest', 'second', 'overlap'];
        return passes.map(async pass => {
          const kernel = await createPassKernel(this.#device, pass, round);
          return this.#launch(kernel, this.#turns[place % 2]);
        });
      });
      launches = Promise.all(made);
      this.#launches.set(key, launches);
    }
    return launches;
  }
}

function coverageOf({ culling, offset }: VisibilityOptions): Coverage {
  if (culling === 'may-miss') return 'centres';
  return offset === 'bounded' || offset === 'exact' ? offset : 'touched';
}
