// Chooses the GPU that draws and answers. A hardware GPU does both, on one device. A software adapter only draws; the
// CPU engine answers, which is far faster. Without WebGPU, WebGL draws. The page's address can override this:
// ?engine=gpu|cpu, ?draw=webgl.

import { type Nearfield, open } from 'nearfield';

export interface Chosen {
  /** For drawing. */
  readonly device: GPUDevice | undefined;
  /** Whether questions go to this GPU too, and whether they go to it only because the address says so. */
  readonly asks: boolean;
  readonly isAsked: boolean;
  /** Whether edges are antialiased. On a software GPU this costs more than everything else. */
  readonly smooth: boolean;
  /** Describes the rendering, for the status line. */
  readonly drawing: string;
}

/** Names of drivers that draw on the CPU. */
const software = /swiftshader|llvmpipe/i;

/** Browsers without WebGPU may also lack OffscreenCanvas, or WebGL in it. */
function withoutGpu() {
  const gl = document.createElement('canvas').getContext('webgl2');
  const names = gl?.getExtension('WEBGL_debug_renderer_info');
  const name = names ? String(gl!.getParameter(names.UNMASKED_RENDERER_WEBGL)) : '';
  return { device: undefined, asks: false, isAsked: false, smooth: !software.test(name) };
}

export async function chooseDevice(search: string): Promise<Chosen> {
  const parameters = new URLSearchParams(search);
  if (parameters.get('draw') === 'webgl') {
    return { ...withoutGpu(), drawing: 'drawing with WebGL, as the address requests' };
  }
  if (!('gpu' in navigator))
    return { ...withoutGpu(), drawing: 'drawing with WebGL: this browser has no WebGPU' };
  const adapter = await navigator.gpu
    .requestAdapter({ powerPreference: 'high-performance' })
    .catch(() => null);
  if (adapter === null) return { ...withoutGpu(), drawing: 'drawing with WebGL: WebGPU found no GPU' };
  const isSoftware = adapter.info.isFallbackAdapter || software.test(adapter.info.architecture);
  const engine = parameters.get('engine') ?? 'auto';
  const asks = engine === 'gpu' || (engine === 'auto' && !isSoftware);
  try {
    const device = await adapter.requestDevice(descriptorFor(adapter));
    const name = adapter.info.description || `${adapter.info.vendor} ${adapter.info.architecture}`.trim();
    const drawing = asks
      ? `drawing and questions share one device: ${name}`
      : `drawing with WebGPU${isSoftware ? ' (a software adapter)' : `: ${name}`}`;
    return { device, asks, isAsked: engine === 'gpu', smooth: !isSoftware, drawing };
  } catch {
    return { ...withoutGpu(), drawing: 'drawing with WebGL: the GPU gave no device' };
  }
}

/** Requests all that the adapter has: Nearfield needs the limits, three.js the features. */
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

/**
 * Nearfield on a device of the page, opened once, because its kernels take seconds to compile. It stays open as long
 * as the device.
 */
export function nearfieldOn(device: GPUDevice): Promise<Nearfield> {
  let opening = opened.get(device);
  if (opening === undefined) {
    opening = open({ device });
    opened.set(device, opening);
    opening.catch(() => opened.delete(device));
  }
  return opening;
}
