// The sequence of a query: what is dispatched and drawn between the broad phase and the traversal, round after round.

import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import { OnDemand } from '../../gpu/on-demand.ts';
import { Drawing } from './boxes/draw-boxes.ts';
import type { DrawnShape } from './boxes/kernels.ts';
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
import { bodyRound, type LookName, triangleRounds } from './layouts.ts';
import type { VisibilityOptions, VisibilityRequest } from './options.ts';
import { pixelCount, type Sizes } from './sizes.ts';
import { PublishedStages } from './stages/published.ts';
import { createSweepKernels, Sweep } from './survivors/sweep.ts';

/**
 * One look: the raster's dispatches (none if boxes are drawn), and the passes over the fragments, round after round.
 */
interface LookLaunches {
  readonly name: LookName;
  readonly rounds: readonly number[];
  readonly raster: readonly Launch[];
  /** Empty if occlusion queries are used instead. */
  readonly passes: readonly Launch[];
}

/** How a query looks: by the raster's dispatches or by drawing boxes, and then by owners or by occlusion queries. */
export interface Way {
  /** Whether the first look is a coarse one at everything, and the second one at what the first kept. */
  readonly glances: boolean;
  readonly looks: readonly LookLaunches[];
  /** The paper's order of stages: a look at whole bodies, then one at the triangles of those left. */
  readonly published:
    | { readonly stages: PublishedStages; readonly looks: readonly LookLaunches[] }
    | undefined;
  readonly drawing: Drawing | undefined;
  readonly occlusion: boolean;
  readonly rounds: readonly number[];
  readonly list: Launch;
  /** Sorts the survivors, if they are paired by a sweep and not by trees. */
  readonly sweep: Sweep | undefined;
  /** The kernels after culling: the frames of surviving pairs, the traversal and the triangle tests. */
  readonly frames: Launch;
  readonly narrow: readonly Launch[];
}

const visibilityLabel = { label: 'visibility' };

