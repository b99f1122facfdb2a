// Plays samples in a page with Web Audio: each block is scheduled in the context's time after the block before it.

import type { Channels } from './synthesise.ts';

/** The part of a BaseAudioContext that playing needs. */
export interface Speaker {
  readonly currentTime: number;
  readonly destination: object;
  createBuffer(
    channels: number,
    length: number,
    rate: number,
  ): { copyToChannel(samples: Float32Array<ArrayBuffer>, channel: number): void };
  createBufferSource(): { buffer: unknown; connect(to: never): unknown; start(when: number): void };
}

/**
 * Plays the samples at `when` of the context's time, or at once if that has passed. Returns when they end, which is
 * where the next block goes. Impacts requested one look-ahead early (`particles.seek(t, { lookAhead })`) are heard
 * when they are seen.
 */
export function playSamples(
  context: Speaker,
  [left, right]: Channels,
  rate: number,
  when = context.currentTime,
  loudness = 0.2,
): number {
  const buffer = context.createBuffer(2, left.length, rate);
  buffer.copyToChannel(left.map(sample => Math.tanh(loudness * sample)) as Float32Array<ArrayBuffer>, 0);
  buffer.copyToChannel(right.map(sample => Math.tanh(loudness * sample)) as Float32Array<ArrayBuffer>, 1);
  const source = context.createBufferSource();
  source.buffer = buffer;
  source.connect(context.destination as never);
  const start = Math.max(when, context.currentTime);
  source.start(start);
  return start + left.length / rate;
}
