// The WebAssembly of the packages that read files. The page serves it, and it is fetched when a file needs it.

import dracoDecoder from 'draco3dgltf/draco_decoder_gltf.wasm?url';
import { NearfieldError } from 'nearfield';
import occt from 'occt-import-js/dist/occt-import-js.wasm?url';
import webIfc from 'web-ifc/web-ifc.wasm?url';

const addresses: Readonly<Record<string, string>> = {
  'draco3dgltf/draco_decoder_gltf.wasm': dracoDecoder,
  'web-ifc/web-ifc.wasm': webIfc,
  'occt-import-js/dist/occt-import-js.wasm': occt,
};

export async function packageWasm(path: string): Promise<ArrayBuffer> {
  const address = addresses[path];
  if (address === undefined) throw new NearfieldError('unsupported', `the studio has no ${path}`);
  const answer = await fetch(new URL(address, import.meta.url));
  if (!answer.ok) throw new NearfieldError('unsupported', `${path} could not be loaded (${answer.status})`);
  return answer.arrayBuffer();
}
