// The visibility method on the GPU (Govindaraju, Lin and Manocha 2004, FAR, with CULLIDE inside it): bodies, then
// triangles, that some view along an axis sees clear of all other bodies meet nothing and are left out. What is left goes
// the way of the hierarchy method. proof.md says why nothing that meets is ever left out.
//
// CULLIDE draws bodies in order, each tested against those before it, once from the first on and once from the last on.
// Together the two passes keep what lies, in some pixel, not wholly before the nearest of all others. That is asked here
// without an order: the nearest depth of a pixel, who has it, and the nearest of anybody else, by atomics, in as many passes
// for two bodies as for thousands. Triangles become fragments once a view, and the rounds go over the fragments.

import type { GpuTrees } from '../../bvh/gpu-trees.ts';
import { NearfieldError } from '../../errors.ts';
import { GrowingBuffer, largestBinding } from '../../gpu/buffers.ts';
import { type Kernel, Launch, Resources } from '../../gpu/kernel.ts';
import type { Piece } from '../../gpu/read-back.ts';
import type { Bodies, Detail, Form, RawAnswer } from '../../scene/engine.ts';
import type { Culling } from '../hierarchy/gpu/culling.ts';
import { BoxDrawing, createBoxKernels } from './boxes/draw-boxes.ts';
import {
  type Coverage,
  type CullingKernels,
  createCullingKernels,
  createRasterKernels,
  createSurvivorKernels,
} from './kernels.ts';
import { bodyStateWords, CullingLayout, ImageState, imageStateWords, PlacingLayout } from './layouts.ts';
import type { VisibilityOptions, VisibilityStats } from './options.ts';

/** Fragments and rows of tiles there is room for at first. */
export interface VisibilityRoom {
  fragments: number;
  longRows: number;
}

const usualRoom: VisibilityRoom = { fragments: 2 ** 18, longRows: 2 ** 12 };

/** Rounds on whole bodies, then on triangles. Each leaves out less than the one before. */
const bodyRounds = 1;
const triangleRounds = 2;

const hardwareGroups = 4096;
const softwareGroups = 32;

export interface VisibilityCulling extends Culling {
  /** Of the go that was accepted. */
  readonly stats: VisibilityStats;
}

export async function createVisibility(
  device: GPUDevice,
  trees: GpuTrees,
  resources: Resources,
  options: { software: boolean; room?: VisibilityRoom | undefined },
): Promise<Visibility> {
  return new Visibility(device, await createCullingKernels(device), trees, resources, options);
}

/** Candidates that a culling of bodies gave work, in order of a, then b. */
export function pairsLeft({ candidates, apart }: RawAnswer): Uint32Array {
  const kept: [number, number][] = [];
  for (let c = 0; c < candidates.length / 2; c++) {
    if (apart![c] === 0) kept.push([candidates[2 * c], candidates[2 * c + 1]]);
  }
  kept.sort(([a, b], [c, d]) => a - c || b - d);
  return Uint32Array.from(kept.flat());
}

/** The numbers of a question. */
interface Sizes {
  resolution: number;
  views: number;
  /** By body, its first triangle; then how many there are. */
  starts: Uint32Array<ArrayBuffer>;
  bodyCount: number;
  instanceCount: number;
  candidates: number;
}

/** How a question looks: by the raster's dispatches or by drawing boxes, and then by owners or by queries. */
interface Way {
  readonly raster: readonly Launch[];
  readonly drawing: BoxDrawing | undefined;
  readonly occlusion: boolean;
  /** Whether triangles are asked about after whole bodies. */
  readonly byTriangles: boolean;
}

export class Visibility {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #resources: Resources;
  readonly #room: VisibilityRoom;
  readonly #groups: number;
  readonly #launches: Record<'place' | 'regions' | 'clear' | 'count' | 'scan' | 'list', Launch>;
  readonly #bodyRound: readonly Launch[];
  readonly #triangleRound: readonly Launch[];
  readonly #rasters = new Map<Coverage, readonly Launch[]>();
  readonly #survivors = new Map<Detail | 'bodies', { frames: Launch; narrow: readonly Launch[] }>();
  #drawing: Promise<BoxDrawing> | undefined;
  readonly #parameters: GPUBuffer;
  readonly #buffers: Readonly<
    Record<
      | 'placings'
      | 'imageState'
      | 'bodyStates'
      | 'instances'
      | 'fragments'
      | 'longRows'
      | 'pixels'
      | 'survivors',
      GrowingBuffer
    >
  >;
  /** What the first triangles of bodies were last written for, and where. */
  #starts: { forms: readonly Form[]; instanceCount: number; buffer: GPUBuffer } | undefined;

