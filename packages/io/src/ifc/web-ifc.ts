// Which triangles does the package web-ifc make of an IFC file? Each product has parts: geometries in their own local
// frames, in single precision, each with a matrix in doubles. Geometries are shared between the products that use them.

import type { Asked, Foreign } from '../foreign/foreign.ts';

/** What is asked. */
export interface IfcQuestion {
  readonly bytes: Uint8Array;
  /** Straight pieces of a full circle. */
  readonly pieces: number;
}

/** A mesh in its own frame. */
export interface IfcGeometry {
  /** Three numbers per vertex. */
  readonly positions: Float32Array;
  readonly indices: Uint32Array;
}

export interface IfcPart {
  /** An index among the geometries. */
  readonly geometry: number;
  /** Column-major, in the units of the file, with y upwards: web-ifc turns the file's x, y, z into x, z, −y. */
  readonly matrix: readonly number[];
}

export interface IfcProduct {
  /** The number of its record in the file. */
  readonly id: number;
  /** `IfcWall` */
  readonly type: string;
  /** Empty if web-ifc made no triangles of it. */
  readonly parts: readonly IfcPart[];
}

export interface IfcAnswer {
  readonly geometries: readonly IfcGeometry[];
  /** All products of the file, in the order of their numbers. */
  readonly products: readonly IfcProduct[];
}

export const webIfc: Foreign<IfcQuestion, IfcAnswer> = {
  formats: 'IFC',
  name: 'web-ifc',
  wasm: 'web-ifc/web-ifc.wasm',
  wasmOfNode: 'web-ifc/web-ifc-node.wasm',
  load: () => import('web-ifc'),
  ask: askWebIfc,
};

/** The part of web-ifc that is used. */
interface WebIfc {
  readonly IFCPRODUCT: number;
  readonly IfcAPI: new () => {
    Init(locate: (() => string) | undefined, singleThread: boolean): Promise<void>;
    SetLogLevel(level: number): void;
    OpenModel(bytes: Uint8Array, settings: object): number;
    StreamAllMeshes(model: number, each: (mesh: FlatMesh) => void, inMetres: boolean): void;
    GetGeometry(model: number, id: number): Geometry;
    GetVertexArray(pointer: number, size: number): Float32Array;
    GetIndexArray(pointer: number, size: number): Uint32Array;
    GetLineIDsWithType(model: number, type: number, inherited: boolean): Vector<number>;
    GetLineType(model: number, id: number): number;
    GetNameFromTypeCode(code: number): string;
  };
}

interface Vector<T> {
  get(index: number): T;
  size(): number;
}

interface FlatMesh {
  readonly expressID: number;
  readonly geometries: Vector<{ readonly geometryExpressID: number; readonly flatTransformation: number[] }>;
}

interface Geometry {
  GetVertexData(): number;
  GetVertexDataSize(): number;
  GetIndexData(): number;
  GetIndexDataSize(): number;
  delete(): void;
}

/** Runs in another thread: it uses nothing from outside. */
async function askWebIfc(
  library: unknown,
  { bytes, pieces }: IfcQuestion,
  wasm: ArrayBuffer | undefined,
): Promise<Asked<IfcAnswer>> {
  const { IfcAPI, IFCPRODUCT } = library as WebIfc;
  const api = new IfcAPI();
  const url = wasm && URL.createObjectURL(new Blob([wasm], { type: 'application/wasm' }));
  await api.Init(url === undefined ? undefined : () => url, true);
  if (url !== undefined) URL.revokeObjectURL(url);
  const silent = 6;
  api.SetLogLevel(silent);
  // It counts the points of a circle, of which the first and the last are the same.
  const settings = { COORDINATE_TO_ORIGIN: false, CIRCLE_SEGMENTS: pieces + 1 };
  const model = api.OpenModel(bytes, settings);
  if (model < 0) throw new Error('it knows no such schema');

  const geometries: IfcGeometry[] = [];
  const buffers: ArrayBufferLike[] = [];
  const known = new Map<number, number>();
  const geometryOf = (id: number): number => {
    const before = known.get(id);
    if (before !== undefined) return before;
    const geometry = api.GetGeometry(model, id);
    // Six numbers per vertex: position and normal. The arrays are views of memory that may move.
    const vertices = api.GetVertexArray(geometry.GetVertexData(), geometry.GetVertexDataSize());
    const positions = new Float32Array(vertices.length / 2);
    for (let from = 0, to = 0; from < vertices.length; from += 6) {
      positions[to++] = vertices[from];
      positions[to++] = vertices[from + 1];
      positions[to++] = vertices[from + 2];
    }
    const indices = api.GetIndexArray(geometry.GetIndexData(), geometry.GetIndexDataSize()).slice();
    geometry.delete();
    buffers.push(positions.buffer, indices.buffer);
    known.set(id, geometries.length);
    return geometries.push({ positions, indices }) - 1;
  };

  const partsOf = new Map<number, IfcPart[]>();
  const inMetres = false;
  api.StreamAllMeshes(
    model,
    mesh => {
      const parts = partsOf.get(mesh.expressID) ?? [];
      partsOf.set(mesh.expressID, parts);
      for (let i = 0; i < mesh.geometries.size(); i++) {
        const { geometryExpressID, flatTransformation } = mesh.geometries.get(i);
        const geometry = geometryOf(geometryExpressID);
        if (geometries[geometry].indices.length > 0) parts.push({ geometry, matrix: flatTransformation });
      }
    },
    inMetres,
  );

  const ids = api.GetLineIDsWithType(model, IFCPRODUCT, true);
  const listed = Array.from({ length: ids.size() }, (_, i) => ids.get(i));
  const products = [...new Set([...listed, ...partsOf.keys()])]
    .sort((a, b) => a - b)
    .map(id => {
      const type = api.GetNameFromTypeCode(api.GetLineType(model, id));
      return { id, type, parts: partsOf.get(id) ?? [] };
    });
  return { answer: { geometries, products }, buffers };
}
