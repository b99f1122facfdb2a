// The meshes of the scenes, in single precision: the Stanford bunny (69,451 triangles, open at the bottom) that
// the package draco3d carries, and generated shapes.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { type Mesh, mesh, shapes } from 'nearfield';

export interface Model {
  readonly name: string;
  readonly mesh: Mesh;
}

/** Undefined where the package is not installed, as on a machine that got one bundled file. */
export async function bunny(): Promise<Model | undefined> {
  let folder: string;
  try {
    folder = createRequire(import.meta.url)
      .resolve('draco3d')
      .replace(/[^/\\]*$/, '');
  } catch {
    return undefined;
  }
  const draco = (await import('draco3d')).default;
  const module = await draco.createDecoderModule({});
  const bytes = await readFile(`${folder}bunny.drc`);
  const decoder = new module.Decoder();
  const buffer = new module.DecoderBuffer();
  buffer.Init(new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length), bytes.length);
  const decoded = new module.Mesh();
  const status = decoder.DecodeBufferToMesh(buffer, decoded);
  if (!status.ok()) throw new Error(`bunny.drc: ${status.error_msg()}`);
  const indices = new Uint32Array(3 * decoded.num_faces());
  const face = new module.DracoInt32Array();
  for (let i = 0; i < decoded.num_faces(); i++) {
    decoder.GetFaceFromMesh(decoded, i, face);
    for (let corner = 0; corner < 3; corner++) indices[3 * i + corner] = face.GetValue(corner);
  }
  const attribute = decoder.GetAttributeByUniqueId(decoded, decoder.GetAttributeId(decoded, module.POSITION));
  const values = new module.DracoFloat32Array();
  decoder.GetAttributeFloatForAllPoints(decoded, attribute, values);
  const positions = new Float32Array(3 * decoded.num_points());
  for (let i = 0; i < positions.length; i++) positions[i] = values.GetValue(i);
  for (const used of [values, face, decoded, buffer, decoder]) module.destroy(used);
  return { name: 'bunny', mesh: mesh(positions, indices) };
}

/** Closed, with seeded bumps; about as many triangles as asked for. */
export function bumpySphere(triangles: number): Model {
  return { name: 'bumpy sphere', mesh: single(shapes.displacedSphere({ triangles, seed: 1 })) };
}

/** Each hole closed by triangles from its rim to its middle, whatever its shape: the solid may overlap itself there. */
export function filled({ positions, indices, edges }: Mesh): Mesh {
  const next = new Map<number, number>();
  for (let e = 0; e < edges.count; e++) {
    if (edges.forward[e] === edges.backward[e]) continue;
    const [low, high] = [edges.vertices[2 * e], edges.vertices[2 * e + 1]];
    // The rim runs against the triangle's own side.
    if (edges.forward[e] > edges.backward[e]) next.set(high, low);
    else next.set(low, high);
  }
  const points = Array.from(positions);
  const corners = Array.from(indices);
  for (const start of next.keys()) {
    const rim: number[] = [];
    for (let v = start; next.has(v); ) {
      rim.push(v);
      const to = next.get(v)!;
      next.delete(v);
      v = to;
    }
    if (rim.length === 0) continue;
    const middle = points.length / 3;
    for (let axis = 0; axis < 3; axis++) {
      points.push(rim.reduce((sum, v) => sum + positions[3 * v + axis], 0) / rim.length);
    }
    rim.forEach((v, i) => {
      corners.push(v, rim[(i + 1) % rim.length], middle);
    });
  }
  return mesh(Float32Array.from(points), Uint32Array.from(corners));
}

/** The same mesh with positions rounded to single precision. */
export function single({ positions, indices }: Mesh): Mesh {
  return mesh(Float32Array.from(positions), indices);
}

/** The mesh scaled and moved into the cube from −1 to 1, its longest side filling it. */
export function fitted({ positions, indices, bounds }: Mesh): Mesh {
  const { size, center } = extent(bounds);
  const scale = 2 / Math.max(...size);
  return mesh(positions.map((value, i) => (value - center[i % 3]) * scale) as Float32Array, indices);
}

export function extent(bounds: Mesh['bounds']): { size: number[]; center: number[] } {
  const axes = [0, 1, 2];
  return {
    size: axes.map(axis => bounds[3 + axis] - bounds[axis]),
    center: axes.map(axis => (bounds[axis] + bounds[3 + axis]) / 2),
  };
}

/** The two models of about 70,000 and 80,000 triangles that most scenes use. */
export async function pairModels(): Promise<Model[]> {
  const real = await bunny();
  const sphere = bumpySphere(81920);
  return real ? [real, sphere] : [sphere, { name: 'bumpy sphere 70K', mesh: bumpySphere(69620).mesh }];
}
