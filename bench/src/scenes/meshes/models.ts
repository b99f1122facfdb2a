// The models that most scenes use: the Stanford bunny (69,451 triangles, open at the bottom) from the package
// draco3d, and a generated one.

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { mesh } from 'nearfield';
import { bumpySphere, type Model } from './generated.ts';

/** Undefined if the package is not installed, as on a machine with only the bundled file. */
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

/** The two models of about 70,000 and 80,000 triangles that most scenes use. */
export async function pairModels(): Promise<Model[]> {
  const real = await bunny();
  const sphere = bumpySphere(81920);
  return real ? [real, sphere] : [sphere, { name: 'bumpy sphere 70K', mesh: bumpySphere(69620).mesh }];
}
