// Runs a command with the software GPU: `npm run soft-gpu -- COMMAND ARGUMENTS…`. SwiftShader (a Vulkan driver that
// runs on the CPU) comes with the package @sparticuz/chromium. It is unpacked once into .cache. Environment
// variables, which must be set before the command starts, point the Vulkan loader to it. No system package is needed.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { dirname, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliDecompressSync } from 'node:zlib';

const root = fileURLToPath(new URL('..', import.meta.url));
const archives = ['swiftshader.tar.br', 'al2023.tar.br'];

/** Whether the software GPU, and the browser beside it, run on this machine: they come as programs for Linux on x64. */
export const hasSoftGpu = process.platform === 'linux' && process.arch === 'x64';

/** The folder of the unpacked libraries. Unpacks them first if necessary. */
export function softGpuFolder() {
  if (!hasSoftGpu)
    throw new Error(
      `soft-gpu: the software GPU and the browser are programs for Linux on x64, and this is ${process.platform} on ${process.arch}`,
    );
  const packageFolder = findPackage('@sparticuz/chromium');
  const { version } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const folder = join(root, '.cache', `soft-gpu-${version}`);
  if (existsSync(folder)) return folder;
  // Two processes may unpack at once: each uses its own folder, and the first to rename wins.
  const staging = `${folder}.${process.pid}`;
  for (const archive of archives) {
    unpackTar(brotliDecompressSync(readFileSync(join(packageFolder, 'bin', archive))), staging);
  }
  try {
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** The environment in which Vulkan programs such as Dawn find SwiftShader. */
export function softGpuEnvironment() {
  const folder = softGpuFolder();
  const driver = join(folder, 'vk_swiftshader_icd.json');
  const libraries = [folder, join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':');
  return { ...process.env, VK_ICD_FILENAMES: driver, VK_DRIVER_FILES: driver, LD_LIBRARY_PATH: libraries };
}

/**
 * The folder of the package, found by walking up as Node does, because its exports do not include its package.json.
 */
export function findPackage(name) {
  for (const folder of createRequire(import.meta.url).resolve.paths(name) ?? []) {
    if (existsSync(join(folder, name, 'package.json'))) return join(folder, name);
  }
  throw new Error(`soft-gpu: the package ${name} is not installed: run npm ci first`);
}

/** Writes the files, folders and links of a ustar archive. Names that would leave `folder` are refused. */
function unpackTar(bytes, folder) {
  const text = (at, length) => bytes.toString('latin1', at, at + length).replace(/\0[\s\S]*$/, '');
  let longName = '';
  for (let at = 0; at + 512 <= bytes.length && bytes[at] !== 0; ) {
    const size = Number.parseInt(text(at + 124, 12).trim() || '0', 8);
    const type = text(at + 156, 1) || '0';
    const linkTarget = text(at + 157, 100);
    const prefix = text(at + 345, 155);
    const name = longName || (prefix ? `${prefix}/${text(at, 100)}` : text(at, 100));
    const data = bytes.subarray(at + 512, at + 512 + size);
    at += 512 + Math.ceil(size / 512) * 512;
    longName = '';
    if (type === 'L') {
      longName = data.toString('utf8').replace(/\0[\s\S]*$/, '');
      continue;
    }
    const target = resolve(folder, name);
    if (target !== folder && !target.startsWith(folder + sep)) throw new Error(`soft-gpu: bad name ${name}`);
    if (type === '5') mkdirSync(target, { recursive: true });
    else if (type === '0' || type === '2') {
      mkdirSync(dirname(target), { recursive: true });
      if (type === '0') writeFileSync(target, data, { mode: 0o755 });
      else symlinkSync(linkTarget, target);
    }
  }
}

function main([command, ...argumentList]) {
  if (command === undefined || command === '--help' || command === '-h') {
    const usage = 'usage: npm run soft-gpu -- COMMAND ARGUMENTS…\nRuns a command with the software GPU.\n';
    (command ? process.stdout : process.stderr).write(usage);
    process.exit(command ? 0 : 2);
  }
  const child = spawn(command, argumentList, { stdio: 'inherit', env: softGpuEnvironment() });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', error => {
    process.stderr.write(`soft-gpu: ${command}: ${error.message}\n`);
    process.exit(127);
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2));
