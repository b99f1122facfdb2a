// A GLB file made of arrays: an accessor per array, in one buffer.

import { closeSync, openSync, writeSync } from 'node:fs';
import type { Mesh } from 'nearfield';

export class GlbFile {
  readonly #chunks: Uint8Array[] = [];
  readonly #views: object[] = [];
  readonly #accessors: object[] = [];
  #length = 0;

  /** Adds an array as an accessor and returns its index. */
  add(array: Float32Array | Uint32Array, type: 'SCALAR' | 'VEC3' | 'VEC4', more: object = {}): number {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    const numbers = { SCALAR: 1, VEC3: 3, VEC4: 4 }[type];
    this.#views.push({ buffer: 0, byteOffset: this.#length, byteLength: bytes.length });
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    const componentType = array instanceof Float32Array ? 5126 : 5125;
    return (
      this.#accessors.push({
        bufferView: this.#views.length - 1,
        ...{ componentType, type, count: array.length / numbers, ...more },
      }) - 1
    );
  }

  /** Adds the arrays of a mesh and returns it as glTF. */
  mesh({ positions, indices, bounds }: Mesh, name: string): object {
    const box = { min: [...bounds.slice(0, 3)], max: [...bounds.slice(3)] };
    const POSITION = this.add(Float32Array.from(positions), 'VEC3', box);
    const triangles = this.add(Uint32Array.from(indices), 'SCALAR');
    return { name, primitives: [{ attributes: { POSITION }, indices: triangles }] };
  }

  /** Writes the file. `scene` has the nodes and meshes. */
  write(file: string, nodes: readonly object[], scene: object): void {
    const json = {
      asset: { version: '2.0', generator: 'nearfield bench' },
      scene: 0,
      scenes: [{ nodes: nodes.map((_, i) => i) }],
      ...{ nodes, ...scene },
      ...{ accessors: this.#accessors, bufferViews: this.#views, buffers: [{ byteLength: this.#length }] },
    };
    const text = padded(Buffer.from(JSON.stringify(json)), 0x20);
    const total = 12 + 8 + text.length + 8 + this.#length;
    const header = (...words: number[]): Buffer => Buffer.from(Uint32Array.from(words).buffer);
    const descriptor = openSync(file, 'w');
    // One after the other: together they may be more than a buffer can hold. Every array fills whole words.
    const parts = [
      ...[header(0x46546c67, 2, total), header(text.length, 0x4e4f534a), text],
      ...[header(this.#length, 0x004e4942), ...this.#chunks],
    ];
    for (const part of parts) writeAll(descriptor, part);
    closeSync(descriptor);
  }
}

/** A call writes at most 2 GiB. */
function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; )
    at += writeSync(descriptor, bytes, at, Math.min(2 ** 30, bytes.length - at));
}

const padded = (bytes: Uint8Array, by: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4, by)]);
