// The measurements of Knott's thesis, chapter 4: time against the number of objects (figure 4.15) and of polygons
// (4.16), reading pixels against occlusion queries (table 4.1), and what early detection of no interference saves
// (4.2). The thesis does not give the objects and their places; here they are boxes, tori and knots with the same
// numbers of polygons.

import { identity, type Mesh, shapes } from 'nearfield';
import { type Case, type Placement, type SceneFile, still } from '../../case.ts';
import { turnAbout } from '../../poses.ts';
import { movingBoxes } from '../boxes.ts';
import { single } from '../meshes/generated.ts';

export const objectCounts = [100, 250, 630, 1600, 4000, 10_000, 25_000, 50_000, 100_000];
export const polygonCounts = [1250, 2500, 5000, 10_000, 20_000, 40_000, 80_000, 160_000];

export const raycast: SceneFile = {
  name: 'raycast',
  about: "edges tested by counting faces in front of them: Knott's figures and tables",
  caseCount: objectCounts.length + polygonCounts.length + 2 + 8,
  seconds: { each: 60, peers: 90 },
  *cases(): Generator<Case> {
    for (const count of objectCounts) yield manyBoxes(count);
    for (const count of polygonCounts) yield twoKnots(count);
    for (const resolution of [640, 256]) yield pixelsAndQueries(resolution);
    for (const size of earlySizes) {
      yield linkedTori(size, true);
      yield linkedTori(size, false);
    }
  },
};

const machine = 'Pentium 4, GeForce4, 2003';

/**
 * Figure 4.15: boxes of twelve triangles, placed at random. The text gives no times for the figure, only that they
 * are linear.
 */
export function manyBoxes(count: number, series = 'objects (figure 4.15)'): Case {
  const job = movingBoxes('turned', count);
  return {
    ...job,
    scene: 'raycast',
    name: `${count.toLocaleString('en')} boxes`,
    frames: job.frames.slice(0, 2),
    images: { resolution: 256 },
    series: { name: series, unit: 'box', size: count },
  };
}

/**
 * Both figures at eight sizes that cost enough to be measured: on a modern GPU the sizes of the thesis cost no more
 * than an empty question. A software GPU gets smaller sizes and fewer pixels, so that polygons are small there too;
 * large ones cost by their pixels.
 */
export function* growing(software: boolean): Generator<readonly Case[]> {
  yield eightSizes(software ? 250 : 12_500).map(count => manyBoxes(count, 'objects, in turn'));
  yield growingSizes(software).map(count => coarsely(software, twoKnots(count, 'polygons, in turn')));
}

/** The same with 128 pixels, on a software GPU. */
export const coarsely = (software: boolean, job: Case): Case =>
  software ? { ...job, images: { ...job.images, resolution: 128 } } : job;

const eightSizes = (step: number): number[] => [1, 2, 3, 4, 5, 6, 7, 8].map(i => step * i);

/** Polygons. */
export const growingSizes = (software: boolean): number[] => eightSizes(software ? 20_000 : 160_000);

/** Figure 4.16: one shape with more and more detail. */
export function twoKnots(polygons: number, series = 'polygons (figure 4.16)'): Case {
  const sides = Math.max(6, Math.round(Math.sqrt(polygons / 80)));
  const knot = (p: number): Mesh =>
    single(shapes.torusKnot({ p, q: 3, sides, segments: Math.round(polygons / (4 * sides)) }));
  const bodies = within(knot(2), knot(2), 0.35);
  const size = bodies[0].mesh.triangleCount + bodies[1].mesh.triangleCount;
  return {
    scene: 'raycast',
    name: `knots of ${size.toLocaleString('en')} polygons`,
    question: 'any',
    bodies,
    frames: still,
    images: { resolution: 512 },
    series: { name: series, unit: 'polygon', size },
  };
}

/**
 * Table 4.1: 3,614 polygons. Its times include reading, parsing and rendering; "without reading" is rendering only.
 */
export function pixelsAndQueries(resolution: number): Case {
  const [first, second] = tableKnots();
  return {
    scene: 'raycast',
    name: `3,614 polygons at ${resolution === 640 ? '640 × 480' : '256 × 256'}`,
    question: 'any',
    bodies: within(first, second, 0.35),
    frames: still,
    images: { resolution },
    paper:
      resolution === 640
        ? { from: 4, milliseconds: 11.9, machine }
        : { from: 3.9, milliseconds: 5.6, machine },
  };
}

/** 3,614 polygons together. */
export function tableKnots(): [Mesh, Mesh] {
  const knot = (segments: number): Mesh => single(shapes.torusKnot({ segments, sides: 13 }));
  return [knot(70), knot(69)];
}

/** Table 4.2: segments around the ring and around its tube, for both; times with and without interference. */
export const earlySizes = [
  { rings: [17, 9, 15, 10], found: 0.92, clear: 0.63 },
  { rings: [17, 16, 19, 14], found: 1.35, clear: 0.98 },
  { rings: [24, 18, 29, 15], found: 2.04, clear: 1.48 },
  { rings: [28, 23, 34, 19], found: 2.94, clear: 2.11 },
] as const;

/**
 * Two rings linked like those of a chain, with deeply overlapping boxes: clear of each other, or one shifted into the
 * other.
 */
export function linkedTori({ rings, found, clear }: (typeof earlySizes)[number], meet: boolean): Case {
  const ring = (majorSegments: number, minorSegments: number): Mesh =>
    single(shapes.torus({ majorRadius: 1, minorRadius: 0.25, majorSegments, minorSegments }));
  const meshes = [ring(rings[0], rings[1]), ring(rings[2], rings[3])];
  const polygons = meshes[0].triangleCount + meshes[1].triangleCount;
  const pose = turnAbout([1, 0, 0], Math.PI / 2, [0, 0, 0], [meet ? 0.4 : 1, 0, 0]);
  return {
    scene: 'raycast',
    name: `${polygons.toLocaleString('en')} polygons, ${meet ? 'interfering' : 'clear'}`,
    question: 'any',
    bodies: [
      { mesh: meshes[0], pose: identity() },
      { mesh: meshes[1], pose },
    ],
    frames: still,
    images: { resolution: 256 },
    paper: { milliseconds: meet ? found : clear, machine },
  };
}

/** The second turned and shifted into the first. */
function within(first: Mesh, second: Mesh, shift: number): Placement[] {
  return [
    { mesh: first, pose: identity() },
    { mesh: second, pose: turnAbout([1, 1, 0], 0.6, [0, 0, 0], [shift, 0, 0.1]) },
  ];
}
