// Which triangles share an edge or a vertex, on the device: uploaded once per mesh, so that a body that moves or deforms
// costs no upload beside its positions.

import { GrowingBuffer, largestBinding } from '../../../../../gpu/buffers/buffers.ts';
import type { Mesh } from '../../../../../mesh/mesh.ts';
import { topologyOf } from '../../../meshes/topology.ts';

/** Where the lists of a mesh begin, in words, and how long they are. */
export interface TopologyPlace {
  readonly edges: number;
  readonly vertices: number;
  readonly edgeStarts: number;
  readonly sides: number;
  readonly vertexStarts: number;
  readonly corners: number;
}

/** Beyond this, topologies of earlier questions are discarded. */
const mostWords = 2 ** 24;

export class Topologies {
  readonly #device: GPUDevice;
  readonly #buffer: GrowingBuffer;
  #placed = new WeakMap<Mesh, TopologyPlace>();
  /** Meshes whose vertices of one position have been deformed apart: every triangle is on its own. */
  readonly #apart = new WeakSet<Mesh>();
  #words: Uint32Array<ArrayBuffer> = new Uint32Array(0);
  #count = 0;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#buffer = new GrowingBuffer(device, 'topologies');
  }

  get buffer(): GPUBuffer {
    return this.#buffer.buffer;
  }

  /** The places of the meshes of a question. */
  place(meshes: readonly Mesh[]): readonly TopologyPlace[] {
    const most = Math.min(mostWords, largestBinding(this.#device) / 4);
    if (meshes.some(mesh => !this.#placed.has(mesh)) && this.#count > most / 2) this.#discard();
    const before = this.#count;
    const places = meshes.map(mesh => this.#placed.get(mesh) ?? this.#add(mesh));
    if (this.#count === before) return places;
    const known = this.#buffer.bytes;
    const buffer = this.#buffer.reserve(4 * this.#count);
    // A new buffer has nothing of what was there.
    const from = this.#buffer.bytes > known ? 0 : before;
    this.#device.queue.writeBuffer(buffer, 4 * from, this.#words, from, this.#count - from);
    return places;
  }

  /** From now on every triangle of the meshes has edges and corners of its own. */
  takeApart(meshes: readonly Mesh[]): void {
    for (const mesh of meshes) {
      this.#apart.add(mesh);
      this.#placed.delete(mesh);
    }
  }

  destroy(): void {
    this.#buffer.destroy();
  }

  #discard(): void {
    this.#placed = new WeakMap();
    this.#count = 0;
  }

  #add(mesh: Mesh): TopologyPlace {
    const [starts, sides, vertexStarts, corners] = this.#apart.has(mesh) ? alone(mesh) : together(mesh);
    const place: TopologyPlace = {
      edges: starts.length - 1,
      vertices: vertexStarts.length - 1,
      edgeStarts: this.#append(starts),
      sides: this.#append(sides),
      vertexStarts: this.#append(vertexStarts),
      corners: this.#append(corners),
    };
    this.#placed.set(mesh, place);
    return place;
  }

  #append(list: Uint32Array): number {
    const at = this.#count;
    this.#count += list.length;
    if (this.#count > this.#words.length) {
      const larger = new Uint32Array(Math.max(this.#count, 2 * this.#words.length));
      larger.set(this.#words);
      this.#words = larger;
    }
    this.#words.set(list, at);
    return at;
  }
}

/** Starts and sides of edges, starts and corners of vertices. */
type Lists = readonly [Uint32Array, Uint32Array, Uint32Array, Uint32Array];

/** Sides without length are edges of their own. */
function together(mesh: Mesh): Lists {
  const { starts, sides, collapsed, aroundStarts, around } = topologyOf(mesh);
  const more = Uint32Array.from(collapsed, (_, i) => sides.length + i + 1);
  return [joined(starts, more), joined(sides, collapsed), aroundStarts, around];
}

function alone({ indices }: Mesh): Lists {
  const numbers = Uint32Array.from({ length: indices.length + 1 }, (_, i) => i);
  const each = numbers.subarray(0, indices.length);
  return [numbers, each, numbers, each];
}

function joined(a: Uint32Array, b: Uint32Array): Uint32Array {
  const both = new Uint32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
