// Which numbers does a glTF accessor stand for? Handles strides, sparse accessors, accessors without a buffer view
// (zeros), and quantised positions (KHR_mesh_quantization). Counts are checked against the existing bytes before
// anything is allocated.

import type { Budget } from '../reading/budget.ts';
import { type CheckedJson, referred } from './checked-json.ts';
import type { Buffers } from './container.ts';
import { decodeMeshopt, meshoptExtension } from './meshopt.ts';

type Components = Int8Array | Uint8Array | Int16Array | Uint16Array | Uint32Array | Float32Array;

const componentArrays: Readonly<Record<number, new (buffer: ArrayBuffer) => Components>> = {
  5120: Int8Array,
  5121: Uint8Array,
  5122: Int16Array,
  5123: Uint16Array,
  5125: Uint32Array,
  5126: Float32Array,
};
const componentBytes: Readonly<Record<number, number>> = {
  5120: 1,
  5121: 1,
  5122: 2,
  5123: 2,
  5125: 4,
  5126: 4,
};
const sizes: Readonly<Record<string, number>> = { SCALAR: 1, VEC3: 3, VEC4: 4 };

interface View {
  readonly bytes: Uint8Array;
  readonly stride: number | undefined;
}

export class Accessors {
  private readonly views = new Map<number, Promise<View>>();
  private readonly positionArrays = new Map<number, Promise<Float32Array | Float64Array>>();

  constructor(
    private readonly root: CheckedJson,
    private readonly buffers: Buffers,
    private readonly budget: Budget,
  ) {}

  /** The positions of an accessor; the same array on every call. */
  positions(reference: CheckedJson): Promise<Float32Array | Float64Array> {
    const index = reference.integer();
    let reading = this.positionArrays.get(index);
    if (!reading) {
      reading = this.floats(reference, 'VEC3', [5120, 5121, 5122, 5123, 5126]);
      this.positionArrays.set(index, reading);
    }
    return reading;
  }

  /** Numbers as glTF defines them: quantised ones are divided, in doubles, by the largest value of their type. */
  async floats(
    reference: CheckedJson,
    type: 'VEC3' | 'VEC4',
    allowed: readonly number[],
  ): Promise<Float32Array | Float64Array> {
    const accessor = referred(this.root, 'accessors', reference);
    const values = await this.read(accessor, type, allowed, dequantisedBytes);
    return dequantise(values, accessor.get('normalized')?.boolean() ?? false);
  }

  async indices(reference: CheckedJson): Promise<Uint32Array> {
    const accessor = referred(this.root, 'accessors', reference);
    const values = await this.read(accessor, 'SCALAR', [5121, 5123, 5125], widenedBytes);
    return values instanceof Uint32Array ? values : Uint32Array.from(values);
  }

  /** The declaration of an accessor, for use before it is read, or if its data come from elsewhere (Draco). */
  describe(reference: CheckedJson): { count: number; componentType: number; normalized: boolean } {
    const accessor = referred(this.root, 'accessors', reference);
    return {
      count: accessor.need('count').integer(1),
      componentType: accessor.need('componentType').integer(),
      normalized: accessor.get('normalized')?.boolean() ?? false,
    };
  }

  /** The bytes of a buffer view, decompressed if necessary. */
  view(reference: CheckedJson): Promise<View> {
    const index = reference.integer();
    let reading = this.views.get(index);
    if (!reading) {
      reading = this.readView(referred(this.root, 'bufferViews', reference));
      this.views.set(index, reading);
    }
    return reading;
  }

  private async readView(view: CheckedJson): Promise<View> {
    const stride = view.get('byteStride')?.integer(1, 252);
    const compressed = meshoptExtension(view);
    if (!compressed) return { bytes: await this.buffers.slice(view), stride };
    const source = await this.buffers.slice(compressed);
    const length = view.need('byteLength').integer();
    const made = compressed.need('count').integer() * compressed.need('byteStride').integer();
    if (made !== length) compressed.fail(`decodes to ${made} bytes, but its view has ${length}`);
    this.budget.decompress(source.length, compressed.path);
    this.budget.spend(made, compressed.path);
    const bytes = await decodeMeshopt(compressed, source);
    return { bytes, stride };
  }

