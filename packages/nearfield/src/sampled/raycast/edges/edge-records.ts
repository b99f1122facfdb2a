// The edges of meshes as kernels read them: for each edge, the side of a triangle that runs along it, and the triangle
// on its other side. They come from the mesh's facts and are uploaded once per mesh, whatever its positions are later.

import { GrowingBuffer, type Keeper, RangeAllocator } from '../../../gpu/buffers/buffers.ts';
import { submit } from '../../../gpu/submit.ts';
import type { Mesh } from '../../../mesh/mesh.ts';

export const noTriangle = 0xffffffff;

/**
 * Words per edge: 3·triangle + side, which runs from corner `side` to the next; then the other triangle or
 * `noTriangle`.
 */
export const recordWords = 2;

/**
 * One record per edge of the mesh, in the order of its edges. If more than two triangles share an edge, the first two
 * represent it.
 */
export function edgeRecords(mesh: Mesh): Uint32Array<ArrayBuffer> {
  let records = recordsOfMeshes.get(mesh);
  if (records === undefined) recordsOfMeshes.set(mesh, (records = makeRecords(mesh)));
  return records;
}

const recordsOfMeshes = new WeakMap<Mesh, Uint32Array<ArrayBuffer>>();

function makeRecords({ adjacency }: Mesh): Uint32Array<ArrayBuffer> {
  const { edges, edgeOf } = adjacency;
  const records = new Uint32Array(recordWords * edges.count).fill(noTriangle);
  for (let side = 0; side < edgeOf.length; side++) {
    const at = recordWords * edgeOf[side];
    // Sides of length 0 have no edge: their index is past the end, and nothing is stored.
    if (at >= records.length) continue;
    if (records[at] === noTriangle) records[at] = side;
    else if (records[at + 1] === noTriangle) records[at + 1] = Math.floor(side / 3);
  }
  return records;
}

interface EdgeRange {
  readonly offset: number;
  readonly count: number;
}

/** The records of all meshes in use, in one buffer. Records of meshes that no longer exist make room for others. */
export class EdgePool {
  readonly #device: GPUDevice;
  readonly #buffer: GrowingBuffer;
  readonly #ranges = new RangeAllocator();
  readonly #rangeOf = new WeakMap<Mesh, EdgeRange>();
  readonly #freed = new FinalizationRegistry<EdgeRange>(({ offset, count }) =>
    this.#ranges.give(offset, count),
  );

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#buffer = new GrowingBuffer(device, 'edges');
  }

  get buffer(): GPUBuffer {
    return this.#buffer.buffer;
  }

  /** The index of a mesh's first record, and the number of its records. */
  reserve(mesh: Mesh): EdgeRange {
    const known = this.#rangeOf.get(mesh);
    if (known !== undefined) return known;
    const records = edgeRecords(mesh);
    const count = records.length / recordWords;
    const range = { offset: this.#ranges.take(count), count };
    this.#rangeOf.set(mesh, range);
    this.#freed.register(mesh, range);
    this.#grow(4 * recordWords * this.#ranges.extent);
    this.#device.queue.writeBuffer(this.#buffer.buffer, 4 * recordWords * range.offset, records);
    return range;
  }

  destroy(): void {
    this.#buffer.destroy();
  }

  #grow(bytes: number): void {
    const device = this.#device;
    const keeper: Keeper = { encoder: device.createCommandEncoder({ label: 'edges' }), retired: [] };
    this.#buffer.reserve(bytes, keeper);
    if (keeper.retired.length === 0) return;
    submit(device, keeper.encoder);
    for (const buffer of keeper.retired) buffer.destroy();
  }
}
