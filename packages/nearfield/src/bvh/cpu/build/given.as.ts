// What another engine found of a body, as given-slots.ts writes it.

/** The number of words of a ray, box, sphere or point that was left to this engine; as in given-triangles.ts. */
const leftOpen: u32 = 0xffffffff;

/** Where the words of one ray, box or sphere are, and how many, or `leftOpen`. */
@unmanaged
export class GivenRange {
  first: u32;
  count: u32;

  get isLeftOpen(): bool {
    return this.count === leftOpen;
  }
}

export function givenAt(ranges: usize, index: u32): GivenRange {
  return changetype<GivenRange>(ranges + <usize>index * offsetof<GivenRange>());
}
