// The lists a query fills on the GPU. They report how long they should have been, and grow to that.

import { BodyLayout, FrameLayout, resultHead } from '../../../candidates/gpu/layouts.ts';
import { buffersReplaced, GrowingBuffer, largestBinding } from '../../../gpu/buffers/buffers.ts';
import type { Resources } from '../../../gpu/kernel.ts';
import { Result } from './layouts.ts';

/** Records there is room for at first. Lists grow to what a query asked for and stay there. */
export interface Room {
  candidates: number;
  leafPairs: number;
  certain: number;
  unsure: number;
  nodePairs: number;
  /** The most candidates taken in one go; as many as the device can bind frames for where left out. */
  atOnce?: number;
}

type Growing = Exclude<keyof Room, 'atOnce'>;

const recordBytes: Record<Growing, number> = {
  candidates: 8,
  leafPairs: 12,
  certain: 12,
  unsure: 12,
  nodePairs: 12,
};

/** Six corners of three singles. */
export const cornerBytes = 72;

export class QueryLists {
  readonly #device: GPUDevice;
  readonly #room: Room;
  /** Bodies that there is room for, and what `buffersReplaced` said then; −1 where the room has changed since. */
  #reservedBodies = -1;
  #reservedAt = -1;
  /** By the names the kernels know them by. */
  readonly buffers: Readonly<
    Record<
      | 'bodies'
      | 'boxes'
      | 'candidates'
      | 'frames'
      | 'workItems'
      | 'leafPairs'
      | 'certainPairs'
      | 'unsurePairs'
      | 'unsureCorners'
      | 'results',
      GrowingBuffer
    >
  >;

  constructor(device: GPUDevice, room: Room) {
    this.#device = device;
    this.#room = { ...room };
    const list = (label: string) => new GrowingBuffer(device, label);
    this.buffers = {
      bodies: list('bodies'),
      boxes: list('body boxes'),
      candidates: list('candidates'),
      frames: list('pair frames'),
      workItems: list('work items'),
      leafPairs: list('leaf pairs'),
      certainPairs: list('certain pairs'),
      unsurePairs: list('unsure pairs'),
      unsureCorners: list('unsure corners'),
      results: list('results'),
    };
  }

  /** How many candidates one go can take, however the lists grow. */
  get mostAtOnce(): number {
    const bindable = Math.floor(largestBinding(this.#device) / FrameLayout.bytes);
    return Math.min(bindable, this.#room.atOnce ?? bindable);
  }

  get room(): Readonly<Room> {
    return this.#room;
  }

  needCandidates(count: number): void {
    if (count <= this.#room.candidates) return;
    this.#room.candidates = count;
    this.#reservedAt = -1;
  }

  needNodePairs(count: number): void {
    this.#room.nodePairs = this.#roomFor('nodePairs', count);
  }

  bind(resources: Resources): void {
    const { buffers } = this;
    resources.set('bodies', buffers.bodies.buffer);
    resources.set('boxes', buffers.boxes.buffer);
    resources.set('candidates', buffers.candidates.buffer);
    resources.set('frames', buffers.frames.buffer);
    resources.set('workItems', buffers.workItems.buffer);
    resources.set('leafPairs', buffers.leafPairs.buffer);
    resources.set('certainPairs', buffers.certainPairs.buffer);
    resources.set('unsurePairs', buffers.unsurePairs.buffer);
    resources.set('unsureCorners', buffers.unsureCorners.buffer);
    resources.set('results', buffers.results.buffer);
    resources.set('scanState', buffers.results.buffer);
    resources.set('scanValues', buffers.workItems.buffer);
  }

  /** Makes every list as long as its room. */
  reserve(bodyCount: number): void {
    const { buffers } = this;
    if (bodyCount <= this.#reservedBodies && this.#reservedAt === buffersReplaced()) return;
    buffers.bodies.reserve(BodyLayout.bytes * bodyCount);
    buffers.boxes.reserve(32 * bodyCount);
    buffers.candidates.reserve(recordBytes.candidates * this.#room.candidates);
    // Kernels go by the number of frames; what runs beside them must be as long.
    buffers.frames.reserve(FrameLayout.bytes * Math.min(this.#room.candidates, this.mostAtOnce));
    const frames = Math.floor(buffers.frames.bytes / FrameLayout.bytes);
    buffers.workItems.reserve(4 * frames);
    const listed = Math.floor(buffers.candidates.bytes / recordBytes.candidates);
    buffers.results.reserve(4 * (resultHead + Math.max(frames, listed)));
    buffers.leafPairs.reserve(recordBytes.leafPairs * this.#room.leafPairs);
    buffers.certainPairs.reserve(recordBytes.certain * this.#room.certain);
    buffers.unsurePairs.reserve(recordBytes.unsure * this.#room.unsure);
    this.#reservedBodies = bodyCount;
    this.#reservedAt = buffersReplaced();
  }

  /** As long as the unsure pairs, of a query that wants them. */
  reserveCorners(): void {
    const { unsurePairs, unsureCorners } = this.buffers;
    unsureCorners.reserve(cornerBytes * Math.floor(unsurePairs.bytes / recordBytes.unsure));
  }

  /** Makes room for what a query's counts say; false where there was enough. Candidates alone need no frames. */
  grow(head: Uint32Array, broadOnly = false): boolean {
    let grown = false;
    const { candidates, leafPairs, certainPairs, unsurePairs } = this.buffers;
    const lists = { candidates, leafPairs, certain: certainPairs, unsure: unsurePairs };
    for (const name of Object.keys(lists) as (keyof typeof lists)[]) {
      const count = head[Result[name]];
      const listed = Math.floor(lists[name].bytes / recordBytes[name]);
      const framed = Math.floor(this.buffers.frames.bytes / FrameLayout.bytes);
      if (count <= (name === 'candidates' && !broadOnly ? Math.min(listed, framed) : listed)) continue;
      this.#room[name] = this.#roomFor(name, count);
      this.#reservedAt = -1;
      grown = true;
    }
    return grown;
  }

  destroy(): void {
    for (const list of Object.values(this.buffers)) list.destroy();
  }

  /** A quarter more than needed, as far as the device allows. */
  #roomFor(name: Growing, count: number): number {
    const most = Math.floor(largestBinding(this.#device) / recordBytes[name]);
    return Math.max(count, Math.min(most, Math.ceil(1.25 * count)));
  }
}
