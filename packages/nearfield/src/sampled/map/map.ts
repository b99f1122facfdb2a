// The answer to `scene.distanceMap`: how far apart two bodies are along the lines of a view, pixel by pixel (Myszkowski
// et al., the dental application), as arrays, as figures and as a picture.

import { aFiniteNumber, wholeNumber } from '../../core/arguments.ts';
import type { EngineStats } from '../../core/stats.ts';
import type { Mesh } from '../../mesh/mesh.ts';
import { noTriangle, type Surfaces } from '../raster/exact/measure-line.ts';
import { LineFlag, type Thresholds } from '../raster/exact/settle-line.ts';
import type { View } from '../raster/view.ts';
import { bordersOf, type MapBorder } from './border.ts';
import type { DistanceMapOptions } from './options.ts';
import { drawPicture, type Picture, type PictureOptions } from './picture/picture.ts';
import { type MapRegion, regionsOf } from './regions.ts';
import type { SettledLines } from './settle.ts';
import { type MapStatistics, statisticsOf } from './statistics.ts';

/**
 * Arrays have one entry per pixel: row by row, from the view's origin along its `right` and `up`. A pixel stands for
 * the line through its middle, shifted by 2^-36 of a pixel to the right and 2^-38 up: if a border falls on middles,
 * those on its left and lower side are within, those on its right and upper side are not.
 *
 * Areas are numbers of pixels times a pixel's area. A counted area differs from the true one by no more than the pixels
 * that its border passes through: by less than 4·pixel·(L + pixel) for a border of length L, and by at most pixel·(w +
 * h) + pixel² for a rectangle of w × h along `right` and `up`; if w and h are whole numbers of pixels, up to 2^-38 of
 * one, not at all.
 */
export class DistanceMap {
  /** Maps belong to this method (Myszkowski et al.). */
  readonly method = 'layers';
  /** Pixels per row. */
  readonly columns: number;
  /** Rows of pixels. */
  readonly rows: number;
  /** The side of a pixel in world units. */
  readonly pixel: number;
  /**
   * The distance along the line through the pixel's middle, in world units. Solids: the least gap between them, above 0, or minus the
   * length of all that they have in common. Surfaces that face each other: from a's last crossing to b's first. NaN if
   * the line does not meet both, or the gap is beyond `within`. It is below 0 exactly if `penetrating` is 1.
   */
  readonly distance: Float32Array;
  /** The depth of a's surface that faces b, from the view's origin, in world units; NaN if a is not met. */
  readonly depth: Float32Array;
  /** 1 if the line meets a, plus 2 if it meets b. */
  readonly coverage: Uint8Array;
  /** The triangle of a that faces b across the gap or the common part; 2^32 − 1 if there is none. */
  readonly triangleA: Uint32Array;
  /** The triangle of b that faces a, likewise. */
  readonly triangleB: Uint32Array;
  /**
   * 1 if the line has a stretch in both solids, however short; for surfaces that face each other, if b's first crossing
   * comes before a's last. Decided exactly for the world's doubles: the same on every backend. Solids that touch do not
   * overlap.
   */
  readonly penetrating: Uint8Array;
  /**
   * The largest error of any distance. Counts do not depend on it: pixels nearer to a threshold are decided exactly.
   */
  readonly error: number;
  /** Distances up to this, in either direction, count as contact; compared exactly. */
  readonly contact: number;
  /** A ball of this diameter that lies in both bodies is seen by some pixel's line. */
  readonly mayMissBelow: number;
  /**
   * Bodies farther apart than this are never reported to overlap. Solids that are reported to overlap do, so for them
   * this is only the error of distances. Infinite for 'facing', which also reports an overlap if b lies on the near
   * side of a.
   */
  readonly mayReportWithin: number;
  /** Every pixel was examined. */
  readonly complete = true;
  /** Pixels that a GPU left to the exact stage: lines it could not follow, and distances too near to a threshold. */
  readonly unsure: number;
  /** How much work it was. */
  readonly stats: EngineStats;
  readonly #regions: DistanceMapOptions['regions'];
  readonly #meshes: { readonly a: Mesh; readonly b: Mesh };
  readonly #flags: Uint8Array;
  #statistics: MapStatistics | undefined;
  #regionsFound: readonly MapRegion[] | undefined;
  #border: readonly MapBorder[] | undefined;

