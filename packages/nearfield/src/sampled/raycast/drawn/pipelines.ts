// The pipelines of Knott's passes. Stencils begin at 128. Front faces add one and back faces subtract one, in one pass
// (two-sided stencil operations). Counts wrap instead of clamping, so that the order of faces makes no difference.

import edgesSource from './draw-edges.wgsl';
import facesSource from './draw-faces.wgsl';
import bodySource from './drawn-body.wgsl';
import { DrawnBodyLayout, DrawnViewLayout, drawnWgsl } from './layouts.ts';
import reduceSource from './reduce-pixels.wgsl';

export const edgesFormat: GPUTextureFormat = 'rgba32uint';
export const namedFormat: GPUTextureFormat = 'rg32uint';

/** A pipeline that draws all bodies in one draw. */
export interface OfAll {
  /** Each instance is a body; also to draw one body alone. */
  readonly instanced: GPURenderPipeline;
  /** The vertices of all bodies follow one another, if meshes differ in size. */
  readonly together: GPURenderPipeline;
}

export interface DrawnPipelines {
  /** The device's format: 32-bit depth if it has it. */
  readonly depthFormat: GPUTextureFormat;
  readonly bodyLayout: GPUBindGroupLayout;
  readonly edgesLayout: GPUBindGroupLayout;
  /** Pass 1: nearest edges, with the names of their bodies (Algorithm 2). */
  readonly edges: OfAll;
  /** Passes 2 and 3 in one. */
  readonly faces: OfAll;
  /** Subtracts what a body's faces counted before its own edges: meeting itself is not reported. */
  readonly ownFaces: OfAll;
  /** Pass 4: edges that are enclosed (Algorithms 3 and 5). */
  readonly again: OfAll;
  /** The same with the name of the edge's body as its colour (Algorithms 3 and 4). */
  readonly identify: OfAll;
  /** Passes 5 and 6: one body alone before the edges of others. */
  readonly alone: GPURenderPipeline;
  /** Pass 7: names the body if it encloses an edge, and restores the stencil. */
  readonly name: GPURenderPipeline;
  /** The same if the body was left more often than entered. */
  readonly nameOpen: GPURenderPipeline;
  readonly reduce: readonly GPUComputePipeline[];
}

