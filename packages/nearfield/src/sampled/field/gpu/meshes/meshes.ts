// Distance fields by distance meshes on the GPU (Hoff et al., section 5.2). The CPU finds the sites. The GPU bounds
// blocks of samples, builds the meshes of all sites over some slices, and draws them with its rasteriser into a depth
// buffer with owners, slices one below the other. meshes/proof.md bounds the error.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { NearfieldError } from '../../../../core/errors.ts';
import type { EngineStats } from '../../../../core/stats.ts';
import { GrowingBuffer, largestBinding } from '../../../../gpu/buffers/buffers.ts';
import { GpuQuery } from '../../../../gpu/gpu-query.ts';
import { createKernel, Launch, Resources } from '../../../../gpu/kernel.ts';
import scanSource from '../../../../gpu/sort/scan.wgsl';
import workgroupScan from '../../../../gpu/sort/workgroup-scan.wgsl';
import type { Stopwatch } from '../../../../gpu/stopwatch.ts';
import { throwIfRefused } from '../../../../gpu/submit.ts';
import type { FieldTask } from '../../distance/sample-field.ts';
import type { MeshWork } from '../../field.ts';
import { meshToleranceOf, reachInCells } from '../../meshes/draw-field.ts';
import { SiteRoom, siteNumbers } from '../../meshes/site.ts';
import { sitesOf } from '../../meshes/sites.ts';
import {
  beginPicture,
  createPicture,
  createPicturePipeline,
  destroyPicture,
  type Picture,
} from '../picture.ts';
import { declarations, nearestModules } from '../slices/kernels.ts';
import boundSource from './bound-blocks.wgsl';
import drawSource from './draw-meshes.wgsl';
import finishSource from './finish-samples.wgsl';
import {
  blockSide,
  MeshHead,
  MeshingLayout,
  meshDeclarations,
  meshHeadWords,
  reachBytes,
  siteWords,
} from './layouts.ts';
import listSource from './list-meshes.wgsl';
import piecesModule from './pieces.wgsl';
import prepareSource from './prepare-draws.wgsl';
import reachSource from './reach-sites.wgsl';

const label = { label: 'distance meshes' };
const triangleBytes = 48;
const usualRoom = 2 ** 16;
/** The maximum number of meshes that are built at once. */
const mostItems = 2 ** 22;
/** Textures larger than this many times what is drawn are replaced. */
const mostSpare = 8;

type Name = 'bound' | 'reach' | 'count' | 'scan' | 'list' | 'prepare' | 'finish' | 'finishSigned';
type Launches = Readonly<Record<Name, Launch>>;

/**
 * The errors of drawing, in cells, for sites and samples with coordinates up to `size` (meshes/proof.md, section 4). The
 * rasteriser is assumed to move the sides of a triangle by less than 1/16 of a pixel.
 */
function gpuErrors(size: number): { margin: number; drawing: number } {
  const margin = 1 / 16 + 2 ** -20 * size;
  return { margin, drawing: 7 * margin + 2 ** -18 * size };
}

/** A body's sites on the device, and how their meshes are built. */
export interface Sited {
  readonly task: FieldTask;
  readonly count: number;
  readonly size: number;
  readonly tolerance: number;
  readonly margin: number;
  readonly drawing: number;
  /** What has been drawn so far. */
  meshes: number;
  triangles: number;
}

/** The slices of a window that are drawn together: the first, counted from the window's, and their number. */
interface Chunk {
  readonly skipped: number;
  readonly slices: number;
}

export class DistanceMeshes {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  readonly #launches: Launches;
  readonly #pipeline: GPURenderPipeline;
  readonly #query: GpuQuery;
  readonly #stopwatch: Stopwatch;
  readonly #meshing: GPUBuffer;
  readonly #buffers: Readonly<
    Record<
      'sites' | 'blockBounds' | 'siteReaches' | 'meshStarts' | 'meshTriangles' | 'meshHead' | 'meshDraws',
      GrowingBuffer
    >
  >;
  /** Sites on the CPU, until they are uploaded. */
  readonly #siteRoom = new SiteRoom(Float32Array);
  #room = usualRoom;
  #spare = 0;
  #serial = 0;
  #picture: Picture | undefined;

