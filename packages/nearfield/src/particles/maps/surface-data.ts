// Numbers that an application has given with a surface, at the place of an impact (Knott, section 3.7: impact data
// precomputed for points of a surface): over the map's parameters, by triangle, or by vertex.

import { bad, inWords } from '../../core/arguments.ts';
import { wholeNumber } from '../check.ts';
import { barycentric } from '../colliders/mesh.ts';
import type { SurfaceData } from '../colliders/shapes.ts';
import type { CompiledCollider } from '../compiled.ts';
import { impactRow } from '../seam.ts';
import { ownPlaceOf, parameterOf } from './forms.ts';

const readers = new WeakMap<CompiledCollider, SurfaceDataReader>();
const parameter = new Float64Array(2);
const shares = new Float64Array(3);

/** Throws unless the data fits the collider. */
export function checkSurfaceData(collider: CompiledCollider): void {
  const { data } = collider.given;
  if (data === undefined) return;
  const what = `${collider.name}: data`;
  if (typeof data !== 'object' || data === null) throw bad(`${what} must be an object, not ${inWords(data)}`);
  const channels = wholeNumber(data.channels, 1, 65_535, `${what}: channels`);
  const [values, items] = valuesOf(data, collider, what);
  if (!(values instanceof Float32Array)) throw bad(`${what} must be a Float32Array, not ${inWords(values)}`);
  if (values.length !== items * channels) {
    throw bad(`${what} has ${values.length} numbers; expected ${items} times ${channels}`);
  }
}

function valuesOf(data: SurfaceData, { mesh }: CompiledCollider, what: string): [Float32Array, number] {
  if ('values' in data) {
    const width = wholeNumber(data.width, 1, 65_535, `${what}: width`);
    const { interpolate = 'nearest' } = data;
    if (interpolate !== 'nearest' && interpolate !== 'linear') {
      throw bad(`${what}: interpolate must be 'nearest' or 'linear', not ${inWords(interpolate)}`);
    }
    return [data.values, width * wholeNumber(data.height, 1, 65_535, `${what}: height`)];
  }
  if (mesh === undefined) throw bad(`${what} by triangle or by vertex needs a mesh`);
  return 'triangles' in data
    ? [data.triangles, mesh.mesh.triangleCount]
    : [data.vertices, mesh.mesh.vertexCount];
}

export class SurfaceDataReader {
  readonly #collider: CompiledCollider;
  readonly #data: SurfaceData;

  /** Undefined if the collider has no data. */
  static of(collider: CompiledCollider): SurfaceDataReader | undefined {
    const { data } = collider.given;
    if (data === undefined) return undefined;
    let reader = readers.get(collider);
    if (reader === undefined) readers.set(collider, (reader = new SurfaceDataReader(collider, data)));
    return reader;
  }

  constructor(collider: CompiledCollider, data: SurfaceData) {
    this.#collider = collider;
    this.#data = data;
  }

  /** For the impact in a row. */
  at(rows: Float64Array, at: number): Float32Array {
    const data = this.#data;
    const out = new Float32Array(data.channels);
    const triangle = rows[at + impactRow.triangle];
    if ('triangles' in data) {
      out.set(data.triangles.subarray(triangle * data.channels, (triangle + 1) * data.channels));
    } else if ('vertices' in data) {
      this.#byVertex(data.vertices, triangle, rows, at, out);
    } else {
      parameterOf(this.#collider, rows, at, parameter);
      this.#byParameter(data, parameter[0], parameter[1], out);
    }
    return out;
  }

  #byVertex(values: Float32Array, triangle: number, rows: Float64Array, at: number, out: Float32Array): void {
    const { mesh } = this.#collider;
    const place = ownPlaceOf(this.#collider, rows, at);
    barycentric(mesh!.triangles, triangle, place[0], place[1], place[2], shares);
    for (let channel = 0; channel < out.length; channel++) {
      let sum = 0;
      for (let corner = 0; corner < 3; corner++) {
        const vertex = mesh!.mesh.indices[3 * triangle + corner];
        sum += shares[corner] * values[vertex * out.length + channel];
      }
      out[channel] = sum;
    }
  }

  /** Texel centres are at (i + ½)/width; beyond the outermost ones the value is constant. */
  #byParameter(
    data: Extract<SurfaceData, { values: Float32Array }>,
    u: number,
    v: number,
    out: Float32Array,
  ): void {
    const { width, height, values, interpolate = 'nearest' } = data;
    const channels = out.length;
    const at = (column: number, row: number) => (column + width * row) * channels;
    if (interpolate === 'nearest') {
      const from = at(
        Math.min(width - 1, Math.floor(u * width)),
        Math.min(height - 1, Math.floor(v * height)),
      );
      out.set(values.subarray(from, from + channels));
      return;
    }
    const x = Math.min(Math.max(u * width - 0.5, 0), width - 1);
    const y = Math.min(Math.max(v * height - 0.5, 0), height - 1);
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const [right, up] = [Math.min(column + 1, width - 1), Math.min(row + 1, height - 1)];
    const [a, b] = [x - column, y - row];
    for (let channel = 0; channel < channels; channel++) {
      const below = values[at(column, row) + channel] * (1 - a) + values[at(right, row) + channel] * a;
      const above = values[at(column, up) + channel] * (1 - a) + values[at(right, up) + channel] * a;
      out[channel] = below * (1 - b) + above * b;
    }
  }
}
