import { createHash } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import type { Pixels } from '@nearfield/io/png';
import { describe, expect, it } from 'vitest';
import { spans } from '../text/sentences.ts';
import { drawPair, rememberNormals } from './draw/picture.ts';
import { type ReportOptions, writeReport as write } from './report.ts';
import { ball, cube, inputOf, pairOf } from './test-bodies.ts';
import type { ReportInput, ReportPair } from './types.ts';

/** A page accepts any text as a picture. This one depends on all pixels, and is faster to make than a PNG. */
const digestUri = ({ data }: Pixels): string =>
  `data:image/png;base64,${createHash('sha256').update(data).digest('base64')}`;
const writePage = (input: ReportInput, options: ReportOptions = {}) =>
  write(input, digestUri, { samples: 1, ...options });
/** The page without its scripts and data, which no reader sees. */
const writeReport = async (input: ReportInput, options: ReportOptions = {}) =>
  (await writePage(input, options)).replace(/<script[^>]*>[\s\S]*?<\/script>/g, '');
const few = (): ReportInput =>
  inputOf(
    [
      cube('base', [0, 0, 0], 4),
      cube('lid <b>&"\'', [2, 2, 2], 2),
      cube('nut', [0, 0, 0], 1),
      cube('lid', [2, 2, 2], 2),
    ],
    [
      pairOf(0, 1, 'crossing'),
      pairOf(0, 2, 'contains'),
      pairOf(0, 3, 'touching'),
      pairOf(1, 3, 'coincident'),
    ],
  );
const pictureSize = { width: 300, height: 200, samples: 1 };
/** Pixels in which the first of two colour channels clearly outweighs the second. */
function pixelsWith(data: Uint8Array, more: number, less: number): number {
  let found = 0;
  for (let i = 0; i < data.length; i += 4) {
    if (data[i + 3] > 200 && data[i + more] > 1.5 * data[i + less]) found++;
  }
  return found;
}
const [red, green, blue] = [0, 1, 2];
const count = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].length;

