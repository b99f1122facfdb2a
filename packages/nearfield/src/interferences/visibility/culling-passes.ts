// The sequence of a query: what is dispatched and drawn between the broad phase and the traversal, round after round.

import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import { OnDemand } from '../../gpu/on-demand.ts';
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
import { Drawing } from './queries/draw-boxes.ts';
import { createShapeRaster, createShapesKernel, type Shape } from './shapes/kernels.ts';
import { pixelCount, type Sizes } from './sizes.ts';
import { PublishedStages } from './stages/published.ts';
import { createSweepKernels, Sweep } from './survivors/sweep/sweep.ts';

/** One look. */
interface LookLaunches {
  readonly rounds: readonly number[];
  /** The raster's dispatches; or the one that computes the paper's shapes. */
  readonly raster: readonly Launch[];
  /** The passes over the fragments, round after round. Empty if there are shapes. */
  readonly passes: readonly Launch[];
  /** The passes over the shapes, by round and view. Empty if occlusion queries are used instead. */
  readonly shapePasses: readonly (readonly Launch[])[];
}

/** How a query looks: by triangles, or by the paper's shapes; and then by owners or by occlusion queries. */
export interface Way {
  /** Whether the first look is a coarse one at everything, and the second one at what the first kept. */
  readonly glances: boolean;
  readonly looks: readonly LookLaunches[];
  /** The paper's order of stages: a look at whole bodies, then one at the triangles of those left. */
  readonly published:
    | { readonly stages: PublishedStages; readonly looks: readonly LookLaunches[] }
    | undefined;
  readonly shape: Shape | undefined;
  /** Draws the shapes with occlusion queries, if these are used. */
  readonly drawing: Drawing | undefined;
  readonly list: Launch;
  /** Sorts the survivors, if they are paired by a sweep and not by trees. */
  readonly sweep: Sweep | undefined;
  /** The kernels after culling: the frames of surviving pairs, the traversal and the triangle tests. */
  readonly frames: Launch;
  readonly narrow: readonly Launch[];
}

const visibilityLabel = { label: 'visibility' };

