// Tells whether there is a GPU driver that Dawn could use. Dawn, which brings WebGPU to Node, writes several lines of
// its own to stderr if Linux has no Vulkan loader or no driver for it. So both are looked for first; if one is
// missing, Dawn is not started.

import type * as FileSystem from 'node:fs';
import { importByName } from './import-by-name.ts';

type Files = Pick<typeof FileSystem, 'existsSync' | 'readdirSync' | 'readFileSync'>;
type Environment = Readonly<Record<string, string | undefined>>;

const loader = 'libvulkan.so.1';
const loaderFolders = ['/lib', '/lib64', '/usr/lib', '/usr/lib64', '/usr/local/lib'];

/** What is certainly missing, in words; undefined if nothing certainly is. */
export async function missingDriver(): Promise<string | undefined> {
  if (typeof process === 'undefined' || process.platform !== 'linux') return undefined;
  let files: Files;
  try {
    files = await importByName('node:fs');
  } catch {
    return undefined;
  }
  if (!mayHaveVulkan(files, process.env['LD_LIBRARY_PATH'])) return `no ${loader}`;
  return mayHaveDriver(files, process.env) ? undefined : 'no Vulkan driver is installed';
}

/**
 * False only if the linker would certainly not find the loader: its cache exists and does not list it, and neither do
 * the other folders that it searches.
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
 * False only if the loader would certainly find no driver: no variable names one, and no folder that it searches
 * holds a manifest (Vulkan loader, "Driver discovery on Linux"; the last folder is where NixOS keeps them).
 */
export function mayHaveDriver(
  { readdirSync }: Files,
  environment: Environment,
  folders: readonly string[] = ['/etc', '/usr/local/etc', '/run/opengl-driver/share'],
): boolean {
  if (Object.keys(environment).some(name => name.startsWith('VK_') && /ICD|DRIVER/.test(name))) return true;
  // A custom loader may have been built to search elsewhere.
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
