// Searches boxes and spheres on the CPU: runs the kernel over one body after another, and collects the triangles that
// are certainly met and those that the exact stage has to decide. If there are many bodies, a tree of their boxes
// says which regions each of them gets.
//
// A triangle lies in the box of its body, so a region that is a box is first cut down to three times that box: that
// changes no answer, and far ends of a region cost no precision. A body whose coordinates are very large or very
// small is scaled by a power of two, its regions with it. For spheres a coordinate that underflows does not matter:
// it moves by less than 2^-1074, and the bounds of distances have room for 2^-535
// (distance/cpu/triangles/point-triangle.as.ts). Boxes are compared exactly, so there the exact stage decides
// everything.

import { bake, comfortableScale, mayBeRounded, needsBaking } from '../../bodies/snapshot/baked.ts';
import type { Placed } from '../../bodies/snapshot/snapshot.ts';
import { boxAround } from '../../bodies/snapshot/world.ts';
import { writeGiven } from '../../bvh/cpu/build/given-slots.ts';
import { treesOf } from '../../bvh/cpu/build/trees.ts';
import { PlacedBodies } from '../../bvh/cpu/place/placed-bodies.ts';
import { bodyOfBoxes } from '../../bvh/cpu/walk/body-of-boxes.ts';
import { Walks } from '../../bvh/cpu/walk/walks.ts';
import type { GivenTriangles } from '../../bvh/given-triangles.ts';
import { NearfieldError } from '../../core/errors.ts';
import type { Limits } from '../../core/limits.ts';
import { type EngineStats, newStats } from '../../core/stats.ts';
import { inSlices } from '../../core/waiting.ts';
import type { CpuEngine } from '../../cpu/engine.ts';
import { done, full } from '../../cpu/kernels.ts';
import { type Box, boxesMeet, emptyBox, growBox, isEmptyBox } from '../../math/box.ts';
import type { BodyRegions, ChosenRegions, FoundRegions, RegionRequest } from '../request.ts';
import * as layout from './kernels.layout.ts';
import { type RegionKernels, regionKernels } from './kernels.ts';

/** How many regions to search between two looks at the clock. */
const regionsAtOnce = 100;
/** From this many bodies on, a tree of their boxes is used. */
const manyBodies = 8;
const recordWords = layout.RegionRecord.bytes / 4;
/** What the kernels count, by its name in the statistics. */
const counted = [
  ['boxTests', layout.RegionsJob.boxTests],
  ['triangleTests', layout.RegionsJob.triangleTests],
  ['unsure', layout.RegionsJob.unsure],
] as const;
const wants = { list: layout.wantList, count: layout.wantCount, any: layout.wantAny };

/** The engine's part that searches regions. */
export const cpuRegions = (engine: CpuEngine): CpuRegions => engine.part(createRegions);

const createRegions = (engine: CpuEngine): CpuRegions => new CpuRegions(engine);

class CpuRegions {
  readonly #engine: CpuEngine;

  constructor(engine: CpuEngine) {
    this.#engine = engine;
  }