  /** Use `createVisibility()`. */
  constructor(
    device: GPUDevice,
    kernels: CullingKernels,
    trees: GpuTrees,
    resources: Resources,
    { software, room = usualRoom }: { software: boolean; room?: VisibilityRoom | undefined },
  ) {
    this.#device = device;
    this.#trees = trees;
    this.#resources = new Resources(resources);
    this.#room = { ...room };
    this.#groups = software ? softwareGroups : hardwareGroups;
    this.#launches = {
      place: this.#launch(kernels.place),
      regions: this.#launch(kernels.regions),
      clear: this.#launch(kernels.clear),
      count: this.#launch(kernels.count),
      scan: this.#launch(kernels.scan),
      list: this.#launch(kernels.list),
    };
    this.#bodyRound = kernels.bodyRound.map(kernel => this.#launch(kernel));
    this.#triangleRound = kernels.triangleRound.map(kernel => this.#launch(kernel));
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#parameters = device.createBuffer({ label: 'culling', size: CullingLayout.bytes, usage });
    const list = (label: string) => new GrowingBuffer(device, label);
    this.#buffers = {
      placings: list('placings'),
      imageState: list('image state'),
      bodyStates: list('body states'),
      instances: list('instances'),
      fragments: list('fragments'),
      longRows: list('long rows'),
      pixels: list('pixels'),
      survivors: list('survivors'),
    };
  }

  /**
   * The culling of one question. It is done with before the next one begins. With detail 'bodies' only whole bodies are left
   * out, and candidates of which one is have no work.
   */
  async culling(detail: Detail | 'bodies', options: VisibilityOptions): Promise<VisibilityCulling> {
    const coverage: Coverage = options.culling === 'may-miss' ? 'centres' : 'touched';
    const occlusion = options.queries === 'occlusion';
    const boxed = occlusion || options.offset === 'boxes';
    const [raster, { frames, narrow }, drawing] = await Promise.all([
      boxed ? [] : this.#rasterOf(coverage),
      this.#survivorsOf(detail),
      boxed ? this.#drawingOf() : undefined,
    ]);
    const way: Way = { raster, drawing, occlusion, byTriangles: detail !== 'bodies' };
    const sizes: Sizes = {
      resolution: options.resolution ?? 0,
      views: options.views ?? 3,
      starts: new Uint32Array(1),
      bodyCount: 0,
      instanceCount: 0,
      candidates: 0,
    };
    let stats: VisibilityStats | undefined;
    return {
      frames,
      narrow,
      reserve: (bodies, candidates) => {
        this.#reserve(sizes, bodies, candidates);
        drawing?.reserve(sizes);
      },
      encode: encoder => this.#encode(encoder, sizes, way),
      // Lists may move while they grow: the pieces are made when they are asked for.
      pieces: this.#pieces(sizes),
      accept: ([state, met]) => {
        stats = statsOf(sizes, state, met);
        return !this.#grow(sizes, state);
      },
      get stats() {
        return stats!;
      },
    };
  }

  destroy(): void {
    this.#parameters.destroy();
    this.#drawing?.then(
      drawing => drawing.destroy(),
      () => {},
    );
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }

  #launch(kernel: Kernel): Launch {
    return new Launch(this.#device, kernel, this.#resources);
  }

  async #rasterOf(coverage: Coverage): Promise<readonly Launch[]> {
    let launches = this.#rasters.get(coverage);
    if (launches === undefined) {
      const kernels = await createRasterKernels(this.#device, coverage);
      launches = kernels.map(kernel => this.#launch(kernel));
      this.#rasters.set(coverage, launches);
    }
    return launches;
  }

  async #survivorsOf(detail: Detail | 'bodies'): Promise<{ frames: Launch; narrow: readonly Launch[] }> {
    let launches = this.#survivors.get(detail);
    if (launches === undefined) {
      const { frames, narrow } = await createSurvivorKernels(this.#device, detail);
      launches = { frames: this.#launch(frames), narrow: narrow.map(kernel => this.#launch(kernel)) };
      this.#survivors.set(detail, launches);
    }
    return launches;
  }

  #drawingOf(): Promise<BoxDrawing> {
    return (this.#drawing ??= createBoxKernels(this.#device).then(
      kernels => new BoxDrawing(this.#device, kernels, this.#resources),
    ));
  }

  #reserve(sizes: Sizes, bodies: Bodies, candidates: number): void {
    const starts = instanceStarts(bodies, this.#trees);
    sizes.starts = starts;
    sizes.bodyCount = bodies.count;
    sizes.instanceCount = starts[bodies.count];
    sizes.candidates = candidates;
    if (sizes.resolution === 0) sizes.resolution = usualResolution(sizes.instanceCount);
    const { placings, imageState, bodyStates, instances, fragments, longRows, pixels, survivors } =
      this.#buffers;
    const { resolution, views, bodyCount, instanceCount } = sizes;
    placings.reserve(PlacingLayout.bytes * bodyCount);
    imageState.reserve(4 * imageStateWords);
    bodyStates.reserve(4 * bodyStateWords * bodyCount);
    instances.reserve(8 * instanceCount);
    fragments.reserve(16 * this.#room.fragments);
    longRows.reserve(8 * this.#room.longRows);
    pixels.reserve(4 * pixelWords(sizes));
    const { aliveAt, metAt, listAt, end } = sectionsOf(sizes);
    survivors.reserve(4 * end);
    const words = new Uint32Array(CullingLayout.words);
    const { at } = CullingLayout;
    words[at.resolution] = resolution;
    words[at.views] = views;
    words[at.bodyCount] = bodyCount;
    words[at.instanceCount] = instanceCount;
    words[at.instanceStartsAt] = bodyCount + 1;
    words[at.aliveAt] = aliveAt;
    words[at.metAt] = metAt;
    words[at.listAt] = listAt;
    this.#device.queue.writeBuffer(this.#parameters, 0, words);
    this.#writeStarts(bodies, starts);
    this.#resources.set('culling', this.#parameters);
    for (const [name, { buffer }] of Object.entries(this.#buffers)) this.#resources.set(name, buffer);
    this.#resources.set('scanState', imageState.buffer);
    this.#resources.set('scanValues', survivors.buffer);
  }

  #writeStarts({ forms, count }: Bodies, starts: Uint32Array<ArrayBuffer>): void {
    const { buffer } = this.#buffers.survivors;
    const instanceCount = starts[count];
    const last = this.#starts;
    if (last?.forms === forms && last.instanceCount === instanceCount && last.buffer === buffer) return;
    this.#device.queue.writeBuffer(buffer, 4 * (count + 1), starts, 0, count);
    this.#starts = { forms, instanceCount, buffer };
  }

  #encode(encoder: GPUCommandEncoder, sizes: Sizes, way: Way): number {
    const { raster, drawing, occlusion } = way;
    const { imageState, bodyStates, survivors } = this.#buffers;
    const { bodyCount, instanceCount, candidates } = sizes;
    const { aliveAt, listAt } = sectionsOf(sizes);
    encoder.clearBuffer(imageState.buffer);
    encoder.clearBuffer(bodyStates.buffer);
    encoder.clearBuffer(survivors.buffer, 0, 4 * (bodyCount + 1));
    encoder.clearBuffer(survivors.buffer, 4 * aliveAt, 4 * (listAt - aliveAt));
    const groups = this.#groups;
    const perTriangle = Math.ceil(instanceCount / 256);
    const perBody = Math.ceil(bodyCount / 64);
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
    launch(this.#launches.place, perBody);
    launch(this.#launches.regions, Math.min(groups, Math.ceil(candidates / 64)));
    if (drawing === undefined) {
      launch(raster[0], perTriangle);
      launch(raster[1], groups);
    } else {
      dispatches += drawing.encodeBoxes(pass, perTriangle);
      if (!occlusion) draw(drawing => drawing.encodeFragments(encoder, sizes));
    }
    const round = (byTriangles: boolean) => {
      const passes = byTriangles ? this.#triangleRound : this.#bodyRound;
      const last = passes.length - 1;
      if (occlusion) draw(drawing => drawing.encodeRound(encoder, sizes, byTriangles, groups));
      else {
        launch(this.#launches.clear, Math.min(groups, Math.ceil(pixelWords(sizes) / 256)));
        for (let i = 0; i < last; i++) launch(passes[i], groups);
      }
      launch(passes[last], byTriangles ? perTriangle : perBody);
    };
    for (let i = 0; i < bodyRounds; i++) round(false);
    if (way.byTriangles) {
      for (let i = 0; i < triangleRounds; i++) round(true);
      launch(this.#launches.count, perTriangle);
      launch(this.#launches.scan, 1);
      launch(this.#launches.list, perTriangle);
    }
    pass.end();
    return dispatches;
  }

  /** The state, then a bit a candidate. */
  #pieces(sizes: Sizes): readonly Piece[] {
    const { imageState, survivors } = this.#buffers;
    return [
      {
        get buffer() {
          return imageState.buffer;
        },
        offset: 0,
        bytes: 4 * imageStateWords,
      },
      {
        get buffer() {
          return survivors.buffer;
        },
        get offset() {
          return 4 * sectionsOf(sizes).metAt;
        },
        get bytes() {
          const { metAt, listAt } = sectionsOf(sizes);
          return 4 * (listAt - metAt);
        },
      },
    ];
  }

  /** Whether there was too little room: then there is more the next time, or the images are coarser. */
  #grow(sizes: Sizes, state: Uint32Array): boolean {
    const { fragments, longRows } = this.#buffers;
    const fragmentCount = state[ImageState.fragments];
    const rowCount = state[ImageState.longRows];
    const limit = largestBinding(this.#device);
    const enough = 16 * fragmentCount <= fragments.bytes && 8 * rowCount <= longRows.bytes;
    if (enough) return false;
    if (16 * fragmentCount > limit || 8 * rowCount > limit) {
      if (sizes.resolution === 1) {
        throw new NearfieldError(
          'out-of-memory',
          'there are more triangles than fragments this device can bind',
        );
      }
      sizes.resolution = Math.ceil(sizes.resolution / 2);
      return true;
    }
    this.#room.fragments = Math.max(
      this.#room.fragments,
      Math.min(limit / 16, Math.ceil(1.25 * fragmentCount)),
    );
    this.#room.longRows = Math.max(this.#room.longRows, Math.min(limit / 8, Math.ceil(1.25 * rowCount)));
    return true;
  }
}

const visibilityLabel = { label: 'visibility' };

/** Three numbers a pixel of every image. */
const pixelWords = ({ views, resolution }: Sizes): number => 3 * views * resolution * resolution;

/** Where the parts of `survivors` begin, in words; those that are cleared lie together. */
function sectionsOf({ bodyCount, instanceCount, candidates }: Sizes) {
  const aliveAt = 2 * bodyCount + 1;
  const metAt = aliveAt + Math.ceil(instanceCount / 32);
  const listAt = metAt + Math.ceil(candidates / 32);
  return { aliveAt, metAt, listAt, end: listAt + instanceCount };
}

const startsOfForms = new WeakMap<readonly Form[], Uint32Array<ArrayBuffer>>();

/** By body, its first triangle among those of all bodies; then how many there are. */
function instanceStarts({ forms, count }: Bodies, trees: GpuTrees): Uint32Array<ArrayBuffer> {
  const known = startsOfForms.get(forms);
  if (known !== undefined && known.length === count + 1) return known;
  const starts = new Uint32Array(count + 1);
  for (let i = 0; i < count; i++) starts[i + 1] = starts[i] + trees.entryOf(forms[i].shape).leafCount;
  startsOfForms.set(forms, starts);
  return starts;
}

/**
 * A side of half as many pixels as a square has rows of triangles, or up to twice that. Finer images leave out little more and
 * take as much longer as they have more fragments. On an H200, two rabbits of 68,000 triangles: 9,228 triangles left of
 * 136,352 in 2.1 ms at 256², 8,026 in 3.4 ms at 512², 7,385 in 18 ms at 1024². 227 pieces of 227,340 triangles: 199
 * pairs left of 1,171 whose boxes meet in 5.0 ms, 155 in 6.7 ms, 141 in 10 ms.
 */
function usualResolution(triangleCount: number): number {
  const side = 2 ** Math.ceil(Math.log2(Math.sqrt(Math.max(1, triangleCount)) / 2));
  return Math.min(1024, Math.max(64, side));
}

function statsOf(sizes: Sizes, state: Uint32Array, met: Uint32Array): VisibilityStats {
  let pairsKept = 0;
  for (let word of met) for (; word !== 0; word &= word - 1) pairsKept++;
  return {
    resolution: sizes.resolution,
    views: sizes.views,
    fragments: state[ImageState.fragments],
    bodies: { boxesMeet: state[ImageState.askedBodies], kept: state[ImageState.keptBodies] },
    triangles: {
      all: sizes.instanceCount,
      boxesMeet: state[ImageState.nearTriangles],
      kept: state[ImageState.keptTriangles],
    },
    pairsKept,
  };
}
