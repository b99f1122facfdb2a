// A picture of slices, one below the other, that triangles are drawn into: per pixel the distance and the owner of what
// is nearest, which a depth buffer decides.

/** The textures of a picture. */
export interface Picture {
  readonly distance: GPUTexture;
  readonly owner: GPUTexture;
  readonly depth: GPUTexture;
}

/** The owner of pixels on which nothing was drawn. */
const noOwner = 0xffffffff;

export function createPicture(device: GPUDevice, name: string, width: number, height: number): Picture {
  const usage = GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC;
  const create = (format: GPUTextureFormat) =>
    device.createTexture({ label: `${name}, ${format}`, size: [width, height], format, usage });
  return { distance: create('r32float'), owner: create('r32uint'), depth: create('depth32float') };
}

export function destroyPicture(picture: Picture | undefined): void {
  for (const texture of Object.values(picture ?? {})) texture.destroy();
}

/** Begins to draw into a picture, which is cleared first. */
export function beginPicture(
  encoder: GPUCommandEncoder,
  label: string,
  { distance, owner, depth }: Picture,
): GPURenderPassEncoder {
  const clear = (texture: GPUTexture, value: number): GPURenderPassColorAttachment => ({
    view: texture.createView(),
    loadOp: 'clear',
    storeOp: 'store',
    clearValue: [value, 0, 0, 0],
  });
  return encoder.beginRenderPass({
    label,
    colorAttachments: [clear(distance, 0), clear(owner, noOwner)],
    depthStencilAttachment: {
      view: depth.createView(),
      depthLoadOp: 'clear',
      depthStoreOp: 'discard',
      depthClearValue: 1,
    },
  });
}

/** A pipeline that draws into pictures, with the entry points `vertexMain` and `fragmentMain`. */
export function createPicturePipeline(
  device: GPUDevice,
  name: string,
  modules: readonly string[],
): Promise<GPURenderPipeline> {
  const module = device.createShaderModule({ label: name, code: modules.join('\n') });
  return device.createRenderPipelineAsync({
    label: name,
    layout: 'auto',
    vertex: { module, entryPoint: 'vertexMain' },
    fragment: {
      module,
      entryPoint: 'fragmentMain',
      targets: [{ format: 'r32float' }, { format: 'r32uint' }],
    },
    primitive: { topology: 'triangle-list', cullMode: 'none' },
    depthStencil: { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' },
  });
}
