// One number per pair of bodies, for maps: an assembly may have half a million pairs.

/** The same whichever of the two is named first. */
export const pairKey = ({ a, b }: { readonly a: number; readonly b: number }, bodyCount: number): number =>
  Math.min(a, b) * bodyCount + Math.max(a, b);
