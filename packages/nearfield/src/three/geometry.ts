// Converts three.js geometry to a mesh, and a mesh to geometry: exactly the triangles that three.js draws.

import { type Mesh, mesh, NearfieldError, type Positions } from 'nearfield';
import { BufferAttribute, BufferGeometry, type InterleavedBufferAttribute } from 'three';
import { aCount, checkGeometry, checkMesh, checkOptions, checkPositions, type Rule } from './arguments.ts';

/** A part of a geometry: a range of its indices if it has some, otherwise of its vertices. */
export interface TriangleRange {
  /** The first index, or vertex: at least 0. */
  readonly start: number;
  /** How many: three per triangle. Infinity means to the end; an incomplete triangle is left out. */
  readonly count: number;
}

/** Which part of a geometry becomes a mesh, and how. */
export interface MeshFromGeometryOptions {
  /** The triangles to use; by default the geometry's own draw range. */
  readonly range?: TriangleRange;
}

/**
 * The mesh of a geometry's triangles. Interleaved, integer and normalised positions are read as three.js reads them.
 * Plain arrays are shared with the geometry: do not change them afterwards; deform the body instead.
 * Throws 'bad-array' or 'not-finite' for positions that are none, 'bad-option' for other wrong arguments.
 */
export function meshFromGeometry(geometry: BufferGeometry, options: MeshFromGeometryOptions = {}): Mesh {
  checkGeometry(geometry);
  checkOptions(options, { range: aRange });
  const name = geometry.name || 'geometry';
  const attribute = geometry.getAttribute('position');
  if (attribute === undefined) throw new NearfieldError('bad-array', `${name} has no attribute "position"`);
  const positions = positionsOf(attribute, name);
  const { start, count } = options.range ?? geometry.drawRange;
  const index = geometry.getIndex();
  const length = index ? index.count : attribute.count;
  const from = Math.min(Math.max(start, 0), length);
  const to = Math.min(from + count, length);
  // three.js draws whole triangles; incomplete ones are left out.
  const used = to - from - ((to - from) % 3);
  if (index === null) {
    if (from === 0 && used === length) return mesh(positions);
    return mesh(
      positions,
      Uint32Array.from({ length: used }, (_, i) => from + i),
    );
  }
  const array = index.array instanceof Uint16Array ? index.array : Uint32Array.from(index.array);
  return mesh(positions, from === 0 && used === array.length ? array : array.slice(from, from + used));
}

const aRange: Rule = given => {
  checkOptions(given as object, { start: aCount, count: aCount }, 'range');
  const { start, count } = given as Partial<TriangleRange>;
  aCount(start, 'range: start');
  aCount(count, 'range: count');
};

/**
 * A flat-shaded geometry of a mesh: every triangle has its own normal. `positions` replaces the mesh's own. Throws
 * 'bad-option' for what is not a mesh, 'bad-array' for positions that do not fit.
 */
export function geometryFromMesh(mesh: Mesh, positions: Positions = mesh?.positions): BufferGeometry {
  checkMesh(mesh);
  const { indices } = mesh;
  checkPositions(positions, mesh.positions.length);
  const flat = new Float32Array(3 * indices.length);
  for (let i = 0; i < indices.length; i++) {
    for (let axis = 0; axis < 3; axis++) flat[3 * i + axis] = positions[3 * indices[i] + axis];
  }
  return flatGeometry(flat);
}

/** A geometry of the corners in order, with the normals of their triangles. */
export function flatGeometry(corners: Float32Array): BufferGeometry {
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(corners, 3));
  geometry.computeVertexNormals();
  return geometry;
}

/** Every vertex as three.js draws it, in the order of the attribute. */
function positionsOf(attribute: BufferAttribute | InterleavedBufferAttribute, name: string): Positions {
  if (attribute.itemSize !== 3) {
    const message = `${name}: positions must have 3 numbers per vertex, not ${attribute.itemSize}`;
    throw new NearfieldError('bad-array', message);
  }
  if (!attribute.array) {
    throw new NearfieldError(
      'unsupported',
      `${name}: its positions are only on the GPU; use body.deform(buffer)`,
    );
  }
  const plain = attribute instanceof BufferAttribute && !attribute.normalized;
  const { array } = attribute;
  if (plain && (array instanceof Float32Array || array instanceof Float64Array)) return array;
  // Integers are exact in doubles, and half-precision numbers in single precision.
  const out = new Float64Array(3 * attribute.count);
  for (let i = 0; i < attribute.count; i++) {
    out[3 * i] = attribute.getX(i);
    out[3 * i + 1] = attribute.getY(i);
    out[3 * i + 2] = attribute.getZ(i);
  }
  return out;
}
