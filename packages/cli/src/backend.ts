// Opens the library with the backend that was asked for. Dawn, which brings WebGPU to Node, writes several lines
// of its own to stderr where Linux has no Vulkan loader; so that is looked for first, and Dawn left alone.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Nearfield, NearfieldError, open } from 'nearfield';

export type Backend = 'auto' | 'gpu' | 'cpu';

const loader = 'libvulkan.so.1';
const loaderFolders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];

export function openLibrary(backend: Backend): Promise<Nearfield> {
  if (backend === 'cpu' || process.platform !== 'linux' || mayHaveVulkan(process.env['LD_LIBRARY_PATH'])) {
    return open({ backend });
  }
  if (backend === 'auto') return open({ backend: 'cpu' });
  throw new NearfieldError('no-gpu', `--backend gpu: there is no GPU driver here (no ${loader})`);
}

/**
 * False only where the linker would certainly not find the loader: its cache exists and does not name it, and
 * neither do the folders it searches besides.
 */
export function mayHaveVulkan(
  libraryPath: string | undefined,
  cache = '/etc/ld.so.cache',
  folders: readonly string[] = loaderFolders,
): boolean {
  const searched = [...(libraryPath ?? '').split(':').filter(Boolean), ...folders];
  if (searched.some(folder => existsSync(join(folder, loader)))) return true;
  try {
    return readFileSync(cache).includes(loader);
  } catch {
    return true;
  }
}
