// Primitives compressed with KHR_draco_mesh_compression. The `draco3dgltf` package decodes them; it is loaded when a
// file first needs it. The decoder allocates memory for the counts in the data's header, so these are read here first
// and checked against the size of the data. The memory for attributes other than positions is not bounded: their
// sizes come after the triangles and cannot be read before the triangles are decoded. Only WebAssembly's memory
// limits them; a file of 33 KB took 337 MiB and 7 s.

import type { Attribute, DecoderModule } from 'draco3dgltf';
import { NearfieldError } from 'nearfield';
import type { FetchWasm } from '../foreign/fetch-wasm.ts';
import type { CheckedJson } from './checked-json.ts';

export interface DracoMesh {
  readonly indices: Uint32Array;
  /** Three numbers per vertex, of the requested component type. */
  readonly positions: Float32Array | Int8Array | Uint8Array | Int16Array | Uint16Array;
  /** The distance between two neighbouring coordinates, if Draco quantised them; else 0. */
  readonly quantum: number;
}

export interface DracoCounts {
  readonly triangles: number;
  readonly vertices: number;
}

type DracoArray =
  | typeof Float32Array
  | typeof Int8Array
  | typeof Uint8Array
  | typeof Int16Array
  | typeof Uint16Array
  | typeof Int32Array;

/** In the best case, a flat regular grid of 2 million triangles, one byte holds 38 triangles. */
const mostTrianglesPerByte = 64;
const alwaysAllowed = 65536;

/** A decoder whose memory grew past this is dropped after use, because its memory never shrinks. */
const mostKeptBytes = 64 * 2 ** 20;

const wasmPath = 'draco3dgltf/draco_decoder_gltf.wasm';

let sharedModule: Promise<DecoderModule> | undefined;

/**
 * Decodes the triangles and the positions (attribute `positionId`) of one primitive. `dracoCounts` has checked the
 * counts of its header.
 */
export async function decodeDraco(
  extension: CheckedJson,
  bytes: Uint8Array,
  positionId: number,
  componentType: number,
  fetchWasm: FetchWasm | undefined,
): Promise<DracoMesh> {
  sharedModule ??= openDecoder(fetchWasm);
  const opening = sharedModule;
  const module = await opening.catch(error => {
    // The next attempt may fetch it.
    if (sharedModule === opening) sharedModule = undefined;
    throw error;
  });
  try {
    return decodeWith(module, extension, bytes, positionId, componentType);
  } catch (error) {
    if (error instanceof NearfieldError) throw error;
    // An aborted decoder cannot be used again.
    sharedModule = undefined;
    return extension.fail('the compressed data are damaged (the decoder gave up)');
  } finally {
    if (module.HEAPU8.length > mostKeptBytes) sharedModule = undefined;
  }
}

async function openDecoder(fetchWasm: FetchWasm | undefined): Promise<DecoderModule> {
  const { default: draco } = await import('draco3dgltf');
  return draco.createDecoderModule(fetchWasm ? { wasmBinary: await fetchWasm(wasmPath) } : {});
}

