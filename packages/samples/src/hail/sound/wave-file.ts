// Samples as a WAV file: 16 bits per sample, two channels (RIFF/WAVE, format 1).

import type { Channels } from './synthesise.ts';

/** The maximum amplitude of a file; quieter sound stays as it is. */
const loudest = 0.9;

/** If samples exceed 0.9, all are scaled down equally: nothing is clipped. */
export function encodeWave([left, right]: Channels, rate: number): Uint8Array {
  let peak = 0;
  for (const channel of [left, right]) {
    for (const sample of channel) if (Math.abs(sample) > peak) peak = Math.abs(sample);
  }
  const scale = 32_767 * Math.min(1, loudest / (peak || 1));
  const bytes = new Uint8Array(44 + 4 * left.length);
  const view = new DataView(bytes.buffer);
  const text = (at: number, word: string) => {
    for (let i = 0; i < word.length; i++) bytes[at + i] = word.charCodeAt(i);
  };
  text(0, 'RIFF');
  view.setUint32(4, bytes.length - 8, true);
  text(8, 'WAVEfmt ');
  view.setUint32(16, 16, true);
  view.setUint16(20, 1, true);
  view.setUint16(22, 2, true);
  view.setUint32(24, rate, true);
  view.setUint32(28, 4 * rate, true);
  view.setUint16(32, 4, true);
  view.setUint16(34, 16, true);
  text(36, 'data');
  view.setUint32(40, 4 * left.length, true);
  for (let n = 0; n < left.length; n++) {
    view.setInt16(44 + 4 * n, Math.round(scale * left[n]), true);
    view.setInt16(46 + 4 * n, Math.round(scale * right[n]), true);
  }
  return bytes;
}
