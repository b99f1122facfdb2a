// What a question may say about the visibility method, and what it is told of it.

import { bad, imageResolution, oneOf, quoted, type Rules } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import { type TriangleMethod, usualTriangleMethod } from '../method.ts';
import type { SeenByViews } from './seen.ts';

/** How images leave out what is clear of all others. No setting loses a pair, unless `culling` says so. */
export interface VisibilityOptions {
  /**
   * Pixels along one side of an image. Any number gives the same answer; finer images leave more out. What the device has no
   * room for, or a software adapter no time, is made coarser (`VisibilityStats.resolution`). Default: by the scene.
   */
  readonly resolution?: number | undefined;
  /** Along how many axes bodies are looked at: x, then y, then z, from either end unless boxes are drawn. 3 where left out. */
  readonly views?: 1 | 2 | 3 | undefined;
  /**
   * 'reliable' (default): a fragment for every pixel a triangle touches, with the least and greatest depth in it: nothing
   * that meets is ever left out. 'may-miss': one sample in the middle of a pixel, as CULLIDE had it: what meets between
   * samples is lost, and the answer is not complete.
   */
  readonly culling?: 'reliable' | 'may-miss' | undefined;
  /**
   * What is looked at of a triangle. 'triangles' (default): itself, in every pixel it touches. The others are the paper's,
   * wider than the triangle by what a pixel may hide, looked at in the middle of a pixel. 'boxes': an oriented box around
   * it, by the GPU's own rasteriser; reliable as far as that moves corners by no more than a sixteenth of a pixel.
   * 'bounded': a box along each edge, and between them the triangle moved to either side. 'exact': all points as near
   * to the triangle.
   */
  readonly offset?: Offset | undefined;
  /**
   * How overlaps are found. 'owners' (default): the nearest depth of a pixel and the nearest of another body, by atomics.
   * 'occlusion': the paper's occlusion queries, one a body, then one a triangle, of boxes.
   */
  readonly queries?: 'owners' | 'occlusion' | undefined;
}

export const visibilityRules: Rules<VisibilityOptions> = {
  resolution: imageResolution,
  views: oneOf(1, 2, 3),
  culling: oneOf('reliable', 'may-miss'),
  offset: oneOf('triangles', 'boxes', 'bounded', 'exact'),
  queries: oneOf('owners', 'occlusion'),
};

/** The same as engines are asked. */
export interface VisibilityRequest extends VisibilityOptions {
  /** Told what views saw of two bodies. There is no glance then: one look at everything. */
  readonly watch?: ((seen: SeenByViews) => void) | undefined;
}

/** What a question about one mesh may say: owners are patches of it, and triangles are looked at as they are. */
export type SelfVisibilityOptions = Pick<VisibilityOptions, 'resolution' | 'views'>;

/** What was left after each stage of the last go. */
export interface VisibilityStats {
  /** Pixels along one side of an image: fewer than asked for if the device has no room for as many. */
  readonly resolution: number;
  /** Along how many axes bodies were looked at. */
  readonly views: number;
  /** Pixels touched by triangles, in all images. */
  readonly fragments: number;
  /** How many bodies were left. */
  readonly bodies: {
    /** Bodies whose boxes meet another's. */
    readonly boxesMeet: number;
    /** Bodies that no view saw clear of all others. */
    readonly kept: number;
  };
  /** How many triangles were left. */
  readonly triangles: {
    /** Triangles of all bodies. */
    readonly all: number;
    /** Triangles where boxes of bodies meet. */
    readonly boxesMeet: number;
    /** Triangles that no view saw clear of all other bodies. */
    readonly kept: number;
  };
  /** Pairs of bodies that are left: with two triangles left whose boxes meet. */
  readonly pairsKept: number;
}

/** What is drawn around each triangle, so that no pixel of it is missed. */
export type Offset = 'triangles' | 'boxes' | 'bounded' | 'exact';

/** Throws where options do not go together. */
function checkTogether({ culling, offset, queries }: VisibilityOptions): void {
  if (queries === 'occlusion' && offset !== undefined && offset !== 'boxes') {
    throw bad(`queries 'occlusion' draw boxes; offset cannot be '${offset}'`);
  }
  if (
    culling === 'may-miss' &&
    (queries === 'occlusion' || (offset !== undefined && offset !== 'triangles'))
  ) {
    throw bad(`culling 'may-miss' looks at triangles alone, without an offset`);
  }
}

/** What a question says about the method, in options that obey their rules; undefined where another method is named. */
export function visibilityOf(
  { resolution, views, culling, offset, queries }: VisibilityOptions,
  method: 'auto' | TriangleMethod = 'auto',
): VisibilityOptions | undefined {
  if (method !== 'auto' && method !== 'hierarchy' && method !== 'visibility') {
    const known = `'hierarchy', 'visibility' or 'auto'`;
    throw new NearfieldError('unsupported', `there is no method ${quoted(method)} yet; use ${known}`);
  }
  const options = { resolution, views, culling, offset, queries };
  checkTogether(options);
  return (method === 'auto' ? usualTriangleMethod : method) === 'visibility' ? options : undefined;
}
