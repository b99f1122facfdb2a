// The pipelines of Knott's passes. Counts begin at 128. Front faces add one and back faces subtract one, in one pass
// (two-sided stencil operations). Counts wrap instead of clamping, so that the order of faces makes no difference.
//
// Only pixels with an edge are examined. Where there is none, the depth is 0 after pass 1, so that the depth test drops
// all faces there, which are most of what is drawn, before anything is computed for them.

import edgesSource from './draw-edges.wgsl';
import facesSource from './draw-faces.wgsl';
import wholeSource from './draw-whole.wgsl';
import bodySource from './drawn-body.wgsl';
import { DrawnBodyLayout, DrawnViewLayout, drawnWgsl } from './layouts.ts';
import reduceSource from './reduce-pixels.wgsl';

/** The formats of the pictures that name bodies, as 1 plus the index of a body; 0 is nobody. */
export interface NameFormats {
  /** The nearest edge of each pixel: its body; in 'wide' also the edge and its depth. */
  readonly edges: GPUTextureFormat;
  /** Red: whose edge is enclosed, or who is not closed. Green: who encloses it. */
  readonly named: GPUTextureFormat;
}

/** The thesis's colours have four bytes per pixel. That is enough for 65,534 bodies. */
export const nameFormats = {
  narrow: { edges: 'r16uint', named: 'rg16uint' },
  wide: { edges: 'rgba32uint', named: 'rg32uint' },
} as const satisfies Record<string, NameFormats>;

export type NameWidth = keyof typeof nameFormats;

/** The most bodies that narrow names tell apart. */
export const mostNarrow = 2 ** 16 - 2;

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
  /** Passes 2 and 3 in one. */
  readonly faces: OfAll;
  /** Subtracts what a body's faces counted before its own edges: meeting itself is not reported. */
  readonly ownFaces: OfAll;
  /** The sum of both: passes 2 and 3 without a body's own faces. */
  readonly othersFaces: OfAll;
  /** Pass 4: edges that are enclosed (Algorithms 3 and 5). */
  readonly again: OfAll;
  /** Pass 7 for queries: draws where the body encloses an edge, and restores the stencil. */
  readonly enclosing: GPURenderPipeline;
  readonly reduce: readonly GPUComputePipeline[];
  /** Those that name bodies. Wide ones are created on first use. */
  naming(width: NameWidth): Promise<NamingPipelines>;
}

export interface NamingPipelines {
  readonly width: NameWidth;
  readonly formats: NameFormats;
  /** Pass 1: nearest edges, with the names of their bodies (Algorithm 2). */
  readonly edges: OfAll;
  /** Draws over the whole picture: gives pixels without an edge depth 0, so that no face is counted there. */
  readonly noEdge: GPURenderPipeline;
  /** Pass 4 with the name of the edge's body as its colour (Algorithms 3 and 4). */
  readonly identify: OfAll;
  /** Passes 2 and 3 where colours are drawn after them; and passes 5 and 6: one body alone before the edges of others. */
  readonly others: OfAll;
  /** Pass 7: names the body if it encloses an edge, and restores the stencil. */
  readonly name: GPURenderPipeline;
  /** The same if the body was left more often than entered. */
  readonly nameOpen: GPURenderPipeline;
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
  const wholeModule = moduleOf('draw-whole', wholeSource);
  const reduceModule = moduleOf('reduce-pixels', drawnWgsl, reduceSource);
  const bodiesOnly = device.createPipelineLayout({ bindGroupLayouts: [bodyLayout] });
  const bodiesAndEdges = device.createPipelineLayout({ bindGroupLayouts: [bodyLayout, edgesLayout] });

  const mark: GPUStencilFaceState = { compare: 'always', passOp: 'replace' };
  const add: GPUStencilFaceState = { compare: 'always', passOp: 'increment-wrap' };
  const takeOff: GPUStencilFaceState = { compare: 'always', passOp: 'decrement-wrap' };
  // Edges leave the reference, 128, in their pixels. The others have 0, and get 128 as well.
  const unmarked: GPUStencilFaceState = { compare: 'not-equal', passOp: 'replace' };
  // The reference is compared with the count, which is above it if a point is enclosed.
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
  /** A triangle over the whole picture, as near as can be. */
  const drawNoEdge = (format: GPUTextureFormat) =>
    device.createRenderPipelineAsync({
      label: 'no edge',
      layout: bodiesOnly,
      vertex: { module: wholeModule },
      fragment: { module: wholeModule, targets: [{ format, writeMask: 0 }] },
      depthStencil: {
        format: depthFormat,
        depthCompare: 'always',
        depthWriteEnabled: true,
        stencilFront: unmarked,
        stencilBack: unmarked,
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
  const named = { compare: 'less', passOp: 'replace' } as const;
  const open = { compare: 'greater', passOp: 'replace' } as const;
  const { RED, GREEN } = GPUColorWrite;
  const ofAll = async (make: (together: number) => Promise<GPURenderPipeline>): Promise<OfAll> => {
    const [instanced, together] = await Promise.all([make(0), make(1)]);
    return { instanced, together };
  };
  const createNaming = async (width: NameWidth): Promise<NamingPipelines> => {
    const formats = nameFormats[width];
    const channel = (writeMask: number): GPUColorTargetState => ({ format: formats.named, writeMask });
    const [edges, noEdge, identify, others, name, nameOpen] = await Promise.all([
      ofAll(one => drawEdges('edges', 'drawEdge', [{ format: formats.edges }], 'less', true, mark, one)),
      drawNoEdge(formats.edges),
      ofAll(one => drawEdges('identify', 'identify', [channel(RED)], 'equal', false, above, one)),
      ofAll(one => drawFaces('faces alone', 'facesOfOthers', [channel(0)], add, takeOff, one)),
      drawFaces('name bodies', 'nameBody', [channel(GREEN)], named, named),
      drawFaces('name open bodies', 'nameBody', [channel(RED)], open, open),
    ]);
    return { width, formats, edges, noEdge, identify, others, name, nameOpen };
  };
  const naming = new Map<NameWidth, Promise<NamingPipelines>>();
  const namingOf = (width: NameWidth): Promise<NamingPipelines> => {
    let known = naming.get(width);
    if (known === undefined) {
      naming.set(width, (known = createNaming(width)));
      // A failure is not kept: the next question tries again.
      known.catch(() => naming.delete(width));
    }
    return known;
  };
  const [faces, ownFaces, othersFaces, again, enclosing, reduce] = await Promise.all([
    ofAll(one => drawFaces('faces', undefined, [], add, takeOff, one)),
    ofAll(one => drawFaces('own faces', 'ownFaces', [], takeOff, add, one)),
    ofAll(one => drawFaces('faces of others', 'facesOfOthers', [], add, takeOff, one)),
    ofAll(one => drawEdges('enclosed edges', 'drawAgain', [], 'equal', false, above, one)),
    drawFaces('enclosing bodies', undefined, [], named, named),
    Promise.all(
      [0, 1, 2].map(stage =>
        device.createComputePipelineAsync({
          label: 'reduce-pixels',
          layout: 'auto',
          compute: { module: reduceModule, entryPoint: 'main', constants: { stage } },
        }),
      ),
    ),
    namingOf('narrow'),
  ]);
  return {
    depthFormat,
    bodyLayout,
    edgesLayout,
    faces,
    ownFaces,
    othersFaces,
    again,
    enclosing,
    reduce,
    naming: namingOf,
  };
}
