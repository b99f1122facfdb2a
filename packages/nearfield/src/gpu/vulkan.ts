// Is there a GPU driver that Dawn could use? Dawn, which brings WebGPU to Node, writes several lines of its own to stderr
// where Linux has no Vulkan loader or no driver for it; so those are looked for first, and Dawn left alone.

import type * as FileSystem from 'node:fs';

type Files = Pick<typeof FileSystem, 'existsSync' | 'readdirSync' | 'readFileSync'>;
type Environment = Readonly<Record<string, string | undefined>>;

const loader = 'libvulkan.so.1';
const loaderFolders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];

/** What is certainly missing, in words; undefined where nothing is, as far as can be told. */
export async function missingDriver(): Promise<string | undefined> {
  if (typeof process === 'undefined' || process.platform !== 'linux') return undefined;
  let files: Files;
  try {
    // Not by its name, so that nothing looks for it where pages are bundled.
    const moduleName = 'node:fs';
    files = await import(/* @vite-ignore */ moduleName);
  } catch {
    return undefined;
  }
  if (!mayHaveVulkan(files, process.env['LD_LIBRARY_PATH'])) return `no ${loader}`;
  return mayHaveDriver(files, process.env) ? undefined : 'no Vulkan driver is installed';
}

/**
 * False only where the linker would certainly not find the loader: its cache exists and does not name it, and
 * neither do the folders it searches besides.
 */
export function mayHaveVulkan(
  { existsSync, readFileSync }: Files,
  libraryPath: string | undefined,
  cache = '/etc/ld.so.cache',
  folders: readonly string[] = loaderFolders,
): boolean {
  const searched = [...(libraryPath ?? '').split(':').filter(Boolean), ...folders];
  if (searched.some(folder => existsSync(`${folder}/${loader}`))) return true;
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
  { readdirSync }: Files,
  environment: Environment,
  folders: readonly string[] = ['/etc', '/usr/local/etc', '/run/opengl-driver/share'],
): boolean {
  if (Object.keys(environment).some(name => name.startsWith('VK_') && /ICD|DRIVER/.test(name))) return true;
  // A loader of one's own may have been built to search elsewhere.
  if (environment['LD_LIBRARY_PATH']) return true;
  const list = (name: string, usual: string) => (environment[name] || usual).split(':').filter(Boolean);
  const home = environment['HOME'] ?? '/root';
  const searched = [
    ...list('XDG_CONFIG_HOME', `${home}/.config`),
    ...list('XDG_CONFIG_DIRS', '/etc/xdg'),
    ...list('XDG_DATA_HOME', `${home}/.local/share`),
    ...list('XDG_DATA_DIRS', '/usr/local/share:/usr/share'),
    ...folders,
  ];
  return searched.some(folder => {
    try {
      return readdirSync(`${folder}/vulkan/icd.d`).some(name => name.endsWith('.json'));
    } catch {
      return false;
    }
  });
}
