// A Voronoi site of a body, a face, an edge or a corner, as numbers: what a distance mesh is built from (sites.ts).

/** The kinds of sites. */
export const SiteKinds = { face: 0, edge: 1, point: 2 } as const;

/** Numbers per site, and where each is. */
export const siteNumbers = 48;
export const At = {
  /** A point of the site, to which everything else is relative. */
  place: 0,
  /** A face's unit normal. An edge's is the middle of its wedge: a unit vector perpendicular to the edge. */
  normal: 4,
  /** An edge's tan(h/2), with h half the angle of its wedge: at most 1. */
  spread: 7,
  /** An edge's unit vector perpendicular to the edge and to `normal`. */
  across: 8,
  low: 12,
  high: 16,
  /**
   * Half-spaces m·P + c ≥ 0 (m of unit length, P relative to `place`) outside which the site is not nearest: the
   * sides of a face and the ends of its longest side, the ends of an edge, a corner's cone. Four numbers per
   * half-space.
   */
  spaces: 20,
} as const;
export const mostSpaces = 6;

/** The sites of a body, faces first, then edges, then corners. */
export interface Sites<Numbers extends SiteNumbers = Float64Array<ArrayBuffer>> {
  readonly count: number;
  readonly numbers: Numbers;
  readonly kinds: Uint32Array;
  readonly spaceCounts: Uint32Array;
  /** The lowest triangle that has the site, and the site's feature in the upper three bits. */
  readonly owners: Uint32Array;
  /** The largest coordinate of any site. */
  readonly size: number;
}

/** In doubles for drawing on the CPU, in singles for the GPU. */
export type SiteNumbers = Float64Array<ArrayBuffer> | Float32Array<ArrayBuffer>;

/** The memory of sites, which grows. */
export class SiteRoom<Numbers extends SiteNumbers> {
  vertices = new Float64Array(0);
  corners = new Float64Array(0);
  /**
   * Per side of a triangle, its direction, and in the triangle the direction away from it: unit vectors. And its
   * length.
   */
  alongs = new Float64Array(0);
  inwards = new Float64Array(0);
  lengths = new Float64Array(0);
  numbers: Numbers;
  kinds = new Uint32Array(0);
  spaceCounts = new Uint32Array(0);
  owners = new Uint32Array(0);

  constructor(readonly precision: new (length: number) => Numbers) {
    this.numbers = new precision(0);
  }
}

/** Values with room for `count`: the same ones if they have it. */
export const withRoom = (values: Float64Array<ArrayBuffer>, count: number): Float64Array<ArrayBuffer> =>
  values.length >= count ? values : new Float64Array(count);
