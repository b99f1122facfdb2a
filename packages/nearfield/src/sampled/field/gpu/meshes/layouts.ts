// The structures of drawing distance meshes on the GPU. Lengths are in cells, from the grid's origin.

import { layout } from '../../../../gpu/layout.ts';
import { At, mostSpaces, SiteKinds, type Sites, siteNumbers } from '../../meshes/site.ts';

/** A site (meshes/site.ts). */
const SiteLayout = layout('Site', {
  place: 'vec4f',
  /** w: the spread of an edge's wedge. */
  normal: 'vec4f',
  across: 'vec4f',
  low: 'vec4f',
  high: 'vec4f',
  spaces: ['vec4f', mostSpaces],
  kind: 'u32',
  spaceCount: 'u32',
  owner: 'u32',
});

/** Some slices that are drawn together. */
export const MeshingLayout = layout('Meshing', {
  /** Samples along x and y. */
  nx: 'u32',
  ny: 'u32',
  /** The first slice in the grid, how many slices of the window come before it, and the number of slices. */
  firstSlice: 'u32',
  skippedSlices: 'u32',
  slices: 'u32',
  /** Blocks along x and y. */
  blocksAcross: 'u32',
  blocksDown: 'u32',
  siteCount: 'u32',
  /** How many triangles more than were counted each mesh has room for, and how many triangles the list holds. */
  spare: 'u32',
  room: 'u32',
  tolerance: 'f32',
  margin: 'f32',
  /** Added to the bounds of blocks, and to half-spaces, for what single precision loses. */
  slack: 'f32',
  /** The maximum distance of interest; 0 if there is none. */
  upTo: 'f32',
  /** A power of two that takes every distance below 1. */
  depthScale: 'f32',
  /** A cell in the user's units. */
  cell: 'f32',
});

/** How far a site reaches (below 0: it matters nowhere), and its first and last block, as y·2^16 + x. */
const ReachLayout = layout('Reach', { reach: 'f32', first: 'u32', last: 'u32' });
export const reachBytes = ReachLayout.bytes;

/** Words of the head: meshes in the list of counts, triangles, meshes that have any, triangles without room. */
export const MeshHead = { items: 0, total: 1, meshes: 2, short: 3, meshSerial: 4 } as const;
export const meshHeadWords = 8;

/** Samples along each side of a block (meshes/blocks.ts): smaller than on the CPU, since each has a thread of its own. */
export const blockSide = 4;

const names = Object.entries(MeshHead).map(([name, at]) => `const ${name}At = ${at}u;`);
const kinds = Object.entries(SiteKinds).map(([name, kind]) => `const ${name}Kind = ${kind}u;`);

export const meshDeclarations = [
  SiteLayout.wgsl,
  MeshingLayout.wgsl,
  ReachLayout.wgsl,
  `${[...names, ...kinds, `const blockSide = ${blockSide}u;`].join('\n')}\n`,
];

/** The sites as the kernels read them: their words. The fields that `numbers` leaves free are filled in. */
export function siteWords({
  count,
  numbers,
  kinds,
  spaceCounts,
  owners,
}: Sites<Float32Array<ArrayBuffer>>): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(numbers.buffer, numbers.byteOffset, siteNumbers * count);
  const { at } = SiteLayout;
  for (let site = 0; site < count; site++) {
    const to = siteNumbers * site;
    words[to + at.kind] = kinds[site];
    words[to + at.spaceCount] = spaceCounts[site];
    words[to + at.owner] = owners[site];
  }
  return words;
}

const sameAsNumbers =
  SiteLayout.words === siteNumbers &&
  SiteLayout.at.normal === At.normal &&
  SiteLayout.at.across === At.across &&
  SiteLayout.at.low === At.low &&
  SiteLayout.at.high === At.high &&
  SiteLayout.at.spaces === At.spaces;
if (!sameAsNumbers) throw new Error('site.ts and the layout of a site differ');
