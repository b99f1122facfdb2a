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
   * sides of a face and the ends of its longest side, the ends of an edge and the outsides of its faces, a corner's
   * cone. Four numbers per half-space.
   */
  spaces: 20,
} as const;
export const mostSpaces = 6;

/** The sites of a body, faces first, then edges, then corners. */
export interface Sites {
  readonly count: number;
  readonly numbers: Float64Array<ArrayBuffer>;
  readonly kinds: Uint32Array;
  readonly spaceCounts: Uint32Array;
  /** The lowest triangle that has the site, and the site's feature in the upper three bits. */
  readonly owners: Uint32Array;
  /** The largest coordinate of any site. */
  readonly size: number;
}
