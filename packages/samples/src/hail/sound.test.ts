import { expect, test } from 'vitest';
import { materials, plateShapes } from './sound/modes.ts';
import { playSamples } from './sound/play.ts';
import { type Sounding, Synthesiser, synthesise } from './sound/synthesise.ts';
import { encodeWave } from './sound/wave-file.ts';

const rate = 44_100;
const thing = (material: Sounding['material'], changes: Partial<Sounding> = {}): Sounding => ({
  ...{ material, left: 1, right: 0.5, delay: 0 },
  ...changes,
});

/** The amount of a frequency: one term of a discrete Fourier transform, under a Hann window. */
function amount(samples: Float32Array, frequency: number): number {
  let [real, imaginary] = [0, 0];
  for (let n = 0; n < samples.length; n++) {
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / samples.length);
    const angle = (2 * Math.PI * frequency * n) / rate;
    real += window * samples[n] * Math.cos(angle);
    imaginary += window * samples[n] * Math.sin(angle);
  }
  return Math.hypot(real, imaginary);
}

const strike = { time: 0.1, thing: 0, speed: 2 };

test.each(Object.entries(materials))('%s rings at its modes and not between them', (_, material) => {
  const [left] = synthesise([strike], [thing(material)], { seconds: 0.6 });
  const spectrum = left.subarray(Math.ceil(0.1 * rate));
  const frequencies = material.modes.map(({ frequency }) => frequency);
  for (const [i, frequency] of frequencies.entries()) {
    // A mode that decays quickly is wide: measure three of its widths aside.
    const aside = 3 * Math.max(20, 2.2 / material.modes[i].decay);
    const beside = [frequency - aside, frequency + aside].filter(
      other => other > 0 && frequencies.every(f => f === frequency || Math.abs(f - other) > aside),
    );
    for (const other of beside) {
      expect(amount(spectrum, frequency), `${frequency} beside ${other}`).toBeGreaterThan(
        amount(spectrum, other),
      );
    }
  }
});

test('is silent before the sound arrives, and decays', () => {
  const [left, right] = synthesise([strike], [thing(materials.wood, { delay: 0.05 })], { seconds: 1 });
  const first = left.findIndex(sample => sample !== 0);
  expect(first).toBeGreaterThanOrEqual(Math.floor(0.15 * rate));
  expect(first).toBeLessThanOrEqual(Math.ceil(0.15 * rate) + 1);
  expect(right.every((sample, n) => Math.abs(sample - 0.5 * left[n]) < 1e-6)).toBe(true);
  const loudest = (from: number, to: number) =>
    Math.max(...left.subarray(from * rate, to * rate).map(Math.abs));
  expect(loudest(0.9, 1)).toBeLessThan(1e-3 * loudest(0.15, 0.25));
});

test('twice as hard is twice as loud, and strikes add up', () => {
  const things = [thing(materials.tin)];
  const sound = (...strikes: { time: number; thing: number; speed: number }[]) =>
    synthesise(strikes, things, { seconds: 0.3 })[0];
  const [one, two] = [sound(strike), sound({ ...strike, speed: 4 })];
  const later = { ...strike, time: 0.123_456 };
  const [other, both] = [sound(later), sound(later, strike)];
  for (let n = 0; n < one.length; n += 7) {
    expect(two[n]).toBeCloseTo(2 * one[n], 6);
    expect(both[n]).toBeCloseTo(one[n] + other[n], 6);
  }
});

test('blocks join: the same samples as in one piece', () => {
  const things = [thing(materials.copper), thing(materials.glass, { delay: 0.01 })];
  const strikes = [strike, { time: 0.25, thing: 1, speed: 5 }, { time: 0.2501, thing: 0, speed: 1 }];
  const whole = synthesise(strikes, things, { seconds: 0.5 })[0];
  const synthesiser = new Synthesiser(things, rate);
  const blocks: number[] = [];
  for (const count of [1, 4000, 4405, 2600, 44, 11_000]) {
    // One look-ahead early.
    synthesiser.add(
      strikes.filter(({ time }) => time >= synthesiser.time && time < synthesiser.time + count / rate),
    );
    blocks.push(...synthesiser.next(count)[0]);
  }
  expect(blocks).toEqual([...whole.subarray(0, blocks.length)]);
});

test('a mode is silent where its shape does not move', () => {
  const material = materials.wood;
  const data = plateShapes(material, 64);
  if (!('width' in data)) throw new Error('plates have their data per texel');
  const texel = (column: number, row: number) =>
    data.values.subarray(
      material.modes.length * (row * 64 + column),
      material.modes.length * (row * 64 + column + 1),
    );
  // Halfway across, the second mode (2, 1) stands still but for half a texel.
  expect(Math.abs(texel(32, 32)[1])).toBeLessThan(0.06);
  expect(texel(32, 32)[0]).toBeGreaterThan(0.99);
  const shaped = synthesise([{ ...strike, shape: texel(32, 32) }], [thing(material)], { seconds: 0.5 })[0];
  const plain = synthesise([strike], [thing(material)], { seconds: 0.5 })[0];
  const [, second] = material.modes;
  expect(amount(shaped, second.frequency)).toBeLessThan(0.2 * amount(plain, second.frequency));
});

test('a WAV file has the right header, and nothing is clipped', () => {
  const left = Float32Array.of(0, 0.5, -3, 1);
  const bytes = encodeWave([left, left.map(x => -x)], 22_050);
  const view = new DataView(bytes.buffer);
  const text = (at: number, length: number) => String.fromCharCode(...bytes.subarray(at, at + length));
  expect([text(0, 4), text(8, 8), text(36, 4)]).toEqual(['RIFF', 'WAVEfmt ', 'data']);
  expect([view.getUint32(4, true), view.getUint32(40, true)]).toEqual([44 + 16 - 8, 16]);
  expect([20, 22, 32, 34].map(at => view.getUint16(at, true))).toEqual([1, 2, 4, 16]);
  expect([24, 28].map(at => view.getUint32(at, true))).toEqual([22_050, 88_200]);
  const samples = [0, 1, 2, 3].map(n => view.getInt16(44 + 4 * n, true) / 32_767);
  for (const [n, sample] of samples.entries()) expect(sample).toBeCloseTo(left[n] * 0.3, 4);
  expect(view.getInt16(46 + 4 * 2, true)).toBe(-view.getInt16(44 + 4 * 2, true));
  // Quiet sound stays quiet.
  const quiet = encodeWave([Float32Array.of(0.25), Float32Array.of(0.25)], rate);
  expect(new DataView(quiet.buffer).getInt16(44, true)).toBe(Math.round(0.25 * 32_767));
});

test('a page plays blocks one after the other', () => {
  const started: [number, number][] = [];
  const context = {
    currentTime: 2,
    destination: {},
    createBuffer: (_: number, length: number) => ({ length, copyToChannel: () => {} }),
    createBufferSource: () => ({
      buffer: undefined as unknown,
      connect: () => {},
      start(when: number) {
        started.push([when, (this.buffer as { length: number }).length]);
      },
    }),
  };
  const block = [new Float32Array(441), new Float32Array(441)] as const;
  const end = playSamples(context, block, rate, 1);
  expect(end).toBeCloseTo(2.01, 12);
  playSamples(context, block, rate, end);
  expect(started).toEqual([
    [2, 441],
    [end, 441],
  ]);
});