  /** `resources` are those of the sweep: the body's tree over the window. */
  static async create(
    device: GPUDevice,
    resources: Resources,
    stopwatch: Stopwatch,
  ): Promise<DistanceMeshes> {
    const own = new Resources(resources);
    const make = (name: string, modules: readonly string[], constants: Record<string, number> = {}) =>
      createKernel(device, name, modules, constants).then(kernel => new Launch(device, kernel, own));
    const listModules = [...meshDeclarations, piecesModule, listSource];
    const [bound, reach, count, scan, list, prepare, finish, finishSigned, pipeline] = await Promise.all([
      make('bound-blocks', [...declarations, ...meshDeclarations, ...nearestModules, boundSource]),
      make('reach-sites', [...meshDeclarations, reachSource]),
      make('count-meshes', listModules, { listing: 0 }),
      make('scan', [workgroupScan, scanSource], { countAt: MeshHead.items, totalAt: MeshHead.total }),
      make('list-meshes', listModules, { listing: 1 }),
      make('prepare-draws', [...meshDeclarations, prepareSource]),
      make('finish-samples', [...declarations, finishSource], { signed: 0 }),
      make('finish-samples', [...declarations, finishSource], { signed: 1 }),
      createPicturePipeline(device, 'draw-meshes', [...meshDeclarations, drawSource]),
    ]);
    const launches = { bound, reach, count, scan, list, prepare, finish, finishSigned };
    return new DistanceMeshes(device, own, launches, pipeline, stopwatch);
  }

  private constructor(
    device: GPUDevice,
    resources: Resources,
    launches: Launches,
    pipeline: GPURenderPipeline,
    stopwatch: Stopwatch,
  ) {
    this.#device = device;
    this.#resources = resources;
    this.#launches = launches;
    this.#pipeline = pipeline;
    this.#stopwatch = stopwatch;
    this.#query = new GpuQuery(device, stopwatch);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#meshing = device.createBuffer({ label: 'meshing', size: MeshingLayout.bytes, usage });
    resources.set('meshing', this.#meshing);
    const buffer = (name: string) => new GrowingBuffer(device, name);
    this.#buffers = {
      sites: buffer('sites'),
      blockBounds: buffer('bounds of blocks'),
      siteReaches: buffer('reaches of sites'),
      meshStarts: buffer('starts of meshes'),
      meshTriangles: buffer('triangles of meshes'),
      meshHead: buffer('head of meshes'),
      meshDraws: new GrowingBuffer(device, 'draws of slices', GPUBufferUsage.INDIRECT),
    };
  }

