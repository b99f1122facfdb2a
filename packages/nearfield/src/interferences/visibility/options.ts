// The options of the visibility method, and its statistics.

import { bad, imageResolution, oneOf, quoted, type Rules } from '../../core/arguments.ts';
import { NearfieldError } from '../../core/errors.ts';
import { type TriangleMethod, usualTriangleMethod } from '../method.ts';
import type { SeenByViews } from './seen.ts';

/** How images cull whatever is clear of all other bodies. No setting loses a pair, except `culling: 'may-miss'`. */
export interface VisibilityOptions {
  /**
   * Pixels along one side of an image. Every value gives the same answer; finer images cull more. If the device lacks
   * memory, or a software adapter would take too long, images are made coarser (`VisibilityStats.resolution` tells).
   * Default: depends on the number of triangles.
   */
  readonly resolution?: number | undefined;
  /**
   * The number of axes along which bodies are seen: x, then y, then z, from both ends unless boxes are drawn. Default:
   * 3.
   */
  readonly views?: 1 | 2 | 3 | undefined;
  /**
   * 'reliable' (default): one fragment per pixel that a triangle touches, with the least and greatest depth in it.
   * Nothing that meets is ever culled. 'may-miss': one sample at the centre of each pixel, as in CULLIDE. Pairs that
   * meet only between samples are lost, and the answer is not complete.
   */
  readonly culling?: 'reliable' | 'may-miss' | undefined;
  /**
   * The shape that stands for a triangle in the images. 'triangles' (default): the triangle itself, in every pixel it
   * touches. The others are the paper's: shapes wider than the triangle by what a pixel may hide, sampled at pixel
   * centres. 'boxes': an oriented box around the triangle, with its depths on each pixel's middle line. 'bounded': a
   * box along each edge, and between the boxes the triangle moved to either side. 'exact': all points within the radius
   * of the triangle.
   */
  readonly offset?: Offset | undefined;
  /**
   * How overlaps are found. 'owners' (default): by atomics, from each pixel's nearest depth and the nearest depth of
   * another body: a fragment that may overlap sets the flag of its body or triangle. 'occlusion': by the paper's
   * occlusion queries of boxes, one per body, then one per triangle; with `culling: 'may-miss'`, of the triangles
   * themselves, as in CULLIDE. The GPU's rasteriser draws them, so this is reliable if it moves corners by at most a
   * sixteenth of a pixel.
   */
  readonly queries?: 'owners' | 'occlusion' | undefined;
  /**
   * How the triangles that images leave are paired, before the exact tests. 'trees' (default): by the trees of the
   * hierarchy method, which are built for shapes that are new or deformed. 'sweep': by sweep and prune over their boxes.
   * No tree is built, on the GPU or on the CPU: nothing is preprocessed, so it suits bodies that break or deform in
   * every frame. Both give the same answer. If the GPU runs out of memory, the CPU answers, and builds trees.
   */
  readonly survivors?: 'trees' | 'sweep' | undefined;
  /**
   * The order of the stages. Both give the same answer. 'boxes-first' (default): pairs of bodies whose boxes meet, then
   * images of what lies where boxes meet, which leave bodies and triangles out. 'published': the paper's order (section
   * 4.2). Images of all bodies leave bodies out, sweep and prune pairs those that are left, and images of these leave
   * triangles out. Candidates that you give take the place of the sweep, and come first.
   */
  readonly stages?: 'boxes-first' | 'published' | undefined;
}

export const visibilityRules: Rules<VisibilityOptions> = {
  resolution: imageResolution,
  views: oneOf(1, 2, 3),
  culling: oneOf('reliable', 'may-miss'),
  offset: oneOf('triangles', 'boxes', 'bounded', 'exact'),
  queries: oneOf('owners', 'occlusion'),
  survivors: oneOf('trees', 'sweep'),
  stages: oneOf('boxes-first', 'published'),
};

/** The options as the engine receives them. */
export interface VisibilityRequest extends VisibilityOptions {
  /** Receives what the views saw of two bodies: a glance and a close look. */
  readonly watch?: ((seen: SeenByViews) => void) | undefined;
}

/** The options for one mesh against itself: owners are patches of the mesh, and triangles have no offset. */
export type SelfVisibilityOptions = Pick<VisibilityOptions, 'resolution' | 'views'>;

/** The numbers that survived each stage of the last attempt. */
export interface VisibilityStats {
  /** Pixels along one side of an image: fewer than asked for if the device lacks memory. */
  readonly resolution: number;
  /** Along how many axes bodies were looked at. */
  readonly views: number;
  /** Pixels touched by triangles, in all images. */
  readonly fragments: number;
  /** The numbers of bodies. */
  readonly bodies: {
    /** Bodies whose boxes meet another's; with `stages: 'published'`, among those that images left. */
    readonly boxesMeet: number;
    /** Bodies that no view saw clear of all others. */
    readonly kept: number;
  };
  /** The numbers of triangles. */
  readonly triangles: {
    /** Triangles of all bodies. */
    readonly all: number;
    /** Triangles where boxes of bodies meet. */
    readonly boxesMeet: number;
    /** Triangles that no view saw clear of all other bodies. */
    readonly kept: number;
  };
  /** Pairs of bodies whose boxes meet; with `stages: 'published'`, among the bodies that images left. */
  readonly boxPairs: number;
  /** Pairs of bodies that survive: with two surviving triangles whose boxes meet. */
  readonly pairsKept: number;
  /** Trees that the GPU built or refitted for this question: none with `survivors: 'sweep'`. */
  readonly treesBuilt: number;
}

/** The shape that stands for a triangle in the images, so that no pixel of it is missed. */
export type Offset = 'triangles' | 'boxes' | 'bounded' | 'exact';

/** Throws if options contradict each other. */
function checkCombination({ culling, offset, queries }: VisibilityOptions): void {
  if (queries === 'occlusion' && culling !== 'may-miss' && offset !== undefined && offset !== 'boxes') {
    throw bad(`queries 'occlusion' draws boxes, so offset cannot be '${offset}'`);
  }
  if (culling === 'may-miss' && offset !== undefined && offset !== 'triangles') {
    throw bad(`culling 'may-miss' samples the triangles themselves, so it takes no offset`);
  }
}

/** Checks the method's options and returns them; undefined if another method is named. */
export function visibilityOf(
  given: VisibilityOptions,
  method: 'auto' | TriangleMethod = 'auto',
): VisibilityOptions | undefined {
  if (method !== 'auto' && method !== 'hierarchy' && method !== 'visibility') {
    const known = `'hierarchy', 'visibility' or 'auto'`;
    throw new NearfieldError('unsupported', `there is no method ${quoted(method)}; use ${known}`);
  }
  checkCombination(given);
  if ((method === 'auto' ? usualTriangleMethod : method) !== 'visibility') return undefined;
  const { resolution, views, culling, offset, queries, survivors, stages } = given;
  return { resolution, views, culling, offset, queries, survivors, stages };
}