export class CullingPasses {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  /**
   * Rounds alternate between two sets of pixels: the first, third, … round has the even one, the others the odd one.
   */
  readonly #turns: readonly [Resources, Resources];
  /** The first of them, with the sizes of a glance. */
  readonly #glance: Resources;
  readonly #groups: number;
  readonly #begin: Launch;
  readonly #regions: Launch;
  readonly #launches = new Map<string, Promise<readonly Launch[]>>();
  /** The shapes that are drawn by the rasteriser, as published. */
  readonly #drawn: Readonly<Record<DrawnShape, OnDemand<Drawing>>> = {
    boxes: this.#drawnAs('boxes'),
    triangles: this.#drawnAs('triangles'),
  };
  readonly #sweep = new OnDemand(
    async () => new Sweep(this.#device, await createSweepKernels(this.#device), this.#resources),
  );
  readonly #stages = new OnDemand(() => PublishedStages.create(this.#device, this.#resources));

  constructor(device: GPUDevice, kernels: CullingKernels, resources: Resources, groups: number) {
    this.#device = device;
    this.#resources = resources;
    this.#groups = groups;
    this.#turns = [new Resources(resources), new Resources(resources)];
    this.#glance = new Resources(this.#turns[0]);
    this.#begin = this.#launch(kernels.begin);
    this.#regions = this.#launch(kernels.regions);
  }

  /** Sets the buffer that holds the sizes of a glance. */
  bindGlance(parameters: GPUBufferBinding): void {
    this.#glance.set('culling', parameters);
  }

  /** Sets the two sets of pixels between which rounds alternate. */
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

  async way(subject: Subject, options: VisibilityRequest): Promise<Way> {
    const occlusion = options.queries === 'occlusion';
    const boxed = occlusion || options.offset === 'boxes';
    const rounds = subject === 'self' ? [...triangleRounds] : [bodyRound, ...triangleRounds];
    // A glance is not used with samples, since coarse ones would miss more than CULLIDE does; nor for one mesh, since
    // it keeps too much there to pay.
    const isPublished = options.stages === 'published' && subject !== 'self';
    // Nor in the paper's order of stages, which has two looks of its own.
    const once = boxed || options.culling === 'may-miss' || isPublished;
    const glances = !once && subject !== 'self';
    const sweeps = options.survivors === 'sweep';
    const coverage = boxed ? undefined : coverageOf(options);
    const [looks, published, [list], [frames, ...narrow], drawing, sweep] = await Promise.all([
      this.#looksOf(rounds, glances ? ['glance', 'close'] : ['only'], coverage, occlusion),
      isPublished ? this.#publishedOf(rounds, coverage, occlusion) : undefined,
      this.#kept('list', async () => [await createListKernel(this.#device)]),
      this.#kept(`survivors ${subject} ${sweeps}`, async () => {
        const { frames, narrow } = await createSurvivorKernels(this.#device, subject, sweeps);
        return [frames, ...narrow];
      }),
      boxed ? this.#drawn[options.culling === 'may-miss' ? 'triangles' : 'boxes'].get() : undefined,
      sweeps ? this.#sweep.get() : undefined,
    ]);
    return { glances, looks, published, rounds, list, frames, narrow, drawing, occlusion, sweep };
  }

  /**
   * Returns the number of dispatches and draws. In the paper's order of stages, the candidates are found on the way,
   * unless the caller gave them. `keepGlance` is called when a glance is over, before its pixels are overwritten.
   */
  encode(
    encoder: GPUCommandEncoder,
    sizes: Sizes,
    way: Way,
    findsCandidates: boolean,
    keepGlance?: () => void,
  ): number {
    const { drawing, occlusion } = way;
    const groups = this.#groups;
    const perTriangle = Math.ceil(sizes.instanceCount / 256);
    let pass = encoder.beginComputePass(visibilityLabel);
    let dispatches = 0;
    const launch = (kernel: Launch, groups: number) => {
      kernel.encode(pass, groups);
      dispatches++;
    };
    /** Ends the compute pass, draws, and begins the next compute pass. */
    const draw = (encode: (drawing: Drawing) => number) => {
      pass.end();
      dispatches += encode(drawing!);
      pass = encoder.beginComputePass(visibilityLabel);
    };
    const widest = Math.max(pixelCount(sizes) / 2, sizes.bodyCount);
    launch(this.#begin, Math.min(groups, Math.ceil(widest / 256)));
    const markRegions = () => launch(this.#regions, Math.min(groups, Math.ceil(sizes.candidates / 64)));
    const look = ({ name, rounds, raster, passes }: LookLaunches) => {
      if (drawing !== undefined) {
        dispatches += drawing.encodeShapes(pass, perTriangle);
        if (!occlusion) draw(drawing => drawing.encodeFragments(encoder, sizes, name));
      }
      if (occlusion) {
        for (const round of rounds) draw(drawing => drawing.encodeRound(encoder, sizes, round, groups));
      }
      raster.forEach((kernel, i) => {
        launch(kernel, i === 0 ? perTriangle : groups);
      });
      for (const kernel of passes) launch(kernel, groups);
    };
    if (way.published && findsCandidates) {
      const { stages, looks } = way.published;
      dispatches += stages.encodeMark(pass, sizes.bodyCount);
      look(looks[0]);
      dispatches += stages.encodeSweep(pass, sizes.bodyCount);
      markRegions();
      look(looks[1]);
    } else {
      markRegions();
      for (const [place, each] of way.looks.entries()) {
        if (keepGlance && place === 1) {
          pass.end();
          keepGlance();
          pass = encoder.beginComputePass(visibilityLabel);
        }
        look(each);
      }
    }
    launch(way.list, perTriangle);
    if (way.sweep) dispatches += way.sweep.encode(pass, sizes.instanceCount);
    pass.end();
    return dispatches;
  }

  destroy(): void {
    for (const part of [...Object.values(this.#drawn), this.#sweep, this.#stages]) part.destroy();
  }

  #drawnAs(shape: DrawnShape): OnDemand<Drawing> {
    return new OnDemand(() => Drawing.create(this.#device, shape, this.#resources));
  }

  #launch(kernel: Kernel, resources = this.#resources): Launch {
    return new Launch(this.#device, kernel, resources);
  }

  #kept(
    key: string,
    make: () => Promise<readonly Kernel[]>,
    resources = this.#resources,
  ): Promise<readonly Launch[]> {
    let launches = this.#launches.get(key);
    if (launches === undefined) {
      launches = make().then(kernels => kernels.map(kernel => this.#launch(kernel, resources)));
      this.#launches.set(key, launches);
    }
    return launches;
  }

  async #publishedOf(
    rounds: readonly number[],
    coverage: Coverage | undefined,
    occlusion: boolean,
  ): Promise<Way['published']> {
    const [stages, looks] = await Promise.all([
      this.#stages.get(),
      this.#looksOf(rounds, ['objects', 'parts'], coverage, occlusion),
    ]);
    return { stages, looks };
  }

  /** All rounds in one look, or the first in one and the others in another. */
  #looksOf(
    rounds: readonly number[],
    names: readonly [LookName] | readonly [LookName, LookName],
    coverage: Coverage | undefined,
    occlusion: boolean,
  ): Promise<readonly LookLaunches[]> {
    const look = async (name: LookName, own: readonly number[], first: number): Promise<LookLaunches> => {
      const [raster, passes] = await Promise.all([
        coverage === undefined ? [] : this.#rasterOf(coverage, name, first),
        occlusion ? [] : this.#passesOf(own, name, first, coverage === undefined),
      ]);
      return { name, rounds: own, raster, passes };
    };
    const [first, second] = names;
    if (second === undefined) return Promise.all([look(first, rounds, 0)]);
    return Promise.all([look(first, rounds.slice(0, 1), 0), look(second, rounds.slice(1), 1)]);
  }

  /** The resources of a round of a look, by its index among the rounds. */
  #turnOf(look: LookName, place: number): Resources {
    return look === 'glance' ? this.#glance : this.#turns[place % 2];
  }

  #rasterOf(coverage: Coverage, look: LookName, first: number): Promise<readonly Launch[]> {
    const make = () => createRasterKernels(this.#device, coverage, look);
    return this.#kept(`raster ${coverage} ${look}`, make, this.#turnOf(look, first));
  }

  /** The nearest depths of a look's first round come from the raster, unless boxes were drawn. */
  #passesOf(
    rounds: readonly number[],
    look: LookName,
    first: number,
    boxed: boolean,
  ): Promise<readonly Launch[]> {
    const key = `passes ${rounds.join()} ${look} ${boxed}`;
    let launches = this.#launches.get(key);
    if (launches === undefined) {
      const made = rounds.flatMap((round, place) => {
        const passes: Pass[] =
          place === 0 && !boxed ? ['second', 'overlap'] : ['nearest', 'second', 'overlap'];
        return passes.map(async pass => {
          const kernel = await createPassKernel(this.#device, pass, round, look);
          return this.#launch(kernel, this.#turnOf(look, first + place));
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
