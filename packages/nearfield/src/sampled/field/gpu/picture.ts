// A picture of slices, one below the other, that triangles are drawn into. Each pixel describes the nearest triangle, which a
// depth buffer finds.

import type { TextureView } from '../../../gpu/kernel.ts';

/** The textures of a picture, and views of them that kernels read. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly colors: readonly GPUTexture[];
  readonly depth: GPUTexture;
  readonly colorViews: readonly TextureView[];
  readonly depthView: TextureView;
}

export function createPicture(
  device: GPUDevice,
  name: string,
  formats: readonly GPUTextureFormat[],
  width: number,
  height: number,
): Picture {
  const usage =
    GPUTextureUsage.RENDER_ATTACHMENT | GPUTextureUsage.COPY_SRC | GPUTextureUsage.TEXTURE_BINDING;
  const create = (format: GPUTextureFormat) =>
    device.createTexture({ label: `${name}, ${format}`, size: [width, height], format, usage });
  const [colors, depth] = [formats.map(create), create('depth32float')];
  const viewOf = (texture: GPUTexture): TextureView => ({ view: texture.createView() });
  return { width, height, colors, depth, colorViews: colors.map(viewOf), depthView: viewOf(depth) };
}

export function destroyPicture(picture: Picture | undefined): void {
  if (picture === undefined) return;
  for (const texture of [...picture.colors, picture.depth]) texture.destroy();
}

/** Begins to draw into a picture. Pixels on which nothing is drawn have the given colors, or 0; and depth 1. */
export function beginPicture(
  encoder: GPUCommandEncoder,
  label: string,
  { colorViews, depthView }: Picture,
  nothing: readonly number[] = [],
): GPURenderPassEncoder {
  return encoder.beginRenderPass({
    label,
    colorAttachments: colorViews.map(({ view }, i): GPURenderPassColorAttachment => {
      const attachment = { view, loadOp: 'clear', storeOp: 'store' } as const;
      return nothing[i] ? { ...attachment, clearValue: [nothing[i], 0, 0, 0] } : attachment;
    }),
    depthStencilAttachment: {
      view: depthView.view,
      depthLoadOp: 'clear',
      depthStoreOp: 'store',
      depthClearValue: 1,
    },
  });
}

/** A pipeline that draws into pictures, with the entry points `vertexMain` and `fragmentMain`. */
export function createPicturePipeline(
  device: GPUDevice,
  name: string,
  modules: readonly string[],
  formats: readonly GPUTextureFormat[],
): Promise<GPURenderPipeline> {
  const module = device.createShaderModule({ label: name, code: modules.join('\n') });
  return device.createRenderPipelineAsync({
    label: name,
    layout: 'auto',
    vertex: { module, entryPoint: 'vertexMain' },
    fragment: { module, entryPoint: 'fragmentMain', targets: formats.map(format => ({ format })) },
    primitive: { topology: 'triangle-list', cullMode: 'none' },
    depthStencil: { format: 'depth32float', depthWriteEnabled: true, depthCompare: 'less' },
  });
}