function decodeWith(
  module: DecoderModule,
  extension: CheckedJson,
  bytes: Uint8Array,
  positionId: number,
  componentType: number,
): DracoMesh {
  const decoder = new module.Decoder();
  const buffer = new module.DecoderBuffer();
  const mesh = new module.Mesh();
  let pointer = 0;
  try {
    // Quantised positions are asked for as the stored integers, because only then the decoder says what a step is.
    if (componentType === 5126) decoder.SkipAttributeTransform(module.POSITION);
    buffer.Init(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
    const status = decoder.DecodeBufferToMesh(buffer, mesh);
    if (!status.ok()) extension.fail(`the compressed data are damaged (${status.error_msg()})`);
    const attribute = decoder.GetAttributeByUniqueId(mesh, positionId);
    if (attribute.ptr === 0) extension.fail(`the compressed data have no attribute ${positionId}`);
    if (attribute.num_components() !== 3) {
      extension.fail(`a position has 3 numbers, but the compressed ones have ${attribute.num_components()}`);
    }
    const indexBytes = 12 * mesh.num_faces();
    const positionBytes = 12 * mesh.num_points();
    pointer = module._malloc(Math.max(indexBytes, positionBytes, 12));
    if (pointer === 0) extension.fail('is too large for the decoder');
    decoder.GetTrianglesUInt32Array(mesh, indexBytes, pointer);
    const indices = new Uint32Array(module.HEAPU8.buffer, pointer, 3 * mesh.num_faces()).slice();

    const count = 3 * mesh.num_points();
    const read = ([type, View]: ReturnType<typeof dracoType>) => {
      const bytes = count * View.BYTES_PER_ELEMENT;
      if (!decoder.GetAttributeDataArrayForAllPoints(mesh, attribute, type, bytes, pointer))
        extension.fail('the compressed positions are not of the type of their accessor');
      return new View(module.HEAPU8.buffer, pointer, count).slice();
    };
    const quantisation = componentType === 5126 ? quantisationOf(module, attribute) : undefined;
    if (!quantisation) {
      return {
        indices,
        positions: read(dracoType(module, componentType)) as DracoMesh['positions'],
        quantum: 0,
      };
    }
    const steps = read([module.DT_INT32, Int32Array]);
    return { indices, positions: dequantiseSteps(steps, quantisation), quantum: quantisation.step };
  } finally {
    if (pointer !== 0) module._free(pointer);
    module.destroy(mesh);
    module.destroy(buffer);
    module.destroy(decoder);
  }
}

interface Quantisation {
  readonly step: number;
  readonly least: readonly number[];
}

/** How Draco quantised an attribute; undefined if it did not. */
function quantisationOf(module: DecoderModule, attribute: Attribute): Quantisation | undefined {
  const transform = new module.AttributeQuantizationTransform();
  try {
    if (!transform.InitFromAttribute(attribute)) return undefined;
    const step = Math.fround(transform.range() / (2 ** transform.quantization_bits() - 1));
    return { step, least: [0, 1, 2].map(axis => transform.min_value(axis)) };
  } finally {
    module.destroy(transform);
  }
}

/** Positions as Draco's own decoder computes them: in single precision, rounded after each operation. */
function dequantiseSteps(steps: ArrayLike<number>, { step, least }: Quantisation): Float32Array {
  const positions = new Float32Array(steps.length);
  for (let i = 0; i < steps.length; i++) {
    positions[i] = Math.fround(Math.fround(steps[i]) * step) + least[i % 3];
  }
  return positions;
}

function dracoType(module: DecoderModule, componentType: number): readonly [type: number, View: DracoArray] {
  switch (componentType) {
    case 5120:
      return [module.DT_INT8, Int8Array];
    case 5121:
      return [module.DT_UINT8, Uint8Array];
    case 5122:
      return [module.DT_INT16, Int16Array];
    case 5123:
      return [module.DT_UINT16, Uint16Array];
    default:
      return [module.DT_FLOAT32, Float32Array];
  }
}

/**
 * The header of a Draco bitstream 2.2 (its specification, sections 2 and 4): "DRACO", version, kind, method, flags,
 * optional metadata, then the counts, as variable-length numbers of 7 bits per byte.
 */
export function dracoCounts(extension: CheckedJson, bytes: Uint8Array): DracoCounts {
  let at = 0;
  const byte = (): number =>
    at < bytes.length ? bytes[at++] : extension.fail('the compressed data end early');
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const next = byte();
      value += (next & 127) * 2 ** shift;
      if (next < 128) return value;
    }
    return extension.fail('the compressed data begin with a number too large');
  };
  for (const letter of 'DRACO') {
    if (byte() !== letter.charCodeAt(0)) extension.fail('the compressed data do not begin with "DRACO"');
  }
  const version = `${byte()}.${byte()}`;
  if (version !== '2.2') extension.fail(`the compressed data are Draco bitstream ${version}; glTF uses 2.2`);
  if (byte() !== 1) extension.fail('the compressed data are points, not a mesh');
  const method = byte();
  if (method > 1) extension.fail(`the compressed data use the unknown method ${method}`);
  const flags = byte() | (byte() << 8);
  if (flags & 0x8000) {
    const skip = (length: number) => {
      at += length;
      if (at > bytes.length) extension.fail('the compressed data end early');
    };
    // Entries of a name and a value, then the number of nested metadata, each after its name.
    const skipMetadata = () => {
      for (let pending = 1, named = false; pending > 0; pending--, named = true) {
        if (named) skip(byte());
        for (let entries = varint(); entries > 0; entries--) {
          skip(byte());
          skip(varint());
        }
        pending += varint();
      }
    };
    for (let attributes = varint(); attributes > 0; attributes--) {
      varint();
      skipMetadata();
    }
    skipMetadata();
  }
  if (method === 1) byte();
  const first = varint();
  const second = varint();
  const [faces, points] = method === 1 ? [second, first] : [first, second];
  const most = Math.max(alwaysAllowed, mostTrianglesPerByte * bytes.length);
  if (faces > most || points > 3 * most) {
    extension.fail(`${bytes.length} compressed bytes promise ${faces} triangles and ${points} vertices`);
  }
  return { triangles: faces, vertices: points };
}