  /** Created by a scene. */
  constructor(
    /** The pixels, and the direction of their lines. */
    readonly view: View,
    /** The kind of surfaces between which distances are measured: as asked for, or as the two bodies are. */
    readonly surfaces: Surfaces,
    lines: SettledLines,
    { contact }: Thresholds,
    regions: DistanceMapOptions['regions'],
    meshes: { readonly a: Mesh; readonly b: Mesh },
    /** Where lines were followed. */
    readonly backend: 'cpu' | 'gpu',
  ) {
    const { columns, rows, pixel } = view;
    this.columns = columns;
    this.rows = rows;
    this.pixel = pixel;
    this.contact = contact;
    this.#regions = regions;
    this.#meshes = meshes;
    const { distance, triangleA, triangleB, bound, flags } = lines;
    this.distance = distance;
    this.depth = lines.depth;
    this.triangleA = triangleA;
    this.triangleB = triangleB;
    this.unsure = lines.unsure;
    this.stats = lines.stats;
    this.#flags = flags;
    this.coverage = new Uint8Array(distance.length);
    this.penetrating = new Uint8Array(distance.length);
    let [greatest, error] = [0, 0];
    for (let i = 0; i < distance.length; i++) {
      this.coverage[i] = (triangleA[i] === noTriangle ? 0 : 1) | (triangleB[i] === noTriangle ? 0 : 2);
      if ((flags[i] & LineFlag.beyond) !== 0) distance[i] = Number.NaN;
      if (Number.isNaN(distance[i])) continue;
      this.penetrating[i] = flags[i] & LineFlag.penetrating;
      greatest = Math.max(greatest, Math.abs(distance[i]));
      error = Math.max(error, bound[i]);
    }
    // Distances are singles: rounded by half of their last place, and never to 0 if bodies overlap.
    this.error = error + 2 ** -24 * greatest + 2 ** -149;
    // A line passes within h/√2 of a ball's middle. If its chord is longer than twice the error, more than the error is
    // seen.
    this.mayMissBelow = 2 * Math.sqrt(pixel ** 2 / 2 + this.error ** 2);
    this.mayReportWithin = surfaces === 'solids' ? this.error : Infinity;
  }

  /** Tells whether the magnitude of the distance at a pixel is at most `contact`. */
  isContact(pixel: number): boolean {
    if (typeof pixel !== 'number' || this.#flags[pixel] === undefined)
      wholeNumber(0, this.distance.length - 1)(pixel, 'pixel');
    return (this.#flags[pixel] & LineFlag.contact) !== 0;
  }

  /** The distances in figures, over all pixels; computed at the first use. */
  get statistics(): MapStatistics {
    return (this.#statistics ??= statisticsOf(this));
  }

  /** One region per label that a pixel shows, if `regions` were asked for: a's first, by label. */
  get regions(): readonly MapRegion[] {
    return (this.#regionsFound ??= regionsOf(
      this,
      { a: this.triangleA, b: this.triangleB },
      this.#meshes,
      this.#regions,
    ));
  }

  /** Closed lines around the overlaps (`penetrating`), from pixel to pixel. The same on every backend. */
  get border(): readonly MapBorder[] {
    return (this.#border ??= bordersOf({
      columns: this.columns,
      rows: this.rows,
      distance: this.distance,
      depth: this.depth,
      penetrating: this.penetrating,
      toWorld: (column, row, depth) => this.view.toWorld(column, row, depth),
    }));
  }

  /**
   * The distance at the pixel whose middle is nearest to a world point, seen along the direction; NaN outside the map.
   */
  at(x: number, y: number, z: number): number {
    aFiniteNumber(x, 'x');
    aFiniteNumber(y, 'y');
    aFiniteNumber(z, 'z');
    const [column, row] = this.view.toImage([x, y, z]);
    const [i, j] = [Math.floor(column), Math.floor(row)];
    const seen = i >= 0 && j >= 0 && i < this.columns && j < this.rows;
    return seen ? this.distance[j * this.columns + i] : Number.NaN;
  }

  /** The world point on a's surface at a pixel, by its index. */
  pointOf(pixel: number): [number, number, number] {
    wholeNumber(0, this.distance.length - 1)(pixel, 'pixel');
    const column = pixel % this.columns;
    const row = (pixel - column) / this.columns;
    return this.view.toWorld(column + 0.5, row + 0.5, this.depth[pixel]);
  }

  /**
   * The map in colours, as seen by an observer who looks along the direction, with a scale beside it. In a page, `new
   * ImageData(data, width)` goes onto a canvas; `encodePng` of @nearfield/io/png makes a file of it.
   */
  picture(options: PictureOptions = {}): Picture {
    return drawPicture(this, options);
  }

  /** For `JSON.stringify`: the figures, without the pixels. */
  toJSON(): object {
    const { method, backend, surfaces, columns, rows, pixel, error, complete, unsure, statistics, regions } =
      this;
    return { method, backend, surfaces, columns, rows, pixel, error, complete, unsure, statistics, regions };
  }
}