/** Teams per workgroup (raster-shapes.wgsl), and workgroups for parts of shapes, whose number only the GPU knows. */
const teamsPerGroup = 8;
const groupsForParts = 256;

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
  /** The shapes drawn by the rasteriser, with occlusion queries. */
  readonly #drawn: Readonly<Record<Shape, OnDemand<Drawing>>> = {
    boxes: this.#drawnAs('boxes'),
    triangles: this.#drawnAs('triangles'),
  };
  /** Every view and round, for what shows one view at a time. */
  readonly #drawings: readonly (readonly GPUBuffer[])[];
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
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#drawings = [0, 1, 2].map(view =>
      [bodyRound, ...triangleRounds].map(round => {
        const buffer = device.createBuffer({ label: 'drawing', size: 16, usage });
        device.queue.writeBuffer(buffer, 0, new Uint32Array([view, round]));
        return buffer;
      }),
    );
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
    const shape = shapeOf(options);
    const rounds = subject === 'self' ? [...triangleRounds] : [bodyRound, ...triangleRounds];
    // A glance is not used with samples, since coarse ones would miss more than CULLIDE does; nor for one mesh, since
    // it keeps too much there to pay.
    const isPublished = options.stages === 'published' && subject !== 'self';
    // Nor in the paper's order of stages, which has two looks of its own.
    const glances = shape === undefined && !isPublished && subject !== 'self';
    const sweeps = options.survivors === 'sweep';
    const make = (look: LookName, own: readonly number[], first: number) =>
      shape === undefined
        ? this.#lookAtTriangles(look, own, first, coverageOf(options))
        : this.#lookAtShapes(look, own, shape, occlusion);
    const [looks, published, [list], [frames, ...narrow], drawing, sweep] = await Promise.all([
      looksOf(rounds, glances ? ['glance', 'close'] : ['only'], make),
      isPublished ? this.#publishedOf(rounds, make) : undefined,
      this.#kept('list', async () => [await createListKernel(this.#device)]),
      this.#kept(`survivors ${subject} ${sweeps}`, async () => {
        const { frames, narrow } = await createSurvivorKernels(this.#device, subject, sweeps);
        return [frames, ...narrow];
      }),
      shape !== undefined && occlusion ? this.#drawn[shape].get() : undefined,
      sweeps ? this.#sweep.get() : undefined,
    ]);
    return { glances, looks, published, list, frames, narrow, shape, drawing, sweep };
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
    const { drawing } = way;
    const groups = this.#groups;
    const perTriangle = Math.ceil(sizes.instanceCount / 256);
    let pass = encoder.beginComputePass(visibilityLabel);
    let dispatches = 0;
    const launch = (kernel: Launch, groups: number) => {
      kernel.encode(pass, groups);
      dispatches++;
    };
    const widest = Math.max(pixelCount(sizes) / 2, sizes.bodyCount);
    launch(this.#begin, Math.min(groups, Math.ceil(widest / 256)));
    const markRegions = () => launch(this.#regions, Math.min(groups, Math.ceil(sizes.candidates / 64)));
    const look = ({ rounds, raster, passes, shapePasses }: LookLaunches) => {
      raster.forEach((kernel, i) => {
        launch(kernel, i === 0 ? perTriangle : groups);
      });
      for (const kernel of passes) launch(kernel, groups);
      const perShape = Math.min(groups, Math.ceil(sizes.instanceCount / teamsPerGroup) + groupsForParts);
      for (const ofView of shapePasses) {
        for (const kernel of ofView.slice(0, 2 * sizes.views)) launch(kernel, perShape);
      }
      if (drawing === undefined) return;
      pass.end();
      for (const round of rounds) dispatches += drawing.encodeRound(encoder, sizes, round, groups);
      pass = encoder.beginComputePass(visibilityLabel);
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
    for (const buffer of this.#drawings.flat()) buffer.destroy();
  }

  #drawnAs(shape: Shape): OnDemand<Drawing> {
    return new OnDemand(() => Drawing.create(this.#device, shape, this.#resources, this.#drawings));
  }

  #launch(kernel: Kernel, resources = this.#resources): Launch {
    return new Launch(this.#device, kernel, resources);
  }

  #kept(
    key: string,
    make: () => Promise<readonly Kernel[]>,
    resources = this.#resources,
  ): Promise<readonly Launch[]> {
    return this.#keptLaunches(key, async () => (await make()).map(kernel => this.#launch(kernel, resources)));
  }

  #keptLaunches(key: string, make: () => Promise<readonly Launch[]>): Promise<readonly Launch[]> {
    let launches = this.#launches.get(key);
    if (launches === undefined) this.#launches.set(key, (launches = make()));
    return launches;
  }

  async #publishedOf(rounds: readonly number[], make: MakeLook): Promise<Way['published']> {
    const [stages, looks] = await Promise.all([
      this.#stages.get(),
      looksOf(rounds, ['objects', 'parts'], make),
    ]);
    return { stages, looks };
  }

  async #lookAtTriangles(
    look: LookName,
    rounds: readonly number[],
    first: number,
    coverage: Coverage,
  ): Promise<LookLaunches> {
    const [raster, passes] = await Promise.all([
      this.#rasterOf(coverage, look, first),
      this.#passesOf(rounds, look, first),
    ]);
    return { rounds, raster, passes, shapePasses: [] };
  }

  async #lookAtShapes(
    look: LookName,
    rounds: readonly number[],
    shape: Shape,
    occlusion: boolean,
  ): Promise<LookLaunches> {
    const [raster, ...shapePasses] = await Promise.all([
      this.#kept(`${shape} ${look}`, async () => [await createShapesKernel(this.#device, shape, look)]),
      ...(occlusion ? [] : rounds.map(round => this.#shapePassesOf(shape, look, round))),
    ]);
    return { rounds, raster, passes: [], shapePasses };
  }

  /** Per view, the shapes enter their pixels and are then tested. */
  #shapePassesOf(shape: Shape, look: LookName, round: number): Promise<readonly Launch[]> {
    return this.#keptLaunches(`${shape} ${look} ${round}`, async () => {
      const kernels = await Promise.all(
        [false, true].map(testing => createShapeRaster(this.#device, shape, look, testing)),
      );
      return this.#drawings.flatMap(ofView => {
        const resources = new Resources(this.#turns[round % 2]);
        resources.set('drawing', ofView[round]);
        return kernels.map(kernel => this.#launch(kernel, resources));
      });
    });
  }

  /** The resources of a round of a look, by its index among the rounds. */
  #turnOf(look: LookName, place: number): Resources {
    return look === 'glance' ? this.#glance : this.#turns[place % 2];
  }

  #rasterOf(coverage: Coverage, look: LookName, first: number): Promise<readonly Launch[]> {
    const make = () => createRasterKernels(this.#device, coverage, look);
    return this.#kept(`raster ${coverage} ${look}`, make, this.#turnOf(look, first));
  }

  /** In a look's first round, the raster has entered the fragments in their pixels. */
  #passesOf(rounds: readonly number[], look: LookName, first: number): Promise<readonly Launch[]> {
    return this.#keptLaunches(`passes ${rounds.join()} ${look}`, () =>
      Promise.all(
        rounds.flatMap((round, place) => {
          const passes: Pass[] = place === 0 ? ['overlap'] : ['insert', 'overlap'];
          return passes.map(async pass => {
            const kernel = await createPassKernel(this.#device, pass, round, look);
            return this.#launch(kernel, this.#turnOf(look, first + place));
          });
        }),
      ),
    );
  }
}

type MakeLook = (look: LookName, rounds: readonly number[], first: number) => Promise<LookLaunches>;

/** All rounds in one look, or the first in one and the others in another. */
function looksOf(
  rounds: readonly number[],
  [one, two]: readonly [LookName] | readonly [LookName, LookName],
  make: MakeLook,
): Promise<readonly LookLaunches[]> {
  if (two === undefined) return Promise.all([make(one, rounds, 0)]);
  return Promise.all([make(one, rounds.slice(0, 1), 0), make(two, rounds.slice(1), 1)]);
}

/** The shape that stands for a triangle, if it is one of the paper's that have no list of fragments. */
function shapeOf({ culling, offset, queries }: VisibilityOptions): Shape | undefined {
  if (culling === 'may-miss') return 'triangles';
  return offset === 'boxes' || queries === 'occlusion' ? 'boxes' : undefined;
}

function coverageOf({ offset }: VisibilityOptions): Coverage {
  return offset === 'bounded' || offset === 'exact' ? offset : 'touched';
}
