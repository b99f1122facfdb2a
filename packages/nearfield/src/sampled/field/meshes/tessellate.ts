// The distance mesh of a site over one slice (Hoff et al., section 5.2): convex pieces of the slice, on each of which the
// distance is a linear function. A face's distance is linear; an edge's is a cone around the edge, cut into sectors; a
// corner's is a sheet of a hyperboloid, cut into rings and sectors. Linear pieces that meet the true function on their
// borders lie above it (it is convex), by at most the tolerance. gpu/meshes/pieces.wgsl builds the same pieces; proof.md
// derives their sizes. Lengths are in cells.

import { At, SiteKinds, type Sites, siteNumbers } from './site.ts';

/** How meshes are built. */
export interface Meshing {
  /** The most that a piece may lie above the true distance. */
  readonly tolerance: number;
  /** How far pieces reach over their borders, so that no sample falls between two. */
  readonly margin: number;
}

/** The half-planes x·X + y·Y + c ≥ 0 that bound a piece, three numbers per half-plane; X and Y are relative to the site. */
export type Borders = Float64Array;
export const mostBorders = 10;

/** A linear piece |x·X + y·Y + c| within the first `count` borders. */
export type DrawPiece = (borders: Borders, count: number, x: number, y: number, c: number) => void;

/** A disc in the slice that holds all samples to be drawn; its middle is relative to the site. */
export interface Disc {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

const everything: Disc = { x: 0, y: 0, radius: Infinity };

const borders: Borders = new Float64Array(3 * mostBorders);

/**
 * Builds the mesh of a site over the slice at height z, as far as `reach` from the site. Sectors that `disc` does not meet may be
 * left out: if samples are far from the site, few of thousands matter.
 */
export function tessellate(
  sites: Sites,
  site: number,
  z: number,
  reach: number,
  meshing: Meshing,
  draw: DrawPiece,
  disc = everything,
): void {
  const { numbers } = sites;
  const at = siteNumbers * site;
  const height = z - numbers[at + At.place + 2];
  const count = sites.spaceCounts[site];
  for (let i = 0; i < count; i++) {
    const space = at + At.spaces + 4 * i;
    const c = numbers[space + 2] * height + numbers[space + 3] + meshing.margin;
    setBorder(i, numbers[space], numbers[space + 1], c);
  }
  const kind = sites.kinds[site];
  if (kind === SiteKinds.face) drawFace(numbers, at, height, reach, meshing, count, draw);
  else if (kind === SiteKinds.edge) drawEdge(numbers, at, height, reach, meshing, count, draw, disc);
  else drawPoint(height, reach, meshing, count, draw, disc);
}

function setBorder(i: number, x: number, y: number, c: number): void {
  borders[3 * i] = x;
  borders[3 * i + 1] = y;
  borders[3 * i + 2] = c;
}

/** Two planes, one for each side of the face: the absolute value of one linear function. */
function drawFace(
  numbers: Float64Array,
  at: number,
  height: number,
  reach: number,
  { margin }: Meshing,
  count: number,
  draw: DrawPiece,
): void {
  const x = numbers[at + At.normal];
  const y = numbers[at + At.normal + 1];
  const c = numbers[at + At.normal + 2] * height;
  setBorder(count, x, y, c + reach + margin);
  setBorder(count + 1, -x, -y, reach + margin - c);
  draw(borders, count + 2, x, y, c);
}

/**
 * The step of q = tan(φ/2) from one sector to the next. Sectors of an angle of at most 2α lie above the cone by at most
 * r·(1/cos α − 1), with r up to `reach`. dφ ≤ 2·dq, and √(2t/(r + t)) ≤ α for cos α = r/(r + t).
 */
const sectorStep = (reach: number, tolerance: number): number =>
  Math.min(0.5, Math.sqrt((2 * tolerance) / (reach + tolerance)));

/** More sectors are below what single precision resolves. */
const mostSectors = 4096;

const sectorsOf = (spread: number, step: number): number =>
  Math.max(1, Math.min(mostSectors, Math.ceil((2 * spread) / step)));

/** The sectors from `first` to `last`. */
const range = { first: 1, last: 1 };

/**
 * Finds which of the sectors with q from −spread to spread, at most 1, a disc around (u, w) may meet. As seen from the site, the
 * disc is within the angle asin(radius/distance) of its middle. One more sector on both sides is far more than rounding. Behind the site no
 * sector is left: its ends have q beyond 1, on whichever side.
 */
function findSectors(u: number, w: number, radius: number, spread: number, sectors: number): void {
  range.first = 1;
  range.last = sectors;
  const squared = u * u + w * w;
  if (!(squared > 4 * radius * radius)) return;
  const distance = Math.sqrt(squared);
  const sine = radius / distance;
  const cosine = Math.sqrt(1 - sine * sine);
  /** The sector in which the middle lies after a turn by the angle of this sine. With (x, y) at the angle φ, tan(φ/2) = y/(distance + x). */
  const sectorAt = (turn: number) => {
    const q = (w * cosine + u * turn) / (distance + u * cosine - w * turn);
    return ((q / spread + 1) / 2) * sectors;
  };
  range.first = Math.max(1, Math.floor(sectorAt(-sine)));
  range.last = Math.min(sectors, Math.ceil(sectorAt(sine)) + 1);
}

function drawEdge(
  numbers: Float64Array,
  at: number,
  height: number,
  reach: number,
  { tolerance, margin }: Meshing,
  count: number,
  draw: DrawPiece,
  disc: Disc,
): void {
  const spread = numbers[at + At.spread];
  const sectors = sectorsOf(spread, sectorStep(reach, tolerance));
  const ux = numbers[at + At.normal];
  const uy = numbers[at + At.normal + 1];
  const uz = numbers[at + At.normal + 2] * height;
  const wx = numbers[at + At.across];
  const wy = numbers[at + At.across + 1];
  const wz = numbers[at + At.across + 2] * height;
  /** The half-plane u·U + w·W ≥ −margin, for U along the wedge's middle and W across it. */
  const border = (i: number, u: number, w: number) =>
    setBorder(i, u * ux + w * wx, u * uy + w * wy, u * uz + w * wz + margin);
  const middleU = ux * disc.x + uy * disc.y + uz;
  const middleW = wx * disc.x + wy * disc.y + wz;
  findSectors(middleU, middleW, disc.radius + 2 * margin, spread, sectors);
  const { first, last } = range;
  let [u0, w0] = rayAt(spread * ((2 * (first - 1)) / sectors - 1));
  for (let i = first; i <= last; i++) {
    const [u1, w1] = rayAt(spread * ((2 * i) / sectors - 1));
    border(count, -w0, u0);
    border(count + 1, w1, -u1);
    const length = Math.sqrt((u0 + u1) * (u0 + u1) + (w0 + w1) * (w0 + w1));
    border(count + 2, (u0 + u1) / length, (w0 + w1) / length);
    // The linear function that is 1 at the end of each of the two rays.
    const scale = 1 / (1 + u0 * u1 + w0 * w1);
    const [u, w] = [(u0 + u1) * scale, (w0 + w1) * scale];
    draw(borders, count + 3, u * ux + w * wx, u * uy + w * wy, u * uz + w * wz);
    [u0, w0] = [u1, w1];
  }
}

/** The unit vector at the angle φ with q = tan(φ/2). */
const rayAt = (q: number): readonly [number, number] => [(1 - q * q) / (1 + q * q), (2 * q) / (1 + q * q)];

/**
 * Half the tolerance is for rings, half for sectors. On the hyperbola r = h·(w − 1/w)/2, d = h·(w + 1/w)/2, the chord
 * from w to k·w has the slope (k·w² − 1)/(k·w² + 1). It lies above the hyperbola by at most h·(C − 1)·2/(w + 1/w), with
 * C = (√k + 1/√k)/2.
 */
function drawPoint(
  height: number,
  reach: number,
  { tolerance, margin }: Meshing,
  count: number,
  draw: DrawPiece,
  disc: Disc,
): void {
  const h = Math.abs(height);
  if (!(h <= reach)) return;
  const half = tolerance / 2;
  const most = Math.sqrt(reach * reach - h * h);
  const sectors = sectorsOf(1, sectorStep(most, half));
  // Rings are polygons: in the middle of a sector, a point at the distance r lies as far out as r/cos α, which is at most
  // half the tolerance more (2^-20 of it if there are as many sectors as there may be).
  const farthest = (most + half) * (1 + 2 ** -20);
  let [w, r, d] = [1, 0, h];
  for (let end = false; !end; ) {
    // At a low height one ring, whose chord begins at the apex, is within the tolerance.
    let [nextW, nextR, nextD, slope] = [0, farthest, Math.sqrt(farthest * farthest + h * h), 0];
    end = h <= half;
    if (!end) {
      const c = 1 + ((half / h) * (w + 1 / w)) / 2;
      const root = c + Math.sqrt(c * c - 1);
      nextW = w * root * root;
      nextR = (h * (nextW - 1 / nextW)) / 2;
      nextD = (h * (nextW + 1 / nextW)) / 2;
      slope = (w * nextW - 1) / (w * nextW + 1);
      end = nextR >= farthest;
    } else slope = farthest > 0 ? (nextD - h) / farthest : 0;
    drawRing(r, nextR, d - slope * r, slope, sectors, margin, count, draw, disc);
    [w, r, d] = [nextW, nextR, nextD];
  }
}

function drawRing(
  from: number,
  to: number,
  level: number,
  slope: number,
  sectors: number,
  margin: number,
  count: number,
  draw: DrawPiece,
  disc: Disc,
): void {
  for (let side = 1; side >= -1; side -= 2) {
    findSectors(side * disc.x, side * disc.y, disc.radius + 2 * margin, 1, sectors);
    const { first, last } = range;
    const start = rayAt((2 * (first - 1)) / sectors - 1);
    let [x0, y0] = [side * start[0], side * start[1]];
    for (let i = first; i <= last; i++) {
      const ray = rayAt((2 * i) / sectors - 1);
      const [x1, y1] = [side * ray[0], side * ray[1]];
      setBorder(count, -y0, x0, margin);
      setBorder(count + 1, y1, -x1, margin);
      const scale = 1 / (1 + x0 * x1 + y0 * y1);
      const [x, y] = [(x0 + x1) * scale, (y0 + y1) * scale];
      setBorder(count + 2, x, y, margin - from);
      setBorder(count + 3, -x, -y, margin + to);
      draw(borders, count + 4, slope * x, slope * y, level);
      [x0, y0] = [x1, y1];
    }
  }
}