  /** Finds the sites of a body and uploads them. Throws if a slice is larger than a texture can be. */
  prepare(body: Placed, task: FieldTask): Sited {
    const { grid } = task;
    const most = this.#device.limits.maxTextureDimension2D;
    const [nx, ny] = grid.dimensions;
    if (Math.max(nx, ny) > most) {
      const message = `slices of ${nx} × ${ny} samples cannot be drawn: this device's textures have at most ${most} pixels per side`;
      throw new NearfieldError('unsupported', message);
    }
    const sites = sitesOf(body, grid, reachInCells(task), this.#siteRoom);
    const size = Math.max(sites.size, ...grid.dimensions);
    const { margin, drawing } = gpuErrors(size);
    const buffer = this.#buffers.sites.reserve(4 * siteNumbers * Math.max(1, sites.count));
    this.#device.queue.writeBuffer(buffer, 0, siteWords(sites));
    return {
      ...{ task, count: sites.count, size, margin, drawing },
      ...{ tolerance: meshToleranceOf(task, drawing), meshes: 0, triangles: 0 },
    };
  }

  /** What was drawn of a field, and how right it is. */
  workOf({ task, tolerance, drawing, count, meshes, triangles }: Sited): MeshWork {
    const error = (tolerance + drawing) * task.grid.cell;
    return { error, sites: count, meshes, pieces: triangles, fill: undefined };
  }

  /** Draws the slices of a window, which begins at slice `first`, into the two planes of `samples`. */
  async draw(
    sited: Sited,
    samples: GPUBuffer,
    rowWords: number,
    size: readonly [number, number, number],
    first: number,
    signed: boolean,
    stats: EngineStats,
  ): Promise<void> {
    const [, ny, nz] = size;
    const most = Math.min(
      Math.floor(this.#device.limits.maxTextureDimension2D / ny),
      Math.floor(mostItems / Math.max(1, sited.count)),
    );
    let slices = Math.max(1, Math.min(nz, most));
    for (let skipped = 0; skipped < nz; ) {
      const chunk = { skipped, slices: Math.min(slices, nz - skipped) };
      const isLast = skipped + chunk.slices === nz;
      const finish = isLast ? (signed ? 'finishSigned' : 'finish') : undefined;
      const isDrawn = await this.#drawChunk(sited, samples, rowWords, size, first, chunk, finish, stats);
      if (isDrawn) skipped += chunk.slices;
      else if (chunk.slices > 1) slices = Math.ceil(chunk.slices / 2);
      else {
        const message = `the distance meshes of one slice do not fit in the GPU's memory: choose a larger tolerance`;
        throw new NearfieldError('out-of-memory', message);
      }
    }
  }

  destroy(): void {
    this.#meshing.destroy();
    this.#query.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    destroyPicture(this.#picture);
  }

  /** False if its triangles do not fit in one buffer. */
  async #drawChunk(
    sited: Sited,
    samples: GPUBuffer,
    rowWords: number,
    size: readonly [number, number, number],
    first: number,
    chunk: Chunk,
    finish: 'finish' | 'finishSigned' | undefined,
    stats: EngineStats,
  ): Promise<boolean> {
    const mostRoom = Math.floor(Math.min(2 ** 31, largestBinding(this.#device)) / triangleBytes);
    return this.#query.run({
      stats,
      label,
      encode: encoder => {
        this.#write(sited, size, first, chunk);
        this.#encode(encoder, sited, size, chunk);
        this.#copy(encoder, samples, rowWords, size, chunk);
        stats.dispatches += 6 + chunk.slices;
        const pass = encoder.beginComputePass(this.#stopwatch.passOf(label, 'last'));
        if (finish !== undefined) {
          this.#launches[finish].encode(pass, Math.ceil((size[0] * size[1] * size[2]) / 64));
          stats.dispatches++;
        }
        pass.end();
        this.#stopwatch.encode(encoder);
        return [[{ buffer: this.#buffers.meshHead.buffer, offset: 0, bytes: 4 * meshHeadWords }]];
      },
      checkSubmission: ([[head]]) => throwIfRefused(head[MeshHead.meshSerial], this.#serial),
      take: ([[head]]) => {
        const total = head[MeshHead.total];
        if (total <= this.#room && head[MeshHead.short] === 0) {
          sited.meshes += head[MeshHead.meshes];
          sited.triangles += total;
          return true;
        }
        if (total > mostRoom) return false;
        if (head[MeshHead.short] > 0) this.#spare += head[MeshHead.short];
        if (total > this.#room) this.#room = Math.min(mostRoom, Math.ceil(1.25 * total));
        return undefined;
      },
    });
  }

  #write(
    { task, count, size, tolerance, margin, drawing }: Sited,
    [nx, ny]: readonly [number, number, number],
    first: number,
    { skipped, slices }: Chunk,
  ): void {
    const words = new Uint32Array(MeshingLayout.words);
    const floats = new Float32Array(words.buffer);
    const { at } = MeshingLayout;
    const { cell } = task.grid;
    const [across, down] = [nx, ny].map(samples => Math.ceil(samples / blockSide));
    const triangles = this.#buffers.meshTriangles.reserve(triangleBytes * this.#room);
    words[at.nx] = nx;
    words[at.ny] = ny;
    words[at.firstSlice] = first + skipped;
    words[at.skippedSlices] = skipped;
    words[at.slices] = slices;
    words[at.blocksAcross] = across;
    words[at.blocksDown] = down;
    words[at.siteCount] = count;
    words[at.spare] = this.#spare;
    words[at.room] = this.#room;
    floats[at.tolerance] = tolerance;
    floats[at.margin] = margin;
    floats[at.slack] = 0.5 + 2 ** -14 * size;
    floats[at.upTo] = task.upTo < Infinity ? task.upTo / cell + tolerance + drawing : 0;
    floats[at.depthScale] = 2 ** -Math.ceil(3 + Math.log2(size));
    floats[at.cell] = cell;
    const { queue } = this.#device;
    queue.writeBuffer(this.#meshing, 0, words);
    const head = new Uint32Array(meshHeadWords);
    head[MeshHead.items] = count * slices;
    head[MeshHead.meshSerial] = ++this.#serial;
    queue.writeBuffer(this.#buffers.meshHead.reserve(4 * meshHeadWords), 0, head);
    this.#buffers.blockBounds.reserve(4 * across * down * Math.ceil(slices / blockSide));
    this.#buffers.siteReaches.reserve(reachBytes * Math.max(1, count * Math.ceil(slices / blockSide)));
    this.#buffers.meshStarts.reserve(4 * Math.max(1, count * slices));
    this.#buffers.meshDraws.reserve(16 * slices);
    for (const [name, buffer] of Object.entries(this.#buffers)) this.#resources.set(name, buffer.buffer);
    this.#resources.set('meshTriangles', triangles);
    this.#resources.set('scanState', this.#buffers.meshHead.buffer);
    this.#resources.set('scanValues', this.#buffers.meshStarts.buffer);
  }

  #encode(
    encoder: GPUCommandEncoder,
    { count }: Sited,
    [nx, ny]: readonly [number, number, number],
    { slices }: Chunk,
  ): void {
    const blocks = Math.ceil(nx / blockSide) * Math.ceil(ny / blockSide) * Math.ceil(slices / blockSide);
    const items = Math.ceil((count * slices) / 64);
    const { bound, reach, count: counting, scan, list, prepare } = this.#launches;
    const compute = encoder.beginComputePass(this.#stopwatch.passOf(label, 'first'));
    bound.encode(compute, Math.ceil(blocks / 64));
    reach.encode(compute, Math.ceil((count * Math.ceil(slices / blockSide)) / 64));
    counting.encode(compute, items);
    scan.encode(compute, 1);
    list.encode(compute, items);
    prepare.encode(compute, Math.ceil(slices / 64));
    compute.end();
    const picture = this.#reserve([nx, ny * slices]);
    const pass = beginPicture(encoder, label.label, picture);
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, this.#bind());
    for (let slice = 0; slice < slices; slice++) {
      pass.setViewport(0, slice * ny, nx, ny, 0, 1);
      pass.setScissorRect(0, slice * ny, nx, ny);
      pass.drawIndirect(this.#buffers.meshDraws.buffer, 16 * slice);
    }
    pass.end();
  }

  #copy(
    encoder: GPUCommandEncoder,
    samples: GPUBuffer,
    rowWords: number,
    [nx, ny, nz]: readonly [number, number, number],
    { skipped, slices }: Chunk,
  ): void {
    const { distance, owner } = this.#picture!;
    [distance, owner].forEach((texture, plane) => {
      const offset = 4 * rowWords * ny * (plane * nz + skipped);
      const target = { buffer: samples, offset, bytesPerRow: 4 * rowWords };
      encoder.copyTextureToBuffer({ texture }, target, [nx, ny * slices]);
    });
  }

  #bind(): GPUBindGroup {
    const entries = ['meshing', 'meshTriangles'].map((name, binding) => {
      const resource = this.#resources.get(name)!;
      return { binding, resource: 'buffer' in resource ? resource : { buffer: resource } };
    });
    return this.#device.createBindGroup({ ...label, layout: this.#pipeline.getBindGroupLayout(0), entries });
  }

  /** Textures of at least this size: creating them anew whenever a body has moved costs more than to clear a few pixels. */
  #reserve(wanted: readonly [number, number]): Picture {
    const known = this.#picture;
    const [oldWidth, oldHeight] = [known?.distance.width ?? 0, known?.distance.height ?? 0];
    const isLarge = (width: number, height: number) =>
      width * height > mostSpare * wanted[0] * wanted[1] + 2 ** 16;
    const fits = oldWidth >= wanted[0] && oldHeight >= wanted[1];
    if (known && fits && !isLarge(oldWidth, oldHeight)) return known;
    destroyPicture(known);
    const most = this.#device.limits.maxTextureDimension2D;
    const both = [Math.max(oldWidth, wanted[0]), Math.max(oldHeight, wanted[1])];
    const [width, height] = (isLarge(both[0], both[1]) ? wanted : both).map(size =>
      Math.min(most, 64 * Math.ceil(size / 64)),
    );
    this.#picture = createPicture(this.#device, 'meshes', width, height);
    return this.#picture;
  }
}
