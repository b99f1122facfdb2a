// Draws the whole assembly, or one pair of bodies from the direction that shows their contact best.

import type { Pixels } from '@nearfield/io/png';
import { verdictOf } from '../../severity/order.ts';
import { each, finish, mapped, type Steps } from '../../steps/steps.ts';
import type { PictureBody, PictureInput, PicturePair } from '../types.ts';
import {
  type Camera,
  type Extent,
  extentOf,
  fitPoints,
  middle,
  normalise,
  radiusOf,
  union,
  type Vector,
} from './camera.ts';
import { type Contact, contactSteps } from './contact.ts';
import { normalSteps } from './normals.ts';
import { type Color, createBuffers, rasteriseSteps, type Surface } from './rasterise.ts';
import { type Picture, renderSteps } from './shade.ts';
import { bestSide, frame, grow, lineSide, type PictureSize } from './view.ts';

export const palette = {
  a: [88, 130, 184],
  b: [226, 176, 98],
  mark: [214, 32, 48],
  /** The colour of contact, as in the badge. */
  touch: [27, 122, 108],
  /** The colour of pairs that are too close, as in the badge. */
  gap: [196, 28, 138],
  line: [255, 250, 235],
  /** Colours of bodies that meet nothing, used in turn. */
  rest: [
    [150, 170, 190],
    [182, 192, 200],
    [132, 152, 170],
    [168, 178, 172],
  ],
  involved: [226, 186, 120],
  glass: [160, 190, 214],
} as const satisfies Record<string, Color | readonly Color[]>;

/** Several pictures need normals; they are computed once per body. */
export type NormalsOf = (body: PictureBody) => Steps<Float32Array>;

export function rememberNormals(): NormalsOf {
  const made = new WeakMap<PictureBody, Float32Array>();
  return function* (body) {
    const found = made.get(body) ?? (yield* normalSteps(body));
    made.set(body, found);
    return found;
  };
}

export interface PairPicture extends Pick<PairView, 'center' | 'camera' | 'segments'> {
  pixels: Pixels;
}

/** From where a pair is seen, and how its bodies are drawn so that both and their contact are visible. */
export interface PairView {
  /** The world position of the contact. */
  center: Vector;
  camera: Camera;
  /** The contact curves, or the line between the nearest points: six numbers per segment. */
  segments: Float64Array;
  /** The body that is of glass, because it would hide the other or the contact. */
  glass: 'a' | 'b' | undefined;
  drawn: Pick<Picture, 'surfaces' | 'lines' | 'markColor'>;
}

/** One pair: the two bodies in two colours, triangles that meet in a third, without the rest of the assembly. */
export const drawPair = (...drawn: Parameters<typeof pairSteps>): PairPicture => finish(pairSteps(...drawn));

/** The same in steps. */
export function* pairSteps(
  { bodies }: PictureInput,
  pair: PicturePair,
  normalsOf: NormalsOf,
  size: PictureSize,
): Steps<PairPicture> {
  const { center, camera, segments, drawn } = yield* pairViewSteps(bodies, pair, normalsOf, size);
  return { center, camera, segments, pixels: yield* renderSteps({ ...size, camera, ...drawn }) };
}

/** The view alone, for callers that draw it in another way. */
export function* pairViewSteps(
  bodies: readonly PictureBody[],
  pair: PicturePair,
  normalsOf: NormalsOf,
  size: PictureSize,
): Steps<PairView> {
  if (pair.relation === 'separate') return yield* gapSteps(bodies, pair, normalsOf, size);
  const [a, b] = [bodies[pair.a], bodies[pair.b]];
  const contact = yield* contactSteps(bodies, pair);
  const { segments } = contact;
  const center = middle(contact.extent);
  const surfaceA: Surface = {
    ...{ ...a, normals: yield* normalsOf(a), color: palette.a, marks: contact.marksA },
  };
  const surfaceB: Surface = {
    ...{ ...b, normals: yield* normalsOf(b), color: palette.b, marks: contact.marksB },
  };
  const markColor = pair.relation === 'touching' ? palette.touch : palette.mark;
  if (pair.relation === 'coincident') {
    const surfaces: Surface[] = [{ ...surfaceA, marks: undefined, stripes: palette.b }];
    const side = yield* bestSide(surfaces, contact.extent, size);
    const camera = frame(contact.extent, [contact.extent], side, size);
    return { center, camera, segments, glass: undefined, drawn: { surfaces, markColor } };
  }
  const extents = [extentOf(a.positions)!, extentOf(b.positions)!];
  const glass = pair.relation === 'contains' ? 'a' : pair.relation === 'inside' ? 'b' : undefined;
  if (glass) {
    const [inner, outer] = glass === 'a' ? [surfaceB, surfaceA] : [surfaceA, surfaceB];
    const reach = grow(contact.extent, 1.5 * radiusOf(contact.extent));
    const side = yield* bestSide([{ ...inner, marks: undefined }], contact.extent, size);
    const camera = frame(reach, extents, side, size);
    const surfaces = [
      { ...inner, marks: undefined, color: palette.mark },
      { ...outer, opacity: 0.3 },
    ];
    return { center, camera, segments, glass, drawn: { surfaces, markColor } };
  }
  const view = closeUp(contact, extents);
  const side = yield* bestSide([surfaceA, surfaceB], view, size);
  const camera = frame(view, extents, side, size);
  const lines = { segments, color: palette.line, width: 2 };
  const shown = yield* revealed([surfaceA, surfaceB], extents, camera);
  return { center, camera, segments, glass: shown.glass, drawn: { ...shown, lines, markColor } };
}