describe('writeReport', async () => {
  const html = await writeReport({ ...few(), title: 'Press <1>' });
  const whole = await writePage(few());

  it('is one page that loads no other file', async () => {
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).not.toMatch(/https?:|<script|<link|@import|url\(/);
    const opened = [...whole.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes);
    expect(opened).toEqual([
      ' type="application/json" id="pair-data"',
      ' type="application/json" id="geometry"',
      ' type="text/plain" id="viewer-code"',
      '',
    ]);
    for (const [, source] of html.matchAll(/src="([^"]*)"/g))
      expect(source).toMatch(/^data:image\/png;base64,/);
    for (const tag of [
      'html',
      'head',
      'body',
      'main',
      'section',
      'dialog',
      'button',
      'table',
      'tr',
      'td',
      'figure',
      'details',
      'div',
      'a',
      'ul',
      'li',
    ]) {
      expect(count(html, new RegExp(`<${tag}[ >]`, 'g')), tag).toBe(
        count(html, new RegExp(`</${tag}>`, 'g')),
      );
    }
  });

  it('escapes names', async () => {
    expect(html).toContain('lid &lt;b&gt;&amp;&quot;&#39;');
    expect(html).not.toContain('lid <b>');
    expect(html).toContain('<title>Press &lt;1&gt;</title>');
  });

  it('has an overview, and a picture and a row per pair, the most important first', async () => {
    expect(count(html, /<img /g)).toBe(5);
    const order = [...html.matchAll(/<td><span class="badge (\w+)"/g)].map(match => match[1]);
    expect(order).toEqual(['crossing', 'coincident', 'contains', 'touching']);
    expect(html).toContain('<p class="lead bad">3 clashes to fix; 1 pair touches.</p>');
    for (const n of [1, 2, 3, 4]) expect(html).toContain(`id="pair-${n}"`);
    // Pins for interferences, not for contact.
    expect(count(html, /class="pin"/g)).toBe(3);
    expect(html).toContain('4 bodies with 48 triangles: 4 pairs meet.');
    expect(html).toContain('1.25 ms on the CPU (a processor)');
  });

  it('says which pictures and rows it leaves out', async () => {
    const short = await writeReport(few(), { pictures: 2, rows: 3 });
    expect(count(short, /<img /g)).toBe(3);
    expect(short).toContain('Pictures of 2 of the 4 pairs');
    expect(short).toContain('The first 3 of 4 rows');
    expect(short).not.toContain('href="#pair-3"');
    const many = Array.from({ length: 9 }, (_, i) => cube(`part ${i}`, [0, 0, i], 1));
    const touching = many.slice(1).map((_, i) => pairOf(i, i + 1, 'touching'));
    // Pairs that only touch get few pictures, and none if enough others have one.
    expect(count(await writeReport(inputOf(many, touching)), /class="card"/g)).toBe(6);
    const clashes = touching.map(pair => ({ ...pair, relation: 'crossing' as const }));
    const mixed = [...clashes.slice(0, 7), touching[7]];
    expect(count(await writeReport(inputOf(many, mixed)), /class="card"/g)).toBe(7);
    const forgiven = clashes.map(pair => ({ ...pair, verdict: 'within-rounding' as const }));
    expect(count(await writeReport(inputOf(many, forgiven)), /class="card"/g)).toBe(0);
  });

  it('shows pairs that are too close: their distance, and a line between the nearest points', async () => {
    const bodies = [cube('wall', [0, 0, 0], 2), cube('pipe', [2.1, 0, 0], 2)];
    const near: ReportPair = {
      ...{ a: 0, b: 1, relation: 'separate', triangles: new Uint32Array(0), triangleCount: 0 },
      ...{ distance: 0.1, pointA: Float64Array.of(1, 0, 0), pointB: Float64Array.of(1.1, 0, 0) },
    };
    const close = await writeReport({ ...inputOf(bodies, [near]), clearance: 0.25 });
    expect(close).toContain('2 bodies with 24 triangles: no pair meets; 1 pair is closer than 0.25.');
    expect(close).toContain('<td><span class="badge separate">too close</span></td>');
    expect(close).toContain('<td class="n">0.1</td>');
    expect(count(close, /<img /g)).toBe(2);
    expect(count(close, /class="pin"/g)).toBe(1);
    expect(close).not.toContain('bodies that clash');
    const { data } = drawPair({ bodies, pairs: [near] }, near, rememberNormals(), pictureSize).pixels;
    // The bodies are blue and amber; only the line has much more blue than green, and more red.
    const line = data.filter(
      (_, i) => i % 4 === red && data[i] > 150 && data[i + blue] > 1.5 * data[i + green],
    );
    expect(line.length).toBeGreaterThan(10);
  });

  it('lists pairs that are too close before pairs that touch', async () => {
    const bodies = [cube('wall', [0, 0, 0], 2), cube('pipe', [2.1, 0, 0], 2), cube('lid', [0, 0, 2], 2)];
    const near: ReportPair = {
      ...{ a: 0, b: 1, relation: 'separate', triangles: new Uint32Array(0), triangleCount: 0 },
      ...{ distance: 0.1, pointA: Float64Array.of(1, 0, 0), pointB: Float64Array.of(1.1, 0, 0) },
    };
    const listed = await writeReport(inputOf(bodies, [pairOf(0, 2, 'touching'), near]), { pictures: 1 });
    expect(listed).toContain('alt="wall and pipe: too close"');
    expect(listed).not.toContain('alt="wall and lid: touching"');
  });

  it('paints contact in another colour than crossings', async () => {
    const bodies = [cube('wall', [0, 0, 0], 2), cube('pipe', [2, 0.5, 0], 2)];
    const [touching, crossing] = (['touching', 'crossing'] as const).map(relation => {
      const pair = pairOf(0, 1, relation);
      return drawPair({ bodies, pairs: [pair] }, pair, rememberNormals(), pictureSize).pixels.data;
    });
    expect(pixelsWith(crossing, red, green)).toBeGreaterThan(1000);
    expect(pixelsWith(touching, green, red)).toBeGreaterThan(1000);
    // Only amber still has red.
    expect(pixelsWith(touching, red, green)).toBeLessThan(100);
  });

  it('explains only visible things in the legend', async () => {
    expect(html).toContain('bodies that clash');
    expect(html).toContain('Click a number for its picture below.');
    const apart = await writeReport(inputOf([cube('a', [0, 0, 0], 1), cube('b', [5, 0, 0], 1)], []));
    expect(apart).toContain('<figcaption></figcaption>');
  });

  it('is the same every time', async () => {
    expect(await writeReport({ ...few(), title: 'Press <1>' })).toBe(html);
    expect((await writePage(few())) === whole).toBe(true);
  });

  it('allows its own scripts and nothing else', async () => {
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(whole)![1];
    const code = /<script>([\s\S]*?)<\/script>/.exec(whole)![1];
    const packed = /id="viewer-code">([^<]+)</.exec(whole)![1];
    const viewer = inflateRawSync(Buffer.from(packed, 'base64'));
    for (const script of [code, viewer]) {
      expect(policy).toContain(`'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    }
    expect(policy).toMatch(/^default-src 'none';/);
    expect(policy).not.toMatch(/https?:|\*|script-src[^;]*unsafe/);
    expect(viewer.toString()).not.toMatch(/<\/script|<!--/);
  });

  it('draws in turns: the share that is done grows to 1, and a signal ends it within a picture', async () => {
    const shares: number[] = [];
    await writePage(few(), { progress: share => shares.push(share) });
    expect(shares.length).toBeGreaterThanOrEqual(5);
    expect(shares).toEqual([...shares].sort((p, q) => p - q));
    expect(shares.at(-1)).toBe(1);
    const controller = new AbortController();
    const large = inputOf([ball('a', 0, 200), ball('b', 1, 200)], [pairOf(0, 1, 'crossing')]);
    const reports: number[] = [];
    const options = { signal: controller.signal, progress: (share: number) => reports.push(share) };
    // A timer fires only if the drawing lets it.
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(writePage(large, { ...options, samples: 4 })).rejects.toThrow('enough');
    // Within the first of two pictures.
    expect(Math.max(0, ...reports)).toBeLessThan(0.4);
  });

  it('reports an assembly without interferences', async () => {
    const apart = await writeReport(inputOf([cube('a', [0, 0, 0], 1), cube('b', [5, 0, 0], 1)], []));
    expect(apart).toContain('no pair meets');
    expect(apart).toContain('All bodies are separate.');
    expect(count(apart, /<img /g)).toBe(1);
    expect(count(await writeReport(inputOf([], [])), /<img /g)).toBe(0);
    const empty = { ...cube('empty', [0, 0, 0], 1), triangles: 0, indices: new Uint32Array(0) };
    expect(await writeReport(inputOf([empty, cube('b', [5, 0, 0], 1)], []))).toContain('empty');
  });

  it('draws a contact in one point, a flat body, and bodies far from the origin', async () => {
    const far = 2 ** 20;
    const corner = pairOf(0, 1, 'touching');
    const point = inputOf(
      [cube('a', [far, far, far], 1), cube('b', [far + 1, far + 1, far + 1], 1)],
      [{ ...corner, triangles: corner.triangles.subarray(0, 2), triangleCount: 1 }],
    );
    expect(count(await writeReport(point), /<img /g)).toBe(2);
    const flat = cube('flat', [0, 0, 0], 1);
    for (let i = 2; i < 24; i += 3) flat.positions[i] = 0;
    expect(
      count(
        await writeReport(inputOf([flat, cube('b', [0.5, 0, 0], 1)], [pairOf(0, 1, 'crossing')])),
        /<img /g,
      ),
    ).toBe(2);
  });
});

describe('a motion', async () => {
  const still = [cube('post', [0, 0, 0], 2), cube('arm', [9, 0, 0], 2)];
  const armAt = (x: number) => cube('arm', [x, 0, 0], 2);
  const state = (relation: ReportPair['relation'], triangleCount: number) => ({
    ...{ a: 0, b: 1, relation, triangleCount },
  });
  const frames = [
    { frame: 2, pairs: [state('touching', 4)] },
    { frame: 3, pairs: [state('crossing', 20)] },
    { frame: 4, pairs: [state('crossing', 24)] },
    { frame: 7, pairs: [state('touching', 4)] },
  ];
  const asked: number[][] = [];
  const input: ReportInput = {
    ...inputOf(still, [{ ...pairOf(0, 1, 'crossing'), when: { frame: 4, frames: [2, 3, 4, 7] } }]),
    motion: {
      ...{ frameCount: 9, frame: 3, frames },
      bodyAt: (index, frame) => {
        asked.push([index, frame]);
        return index === 1 ? armAt(1) : still[index];
      },
    },
  };
  const html = await writeReport(input);

  it('has every frame in which something meets, and each pair in its worst frame', async () => {
    expect(html).toContain('2 bodies with 24 triangles, 9 frames: 1 pair meets, in 4 frames.');
    const rows = [...html.matchAll(/<tr><td class="n">(\d+)<\/td><td><span class="badge (\w+)/g)];
    expect(rows.map(([, frame, relation]) => `${frame} ${relation}`)).toEqual([
      '2 touching',
      '3 crossing',
      '4 crossing',
      '7 touching',
    ]);
    expect(html).toContain('<td class="n">4</td><td>2–4, 7</td>');
    expect(html).toContain('4 frames of 9 (0 to 8) in which something meets.');
    expect(asked).toEqual([
      [0, 4],
      [1, 4],
    ]);
    // The overview shows frame 3, where a pin of frame 4 would be out of place.
    expect(html).toContain('Frame 3.');
    expect(count(html, /class="pin"/g)).toBe(0);
  });

  it('says how many frames it leaves out', async () => {
    const short = await writeReport(input, { rows: 3 });
    expect(short).toContain('The first 3 of 4 rows');
    expect(short).not.toMatch(/<td class="n">7<\/td>/);
  });

  it('names the first few ranges of frames', async () => {
    expect(spans([5])).toBe('5');
    expect(spans([0, 1, 2, 4, 6, 7])).toBe('0–2, 4, 6–7');
    expect(spans([0, 2, 4, 6, 8, 9])).toBe('0, 2, 4, 6, … (6 in all)');
  });
});
