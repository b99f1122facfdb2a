// Writes a GLB file of nodes with one primitive each: triangles or lines.

import { each, mapped, type Steps } from '../steps/steps.ts';
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
  *finish(generator: string): Steps<Uint8Array> {
    const { nodes, meshes, materials, accessors, views: bufferViews } = this;
    const lists = {
      nodes,
      meshes,
      materials,
      accessors,
      bufferViews,
      buffers: [{ byteLength: this.length }],
    };
    const fields = [
      `"asset":${jsonText({ version: '2.0', generator })}`,
      '"scene":0',
      `"scenes":[${nodes.length > 0 ? jsonText({ nodes: nodes.map((_, i) => i) }) : '{}'}]`,
    ];
    // glTF does not allow empty arrays.
    for (const [name, items] of nodes.length > 0 ? Object.entries<readonly object[]>(lists) : []) {
      fields.push(`"${name}":[${(yield* mapped(items, item => jsonText(item))).join(',')}]`);
      yield;
    }
    const text = padded(new TextEncoder().encode(`{${fields.join(',')}}`), 0x20);
    yield;
    const total = 20 + text.length + (this.length > 0 ? 8 + this.length : 0);
    const bytes = new Uint8Array(total);
    let at = 0;
    const add = (part: Uint8Array) => {
      bytes.set(part, at);
      at += part.length;
    };
    add(header(0x46546c67, 2, total));
    add(header(text.length, 0x4e4f534a));
    add(text);
    if (this.length > 0) add(header(this.length, 0x004e4942));
    yield* each(this.chunks, add);
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