/** Two bodies that are too close, and the line between their nearest points. */
function* gapSteps(
  bodies: readonly PictureBody[],
  pair: PicturePair,
  normalsOf: NormalsOf,
  size: PictureSize,
): Steps<PairView> {
  const surfaces: Surface[] = [];
  for (const [index, color] of [[pair.a, palette.a] as const, [pair.b, palette.b] as const]) {
    surfaces.push({ ...bodies[index], normals: yield* normalsOf(bodies[index]), color });
  }
  const extents = surfaces.map(({ positions }) => extentOf(positions)!);
  const [from, to] = [pair.pointA!, pair.pointB!].map(([x, y, z]): Vector => [x, y, z]);
  const segments = Float64Array.of(...from, ...to);
  const gap = extentOf(segments)!;
  // Near enough to see the line, far enough to recognise the bodies.
  const smaller = Math.min(...extents.map(radiusOf));
  const reach = Math.max(2 * radiusOf(gap), 0.12 * smaller, Math.min(20 * radiusOf(gap), 0.8 * smaller));
  const view = grow(gap, reach);
  let seen = yield* lineSide(surfaces, from, to, view, size);
  let shown: Shown = { surfaces, glass: undefined };
  if (seen.visible < 0.5) {
    shown = largerOfGlass(surfaces, extents);
    seen = yield* lineSide([surfaces[shown.glass === 'a' ? 1 : 0]], from, to, view, size);
  }
  const camera = frame(view, extents, seen.side, size);
  const lines = { segments, color: palette.gap, width: 5 };
  const drawn = { surfaces: shown.surfaces, lines, markColor: palette.gap };
  return { center: middle(gap), camera, segments, glass: shown.glass, drawn };
}

interface Shown {
  surfaces: readonly Surface[];
  glass: 'a' | 'b' | undefined;
}

function largerOfGlass(surfaces: readonly Surface[], extents: readonly Extent[]): Shown {
  const larger = radiusOf(extents[0]) >= radiusOf(extents[1]) ? 0 : 1;
  return {
    surfaces: surfaces.map((surface, i) => (i === larger ? { ...surface, opacity: 0.28 } : surface)),
    glass: larger === 0 ? 'a' : 'b',
  };
}

/** The contact with enough around it to recognise the bodies. */
function closeUp({ extent }: Contact, extents: readonly Extent[]): Extent {
  const smaller = Math.min(...extents.map(radiusOf));
  return grow(extent, Math.max(0.5 * radiusOf(extent), 0.4 * smaller - 0.5 * radiusOf(extent), 0));
}

/** If hardly any marked triangle is visible, the body in front becomes transparent. */
function* revealed(surfaces: readonly Surface[], extents: readonly Extent[], camera: Camera): Steps<Shown> {
  const [w, h] = [160, Math.max(1, Math.round((camera.height * 160) / camera.width))];
  const small: Camera = { ...camera, width: w, height: h, scale: (camera.scale * 160) / camera.width };
  function* count(drawn: readonly Surface[]): Steps<number> {
    const buffers = createBuffers(w, h);
    for (const [id, surface] of drawn.entries()) yield* rasteriseSteps(buffers, small, surface, id);
    return buffers.marked.reduce((sum, mark) => sum + mark, 0);
  }
  const alone = Math.max(yield* count([surfaces[0]]), yield* count([surfaces[1]]));
  const together = yield* count(surfaces);
  return together >= 0.3 * alone ? { surfaces, glass: undefined } : largerOfGlass(surfaces, extents);
}

