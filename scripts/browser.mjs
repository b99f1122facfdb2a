// A real browser for the tests, with WebGPU on the software GPU and no system package: the Chromium that the package
// @sparticuz/chromium carries, unpacked once into .cache beside SwiftShader's libraries.
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { findPackage, hasSoftGpu, softGpuEnvironment, softGpuFolder } from './soft-gpu.mjs';

/** Whether the browser runs on this machine. */
export const hasBrowser = hasSoftGpu;

/** The browser's program; its libraries must lie in the same folder. */
function browserProgram() {
  const libraries = softGpuFolder();
  const folder = `${libraries}-browser`;
  const program = join(folder, 'chromium');
  if (existsSync(folder)) return program;
  const staging = `${folder}.${process.pid}`;
  mkdirSync(staging, { recursive: true });
  cpSync(libraries, staging, { recursive: true, verbatimSymlinks: true });
  const packed = readFileSync(join(findPackage('@sparticuz/chromium'), 'bin', 'chromium.br'));
  writeFileSync(join(staging, 'chromium'), brotliDecompressSync(packed));
  chmodSync(join(staging, 'chromium'), 0o755);
  try {
    renameSync(staging, folder);
  } catch (error) {
    rmSync(staging, { recursive: true, force: true });
    if (!existsSync(folder)) throw error;
  }
  return program;
}

/**
 * Launches Chromium, headless. WebGPU's canvas needs ANGLE on SwiftShader too; without it the GPU process ends at the
 * first frame. If no one looks at the page, its canvases are not composited by the software GPU, which would take ten
 * milliseconds per frame; their pixels can be read from the canvas.
 */
export function launchBrowser({ isSeen = true } = {}) {
  const executablePath = browserProgram();
  const args = [
    '--headless=new',
    '--no-sandbox',
    '--enable-unsafe-webgpu',
    '--use-webgpu-adapter=swiftshader',
    '--enable-features=Vulkan',
    '--use-angle=swiftshader',
    // Content that is not WebGPU or WebGL is painted without the software GPU.
    '--disable-gpu-rasterization',
    '--disable-dawn-features=use_vulkan_zero_initialize_workgroup_memory_extension',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-sync',
    ...(isSeen ? [] : ['--disable-gpu-compositing']),
  ];
  const environment = softGpuEnvironment();
  const folder = executablePath.slice(0, -'/chromium'.length);
  const env = {
    ...environment,
    VK_ICD_FILENAMES: join(folder, 'vk_swiftshader_icd.json'),
    LD_LIBRARY_PATH: [folder, join(folder, 'lib'), process.env.LD_LIBRARY_PATH].filter(Boolean).join(':'),
  };
  return chromium.launch({ executablePath, args, env, headless: true });
}
