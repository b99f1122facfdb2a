// Opens a WebGPU device: the browser's, or in Node the one Dawn gives (npm package `webgpu`).

import { NearfieldError } from '../core/errors.ts';
import { missingDriver } from './vulkan.ts';

export interface OpenedDevice {
  readonly device: GPUDevice;
  /** The adapter, in words. */
  readonly name: string;
  /** Runs on the processor: as right as any, a thousand times slower. */
  readonly software: boolean;
  /** False where the application gave the device and keeps it. */
  readonly owned: boolean;
}

/**
 * Workgroups, on a software adapter, of kernels that go over lists of any length. One costs it up to four milliseconds,
 * whether it finds anything to do or not: there are enough of them for two processors, and no more.
 */
export const softwareGroups = 4;

/** Dawn's instance must outlive every object it gave: collected early, it takes the process with it. */
let dawn: GPU | undefined;

/** What Dawn does by default and should not here. */
const unwantedFeatures = [
  // Rounds timestamps to 65.5 µs, coarser than most of what is measured.
  'timestamp_quantization',
  // Has the driver clear workgroup memory; SwiftShader writes one instruction a word and compiles for seconds.
  'use_vulkan_zero_initialize_workgroup_memory_extension',
];

/** WebGPU itself: the browser's, or Dawn. */
export async function findGpu(): Promise<GPU> {
  const browser = (globalThis as { navigator?: { gpu?: GPU } }).navigator?.gpu;
  if (browser !== undefined) return browser;
  if (dawn !== undefined) return dawn;
  let dawnModule: { create(options: string[]): GPU; globals: Record<string, unknown> };
  try {
    const packageName = 'webgpu';
    dawnModule = await import(/* @vite-ignore */ packageName);
  } catch (cause) {
    const message =
      'there is no WebGPU here: no navigator.gpu, and the package webgpu, which brings it to Node, cannot be loaded (npm install webgpu)';
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

/** Limits this library can use, at whatever the adapter allows. */
const wantedLimits = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
] as const;

/** Features this library can use, where the adapter has them: times of kernels, and depths of edges to the full. */
const wantedFeatures: readonly GPUFeatureName[] = ['timestamp-query', 'depth32float-stencil8'];

export async function openDevice(): Promise<OpenedDevice> {
  const gpu = await findGpu();
  const adapter = await gpu.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) throw new NearfieldError('no-gpu', 'WebGPU is here, but it found no adapter');
  const requiredLimits: Record<string, number> = {};
  for (const name of wantedLimits) requiredLimits[name] = adapter.limits[name];
  const requiredFeatures = wantedFeatures.filter(name => adapter.features.has(name));
  let device: GPUDevice;
  try {
    device = await adapter.requestDevice({ label: 'nearfield', requiredLimits, requiredFeatures });
  } catch (cause) {
    throw new NearfieldError('no-gpu', `the adapter gives no device: ${String(cause)}`, { cause });
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

/** Whether an adapter is a program on the processor. */
export function isSoftware(info: GPUAdapterInfo | undefined): boolean {
  return (
    info?.isFallbackAdapter === true || wordsOf(info).some(word => /swiftshader|llvmpipe/i.test(word ?? ''))
  );
}
