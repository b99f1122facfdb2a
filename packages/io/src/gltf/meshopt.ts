// Buffer views compressed with EXT_meshopt_compression (and KHR_meshopt_compression, which has the same form). The
// `meshoptimizer` package decodes them; it is loaded when a file first needs it.

import type { CheckedJson } from './checked-json.ts';

const modes = ['ATTRIBUTES', 'TRIANGLES', 'INDICES'];
const filters = ['NONE', 'OCTAHEDRAL', 'QUATERNION', 'EXPONENTIAL', 'COLOR'];

export const meshoptExtension = (view: CheckedJson): CheckedJson | undefined =>
  view.extension('EXT_meshopt_compression') ?? view.extension('KHR_meshopt_compression');

/** The bytes of the view that `extension` describes. `source` has the compressed bytes. */
export async function decodeMeshopt(extension: CheckedJson, source: Uint8Array): Promise<Uint8Array> {
  const stride = extension.need('byteStride').integer(1, 256);
  const count = extension.need('count').integer();
  const mode = extension.need('mode').string();
  const filter = extension.get('filter')?.string() ?? 'NONE';
  if (!modes.includes(mode)) extension.fail(`the mode ${JSON.stringify(mode)} is not known`);
  if (!filters.includes(filter)) extension.fail(`the filter ${JSON.stringify(filter)} is not known`);
  if (mode === 'ATTRIBUTES' ? stride % 4 !== 0 : stride !== 2 && stride !== 4) {
    extension.fail(`a stride of ${stride} is not allowed with ${mode}`);
  }
  if (mode === 'TRIANGLES' && count % 3 !== 0) extension.fail(`${count} indices are not a multiple of 3`);
  if (filter !== 'NONE' && mode !== 'ATTRIBUTES')
    extension.fail(`the filter ${filter} is for attributes, not for ${mode}`);
  const needed = filter === 'OCTAHEDRAL' ? [4, 8] : filter === 'QUATERNION' ? [8] : [stride];
  if (!needed.includes(stride)) extension.fail(`a stride of ${stride} is not allowed with ${filter}`);
  // Limits of the codec: a triangle takes at least one byte, and so does an index of a sequence. For vertices, one
  // control byte stands for four bytes in each of at most 256 vertices.
  const most =
    mode === 'TRIANGLES'
      ? 3 * source.length
      : mode === 'INDICES'
        ? source.length
        : (1024 * source.length) / stride;
  if (count > most) extension.fail(`${source.length} bytes cannot hold ${count} elements of ${stride} bytes`);
  const { MeshoptDecoder } = await import('meshoptimizer/decoder');
  if (!MeshoptDecoder.supported) extension.fail('needs WebAssembly for decoding, which is missing here');
  await MeshoptDecoder.ready;
  const target = new Uint8Array(count * stride);
  try {
    MeshoptDecoder.decodeGltfBuffer(target, count, stride, source, mode, filter);
  } catch (error) {
    extension.fail(`the compressed data are damaged (${error instanceof Error ? error.message : error})`);
  }
  return target;
}