export async function createDrawnPipelines(device: GPUDevice): Promise<DrawnPipelines> {
  const depthFormat: GPUTextureFormat = device.features.has('depth32float-stencil8')
    ? 'depth32float-stencil8'
    : 'depth24plus-stencil8';
  const { VERTEX, FRAGMENT } = GPUShaderStage;
  const bodyLayout = device.createBindGroupLayout({
    label: 'drawn bodies',
    entries: [
      { binding: 0, visibility: VERTEX | FRAGMENT, buffer: { type: 'uniform' } },
      ...[1, 2, 3, 4].map(binding => ({
        binding,
        visibility: VERTEX,
        buffer: { type: 'read-only-storage' } as const,
      })),
    ],
  });
  const edgesLayout = device.createBindGroupLayout({
    label: 'edges seen',
    entries: [{ binding: 0, visibility: FRAGMENT, texture: { sampleType: 'uint' } }],
  });
  const layouts = [DrawnBodyLayout.wgsl, DrawnViewLayout.wgsl];
  const moduleOf = (label: string, ...sources: string[]) =>
    device.createShaderModule({ label, code: [...layouts, ...sources].join('\n') });
  const edgesModule = moduleOf('draw-edges', bodySource, edgesSource);
  const facesModule = moduleOf('draw-faces', bodySource, facesSource);
  const reduceModule = moduleOf('reduce-pixels', drawnWgsl, reduceSource);
  const bodiesOnly = device.createPipelineLayout({ bindGroupLayouts: [bodyLayout] });
  const bodiesAndEdges = device.createPipelineLayout({ bindGroupLayouts: [bodyLayout, edgesLayout] });

  const keep: GPUStencilFaceState = { compare: 'always' };
  const add: GPUStencilFaceState = { compare: 'always', passOp: 'increment-wrap' };
  const takeOff: GPUStencilFaceState = { compare: 'always', passOp: 'decrement-wrap' };
  // The reference, 128, is compared with the count, which is above it if a point is enclosed.
  const above: GPUStencilFaceState = { compare: 'less' };
  const drawEdges = (
    label: string,
    entryPoint: string,
    targets: GPUColorTargetState[],
    depthCompare: GPUCompareFunction,
    depthWriteEnabled: boolean,
    stencil: GPUStencilFaceState,
    together: number,
  ) =>
    device.createRenderPipelineAsync({
      label,
      layout: bodiesOnly,
      vertex: { module: edgesModule, entryPoint: 'placeEdge', constants: { together } },
      fragment: { module: edgesModule, entryPoint, targets },
      primitive: { topology: 'line-list' },
      depthStencil: {
        format: depthFormat,
        depthCompare,
        depthWriteEnabled,
        stencilFront: stencil,
        stencilBack: stencil,
      },
    });
  const drawFaces = (
    label: string,
    entryPoint: string | undefined,
    targets: GPUColorTargetState[],
    stencilFront: GPUStencilFaceState,
    stencilBack: GPUStencilFaceState,
    together = 0,
  ) =>
    device.createRenderPipelineAsync({
      label,
      layout: entryPoint === undefined ? bodiesOnly : bodiesAndEdges,
      vertex: { module: facesModule, entryPoint: 'placeFace', constants: { together } },
      ...(entryPoint === undefined ? {} : { fragment: { module: facesModule, entryPoint, targets } }),
      // Columns, rows and depth are right-handed, with depth away from the eye. Rows are drawn upward, so corners that
      // run counter-clockwise seen from outside run clockwise in the picture.
      primitive: { topology: 'triangle-list', frontFace: 'cw', cullMode: 'none' },
      depthStencil: {
        format: depthFormat,
        depthCompare: 'less',
        depthWriteEnabled: false,
        stencilFront,
        stencilBack,
      },
    });
  const untouched: GPUColorTargetState = { format: namedFormat, writeMask: 0 };
  const channel = (writeMask: number): GPUColorTargetState => ({ format: namedFormat, writeMask });
  const named = { compare: 'less', passOp: 'replace' } as const;
  const open = { compare: 'greater', passOp: 'replace' } as const;
  const { RED, GREEN } = GPUColorWrite;
  const ofAll = async (make: (together: number) => Promise<GPURenderPipeline>): Promise<OfAll> => {
    const [instanced, together] = await Promise.all([make(0), make(1)]);
    return { instanced, together };
  };
  const [edges, faces, ownFaces, again, identify, alone, name, nameOpen, ...reduce] = await Promise.all([
    ofAll(one => drawEdges('edges', 'drawEdge', [{ format: edgesFormat }], 'less', true, keep, one)),
    ofAll(one => drawFaces('faces', undefined, [], add, takeOff, one)),
    ofAll(one => drawFaces('own faces', 'ownFaces', [], takeOff, add, one)),
    ofAll(one => drawEdges('enclosed edges', 'drawAgain', [], 'equal', false, above, one)),
    ofAll(one => drawEdges('identify', 'identify', [channel(GREEN)], 'equal', false, above, one)),
    drawFaces('faces alone', 'facesOfOthers', [untouched], add, takeOff),
    drawFaces('name bodies', 'nameBody', [channel(RED)], named, named),
    drawFaces('name open bodies', 'nameBody', [channel(GREEN)], open, open),
    ...[0, 1, 2].map(stage =>
      device.createComputePipelineAsync({
        label: 'reduce-pixels',
        layout: 'auto',
        compute: { module: reduceModule, entryPoint: 'main', constants: { stage } },
      }),
    ),
  ]);
  return {
    depthFormat,
    bodyLayout,
    edgesLayout,
    edges,
    faces,
    ownFaces,
    again,
    identify,
    alone,
    name,
    nameOpen,
    reduce,
  };
}
