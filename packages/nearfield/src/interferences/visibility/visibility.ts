// The visibility method on the GPU (Govindaraju, Lin and Manocha 2004, FAR, with CULLIDE inside it). It culls bodies,
// then triangles: whatever some view along an axis sees clear of all other bodies meets nothing. The survivors go on as
// in the hierarchy method, or without any tree by sweep and prune. proof.md says why nothing that meets is ever culled.
//
// CULLIDE draws bodies in order, each tested against those before it, once from the first on and once from the last on.
// Together the two passes keep whatever is, in some pixel, not wholly in front of the nearest of all others. Here that
// needs no order: atomics find each pixel's nearest depth, its owner, and the nearest depth of any other owner, in as
// many passes for two bodies as for thousands. Triangles become fragments once per view, and the rounds go over the
// fragments.
//
// A scene is seen twice. A coarse glance at everything keeps a tenth of the triangles or less. A look four times as
// fine at these alone costs no more, and keeps as few as a fine look at everything would.

import type { Snapshot } from '../../bodies/snapshot/snapshot.ts';
import type { GpuTrees } from '../../bvh/gpu/trees.ts';
import { NearfieldError } from '../../core/errors.ts';
import { GrowingBuffer, largestBinding } from '../../gpu/buffers/buffers.ts';
import type { Piece } from '../../gpu/buffers/read-back.ts';
import { softwareGroups } from '../../gpu/device/device.ts';
import { Resources } from '../../gpu/kernel.ts';
import type { Culling } from '../hierarchy/gpu/culling.ts';
import { isApart, type RawAnswer } from '../request.ts';
import { CullingPasses } from './culling-passes.ts';
import { type CullingKernels, createCullingKernels, type Subject } from './kernels.ts';
import { CullingLayout, ImageState, imageStateWords, PlacingLayout } from './layouts.ts';
import type { VisibilityRequest, VisibilityStats } from './options.ts';
import { shapeVectors } from './shapes/kernels.ts';
import {
  bodyStateBytes,
  type Capacity,
  capacityOf,
  fitImages,
  glanceOf,
  instanceStarts,
  mostFragments,
  pixelBytes,
  reportOf,
  type Sizes,
  sectionsOf,
  statsOf,
  usualResolution,
  writeCulling,
} from './sizes.ts';
import { Watching } from './watched.ts';

/** The initial capacities of the lists of fragments and of rows of tiles, and the limit of fragments. */
export interface VisibilityRoom {
  fragments: number;
  longRows: number;
  /** Images with as many fragments are made coarser. Default: depends on the device. */
  readonly mostFragments?: number;
}

const usualRoom: VisibilityRoom = { fragments: 2 ** 18, longRows: 2 ** 12 };

const hardwareGroups = 4096;

/** Byte offset of the glance's parameters. Uniform bindings may begin at multiples of this. */
const glanceWindow = 256;

/** A patch of one mesh has two to this power leaves. */
const patchHeight = 6;

export interface VisibilityCulling extends Culling {
  /** The statistics of the attempt that was accepted. */
  readonly stats: Omit<VisibilityStats, 'treesBuilt' | 'boxPairs'>;
}

export async function createVisibility(
  device: GPUDevice,
  trees: GpuTrees,
  resources: Resources,
  options: { software: boolean; room?: VisibilityRoom | undefined },
): Promise<Visibility> {
  return new Visibility(device, await createCullingKernels(device), trees, resources, options);
}

/**
 * The candidates that a culling with a clearance keeps, ordered by a, then b: those with two triangles that may be that
 * near, or of which one body may hold a part of the other.
 */
export function pairsLeft(
  { candidates, known, counts, outside }: RawAnswer,
  mayHold: (a: number, b: number, outside: number) => boolean,
): Uint32Array {
  const kept: [number, number][] = [];
  for (let c = 0; c < candidates.length / 2; c++) {
    const [a, b] = [candidates[2 * c], candidates[2 * c + 1]];
    if (counts![c] > 0 || (known![c] !== isApart && mayHold(a, b, outside![c]))) kept.push([a, b]);
  }
  kept.sort(([a, b], [c, d]) => a - c || b - d);
  return Uint32Array.from(kept.flat());
}