  private async read(
    accessor: CheckedJson,
    type: keyof typeof sizes,
    allowed: readonly number[],
    convertedBytes: (componentType: number, normalized: boolean) => number,
  ): Promise<Components> {
    const given = accessor.need('type').string();
    if (given !== type) accessor.fail(`must be ${type}, not ${JSON.stringify(given)}`);
    const componentType = accessor.need('componentType').integer();
    if (!allowed.includes(componentType))
      accessor.fail(`component type ${componentType} is not allowed here`);
    const count = accessor.need('count').integer(1);
    const elementBytes = sizes[type] * componentBytes[componentType];
    // Counts the numbers as stored and, if they are converted, the converted numbers.
    const normalized = accessor.get('normalized')?.boolean() ?? false;
    const converted = sizes[type] * convertedBytes(componentType, normalized);
    this.budget.spend(count * (elementBytes + converted), accessor.path);
    const viewReference = accessor.get('bufferView');
    let packed: Uint8Array<ArrayBuffer>;
    if (viewReference) {
      const { bytes, stride } = await this.view(viewReference);
      const offset = accessor.get('byteOffset')?.integer() ?? 0;
      packed = pack(accessor, bytes, offset, stride ?? elementBytes, elementBytes, count);
    } else {
      packed = new Uint8Array(count * elementBytes);
    }
    const sparse = accessor.get('sparse');
    if (sparse) await this.applySparse(sparse, packed, count, elementBytes);
    return new componentArrays[componentType](packed.buffer);
  }

  /** Replaces the elements that a sparse accessor lists, in ascending order. */
  private async applySparse(sparse: CheckedJson, packed: Uint8Array, count: number, elementBytes: number) {
    const replaced = sparse.need('count').integer(1, count);
    const indices = sparse.need('indices');
    const values = sparse.need('values');
    const indexType = indices.need('componentType').integer();
    if (indexType !== 5121 && indexType !== 5123 && indexType !== 5125) {
      indices.fail(`component type ${indexType} is not an index type`);
    }
    const indexBytes = componentBytes[indexType];
    const where = await this.view(indices.need('bufferView'));
    const what = await this.view(values.need('bufferView'));
    const whereOffset = indices.get('byteOffset')?.integer() ?? 0;
    const whatOffset = values.get('byteOffset')?.integer() ?? 0;
    const at = new componentArrays[indexType](
      pack(indices, where.bytes, whereOffset, indexBytes, indexBytes, replaced).buffer,
    );
    const elements = pack(values, what.bytes, whatOffset, elementBytes, elementBytes, replaced);
    for (let i = 0; i < replaced; i++) {
      if (at[i] >= count) indices.fail(`replaces element ${at[i]}, but there are ${count}`);
      if (i > 0 && at[i] <= at[i - 1]) indices.fail(`element ${at[i]} comes after ${at[i - 1]}`);
      const from = i * elementBytes;
      for (let byte = 0; byte < elementBytes; byte++)
        packed[at[i] * elementBytes + byte] = elements[from + byte];
    }
  }
}

/** `count` elements, tightly packed in a buffer of their own. */
function pack(
  holder: CheckedJson,
  bytes: Uint8Array,
  offset: number,
  stride: number,
  elementBytes: number,
  count: number,
): Uint8Array<ArrayBuffer> {
  if (stride < elementBytes)
    holder.fail(`elements of ${elementBytes} bytes do not fit a stride of ${stride}`);
  const end = offset + (count - 1) * stride + elementBytes;
  if (end > bytes.length) holder.fail(`${count} elements end at byte ${end} of a view of ${bytes.length}`);
  if (stride === elementBytes) return new Uint8Array(bytes.slice(offset, end));
  const packed = new Uint8Array(count * elementBytes);
  for (let i = 0; i < count; i++) {
    const from = offset + i * stride;
    const to = i * elementBytes;
    for (let byte = 0; byte < elementBytes; byte++) packed[to + byte] = bytes[from + byte];
  }
  return packed;
}

/** Bytes per component after `dequantise`; 0 if it returns its input. */
export const dequantisedBytes = (componentType: number, normalized: boolean): number =>
  componentType === 5126 ? 0 : normalized ? 8 : 4;

/** The distance between two neighbouring positions of a type, 0 for floating-point numbers. */
export const quantumOf = (componentType: number, normalized: boolean): number =>
  componentType === 5126 ? 0 : normalized ? 1 / largestOf[componentType] : 1;

const largestOf: Readonly<Record<number, number>> = { 5120: 127, 5121: 255, 5122: 32767, 5123: 65535 };

/** Indices of 8 and 16 bits become 32. */
const widenedBytes = (componentType: number): number => (componentType === 5125 ? 0 : 4);

/**
 * Quantised numbers as glTF defines them: c / 127, c / 255, c / 32767 or c / 65535, signed ones not below -1, each
 * rounded once to double. Numbers that are not normalised stay the integers they are.
 */
export function dequantise(values: Components, normalized: boolean): Float32Array | Float64Array {
  if (values instanceof Float32Array) return values;
  if (!normalized) return Float32Array.from(values);
  const largest =
    values instanceof Int8Array
      ? 127
      : values instanceof Uint8Array
        ? 255
        : values instanceof Int16Array
          ? 32767
          : 65535;
  return Float64Array.from(values, value => Math.max(value / largest, -1));
}
