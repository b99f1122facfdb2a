// Opens a WebGPU device: the browser's, or in Node the one of Dawn (npm package `webgpu`).

import { NearfieldError } from '../../core/errors.ts';
import { importByName } from './import-by-name.ts';
import { missingDriver } from './vulkan.ts';

export interface OpenedDevice {
  readonly device: GPUDevice;
  /** The adapter's name, for people. */
  readonly name: string;
  /** Whether it runs on the processor: the answers are the same, a thousand times slower. */
  readonly software: boolean;
  /** False if the application gave the device and keeps it. */
  readonly owned: boolean;
}

/**
 * The workgroups, on a software adapter, of kernels that loop over lists of any length. A workgroup costs up to four
 * milliseconds there, whether or not it finds anything to do, so this is just enough for two processors.
 */
export const softwareGroups = 4;

/** Dawn's instance must outlive every object it created: if it is collected early, the process crashes. */
let dawn: GPU | undefined;

/** Features that Dawn switches on by default and that do harm here. */
const unwantedFeatures = [
  // Rounds timestamps to 65.5 µs, which is coarser than most of what is measured.
  'timestamp_quantization',
  // Has the driver clear workgroup memory. SwiftShader then emits one instruction per word and compiles for seconds.
  'use_vulkan_zero_initialize_workgroup_memory_extension',
];

/** The entry point of WebGPU: the browser's, or Dawn's. */
export async function findGpu(): Promise<GPU> {
  const browser = (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
  if (browser !== undefined) return browser;
  if (dawn !== undefined) return dawn;
  let dawnModule: { create(options: string[]): GPU; globals: Record<string, unknown> };
  try {
    dawnModule = await importByName('webgpu');
  } catch (cause) {
    const message =
      'WebGPU is not available: there is no navigator.gpu, and the npm package webgpu, which brings it to Node, cannot be loaded (npm install webgpu)';
    throw new NearfieldError('no-gpu', message, { cause });
  }
  const missing = await missingDriver();
  if (missing !== undefined) {
    throw new NearfieldError('no-gpu', `there is no GPU driver here (${missing})`);
  }
  for (const [name, value] of Object.entries(dawnModule.globals)) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  dawn = dawnModule.create([`disable-dawn-features=${unwantedFeatures.join(',')}`]);
  return dawn;
}

/** Limits that are raised to whatever the adapter allows. */
const wantedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
] as const;

/** Features that are used if the adapter has them: kernel times, and full-precision depths of edges. */
const wantedFeatures: readonly GPUFeatureName[] = ['timestamp-query', 'depth32float-stencil8'];

export async function openDevice(): Promise<OpenedDevice> {
  const gpu = await findGpu();
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) throw new NearfieldError('no-gpu', 'WebGPU is available, but it found no adapter');
  const requiredLimits: Record<string, number> = {};
  for (const name of wantedLimits) requiredLimits[name] = adapter.limits[name];
  const requiredFeatures = wantedFeatures.filter(name => adapter.features.has(name));
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ label: 'nearfield', requiredLimits, requiredFeatures });
  } catch (cause) {
    throw new NearfieldError('no-gpu', `the adapter did not give a device: ${String(cause)}`, { cause });
  }
  return describe(device, adapter.info, true);
}

export function wrapDevice(device: GPUDevice): OpenedDevice {
  return describe(device, device.adapterInfo, false);
}

function describe(device: GPUDevice, info: GPUAdapterInfo | undefined, owned: boolean): OpenedDevice {
  const words = wordsOf(info);
  const software = isSoftware(info);
  const name = info?.description || words.filter(Boolean).join(' ') || 'WebGPU device';
  return { device, name, software, owned };
}

const wordsOf = (info: GPUAdapterInfo | undefined) => [
  info?.vendor,
  info?.architecture,
  info?.device,
  info?.description,
];

/** Whether an adapter is software that runs on the processor. */
export function isSoftware(info: GPUAdapterInfo | undefined): boolean {
  return (
    info?.isFallbackAdapter === true || wordsOf(info).some(word => /swiftshader|llvmpipe/i.test(word ?? ''))
  );
}