export class Visibility {
  readonly #device: GPUDevice;
  readonly #trees: GpuTrees;
  readonly #resources: Resources;
  readonly #room: VisibilityRoom;
  readonly #passes: CullingPasses;
  /** The kernels' parameters, with those of a glance at `glanceWindow`; and the words that were last written. */
  readonly #parameters: GPUBuffer;
  readonly #words = new Uint32Array(glanceWindow / 4 + CullingLayout.words);
  readonly #written = new Uint32Array(this.#words.length);
  readonly #buffers: Readonly<
    Record<
      | 'placings'
      | 'imageState'
      | 'bodyStates'
      | 'instances'
      | 'fragments'
      | 'longRows'
      | 'survivors'
      | 'drawnShapes',
      GrowingBuffer
    >
  >;
  readonly #evenPixels: GrowingBuffer;
  readonly #oddPixels: GrowingBuffer;
  /** Only used if the query is watched. */
  readonly #glancePixels: GrowingBuffer;
  readonly #capacity: Capacity;
  /** The list of first triangles that was last written, and the buffer it was written to. */
  #starts: { starts: Uint32Array; buffer: GPUBuffer } | undefined;

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
    const capacity = capacityOf(largestBinding(device), software);
    this.#capacity = { ...capacity, fragments: room.mostFragments ?? capacity.fragments };
    const groups = software ? softwareGroups : hardwareGroups;
    this.#passes = new CullingPasses(device, kernels, this.#resources, groups);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#parameters = device.createBuffer({ label: 'culling', size: this.#words.byteLength, usage });
    this.#resources.set('culling', this.#parameters);
    this.#passes.bindGlance({
      buffer: this.#parameters,
      offset: glanceWindow,
      size: CullingLayout.bytes,
    });
    const list = (label: string) => new GrowingBuffer(device, label);
    this.#buffers = {
      placings: list('placings'),
      imageState: list('image state'),
      bodyStates: list('body states'),
      instances: list('instances'),
      fragments: list('fragments'),
      longRows: list('long rows'),
      survivors: list('survivors'),
      drawnShapes: list('drawn shapes'),
    };
    this.#evenPixels = list('pixels');
    this.#oddPixels = list('pixels of every other round');
    this.#glancePixels = list('pixels of a glance');
  }

  /**
   * The culling of one query. It ends before the next query begins. With 'near', a count says whether a candidate has
   * two triangles that may be that near. 'self' is about one mesh, which is its own candidate twice (self-pair.wgsl).
   */
  async culling(subject: Subject, options: VisibilityRequest): Promise<VisibilityCulling> {
    const way = await this.#passes.way(subject, options);
    const sizes: Sizes = {
      resolution: options.resolution ?? 0,
      views: options.views ?? 3,
      // Boxes and samples look from one side only, as in the paper.
      sides: way.shape !== undefined ? 1 : 2,
      starts: new Uint32Array(1),
      bodyCount: 0,
      instanceCount: 0,
      candidates: 0,
      glances: way.glances,
      listsFragments: way.shape === undefined,
      patchHeight: subject === 'self' ? patchHeight : 0,
    };
    let stats: VisibilityCulling['stats'] | undefined;
    const { instances } = this.#buffers;
    const buffers = {
      glance: () => this.#glancePixels.buffer,
      pixels: () => this.#oddPixels.buffer,
      instances: () => instances.buffer,
    };
    const watching = options.watch && new Watching(options.watch, sizes, buffers, this.#trees);
    return {
      frames: way.frames,
      narrow: way.narrow,
      findsCandidates: way.published !== undefined,
      treeless: way.sweep !== undefined,
      // A sweep has one item per triangle of either body.
      itemsPerLeaf: way.sweep === undefined ? 1 : 2,
      reserve: (bodies, candidates, scene) => {
        this.#reserve(sizes, bodies, candidates);
        way.drawing?.reserve(sizes);
        way.sweep?.reserve(sizes.instanceCount);
        way.published?.stages.reserve(sizes.bodyCount);
        watching?.reserve(bodies, this.#trees, scene);
        if (watching) this.#glancePixels.reserve(pixelBytes(glanceOf(sizes)));
      },
      encode: (encoder, findsCandidates) => {
        const bytes = pixelBytes(glanceOf(sizes));
        const keepGlance = () =>
          encoder.copyBufferToBuffer(this.#evenPixels.buffer, 0, this.#glancePixels.buffer, 0, bytes);
        return this.#passes.encode(encoder, sizes, way, findsCandidates, watching && keepGlance);
      },
      // Lists may move while they grow, so the pieces are made when they are asked for.
      pieces: [...this.#pieces(sizes), ...(watching?.pieces ?? [])],
      accept: ([report, ...watched]) => {
        stats = statsOf(sizes, report);
        if (this.#grow(sizes, report)) return false;
        watching?.tell(report, watched);
        return true;
      },
      get stats() {
        return stats!;
      },
    };
  }

  destroy(): void {
    this.#parameters.destroy();
    this.#passes.destroy();
    this.#evenPixels.destroy();
    this.#oddPixels.destroy();
    this.#glancePixels.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
  }

  #reserve(sizes: Sizes, bodies: Snapshot, candidates: number): void {
    const starts = instanceStarts(bodies);
    sizes.starts = starts;
    sizes.bodyCount = bodies.count;
    sizes.instanceCount = starts[bodies.count];
    sizes.candidates = candidates;
    if (sizes.resolution === 0) sizes.resolution = usualResolution(sizes.instanceCount, sizes.glances);
    fitImages(sizes, this.#capacity);
    const { placings, imageState, bodyStates, instances, fragments, longRows, survivors, drawnShapes } =
      this.#buffers;
    placings.reserve(PlacingLayout.bytes * sizes.bodyCount);
    imageState.reserve(4 * imageStateWords);
    bodyStates.reserve(bodyStateBytes(sizes));
    instances.reserve(8 * sizes.instanceCount);
    fragments.reserve(16 * (sizes.listsFragments ? this.#room.fragments : 1));
    drawnShapes.reserve(sizes.listsFragments ? 16 : 16 * shapeVectors * sizes.instanceCount);
    longRows.reserve(8 * this.#room.longRows);
    survivors.reserve(4 * sectionsOf(sizes).end);
    this.#evenPixels.reserve(pixelBytes(sizes));
    this.#oddPixels.reserve(pixelBytes(sizes));
    this.#writeParameters(sizes);
    this.#writeStarts(sizes);
    for (const [name, { buffer }] of Object.entries(this.#buffers)) this.#resources.set(name, buffer);
    this.#passes.bindPixels(this.#evenPixels.buffer, this.#oddPixels.buffer);
  }

  #writeParameters(sizes: Sizes): void {
    const words = this.#words;
    const glance = words.subarray(glanceWindow / 4);
    writeCulling(sizes, sizes.glances ? 'close' : 'only', this.#capacity, words);
    writeCulling(glanceOf(sizes), 'glance', this.#capacity, glance);
    // Parameters mostly stay the same from frame to frame.
    if (words.every((word, i) => word === this.#written[i])) return;
    this.#device.queue.writeBuffer(this.#parameters, 0, words);
    this.#written.set(words);
  }

  #writeStarts({ starts, bodyCount }: Sizes): void {
    const { buffer } = this.#buffers.survivors;
    const last = this.#starts;
    if (last?.starts === starts && last.buffer === buffer) return;
    this.#device.queue.writeBuffer(buffer, 4 * bodyCount, starts, 0, bodyCount);
    this.#starts = { starts, buffer };
  }

  /** One piece rather than several: every copy between buffers waits for the one before. */
  #pieces(sizes: Sizes): readonly Piece[] {
    const { survivors } = this.#buffers;
    return [
      {
        get buffer() {
          return survivors.buffer;
        },
        get offset() {
          return 4 * reportOf(sizes).at;
        },
        get bytes() {
          return 4 * reportOf(sizes).words;
        },
      },
    ];
  }

  /** Whether a capacity was exceeded. If so, the next attempt has larger lists or coarser images. */
  #grow(sizes: Sizes, state: Uint32Array): boolean {
    const { fragments, longRows } = this.#buffers;
    const { fragments: ofClose, glanceFragments: ofGlance } = ImageState;
    const fragmentCount = Math.max(state[ofClose], state[ofGlance]);
    const rowCount = Math.max(
      state[ImageState.longRows] + state[ImageState.shortRows],
      state[ImageState.glanceLongRows] + state[ImageState.glanceShortRows],
    );
    const limit = this.#capacity.bytes;
    const most = mostFragments(sizes, this.#capacity);
    const tooFine = fragmentCount >= most || 8 * rowCount > limit;
    const hasListed = !sizes.listsFragments || 16 * fragmentCount <= fragments.bytes;
    const enough = hasListed && 8 * rowCount <= longRows.bytes;
    if (enough && !tooFine) return false;
    if (tooFine) {
      if (sizes.resolution === 1) {
        throw new NearfieldError(
          'out-of-memory',
          'the bodies have more triangles than this device can bind fragments',
        );
      }
      sizes.resolution = Math.ceil(sizes.resolution / this.#capacity.coarser);
      return true;
    }
    if (!hasListed) this.#room.fragments = Math.min(most, Math.ceil(1.25 * fragmentCount));
    this.#room.longRows = Math.max(this.#room.longRows, Math.min(limit / 8, Math.ceil(1.25 * rowCount)));
    return true;
  }
}
