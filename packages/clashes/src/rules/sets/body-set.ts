// A set of bodies, one bit per body.

export class BodySet {
  readonly #words: Uint32Array;

  constructor(readonly bodyCount: number) {
    this.#words = new Uint32Array(Math.ceil(bodyCount / 32));
  }

  /** The bodies whose index passes the test. */
  static where(bodyCount: number, test: (body: number) => boolean): BodySet {
    const set = new BodySet(bodyCount);
    for (let body = 0; body < bodyCount; body++) {
      if (test(body)) set.#words[body >>> 5] |= 1 << (body & 31);
    }
    return set;
  }

  has(body: number): boolean {
    return ((this.#words[body >>> 5] >>> (body & 31)) & 1) === 1;
  }

  get size(): number {
    return this.#words.reduce((sum, word) => sum + bitCount(word), 0);
  }

  /** The bodies in both, counted up to 2, and the first of them; -1 if there is none. */
  common(other: BodySet): { readonly count: number; readonly first: number } {
    let count = 0;
    let first = -1;
    for (let i = 0; i < this.#words.length && count < 2; i++) {
      const word = this.#words[i] & other.#words[i];
      if (word === 0) continue;
      count += bitCount(word >>> 0);
      if (first < 0) first = 32 * i + 31 - Math.clz32(word & -word);
    }
    return { count: Math.min(count, 2), first };
  }
}

function bitCount(word: number): number {
  let count = 0;
  for (let left = word; left !== 0; left &= left - 1) count++;
  return count;
}
