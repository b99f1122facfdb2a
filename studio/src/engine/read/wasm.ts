// The WebAssembly of the packages that read files. The page's server has it, and it is fetched when a file needs it.

import dracoDecoder from 'draco3dgltf/draco_decoder_gltf.wasm?url';
import { NearfieldError } from 'nearfield';

const here = import.meta.url;
/** Beside the folder of the built scripts; at the root while the page is developed. */
const packages = new URL(here.includes('/assets/') ? '../packages/' : '/packages/', here);

const addresses: Readonly<Record<string, URL>> = {
  'draco3dgltf/draco_decoder_gltf.wasm': new URL(dracoDecoder, here),
  'web-ifc/web-ifc.wasm': new URL('web-ifc.wasm', packages),
  'occt-import-js/dist/occt-import-js.wasm': new URL('occt-import-js.wasm', packages),
};

/** Throws 'unsupported' if the page's server does not have it. */
export async function packageWasm(path: string): Promise<ArrayBuffer> {
  const address = addresses[path];
  const answer = address && (await fetch(address).catch(() => undefined));
  if (answer?.ok) return answer.arrayBuffer();
  const [name] = path.split('/');
  throw new NearfieldError(
    'unsupported',
    `This needs the package ${name}, which is not installed beside the studio: npm install ${name}`,
  );
}
