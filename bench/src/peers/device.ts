// A GPU device of the bench, and buffers on it.

/**
 * A device of the bench, with all the limits of the adapter and those of the features that it has. Dawn's instance
 * must outlive it.
 */
let dawn: GPU | undefined;
export async function openDevice(features: readonly GPUFeatureName[] = []): Promise<GPUDevice> {
  const { create, globals } = await import('webgpu');
  Object.assign(globalThis, globals);
  // As packages/nearfield/src/gpu/device/device.ts creates it.
  dawn ??= create([
    'disable-dawn-features=timestamp_quantization,use_vulkan_zero_initialize_workgroup_memory_extension',
  ]);
  const adapter = await dawn.requestAdapter({ powerPreference: 'high-performance' });
  if (adapter === null) throw new Error('WebGPU is installed, but it found no adapter');
  const { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage } = adapter.limits;
  const requiredLimits = { maxBufferSize, maxStorageBufferBindingSize, maxStorageBuffersPerShaderStage };
  const requiredFeatures = features.filter(name => adapter.features.has(name));
  return adapter.requestDevice({ requiredLimits, requiredFeatures });
}

/** Numbers in a buffer of their own, written once. */
export function inBuffers(device: GPUDevice): (positions: Float32Array) => GPUBuffer {
  const buffers = new WeakMap<Float32Array, GPUBuffer>();
  return positions => {
    let buffer = buffers.get(positions);
    if (buffer === undefined) {
      const usage = GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
      buffer = device.createBuffer({ size: positions.byteLength, usage });
      device.queue.writeBuffer(buffer, 0, positions as Float32Array<ArrayBuffer>);
      buffers.set(positions, buffer);
    }
    return buffer;
  };
}
