// Which triangles does a glTF mesh contain? Its primitives in order: lists, strips and fans, with or without indices,
// plain or compressed with Draco. Points and lines are left out.

import type { Mesh } from 'nearfield';
import { type Bounds, binaryError, reachOf } from '../facts/rounding.ts';
import type { FetchWasm } from '../foreign/fetch-wasm.ts';
import { meshOfFile, soupIndices } from '../read-result.ts';
import type { Budget } from '../reading/budget.ts';
import { type Accessors, dequantise, dequantisedBytes, quantumOf } from './accessors.ts';
import type { CheckedJson } from './checked-json.ts';
import { type DracoCounts, decodeDraco, dracoCounts } from './draco.ts';

type Positions = Float32Array | Float64Array;

/** The vertices of one accessor (or of one compressed primitive), which several primitives may share. */
interface Pool {
  readonly positions: Positions;
  /** The distance between two neighbouring coordinates; 0 for floating-point numbers. */
  readonly quantum: number;
  /** The number of meshes that use it. */
  readonly meshCount: number;
  /** If several meshes use it: per vertex, the mesh that took it last, and its index there. */
  owner?: Uint32Array;
  local?: Uint32Array;
}

interface Piece {
  readonly pool: Pool;
  readonly triangles: Uint32Array;
}

/** A mesh with what is known of its numbers. */
export interface RoundedMesh {
  readonly mesh: Mesh;
  /** How far a coordinate may lie from where the writing program had it, per axis. */
  readonly error: Bounds;
  /** The largest coordinate per axis. */
  readonly reach: Bounds;
}

export class Primitives {
  private readonly pools = new Map<string, Pool>();
  private readonly dracoMeshes = new Map<
    string,
    Promise<{ positions: Positions; indices: Uint32Array; quantum: number }>
  >();
  private readonly meshCounts = new Map<string, number>();
  private built = 0;

  constructor(
    private readonly file: string,
    meshes: CheckedJson | undefined,
    private readonly accessors: Accessors,
    private readonly budget: Budget,
    private readonly warn: (what: string) => void,
    private readonly fetchWasm: FetchWasm | undefined,
  ) {
    for (const mesh of meshes?.items() ?? []) {
      const keys = new Set<string>();
      for (const primitive of mesh.need('primitives').items()) {
        const reference = primitive.need('attributes').get('POSITION');
        if (reference) keys.add(poolKey(primitive, reference));
      }
      for (const key of keys) this.meshCounts.set(key, (this.meshCounts.get(key) ?? 0) + 1);
    }
  }

  /** The mesh, or undefined if it has no triangles. */
  async mesh(mesh: CheckedJson): Promise<RoundedMesh | undefined> {
    const pieces: Piece[] = [];
    const primitives = mesh.need('primitives');
    if (primitives.length === 0) primitives.fail('is empty');
    for (const primitive of primitives.items()) {
      const mode = primitive.get('mode')?.integer(0, 6) ?? 4;
      if (mode < 4) {
        this.warn(`${primitive.path}: points or lines are skipped`);
        continue;
      }
      const reference = primitive.need('attributes').get('POSITION');
      if (!reference) {
        this.warn(`${primitive.path}: a primitive without POSITION is skipped`);
        continue;
      }
      if ((primitive.get('targets')?.length ?? 0) > 0)
        this.warn(`${mesh.path}: morph targets are left at rest`);
      const piece = await this.piece(primitive, reference, mode);
      if (piece.triangles.length === 0) primitive.fail('has too few vertices for a triangle');
      pieces.push(piece);
    }
    this.built++;
    const total = pieces.reduce((sum, piece) => sum + piece.triangles.length, 0);
    if (total === 0) return undefined;
    this.budget.spendMesh(0, 0, 0, mesh.path);
    const { positions, indices } = this.join(pieces, total, mesh.path);
    const built = meshOfFile(this.file, mesh.path, positions, indices);
    const reach = reachOf(positions);
    return { mesh: built, error: errorOf(positions, reach, pieces), reach };
  }

