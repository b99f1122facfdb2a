// Distance meshes on the GPU (Hoff et al., section 5.2): the sites of bodies, the meshes of those that may be nearest to
// the samples of each block, and their drawing with the rasteriser into a depth buffer with owners. Everything is recorded
// in the encoder of the question, whatever the number of blocks, slices and bodies. meshes/proof.md bounds the error.

import type { Placed } from '../../../../bodies/snapshot/snapshot.ts';
import { GrowingBuffer, largestBinding } from '../../../../gpu/buffers/buffers.ts';
import type { Piece } from '../../../../gpu/buffers/read-back.ts';
import { softwareGroups } from '../../../../gpu/device/device.ts';
import { bindingOf, type Resources } from '../../../../gpu/kernel.ts';
import { throwIfRefused } from '../../../../gpu/submit.ts';
import type { MeshWork } from '../../field.ts';
import type { Stage } from '../layers.ts';
import { blockBits } from '../layouts.ts';
import { beginPicture, createPicture, destroyPicture, type Picture } from '../picture.ts';
import { Inputs } from '../slices/inputs.ts';
import { createMeshKernels, type MeshKernels, meshFormats } from './kernels.ts';
import { MeshHead, MeshingLayout, meshHeadWords, SiteLayout, SitingLayout, sliceWords } from './layouts.ts';
import { type MeshPlan, planMeshes } from './plan.ts';
import { Topologies } from './sites/topologies.ts';

const label = { label: 'distance meshes' };
const triangleBytes = 48;
const usualRoom = 2 ** 16;
const usualNear = 2 ** 17;
const usualTiles = 2 ** 10;
/** The most tests of a site against a slice of a block in one submission: more would keep the device for too long. */
const mostTests = 2 ** 34;
/** The width of a small picture, in tiles. */
const usualAcross = 64;
/** Workgroups of a kernel whose work is not known, at least. */
const leastGroups = 256;
/**
 * Textures larger than this many times what is drawn, plus so many pixels, are replaced. On an H200 a million pixels take 0.2 ms
 * to clear.
 */
const mostSpare = 4;
const smallPicture = 2 ** 15;

/** Limits of the lists. */
export interface MeshRoom {
  /** The most words for slices and the sites near them. By default, as many as the device can bind. */
  readonly sliceWords?: number;
  /**
   * Words and vertices are counted no further once there are so many. By default 2^30: workgroups that have begun add far less
   * than the other three quarters of what a counter holds.
   */
  readonly mostCounted?: number;
}

/** What is drawn: all blocks of a range, or only those with points of a volume, and one more sample around each. */
export interface DrawnBlocks {
  readonly first: number;
  readonly count: number;
  readonly whole: boolean;
}

