// Distance fields by drawing (Hoff et al., section 5.2): slice by slice, each triangle draws what it can reach, and
// depth keeps the nearest. Here bricks of a few slices are culled first (bricks.wgsl) and drawn in one pass. Which of
// equally near triangles the depth test keeps depends on the order of drawing and on rounding. So each sample then
// searches the triangles that are as near as the one drawn on it (distance/measure-samples.wgsl) for the lowest.

import { NearfieldError } from '../../../../core/errors.ts';
import { GrowingBuffer } from '../../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../../gpu/buffers/read-back.ts';
import { bindingOf, createKernel, Launch, Resources } from '../../../../gpu/kernel.ts';
import { layout } from '../../../../gpu/layout.ts';
import scanSource from '../../../../gpu/sort/scan.wgsl';
import workgroupScan from '../../../../gpu/sort/workgroup-scan.wgsl';
import { submit } from '../../../../gpu/submit.ts';
import { noOwner } from '../../field.ts';
import {
  beginPicture,
  createPicture,
  createPicturePipeline,
  destroyPicture,
  type Picture,
} from '../picture.ts';
import { declarations, nearestModules, triangleModules } from '../slices/kernels.ts';
import bricksModule from './bricks.wgsl';
import drawSource from './draw-bricks.wgsl';
import listSource from './list-bricks.wgsl';

const BricksLayout = layout('Bricks', {
  /** The first slice, counted from the window's first, and the number of slices. */
  firstSlice: 'u32',
  slices: 'u32',
  /** Bricks along x and y. */
  across: 'u32',
  down: 'u32',
});

const brickSide = 8;
/** Distances and owners. */
const formats = ['r32float', 'r32uint'] as const;
const label = { label: 'raster' };
/** The words of an indirect draw, then the number of bricks. The prefix sums write the number of instances. */
const Draw = { vertices: 0, instances: 1, bricks: 4, serial: 5 } as const;
const drawWords = 8;
const usualEntries = 2 ** 18;

type Launches = Record<'count' | 'list' | 'scan', Launch>;

export class Raster {
  readonly #device: GPUDevice;
  readonly #resources: Resources;
  readonly #pipeline: GPURenderPipeline;
  readonly #launches: Launches;
  readonly #parameters: GPUBuffer;
  readonly #draw: GPUBuffer;
  readonly #values: GrowingBuffer;
  readonly #entries: GrowingBuffer;
  /** The drawn samples of each part, kept until all parts are done. */
  readonly #drawn: GrowingBuffer;
  #room = usualEntries;
  #picture: Picture | undefined;
  #serial = 0;

  /** `resources` are those of the sweep. */
  static async create(device: GPUDevice, resources: Resources): Promise<Raster> {
    const own = new Resources(resources);
    const modules = [...declarations, BricksLayout.wgsl, bricksModule, ...nearestModules];
    const make = (name: string, parts: readonly string[], constants: Record<string, number> = {}) =>
      createKernel(device, name, parts, constants).then(kernel => new Launch(device, kernel, own));
    const [count, list, scan, pipeline] = await Promise.all([
      make('count-bricks', [...modules, listSource], { listing: 0 }),
      make('list-bricks', [...modules, listSource], { listing: 1 }),
      make('scan', [workgroupScan, scanSource], { countAt: Draw.bricks, totalAt: Draw.instances }),
      createPicturePipeline(
        device,
        'draw-bricks',
        [...declarations, BricksLayout.wgsl, bricksModule, ...triangleModules, drawSource],
        formats,
      ),
    ]);
    return new Raster(device, own, pipeline, { count, list, scan });
  }