  /** Searches all regions. Yields the share done. */
  *steps(bodies: readonly Placed[], request: RegionRequest): Generator<number, FoundRegions> {
    this.#engine.checkOpen();
    const chosen = yield* chooseAll(this.#engine, bodies, request);
    return yield* searchAll(this.#engine, bodies, request, chosen);
  }

  /** Which regions each body gets. */
  async choose(bodies: readonly Placed[], request: RegionRequest, limits: Limits): Promise<ChosenRegions> {
    this.#engine.checkOpen();
    return inSlices(chooseAll(this.#engine, bodies, request), limits, this.#engine.checkOpen);
  }

  /** Searches those regions. What another engine found of a body is only tested. */
  async search(
    bodies: readonly Placed[],
    request: RegionRequest,
    chosen: ChosenRegions,
    given: readonly (GivenTriangles | undefined)[],
    limits: Limits,
  ): Promise<FoundRegions> {
    this.#engine.checkOpen();
    return inSlices(searchAll(this.#engine, bodies, request, chosen, given), limits, this.#engine.checkOpen);
  }
}

function* chooseAll(
  engine: CpuEngine,
  bodies: readonly Placed[],
  request: RegionRequest,
): Generator<number, ChosenRegions> {
  const boxes = bodies.map(boxAround);
  boxes.forEach((box, i) => {
    if (isEmptyBox(box) || box.every(Number.isFinite)) return;
    throw new NearfieldError('not-finite', `body ${i}: its world positions do not fit in doubles`);
  });
  return { boxes, byBody: yield* regionsByBody(engine, boxes, regionBoxes(request)) };
}

function* searchAll(
  engine: CpuEngine,
  bodies: readonly Placed[],
  request: RegionRequest,
  { boxes, byBody }: ChosenRegions,
  given: readonly (GivenTriangles | undefined)[] = [],
): Generator<number, FoundRegions> {
  const job = new Job(engine, request);
  try {
    const found: BodyRegions[] = [];
    for (let body = 0; body < bodies.length; body++) {
      const own = byBody[body];
      if (own.length === 0) continue;
      const part = { begun: body / bodies.length, share: 1 / bodies.length };
      found.push({
        body,
        chosen: own,
        ...(yield* job.run(bodies[body], boxes[body], own, given[body], part)),
      });
    }
    return { found, stats: job.stats };
  } finally {
    job.free();
  }
}

/** The kernel's job for one body after another. */
class Job {
  readonly stats: EngineStats = newStats();
  readonly #engine: CpuEngine;
  readonly #kernels: RegionKernels;
  readonly #rows: PlacedBodies;
  readonly #request: RegionRequest;
  readonly #at: number;
  readonly #regions: number;
  readonly #records: number;
  readonly #counters: number;
  #capacity = 1024;
  #list: number;
  #other: number;

  constructor(engine: CpuEngine, request: RegionRequest) {
    this.#engine = engine;
    this.#request = request;
    this.#kernels = engine.kernels(regionKernels);
    this.#rows = engine.part(createRows);
    const { memory } = this.#kernels;
    const sizes = [
      ...[layout.regionsBytes, 8 * request.regions.length, layout.RegionRecord.bytes * request.count],
      ...[layout.wordCounterBytes, 4 * this.#capacity, 4 * this.#capacity],
    ];
    [this.#at, this.#regions, this.#records, this.#counters, this.#list, this.#other] = memory.orNothing(() =>
      sizes.map(bytes => memory.allocate(bytes, `${request.count} regions`)),
    );
    this.#set(layout.RegionsJob.counters, this.#counters);
    this.#set(layout.RegionsJob.regions, this.#regions);
    this.#set(layout.RegionsJob.records, this.#records);
    this.#set(layout.RegionsJob.spheres, request.spheres ? 1 : 0);
    this.#set(layout.RegionsJob.want, wants[request.detail]);
    for (const [, field] of counted) {
      this.#kernels.memory.f64[(this.#at + field) / 8] = 0;
    }
  }

  free(): void {
    const { memory } = this.#kernels;
    for (const block of [this.#at, this.#regions, this.#records, this.#counters, this.#list, this.#other]) {
      memory.free(block);
    }
  }

  #set(offset: number, value: number): void {
    this.#kernels.memory.u32[(this.#at + offset) >>> 2] = value;
  }

  #get(offset: number): number {
    return this.#kernels.memory.u32[(this.#at + offset) >>> 2];
  }

  /** Searches the chosen regions in one body. Yields the share of all work that is done. */
  *run(
    body: Placed,
    box: Box,
    chosen: Uint32Array,
    given: GivenTriangles | undefined,
    { begun, share }: { readonly begun: number; readonly share: number },
  ): Generator<number, { records: Uint32Array; list: Uint32Array }> {
    const { call, memory } = this.#kernels;
    const { spheres } = this.#request;
    const scale = comfortableScale(box.reduce((most, x) => Math.max(most, Math.abs(x)), 0));
    const isStretched = spheres && needsBaking(body.pose, 0, body.shape.mesh.triangleCount);
    const seen = scale !== 1 || isStretched ? bake(body, scale) : body;
    const trees = treesOf(this.#engine);
    for (const _ of trees.make(seen.shape)) yield begun;
    const tree = trees.of(seen.shape);
    trees.hold(tree);
    let givenAt: readonly number[] = [];
    try {
      if (given !== undefined) givenAt = writeGiven(memory, tree, given);
      this.#set(layout.RegionsJob.given, givenAt[0] ?? 0);
      this.#set(layout.RegionsJob.givenWords, givenAt[1] ?? 0);
      if (spheres) this.#writeSpheres(chosen, scale);
      else this.#writeBoxes(body, box, chosen, scale);
      this.#set(layout.RegionsJob.count, chosen.length);
      this.#set(layout.RegionsJob.next, 0);
      this.#set(layout.RegionsJob.listCount, 0);
      for (;;) {
        // Another question may have placed another body here since the last slice.
        this.#set(layout.RegionsJob.body, this.#rows.single(seen));
        this.#set(layout.RegionsJob.list, this.#list);
        this.#set(layout.RegionsJob.other, this.#other);
        this.#set(layout.RegionsJob.listCapacity, this.#capacity);
        const state = call.searchRegions(this.#at, regionsAtOnce);
        if (state === done) break;
        if (state === full) this.#grow();
        yield begun + share * (this.#get(layout.RegionsJob.next) / chosen.length);
      }
      this.#count();
      const from = this.#records / 4;
      return {
        records: memory.u32.slice(from, from + recordWords * chosen.length),
        list: memory.u32.slice(this.#list / 4, this.#list / 4 + this.#get(layout.RegionsJob.listCount)),
      };
    } finally {
      trees.release(tree);
      for (const block of givenAt) memory.free(block);
    }
  }

  #writeBoxes(body: Placed, box: Box, chosen: Uint32Array, scale: number): void {
    const { f64 } = this.#kernels.memory;
    const { regions } = this.#request;
    let at = this.#regions / 8;
    const first = at;
    // With a margin, so that what lies within the region still lies clearly within it.
    const margin = Math.max(box[3] - box[0], box[4] - box[1], box[5] - box[2]);
    for (let i = 0; i < chosen.length; i++) {
      const from = 6 * chosen[i];
      for (let axis = 0; axis < 3; axis++) f64[at++] = Math.max(regions[from + axis], box[axis] - margin);
      for (let axis = 3; axis < 6; axis++) f64[at++] = Math.min(regions[from + axis], box[axis] + margin);
    }
    const written = f64.subarray(first, at);
    const isRounded =
      scale < 1 && (mayBeRounded(scale, written) || mayBeRounded(scale, bake(body, 1).shape.positions));
    if (scale !== 1) for (let i = 0; i < written.length; i++) written[i] *= scale;
    this.#set(layout.RegionsJob.rounded, isRounded ? 1 : 0);
  }

  #writeSpheres(chosen: Uint32Array, scale: number): void {
    const { f64 } = this.#kernels.memory;
    const { regions } = this.#request;
    let at = this.#regions / 8;
    for (let i = 0; i < chosen.length; i++) {
      for (let k = 0; k < 4; k++) f64[at++] = regions[4 * chosen[i] + k] * scale;
    }
    this.#set(layout.RegionsJob.rounded, 0);
  }

  /** Doubles the list. */
  #grow(): void {
    const { memory } = this.#kernels;
    const bytes = 8 * this.#capacity;
    const what = `a list of ${2 * this.#capacity} triangles`;
    this.#list = memory.enlarge(this.#list, bytes, what);
    this.#other = memory.replace(this.#other, bytes, what);
    this.#capacity *= 2;
    this.stats.growths++;
  }

  #count(): void {
    for (const [name, field] of counted) {
      this.stats[name] = this.#kernels.memory.f64[(this.#at + field) / 8];
    }
  }
}

const createRows = (engine: CpuEngine): PlacedBodies => new PlacedBodies(engine);
const createWalks = (engine: CpuEngine): Walks => new Walks(engine);

/** The boxes of all regions, six numbers each. Those of spheres are rounded outward. */
function regionBoxes({ regions, spheres, count }: RegionRequest): Float64Array {
  if (!spheres) return regions;
  const boxes = new Float64Array(6 * count);
  for (let i = 0; i < count; i++) {
    const radius = regions[4 * i + 3];
    for (let axis = 0; axis < 3; axis++) {
      const low = regions[4 * i + axis] - radius;
      const high = regions[4 * i + axis] + radius;
      // A difference is off by at most 2^-53 of itself.
      boxes[6 * i + axis] = low - Math.abs(low) * 2 ** -52 - Number.MIN_VALUE;
      boxes[6 * i + axis + 3] = high + Math.abs(high) * 2 ** -52 + Number.MIN_VALUE;
    }
  }
  return boxes;
}

/** Which regions have boxes that meet the box of each body. */
function* regionsByBody(
  engine: CpuEngine,
  boxes: readonly Box[],
  regions: Float64Array,
): Generator<number, readonly Uint32Array[]> {
  const lists: number[][] = boxes.map(() => []);
  const all = emptyBox();
  for (const box of boxes) {
    growBox(all, box[0], box[1], box[2]);
    growBox(all, box[3], box[4], box[5]);
  }
  const bodies = boxes.length < manyBodies ? undefined : bodyOfBoxes(boxes);
  const walks = engine.part(createWalks);
  const region = new Float64Array(6);
  try {
    for (let i = 0; i < regions.length / 6; i++) {
      // Cut down to the bodies' common box, which has finite ends.
      for (let axis = 0; axis < 3; axis++) {
        region[axis] = Math.max(regions[6 * i + axis], all[axis]);
        region[axis + 3] = Math.min(regions[6 * i + axis + 3], all[axis + 3]);
      }
      if (bodies === undefined) {
        for (let body = 0; body < boxes.length; body++)
          if (boxesMeet(boxes[body], region)) lists[body].push(i);
      } else {
        for (const place of walks.inBox(bodies.placed, region)) {
          const body = bodies.rows[place];
          if (boxesMeet(boxes[body], region)) lists[body].push(i);
        }
      }
      if (i % regionsAtOnce === regionsAtOnce - 1) yield 0;
    }
  } finally {
    if (bodies) engine.forget(bodies.placed.shape);
  }
  return lists.map(list => Uint32Array.from(list));
}
