// One slice of a block of samples, into which pieces of distance meshes are filled row by row: per sample the least distance
// so far, and whose it is.

import { blockSide } from './blocks.ts';
import { At, type Sites, siteNumbers } from './site.ts';
import type { DrawPiece } from './tessellate.ts';

export class BlockImage {
  /** blockSide per row. */
  readonly distance = new Float64Array(blockSide * blockSide);
  readonly owner = new Uint32Array(blockSide * blockSide);
  pieces = 0;
  fill = 0;
  /** A disc around the samples that the site being drawn may reach, relative to the site. */
  readonly disc = { x: 0, y: 0, radius: 0 };
  /** The first sample of the block, and the last. */
  #lowX = 0;
  #lowY = 0;
  #highX = 0;
  #highY = 0;
  /** The site being drawn, and the samples that it may reach. */
  #placeX = 0;
  #placeY = 0;
  #ownerNow = 0;
  #fromX = 0;
  #fromY = 0;
  #toX = 0;
  #toY = 0;

  /** Begins a slice without distances. Places beyond the last sample are at distance 0. */
  clear(low: readonly number[], high: readonly number[]): void {
    [this.#lowX, this.#lowY] = low;
    this.#highX = high[0] - 1;
    this.#highY = high[1] - 1;
    this.distance.fill(0);
    for (let j = high[1] - low[1] - 1; j >= 0; j--) {
      this.distance.fill(Infinity, blockSide * j, blockSide * j + high[0] - low[0]);
    }
  }

  /** The largest distance of its samples. */
  get most(): number {
    return Math.max(...this.distance);
  }

  /**
   * Begins a site. Returns how far it has to reach to meet every sample of the slice at height z that is within `reach` of it;
   * below 0 if there is none.
   */
  begin({ numbers: n, owners, spaceCounts }: Sites, site: number, z: number, reach: number, margin: number) {
    const at = siteNumbers * site;
    const away = Math.max(0, n[at + At.low + 2] - z, z - n[at + At.high + 2]);
    if (!(away <= reach)) return -1;
    const around = Math.sqrt(reach * reach - away * away);
    const px = n[at];
    const py = n[at + 1];
    let fromX = Math.max(this.#lowX, Math.ceil(n[at + At.low] - around - 0.5));
    let fromY = Math.max(this.#lowY, Math.ceil(n[at + At.low + 1] - around - 0.5));
    let toX = Math.min(this.#highX, Math.floor(n[at + At.high] + around - 0.5));
    let toY = Math.min(this.#highY, Math.floor(n[at + At.high + 1] + around - 0.5));
    const height = z - n[at + At.place + 2];
    const first = at + At.spaces;
    // Each half-space narrows the window: along one axis by the most that the other axis can contribute.
    for (let s = first; s < first + 4 * spaceCounts[site]; s += 4) {
      if (fromX > toX || fromY > toY) return -1;
      const x = n[s];
      const y = n[s + 1];
      const rest = n[s + 2] * height + n[s + 3] + margin;
      if (x !== 0) {
        const end = -(y * ((y > 0 ? toY : fromY) + 0.5 - py) + rest) / x + px - 0.5;
        if (x > 0) fromX = Math.max(fromX, Math.ceil(end));
        else toX = Math.min(toX, Math.floor(end));
      }
      if (y !== 0) {
        const end = -(x * ((x > 0 ? toX : fromX) + 0.5 - px) + rest) / y + py - 0.5;
        if (y > 0) fromY = Math.max(fromY, Math.ceil(end));
        else toY = Math.min(toY, Math.floor(end));
      }
    }
    if (fromX > toX || fromY > toY) return -1;
    this.#fromX = fromX;
    this.#fromY = fromY;
    this.#toX = toX;
    this.#toY = toY;
    this.#placeX = px;
    this.#placeY = py;
    this.#ownerNow = owners[site];
    const { disc } = this;
    disc.x = (fromX + toX + 1) / 2 - px;
    disc.y = (fromY + toY + 1) / 2 - py;
    disc.radius = Math.sqrt((toX - fromX) ** 2 + (toY - fromY) ** 2) / 2;
    const farX = Math.max(toX + 0.5 - px, px - fromX - 0.5);
    const farY = Math.max(toY + 0.5 - py, py - fromY - 0.5);
    return Math.min(reach, Math.sqrt(farX * farX + farY * farY + height * height) + margin);
  }

  readonly draw: DrawPiece = (borders, count, x, y, c) => {
    const fromX = this.#fromX;
    const fromY = this.#fromY;
    const toX = this.#toX;
    const toY = this.#toY;
    const px = this.#placeX;
    const py = this.#placeY;
    // Most pieces lie wholly outside the window. The last borders are tried first: they are the piece's own, the others are common
    // to all pieces of the site.
    for (let b = 3 * count - 3; b >= 0; b -= 3) {
      const mostX = borders[b] * ((borders[b] > 0 ? toX : fromX) + 0.5 - px);
      const mostY = borders[b + 1] * ((borders[b + 1] > 0 ? toY : fromY) + 0.5 - py);
      if (mostX + mostY + borders[b + 2] < 0) return;
    }
    this.pieces++;
    for (let j = fromY; j <= toY; j++) {
      const atY = j + 0.5 - py;
      let from = fromX;
      let to = toX;
      for (let b = 0; b < 3 * count; b += 3) {
        const slope = borders[b];
        const rest = borders[b + 1] * atY + borders[b + 2];
        if (slope === 0) {
          if (rest < 0) to = -1;
          continue;
        }
        const end = -rest / slope + px - 0.5;
        if (slope > 0) {
          if (end > from) from = Math.ceil(end);
        } else if (end < to) to = Math.floor(end);
      }
      const row = (j - this.#lowY) * blockSide - this.#lowX;
      const start = y * atY + c;
      for (let i = from; i <= to; i++) {
        this.fill++;
        const distance = Math.abs(x * (i + 0.5 - px) + start);
        if (!(distance < this.distance[row + i])) continue;
        this.distance[row + i] = distance;
        this.owner[row + i] = this.#ownerNow;
      }
    }
  };
}