  private async piece(primitive: CheckedJson, reference: CheckedJson, mode: number): Promise<Piece> {
    const key = poolKey(primitive, reference);
    const compressed = primitive.extension('KHR_draco_mesh_compression');
    let indices: Uint32Array;
    let positions: Positions;
    let quantum: number;
    if (compressed) {
      let decoding = this.dracoMeshes.get(key);
      if (!decoding) {
        decoding = this.decodeDraco(primitive, compressed);
        this.dracoMeshes.set(key, decoding);
      }
      ({ positions, indices, quantum } = await decoding);
      const listed = primitive.get('indices');
      if (listed && mode === 4) {
        const { count } = this.accessors.describe(listed);
        if (count !== indices.length)
          primitive.fail(`its accessor promises ${count} indices, but ${indices.length} are compressed`);
      }
    } else {
      positions = await this.accessors.positions(reference);
      const { componentType, normalized } = this.accessors.describe(reference);
      quantum = quantumOf(componentType, normalized);
      const vertexCount = positions.length / 3;
      const indexReference = primitive.get('indices');
      if (indexReference) {
        indices = await this.accessors.indices(indexReference);
        for (let i = 0; i < indices.length; i++) {
          if (indices[i] >= vertexCount)
            primitive.fail(`index ${i} refers to vertex ${indices[i]}, but there are ${vertexCount}`);
        }
      } else {
        this.budget.spend(4 * vertexCount, primitive.path);
        indices = soupIndices(vertexCount);
      }
    }
    const pool = this.pools.get(key) ?? { positions, quantum, meshCount: this.meshCounts.get(key) ?? 1 };
    this.pools.set(key, pool);
    // Draco gives triangles, whatever the mode.
    if (compressed || mode === 4) {
      if (indices.length % 3 !== 0) primitive.fail(`${indices.length} indices are not a multiple of 3`);
      return { pool, triangles: indices };
    }
    this.budget.spend(12 * indices.length, primitive.path);
    return { pool, triangles: mode === 5 ? expandStrip(indices) : expandFan(indices) };
  }

  private async decodeDraco(primitive: CheckedJson, compressed: CheckedJson) {
    const { bytes } = await this.accessors.view(compressed.need('bufferView'));
    const id = compressed.need('attributes').need('POSITION').integer();
    const accessor = this.accessors.describe(primitive.need('attributes').need('POSITION'));
    this.budget.decompress(bytes.length, compressed.path);
    const promised = dracoCounts(compressed, bytes);
    // Twice: as the decoder gives them and as they are used.
    const vertexBytes = 3 * (4 + Math.max(4, dequantisedBytes(accessor.componentType, accessor.normalized)));
    const bytesOf = ({ triangles, vertices }: DracoCounts) => 12 * triangles + vertexBytes * vertices;
    this.budget.spend(bytesOf(promised), compressed.path);
    const { positions, indices, quantum } = await decodeDraco(
      compressed,
      bytes,
      id,
      accessor.componentType,
      this.fetchWasm,
    );
    // The decoder splits vertices where the surface is not a manifold, so there may be more than declared.
    const made = { triangles: indices.length / 3, vertices: positions.length / 3 };
    this.budget.spend(Math.max(bytesOf(made) - bytesOf(promised), 0), compressed.path);
    const vertexCount = positions.length / 3;
    for (const index of indices) {
      if (index >= vertexCount)
        compressed.fail(`a triangle refers to vertex ${index}, but there are ${vertexCount}`);
    }
    const { componentType, normalized } = accessor;
    return {
      positions: dequantise(positions, normalized),
      indices,
      quantum: quantum || quantumOf(componentType, normalized),
    };
  }

