// The structures of drawing distance meshes on the GPU. Lengths are in cells, from the grid's origin.

import { layout } from '../../../../gpu/layout.ts';
import { mostSpaces } from '../../meshes/site.ts';
import { blockBits } from '../layouts.ts';

/** A Voronoi site: a point of it, its box, and what else meshes/site.ts says. */
export const SiteLayout = layout('Site', {
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

/** A body's sites: those of faces, then of edges, then of vertices. */
export const SitingLayout = layout('Siting', {
  firstSite: 'u32',
  /** The first of its triangles, and of its edges and vertices, among those of all bodies. */
  firstTriangle: 'u32',
  firstItem: 'u32',
  triangles: 'u32',
  edges: 'u32',
  vertices: 'u32',
  /** Where the lists of its mesh's topology begin (sites/topologies.ts). */
  edgeStarts: 'u32',
  sides: 'u32',
  vertexStarts: 'u32',
  corners: 'u32',
});

/** What is drawn in one pass. */
export const MeshingLayout = layout('Meshing', {
  bodyCount: 'u32',
  /** Triangles of all bodies; their edges and vertices. */
  triangleCount: 'u32',
  itemCount: 'u32',
  /** The blocks that may be drawn, and how many samples around each: 0 if all of them are drawn. */
  firstBlock: 'u32',
  blockCount: 'u32',
  halo: 'u32',
  /** The picture: tiles side by side, tiles in all, pixels. */
  tilesAcross: 'u32',
  tileRoom: 'u32',
  width: 'u32',
  height: 'u32',
  /** How many triangles more than were counted each mesh has room for. */
  spare: 'u32',
  tolerance: 'f32',
  margin: 'f32',
  /** Added to bounds of distances, and to half-spaces, for what single precision loses. */
  slack: 'f32',
  /** The maximum distance of interest; 0 if there is none. */
  upTo: 'f32',
  /** A power of two that takes every distance below 1, and its inverse. */
  depthScale: 'f32',
  depthUnit: 'f32',
  /** A cell in the user's units. */
  cell: 'f32',
});

/**
 * Words of the head: three times the triangles; blocks that are drawn; meshes that have triangles;
 * triangles without room; whether vertices were deformed apart; whether a sample was not drawn; words of the segments of near
 * sites.
 */
export const MeshHead = {
  vertices: 0,
  blocksDrawn: 1,
  meshes: 2,
  short: 3,
  apart: 4,
  missing: 5,
  near: 6,
  meshSerial: 7,
} as const;
export const meshHeadWords = 8;

/**
 * Words of a slice in the lists of sites: its first sample; how far its last one is from that; where it begins; which
 * samples are asked about; the most that the distance of one of them may be; its first segment, 0 if there is none. Segments
 * follow the slices: how many sites, where the next segment is, the sites.
 */
const SliceWords = { size: 3, low: 5, needed: 7, limit: 9, segment: 10 };
export const sliceWords = 11;

/** Kinds of sites. A circle is an edge without faces, all around which it may be nearest. */
const kinds = { face: 0, edge: 1, point: 2, circle: 3, no: 4 };

export const meshDeclarations = [
  SiteLayout.wgsl,
  SitingLayout.wgsl,
  MeshingLayout.wgsl,
  [
    ...Object.entries(MeshHead).map(([name, at]) => `const ${name}At = ${at}u;`),
    ...Object.entries(SliceWords).map(([name, at]) => `const ${name}At = ${at}u;`),
    `const sliceWords = ${sliceWords}u;`,
    ...Object.entries(kinds).map(([name, kind]) => `const ${name}Kind = ${kind}u;`),
    `const blockSide = ${1 << blockBits}u;`,
    // The box of no site is beyond all blocks.
    'const beyond = 0x1p40f;\n',
  ].join('\n'),
];
