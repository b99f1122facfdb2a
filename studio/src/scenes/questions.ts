// The question of each scene, for any scene that holds its bodies: the worker's on the CPU, the page's on the GPU.

import type { Body, Interferences, Scene } from 'nearfield';
import type { BodyId } from '../engine/types.ts';
import type { Found, SceneName, Settings } from './types.ts';

export interface Asked {
  readonly scene: Scene;
  /** In the order of the sample's bodies. */
  readonly bodies: readonly Body[];
  idOf(body: Body): BodyId;
}

export function askScene(name: SceneName, asked: Asked, settings: Settings): Promise<Found> {
  switch (name) {
    case 'cloth':
      return askSelf(asked);
    case 'tori':
    case 'heart':
    case 'rings':
      return askVolume(asked, Number(settings['tolerance']), Number(settings['arrows']));
    case 'jaws':
      return askMap(asked, Number(settings['pixel']), Number(settings['farthest']));
    case 'bunnies':
      return askMisses(asked, Number(settings['resolution']));
    default:
      return askMeeting(asked);
  }
}

const none = new Uint32Array(0);

/** Which pairs of bodies meet, and with which triangles. */
async function askMeeting(asked: Asked): Promise<Found> {
  const start = performance.now();
  const found = await asked.scene.interferences();
  const time = performance.now() - start;
  const candidates = asked.scene.candidates().length;
  const facts = [
    ['candidates', candidates],
    ['pairs of bodies', found.length],
    trianglePairs(found),
  ] as const;
  const lit = trianglesOf(found, asked);
  return { time, backend: found.backend, facts, meeting: Uint32Array.from(lit.keys()), triangles: flat(lit) };
}

/** Asks which triangles meet, and which of them CULLIDE finds: with one sample per pixel it misses some. */
async function askMisses(asked: Asked, resolution: number): Promise<Found> {
  const exact = await askMeeting(asked);
  if (exact.backend === 'cpu') return exact;
  const start = performance.now();
  const culling = { method: 'visibility', culling: 'may-miss', resolution } as const;
  const some = await asked.scene.interferences(culling);
  const time = performance.now() - start;
  const [, all] = exact.facts.at(-1)!;
  const [, seen] = trianglePairs(some);
  // A software GPU would take too long with fine images, so they are made coarser. CULLIDE then misses nearly all.
  const used = some.stats.visibility?.resolution ?? resolution;
  const facts = [
    ...exact.facts,
    ...(used < resolution ? [['pixels per side asked for', resolution] as const] : []),
    [used < resolution ? 'pixels per side on this software GPU' : 'pixels per side', used],
    ['found by CULLIDE', seen],
    ['missed by CULLIDE', all - seen],
    ['CULLIDE, ms', time],
  ] as const;
  const found = trianglesOf(some, asked);
  const missed: number[] = [];
  for (let i = 0; i < (exact.triangles?.length ?? 0); i += 2) {
    const [id, triangle] = [exact.triangles![i], exact.triangles![i + 1]];
    if (!found.get(id)?.has(triangle)) missed.push(id, triangle);
  }
  const fewer =
    used < resolution
      ? `A software GPU would take too long to draw ${resolution} pixels per side, so CULLIDE gets ${used}. `
      : '';
  const note =
    seen < all / 2
      ? `${fewer}Most of these triangles are smaller than a pixel, and a triangle is discarded if no sample shows it. With more pixels, or with fewer triangles, CULLIDE finds more.`
      : undefined;
  return { ...exact, facts, missed: Uint32Array.from(missed), note };
}

/** Asks where the largest body meets itself. */
async function askSelf({ scene, bodies, idOf }: Asked): Promise<Found> {
  const cloth = bodies.reduce((a, b) => (b.mesh.triangleCount > a.mesh.triangleCount ? b : a));
  const start = performance.now();
  const found = await scene.selfIntersections(cloth);
  const time = performance.now() - start;
  const facts = [
    ['triangles', cloth.mesh.triangleCount],
    ['pairs of its own triangles', found.triangles.length / 2],
  ] as const;
  const lit = new Map([[idOf(cloth), new Set(found.triangles)]]);
  return { time, backend: found.backend, facts, meeting: none, triangles: flat(lit) };
}

/** If there are more penetrating points than this, only some are drawn, so that arrows stay distinct. */
const mostPoints = 600;

/** The common volume of solids, sampled, with the depth of every sample. Arrows are the way out times a factor. */
async function askVolume({ scene, bodies }: Asked, tolerance: number, arrows: number): Promise<Found> {
  const solids = bodies.filter(({ solid }) => solid);
  const start = performance.now();
  const volume = await scene.intersectionVolume(solids, { tolerance, depths: true });
  const time = performance.now() - start;
  const { depth, direction } = volume.depths!;
  const deepest = depth.reduce((most, value) => Math.max(most, value), 0);
  const every = Math.ceil(volume.count / mostPoints);
  const isDrawn = (_: number, i: number) => Math.floor(i / 3) % every === 0;
  const ways = direction.map((part, i) => arrows * depth[Math.floor(i / 3)] * part).filter(isDrawn);
  const points = Float32Array.from(volume.points.filter(isDrawn));
  const facts = [
    ['penetrating points', volume.count],
    ['deepest', deepest],
    ['common volume', volume.volume],
    ...(every > 1 ? [['points drawn, one in', every] as const] : []),
  ] as const;
  return { time, backend: volume.backend, facts, meeting: none, points, ways };
}

/** The distance between two bodies along a direction, per pixel. */
async function askMap({ scene, bodies }: Asked, pixel: number, farthest: number): Promise<Found> {
  const start = performance.now();
  const map = await scene.distanceMap(bodies[0], bodies[1], {
    pixel,
    direction: [0, 0, -1],
    within: farthest,
  });
  const time = performance.now() - start;
  const { statistics, columns, rows, view } = map;
  const facts = [
    ['pixels measured', statistics.measured],
    ['least distance, mm', statistics.least],
    ['mean distance, mm', statistics.mean],
    ['contact, mm²', statistics.contactArea],
    ['overlap, mm²', statistics.penetrationArea],
  ] as const;
  const place = {
    corner: [...view.origin],
    right: view.right.map(value => value * view.pixel * columns),
    up: view.up.map(value => value * view.pixel * rows),
  };
  const values = { values: map.distance, coverage: map.coverage, farthest };
  const drawn = { kind: 'distances', columns, rows, ...values, ...place } as const;
  return { time, backend: map.backend, facts, meeting: none, map: drawn };
}

function trianglePairs(found: Interferences): readonly [string, number] {
  let count = 0;
  for (const { triangleCount = 0 } of found) count += triangleCount;
  return ['pairs of triangles', count];
}

/** The triangles of each body that meet another body. */
function trianglesOf(found: Interferences, { idOf }: Asked): Map<BodyId, Set<number>> {
  const lit = new Map<BodyId, Set<number>>();
  for (const { a, b, triangles } of found) {
    for (const [side, body] of [a, b].entries()) {
      const id = idOf(body);
      const known = lit.get(id) ?? new Set<number>();
      lit.set(id, known);
      for (let i = side; i < triangles.length; i += 2) known.add(triangles[i]);
    }
  }
  return lit;
}

/** Pairs (body, triangle) in one array. */
function flat(lit: ReadonlyMap<BodyId, ReadonlySet<number>>): Uint32Array {
  const out: number[] = [];
  for (const [id, triangles] of lit) for (const triangle of triangles) out.push(id, triangle);
  return Uint32Array.from(out);
}
