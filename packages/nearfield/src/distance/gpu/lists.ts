// The lists a question about distances fills on the GPU. They report how long they should have been, and grow to that.

import { BodyLayout, FrameLayout, resultHead } from '../../candidates/gpu/layouts.ts';
import { GrowingBuffer, largestBinding } from '../../gpu/buffers/buffers.ts';
import type { Resources } from '../../gpu/kernel.ts';
import { DistanceResult } from './layouts.ts';

/** Records there is room for at first. */
export interface DistanceRoom {
  candidates: number;
  blockPairs: number;
  /** Pairs that may have been the nearest when they were found, and those that still are in the end. */
  listed: number;
  nearPairs: number;
}

export const usualDistanceRoom: DistanceRoom = {
  candidates: 256,
  blockPairs: 2 ** 16,
  listed: 2 ** 15,
  nearPairs: 4096,
};

const bytesOf = { candidates: 8, blockPairs: 12, listed: 16, nearPairs: 12 } as const;
const grown = ['candidates', 'blockPairs', 'listed', 'nearPairs'] as const;
/** With more pairs than this in all, every candidate is left to the CPU. */
export const mostPairs = 2 ** 23;
/** A candidate with more pairs than this is left to the CPU, whose search tells them apart with twice a double's digits. */
export const mostOfOne = 2 ** 11;

const names = [
  'bodies',
  'boxes',
  'candidates',
  'frames',
  'workItems',
  'results',
  'blockPairs',
  'listed',
  'nearPairs',
  'states',
  'gains',
] as const;

const countsOf = (head: Uint32Array): DistanceRoom => ({
  candidates: head[DistanceResult.candidates],
  blockPairs: head[DistanceResult.blockPairs],
  listed: Math.min(head[DistanceResult.listed], mostPairs),
  nearPairs: Math.min(head[DistanceResult.nearPairs], mostPairs),
});

export class DistanceLists {
  readonly #device: GPUDevice;
  readonly #room: DistanceRoom;
  readonly buffers: Readonly<Record<(typeof names)[number], GrowingBuffer>>;

  constructor(device: GPUDevice, room: DistanceRoom) {
    this.#device = device;
    this.#room = { ...room };
    const buffers = names.map(name => [name, new GrowingBuffer(device, `distances: ${name}`)] as const);
    this.buffers = Object.fromEntries(buffers) as typeof this.buffers;
  }

  /** How many candidates one go can take, however the lists grow. */
  get mostCandidates(): number {
    return Math.floor(largestBinding(this.#device) / FrameLayout.bytes);
  }
  get room(): Readonly<DistanceRoom> {
    return this.#room;
  }
  needCandidates(count: number): void {
    this.#room.candidates = Math.max(this.#room.candidates, count);
  }

  /** Makes every list as long as its room. */
  reserve(bodyCount: number): void {
    const {
      bodies,
      boxes,
      candidates,
      frames,
      workItems,
      results,
      blockPairs,
      listed,
      nearPairs,
      states,
      gains,
    } = this.buffers;
    bodies.reserve(BodyLayout.bytes * bodyCount);
    boxes.reserve(32 * bodyCount);
    candidates.reserve(bytesOf.candidates * this.#room.candidates);
    frames.reserve(FrameLayout.bytes * Math.min(this.#room.candidates, this.mostCandidates));
    // Kernels go by the number of frames; what runs beside them must be as long.
    const framed = Math.floor(frames.bytes / FrameLayout.bytes);
    workItems.reserve(4 * framed);
    states.reserve(4 * framed);
    gains.reserve(4 * framed);
    const paired = Math.floor(candidates.bytes / bytesOf.candidates);
    results.reserve(4 * (resultHead + Math.max(framed, paired)));
    blockPairs.reserve(bytesOf.blockPairs * this.#room.blockPairs);
    listed.reserve(bytesOf.listed * this.#room.listed);
    nearPairs.reserve(bytesOf.nearPairs * this.#room.nearPairs);
  }

  bind(resources: Resources): void {
    for (const name of names) resources.set(name, this.buffers[name].buffer);
    resources.set('scanState', this.buffers.results.buffer);
    resources.set('scanValues', this.buffers.workItems.buffer);
  }

  /** Whether there was room for what the counts say, up to the pairs that matter in the end. */
  held(head: Uint32Array): boolean {
    const counts = countsOf(head);
    return grown.every(name => name === 'nearPairs' || counts[name] <= this.capacity(name));
  }

  /** Makes room for what the counts say; false where there was enough. */
  grow(head: Uint32Array): boolean {
    const counts = countsOf(head);
    let any = false;
    for (const name of grown) {
      if (counts[name] <= this.capacity(name)) continue;
      this.#room[name] = Math.ceil(1.25 * counts[name]);
      any = true;
    }
    return any;
  }

  /** Records a list has room for as it is. */
  capacity(name: keyof DistanceRoom): number {
    const listed = Math.floor(this.buffers[name].bytes / bytesOf[name]);
    if (name !== 'candidates') return listed;
    return Math.min(listed, Math.floor(this.buffers.frames.bytes / FrameLayout.bytes));
  }

  destroy(): void {
    for (const name of names) this.buffers[name].destroy();
  }
}