  private constructor(
    device: GPUDevice,
    resources: Resources,
    pipeline: GPURenderPipeline,
    launches: Launches,
  ) {
    this.#device = device;
    this.#resources = resources;
    this.#pipeline = pipeline;
    this.#launches = launches;
    const uniform = GPUBufferUsage.UNIFORM | GPUBufferUsage.COPY_DST;
    this.#parameters = device.createBuffer({ label: 'bricks', size: BricksLayout.bytes, usage: uniform });
    const indirect = GPUBufferUsage.INDIRECT | GPUBufferUsage.STORAGE;
    this.#draw = device.createBuffer({
      label: 'draw of bricks',
      size: 4 * drawWords,
      usage: indirect | GPUBufferUsage.COPY_DST | GPUBufferUsage.COPY_SRC,
    });
    this.#values = new GrowingBuffer(device, 'values of bricks');
    this.#entries = new GrowingBuffer(device, 'triangles of bricks');
    this.#drawn = new GrowingBuffer(device, 'drawn bricks');
    resources.set('bricks', this.#parameters);
    resources.set('scanState', this.#draw);
  }

  /** The number of slices drawn at once: as many as fit the height of a texture. */
  slicesAtOnce(ny: number): number {
    return Math.max(1, Math.min(brickSide, Math.floor(this.#device.limits.maxTextureDimension2D / ny)));
  }

  /** Throws if one slice is larger than a texture can be. */
  check([nx, ny]: readonly [number, number, number]): void {
    const most = this.#device.limits.maxTextureDimension2D;
    if (Math.max(nx, ny) <= most) return;
    const message = `slices of ${nx} × ${ny} samples cannot be drawn: this device's textures have at most ${most} pixels per side`;
    throw new NearfieldError('unsupported', message);
  }

  /**
   * Submits the drawing of a window of nx × ny × nz samples into the two planes of `samples`. Returns the pieces to
   * read back, which tell whether the lists overflowed (`hadRoom`), and the number of passes.
   */
  submit(
    samples: GPUBuffer,
    rowWords: number,
    size: readonly [number, number, number],
  ): { piece: Piece; passes: number } {
    const slices = this.slicesAtOnce(size[1]);
    const parts = Math.ceil(size[2] / slices);
    const drawn = this.#drawn.reserve(4 * drawWords * parts);
    this.#serial++;
    for (let part = 0; part < parts; part++) {
      const encoder = this.#device.createCommandEncoder(label);
      this.#encode(encoder, samples, rowWords, size, part * slices);
      encoder.copyBufferToBuffer(this.#draw, 0, drawn, 4 * drawWords * part, 4 * drawWords);
      submit(this.#device, encoder);
    }
    return { piece: { buffer: drawn, offset: 0, bytes: 4 * drawWords * parts }, passes: 4 * parts };
  }

  /** Encodes the slices from `first` on, as many as are drawn at once. */
  #encode(
    encoder: GPUCommandEncoder,
    samples: GPUBuffer,
    rowWords: number,
    [nx, ny, nz]: readonly [number, number, number],
    first: number,
  ): void {
    const slices = Math.min(this.slicesAtOnce(ny), nz - first);
    const across = Math.ceil(nx / brickSide);
    const down = Math.ceil(ny / brickSide);
    const { queue } = this.#device;
    queue.writeBuffer(this.#parameters, 0, new Uint32Array([first, slices, across, down]));
    const draw = new Uint32Array(drawWords);
    draw[Draw.vertices] = 6 * slices;
    draw[Draw.bricks] = across * down;
    draw[Draw.serial] = this.#serial;
    queue.writeBuffer(this.#draw, 0, draw);
    this.#resources.set('brickValues', this.#values.reserve(4 * across * down));
    this.#resources.set('scanValues', this.#values.buffer);
    this.#resources.set('brickEntries', this.#entries.reserve(8 * this.#room));
    const pass = encoder.beginComputePass(label);
    const groups = Math.ceil((across * down) / 64);
    this.#launches.count.encode(pass, groups);
    this.#launches.scan.encode(pass, 1);
    this.#launches.list.encode(pass, groups);
    pass.end();
    this.#drawSlices(encoder, nx, ny * slices);
    this.#picture!.colors.forEach((texture, plane) => {
      const offset = 4 * rowWords * ny * (plane * nz + first);
      const target = { buffer: samples, offset, bytesPerRow: 4 * rowWords };
      encoder.copyTextureToBuffer({ texture }, target, [nx, ny * slices]);
    });
  }

  /** Whether the lists held all triangles of all bricks. If not, they are larger for the next attempt. */
  hadRoom(words: Uint32Array): boolean {
    let count = 0;
    for (let at = 0; at < words.length; at += drawWords) {
      if (words[at + Draw.serial] !== this.#serial) {
        throw new NearfieldError('out-of-memory', 'the GPU refused to draw: most likely it is out of memory');
      }
      count = Math.max(count, words[at + Draw.instances]);
    }
    if (count <= this.#room) return true;
    this.#room = Math.ceil(1.25 * count);
    return false;
  }

  destroy(): void {
    this.#parameters.destroy();
    this.#draw.destroy();
    this.#values.destroy();
    this.#entries.destroy();
    this.#drawn.destroy();
    destroyPicture(this.#picture);
  }

  #drawSlices(encoder: GPUCommandEncoder, width: number, height: number): void {
    const picture = this.#reserve(width, height);
    const pass = beginPicture(encoder, label.label, picture, [0, noOwner]);
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, this.#bind());
    pass.drawIndirect(this.#draw, 0);
    pass.end();
  }

  #bind(): GPUBindGroup {
    const names = ['sweep', 'bricks', 'layers', 'windows', 'ticks', 'leaves', 'order', 'brickEntries'];
    const entries = names.map((name, binding) => {
      const resource = this.#resources.get(name)!;
      return { binding, resource: bindingOf(resource) };
    });
    return this.#device.createBindGroup({ ...label, layout: this.#pipeline.getBindGroupLayout(0), entries });
  }

  /** Textures of exactly this size, since they are copied out whole. */
  #reserve(width: number, height: number): Picture {
    const known = this.#picture;
    if (known?.width === width && known.height === height) return known;
    destroyPicture(known);
    this.#picture = createPicture(this.#device, 'slices', formats, width, height);
    return this.#picture;
  }
}