/** The four upper corners, and from them the one that shows most of the interferences. */
function* overviewSide(surfaces: readonly Surface[], size: PictureSize): Steps<Vector> {
  const sides = [
    [0.62, -0.95, 0.62],
    [-0.62, -0.95, 0.62],
    [0.62, 0.95, 0.62],
    [-0.62, 0.95, 0.62],
  ].map(side => normalise(side as unknown as Vector));
  const warm = yield* mapped(surfaces, surface => ({
    ...surface,
    marks:
      surface.color === palette.involved ? new Uint8Array(surface.indices.length / 3).fill(1) : undefined,
  }));
  const extents = (yield* mapped(surfaces, ({ positions }) => extentOf(positions))).filter(
    extent => extent !== undefined,
  );
  return extents.length === 0 ? sides[0] : yield* bestSide(warm, union(extents), size, sides);
}

export interface Overview {
  pixels: Pixels;
  camera: Camera;
  /** What the picture shows, for the legend. */
  shown: { involved: boolean; mark: boolean; rest: boolean; glass: boolean };
}

/**
 * The whole assembly: bodies that contain others are transparent, bodies that clash have warm colours, and their
 * triangles that meet are marked.
 */
export const drawOverview = (...drawn: Parameters<typeof overviewSteps>): Overview =>
  finish(overviewSteps(...drawn));

/** The same in steps. */
export function* overviewSteps(
  input: PictureInput,
  normalsOf: NormalsOf,
  size: PictureSize,
): Steps<Overview> {
  const { bodies, pairs } = input;
  const extents = yield* mapped(bodies, body => extentOf(body.positions));
  const marks = new Map<number, Uint8Array>();
  const involved = new Set<number>();
  // What touches or is forgiven is drawn like any other body.
  const clashes = pairs.filter(pair => verdictOf(pair) === 'clash');
  yield* each(clashes, pair => {
    involved.add(pair.a).add(pair.b);
    if (pair.relation === 'coincident') return;
    for (const [offset, body] of [pair.a, pair.b].entries()) {
      const flags = marks.get(body) ?? new Uint8Array(bodies[body].triangles);
      for (let i = offset; i < pair.triangles.length; i += 2) flags[pair.triangles[i]] = 1;
      marks.set(body, flags);
    }
  });
  const shells = shellsOf(extents);
  const inner = new Set(
    clashes.flatMap(p => (p.relation === 'inside' ? [p.a] : p.relation === 'contains' ? [p.b] : [])),
  );
  // If two bodies are in one place, only one is drawn: both would flicker.
  const doubled = new Set(pairs.flatMap(({ relation, b }) => (relation === 'coincident' ? [b] : [])));
  const surfaces: Surface[] = [];
  for (const [i, body] of bodies.entries()) {
    if (body.triangles === 0 || doubled.has(i)) continue;
    const color = shells.has(i)
      ? palette.glass
      : inner.has(i)
        ? palette.mark
        : involved.has(i)
          ? palette.involved
          : palette.rest[i % palette.rest.length];
    const opacity = shells.has(i) ? 0.13 : 1;
    surfaces.push({ ...body, normals: yield* normalsOf(body), color, marks: marks.get(i), opacity });
  }
  const solid = surfaces.filter(({ opacity = 1 }) => opacity >= 1);
  const camera = fitPoints(
    surfaces.map(({ positions }) => positions),
    yield* overviewSide(solid, size),
    size.width,
    size.height,
    0.04,
  );
  const has = (test: (surface: Surface) => boolean) => surfaces.some(test);
  const rest: readonly Color[] = palette.rest;
  const shown = {
    involved: has(({ color }) => color === palette.involved),
    mark: has(({ color, marks: flags }) => color === palette.mark || flags?.includes(1) === true),
    rest: has(({ color }) => rest.includes(color)),
    glass: shells.size > 0,
  };
  const pixels = yield* renderSteps({ ...size, camera, surfaces, markColor: palette.mark });
  return { camera, shown, pixels };
}

/**
 * Bodies whose box fills a fifth of the assembly and contains the centres of at least three others and of a seventh
 * of all.
 */
function shellsOf(extents: readonly (Extent | undefined)[]): Set<number> {
  const shells = new Set<number>();
  const volume = ({ min, max }: Extent) => (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
  const known = extents.filter(extent => extent !== undefined);
  if (known.length === 0) return shells;
  const whole = volume(union(known));
  const middles = extents.map(extent => extent && middle(extent));
  extents.forEach((extent, i) => {
    if (!extent || volume(extent) < whole / 5) return;
    const held = middles.filter(
      (m, j) => m && j !== i && [0, 1, 2].every(k => m[k] > extent.min[k] && m[k] < extent.max[k]),
    );
    if (held.length >= 3 && held.length >= extents.length / 7) shells.add(i);
  });
  return shells;
}
