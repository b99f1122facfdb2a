// The questions of the page. They run in the worker on the CPU engine. For pairs whose triangles a GPU found, this
// decides the exact answer.

import {
  broad,
  exactOf,
  type Interferences,
  NearfieldError,
  type PairFilter,
  type Relation,
} from 'nearfield';
import type { PlacedScene } from './placed-scene.ts';
import type {
  BodyId,
  CurvesData,
  DepthData,
  DistanceData,
  FoundOnGpu,
  Limits,
  PairRow,
  PairsAnswer,
  PairsQuestion,
  TwoBodies,
} from './types.ts';

/** Every pair that meets, and with a clearance every pair that is too close, in the order of the placed bodies. */
export async function askPairs(
  placedScene: PlacedScene,
  { placed, clearance, only, triangles = false, found: onGpu }: PairsQuestion,
  { signal, progress }: Limits,
): Promise<PairsAnswer> {
  const start = performance.now();
  placedScene.place(placed);
  const { scene } = placedScene;
  const chosen = only && new Set(only.map(id => placedScene.body(id)));
  const filter = chosen
    ? { keep: (a: object, b: object) => chosen.has(a as never) || chosen.has(b as never) }
    : {};
  const half = (part: number) => (done: number) => progress?.((part + done) / 2);
  const limits = (part: number) => ({ signal, progress: half(part) });
  const found = await (onGpu
    ? decided(placedScene, filter, onGpu, limits(0))
    : scene.interferences({ ...filter, ...limits(0) }));
  const relations = await found.relations(limits(1));
  const order = new Map(placed.map(({ id }, i) => [id, i]));
  const rows: PairRow[] = found.pairs.map((pair, i) => {
    const row = { a: placedScene.idOf(pair.a), b: placedScene.idOf(pair.b), relation: relations[i] };
    const list = triangles ? { triangles: pair.triangles.slice() } : {};
    return inOrder({ ...row, triangleCount: pair.triangleCount ?? 0, ...list }, order);
  });
  if (clearance !== undefined && clearance > 0) {
    for (const near of await scene.within(clearance, { ...filter, signal })) {
      if (near.distance === 0) continue;
      const { pointA, pointB, distance } = await scene.distance(near.a, near.b, { signal });
      const [a, b] = [placedScene.idOf(near.a), placedScene.idOf(near.b)];
      rows.push(inOrder({ a, b, relation: 'separate', triangleCount: 0, distance, pointA, pointB }, order));
    }
  }
  rows.sort((p, q) => order.get(p.a)! - order.get(q.a)! || order.get(p.b)! - order.get(q.b)!);
  return { rows, time: performance.now() - start, backend: found.backend };
}

/**
 * The GPU's result, with the bodies by their indices here. Poses are the same doubles, so the candidates are the same
 * too.
 */
function decided(
  placedScene: PlacedScene,
  filter: PairFilter,
  { bodies, certain, unsure }: FoundOnGpu,
  limits: Limits,
): Promise<Interferences> {
  const candidates = broad(placedScene.scene, filter);
  const keyOf = (a: BodyId, b: BodyId) => a * 2 ** 26 + b;
  const places = new Map<number, number>();
  let count = 0;
  for (const [a, b] of candidates) places.set(keyOf(placedScene.idOf(a), placedScene.idOf(b)), count++);
  const here = (records: Uint32Array) => {
    const out = new Uint32Array(records.length);
    let length = 0;
    for (let r = 0; r < records.length; r += 3) {
      const [a, b] = [bodies[2 * records[r]], bodies[2 * records[r] + 1]];
      const [as, bs] = [places.get(keyOf(a, b)), places.get(keyOf(b, a))];
      const place = as ?? bs;
      // Boxes on the GPU are slightly larger. If the boxes here do not meet, the triangles do not meet either.
      if (place === undefined) continue;
      out[length] = place;
      out[length + 1] = records[r + (as === undefined ? 2 : 1)];
      out[length + 2] = records[r + (as === undefined ? 1 : 2)];
      length += 3;
    }
    return out.subarray(0, length);
  };
  return exactOf(candidates, { certain: here(certain), unsure: here(unsure), backend: 'gpu' }, limits);
}

export async function askDistance(scene: PlacedScene, two: TwoBodies, limits: Limits): Promise<DistanceData> {
  const [a, b] = bodiesOf(scene, two);
  const { distance, pointA, pointB } = await scene.scene.distance(a, b, limits);
  return { distance, pointA, pointB };
}

export async function askDepth(scene: PlacedScene, two: TwoBodies, limits: Limits): Promise<DepthData> {
  const [a, b] = bodiesOf(scene, two);
  const time = two.timeLimit === undefined ? {} : { timeLimit: two.timeLimit };
  const { depth, translation } = await scene.scene.penetration(a, b, { ...limits, ...time });
  return { lower: depth.lower, upper: depth.upper, translation };
}

export async function askCurves(scene: PlacedScene, two: TwoBodies, limits: Limits): Promise<CurvesData> {
  const [a, b] = bodiesOf(scene, two);
  const ends: number[] = [];
  for (const { points, closed } of await scene.scene.curves(a, b, limits)) {
    const count = points.length / 3;
    for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
      const next = (i + 1) % count;
      ends.push(...points.subarray(3 * i, 3 * i + 3), ...points.subarray(3 * next, 3 * next + 3));
    }
  }
  return { ends: Float64Array.from(ends) };
}

function bodiesOf(scene: PlacedScene, { a, b }: TwoBodies) {
  if (a.id === b.id) throw new NearfieldError('bad-option', 'the two bodies must be different');
  scene.place([a, b]);
  return [scene.body(a.id), scene.body(b.id)] as const;
}

const seenFromB: Readonly<Partial<Record<Relation, Relation>>> = { inside: 'contains', contains: 'inside' };

/** Puts the body that comes first into `a`. */
function inOrder(row: PairRow, order: ReadonlyMap<number, number>): PairRow {
  if (order.get(row.a)! < order.get(row.b)!) return row;
  const { a, b, relation, triangles, pointA, pointB } = row;
  return {
    ...row,
    ...{ a: b, b: a, relation: seenFromB[relation] ?? relation, pointA: pointB, pointB: pointA },
    ...(triangles && { triangles: exchanged(triangles) }),
  };
}

function exchanged(triangles: Uint32Array): Uint32Array {
  const pairs = Array.from({ length: triangles.length / 2 }, (_, i) => [
    triangles[2 * i + 1],
    triangles[2 * i],
  ]);
  return Uint32Array.from(pairs.sort((p, q) => p[0] - q[0] || p[1] - q[1]).flat());
}
