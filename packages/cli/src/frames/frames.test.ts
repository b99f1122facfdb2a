// The frames of a motion on several threads: the same answer as one after the other, whatever becomes of the threads.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type CheckQuestion, checkAssembly, parseRules } from '@nearfield/clashes';
import { type CpuNearfield, open } from 'nearfield';
import { box, createRandom, icosphere } from 'nearfield/shapes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limitMachine } from '../backend.ts';
import { findFrames } from './frames.ts';

let nf: CpuNearfield;
beforeAll(async () => {
  nf = await open({ backend: 'cpu', threads: 1 });
});
afterAll(() => nf.close());
beforeEach(() => limitMachine({ threads: 3 }));
afterEach(() => limitMachine({}));

const shifted = (x: number, y: number, z: number) =>
  Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, x, y, z, 1);

/** Boxes and spheres, of which some move in every frame, some in a few, and some never. */
function question(changes: Partial<CheckQuestion> = {}): CheckQuestion {
  const random = createRandom(11);
  const meshes = [box(), icosphere({ frequency: 3 })];
  const at = () => Math.round(8 * random.next()) / 2;
  const bodies = Array.from({ length: 16 }, (_, i) => ({
    ...{ name: `part ${i}`, file: 'parts.obj', mesh: meshes[i % 2], rounding: 1e-9 },
    pose: shifted(at(), at(), at()),
  }));
  const frames = Array.from({ length: 24 }, (_, frame) => {
    const moved = bodies.flatMap((__, i) =>
      i < 4 || (i < 12 && (frame + i) % 5 === 0) ? [[i, shifted(at(), random.next(), at())] as const] : [],
    );
    return new Map(moved);
  });
  return {
    ...{ bodies, motion: { isMotion: true, frames }, method: 'hierarchy', samples: false },
    ...{ keepTriangles: 'none', readTime: 0, openTime: 0, version: 'test', progress: () => {} },
    ...changes,
  };
}

/** The answer without its times. */
async function answerTo(asked: CheckQuestion): Promise<unknown> {
  const { answer, notes } = await checkAssembly(nf, asked);
  const { timing: _, ...rest } = answer;
  return { ...rest, notes };
}

describe('frames on threads', () => {
  it.each<[string, Partial<CheckQuestion>]>([
    ['what meets', {}],
    ['points and triangles', { points: true, keepTriangles: 'all' }],
    ['clearances', { clearance: 0.25 }],
    ['all depths, forgiven up to a tolerance', { depths: 'all', tolerance: 0.1, identities: true }],
    ['depths of some rows, and volumes', { depths: 'shown', rows: 3, volumes: true }],
    [
      'rules',
      {
        rules: parseRules(
          'rules.json',
          JSON.stringify({
            sets: { some: { name: 'part 1*' }, all: { name: '*' } },
            tests: [{ name: 'some against all', between: ['some', 'all'], clearance: 0.5 }],
          }),
        ),
      },
    ],
  ])('have the same answer: %s', async (_, changes) => {
    const asked = question(changes);
    const shown: number[] = [];
    const found = await findFrames(
      nf,
      { ...asked, progress: (__, done) => shown.push(done) },
      { long: -1, waitsForOthers: true },
    );
    expect(await answerTo({ ...asked, found })).toEqual(await answerTo(asked));
    expect(found!.foundByOthers).toBeGreaterThan(0);
    expect(shown.every((done, i) => done > (shown[i - 1] ?? 0))).toBe(true);
    expect(shown.at(-1)).toBe(1);
  });

  it.each([2, 5])('have the same answer with %i threads', async threads => {
    limitMachine({ threads });
    const asked = question({ points: true, depths: 'all', clearance: 0.25 });
    const found = await findFrames(nf, asked, { long: -1, waitsForOthers: true });
    expect(await answerTo({ ...asked, found })).toEqual(await answerTo(asked));
    expect(found!.foundByOthers).toBeGreaterThan(0);
  });

  it.each(['of the search', 'that fail'])(
    'have the same answer if many threads begin at once: threads %s',
    async kind => {
      limitMachine({ threads: 8 });
      const few = question().motion!.frames;
      const frames = Array.from({ length: 264 }, (_, i) => few[(i * 7) % few.length]);
      const asked = question({ motion: { isMotion: true, frames } });
      const folder = mkdtempSync(join(tmpdir(), 'nearfield-frames-'));
      try {
        const url = kind === 'that fail' ? pathToFileURL(join(folder, 'missing.mjs')) : undefined;
        const found = await findFrames(nf, asked, { url });
        expect(await answerTo({ ...asked, found })).toEqual(await answerTo(asked));
        expect(found!.foundByOthers).toBe(url ? 0 : 264);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('end if a pose of many frames is bad', async () => {
    const asked = question();
    const few = asked.motion!.frames;
    const frames = Array.from({ length: 300 }, (_, i) =>
      i === 270 ? new Map([...few[0], [0, new Float64Array(16)]]) : few[i % few.length],
    );
    const bad = question({ motion: { isMotion: true, frames } });
    await expect(findFrames(nf, bad)).rejects.toThrow('frame 270: ');
  });

  it('end with the search, found or not', async () => {
    const asked = question();
    const found = await findFrames(nf, asked, { long: -1 });
    await found!.frames[0];
    found!.close();
    await expect(found!.frames.at(-1)).rejects.toMatchObject({ code: 'closed' });
  });

  it('are asked about one after the other if they are few, or there is one thread', async () => {
    const asked = question();
    const few = { ...asked.motion!, frames: asked.motion!.frames.slice(0, 4) };
    expect(await findFrames(nf, { ...asked, motion: few })).toBeUndefined();
    expect(await findFrames(nf, { ...asked, motion: undefined })).toBeUndefined();
    expect(await findFrames(nf, { ...asked, keepTriangles: 'worst' })).toBeUndefined();
    limitMachine({ threads: 1 });
    expect(await findFrames(nf, asked)).toBeUndefined();
  });

  it('have the same answer if threads cannot be started, fail or end', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nearfield-frames-'));
    try {
      const asked = question();
      const expected = await answerTo(asked);
      const threads = {
        'throws.mjs': `import { workerData } from 'node:worker_threads';
          Atomics.add(workerData.next, 0, 1); throw new Error('bad');`,
        'ends.mjs': `import { workerData } from 'node:worker_threads';
          Atomics.add(workerData.next, 0, 3); process.exit(1);`,
      };
      for (const [name, text] of Object.entries(threads)) writeFileSync(join(folder, name), text);
      for (const name of [...Object.keys(threads), 'missing.mjs']) {
        const found = await findFrames(nf, asked, { url: pathToFileURL(join(folder, name)), long: -1 });
        expect(await answerTo({ ...asked, found })).toEqual(expected);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are given up when they are cancelled', async () => {
    const controller = new AbortController();
    const asked = question({
      signal: controller.signal,
      progress: (_, done) => done > 0.1 && controller.abort(),
    });
    const found = await findFrames(nf, asked, { long: -1 });
    await expect(answerTo({ ...asked, progress: () => {}, found })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await expect(found!.frames.at(-1)).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('name the first frame with a bad pose, before the work', async () => {
    const asked = question();
    const frames = asked.motion!.frames.map((frame, i) =>
      i === 11 || i === 17 ? new Map([...frame, [0, new Float64Array(16)]]) : frame,
    );
    const shown: number[] = [];
    const bad = question({ motion: { isMotion: true, frames }, progress: (_, done) => shown.push(done) });
    await expect(findFrames(nf, bad)).rejects.toThrow('frame 11: ');
    expect(shown).toEqual([]);
  });
});