  /**
   * Joins the pieces into one mesh. Vertices that only this mesh uses are all kept once, as given. From vertices that
   * several meshes share, it gets the ones its triangles use, in order.
   */
  private join(pieces: readonly Piece[], total: number, path: string) {
    const [first] = pieces;
    if (pieces.length === 1 && first.pool.meshCount === 1) {
      return { positions: first.pool.positions, indices: first.triangles };
    }
    this.budget.spend(4 * total, path);
    const bases = new Map<Pool, { base: number; used: Uint32Array | undefined }>();
    let vertexCount = 0;
    for (const { pool } of pieces) {
      if (bases.has(pool)) continue;
      const used = pool.meshCount > 1 ? this.takeUsed(pool, pieces, path) : undefined;
      bases.set(pool, { base: vertexCount, used });
      vertexCount += used ? used.length : pool.positions.length / 3;
    }
    const single = [...bases.keys()].every(pool => pool.positions instanceof Float32Array);
    this.budget.spend(vertexCount * (single ? 12 : 24), path);
    const positions = single ? new Float32Array(3 * vertexCount) : new Float64Array(3 * vertexCount);
    for (const [pool, { base, used }] of bases) {
      if (!used) {
        positions.set(pool.positions, 3 * base);
        continue;
      }
      for (let i = 0; i < used.length; i++) {
        for (let axis = 0; axis < 3; axis++) {
          positions[3 * (base + i) + axis] = pool.positions[3 * used[i] + axis];
        }
      }
    }
    const indices = new Uint32Array(total);
    let at = 0;
    for (const { pool, triangles } of pieces) {
      const { base, used } = bases.get(pool)!;
      if (used) for (const vertex of triangles) indices[at++] = base + pool.local![vertex];
      else for (const vertex of triangles) indices[at++] = base + vertex;
    }
    return { positions, indices };
  }

  /**
   * The vertices of a shared pool that this mesh uses, in ascending order. `pool.local` maps each to its new index.
   */
  private takeUsed(pool: Pool, pieces: readonly Piece[], path: string): Uint32Array {
    const poolSize = pool.positions.length / 3;
    if (!pool.owner || !pool.local) {
      this.budget.spend(8 * poolSize, path);
      pool.owner = new Uint32Array(poolSize);
      pool.local = new Uint32Array(poolSize);
    }
    const used: number[] = [];
    for (const piece of pieces) {
      if (piece.pool !== pool) continue;
      for (const vertex of piece.triangles) {
        if (pool.owner[vertex] !== this.built) {
          pool.owner[vertex] = this.built;
          used.push(vertex);
        }
      }
    }
    const order = Uint32Array.from(used).sort();
    for (let i = 0; i < order.length; i++) pool.local[order[i]] = i;
    return order;
  }
}

/** Half a quantum, and for numbers that were or became floating-point half a unit in the last place. */
function errorOf(positions: Positions, reach: Bounds, pieces: readonly Piece[]): Bounds {
  const quantum = pieces.reduce((largest, { pool }) => Math.max(largest, pool.quantum), 0);
  const [x, y, z] = binaryError(positions, reach);
  const half = quantum / 2;
  return [half + x, half + y, half + z];
}

/** Primitives with the same key have the same vertices. */
function poolKey(primitive: CheckedJson, reference: CheckedJson): string {
  const compressed = primitive.extension('KHR_draco_mesh_compression');
  if (!compressed) return `accessor ${reference.integer()}`;
  const id = compressed.need('attributes').need('POSITION').integer();
  return `draco ${compressed.need('bufferView').integer()} ${id} ${reference.integer()}`;
}

/** glTF 2.0, 3.7.2.1: triangle i is (i, i + 1 + i mod 2, i + 2 - i mod 2). */
function expandStrip(strip: Uint32Array): Uint32Array {
  const triangles = new Uint32Array(3 * Math.max(strip.length - 2, 0));
  for (let i = 0; i + 2 < strip.length; i++) {
    triangles[3 * i] = strip[i];
    triangles[3 * i + 1] = strip[i + 1 + (i % 2)];
    triangles[3 * i + 2] = strip[i + 2 - (i % 2)];
  }
  return triangles;
}

/** glTF 2.0, 3.7.2.1: triangle i is (i + 1, i + 2, 0). */
function expandFan(fan: Uint32Array): Uint32Array {
  const triangles = new Uint32Array(3 * Math.max(fan.length - 2, 0));
  for (let i = 0; i + 2 < fan.length; i++) {
    triangles[3 * i] = fan[i + 1];
    triangles[3 * i + 1] = fan[i + 2];
    triangles[3 * i + 2] = fan[0];
  }
  return triangles;
}
