// The tetrahedron as compressed glTF.

import draco from 'draco3dgltf';
import { MeshoptEncoder } from 'meshoptimizer/encoder';
import { glb, gltfJson, tetrahedronIndices, tetrahedronPositions } from './samples.ts';

/** `name` is the name of the extension. */
export async function meshoptGlb(name: string): Promise<Uint8Array> {
  await MeshoptEncoder.ready;
  const positions = new Float32Array(tetrahedronPositions);
  const vertices = MeshoptEncoder.encodeGltfBuffer(new Uint8Array(positions.buffer), 4, 12, 'ATTRIBUTES');
  const order = new Uint16Array(tetrahedronIndices);
  const triangles = MeshoptEncoder.encodeGltfBuffer(new Uint8Array(order.buffer), 12, 2, 'TRIANGLES');
  const json = gltfJson();
  json.extensionsRequired = [name];
  json.buffers = [
    { byteLength: vertices.length + triangles.length },
    { byteLength: 72, extensions: { [name]: { fallback: true } } },
  ];
  const compressed = (
    byteOffset: number,
    byteLength: number,
    byteStride: number,
    count: number,
    mode: string,
  ) => ({
    [name]: { buffer: 0, byteOffset, byteLength, byteStride, count, mode },
  });
  json.bufferViews = [
    {
      buffer: 1,
      byteLength: 48,
      byteStride: 12,
      extensions: compressed(0, vertices.length, 12, 4, 'ATTRIBUTES'),
    },
    {
      buffer: 1,
      byteOffset: 48,
      byteLength: 24,
      extensions: compressed(vertices.length, triangles.length, 2, 12, 'TRIANGLES'),
    },
  ];

  return glb(json, Uint8Array.of(...vertices, ...triangles));
}

export const dracoTetrahedron = (): Promise<Uint8Array> =>
  encodeDraco(new Float32Array(tetrahedronPositions), new Uint32Array(tetrahedronIndices));

export async function encodeDraco(positions: Float32Array, indices: Uint32Array): Promise<Uint8Array> {
  const module = await draco.createEncoderModule({});
  const encoder = new module.Encoder();
  const builder = new module.MeshBuilder();
  const mesh = new module.Mesh();
  builder.AddFacesToMesh(mesh, indices.length / 3, indices);
  builder.AddFloatAttributeToMesh(mesh, module.POSITION, positions.length / 3, 3, positions);
  encoder.SetAttributeQuantization(module.POSITION, 14);
  encoder.SetEncodingMethod(module.MESH_EDGEBREAKER_ENCODING);
  const out = new module.DracoInt8Array();
  const length = encoder.EncodeMeshToDracoBuffer(mesh, out);
  return Uint8Array.from({ length }, (_, i) => out.GetValue(i));
}

export function dracoGlb(bytes: Uint8Array, faces?: number): Uint8Array {
  const json = gltfJson();
  json.extensionsRequired = ['KHR_draco_mesh_compression'];
  json.meshes[0].primitives[0].extensions = {
    KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } },
  };
  for (const accessor of json.accessors) accessor.bufferView = undefined;
  json.accessors[1].count = 3 * (faces ?? 4);
  json.bufferViews = [{ buffer: 0, byteLength: bytes.length }];
  json.buffers = [{ byteLength: bytes.length }];
  return glb(json, bytes);
}
