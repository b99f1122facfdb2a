// Opens the library with the backend that was asked for. Dawn, which brings WebGPU to Node, writes several lines
// of its own to stderr where Linux has no Vulkan loader or no driver for it; so those are looked for first, and Dawn
// left alone.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Nearfield, NearfieldError, open } from 'nearfield';

export type Backend = 'auto' | 'gpu' | 'cpu';

const loader = 'libvulkan.so.1';
const loaderFolders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];

export function openLibrary(backend: Backend): Promise<Nearfield> {
  if (backend === 'cpu' || process.platform !== 'linux') return open({ backend });
  const hasLoader = mayHaveVulkan(process.env['LD_LIBRARY_PATH']);
  if (hasLoader && mayHaveDriver(process.env)) return open({ backend });
  if (backend === 'auto') return open({ backend: 'cpu' });
  const missing = hasLoader ? 'no Vulkan driver is installed' : `no ${loader}`;
  throw new NearfieldError('no-gpu', `--backend gpu: there is no GPU driver here (${missing})`);
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

/**
 * False only where the loader would certainly find no driver: no variable names one, and no folder that it searches
 * holds a manifest (Vulkan loader, "Driver discovery on Linux"; the last folder is where NixOS keeps them).
 */
export function mayHaveDriver(
  environment: NodeJS.ProcessEnv,
  folders: readonly string[] = ['/etc', '/usr/local/etc', '/run/opengl-driver/share'],
): boolean {
  if (Object.keys(environment).some(name => name.startsWith('VK_') && /ICD|DRIVER/.test(name))) return true;
  // A loader of one's own may have been built to search elsewhere.
  if (environment['LD_LIBRARY_PATH']) return true;
  const list = (name: string, usual: string) => (environment[name] || usual).split(':').filter(Boolean);
  const home = environment['HOME'] ?? '/root';
  const searched = [
    ...list('XDG_CONFIG_HOME', join(home, '.config')),
    ...list('XDG_CONFIG_DIRS', '/etc/xdg'),
    ...list('XDG_DATA_HOME', join(home, '.local/share')),
    ...list('XDG_DATA_DIRS', '/usr/local/share:/usr/share'),
    ...folders,
  ];
  return searched.some(folder => {
    try {
      return readdirSync(join(folder, 'vulkan/icd.d')).some(name => name.endsWith('.json'));
    } catch {
      return false;
    }
  });
}