export class DistanceMeshes {
  readonly #device: GPUDevice;
  readonly #software: boolean;
  /** Pixels along a side of a texture; reading limits leaves JavaScript. */
  readonly #mostPixels: number;
  readonly #sweep: Resources;
  readonly #kernels: MeshKernels;
  readonly #inputs: Inputs<'meshing' | 'sitings'>;
  readonly #buffers: Readonly<
    Record<
      'siteCorners' | 'sites' | 'drawnBlocks' | 'sliceLists' | 'meshTriangles' | 'meshHead',
      GrowingBuffer
    >
  >;
  readonly #topologies: Topologies;
  #room = usualRoom;
  /** Words for segments of sites near slices, and the most for these and the slices. */
  #near = usualNear;
  readonly #mostSliceWords: number;
  readonly #mostCounted: number;
  /** A little more than the number of triangles of the last drawings: an indirect draw would be checked first. */
  #expected = usualRoom;
  #tiles = usualTiles;
  /** The number of tiles of the last drawing. */
  #drawnTiles = usualTiles;
  #spare = 0;
  #serial = 0;
  #picture: Picture | undefined;
  /** What was written last. */
  #written = {
    blocks: 0,
    triangles: 0,
    items: 0,
    sites: 0,
    tileRoom: 0,
    sliceRoom: 0,
    bodies: 1,
    whole: false,
  };
  #drawGroup: { readonly generation: number; readonly group: GPUBindGroup } | undefined;

  /** `resources` are those of the sweep: the bodies' triangles over the windows. */
  static async create(
    device: GPUDevice,
    resources: Resources,
    software: boolean,
    room: MeshRoom = {},
  ): Promise<DistanceMeshes> {
    const mostCounted = room.mostCounted ?? 2 ** 30;
    const kernels = await createMeshKernels(device, resources, mostCounted);
    return new DistanceMeshes(device, software, resources, kernels, { ...room, mostCounted });
  }

  private constructor(
    device: GPUDevice,
    software: boolean,
    sweep: Resources,
    kernels: MeshKernels,
    {
      sliceWords = Math.floor(largestBinding(device) / 4),
      mostCounted,
    }: MeshRoom & { readonly mostCounted: number },
  ) {
    this.#device = device;
    this.#mostSliceWords = sliceWords;
    this.#mostCounted = mostCounted;
    this.#software = software;
    this.#mostPixels = device.limits.maxTextureDimension2D;
    this.#sweep = sweep;
    this.#kernels = kernels;
    this.#inputs = new Inputs(device, 'mesh inputs', ['meshing', 'sitings']);
    const buffer = (name: string) => new GrowingBuffer(device, name);
    this.#buffers = {
      siteCorners: buffer('corners of sites'),
      sites: buffer('sites'),
      drawnBlocks: buffer('blocks that are drawn'),
      sliceLists: buffer('sites near slices'),
      meshTriangles: buffer('triangles of meshes'),
      meshHead: buffer('head of meshes'),
    };
    this.#topologies = new Topologies(device);
  }

  /** How the meshes of bodies are built over a grid whose vertices and samples are off by `noise` cells. */
  readonly plan = planMeshes;

  /** The most blocks of bodies that one submission can draw, without samples around them. */
  mostBlocks(bodies: readonly Placed[]): number {
    // A closed mesh has three sites per triangle.
    const sites = bodies.reduce((sum, { shape }) => sum + 3 * shape.mesh.triangleCount, 1);
    const side = 1 << blockBits;
    return Math.ceil(Math.min(mostTests / (side * sites), this.#mostTiles(side)) / bodies.length);
  }

  /** Writes what the kernels read. `stage` has bricks as large as blocks. To be called once per submission. */
  write(plan: MeshPlan, stage: Stage, { first, count, whole }: DrawnBlocks): void {
    const { bodies, grid, size, noise, tolerance, margin, upTo } = plan;
    const places = this.#topologies.place(bodies.map(({ shape }) => shape.mesh));
    const sitings = new Uint32Array(SitingLayout.words * bodies.length);
    const { at: of } = SitingLayout;
    let [sites, items] = [0, 0];
    places.forEach((place, i) => {
      const to = SitingLayout.words * i;
      const triangles = stage.firsts[i + 1] - stage.firsts[i];
      sitings[to + of.firstSite] = sites;
      sitings[to + of.firstTriangle] = stage.firsts[i];
      sitings[to + of.firstItem] = items;
      sitings[to + of.triangles] = triangles;
      for (const name of ['edges', 'vertices', 'edgeStarts', 'sides', 'vertexStarts', 'corners'] as const) {
        sitings[to + of[name]] = place[name];
      }
      sites += triangles + place.edges + place.vertices;
      items += place.edges + place.vertices;
    });
    const triangles = stage.firsts[bodies.length];
    const side = this.#sideOf(whole);
    const tiles = whole ? count : this.#tiles;
    const picture = this.#reserve(side, tiles);
    const { width, height } = picture;
    const across = Math.floor(width / side);
    const tileRoom = across * Math.floor(height / side ** 2);
    const words = new Uint32Array(MeshingLayout.words);
    const floats = new Float32Array(words.buffer);
    const { at } = MeshingLayout;
    words[at.bodyCount] = bodies.length;
    words[at.triangleCount] = triangles;
    words[at.itemCount] = items;
    words[at.firstBlock] = first;
    words[at.blockCount] = count;
    words[at.halo] = whole ? 0 : 1;
    words[at.tilesAcross] = across;
    words[at.tileRoom] = tileRoom;
    words[at.width] = width;
    words[at.height] = height;
    words[at.spare] = this.#spare;
    floats[at.tolerance] = tolerance;
    floats[at.margin] = margin;
    floats[at.slack] = 2 ** -12 * size + 2 * noise;
    floats[at.upTo] = upTo < Infinity ? upTo : 0;
    floats[at.depthUnit] = 2 ** Math.ceil(3 + Math.log2(size));
    floats[at.depthScale] = 1 / floats[at.depthUnit];
    floats[at.cell] = grid.cell;
    const head = new Uint32Array(meshHeadWords);
    if (whole) head[MeshHead.blocksDrawn] = count;
    head[MeshHead.meshSerial] = ++this.#serial;
    const buffers = this.#buffers;
    const { resources } = this.#kernels;
    this.#inputs.write({ meshing: words, sitings }, resources);
    this.#device.queue.writeBuffer(buffers.meshHead.reserve(4 * meshHeadWords), 0, head);
    buffers.siteCorners.reserve(48 * triangles);
    buffers.sites.reserve(SiteLayout.bytes * sites);
    buffers.drawnBlocks.reserve(whole ? 4 : 4 * count);
    const sliceRoom = sliceWords * tileRoom * side;
    buffers.sliceLists.reserve(4 * Math.min(this.#mostSliceWords, sliceRoom + this.#near));
    buffers.meshTriangles.reserve(triangleBytes * this.#room);
    for (const [name, buffer] of Object.entries(buffers)) resources.set(name, buffer.buffer);
    resources.set('topologies', this.#topologies.buffer);
    resources.set('columnBlocks', this.#sweep.get('scanValues')!);
    resources.set('drawnDepths', picture.depthView);
    resources.set('drawnOwners', picture.colorViews[0]);
    this.#written = {
      ...{ blocks: count, triangles, items, sites, tileRoom, sliceRoom },
      ...{ bodies: bodies.length, whole },
    };
  }

  /** Encodes the sites. The sweep needs none of them: what is encoded next may run at the same time. */
  encodeSites(pass: GPUComputePassEncoder): number {
    const { triangles, items } = this.#written;
    const { placeFaces, placeEdges } = this.#kernels.launches;
    placeFaces.encode(pass, Math.ceil(triangles / 64));
    placeEdges.encode(pass, Math.ceil(items / 64));
    return 2;
  }

  /** Encodes the meshes. Points of volumes must have been counted before. Returns the number of dispatches. */
  encodeMeshes(pass: GPUComputePassEncoder): number {
    const { blocks, whole } = this.#written;
    const { mark, gather, list } = this.#kernels.launches;
    if (!whole) mark.encode(pass, this.#software ? softwareGroups : Math.min(2 ** 14, blocks));
    // A workgroup takes one slice after the other. Those without a slice take time, too.
    const slices = this.#sideOf(whole) * (whole ? blocks : 1.25 * this.#drawnTiles);
    const groups = this.#software
      ? softwareGroups
      : Math.min(2 ** 14, Math.max(leastGroups, Math.ceil(slices)));
    gather.encode(pass, groups);
    list.encode(pass, groups);
    return whole ? 2 : 3;
  }

  /** Encodes the drawing, which is a pass of its own. */
  encodeDrawing(encoder: GPUCommandEncoder): void {
    const pass = beginPicture(encoder, label.label, this.#picture!);
    pass.setPipeline(this.#kernels.pipeline);
    pass.setBindGroup(0, this.#bind());
    pass.draw(3 * this.#expected);
    pass.end();
  }

  /** Encodes the depths of the points of a volume, from what was drawn. */
  encodeDepths(pass: GPUComputePassEncoder): void {
    const { bodies } = this.#written;
    const blocks = Math.ceil((1.25 * this.#drawnTiles) / bodies);
    this.#kernels.launches.measure.encode(pass, Math.min(2 ** 14, Math.max(leastGroups, blocks)));
  }

  /** Encodes the samples of a field, from what was drawn. */
  encodeSamples(pass: GPUComputePassEncoder, signed: boolean): void {
    this.#kernels.launches[signed ? 'finishSigned' : 'finish'].encode(pass, this.#written.blocks);
  }

  /** What to read back. */
  get piece(): Piece {
    return { buffer: this.#buffers.meshHead.buffer, offset: 0, bytes: 4 * meshHeadWords };
  }

  checkHead(head: Uint32Array): void {
    throwIfRefused(head[MeshHead.meshSerial], this.#serial);
  }

  /** What was drawn. Undefined if it has to be drawn again, with more room; 'never' if this device cannot. */
  take(head: Uint32Array, { bodies, grid, tolerance, drawing }: MeshPlan): MeshWork | undefined | 'never' {
    const { sites, tileRoom, sliceRoom, whole } = this.#written;
    const triangles = Math.ceil(head[MeshHead.vertices] / 3);
    const tiles = head[MeshHead.blocksDrawn] * bodies.length;
    const side = (1 << blockBits) + 2;
    this.#drawnTiles = tiles;
    const mostRoom = Math.floor(Math.min(2 ** 30, largestBinding(this.#device)) / triangleBytes);
    if (Math.max(head[MeshHead.near], head[MeshHead.vertices]) >= this.#mostCounted) return 'never';
    if (head[MeshHead.apart] !== 0) this.#topologies.takeApart(bodies.map(({ shape }) => shape.mesh));
    else if (tiles > tileRoom) {
      const tests = side * tiles * (sites / bodies.length);
      if (tiles > this.#mostTiles(side) || tests > mostTests) return 'never';
      this.#tiles = Math.ceil(1.25 * tiles);
    } else if (sliceRoom + head[MeshHead.near] > this.#buffers.sliceLists.bytes / 4) {
      const most = this.#mostSliceWords - sliceRoom;
      if (head[MeshHead.near] > most) return 'never';
      this.#near = Math.min(most, Math.ceil(1.25 * head[MeshHead.near]));
    } else if (triangles > Math.min(this.#room, this.#expected)) {
      if (triangles > mostRoom) return 'never';
      if (triangles > this.#room) this.#room = Math.min(mostRoom, Math.ceil(1.5 * triangles));
      this.#expected = Math.min(this.#room, follow(this.#expected, triangles));
    } else if (head[MeshHead.short] > 0) this.#spare += head[MeshHead.short];
    else if (head[MeshHead.missing] > 0) return 'never';
    else {
      this.#expected = Math.min(this.#room, follow(this.#expected, triangles));
      if (!whole) this.#tiles = follow(this.#tiles, tiles);
      const error = (tolerance + drawing) * grid.cell;
      return { error, sites, meshes: head[MeshHead.meshes], pieces: triangles, fill: undefined };
    }
    return undefined;
  }

  destroy(): void {
    this.#inputs.destroy();
    this.#topologies.destroy();
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    destroyPicture(this.#picture);
  }

  /** Samples along a side of a tile. */
  #sideOf(whole: boolean): number {
    return (1 << blockBits) + (whole ? 0 : 2);
  }

  #mostTiles(side: number): number {
    const most = this.#mostPixels;
    return Math.floor(most / side) * Math.floor(most / side ** 2);
  }

  #bind(): GPUBindGroup {
    const { resources } = this.#kernels;
    const { generation } = resources;
    if (this.#drawGroup?.generation === generation) return this.#drawGroup.group;
    const entries = ['meshing', 'meshTriangles', 'meshHead'].map((name, binding) => ({
      binding,
      resource: bindingOf(resources.get(name)!),
    }));
    const layout = this.#kernels.pipeline.getBindGroupLayout(0);
    const group = this.#device.createBindGroup({ ...label, layout, entries });
    this.#drawGroup = { generation, group };
    return group;
  }

  /** Textures with room for this many tiles: those there are, unless they are far too large. */
  #reserve(side: number, tiles: number): Picture {
    const most = this.#mostPixels;
    const rows = Math.floor(most / side ** 2);
    const across = Math.min(Math.floor(most / side), Math.max(usualAcross, Math.ceil(tiles / rows)));
    const wanted = [side * across, Math.min(most, side ** 2 * Math.ceil(tiles / across))];
    const known = this.#picture;
    if (known !== undefined) {
      const { width, height } = known;
      const room = Math.floor(width / side) * Math.floor(height / side ** 2);
      if (room >= tiles && width * height <= mostSpare * wanted[0] * wanted[1] + smallPicture) return known;
    }
    destroyPicture(known);
    this.#picture = createPicture(this.#device, 'meshes', meshFormats, wanted[0], wanted[1]);
    return this.#picture;
  }
}

/** The room for what moving bodies need next, after they needed `count`: up at once and down slowly. */
function follow(room: number, count: number): number {
  const likely = Math.ceil(1.25 * count) + 8;
  return Math.max(likely, Math.min(Math.floor(0.99 * room), 2 * likely));
}
