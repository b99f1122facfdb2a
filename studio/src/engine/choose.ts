// Which GPU draws and answers? A real one does both, on one device. A software adapter draws, and the CPU engine answers,
// which is far faster; without WebGPU, WebGL draws. The page's address may say otherwise: ?engine=gpu|cpu, ?draw=webgl.

import { type Nearfield, open } from 'nearfield';

export interface Chosen {
  /** For drawing. */
  readonly device: GPUDevice | undefined;
  /** Whether questions are asked on it too; and of it alone, since the address says so. */
  readonly asks: boolean;
  readonly isAsked: boolean;
  /** Whether edges are drawn smooth, which costs a processor that draws more than all else. */
  readonly smooth: boolean;
  /** In words, of the drawing. */
  readonly drawing: string;
}

/** Drivers that draw on the processor, by their names. */
const software = /swiftshader|llvmpipe/i;

/** Browsers without WebGPU may have no OffscreenCanvas either, or none for WebGL. */
function withoutGpu() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = names ? String(gl!.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  return { device: undefined, asks: false, isAsked: false, smooth: !software.test(name) };
}

export async function chooseDevice(search: string): Promise<Chosen> {
  const wish = new URLSearchParams(search);
  if (wish.get('draw') === 'webgl') {
    return { ...withoutGpu(), drawing: 'drawing by WebGL, as the address asks' };
  }
  if (!('gpu' in navigator))
    return { ...withoutGpu(), drawing: 'drawing by WebGL: this browser has no WebGPU' };
  const adapter = await navigator.gpu
    .requestAdapter({ powerPreference: 'high-performance' })
    .catch(() => null);
  if (adapter === null) return { ...withoutGpu(), drawing: 'drawing by WebGL: there is no GPU for WebGPU' };
  const isSoftware = adapter.info.isFallbackAdapter || software.test(adapter.info.architecture);
  const engine = wish.get('engine') ?? 'auto';
  const asks = engine === 'gpu' || (engine === 'auto' && !isSoftware);
  try {
    const device = await adapter.requestDevice(descriptorFor(adapter));
    const name = adapter.info.description || `${adapter.info.vendor} ${adapter.info.architecture}`.trim();
    const drawing = asks
      ? `drawing and questions share one device: ${name}`
      : `drawing by WebGPU${isSoftware ? ' (the adapter is software)' : `: ${name}`}`;
    return { device, asks, isAsked: engine === 'gpu', smooth: !isSoftware, drawing };
  } catch {
    return { ...withoutGpu(), drawing: 'drawing by WebGL: the GPU gave no device' };
  }
}

/** All the adapter has: Nearfield takes the limits, three.js the features. */
function descriptorFor(adapter: GPUAdapter): GPUDeviceDescriptor {
  const limits: Record<string, number> = {};
  const names: (keyof GPUSupportedLimits)[] = [
    'maxBufferSize',
    'maxStorageBufferBindingSize',
    'maxStorageBuffersPerShaderStage',
    'maxComputeWorkgroupStorageSize',
    'maxComputeInvocationsPerWorkgroup',
    'maxComputeWorkgroupSizeX',
  ];
  for (const name of names) limits[name] = adapter.limits[name] as number;
  return { requiredLimits: limits, requiredFeatures: [...adapter.features] as GPUFeatureName[] };
}

const opened = new WeakMap<GPUDevice, Promise<Nearfield>>();

/** Nearfield on a device of the page, opened once: its kernels take seconds to compile. It stays open as long as the device. */
export function nearfieldOn(device: GPUDevice): Promise<Nearfield> {
  let opening = opened.get(device);
  if (opening === undefined) {
    opening = open({ device });
    opened.set(device, opening);
    opening.catch(() => opened.delete(device));
  }
  return opening;
}
