// A picture of slices, one below the other, that triangles are drawn into: per pixel the distance and the owner of what
// is nearest, which a depth buffer decides.

import type { TextureView } from '../../../gpu/kernel.ts';

/** The textures of a picture. */
export interface Picture {
  readonly distance: GPUTexture;
  readonly owner: GPUTexture;
  readonly depth: GPUTexture;
  /** Views of the three: the first two for kernels that read them, too. */
  readonly distances: TextureView;
  readonly owners: TextureView;
  readonly depths: TextureView;
}

export function createPicture(device: GPUDevice, name: string, width: number, height: number): Picture {
  const usage =
    GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC | GPUTextureUsage.TEXTURE_BINDING;
  const create = (format: GPUTextureFormat) =>
    device.createTexture({ label: `${name}, ${format}`, size: [width, height], format, usage });
  const [distance, owner, depth] = [create('r32float'), create('r32uint'), create('depth32float')];
  const [distances, owners, depths] = [distance, owner, depth].map(texture => ({
    view: texture.createView(),
  }));
  return { distance, owner, depth, distances, owners, depths };
}

export function destroyPicture(picture: Picture | undefined): void {
  picture?.distance.destroy();
  picture?.owner.destroy();
  picture?.depth.destroy();
}

/** Begins to draw into a picture. Pixels on which nothing is drawn keep the given distance and owner. */
export function beginPicture(
  encoder: GPUCommandEncoder,
  label: string,
  { distances, owners, depths }: Picture,
  nothing: { readonly distance: number; readonly owner: number },
): GPURenderPassEncoder {
  const clear = ({ view }: TextureView, value: number): GPURenderPassColorAttachment => ({
    view,
    loadOp: 'clear',
    storeOp: 'store',
    clearValue: [value, 0, 0, 0],
  });
  return encoder.beginRenderPass({
    label,
    colorAttachments: [clear(distances, nothing.distance), clear(owners, nothing.owner)],
    depthStencilAttachment: {
      view: depths.view,
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
