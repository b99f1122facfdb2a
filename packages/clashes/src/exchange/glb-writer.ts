// Writes a GLB file of nodes with one primitive each: triangles or lines.

import { jsonText } from '../text/escape.ts';

/** Modes of a glTF primitive. */
type Mode = 1 | 4;

interface Geometry {
  readonly positions: Float32Array;
  /** Left out if the positions are used in order. */
  readonly indices?: Uint16Array | Uint32Array | undefined;
}

export class GlbWriter {
  private readonly chunks: Uint8Array[] = [];
  private length = 0;
  private readonly views: object[] = [];
  private readonly accessors: object[] = [];
  private readonly meshes: object[] = [];
  private readonly nodes: object[] = [];

  constructor(private readonly materials: readonly object[]) {}

  /** Adds a node with a mesh of its own. Extras that are undefined are left out. */
  addNode(
    name: string,
    translation: readonly number[],
    material: number,
    mode: Mode,
    extras: object,
    { positions, indices }: Geometry,
  ): void {
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < positions.length; i++) {
      low[i % 3] = Math.min(low[i % 3], positions[i]);
      high[i % 3] = Math.max(high[i % 3], positions[i]);
    }
    const attributes = {
      POSITION: this.addArray(positions, 34962, {
        ...{ componentType: 5126, type: 'VEC3', count: positions.length / 3, min: low, max: high },
      }),
    };
    const corners = indices && {
      indices: this.addArray(Uint32Array.from(indices), 34963, {
        ...{ componentType: 5125, type: 'SCALAR', count: indices.length },
      }),
    };
    this.meshes.push({ name, primitives: [{ attributes, ...corners, material, mode }] });
    this.nodes.push({ name, mesh: this.meshes.length - 1, translation, extras });
  }

  /** The bytes of the file. */
  finish(generator: string): Uint8Array {
    const { nodes, meshes, materials, accessors, views: bufferViews } = this;
    const json = {
      asset: { version: '2.0', generator },
      scene: 0,
      scenes: [nodes.length > 0 ? { nodes: nodes.map((_, i) => i) } : {}],
      // glTF does not allow empty arrays.
      ...(nodes.length > 0 && {
        ...{ nodes, meshes, materials, accessors, bufferViews },
        buffers: [{ byteLength: this.length }],
      }),
    };
    const text = padded(new TextEncoder().encode(jsonText(json)), 0x20);
    const parts = [header(text.length, 0x4e4f534a), text];
    if (this.length > 0) parts.push(header(this.length, 0x004e4942), ...this.chunks);
    const total = parts.reduce((sum, { length }) => sum + length, 12);
    const bytes = new Uint8Array(total);
    let at = 0;
    for (const part of [header(0x46546c67, 2, total), ...parts]) {
      bytes.set(part, at);
      at += part.length;
    }
    return bytes;
  }

  /** Adds an array as an accessor and returns its index. All arrays have elements of four bytes. */
  private addArray(array: Float32Array | Uint32Array, target: number, facts: object): number {
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    this.views.push({ buffer: 0, byteOffset: this.length, byteLength: bytes.length, target });
    this.chunks.push(bytes);
    this.length += bytes.length;
    return this.accessors.push({ bufferView: this.views.length - 1, ...facts }) - 1;
  }
}

/** Little-endian, as every machine that runs WebAssembly stores numbers. */
const header = (...words: number[]): Uint8Array => new Uint8Array(Uint32Array.from(words).buffer);

function padded(bytes: Uint8Array, by: number): Uint8Array {
  const out = new Uint8Array(Math.ceil(bytes.length / 4) * 4).fill(by);
  out.set(bytes);
  return out;
}
