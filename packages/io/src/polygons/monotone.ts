// The triangles of a monotone polygon, whose corners come from left to right on its lower and its upper border (Garey,
// Johnson, Preparata and Tarjan 1978, "Triangulating a simple polygon").

export const lower = -1;
export const upper = 1;
export type Border = typeof lower | typeof upper;

/** What a triangulation needs: exact orientation, and a receiver of triangles. */
export interface Triangles {
  /** 1 if a, b, c turn counter-clockwise. */
  turn(a: number, b: number, c: number): number;
  /** Receives a counter-clockwise triangle. */
  push(a: number, b: number, c: number): void;
}

/**
 * A polygon whose corners so far are cut off, except for a chain along one border that bends away from the inside or
 * is straight. Nothing can be cut off the chain before the next corner comes. The first corner of the chain lies on
 * the other border or is the leftmost corner.
 */
export class Monotone {
  private readonly chain: number[];

  constructor(
    first: number,
    private readonly triangles: Triangles,
  ) {
    this.chain = [first];
  }

  /** The border of the last corner. */
  side: Border = upper;

  get last(): number {
    return this.chain[this.chain.length - 1];
  }

  add(corner: number, side: Border): void {
    const { chain, triangles } = this;
    if (side === this.side || chain.length === 1) {
      this.side = side;
      while (chain.length > 1) {
        const b = chain[chain.length - 1];
        if (triangles.turn(chain[chain.length - 2], b, corner) !== -side) break;
        this.cut(chain[chain.length - 2], b, corner);
        chain.pop();
      }
      chain.push(corner);
      return;
    }
    const { last } = this;
    this.finish(corner);
    chain.length = 0;
    chain.push(last, corner);
    this.side = side;
  }

  /** The corner sees every corner of the chain: it is the rightmost, or lies on the other border. */
  finish(corner: number): void {
    const { chain } = this;
    for (let i = 0; i + 1 < chain.length; i++) this.cut(chain[i], chain[i + 1], corner);
  }

  /** Two neighbours of the chain, and a corner to the right of both. */
  private cut(a: number, b: number, corner: number): void {
    if (this.side === upper) this.triangles.push(a, corner, b);
    else this.triangles.push(a, b, corner);
  }
}
